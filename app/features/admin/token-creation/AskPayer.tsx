import { useMutation, useQueryClient } from '@tanstack/react-query';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/creation.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { TokenInput } from '#contract/token-form.ts';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { useStepUp } from '../kit/StepUp.tsx';

/** A token that was refused because it is not as it was paid for, and what became of the question. */
export interface Unconfirmed {
  token: TokenInput;
  fields: string[];
  asked: 'open' | 'declined' | null;
}

/** What the payer has to confirm before this token is made; null for every other refusal. */
export function unconfirmedOf(error: unknown, token: TokenInput): Unconfirmed | null {
  if (codeOf(error) !== 'PAYER_CONFIRMATION') return null;
  const { data } = error as { data?: Pick<Unconfirmed, 'fields' | 'asked'> };
  return data ? { token, ...data } : null;
}

interface AskPayerProps {
  /** Null: nothing was refused for it. */
  refused: Unconfirmed | null;
  onAsked: (now: Unconfirmed) => void;
}

/** Which data differ, and the question to the payer. */
export function AskPayer({ refused, onAsked }: AskPayerProps) {
  return refused ? <Question refused={refused} onAsked={onAsked} /> : null;
}

function Question({ refused, onAsked }: AskPayerProps & { refused: Unconfirmed }) {
  const messages = useText(adminCreationTexts).creation.payer;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const withProof = useStepUp();
  const ask = useMutation({
    mutationFn: () => withProof(() => client.admin.tokenRequests.proposeToken(refused.token)),
    onSuccess: () => {
      notify.success({ title: messages.done });
      onAsked({ ...refused, asked: 'open' });
      return queries.invalidateQueries({ queryKey: rpc.admin.tokenRequests.key() });
    },
    onError: (error) => {
      if (error instanceof Cancelled) return;
      notify.error({
        title: messages.failed,
        text: codeOf(error) === 'ALREADY_DONE' ? messages.there : failure(error),
      });
    },
  });
  const names = refused.fields.map((field) => messages.fields[field] ?? field).join(', ');
  return (
    <div className="admin-callout mt-4" data-tone="lead" role="alert">
      <p className="font-semibold">{messages.heading(names)}</p>
      <p className="text-sm">{messages.state[refused.asked ?? 'none']}</p>
      {refused.asked === 'open' ? null : (
        <Button size="sm" className="mt-2" busy={ask.isPending} busyLabel={messages.busy} onClick={() => ask.mutate()}>
          {messages.ask}
        </Button>
      )}
    </div>
  );
}

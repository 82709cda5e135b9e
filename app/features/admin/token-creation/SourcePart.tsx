import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { ContractSourceState } from '#contract/admin/token-creation.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { IfAllowed } from '../kit/rights.tsx';

const TONES: Record<ContractSourceState['state'], Tone> = {
  waiting: 'neutral',
  submitted: 'sky',
  verified: 'mint',
  refused: 'coral',
};

/** The block explorer's status of the source of a token's contract. */
export function SourcePart({ requestId, source }: { requestId: string; source: ContractSourceState }) {
  const messages = useText(adminCreationTexts).creation.source;
  const at = source.verifiedAt ?? source.nextAttemptAt;
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={messages.heading}>
      <h4 className="text-sm font-semibold">{messages.heading}</h4>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
        <Badge tone={TONES[source.state]}>{messages.states[source.state]}</Badge>
        {at ? (
          <span className="text-quiet">
            {source.nextAttemptAt ? `${messages.next}: ` : null}
            <When iso={at} />
          </span>
        ) : null}
        <span className="text-quiet">{messages.attempts(source.attempts)}</span>
      </p>
      {source.detail ? (
        <p className="admin-code" lang="en">
          {source.detail}
        </p>
      ) : null}
      {source.state === 'refused' ? (
        <IfAllowed call="tokenRequests.retrySource">
          <Again requestId={requestId} />
        </IfAllowed>
      ) : null}
    </section>
  );
}

function Again({ requestId }: { requestId: string }) {
  const messages = useText(adminCreationTexts).creation.source;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const again = useMutation({
    mutationFn: () => client.admin.tokenRequests.retrySource({ requestId }),
    onSuccess: () => notify.success({ title: messages.retried }),
    onError: (error) => notify.failed(error, { title: messages.retryFailed, text: failure(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.admin.tokenRequests.key() }),
  });
  return (
    <Button
      className="justify-self-start"
      busy={again.isPending}
      busyLabel={messages.retryBusy}
      onClick={() => again.mutate()}
    >
      {messages.retry}
    </Button>
  );
}

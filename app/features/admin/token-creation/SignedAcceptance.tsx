import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Textarea } from '#app/ui/controls/Field.tsx';
import type { AdminPayment } from '#contract/admin/payments.ts';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { useLeaveGuard } from '../kit/forms/leave-guard.ts';
import { useStepUp } from '../kit/StepUp.tsx';

/** For payments that need more than the provider's report: the statement that an admin signs offline, and a field for the signature. */
export function SignedAcceptance({ payment }: { payment: AdminPayment }) {
  const messages = useText(adminTokenTexts).tokenAdmin.signed;
  const locale = useLocale();
  const [signed, setSigned] = useState('');
  const bring = useBring(payment.id, () => setSigned(''));
  useLeaveGuard(signed.trim() !== '' && !bring.isPending);
  if (payment.statement === null) return null;
  return (
    <details className="text-sm">
      <summary>{messages.heading(payment.signatures.length)}</summary>
      <div className="mt-2 grid gap-2">
        <p>{messages.why}</p>
        <Field label={messages.statement}>
          <Textarea readOnly rows={3} className="figures" value={payment.statement} />
        </Field>
        <p className="text-quiet">{messages.how}</p>
        {payment.signatures.map(({ publicKey, at }) => (
          <p key={publicKey + at} className="break-all">
            {messages.brought(publicKey, dateTime(at, locale))}
          </p>
        ))}
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            bring.mutate(signed);
          }}
        >
          <Field label={messages.signature}>
            <Textarea required rows={3} value={signed} onChange={(event) => setSigned(event.target.value)} />
          </Field>
          <Button size="sm" type="submit" busy={bring.isPending} busyLabel={messages.busy}>
            {messages.bring}
          </Button>
        </form>
      </div>
    </details>
  );
}

function useBring(paymentId: string, onDone: () => void) {
  const messages = useText(adminTokenTexts).tokenAdmin.signed;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const withProof = useStepUp();
  return useMutation({
    mutationFn: (signed: string) => withProof(() => client.admin.tokenRequests.addAcceptance({ paymentId, signed })),
    onSuccess: () => {
      notify.success({ title: messages.done });
      onDone();
      return queries.invalidateQueries({ queryKey: rpc.admin.tokenRequests.key() });
    },
    onError: (error) => {
      if (error instanceof Cancelled) return;
      const { why } = (error as { data?: { why?: keyof typeof messages.refused } }).data ?? {};
      const known = codeOf(error) === 'ACCEPTANCE_REFUSED' && why ? messages.refused[why] : undefined;
      const text = codeOf(error) === 'ALREADY_DONE' ? messages.there : (known ?? failure(error));
      notify.failed(error, { title: messages.failed, text });
    },
  });
}

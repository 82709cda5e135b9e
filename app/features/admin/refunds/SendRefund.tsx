import { useQuery } from '@tanstack/react-query';
import { codeOf } from '#app/lib/api/failure.ts';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminRefundsTexts } from '#app/lib/messages/admin/refunds.ts';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import { sendRefundForm } from '#contract/admin/forms/deliverables.ts';
import type { AdminRefund } from '#contract/admin/refunds.ts';
import { useRefusal } from '../deliverables/refusals.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useSaved } from '../kit/forms/useSaved.ts';
import { useStepUp } from '../kit/StepUp.tsx';

/** Records that a refund was sent. Before its address is shown, the provider is polled, in case it has refunded the money already. */
export function SendRefund({ row, amount, onClose }: { row: AdminRefund; amount: string; onClose: () => void }) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const refusal = useRefusal();
  const saved = useSaved(onClose);
  const withProof = useStepUp();
  const form = useAdminForm({
    initial: { transaction: '', byProvider: row.state !== 'ready' },
    version: row.version,
    schema: sendRefundForm,
    check: ({ transaction, byProvider }) => ({
      transaction: !byProvider && transaction.trim() === '' && messages.transactionNeeded,
    }),
    fieldErrors: (error) =>
      ['REFUND_REFUSED', 'EVIDENCE_USED'].includes(codeOf(error)) ? { transaction: refusal(error) } : {},
    failed: (error) => ({ title: messages.sendFailed, text: refusal(error) }),
    screen: 'tokens',
    stored: { form: 'sentRefund', record: row },
    submit: async (values, version) => {
      await withProof(() => client.admin.refunds.send({ id: row.id, version, ...values }));
      await saved(messages.sent);
    },
  });
  const checked = useLastWord(row);
  const ended = checked.data?.state === 'withdrawn';
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.sendOf(row.number)}
      submitLabel={ended ? null : messages.sendConfirm}
      fieldNames={{ transaction: messages.transaction, byProvider: messages.byProvider }}
    >
      {ended ? (
        <p className="font-semibold text-coral-text" role="status">
          {messages.beforeSending.closed}
        </p>
      ) : (
        <>
          {row.state === 'ready' ? (
            <Destination row={row} amount={amount} checked={checked} />
          ) : (
            <p className="text-sm">{messages.sendProviderText}</p>
          )}
          <Field label={messages.transaction} hint={messages.transactionHint} error={form.errors.transaction}>
            <Input {...form.text('transaction')} className="figures" autoComplete="off" spellCheck={false} />
          </Field>
          <Checkbox {...form.flag('byProvider')} label={messages.byProvider} hint={messages.byProviderHint} />
        </>
      )}
    </FormDialog>
  );
}

/** The provider's last word on the payment of a refund that is about to be sent, and what became of the refund by it. */
const useLastWord = (row: AdminRefund) =>
  useQuery({
    queryKey: ['refund-before-sending', row.id, row.version],
    queryFn: async () => {
      const { answered } = await client.admin.tokenRequests.checkPayment({ paymentId: row.paymentId });
      const { rows } = await client.admin.refunds.list({ q: row.number });
      return { answered, state: rows.find(({ id }) => id === row.id)?.state ?? row.state };
    },
    enabled: row.state === 'ready',
    gcTime: 0,
  });

type LastWord = ReturnType<typeof useLastWord>;

/** The address of the refund, once the provider was polled. */
function Destination({ row, amount, checked }: { row: AdminRefund; amount: string; checked: LastWord }) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const failure = useAdminFailure('tokens');
  if (checked.isPending)
    return (
      <p className="text-sm text-quiet" role="status">
        {messages.beforeSending.checking}
      </p>
    );
  return (
    <>
      {checked.data?.answered ? null : (
        <p className="font-semibold text-coral-text" role="status">
          {checked.error ? failure(checked.error) : messages.beforeSending.unknown}
        </p>
      )}
      <p className="text-sm">{messages.sendText(amount)}</p>
      {row.address ? <p className="figures wrap-anywhere">{row.address}</p> : null}
    </>
  );
}

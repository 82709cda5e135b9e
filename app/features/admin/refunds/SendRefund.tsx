import { useQuery, useQueryClient } from '@tanstack/react-query';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminRefundsTexts } from '#app/lib/messages/admin/refunds.ts';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import { sendRefundForm } from '#contract/admin/forms/deliverables.ts';
import type { AdminRefund } from '#contract/admin/refunds.ts';
import { useRefusal } from '../deliverables/refusals.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useCloseAfterSave } from '../kit/forms/useCloseAfterSave.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { ClaimPart } from './ClaimPart.tsx';

/** Pays a refund: claims it, shows its address, and records its transaction or that it was not paid. */
export function SendRefund({
  row: opened,
  amountOf,
  onClose,
}: {
  row: AdminRefund;
  amountOf: (row: AdminRefund) => string;
  onClose: () => void;
}) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const refusal = useRefusal();
  const saved = useCloseAfterSave(onClose);
  const withProof = useStepUp();
  const { row, changed } = useRow(opened);
  const form = useAdminForm({
    initial: { transaction: '', byProvider: opened.state !== 'ready' },
    version: opened.version,
    schema: sendRefundForm,
    check: ({ transaction, byProvider }) => ({
      transaction: !byProvider && transaction.trim() === '' && messages.transactionNeeded,
    }),
    fieldErrors: (error) =>
      ['REFUND_REFUSED', 'EVIDENCE_USED'].includes(codeOf(error)) ? { transaction: refusal(error) } : {},
    failed: (error) => ({ title: messages.sendFailed, text: refusal(error) }),
    screen: 'tokens',
    stored: { form: 'sentRefund', record: opened },
    submit: async (values) => {
      // The claim has changed the version; nobody else changes a claimed refund but the provider, which the server records.
      await withProof(() => client.admin.refunds.send({ id: row.id, version: row.version, ...values }));
      await saved(messages.sent);
    },
  });
  const { byProvider } = form.values;
  const ended = row.state === 'withdrawn' || row.state === 'sent';
  const mine = row.claim?.mine === true;
  const writes = !ended && (mine || (row.claim === null && byProvider));
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.sendOf(row.number)}
      submitLabel={writes ? messages.sendConfirm : null}
      fieldNames={{ transaction: messages.transaction, byProvider: messages.byProvider }}
    >
      {row.state === 'ready' || ended ? (
        <ClaimPart row={row} amount={amountOf(row)} onChanged={changed} />
      ) : (
        <p className="text-sm">{messages.sendProviderText}</p>
      )}
      {writes ? (
        <Field label={messages.transaction} hint={messages.transactionHint} error={form.errors.transaction}>
          <Input {...form.text('transaction')} className="figures" autoComplete="off" spellCheck={false} />
        </Field>
      ) : null}
      {ended || row.claim !== null ? null : (
        <Checkbox {...form.flag('byProvider')} label={messages.byProvider} hint={messages.byProviderHint} />
      )}
    </FormDialog>
  );
}

/** The refund as it is now: live events refetch it, also while the dialog is open. */
function useRow(opened: AdminRefund) {
  const queries = useQueryClient();
  const { data } = useQuery(rpc.admin.refunds.list.queryOptions({ input: { q: opened.number } }));
  const row = data?.rows.find(({ id }) => id === opened.id) ?? opened;
  return { row, changed: () => queries.invalidateQueries({ queryKey: rpc.admin.key() }) };
}

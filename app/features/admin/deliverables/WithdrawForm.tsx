import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { Field, Select, Textarea } from '#app/ui/controls/Field.tsx';
import type { AdminDeliverable } from '#contract/admin/deliverables.ts';
import { withdrawForm } from '#contract/admin/forms/deliverables.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useCloseAfterSave } from '../kit/forms/useCloseAfterSave.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { RefundMoney, useRefundMoney } from './RefundMoney.tsx';

interface WithdrawFormProps {
  row: AdminDeliverable;
  name: string;
  onClose: () => void;
}

/** Withdraws a sold deliverable, together with its refund. */
export function WithdrawForm({ row, name, onClose }: WithdrawFormProps) {
  const messages = useText(adminDeliverablesTexts).deliverables;
  const money = useRefundMoney();
  const saved = useCloseAfterSave(onClose);
  const withProof = useStepUp();
  const form = useAdminForm({
    initial: {
      reason: '',
      refund: (row.assets.length > 0 ? 'yes' : 'no') as string,
      asset: row.assets[0] ?? '',
      amount: '',
    },
    version: row.version,
    schema: withdrawForm,
    messages: money.messages,
    readers: money.readers,
    fieldErrors: money.fieldErrors,
    failed: (error) => ({ title: messages.withdrawFailed, text: money.refusal(error) }),
    screen: 'tokens',
    stored: { form: 'withdrawDeliverable', record: row },
    submit: async (values, version) => {
      await withProof(() => client.admin.deliverables.withdraw({ id: row.id, version, ...values }));
      await saved(messages.withdrawn);
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.withdrawOf(name)}
      submitLabel={messages.withdrawConfirm}
      fieldNames={{ ...money.fieldNames, refund: messages.withRefund }}
    >
      <p className="text-sm text-quiet">{messages.withdrawText}</p>
      <Field label={messages.reason} error={form.errors.reason}>
        <Textarea {...form.text('reason')} rows={3} />
      </Field>
      <Field label={messages.withRefund} hint={row.assets.length === 0 ? messages.noAsset : undefined}>
        <Select {...form.text('refund')}>
          {row.assets.length > 0 ? <option value="yes">{messages.refundYes}</option> : null}
          <option value="no">{messages.refundNo}</option>
        </Select>
      </Field>
      {form.values.refund === 'yes' ? <RefundMoney form={form} assets={row.assets} /> : null}
    </FormDialog>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { coinText } from '#app/lib/format/coins.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import type { AdminDeliverable } from '#contract/admin/deliverables.ts';
import { withdrawForm } from '#contract/admin/forms/deliverables.ts';
import { FormDialog } from '../kit/FormDialog.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { useAdminForm } from '../kit/useAdminForm.ts';
import { useRefusal } from './refusals.ts';

interface WithdrawFormProps {
  row: AdminDeliverable;
  name: string;
  onClose: () => void;
}

/** Withdraws something that was sold, with the refund that goes with it. */
export function WithdrawForm({ row, name, onClose }: WithdrawFormProps) {
  const text = useText(adminDeliverablesTexts, coinsTexts);
  const messages = text.deliverables;
  const refusal = useRefusal();
  const queries = useQueryClient();
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
    messages: { reason: messages.reasonNeeded, asset: messages.assetNeeded, amount: messages.amountNeeded },
    fieldErrors: (error) => {
      const { why } = (error as { data?: { why?: string } }).data ?? {};
      if (codeOf(error) !== 'REFUND_REFUSED') return {};
      return why === 'asset' ? { asset: refusal(error) } : { amount: refusal(error) };
    },
    failed: (error) => ({ title: messages.withdrawFailed, text: refusal(error) }),
    screen: 'tokens',
    submit: async (values, version) => {
      await withProof(() => client.admin.deliverables.withdraw({ id: row.id, version, ...values }));
      notify.success({ title: messages.withdrawn });
      onClose();
      await queries.invalidateQueries({ queryKey: rpc.admin.key() });
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.withdrawOf(name)}
      submitLabel={messages.withdrawConfirm}
      fieldNames={{
        reason: messages.reason,
        refund: messages.withRefund,
        asset: messages.asset,
        amount: messages.amount,
      }}
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
      {form.values.refund === 'yes' ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={messages.asset} error={form.errors.asset}>
            <Select {...form.text('asset')}>
              {row.assets.map((asset) => (
                <option key={asset} value={asset}>
                  {coinText(asset, text.coins.on)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={messages.amount} hint={messages.amountHint} error={form.errors.amount}>
            <Input {...form.text('amount')} inputMode="decimal" autoComplete="off" className="figures" />
          </Field>
        </div>
      ) : null}
    </FormDialog>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { coinText } from '#app/lib/format/coins.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import { openRefundForm } from '#contract/admin/forms/deliverables.ts';
import type { AdminPayment } from '#contract/admin/payments.ts';
import { useRefusal } from '../deliverables/refusals.ts';
import { FormDialog } from '../kit/FormDialog.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { useAdminForm } from '../kit/useAdminForm.ts';

/** Opens a refund about a payment. */
export function OpenRefund({ payment }: { payment: AdminPayment }) {
  const messages = useText(adminDeliverablesTexts).adminRefunds;
  const [asking, setAsking] = useState(false);
  const assets = [
    ...new Set(payment.deposits.flatMap(({ currency, amount }) => (currency && amount ? [currency] : []))),
  ];
  if (assets.length === 0) return null;
  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
        {messages.open}
      </Button>
      {asking ? <OpenForm payment={payment} assets={assets} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function OpenForm({ payment, assets, onClose }: { payment: AdminPayment; assets: string[]; onClose: () => void }) {
  const text = useText(adminDeliverablesTexts, coinsTexts);
  const messages = text.adminRefunds;
  const shared = text.deliverables;
  const refusal = useRefusal();
  const queries = useQueryClient();
  const withProof = useStepUp();
  const form = useAdminForm({
    initial: { asset: assets[0] ?? '', amount: '', reason: '' },
    schema: openRefundForm,
    messages: { asset: shared.assetNeeded, amount: shared.amountNeeded, reason: shared.reasonNeeded },
    fieldErrors: (error) => {
      const { why } = (error as { data?: { why?: string } }).data ?? {};
      if (codeOf(error) !== 'REFUND_REFUSED') return {};
      return why === 'asset' ? { asset: refusal(error) } : { amount: refusal(error) };
    },
    failed: (error) => ({ title: messages.openFailed, text: refusal(error) }),
    screen: 'tokens',
    submit: async (values) => {
      await withProof(() => client.admin.refunds.open({ paymentId: payment.id, ...values }));
      notify.success({ title: messages.opened });
      onClose();
      await queries.invalidateQueries({ queryKey: rpc.admin.key() });
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.openOf(payment.orderId)}
      submitLabel={messages.openConfirm}
      fieldNames={{ asset: shared.asset, amount: shared.amount, reason: shared.reason }}
    >
      <p className="text-sm text-quiet">{messages.openText}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={shared.asset} error={form.errors.asset}>
          <Select {...form.text('asset')}>
            {assets.map((asset) => (
              <option key={asset} value={asset}>
                {coinText(asset, text.coins.on)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={shared.amount} hint={shared.amountHint} error={form.errors.amount}>
          <Input {...form.text('amount')} inputMode="decimal" autoComplete="off" className="figures" />
        </Field>
      </div>
      <Field label={shared.reason} error={form.errors.reason}>
        <Textarea {...form.text('reason')} rows={3} />
      </Field>
    </FormDialog>
  );
}

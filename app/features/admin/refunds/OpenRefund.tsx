import { useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminRefundsTexts } from '#app/lib/messages/admin/refunds.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Textarea } from '#app/ui/controls/Field.tsx';
import { openRefundForm } from '#contract/admin/forms/deliverables.ts';
import type { AdminPayment } from '#contract/admin/payments.ts';
import { RefundMoney, useRefundMoney } from '../deliverables/RefundMoney.tsx';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useCloseAfterSave } from '../kit/forms/useCloseAfterSave.ts';
import { useStepUp } from '../kit/StepUp.tsx';

/** Opens a refund for a payment. */
export function OpenRefund({ payment }: { payment: AdminPayment }) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const [formOpen, setFormOpen] = useState(false);
  useReopenedForm<{ id: string }>('newRefund', (of) => setFormOpen(of?.id === payment.id));
  const assets = [
    ...new Set(payment.deposits.flatMap(({ currency, amount }) => (currency && amount ? [currency] : []))),
  ];
  if (assets.length === 0) return null;
  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setFormOpen(true)}>
        {messages.open}
      </Button>
      {formOpen ? <OpenForm payment={payment} assets={assets} onClose={() => setFormOpen(false)} /> : null}
    </>
  );
}

function OpenForm({ payment, assets, onClose }: { payment: AdminPayment; assets: string[]; onClose: () => void }) {
  const text = useText(adminRefundsTexts);
  const messages = text.adminRefunds;
  const money = useRefundMoney();
  const saved = useCloseAfterSave(onClose);
  const withProof = useStepUp();
  const form = useAdminForm({
    initial: { asset: assets[0] ?? '', amount: '', reason: '' },
    schema: openRefundForm,
    messages: money.messages,
    readers: money.readers,
    fieldErrors: money.fieldErrors,
    failed: (error) => ({ title: messages.openFailed, text: money.refusal(error) }),
    screen: 'tokens',
    stored: { form: 'newRefund', record: { id: payment.id } },
    submit: async (values) => {
      await withProof(() => client.admin.refunds.open({ paymentId: payment.id, ...values }));
      await saved(messages.opened);
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.openOf(payment.orderId)}
      submitLabel={messages.openConfirm}
      fieldNames={money.fieldNames}
    >
      <p className="text-sm text-quiet">{messages.openText}</p>
      <Arrived payment={payment} />
      <RefundMoney form={form} assets={assets} />
      <Field label={money.fieldNames.reason} error={form.errors.reason}>
        <Textarea {...form.text('reason')} rows={3} />
      </Field>
    </FormDialog>
  );
}

/** What each deposit of the payment brought. */
function Arrived({ payment }: { payment: AdminPayment }) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const { on } = useText(coinsTexts).coins;
  const locale = useLocale();
  return (
    <div>
      <p className="font-semibold">{messages.arrived}</p>
      <ul className="figures">
        {payment.deposits
          .filter(({ amount, currency }) => amount && currency)
          .map(({ paymentId, amount, currency, status }) => (
            <li key={paymentId}>
              {amountInCoin(amount, currency, locale, on)}
              {status === 'refunded' ? (
                <span className="ml-2 text-sm text-quiet">{messages.returnedByProvider}</span>
              ) : null}
            </li>
          ))}
      </ul>
    </div>
  );
}

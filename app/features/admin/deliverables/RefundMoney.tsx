import type { ComponentProps } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { coinText, typedAmount } from '#app/lib/format/coins.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { Field, Input, Select } from '#app/ui/controls/Field.tsx';
import { useRefusal } from './refusals.ts';

/** State of the part of a form that opens a refund: labels of its fields, and the field that shows each error of the server. */
export function useRefundMoney() {
  const { asset, amount, reason, assetNeeded, amountNeeded, reasonNeeded } =
    useText(adminDeliverablesTexts).deliverables;
  const refusal = useRefusal();
  const locale = useLocale();
  return {
    refusal,
    fieldNames: { asset, amount, reason },
    readers: { amount: (typed: string) => typedAmount(typed, locale) },
    messages: { asset: assetNeeded, amount: amountNeeded, reason: reasonNeeded },
    fieldErrors(error: unknown): { asset?: string; amount?: string } {
      const { why } = (error as { data?: { why?: string } }).data ?? {};
      if (codeOf(error) !== 'REFUND_REFUSED') return {};
      return why === 'asset' ? { asset: refusal(error) } : { amount: refusal(error) };
    },
  };
}

interface RefundMoneyProps {
  form: {
    text: (name: 'asset' | 'amount') => Pick<ComponentProps<'input'>, 'name' | 'value' | 'maxLength'> & {
      onChange: (event: { target: { value: string } }) => void;
    };
    errors: { asset?: string; amount?: string };
  };
  /** The provider's codes of the currencies in which money arrived. */
  assets: readonly string[];
}

/** Currency and amount of a refund. */
export function RefundMoney({ form, assets }: RefundMoneyProps) {
  const text = useText(adminDeliverablesTexts, coinsTexts);
  const messages = text.deliverables;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={messages.asset} error={form.errors.asset}>
        <Select {...form.text('asset')}>
          {assets.map((asset) => (
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
  );
}

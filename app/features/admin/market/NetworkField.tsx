import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminMarketTexts } from '#app/lib/messages/admin/market.ts';
import { Field, Select } from '#app/ui/controls/Field.tsx';
import { MARKET_NETWORKS } from '#contract/admin/forms/token.ts';

interface NetworkFieldProps {
  form: { text: (name: 'network') => object; errors: { network?: string } };
  className?: string;
}

/** The network of a token's address: market data is fetched for it. */
export function NetworkField({ form, className }: NetworkFieldProps) {
  const messages = useText(adminMarketTexts).market;
  return (
    <Field label={messages.network} hint={messages.networkHint} error={form.errors.network} className={className}>
      <Select {...form.text('network')}>
        <option value="">{messages.networkNone}</option>
        {MARKET_NETWORKS.map((network) => (
          <option key={network} value={network}>
            {messages.networks[network]}
          </option>
        ))}
      </Select>
    </Field>
  );
}

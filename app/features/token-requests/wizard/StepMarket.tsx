import { percent } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { cx } from '#app/ui/cx.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { decimals } from '#contract/text/figures.ts';
import { change, LinkField, NetworkField, PercentField, TextField, useForm } from './Fields.tsx';

export function StepMarket() {
  const text = useText(createTexts, createLaterTexts).create;
  const { data } = useForm();
  return (
    <div className="grid gap-5">
      <p className="text-quiet">{text.market.lead}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <LinkField name="mercadoBlockExplorer" label={text.field.mercadoBlockExplorer} />
        <NetworkField name="hostNetwork" label={text.field.hostNetwork} />
        <fieldset>
          <legend className="field-label mb-1.5">{text.field.smartContractWritten}</legend>
          <div className="tabs-list">
            {([true, false] as const).map((answer) => (
              <label
                key={String(answer)}
                className="tabs-tab relative grid cursor-pointer place-items-center has-focus-visible:outline-3 has-focus-visible:outline-focus"
                data-state={data.smartContractWritten === answer ? 'active' : undefined}
              >
                <input
                  type="radio"
                  name="smartContractWritten"
                  className="absolute inset-0 cursor-pointer opacity-0"
                  checked={data.smartContractWritten === answer}
                  onChange={() => change({ smartContractWritten: answer })}
                />
                {answer ? text.yes : text.no}
              </label>
            ))}
          </div>
        </fieldset>
        <TextField name="initialSaleLength" label={text.field.initialSaleLength} hint={text.hint.initialSaleLength} />
      </div>
      <fieldset className="grid gap-5 rounded-card border border-line bg-raised p-4 sm:p-5">
        <legend className="contents">
          <span className="font-display text-xl font-bold">{text.market.split}</span>
        </legend>
        <div className="grid gap-5 sm:grid-cols-2">
          <PercentField name="distribucionTokens" label={text.field.distribucionTokens} />
          <PercentField name="productorToken" label={text.field.productorToken} />
          <PercentField name="porcentajeMarketing" label={text.field.porcentajeMarketing} />
          <PercentField name="porcentajePartnersInversores" label={text.field.porcentajePartnersInversores} />
        </div>
        <Split data={data} />
      </fieldset>
    </div>
  );
}

const PARTS = [
  ['distribucionTokens', 'distribution', 'bg-lead'],
  ['productorToken', 'team', 'bg-sky'],
  ['porcentajeMarketing', 'marketing', 'bg-mint'],
  ['porcentajePartnersInversores', 'partners', 'bg-coral'],
] as const;

/** The four shares side by side, and their sum. */
function Split({ data }: { data: DraftData }) {
  const text = useText(createTexts, createLaterTexts).create.market;
  const parts = PARTS.map(([name, key, colour]) => ({
    key,
    colour,
    value: Math.max(0, Number.parseFloat(data[name].replace(',', '.')) || 0),
  }));
  const locale = useLocale();
  const sum = parts.reduce((total, { value }) => total + value, 0);
  if (sum === 0) return null;
  const shown = decimals(sum, locale, 0, 2);
  return (
    <div>
      <div
        className="flex h-3 gap-0.5 overflow-hidden rounded-badge bg-panel forced-color-adjust-none"
        aria-hidden="true"
      >
        {parts.map(({ key, colour, value }) => (
          <span key={key} className={colour} style={{ width: `${(value / Math.max(100, sum)) * 100}%` }} />
        ))}
      </div>
      <ul className="mt-2.5 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {parts.map(({ key, colour, value }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span className={cx('size-2.5 rounded-full forced-color-adjust-none', colour)} aria-hidden="true" />
            {text.parts[key]} <span className="figures">{percent(value, locale, 2)}</span>
          </li>
        ))}
      </ul>
      <p className={cx('mt-1.5 text-sm', sum > 100 ? 'font-medium text-lead-text' : 'text-quiet')} role="status">
        {sum > 100 ? text.over(shown) : text.sum(shown)}
      </p>
    </div>
  );
}

import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import type { MoneyBack as Amounts } from '#contract/domains/payments.ts';
import { usdOf } from './order-stages.tsx';

const PARTS = ['received', 'returned', 'remaining'] as const;

/** What was paid, what went back and what is left of a payment; nothing while nothing went back. */
export function MoneyBack({ of }: { of: Amounts | null }) {
  const { orders } = useText(ordersTexts);
  const locale = useLocale();
  if (!of) return null;
  return (
    <section aria-label={orders.back.label} className="mt-4 print:hidden">
      <dl className="flex flex-wrap gap-x-8 gap-y-2 rounded-control border border-line bg-raised p-4">
        {PARTS.map((part) => (
          <div key={part}>
            <dt className="text-sm text-quiet">{orders.back[part]}</dt>
            <dd className="figures font-semibold">{orders.usd(usdOf(of[`${part}Usd`], locale))}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

import { useText } from '#app/lib/i18n/i18n.tsx';
import { deliverablesTexts } from '#app/lib/messages/deliverables.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import type { Plan } from '#contract/domains/payments.ts';
import { useOffSale } from './plan-sales.ts';

/** That a plan is not on sale now, and why; renders nothing while it is. */
export function OffSaleNote({ plan }: { plan: Plan }) {
  const text = useText(plansTexts, deliverablesTexts);
  const off = useOffSale(plan);
  if (!off) return null;
  return (
    <p className="mt-3 text-sm font-semibold text-coral-text">
      {text.deliverables.offSale} {text.deliverables.offSaleItems(off.map((item) => text.plans.item[item]).join(', '))}
    </p>
  );
}

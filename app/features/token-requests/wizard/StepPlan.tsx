import { Check, Info } from 'lucide-react';
import { useId } from 'react';
import { cents } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { OffSaleNote } from '#app/lib/page/OffSaleNote.tsx';
import { PlanNote } from '#app/lib/page/PlanNote.tsx';
import { useOffSale } from '#app/lib/page/plan-sales.ts';
import { cx } from '#app/ui/cx.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import type { Plan } from '#contract/domains/payments.ts';
import { PLANS } from '#contract/limits.ts';
import { change, useForm } from './Fields.tsx';
import { OtherPlanNote } from './OtherPlan.tsx';

const PLAN_NAMES = Object.keys(PLANS) as Plan[];

export function StepPlan() {
  const text = useText(createTexts, createLaterTexts).create;
  return (
    <div className="grid gap-5">
      <p className="text-quiet">{text.plan.lead}</p>
      <OtherPlanNote />
      <fieldset>
        <legend className="visually-hidden">{text.plan.legend}</legend>
        <div className="grid gap-4 sm:grid-cols-2">
          {PLAN_NAMES.map((plan) => (
            <PlanTicket key={plan} plan={plan} />
          ))}
        </div>
      </fieldset>
      <p className="flex items-start gap-2 text-sm text-quiet">
        <Info aria-hidden="true" className="mt-0.5 size-4 flex-none" />
        {text.plan.note}
      </p>
    </div>
  );
}

/** A plan as a card that is one radio button as a whole. */
function PlanTicket({ plan }: { plan: Plan }) {
  const text = useText(createTexts, createLaterTexts, plansTexts);
  const locale = useLocale();
  const { data } = useForm();
  const off = useOffSale(plan);
  const id = useId();
  const chosen = data.selectedPlan === plan;
  const price = text.create.pay.price(cents(PLANS[plan].priceUsd, locale));
  return (
    <div className="relative rounded-card has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus">
      <Ticket
        tone={chosen ? 'lead' : 'neutral'}
        className="h-full"
        header={
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h3 id={`${id}-name`} className="text-xl">
              {text.plans.name[plan]}
            </h3>
            {plan === 'entry' ? <Badge tone="lead">{text.create.plan.best}</Badge> : null}
          </div>
        }
        stub={
          <div className="flex min-h-8 items-center justify-between gap-3">
            <span id={`${id}-price`} className="figures text-2xl font-bold">
              {price}
            </span>
            {chosen ? (
              <span className="flex items-center gap-1.5 text-sm font-semibold text-lead-text">
                <Check aria-hidden="true" className="size-4" />
                {text.create.plan.chosen}
              </span>
            ) : null}
          </div>
        }
      >
        <PlanItems plan={plan} id={`${id}-items`} />
        <PlanNote plan={plan} id={`${id}-note`} className="mt-3" />
        <OffSaleNote plan={plan} />
      </Ticket>
      <input
        type="radio"
        name="selectedPlan"
        value={plan}
        checked={chosen}
        disabled={off !== null && !chosen}
        onChange={() => change({ selectedPlan: plan })}
        aria-labelledby={`${id}-name ${id}-price`}
        aria-describedby={`${id}-items ${id}-note`}
        className="absolute inset-0 z-2 size-full cursor-pointer opacity-0"
      />
    </div>
  );
}

export function PlanItems({ plan, id, className }: { plan: Plan; id?: string; className?: string }) {
  const text = useText(plansTexts);
  return (
    <ul id={id} className={cx('mt-3 grid gap-1.5 text-[0.9375rem]', className)}>
      {PLANS[plan].items.map((item) => (
        <li key={item} className="flex items-start gap-2">
          <Check aria-hidden="true" className="mt-1 size-4 flex-none text-mint-text" />
          {text.plans.item[item]}
        </li>
      ))}
    </ul>
  );
}

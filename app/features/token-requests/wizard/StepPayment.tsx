import { ChevronDown } from 'lucide-react';
import { cents } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { Quoted } from '#app/lib/i18n/Quoted.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { PlanNote } from '#app/lib/page/PlanNote.tsx';
import { RiskNotice } from '#app/lib/page/RiskNotice.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Stat, Stats } from '#app/ui/layout/Stat.tsx';
import { PLANS } from '#contract/limits.ts';
import { useDeliveryHint, useForm, useNetworks } from './Fields.tsx';
import type { FieldError } from './field-errors.ts';
import { PaymentCard } from './PaymentCard.tsx';
import { PlanItems } from './StepPlan.tsx';

interface StepPaymentProps {
  onStep: (step: number) => void;
  onInvalid: (fieldError: FieldError) => void;
}

export function StepPayment({ onStep, onInvalid }: StepPaymentProps) {
  const text = useText(createTexts, createLaterTexts, plansTexts);
  const locale = useLocale();
  const { data } = useForm();
  const plan = data.selectedPlan;
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 rounded-card border border-lead bg-lead-soft px-5 py-4">
        <p className="font-display text-xl font-bold">{text.create.pay.banner(text.plans.name[plan])}</p>
        <p className="figures text-3xl font-bold text-lead-text">
          {text.create.pay.price(cents(PLANS[plan].priceUsd, locale))}
        </p>
        <PlanNote plan={plan} className="basis-full" />
      </div>
      <section>
        <h3 className="text-lg">{text.create.pay.benefits}</h3>
        <PlanItems plan={plan} className="sm:grid-cols-2" />
      </section>
      <Review onStep={onStep} />
      <RiskNotice newTab />
      <PaymentCard onInvalid={onInvalid} onStep={onStep} />
      <details className="group rounded-card border border-line">
        <summary className="flex min-h-12 list-none items-center justify-between gap-3 rounded-card px-4 [&::-webkit-details-marker]:hidden">
          <h3 className="inline-flex flex-wrap items-center gap-2 text-lg">
            {text.create.pay.sample}
            <Badge tone="coral">{text.create.pay.sampleTag}</Badge>
          </h3>
          <ChevronDown aria-hidden="true" className="size-5 flex-none text-quiet group-open:rotate-180" />
        </summary>
        <div className="px-4 pb-4">
          <Stats>
            {text.create.pay.figures.map(({ label, value }) => (
              <Stat key={label} label={label} value={value} />
            ))}
          </Stats>
          <p className="mt-2 text-sm text-quiet">{text.create.pay.sampleNote}</p>
        </div>
      </details>
    </div>
  );
}

/** Values that can't be changed any more after the payment. */
function Review({ onStep }: { onStep: (step: number) => void }) {
  const text = useText(createTexts, createLaterTexts).create;
  const { data } = useForm();
  const networks = useNetworks();
  const network = networks.data?.find(({ key }) => key === data.selectedNetwork);
  const delivery = useDeliveryHint(network);
  const rows = [
    [text.field.tokenName, data.tokenName],
    [text.field.tokenSymbol, data.tokenSymbol],
    [text.field.selectedNetwork, network?.name ?? data.selectedNetwork],
    [text.field.ownerWalletAddress, data.ownerWalletAddress],
    [text.field.petitionerEmail, data.petitionerEmail],
    [text.field.petitionerTelegram, data.petitionerTelegram],
  ] as const;
  return (
    <section className="rounded-card border border-line p-4 sm:p-5">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-lg">{text.pay.review}</h3>
        {/* Its label is aligned with the end of the lines below. */}
        <Button size="sm" variant="ghost" className="-mr-3.5 flex-none" onClick={() => onStep(1)}>
          {text.pay.edit}
        </Button>
      </div>
      <dl className="mt-2 grid gap-x-5 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
        {rows.map(([label, value]) => (
          <div key={label} className="sm:contents">
            <dt className="text-sm text-quiet sm:text-[0.9375rem]">
              <Quoted>{label}</Quoted>
            </dt>
            <dd
              className={
                label === text.field.ownerWalletAddress ? 'figures text-[0.9375rem] break-all' : 'wrap-anywhere'
              }
            >
              {value || <span className="text-coral-text">{text.pay.none}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {delivery ? <p className="mt-3 text-sm font-medium">{delivery}</p> : null}
      <p className="mt-3 text-sm text-quiet">{text.token.note}</p>
    </section>
  );
}

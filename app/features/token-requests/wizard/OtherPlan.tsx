import { CircleAlert } from 'lucide-react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { cx } from '#app/ui/cx.ts';
import type { Payment } from '#contract/domains/payments.ts';
import { isOver, usePayment } from './payment.queries.ts';
import { useDraft } from './useDraft.ts';

/** Money is being confirmed, or has arrived and was not reviewed yet. */
const UNDER_WAY: readonly Payment['state'][] = ['confirming', 'under_review'];

/** The draft's open payment when it is for another plan than the chosen one. */
export function useOtherPlan(): Payment | null {
  const { data } = useDraft();
  const payment = usePayment().data?.payment ?? null;
  return payment !== null && !isOver(payment) && payment.plan !== data.selectedPlan ? payment : null;
}

/** What paying the chosen plan would mean for the open payment of another one. */
export function OtherPlanText({ payment }: { payment: Payment }) {
  const text = useText(createTexts, createLaterTexts, plansTexts);
  return (
    <>
      {text.create.pay.otherPlan(text.plans.name[payment.plan], payment.orderId)}{' '}
      {UNDER_WAY.includes(payment.state) ? <strong>{text.create.pay.otherPlanPaid}</strong> : null}
    </>
  );
}

/** The same before the last step: announced when another plan is chosen. */
export function OtherPlanNote({ className }: { className?: string }) {
  const payment = useOtherPlan();
  return (
    <div role="status">
      {payment ? (
        <p
          className={cx(
            'flex items-start gap-2 rounded-control bg-lead-soft px-3.5 py-2.5 text-[0.9375rem] text-lead-text [&>svg]:mt-1 [&>svg]:size-4 [&>svg]:flex-none',
            className,
          )}
        >
          <CircleAlert aria-hidden="true" />
          <span>
            <OtherPlanText payment={payment} />
          </span>
        </p>
      ) : null}
    </div>
  );
}

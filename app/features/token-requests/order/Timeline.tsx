import { Check, Pause } from 'lucide-react';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { cx } from '#app/ui/cx.ts';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Order, OrderStage } from '#contract/domains/token-requests.ts';
import { situationOf } from './order-stages.tsx';

type StepState = 'done' | 'now' | 'later' | 'stopped';

/** How many of the four steps are done. */
const BEHIND: Record<OrderStage, number> = {
  draft: 0,
  awaiting_payment: 1,
  confirming: 1,
  partially_paid: 1,
  in_review: 1,
  expired: 1,
  failed: 1,
  refunded: 1,
  paid: 2,
  creating: 2,
  created: 4,
  closed: 2,
};
const STOPPED: readonly OrderStage[] = ['expired', 'failed', 'refunded', 'closed'];

/** Number of completed steps. A closed order has those from before: a part payment does not count as the payment. */
function stepsBehind({ stage, closure, payment }: Order): number {
  if (closure?.as === 'delivered') return 4;
  return stage === 'closed' && !payment?.confirmed ? 1 : BEHIND[stage];
}

/** Ordered, paid, being created, delivered: done, current and future steps. */
export function Timeline({ order }: { order: Order }) {
  const text = useText(ordersTexts);
  const messages = text.orders.timeline;
  const behind = stepsBehind(order);
  const stopped = STOPPED.includes(order.stage) || situationOf(order) === 'all_going_back';
  const stateOf = (step: number): StepState =>
    step < behind ? 'done' : step > behind ? 'later' : stopped ? 'stopped' : 'now';
  const steps = [
    { label: messages.ordered, at: order.payment?.createdAt ?? null },
    { label: messages.paid, at: order.receipt?.paidAt ?? null },
    { label: messages.creating, at: null },
    { label: messages.delivered, at: order.closure?.as === 'delivered' ? order.closure.at : null },
  ];
  return (
    <Card className="p-5 print:hidden">
      <h2 className="text-xl">{messages.heading}</h2>
      <ol className="mt-4 grid gap-4 sm:grid-cols-4 sm:gap-3">
        {steps.map(({ label, at }, step) => {
          const state = stateOf(step);
          return (
            <li
              key={label}
              aria-current={state === 'now' || state === 'stopped' ? 'step' : undefined}
              className="grid grid-cols-[auto_minmax(0,1fr)] content-start items-start gap-x-3 gap-y-2 sm:grid-cols-1"
            >
              <span
                aria-hidden="true"
                className={cx(
                  'grid size-9 flex-none place-items-center rounded-full border-2 font-mono text-sm font-bold',
                  state === 'done' && 'border-mint bg-mint-soft text-mint-text',
                  state === 'now' && 'border-lead bg-lead text-on-lead',
                  state === 'stopped' && 'border-coral bg-coral-soft text-coral-text',
                  state === 'later' && 'border-line text-quiet',
                )}
              >
                {state === 'done' ? (
                  <Check className="size-4.5" />
                ) : state === 'stopped' ? (
                  <Pause className="size-4" />
                ) : (
                  step + 1
                )}
              </span>
              <div>
                <p className={cx('font-semibold leading-tight', state === 'later' && 'text-quiet')}>{label}</p>
                <p className="mt-1 text-sm text-quiet">
                  {state === 'done' && at ? <When iso={at} /> : messages[state]}
                </p>
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

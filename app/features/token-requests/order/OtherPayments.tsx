import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { cx } from '#app/ui/cx.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { OtherPayment } from '#contract/domains/payments.ts';
import type { Order } from '#contract/domains/token-requests.ts';
import { STAGE_OF_PAYMENT } from '#contract/order-stages.ts';
import { MoneyBack } from './MoneyBack.tsx';
import { DepositRow } from './OrderParts.tsx';
import { TONES, usdOf } from './order-stages.tsx';

type Kind = 'replaced' | 'underWay' | 'earlier' | 'odd' | 'twice' | 'refunded' | 'sentBack' | 'ended';

/** Which message a payment other than the current one gets. @param refunds those of the order. */
function kindOf({ orderId, state, replaced }: OtherPayment, refunds: Order['refunds']): Kind {
  switch (state) {
    case 'under_review':
      return replaced ? 'replaced' : 'odd';
    case 'refunded': {
      const own = refunds.filter((refund) => refund.orderId === orderId);
      return own.some((refund) => refund.state === 'sent' && !refund.byProvider) ? 'sentBack' : 'refunded';
    }
    case 'failed':
    case 'expired':
      return 'ended';
    case 'awaiting':
    case 'confirming':
      // One from before a renewal or a corrected token is for the same plan and price: it pays for the order by itself.
      return replaced ? 'underWay' : 'earlier';
    case 'partially_paid':
    case 'paid':
    case 'overpaid':
    case 'paid_late':
      return 'twice';
  }
}

/** Money at payments of this order other than the current one, such as one from before a change of plan. */
export function OtherPayments({ order }: { order: Order }) {
  return order.otherPayments.map((payment) => (
    <Other key={payment.orderId} payment={payment} refunds={order.refunds} />
  ));
}

function Other({ payment, refunds }: { payment: OtherPayment; refunds: Order['refunds'] }) {
  const text = useText(ordersTexts, plansTexts);
  const locale = useLocale();
  const { others } = text.orders;
  const kind = kindOf(payment, refunds);
  const waits = kind !== 'refunded' && kind !== 'sentBack' && kind !== 'ended';
  return (
    <section aria-label={others.label}>
      <Card className={cx('p-5 print:hidden', waits && 'border-lead-text')}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
          <h2 className="text-xl">{others[kind].title}</h2>
          <Badge tone={TONES[STAGE_OF_PAYMENT[payment.state]]}>
            {text.orders.badge[STAGE_OF_PAYMENT[payment.state]]}
          </Badge>
        </div>
        <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-quiet">
          <Copyable
            value={payment.orderId}
            label={text.orders.copyNumber}
            copiedLabel={text.orders.copied}
            head={14}
            tail={0}
            className="whitespace-nowrap"
          />
          <span>{others.price(text.plans.name[payment.plan], text.orders.usd(usdOf(payment.priceUsd, locale)))}</span>
        </p>
        <p className="mt-3 max-w-[38rem]">{others[kind].text}</p>
        {kind === 'replaced' ? (
          <ol className="mt-3 grid list-decimal gap-1.5 pl-5">
            {others.replaced.next.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        ) : null}
        <MoneyBack of={payment.returned} />
        <ul className="mt-3 grid divide-y divide-line border-t border-line">
          {payment.deposits.map((deposit) => (
            <DepositRow key={deposit.paymentId} deposit={deposit} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

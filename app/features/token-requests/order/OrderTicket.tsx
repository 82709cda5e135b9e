import { Printer, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { coinText } from '#app/lib/format/coins.ts';
import { dateTime, day } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { Quoted } from '#app/lib/i18n/Quoted.tsx';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Progress } from '#app/ui/charts/Progress.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { cx } from '#app/ui/cx.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import type { Order } from '#contract/domains/token-requests.ts';
import { PLANS } from '#contract/limits.ts';
import { OutsideLink } from '../OutsideLink.tsx';
import { MoneyBack } from './MoneyBack.tsx';
import { type OrderRef, type useCheck, useRenew } from './order.queries.ts';
import { isWaiting, situationOf, TONES, usdOf } from './order-stages.tsx';

interface OrderTicketProps {
  order: Order;
  orderRef: OrderRef;
  check: ReturnType<typeof useCheck>;
}

/** The state of the order, with the one next step. */
export function OrderTicket({ order, orderRef, check }: OrderTicketProps) {
  const text = useText(ordersTexts, plansTexts);
  const locale = useLocale();
  const situation = situationOf(order);
  const messages = text.orders.state[situation];
  const { payment, stage } = order;
  const tone = stage === 'paid' || stage === 'created' ? 'mint' : stage === 'failed' ? 'coral' : 'lead';
  const price = payment?.priceAmount ?? 0;
  const promised = situation === 'all_going_back' ? null : order.deliverBy;
  const checkable =
    payment !== null && stage !== 'paid' && stage !== 'created' && stage !== 'creating' && stage !== 'closed';
  const lastCheck = checkable ? payment?.checkedAt : null;
  return (
    <Ticket
      as="section"
      tone={stage === 'expired' || stage === 'refunded' || stage === 'draft' || stage === 'closed' ? 'neutral' : tone}
      wide
      className="print:hidden"
      stub={<Stub order={order} />}
    >
      <div className="flex flex-wrap items-center gap-3.5">
        <TokenImage id={order.id} symbol={order.tokenSymbol} src={order.imageUrl || null} size={56} alt="" />
        <div className="min-w-0 flex-1">
          <p className="font-display text-lg font-bold leading-tight [overflow-wrap:anywhere]">
            {order.tokenName || text.orders.own.unnamed}
          </p>
          {order.tokenSymbol ? <p className="figures text-sm text-quiet">${order.tokenSymbol}</p> : null}
        </div>
        <span className="self-start max-sm:order-first max-sm:w-full">
          <Badge tone={TONES[stage]}>{text.orders.badge[stage]}</Badge>
        </span>
      </div>
      <div className="mt-5" role="status">
        <h2 className="text-[1.625rem]">{messages.title}</h2>
        <p className="mt-2 max-w-[38rem] text-quiet">{messages.text}</p>
      </div>
      {payment && stage === 'awaiting_payment' ? (
        <p className="mt-2 text-sm text-quiet">{text.orders.until(dateTime(payment.expiresAt, locale))}</p>
      ) : null}
      {stage === 'paid' && payment?.simulation && !promised && situation !== 'all_going_back' ? (
        <p className="mt-2 text-sm font-medium">{text.orders.simulatedPaid}</p>
      ) : null}
      {order.closure ? <Closure closure={order.closure} /> : null}
      {promised ? (
        <p className="mt-2 text-sm font-medium">{text.orders.deliverBy(dateTime(promised, locale))}</p>
      ) : null}
      {payment && situation === 'partially_paid' ? (
        <Progress
          className="mt-4"
          showValue={locale}
          value={price > 0 ? (payment.receivedUsd / price) * 100 : 0}
          label={text.orders.received(
            text.orders.usd(usdOf(payment.receivedUsd, locale)),
            text.orders.usd(usdOf(price, locale)),
          )}
        />
      ) : null}
      <MoneyBack of={order.returned} />
      {situation === 'partially_paid' ? <Rest order={order} /> : null}
      <div className="mt-5 flex flex-wrap items-center gap-3 max-xs:*:grow">
        <NextStep order={order} orderRef={orderRef} />
        {checkable ? (
          <Button
            variant={messages.action ? undefined : 'primary'}
            disabled={check.pending}
            busy={check.pending}
            busyLabel={text.orders.checking}
            onClick={() => check.run({ quietly: false })}
          >
            <RefreshCw aria-hidden="true" />
            <English>{text.orders.check}</English>
          </Button>
        ) : null}
      </div>
      <p className={cx('text-sm text-quiet', (lastCheck || check.announcement) && 'mt-3')} role="status">
        <Quoted>{check.announcement}</Quoted>
        {!check.announcement && lastCheck ? (
          <>
            {text.orders.checkedAt} <When iso={lastCheck} />
          </>
        ) : null}
      </p>
    </Ticket>
  );
}

/** The team's note on a closed request. */
function Closure({ closure: { note, address } }: { closure: NonNullable<Order['closure']> }) {
  const text = useText(ordersTexts);
  return (
    <div className="mt-4 grid gap-2 rounded-control border border-line bg-raised p-4">
      <p className="text-sm text-quiet">{text.orders.closure.note}</p>
      <p className="whitespace-pre-line wrap-anywhere">{note}</p>
      {address ? (
        <p>
          {text.orders.onChain.address}{' '}
          <Copyable
            value={address}
            label={text.orders.onChain.copyAddress}
            copiedLabel={text.orders.copied}
            head={14}
            tail={10}
          />
        </p>
      ) : null}
    </div>
  );
}

/** The one action that advances the order; renders nothing when the payer only has to wait. */
function NextStep({ order, orderRef }: { order: Order; orderRef: OrderRef }): ReactNode {
  const text = useText(ordersTexts);
  const href = useHref();
  const renew = useRenew(orderRef);
  const situation = situationOf(order);
  const { action } = text.orders.state[situation];
  const outside = (address: string) => (
    <OutsideLink href={address} variant={order.otherPayments.some(isWaiting) ? 'secondary' : 'primary'}>
      {action}
    </OutsideLink>
  );
  const another = () => (
    <Button
      variant="primary"
      busy={renew.isPending}
      busyLabel={text.orders.renewing}
      onClick={() => renew.mutate(order.formVersion)}
    >
      {action}
    </Button>
  );
  switch (situation) {
    case 'draft':
      return (
        <ButtonLink to={href('/create')} variant="primary">
          {action}
        </ButtonLink>
      );
    case 'awaiting':
    case 'on_hold':
    case 'partially_paid':
      // The page of this payment is for the token as it was before.
      if (order.tokenChanged) return another();
      return order.payment?.paymentUrl ? outside(order.payment.paymentUrl) : null;
    case 'expired':
    case 'failed':
    case 'refunded':
      return another();
    case 'paid':
    case 'overpaid':
    case 'paid_late':
    case 'accepted':
      return order.receipt ? (
        <Button variant="primary" onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          {action}
        </Button>
      ) : null;
    case 'sent_back':
      return (
        <ButtonLink to={href('/create')} variant="primary">
          {action}
        </ButtonLink>
      );
    case 'going_back':
    case 'all_going_back':
    case 'under_review':
      return order.supportEmail ? (
        <a
          href={mailTo(order, order.supportEmail, text.orders.support.subject)}
          className={buttonClass({ variant: 'primary' })}
        >
          {action}
        </a>
      ) : null;
    case 'created':
      return order.token.explorerUrl ? outside(order.token.explorerUrl) : null;
    case 'confirming':
    case 'creating':
    case 'delivered':
    case 'cancelled':
      return null;
  }
}

export const mailTo = (order: Order, mailbox: string, subject: (number: string) => string): string =>
  `mailto:${mailbox}?subject=${encodeURIComponent(subject(order.orderId ?? order.id))}`;

/** The missing amount, ready to be copied into a wallet; in US dollars where no amount in one coin completes the payment. */
function Rest({ order: { payment } }: { order: Order }) {
  const text = useText(ordersTexts, coinsTexts);
  const locale = useLocale();
  const { rest } = text.orders;
  if (!payment) return null;
  if (!payment.missingAmount || !payment.payAddress || !payment.payCurrency)
    return (
      <div className="mt-4 rounded-control border border-line bg-raised p-4 text-sm">
        <h3 className="text-base">{rest.heading}</h3>
        <p className="figures mt-2 font-semibold">{rest.missing(text.orders.usd(usdOf(payment.missingUsd, locale)))}</p>
        <p className="mt-2 text-quiet">{rest.noAmount}</p>
      </div>
    );
  return (
    <div className="mt-4 rounded-control border border-line bg-raised p-4 text-sm">
      <h3 className="text-base">{rest.heading}</h3>
      <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
        {rest.amount}{' '}
        <Copyable
          value={payment.missingAmount}
          label={rest.copyAmount}
          copiedLabel={text.orders.copied}
          head={24}
          tail={4}
        />
        <strong>{coinText(payment.payCurrency, text.coins.on)}</strong> {rest.address}{' '}
        <Copyable
          value={payment.payAddress}
          label={rest.copyAddress}
          copiedLabel={text.orders.copied}
          head={10}
          tail={6}
        />
      </p>
      <p className="mt-2 text-quiet">{rest.note}</p>
    </div>
  );
}

function Stub({ order }: { order: Order }) {
  const text = useText(ordersTexts, plansTexts);
  const locale = useLocale();
  return (
    // Next to a long text the lines share its height: no large empty coloured area.
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-3 sm:min-w-[10rem] sm:flex-1 sm:grid-cols-1 sm:content-between">
      <div>
        <dt className="stat-label">{text.orders.price}</dt>
        <dd className="figures text-2xl font-bold leading-tight whitespace-nowrap">
          {usdOf(order.payment?.priceAmount ?? PLANS[order.plan].priceUsd, locale)}{' '}
          <span className="text-sm font-semibold text-quiet">USD</span>
        </dd>
      </div>
      <div>
        <dt className="stat-label">{text.orders.plan}</dt>
        <dd className="font-semibold">{text.plans.name[order.plan]}</dd>
      </div>
      <div>
        <dt className="stat-label">{text.orders.placed}</dt>
        <dd className="font-semibold">
          <time dateTime={order.createdAt}>{day(order.createdAt, locale)}</time>
        </dd>
      </div>
      {order.orderId ? (
        <div className="col-span-full">
          <dt className="stat-label">{text.orders.number}</dt>
          <dd>
            <Copyable
              value={order.orderId}
              label={text.orders.copyNumber}
              copiedLabel={text.orders.copied}
              head={14}
              tail={0}
              className="whitespace-nowrap"
            />
          </dd>
        </div>
      ) : null}
    </dl>
  );
}

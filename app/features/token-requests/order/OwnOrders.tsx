import { Link } from 'react-router';
import { dateTime } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { useOwnOrders } from './order.queries.ts';
import { TONES, usdOf } from './order-stages.tsx';

/** A member's orders made while signed in, for the account page; each links to its private page. */
export function OwnOrders({ memberId }: { memberId: string }) {
  const text = useText(ordersTexts, plansTexts);
  const messages = text.orders.own;
  const href = useHref();
  const locale = useLocale();
  const { data: orders, isError, refetch } = useOwnOrders(memberId);
  return (
    <section aria-labelledby="own-orders">
      <Card className="grid gap-x-8 gap-y-4 p-5 sm:p-6 md:grid-cols-[15rem_minmax(0,1fr)]">
        <div>
          <h2 id="own-orders" className="text-xl">
            {messages.heading}
          </h2>
          <p className="mt-2 text-sm text-quiet">{messages.lead}</p>
        </div>
        <div className="grid content-start gap-3">
          {orders ? (
            <ul className="grid gap-3 empty:hidden">
              {orders.map((order) => (
                <li key={order.id} className="relative flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                  <div className="min-w-0">
                    <Link
                      to={`${href(`/order/${order.id}`)}#${order.orderKey}`}
                      className="link stretched font-semibold [overflow-wrap:anywhere]"
                    >
                      {order.tokenName || messages.unnamed}
                      {order.tokenSymbol ? <span className="figures"> ${order.tokenSymbol}</span> : null}
                    </Link>
                    <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
                      {order.orderId ? <span className="figures">{order.orderId}</span> : null}
                      <span>{text.plans.name[order.plan]}</span>
                      <span>{messages.since(dateTime(order.createdAt, locale))}</span>
                    </p>
                  </div>
                  <div className="flex flex-wrap items-center gap-1.5">
                    {order.partPayment ? (
                      <span className="figures text-sm">
                        {messages.missing(text.orders.usd(usdOf(order.partPayment.missingUsd, locale)))}
                      </span>
                    ) : null}
                    {order.returned ? (
                      <span className="figures text-sm">
                        {messages.returned(text.orders.usd(usdOf(order.returned.returnedUsd, locale)))}
                      </span>
                    ) : null}
                    {order.review ? <Badge tone="sky">{messages.review}</Badge> : null}
                    <Badge tone={TONES[order.stage]}>{text.orders.badge[order.stage]}</Badge>
                  </div>
                </li>
              ))}
            </ul>
          ) : isError ? (
            <>
              <p className="text-sm text-quiet">{messages.error}</p>
              <Button className="justify-self-start" onClick={() => void refetch()}>
                {text.orders.retry}
              </Button>
            </>
          ) : (
            <SkeletonGroup label={messages.loading}>
              <Skeleton className="h-12" />
            </SkeletonGroup>
          )}
          {orders?.length === 0 ? (
            <>
              <p className="text-quiet">{messages.empty}</p>
              <ButtonLink to={href('/create')} className="justify-self-start">
                {messages.create}
              </ButtonLink>
            </>
          ) : null}
        </div>
      </Card>
    </section>
  );
}

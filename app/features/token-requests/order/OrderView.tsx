import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { LiveDot } from '#app/ui/layout/Badge.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { Deliverables } from './Deliverables.tsx';
import { LinkCard } from './LinkCard.tsx';
import { Deposits, OnChain, Support } from './OrderParts.tsx';
import { OrderTicket } from './OrderTicket.tsx';
import { OtherPayments } from './OtherPayments.tsx';
import {
  isMissing,
  type OrderRef,
  useCheck,
  useComingBack,
  useOrder,
  useOrderKey,
  useOwnOrders,
  whyEnded,
} from './order.queries.ts';
import { Proposals } from './Proposals.tsx';
import { Receipt } from './Receipt.tsx';
import { Refunds } from './Refunds.tsx';
import { Timeline } from './Timeline.tsx';

/** The order of a private link. The key is in the fragment after '#', so only the browser has it. */
export function OrderView({ id, session }: { id: string; session: OrderSession }) {
  const mounted = useMounted();
  return mounted ? <Opened id={id} session={session} /> : <OrderSkeleton />;
}

/** Who is signed in. */
interface OrderSession {
  /** Null for a visitor, undefined while it is loading. */
  memberId: string | null | undefined;
  failed: boolean;
  retry: () => void;
}

function Opened({ id, session }: { id: string; session: OrderSession }) {
  const key = useOrderKey(id);
  return key === '' ? (
    <OwnOrder id={id} session={session} otherwise={<Missing />} />
  ) : (
    <Loaded key={key} orderRef={{ id, key }} session={session} />
  );
}

interface OwnOrderProps {
  id: string;
  session: OrderSession;
  /** The key that was not valid. */
  refused?: string;
  /** Shown when it is not an order of the signed-in member. */
  otherwise: ReactNode;
}

/**
 * The order by the current key of its member, for addresses without a key or whose key on this device was replaced: those of
 * notifications.
 */
function OwnOrder({ id, session, refused, otherwise }: OwnOrderProps) {
  const { memberId, failed, retry } = session;
  const orders = useOwnOrders(memberId ?? null);
  if (memberId === null) return otherwise;
  if (!orders.data) {
    const isFailed = memberId ? orders.isError : failed;
    return isFailed ? <Failed onRetry={memberId ? () => void orders.refetch() : retry} /> : <OrderSkeleton />;
  }
  const key = orders.data.find((order) => order.id === id)?.orderKey;
  return key && key !== refused ? <Loaded key={key} orderRef={{ id, key }} session={session} /> : otherwise;
}

function Loaded({ orderRef, session }: { orderRef: OrderRef; session: OrderSession }) {
  const text = useText(ordersTexts);
  const { data: order, error, isError, refetch } = useOrder(orderRef);
  // While it is retried, a failed query counts as loading; the screen continues to show that the order is missing.
  const [missing, setMissing] = useState(false);
  const isUnknown = isError && isMissing(error);
  if (isUnknown && !missing) setMissing(true);
  if (order && missing) setMissing(false);
  /** The link was replaced here: the page shows nothing of the order any more. */
  const [left, setLeft] = useState(false);
  const ended = left ? 'replaced' : isError ? whyEnded(error) : null;
  const { hash } = useLocation();
  const check = useCheck(orderRef);
  const moving = order?.stage === 'awaiting_payment' || order?.stage === 'confirming';
  useComingBack(check.run, order !== undefined);
  // The payer returned from the payment page in the other tab: check the status without a button.
  const { run } = check;
  useEffect(() => {
    if (!moving) return;
    const refresh = () => {
      if (document.visibilityState === 'visible') run({ quietly: true });
    };
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [moving, run]);

  if (ended) {
    const closed = <Ended why={ended} />;
    // A link that was opened by its key says that it has ended, also to the member.
    if (left || hash !== '') return closed;
    return <OwnOrder id={orderRef.id} session={session} refused={orderRef.key} otherwise={closed} />;
  }
  if (!order) {
    if (missing || isUnknown) return <Missing />;
    if (!isError) return <OrderSkeleton />;
    return <Failed onRetry={() => void refetch()} />;
  }
  return (
    <>
      <div className="mb-3 flex min-h-7 flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm print:hidden">
        {order.payment?.simulation ? (
          <p className="rounded-control border border-dashed border-coral-text px-3 py-0.5 font-semibold text-coral-text">
            {text.orders.simulation}
          </p>
        ) : (
          <span />
        )}
        {isError ? (
          <p role="alert" className="text-coral-text">
            {text.orders.stale}
          </p>
        ) : moving || order.stage === 'creating' ? (
          <LiveDot>{text.orders.live}</LiveDot>
        ) : null}
      </div>
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start lg:gap-7">
        <div className="grid grid-cols-1 gap-5">
          <OtherPayments order={order} />
          <Refunds order={order} orderRef={orderRef} />
          <Proposals order={order} orderRef={orderRef} />
          <OrderTicket order={order} orderRef={orderRef} check={check} />
          <OnChain order={order} />
          <Timeline order={order} />
          {order.payment ? <Deposits order={order} /> : null}
          <Deliverables order={order} />
        </div>
        <div className="grid grid-cols-1 gap-5">
          <Receipt order={order} />
          <LinkCard orderRef={orderRef} onMailed={() => setLeft(true)} />
          <Support order={order} />
        </div>
      </div>
    </>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const text = useText(ordersTexts);
  return (
    <EmptyState
      role="alert"
      scene={<SceneNotFound />}
      title={text.orders.error}
      action={
        <Button variant="primary" onClick={onRetry}>
          {text.orders.retry}
        </Button>
      }
    />
  );
}

/** A link that is no longer valid. */
function Ended({ why }: { why: 'replaced' | 'unused' }) {
  const { link } = useText(ordersTexts).orders;
  return <Closed title={link.ended} text={link.why[why]} />;
}

/** One text for a wrong key and an unknown order: the page must not distinguish them. */
function Missing() {
  const { missing } = useText(ordersTexts).orders;
  return <Closed title={missing.title} text={missing.text} />;
}

/** Instead of an order: why it is not shown, and a link to home. */
function Closed({ title, text }: { title: string; text: string }) {
  const { missing } = useText(ordersTexts).orders;
  const href = useHref();
  return (
    <EmptyState
      role="alert"
      scene={<SceneClosedGate />}
      title={title}
      text={text}
      action={
        <ButtonLink to={href('/')} variant="primary">
          {missing.action}
        </ButtonLink>
      }
    />
  );
}

function OrderSkeleton() {
  const text = useText(ordersTexts);
  return (
    <SkeletonGroup
      label={text.orders.loading}
      className="mt-10 grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-7"
    >
      <div className="grid gap-5">
        <Skeleton className="h-80 rounded-card" />
        <Skeleton className="h-40 rounded-card" />
      </div>
      <Skeleton className="h-80 rounded-card" />
    </SkeletonGroup>
  );
}

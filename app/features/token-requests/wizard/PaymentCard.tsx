import { CircleAlert, Coins, FlaskConical, RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { cents, dateTime } from '#app/lib/format/format.ts';
import { Resemblances } from '#app/lib/forms/Resemblances.tsx';
import { useChecksum } from '#app/lib/forms/useChecksum.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { Quoted } from '#app/lib/i18n/Quoted.tsx';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { resemblanceTexts } from '#app/lib/messages/resemblance.ts';
import { orderPath } from '#app/lib/session/order-keys.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import type { OtherPayment, Payment } from '#contract/domains/payments.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { missingFor } from '#contract/fields/token-form.ts';
import type { Checksum } from '#contract/fields/wallets.ts';
import type { Resemblance } from '#contract/resemblance.ts';
import { OutsideLink } from '../OutsideLink.tsx';
import { isWaiting } from '../order/order-stages.tsx';
import { RefundPolicy } from '../RefundPolicy.tsx';
import { useNetworksOnSale } from './Fields.tsx';
import type { FieldError } from './field-errors.ts';
import { OtherPlanText, useOtherPlan } from './OtherPlan.tsx';
import { isOver, useCheckStatus, usePay, usePayment } from './payment.queries.ts';
import { usePaymentMode } from './payment-mode.ts';
import { draftStore, useDraft } from './useDraft.ts';

const TONES: Record<Payment['state'], Tone> = {
  awaiting: 'sky',
  confirming: 'lead',
  partially_paid: 'lead',
  paid: 'mint',
  overpaid: 'mint',
  paid_late: 'mint',
  expired: 'coral',
  failed: 'coral',
  refunded: 'neutral',
  under_review: 'lead',
};

interface PaymentCardProps {
  onInvalid: (fieldError: FieldError) => void;
  onStep: (step: number) => void;
}

/** The cryptocurrency payment: creates it, opens the provider's page, waits, and shows its state. */
export function PaymentCard({ onInvalid, onStep }: PaymentCardProps) {
  const text = useText(createTexts, createLaterTexts);
  const { data: mode } = usePaymentMode();
  const { data } = useDraft();
  const seen = usePayment();
  const { pay, alike, accept, busy, failure: failed, blocked } = usePay();
  const { check, busy: checking, unknown } = useCheckStatus();
  const payment = seen.data?.payment ?? null;
  const others = seen.data?.otherPayments ?? [];
  const { sentBack = false, tokenChanged = false } = seen.data ?? {};
  const networks = useNetworksOnSale();
  const checksum = useChecksum(data.selectedNetwork);
  const missing = networks ? missingNow(data, networks, checksum) : null;
  const otherPlan = useOtherPlan();
  const isPayable = payment !== null && !isOver(payment) && payment.state !== 'under_review';
  const open = isPayable && !otherPlan && !tokenChanged && missing === null;
  // A payment that was reported as failed because the response was lost does exist.
  const failure = failed?.lost && open ? null : failed;
  return (
    <Ticket
      as="section"
      tone="lead"
      header={
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 className="flex items-center gap-2 text-xl">
            <Coins aria-hidden="true" className="size-6 text-lead-text" />
            {text.create.pay.card}
          </h3>
          <Badge tone="lead">{text.create.pay.coins}</Badge>
        </div>
      }
      stub={
        <div className="grid gap-2.5 sm:flex sm:flex-wrap">
          <NextStep
            payment={payment}
            open={open}
            again={payment !== null && (isOver(payment) || (tokenChanged && !otherPlan))}
            sentBack={sentBack}
            waits={others.some(isWaiting)}
            busy={busy}
            onPay={pay}
            onRestart={() => {
              draftStore().restart();
              onStep(1);
            }}
          />
          <Button
            size="lg"
            disabled={payment === null || checking}
            busy={checking}
            busyLabel={text.create.pay.checking}
            onClick={check}
          >
            <RefreshCw aria-hidden="true" />
            <English>{text.create.pay.check}</English>
          </Button>
        </div>
      }
    >
      <p className="mt-2 text-quiet">{text.create.pay.cardText}</p>
      <RefundPolicy className="mt-3" />
      {mode?.simulation ? (
        <Note icon={<FlaskConical aria-hidden="true" />}>
          <strong>{text.create.pay.simulation}</strong>
        </Note>
      ) : null}
      {mode?.available === false && !failure ? <Note>{text.create.pay.unavailable}</Note> : null}
      <div role="status">
        {/* Below the price of another plan the amount of this payment would only confuse. */}
        {payment && (sentBack || !otherPlan) ? (
          <PaymentState payment={payment} unknown={unknown} sentBack={sentBack} />
        ) : null}
        {blocked ? <Note>{text.create.pay.blocked}</Note> : null}
      </div>
      {missing && payment && !failure && !sentBack ? (
        <Note>
          <Quoted>{text.create.missing[missing]}</Quoted>
        </Note>
      ) : null}
      {payment && tokenChanged && !otherPlan ? <Note>{text.create.pay.tokenChanged(payment.orderId)}</Note> : null}
      {otherPlan && !sentBack ? (
        <Note>
          <OtherPlanText payment={otherPlan} />
        </Note>
      ) : null}
      <OtherNotes payments={others} />
      {alike.length > 0 ? <Alike found={alike} busy={busy} onAccept={accept} /> : null}
      {failure ? (
        <div role="alert" className="mt-4 rounded-control border border-coral-text bg-coral-soft p-3.5">
          <p className="field-error">
            <CircleAlert aria-hidden="true" />
            <span>
              <strong>
                <Quoted>{failure.title}</Quoted>
              </strong>
              <br />
              <Quoted>{failure.text}</Quoted>
            </span>
          </p>
          {failure.fieldError ? (
            <Button size="sm" className="mt-3" onClick={() => failure.fieldError && onInvalid(failure.fieldError)}>
              {text.create.pay.edit}
            </Button>
          ) : null}
        </div>
      ) : null}
    </Ticket>
  );
}

interface NextStepProps {
  payment: Payment | null;
  /** The payment can be paid as it is. */
  open: boolean;
  /** In place of this payment another one is needed for the same plan. */
  again: boolean;
  sentBack: boolean;
  /** Another payment is being confirmed or reviewed. */
  waits: boolean;
  busy: boolean;
  onPay: () => void;
  onRestart: () => void;
}

/** Creates a payment, or opens its page. Where the team sent the money back, nothing more is to be paid: another request is begun. */
function NextStep({ payment, open, again, sentBack, waits, busy, onPay, onRestart }: NextStepProps) {
  const text = useText(createTexts, createLaterTexts).create.pay;
  if (sentBack)
    return (
      <Button variant="primary" size="lg" className="sm:flex-1" onClick={onRestart}>
        {text.sentBack.action}
      </Button>
    );
  if (payment && open)
    return (
      <OutsideLink href={payment.paymentUrl} variant={waits ? 'secondary' : 'primary'} size="lg" className="sm:flex-1">
        {text.open}
      </OutsideLink>
    );
  return (
    <Button
      variant="primary"
      size="lg"
      className="sm:flex-1"
      disabled={payment?.state === 'under_review'}
      busy={busy}
      busyLabel={text.creating}
      onClick={onPay}
    >
      {again ? text.again : text.create}
    </Button>
  );
}

/** Tokens that this one resembles: the user changes something, or accepts it as it is. */
function Alike({ found, busy, onAccept }: { found: Resemblance[]; busy: boolean; onAccept: () => void }) {
  const messages = useText(resemblanceTexts).resemblance.payer;
  const heading = useRef<HTMLHeadingElement>(null);
  // It appears next to the pressed button: the focus moves to it for users who do not see it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="pay-alike" className="mt-4 grid grid-cols-1 gap-3 rounded-control border border-line p-4">
      <h4 ref={heading} id="pay-alike" tabIndex={-1} className="font-display text-lg font-bold">
        {messages.heading}
      </h4>
      <p className="text-quiet">{messages.text}</p>
      <Resemblances found={found} />
      <Button className="justify-self-start max-sm:w-full" busy={busy} onClick={onAccept}>
        {messages.submit}
      </Button>
    </section>
  );
}

/** The errors that the server would return for the form as it is here. */
function missingNow(data: DraftData, networks: { key: string }[], checksum: Checksum | null): FieldError | null {
  const trimmed = Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]);
  return missingFor(
    Object.fromEntries(trimmed) as DraftData,
    networks.map(({ key }) => key),
    checksum,
  );
}

interface PaymentStateProps {
  payment: Payment;
  unknown: boolean;
  sentBack: boolean;
}

function PaymentState({ payment, unknown, sentBack }: PaymentStateProps) {
  const text = useText(createTexts, createLaterTexts).create;
  const { on } = useText(coinsTexts).coins;
  const locale = useLocale();
  const href = useHref();
  const { remote, data } = useDraft();
  const state = sentBack ? text.pay.sentBack : text.pay.state[payment.state];
  return (
    <div className="mt-4 rounded-control border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={sentBack ? 'neutral' : TONES[payment.state]}>{state.title}</Badge>
        <span className="text-sm text-quiet">
          <Quoted>{text.pay.status(payment.providerStatus ?? 'waiting')}</Quoted>
        </span>
      </div>
      <p className="mt-2">{unknown && !sentBack ? text.pay.unknown : state.text}</p>
      <dl className="mt-3 grid items-center gap-x-4 gap-y-1.5 text-[0.9375rem] max-xs:[&>dd]:mb-1.5 max-xs:[&>dt]:-mb-1 xs:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-quiet">{text.pay.order}</dt>
        <dd>
          <Copyable
            value={payment.orderId}
            label={text.pay.copyOrder}
            copiedLabel={text.pay.copied}
            head={20}
            className="whitespace-nowrap"
          />
        </dd>
        <dt className="text-quiet">{text.pay.amount}</dt>
        <dd className="figures">{text.pay.price(cents(payment.priceAmount, locale))}</dd>
        {payment.payAmount !== null && payment.payCurrency ? (
          <>
            <dt className="text-quiet">{text.pay.send}</dt>
            <dd className="figures wrap-anywhere">
              {amountInCoin(payment.payAmount, payment.payCurrency, locale, on)}
            </dd>
          </>
        ) : null}
        {payment.actuallyPaid ? (
          <>
            <dt className="text-quiet">{text.pay.received}</dt>
            <dd className="figures wrap-anywhere">
              {amountInCoin(payment.actuallyPaid, payment.payCurrency, locale, on)}
            </dd>
          </>
        ) : null}
        {payment.state === 'awaiting' ? (
          <>
            <dt className="text-quiet">{text.pay.until}</dt>
            <dd>{dateTime(payment.expiresAt, locale)}</dd>
          </>
        ) : null}
      </dl>
      {remote?.orderKey ? (
        <p className="mt-3 text-sm text-quiet">
          <Link className="link" to={href(orderPath(remote.id, remote.orderKey))}>
            {text.pay.orderPage}
          </Link>
          {data.petitionerEmail ? ` · ${text.pay.orderMailed}` : null}
        </p>
      ) : null}
    </div>
  );
}

/** Money at other payments that is not settled; all of it is on the order page. */
function OtherNotes({ payments }: { payments: OtherPayment[] }) {
  const text = useText(createTexts, createLaterTexts).create;
  const href = useHref();
  const { remote } = useDraft();
  const { otherMoney, otherUnderWay } = text.pay;
  return payments.filter(isWaiting).map(({ orderId, replaced, state }) => (
    <Note key={orderId}>
      {/* One for the same plan and price pays for the order by itself. */}
      <strong>{replaced || state === 'under_review' ? otherMoney(orderId) : otherUnderWay(orderId)}</strong>{' '}
      {remote?.orderKey ? (
        <Link className="link" to={href(orderPath(remote.id, remote.orderKey))}>
          {text.pay.orderPage}
        </Link>
      ) : null}
    </Note>
  ));
}

function Note({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <p className="mt-4 flex items-start gap-2 rounded-control bg-lead-soft px-3.5 py-2.5 text-[0.9375rem] text-lead-text [&>svg]:mt-1 [&>svg]:size-4 [&>svg]:flex-none">
      {icon ?? <CircleAlert aria-hidden="true" />}
      <span>{children}</span>
    </p>
  );
}

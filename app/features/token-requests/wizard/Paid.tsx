import { BadgeCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cents } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { orderPath } from '#app/lib/session/order-keys.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import { OutsideLink } from '../OutsideLink.tsx';
import { isPartlyPaid, useAmounts, usePayment } from './payment.queries.ts';
import { draftStore, useDraft } from './useDraft.ts';

/** Replaces the next steps of a payment whose money the team sent back: nothing more is to be paid for it. */
function SentBack({ onAnother }: { onAnother: () => void }) {
  const text = useText(createLaterTexts).create;
  const href = useHref();
  const { remote } = useDraft();
  return (
    <Ticket
      as="section"
      className="mx-auto max-w-[46rem]"
      header={<h2 className="text-[1.75rem]">{text.pay.sentBack.title}</h2>}
      stub={
        <div className="grid gap-2.5 sm:flex sm:flex-wrap">
          <Button variant="primary" size="lg" className="sm:flex-1" onClick={onAnother}>
            {text.pay.sentBack.action}
          </Button>
          {remote?.orderKey ? (
            <ButtonLink size="lg" to={href(orderPath(remote.id, remote.orderKey))}>
              {text.done.order}
            </ButtonLink>
          ) : null}
        </div>
      }
    >
      <p className="mt-2 text-lg" role="status">
        {text.pay.sentBack.text}
      </p>
    </Ticket>
  );
}

/** After a full or part payment: the amount received, what follows, and a link to the order. */
export function Paid({ onAnother }: { onAnother: () => void }) {
  const text = useText(createTexts, createLaterTexts, plansTexts);
  const locale = useLocale();
  const href = useHref();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, remote } = useDraft();
  const seen = usePayment().data;
  const payment = seen?.payment;
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // On a phone its margin has room for the notices of the payment, so that they cover nothing that can be pressed.
    heading.current?.scrollIntoView({ block: 'start' });
  }, []);
  const amounts = useAmounts();
  const part = payment && isPartlyPaid(payment) ? amounts(payment) : null;
  const accepted = payment?.confirmed && payment.state === 'partially_paid' ? amounts(payment) : null;
  const another = () => {
    draftStore().restart();
    onAnother();
  };
  if (seen?.sentBack) return <SentBack onAnother={another} />;
  return (
    <Ticket
      as="section"
      tone={part ? 'lead' : 'mint'}
      className="mx-auto max-w-[46rem]"
      header={
        <div className="flex flex-col items-start gap-4 sm:flex-row">
          <TokenImage id={remote?.id ?? ''} symbol={data.tokenSymbol} src={data.imageUrl} alt="" size={72} eager />
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap gap-1.5">
              <Badge tone="mint">
                <BadgeCheck aria-hidden="true" />
                <English>{text.create.pay.confirmed}</English>
              </Badge>
              {part ? <Badge tone="lead">{text.create.pay.state.partially_paid.title}</Badge> : null}
            </div>
            <h2 ref={heading} tabIndex={-1} className="mt-2 scroll-mt-56 text-[1.75rem]">
              {part ? text.create.done.partTitle(part.missing) : <English>{text.create.pay.success.title}</English>}
            </h2>
            <p className="mt-1.5 text-lg">
              {part ? text.create.done.partText : <English>{text.create.pay.success.text}</English>}
            </p>
          </div>
        </div>
      }
      stub={
        <div className="grid gap-2.5 sm:flex sm:flex-wrap">
          {remote?.orderKey ? (
            <ButtonLink
              variant={part ? 'secondary' : 'primary'}
              size="lg"
              className="sm:flex-1"
              to={href(orderPath(remote.id, remote.orderKey))}
            >
              {text.create.done.order}
            </ButtonLink>
          ) : null}
          <Button size="lg" onClick={another}>
            {text.create.done.another}
          </Button>
        </div>
      }
    >
      {part && payment ? (
        <div className="mt-5 rounded-control border border-lead-text bg-lead-soft p-4">
          <p className="font-medium text-lead-text">{part.text}</p>
          <OutsideLink href={payment.paymentUrl} variant="primary" className="mt-3">
            {text.create.done.payRest}
          </OutsideLink>
        </div>
      ) : null}
      {accepted ? <p className="mt-5">{text.create.done.accepted(accepted.received, accepted.price)}</p> : null}
      <dl className="mt-5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5">
        <dt className="text-quiet">{text.create.field.tokenName}</dt>
        <dd className="wrap-anywhere">
          {data.tokenName} <span className="figures text-quiet">${data.tokenSymbol}</span>
        </dd>
        <dt className="text-quiet">{text.create.contact.selectedPlan}</dt>
        <dd>{text.plans.name[payment?.plan ?? data.selectedPlan]}</dd>
        {payment ? (
          <>
            <dt className="text-quiet">{text.create.done.number}</dt>
            <dd className="figures">{payment.orderId}</dd>
            <dt className="text-quiet">{text.create.pay.amount}</dt>
            <dd className="figures">{text.create.pay.price(cents(payment.priceAmount, locale))}</dd>
          </>
        ) : null}
      </dl>
      {payment?.simulation ? <p className="mt-3 text-sm text-lead-text">{text.create.pay.simulation}</p> : null}
      <h3 className="mt-6 text-lg">{text.create.done.next}</h3>
      <ol className="mt-2 grid gap-1.5">
        {(part ? text.create.done.partSteps : text.create.done.steps).map((step, i) => (
          <li key={step} className="flex gap-3">
            <span className="figures w-5 flex-none text-quiet" aria-hidden="true">
              {i + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
    </Ticket>
  );
}

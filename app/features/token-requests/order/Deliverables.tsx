import { Check, CircleDashed, CircleX, Clock } from 'lucide-react';
import { Fragment } from 'react';
import { day } from '#app/lib/format/format.ts';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { deliverablesTexts } from '#app/lib/messages/deliverables.ts';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Order, OrderItem } from '#contract/domains/token-requests.ts';

type Appearance = OrderItem['state'] | 'late';
const APPEARANCE: Record<Appearance, [typeof Check, Tone, string]> = {
  promised: [CircleDashed, 'neutral', 'text-quiet'],
  late: [Clock, 'coral', 'text-coral-text'],
  done: [Check, 'mint', 'text-mint-text'],
  withdrawn: [CircleX, 'neutral', 'text-quiet'],
};

/** Deliverables of the plan: due date, delivery, and its evidence. */
export function Deliverables({ order }: { order: Order }) {
  const text = useText(deliverablesTexts, plansTexts);
  const named: Record<string, string> = text.plans.item;
  return (
    <Card className="p-5 print:hidden">
      <h2 className="text-xl">{text.deliverables.heading}</h2>
      <p className="mt-1 text-sm text-quiet">{text.deliverables.when}</p>
      <ul className="mt-3 grid divide-y divide-line">
        {order.items.map((item, i) => (
          <Fragment key={item.key}>
            {item.line && item.line !== order.items[i - 1]?.line ? (
              <li className="pt-3 pb-2 text-sm font-semibold">{named[item.line] ?? item.line}</li>
            ) : null}
            <PromisedItem item={item} name={named[item.key] ?? item.key} />
          </Fragment>
        ))}
      </ul>
    </Card>
  );
}

function PromisedItem({ item, name }: { item: OrderItem; name: string }) {
  const text = useText(deliverablesTexts);
  const locale = useLocale();
  const messages = text.deliverables;
  const appearance: Appearance = item.late ? 'late' : item.state;
  const [Icon, tone, colour] = APPEARANCE[appearance];
  return (
    <li className="flex items-start gap-2.5 py-2.5 text-[0.9375rem] leading-snug">
      <Icon aria-hidden="true" className={`mt-0.5 size-4.5 flex-none ${colour}`} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">{name}</span>
          <Badge tone={tone}>{messages[appearance]}</Badge>
        </p>
        <p className="text-sm text-quiet">
          {messages.promisedFor}{' '}
          {item.dueAt ? (
            <time dateTime={item.dueAt}>{day(item.dueAt, locale)}</time>
          ) : (
            messages.days[item.dueFrom](item.dueDays)
          )}
          {item.doneAt ? (
            <>
              {' · '}
              {messages.doneAt} <time dateTime={item.doneAt}>{day(item.doneAt, locale)}</time>
            </>
          ) : null}
          {item.withdrawnAt ? (
            <>
              {' · '}
              {messages.withdrawnAt} <time dateTime={item.withdrawnAt}>{day(item.withdrawnAt, locale)}</time>
            </>
          ) : null}
        </p>
        {item.place ? <Place place={item.place} /> : null}
        {item.evidence ? <Evidence evidence={item.evidence} /> : null}
        {item.note ? <p className="text-sm whitespace-pre-line wrap-anywhere">{item.note}</p> : null}
        {item.withdrawnReason ? (
          <p className="text-sm whitespace-pre-line wrap-anywhere">
            {messages.why} {item.withdrawnReason}
          </p>
        ) : null}
        {item.refund ? <p className="text-sm font-semibold">{messages.refund(item.refund)}</p> : null}
        {item.state === 'promised' ? (
          <details className="text-sm text-quiet">
            <summary className="w-fit cursor-pointer py-2.5">{messages.ifNot}</summary>
            <p className="mt-1 whitespace-pre-line wrap-anywhere">{item.ifNot[locale]}</p>
          </details>
        ) : null}
      </div>
    </li>
  );
}

function Evidence({ evidence: { kind, value } }: { evidence: NonNullable<OrderItem['evidence']> }) {
  const text = useText(deliverablesTexts, ordersTexts);
  const messages = text.deliverables;
  if (kind === 'url' || kind === 'file')
    return (
      <p className="text-sm">
        <span className="text-quiet">{messages.evidence}: </span>
        <a href={value} className="link wrap-anywhere" target="_blank" rel="noopener noreferrer">
          {kind === 'url' ? value : messages.kinds.file}
        </a>
      </p>
    );
  if (kind === 'place')
    return (
      <p className="text-sm">
        <span className="text-quiet">
          {messages.evidence}: {messages.kinds.place}
        </span>{' '}
        <span className="figures">{value}</span>
      </p>
    );
  return (
    <p className="text-sm">
      <span className="text-quiet">
        {messages.evidence}: {messages.kinds[kind]}
      </span>{' '}
      <Copyable value={value} label={messages.copy} copiedLabel={text.orders.copied} head={10} tail={8} />
    </p>
  );
}

/** A sold place on home: its dates, and whether it was cut short. */
function Place({ place }: { place: NonNullable<OrderItem['place']> }) {
  const { place: text } = useText(deliverablesTexts).deliverables;
  return (
    <div className="text-sm">
      <p>
        {text[place.kind]}: {text.from} <LocalTime iso={place.startsAt} /> {text.until} <LocalTime iso={place.endsAt} />
      </p>
      {place.endedAt && place.endCause === 'interrupted' ? (
        <p className="text-coral-text">
          {text.interrupted} <LocalTime iso={place.endedAt} />. {text.interruptedText}
        </p>
      ) : null}
      {place.endedAt && place.endCause === 'withdrawn' ? (
        <p className="text-quiet">
          {text.withdrawn} <LocalTime iso={place.endedAt} />
        </p>
      ) : null}
    </div>
  );
}

import { Mail, Printer } from 'lucide-react';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { day, when } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import type { OrderDeposit } from '#contract/domains/payments.ts';
import type { Order } from '#contract/domains/token-requests.ts';
import { OutsideLink } from '../OutsideLink.tsx';
import { RefundPolicy } from '../RefundPolicy.tsx';
import { mailTo } from './OrderTicket.tsx';
import { usdOf } from './order-stages.tsx';

/** All deposits of the order. */
export function Deposits({ order }: { order: Order }) {
  const text = useText(ordersTexts);
  const messages = text.orders.deposits;
  return (
    <Card className="p-5 print:hidden">
      <h2 className="text-xl">{messages.heading}</h2>
      {order.deposits.length === 0 ? (
        <p className="mt-2 text-sm text-quiet">{messages.none}</p>
      ) : (
        <ul className="mt-3 grid divide-y divide-line">
          {order.deposits.map((deposit) => (
            <DepositRow key={deposit.paymentId} deposit={deposit} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** One deposit: amount, currency, time, and the provider's status. */
export function DepositRow({ deposit }: { deposit: OrderDeposit }) {
  const text = useText(ordersTexts, coinsTexts);
  const { on } = text.coins;
  const locale = useLocale();
  const messages = text.orders.deposits;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5 py-3">
      <div className="min-w-0">
        <p className="figures font-semibold [overflow-wrap:anywhere]">
          {amountInCoin(deposit.amount, deposit.currency, locale, on)}
        </p>
        <p className="text-sm text-quiet">
          {deposit.counts && deposit.due !== null && deposit.due !== deposit.amount
            ? `${messages.of(amountInCoin(deposit.due, deposit.currency, locale, on))} · `
            : ''}
          {deposit.at ? <When iso={deposit.at} /> : messages.unknownTime}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {deposit.counts ? null : <Badge tone="sky">{messages.odd}</Badge>}
        <Badge tone={deposit.status === 'finished' ? 'mint' : deposit.status === 'failed' ? 'coral' : 'neutral'}>
          {messages.status[deposit.status]}
        </Badge>
      </div>
    </li>
  );
}

/** The token, once it is on the chain. */
export function OnChain({ order: { token } }: { order: Order }) {
  const text = useText(ordersTexts);
  const messages = text.orders.onChain;
  const locale = useLocale();
  if (!token.address) return null;
  return (
    <Card className="p-5 print:hidden">
      <h2 className="text-xl">{messages.heading}</h2>
      <p className="mt-1 text-sm text-quiet">{messages.text}</p>
      <dl className="mt-3 grid gap-3">
        <div>
          <dt className="stat-label">{messages.address}</dt>
          <dd>
            <Copyable
              value={token.address}
              label={messages.copyAddress}
              copiedLabel={text.orders.copied}
              head={14}
              tail={10}
            />
          </dd>
        </div>
        {token.transaction ? (
          <div>
            <dt className="stat-label">{messages.transaction}</dt>
            <dd>
              <Copyable
                value={token.transaction}
                label={messages.copyTransaction}
                copiedLabel={text.orders.copied}
                head={14}
                tail={10}
              />
            </dd>
          </div>
        ) : null}
        {token.source ? (
          <div>
            <dt className="stat-label">{messages.source}</dt>
            <dd className="flex flex-wrap items-center gap-x-3 gap-y-1">
              {token.source.state === 'verified'
                ? messages.sources.verified(day(token.source.verifiedAt ?? '', locale))
                : messages.sources[token.source.state]}
              {token.source.state === 'verified' && token.explorerUrl ? (
                <OutsideLink href={`${token.explorerUrl}#code`}>{messages.sourceLink}</OutsideLink>
              ) : null}
            </dd>
          </div>
        ) : null}
      </dl>
      <p className="mt-3 text-sm text-quiet">{messages.add}</p>
    </Card>
  );
}

/** The receipt of the money that arrived, marked when it is a part payment: the only part that is printed. */
export function Receipt({ order }: { order: Order }) {
  const text = useText(ordersTexts, plansTexts, coinsTexts);
  const locale = useLocale();
  const { receipt } = order;
  const messages = text.orders.receipt;
  if (!receipt) return null;
  const usd = (amount: number) => text.orders.usd(usdOf(amount, locale));
  const { kind } = receipt;
  const rows: [string, string | null][] = [
    [text.orders.number, receipt.number],
    [messages.date, when(receipt.paidAt, locale)],
    [messages.token, `${order.tokenName} ($${order.tokenSymbol})`],
    [text.orders.plan, text.plans.name[receipt.plan]],
    [text.orders.price, usd(receipt.priceUsd)],
    // Of money that did not arrive as agreed only the currency is known.
    [messages.received, receipt.receivedUsd > 0 ? usd(receipt.receivedUsd) : null],
    [messages.missing, kind === 'part' ? usd(receipt.missingUsd) : null],
    [messages.waived, kind === 'accepted' && receipt.receivedUsd > 0 ? usd(receipt.missingUsd) : null],
    [
      messages.paidWith,
      receipt.amount === null ? null : amountInCoin(receipt.amount, receipt.currency, locale, text.coins.on),
    ],
    [messages.reference, receipt.providerPaymentId],
  ];
  return (
    <div data-print>
      <Ticket
        as="section"
        stub={
          <div className="flex items-center justify-between gap-3">
            <span className="text-sm text-quiet">{messages.issuer}</span>
            <Button size="sm" variant="ghost" className="print:hidden" onClick={() => window.print()}>
              <Printer aria-hidden="true" />
              {messages.print}
            </Button>
          </div>
        }
      >
        <h2 className="text-xl">{messages.headings[kind]}</h2>
        {kind === 'full' ? null : <p className="mt-1.5 text-sm text-quiet">{messages.notes[kind]}</p>}
        {receipt.simulation ? (
          <p className="mt-2 rounded-control border border-dashed border-coral-text px-3 py-1.5 text-sm font-semibold text-coral-text">
            {text.orders.simulation}
          </p>
        ) : null}
        <dl className="mt-3 grid gap-2 text-[0.9375rem]">
          {rows.map(([name, value]) =>
            value === null ? null : (
              <div key={name} className="flex flex-wrap justify-between gap-x-4">
                <dt className="text-quiet">{name}</dt>
                <dd className="figures text-right font-semibold [overflow-wrap:anywhere]">{value}</dd>
              </div>
            ),
          )}
        </dl>
        <RefundPolicy className="mt-4 border-t border-line pt-3" />
      </Ticket>
    </div>
  );
}

/** Contact for problems. */
export function Support({ order }: { order: Order }) {
  const text = useText(ordersTexts);
  const messages = text.orders.support;
  return (
    <Card className="p-5 print:hidden">
      <h2 className="text-xl">{messages.heading}</h2>
      <p className="mt-1 text-sm text-quiet">{order.supportEmail ? messages.text : messages.none}</p>
      {order.supportEmail ? (
        <a
          href={mailTo(order, order.supportEmail, messages.subject)}
          className="link mt-2 inline-flex min-h-10 items-center gap-2 [overflow-wrap:anywhere]"
        >
          <Mail aria-hidden="true" className="size-4.5 flex-none" />
          {order.supportEmail}
        </a>
      ) : null}
    </Card>
  );
}

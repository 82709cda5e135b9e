import { Mail } from 'lucide-react';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { day } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { OrderDeposit } from '#contract/domains/payments.ts';
import type { Order } from '#contract/domains/token-requests.ts';
import { OutsideLink } from '../OutsideLink.tsx';
import { mailTo } from './OrderTicket.tsx';

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
        {deposit.counts || deposit.accepted || deposit.sentBack ? null : <Badge tone="sky">{messages.odd}</Badge>}
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

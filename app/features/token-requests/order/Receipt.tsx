import { Printer } from 'lucide-react';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import type { Order } from '#contract/domains/token-requests.ts';
import { RefundPolicy } from '../RefundPolicy.tsx';
import { situationOf, usdOf } from './order-stages.tsx';

/** The receipt of the money that arrived, marked when it is a part payment: the only part that is printed. */
export function Receipt({ order }: { order: Order }) {
  const text = useText(ordersTexts, plansTexts, coinsTexts);
  const locale = useLocale();
  const { receipt } = order;
  const messages = text.orders.receipt;
  if (!receipt) return null;
  const usd = (amount: number) => text.orders.usd(usdOf(amount, locale));
  const { kind } = receipt;
  const ended = kind === 'part' && (order.stage === 'closed' || situationOf(order) === 'going_back');
  // The received amount is the sum of these; a deposit on its way or given back is no part of it.
  const counted = order.deposits.filter(
    ({ counts, accepted, status }) => accepted || (counts && (status === 'finished' || status === 'partially_paid')),
  );
  const isPlain = counted.length === 0 || (counted.length === 1 && counted[0]?.counts);
  const paidWith = isPlain ? [{ ...receipt, paymentId: receipt.providerPaymentId }] : counted;
  const rows: [string, string | null][] = [
    [text.orders.number, receipt.number],
    [messages.date, dateTime(receipt.paidAt, locale)],
    [messages.token, `${order.tokenName} ($${order.tokenSymbol})`],
    [text.orders.plan, text.plans.name[receipt.plan]],
    [text.orders.price, usd(receipt.priceUsd)],
    // Of money that has another currency than the price only its amount in coins is known.
    [messages.received, receipt.receivedUsd > 0 ? usd(receipt.receivedUsd) : null],
    [messages.missing, kind === 'part' ? usd(receipt.missingUsd) : null],
    // A receipt is of what arrived; money that went back since is not silently part of it.
    [text.orders.back.returned, order.returned && usd(order.returned.returnedUsd)],
    [text.orders.back.remaining, order.returned && usd(order.returned.remainingUsd)],
    [messages.waived, kind === 'accepted' && receipt.receivedUsd > 0 ? usd(receipt.missingUsd) : null],
    [
      messages.paidWith,
      paidWith
        .flatMap(({ amount, currency }) =>
          amount === null ? [] : amountInCoin(amount, currency, locale, text.coins.on),
        )
        .join(' + ') || null,
    ],
    [messages.reference, paidWith.flatMap(({ paymentId }) => paymentId ?? []).join(', ') || null],
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
        {kind === 'full' ? null : <p className="mt-1.5 text-sm text-quiet">{messages.notes[ended ? 'ended' : kind]}</p>}
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

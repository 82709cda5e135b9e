// Money-ledger lines of orders, deposits and refunds: they sum to zero, and are computed by pure functions.
import { shareOf, toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit, Outcome } from '#server/providers/payments/port.ts';

/**
 * In US cents: `sales` (the agreed price), `claim` (its counterpart), `received`, `short` (waived by the team), `refunded`. In a
 * coin: `provider` (arrived there), `orders`, `unplaced` and `elsewhere` (the owner of the money), `team` (refunded by the team),
 * `exchange` (the counterpart where the coin changes), `balance` (credited to us), `fees` (retained by the provider).
 */
export type Account =
  | 'sales'
  | 'claim'
  | 'received'
  | 'short'
  | 'refunded'
  | 'provider'
  | 'orders'
  | 'unplaced'
  | 'elsewhere'
  | 'team'
  | 'exchange'
  | 'balance'
  | 'fees';

/** Amount of an account and asset: US cents of 'USD', units of 10^-18 of a coin. */
export interface Line {
  account: Account;
  asset: string;
  amount: bigint;
}

type Kind = 'expected' | 'received' | 'returned' | 'settled' | 'accepted_short' | 'refunded';

/** Wanted state of one subject in the ledger; the difference from the posted state is what is posted. */
export interface Part {
  kind: Kind;
  /** The order's number, the provider's id of a deposit, or a refund's number. */
  subject: string;
  lines: Line[];
  /** Identifiers of the subject in other systems. */
  facts: Record<string, string>;
}

export const USD = 'USD';

/** Owner of the money of a deposit. */
export type Holder = 'orders' | 'unplaced' | 'elsewhere';

const move = (asset: string, into: Account, from: Account, amount: bigint): Line[] =>
  amount === 0n
    ? []
    : [
        { account: into, asset, amount },
        { account: from, asset, amount: -amount },
      ];

/** The price of an order, while it is expected, and the part of it that the team waived. @param price and `short` in cents. */
export const orderParts = (
  orderId: string,
  price: bigint,
  { expected, short }: { expected: boolean; short: bigint },
): Part[] => [
  { kind: 'expected', subject: orderId, lines: expected ? move(USD, 'claim', 'sales', price) : [], facts: { orderId } },
  { kind: 'accepted_short', subject: orderId, lines: move(USD, 'short', 'claim', short), facts: { orderId } },
];

const unitsOf = ({ paidText, actuallyPaid }: Deposit) => toFixedPoint(paidText ?? String(actuallyPaid ?? 0));
/** A coin without a name from the provider is still money. */
const coinOf = (code: string | null) => code?.toLowerCase().slice(0, 40) || 'unnamed';

/**
 * A deposit: the arrived and the returned amount, and what the provider credited for it.
 *
 * @param cents that it contributed to its order. @param holder owner of the money.
 */
export function depositParts(
  deposit: Deposit,
  { outcome, cents, holder }: { outcome: Outcome | null; cents: bigint; holder: Holder },
): Part[] {
  const { paymentId: subject, status } = deposit;
  const coin = coinOf(deposit.payCurrency);
  const units = unitsOf(deposit);
  const returned = status === 'refunded';
  const done = status === 'finished' || status === 'partially_paid';
  const facts = factsOf(deposit, outcome);
  return [
    {
      kind: 'received',
      subject,
      lines: [...move(coin, 'provider', holder, units), ...move(USD, 'received', 'claim', cents)],
      facts,
    },
    {
      kind: 'returned',
      subject,
      lines: returned ? [...move(coin, holder, 'provider', units), ...move(USD, 'claim', 'refunded', cents)] : [],
      facts,
    },
    { kind: 'settled', subject, lines: outcome && done ? settledLines(coin, units, outcome) : [], facts },
  ];
}

/** Within one coin the fees are the difference; where the coin changed, they are the fees that the provider reports. */
function settledLines(coin: string, units: bigint, outcome: Outcome): Line[] {
  const credited = toFixedPoint(outcome.amount);
  const into = coinOf(outcome.currency);
  if (into === coin)
    return [
      { account: 'balance' as const, asset: coin, amount: credited },
      { account: 'fees' as const, asset: coin, amount: units - credited },
      { account: 'provider' as const, asset: coin, amount: -units },
    ].filter(({ amount }) => amount !== 0n);
  const fee = outcome.fee
    ? move(coinOf(outcome.fee.currency), 'fees', 'exchange', toFixedPoint(outcome.fee.amount))
    : [];
  return merged([...move(coin, 'exchange', 'provider', units), ...move(into, 'balance', 'exchange', credited), ...fee]);
}

function factsOf(deposit: Deposit, outcome: Outcome | null): Record<string, string> {
  const facts = {
    deposit: deposit.paymentId,
    parent: deposit.parentId,
    invoice: deposit.invoiceId,
    orderId: deposit.orderId,
    status: deposit.rawStatus ?? deposit.status,
    payin: outcome?.payinHash,
    payout: outcome?.payoutHash,
  };
  return Object.fromEntries(Object.entries(facts).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** State of a refund. */
export interface SentRefund {
  number: string;
  sent: boolean;
  /** The provider sent it; it is then part of the returned amount of the deposit. */
  byProvider: boolean;
  asset: string;
  /** In the smallest unit of the coin. */
  amount: bigint;
  decimals: number;
  transaction: string | null;
}

/**
 * A refund that the team sent. It uses the part of the coin without a value first: a deposit that does not match its order is not part of
 * the price.
 *
 * @param of arrived amount of the coin for the order, its value in cents, and the part of it without a value. @param before amount of the
 *   order's other sent refunds, in the smallest unit: if each was rounded by itself, cents would remain when all of the money went back.
 *   `cents`: what is posted for them, instead of their share at the present value of the money.
 */
export function refundPart(
  refund: SentRefund,
  of: { units: bigint; cents: bigint; unvalued: bigint },
  before: { amount: bigint; cents?: bigint },
): { part: Part; cents: bigint } {
  const { number, asset, transaction } = refund;
  const scale = 18 - refund.decimals;
  const scaled = (amount: bigint) => (scale >= 0 ? amount * 10n ** BigInt(scale) : amount / 10n ** BigInt(-scale));
  const worthAfter = (sent: bigint) => shareOf(of.cents, scaled(sent) - of.unvalued, of.units - of.unvalued);
  const [all, earlier] = [worthAfter(before.amount + refund.amount), before.cents ?? worthAfter(before.amount)];
  const cents = all > earlier ? all - earlier : 0n;
  const gone = refund.sent && !refund.byProvider;
  const part: Part = {
    kind: 'refunded',
    subject: number,
    lines: gone
      ? [...move(asset, 'orders', 'team', scaled(refund.amount)), ...move(USD, 'claim', 'refunded', cents)]
      : [],
    facts: { refund: number, ...(transaction ? { transaction } : {}) },
  };
  return { part, cents };
}

/** Sums the lines per account and asset. */
export function merged(lines: readonly Line[]): Line[] {
  const sums = new Map<string, Line>();
  for (const line of lines) {
    const key = `${line.account} ${line.asset}`;
    const known = sums.get(key);
    sums.set(key, known ? { ...line, amount: known.amount + line.amount } : line);
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

/** The lines to post so that `known` becomes `wanted`; balanced when both are. */
export const difference = (wanted: readonly Line[], known: readonly Line[]): Line[] =>
  merged([...wanted, ...known.map((line) => ({ ...line, amount: -line.amount }))]);

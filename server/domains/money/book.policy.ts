// What the money ledger says of orders, deposits and refunds: lines that sum to zero, worked out without any effect.
import { shareOf, toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit, Outcome } from '#server/providers/payments/port.ts';

/**
 * In US cents: `sales` (what was agreed), `claim` (its other side), `received`, `short` (let go by the team), `refunded`.
 * In a coin: `provider` (arrived there), `orders`, `unplaced` and `elsewhere` (whose it is), `team` (sent back by the team),
 * `exchange` (the other side where the coin changes), `balance` (credited to us), `fees` (kept by the provider).
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

/** Of an account and asset: US cents of 'USD', units of 10^-18 of a coin. */
export interface Line {
  account: Account;
  asset: string;
  amount: bigint;
}

type Kind = 'expected' | 'received' | 'returned' | 'settled' | 'accepted_short' | 'refunded';

/** What the ledger has to say of one subject; what it said before is made up for by the difference. */
export interface Part {
  kind: Kind;
  /** The order's number, the provider's number of a deposit, or a refund's number. */
  subject: string;
  lines: Line[];
  /** Numbers that others know it by. */
  facts: Record<string, string>;
}

export const USD = 'USD';

/** Whose money a deposit is. */
export type Holder = 'orders' | 'unplaced' | 'elsewhere';

const move = (asset: string, into: Account, from: Account, amount: bigint): Line[] =>
  amount === 0n
    ? []
    : [
        { account: into, asset, amount },
        { account: from, asset, amount: -amount },
      ];

/** The price of an order, while it is expected, and what of it the team let go. @param price and `short` in cents. */
export const orderParts = (
  orderId: string,
  price: bigint,
  { expected, short }: { expected: boolean; short: bigint },
): Part[] => [
  { kind: 'expected', subject: orderId, lines: expected ? move(USD, 'claim', 'sales', price) : [], facts: { orderId } },
  { kind: 'accepted_short', subject: orderId, lines: move(USD, 'short', 'claim', short), facts: { orderId } },
];

const unitsOf = ({ paidText, actuallyPaid }: Deposit) => toFixedPoint(paidText ?? String(actuallyPaid ?? 0));
/** A coin that the provider does not name is still money. */
const coinOf = (code: string | null) => code?.toLowerCase().slice(0, 40) || 'unnamed';

/**
 * A deposit: what arrived, what went back, and what the provider credited for it.
 *
 * @param cents that it brought to its order. @param holder whose it is.
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

/** In one coin the fees are what is missing; where the coin changed, what the provider itself calls fees. */
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

/** A refund as it stands. */
export interface SentRefund {
  number: string;
  sent: boolean;
  /** The provider sent it back: then it is in what went back of the deposit. */
  byProvider: boolean;
  asset: string;
  /** In the smallest unit of the coin. */
  amount: bigint;
  decimals: number;
  transaction: string | null;
}

/** A refund that the team sent. @param of what arrived of the coin for the order, and its worth in cents. */
export function refundPart(refund: SentRefund, of: { units: bigint; cents: bigint }): Part {
  const { number, asset, transaction } = refund;
  const scale = 18 - refund.decimals;
  const units = scale >= 0 ? refund.amount * 10n ** BigInt(scale) : refund.amount / 10n ** BigInt(-scale);
  const gone = refund.sent && !refund.byProvider;
  return {
    kind: 'refunded',
    subject: number,
    lines: gone
      ? [...move(asset, 'orders', 'team', units), ...move(USD, 'claim', 'refunded', shareOf(of.cents, units, of.units))]
      : [],
    facts: { refund: number, ...(transaction ? { transaction } : {}) },
  };
}

/** Lines of one account and asset in one. */
export function merged(lines: readonly Line[]): Line[] {
  const sums = new Map<string, Line>();
  for (const line of lines) {
    const key = `${line.account} ${line.asset}`;
    const known = sums.get(key);
    sums.set(key, known ? { ...line, amount: known.amount + line.amount } : line);
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

/** What has to be entered so that `known` becomes `wanted`; it balances when both do. */
export const difference = (wanted: readonly Line[], known: readonly Line[]): Line[] =>
  merged([...wanted, ...known.map((line) => ({ ...line, amount: -line.amount }))]);

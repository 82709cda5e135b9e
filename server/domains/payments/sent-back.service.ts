import { and, eq, lte } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { paymentEvents } from '#server/db/tables/payments.ts';
import { isPaid, lockPayment, type PaymentRow, record } from '#server/domains/payments/facts/record.service.ts';
import {
  acceptableDeposits,
  depositsIn,
  type Fact,
  hasMoney,
  isCovered,
  outcomeOf,
  termsOf,
} from '#server/domains/payments/facts/reduce.policy.ts';
import { isBack } from '#server/domains/payments/facts/sent-back.policy.ts';
import { sentBack } from '#server/domains/payments/orders/request-stage.service.ts';
import { orderFigures } from '#server/domains/payments/posting/order-figures.policy.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import type { RecordDependencies } from './order-callbacks.port.ts';
import { readMissedReturns } from './sent-back.sql.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Payments per run. */
const BATCH_SIZE = 50;
/** Tolerance for a deposit that one action places on an order and refunds: it is recorded after the time of that action. Milliseconds. */
const SAME_ACTION_MS = 60_000;

/** A refund that the team sent. */
export interface SentRefund {
  cause: 'payment' | 'deliverable' | 'cancelled' | 'network';
  /** The provider's code of the coin, lower case. */
  asset: string;
  decimals: number;
  /** In the smallest unit of the coin. */
  amount: bigint;
  openedAt: Date;
}

const textOf = ({ paidText, actuallyPaid }: Deposit): string => paidText ?? String(actuallyPaid ?? 0);

const factOf = (deposits: readonly Deposit[], now: Date) => {
  const amounts = Object.fromEntries(deposits.map((deposit) => [deposit.paymentId, textOf(deposit)]));
  return { type: 'sent_back' as const, at: now.getTime(), of: Object.keys(amounts), amounts };
};

/** The fact that the team sent back all money of a payment, with its deposits and the amount that had arrived of each. */
export const sentBackFact = ({ knownFacts }: PaymentRow, now: Date): Fact =>
  factOf(depositsIn(knownFacts).filter(hasMoney), now);

/**
 * The same for money that does not pay for its order, which other money pays: sent back by a refund that an admin opened for exactly one such
 * deposit of its coin, or for all of them, after they had become known. Null when it may be about other money: a person decides.
 */
export async function strayMoneyFact(tx: Tx, row: PaymentRow, refund: SentRefund, now: Date): Promise<Fact | null> {
  if (!isPaid(row) || refund.cause !== 'payment') return null;
  const terms = termsOf(row);
  const acceptable = acceptableDeposits(row.knownFacts, terms);
  const earlier = await seenBefore(tx, row.id, new Date(refund.openedAt.getTime() + SAME_ACTION_MS));
  const strays = orderFigures(row.knownFacts, terms)
    .deposits.filter(({ cents }) => cents === 0n)
    .map(({ deposit }) => deposit)
    .filter((deposit) => !isBack(row.knownFacts, deposit) && !isCovered(row.knownFacts, deposit, terms))
    .filter(({ paymentId }) => acceptable.includes(paymentId) && earlier.has(paymentId))
    .filter(({ payCurrency }) => payCurrency?.toLowerCase() === refund.asset);
  const units = (deposit: Deposit) => toFixedPoint(textOf(deposit), refund.decimals);
  const one = strays.find((deposit) => units(deposit) === refund.amount);
  const all = strays.reduce((sum, deposit) => sum + units(deposit), 0n);
  const back = one ? [one] : all === refund.amount ? strays : [];
  return back.length > 0 ? { ...factOf(back, now), stray: true } : null;
}

/** The provider's ids of the deposits of a payment that were known at a moment. */
async function seenBefore(tx: Tx, paymentId: string, moment: Date): Promise<Set<string | null>> {
  const { kind, providerPaymentId, createdAt } = paymentEvents;
  const seen = and(eq(paymentEvents.paymentId, paymentId), eq(kind, 'seen'), lte(createdAt, moment));
  const rows = await tx.selectDistinct({ id: providerPaymentId }).from(paymentEvents).where(seen);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Adds the fact "sent back" to payments whose refund was recorded by an earlier version, or halted, as neither added it: their deliverables
 * end, and the rest of a partial payment is not expected any more.
 *
 * Idempotent. A payment that fails does not block the others.
 *
 * @returns the number of payments, at most 50.
 * @throws the failures, after all were processed.
 */
export async function recordMissedReturns(
  { db, tools }: { db: Db; tools: RecordDependencies },
  now: Date,
): Promise<number> {
  const found = await readMissedReturns(db, { max: BATCH_SIZE });
  let recorded = 0;
  await runEachSettled(found, async ({ id }) => {
    recorded += await db.transaction(async (tx) => {
      const { row } = await lockPayment(tx, id);
      if (!(await sentBack(tx, [id])).has(id)) return 0;
      const attention = (one: PaymentRow) => outcomeOf(one.knownFacts, termsOf(one)).attention;
      const before = attention(row);
      await record(tx, tools, id, { facts: [sentBackFact(row, now)], actor: SYSTEM, now });
      const after = attention((await lockPayment(tx, id)).row);
      if (before.join() !== after.join())
        await audit(tx, SYSTEM, {
          action: 'payment.changed',
          resourceType: 'payment',
          resourceId: id,
          before: { state: row.state, attention: before },
          after: { state: row.state, orderId: row.orderId, requestId: row.submissionId, attention: after },
        });
      return 1;
    });
  });
  return recorded;
}

import { eq, inArray, lte, sql } from 'drizzle-orm';
import { PAYMENT_DAYS, PAYMENT_WATCH_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { isDatabaseAway } from '#server/db/failures.ts';
import { payments } from '#server/db/tables/payments.ts';
import { findPayments, type PaymentRow, watchUntil } from '#server/domains/payments/facts/record.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { storeUnplaced } from '#server/domains/payments/unplaced.service.ts';
import { type Deposit, type PaymentProvider, ProviderError } from '#server/providers/payments/port.ts';
import type { Hint } from './fetch-deposits.ts';
import { isKnown } from './fetch-deposits.ts';
import { MAX_CONFIRMATION } from './next-check.policy.ts';
import { findWithEvidence } from './reconcile.sql.ts';

const DAY = 86_400_000;
/** Limit of orders that one run polls, and of those among them with evidence of money: the remainder is for the others. */
const MAX_RUN = 50;
const MAX_EVIDENCE = 40;
/** Limit of orders that one run postpones because the list of all deposits has nothing new about them. */
const MAX_POSTPONED = 500;
/** Consecutive connection failures after which the run stops polling the provider. */
const MAX_CONSECUTIVE_FAILURES = 3;
/** Period of the list of all deposits: the lifetime of an order, and that of a payment under way at its end, and a day. Milliseconds. */
const WINDOW = (PAYMENT_DAYS + PAYMENT_WATCH_DAYS) * DAY + MAX_CONFIRMATION + DAY;
/** An order is due again after this time if the process dies or the provider refuses. Milliseconds. */
const CLAIM_MS = 10 * 60_000;
/** Tolerance for the provider's clock, and how long a differing list entry is not polled again. */
const MAX_CLOCK_SKEW_MS = 10 * 60_000;
const REPEAT_POLL_MS = 3_600_000;

interface ReconcileServices {
  db: Db;
  provider: PaymentProvider;
  now: () => Date;
  warn: (about: Record<string, unknown>, message: string) => void;
  /** Polls one order and records the result and any failure. */
  poll(row: PaymentRow): Promise<{ outcome: 'polled' | 'unsure' | 'failed'; unreachable: boolean }>;
  /** False when the order was checked a moment ago. */
  claim(id: string): Promise<boolean>;
  putOff(row: PaymentRow): Promise<void>;
}

/** Information from the list of all deposits. */
interface DepositListChanges {
  /** Payments with new information in the list. */
  changed: Set<string>;
  /** Start of the period for which the list is complete; null when it is incomplete or the account may not list. */
  completeSince: number | null;
}

/**
 * Polls the provider about due orders, those with evidence of money first: news in the list of all deposits, unprocessed signed
 * callbacks, payments under way, chosen coins. The oldest of the others get a share of every run, so that none starves. Orders
 * covered by a complete list without news are not polled.
 *
 * @throws errors of recording orders, or deposits without one, after all other orders of the run were processed.
 */
export async function reconcilePayments(services: ReconcileServices): Promise<{ polled: number; unknown: number }> {
  const at = services.now();
  const failures: unknown[] = [];
  const listChanges = await readDepositListChanges(services, at, failures);
  const { toPoll, toPostpone } = await choose(services.db, listChanges, at);
  for (const row of toPostpone) {
    await services.db
      .update(payments)
      .set({ polledAt: sql`greatest(${payments.polledAt}, ${at.toISOString()}::timestamptz)` })
      .where(eq(payments.id, row.id));
    await services.putOff(row);
  }
  // Postponed before polling, so that the orders become due again if the process dies.
  await scheduleNextPoll(services.db, toPoll, new Date(at.getTime() + CLAIM_MS));
  let unknown = 0;
  let inARow = 0;
  let polled = 0;
  for (const [index, row] of toPoll.entries()) {
    if (inARow >= MAX_CONSECUTIVE_FAILURES) {
      await scheduleNextPoll(services.db, toPoll.slice(index), at);
      break;
    }
    if (!(await services.claim(row.id))) continue;
    polled++;
    const { outcome, unreachable } = await services.poll(row).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      // A failure to record one order must not stop the others.
      failures.push(error);
      return { outcome: 'failed' as const, unreachable: false };
    });
    if (outcome === 'unsure') await services.putOff(row);
    if (outcome === 'failed') unknown++;
    // A refusal concerns this order alone; only connection failures count.
    inARow = unreachable ? inARow + 1 : 0;
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} orders or deposits could not be recorded`);
  return { polled: polled, unknown };
}

const scheduleNextPoll = (db: Db, rows: PaymentRow[], at: Date) =>
  db
    .update(payments)
    .set({ nextCheckAt: at })
    .where(
      inArray(
        payments.id,
        rows.map(({ id }) => id),
      ),
    );

/** @param failures receives the error of deposits that could not be stored: it must not keep the orders from being polled. */
async function readDepositListChanges(
  { db, provider, now, warn }: ReconcileServices,
  at: Date,
  failures: unknown[],
): Promise<DepositListChanges> {
  const since = at.getTime() - WINDOW;
  const nothing: DepositListChanges = { changed: new Set(), completeSince: null };
  let listed: Awaited<ReturnType<PaymentProvider['recent']>>;
  try {
    listed = await provider.recent(since);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    warn({ err: error }, 'payment provider returned no list');
    return nothing;
  }
  if (!listed) return nothing;
  const orderOf = await ordersOf(db, listed.deposits);
  const unmatched: Deposit[] = [];
  const changed = new Set<string>();
  for (const deposit of listed.deposits) {
    const row = orderOf(deposit);
    if (!row) unmatched.push(deposit);
    else if (!isKnown(row.knownFacts, deposit) && isNews(row, deposit, at)) changed.add(row.id);
  }
  await storeUnplaced(db, unmatched, provider, now()).catch((error: unknown) => {
    if (isDatabaseAway(error)) throw error;
    failures.push(error);
  });
  return { changed, completeSince: listed.complete ? since : null };
}

/**
 * Assigns deposits of the provider's list to their orders, where that was not done: a deposit with an order is fetched
 * individually, one without is stored as unplaced money.
 *
 * @returns the number of new ones, and the payment of each deposit that has one.
 */
export async function placeListed(
  { db, provider, service, now }: { db: Db; provider: PaymentProvider; service: PaymentService; now: () => Date },
  deposits: Deposit[],
): Promise<{ found: number; paymentOf: Map<string, string> }> {
  const paymentOf = new Map<string, string>();
  let found = 0;
  let unmatched = deposits;
  // Two passes: a repeated deposit has an order only after the deposit that it repeats is known.
  for (let round = 0; round < 2 && unmatched.length > 0; round++) {
    const orderOf = await ordersOf(db, unmatched);
    const hints = new Map<string, Hint[]>();
    unmatched = unmatched.filter((deposit) => {
      const row = orderOf(deposit);
      if (!row) return true;
      paymentOf.set(deposit.paymentId, row.id);
      if (isKnown(row.knownFacts, deposit)) return false;
      found++;
      hints.set(row.id, [...(hints.get(row.id) ?? []), { paymentId: deposit.paymentId, signed: true }]);
      return false;
    });
    for (const [id, ofOrder] of hints) await service.poll(id, ofOrder);
    if (hints.size === 0) break;
  }
  found += await storeUnplaced(db, unmatched, provider, now());
  return { found, paymentOf };
}

/** A list entry that still differs after a check is checked again only at intervals. */
const isNews = (row: PaymentRow, deposit: Deposit, at: Date): boolean =>
  deposit.updatedAt > (row.polledAt?.getTime() ?? 0) - MAX_CLOCK_SKEW_MS ||
  at.getTime() - (row.attemptedAt?.getTime() ?? 0) > REPEAT_POLL_MS;

/** Finds the order that a deposit belongs to. */
export async function ordersOf(db: Db, deposits: Deposit[]): Promise<(deposit: Deposit) => PaymentRow | undefined> {
  if (deposits.length === 0) return () => undefined;
  const texts = (values: (string | null)[]) => sql.param([...new Set(values.filter((value) => value !== null))]);
  const ids = texts(deposits.flatMap(({ paymentId, parentId }) => [paymentId, parentId]));
  const rows = await findPayments(
    db,
    sql`order_id = any(${texts(deposits.map(({ orderId }) => orderId))}::text[])
      or invoice_id = any(${texts(deposits.map(({ invoiceId }) => invoiceId))}::text[])
      or (ledger -> 'deposits') ?| ${ids}::text[]`,
  );
  const byOrder = new Map(rows.map((row) => [row.orderId, row]));
  const byInvoice = new Map(rows.flatMap((row) => (row.invoiceId ? [[row.invoiceId, row] as const] : [])));
  const byDeposit = new Map(
    rows.flatMap((row) => Object.keys(row.knownFacts.deposits).map((id) => [id, row] as const)),
  );
  return ({ orderId, invoiceId, paymentId, parentId }) =>
    byOrder.get(orderId ?? '') ??
    byInvoice.get(invoiceId ?? '') ??
    byDeposit.get(paymentId) ??
    byDeposit.get(parentId ?? '');
}

async function choose(
  db: Db,
  { changed, completeSince }: DepositListChanges,
  at: Date,
): Promise<{ toPoll: PaymentRow[]; toPostpone: PaymentRow[] }> {
  const withEvidence = await findWithEvidence(db, { changed: [...changed], at, max: MAX_POSTPONED });
  const oldest = await db
    .select({ id: payments.id })
    .from(payments)
    .where(lte(payments.nextCheckAt, at))
    .orderBy(payments.nextCheckAt)
    .limit(MAX_POSTPONED);
  // Includes those beyond the limit of this run: an order with news is never postponed.
  const withNewEvidence = new Set(withEvidence.filter(({ rank }) => rank < 2).map(({ id }) => id));
  const all = [...new Set([...withEvidence.slice(0, MAX_EVIDENCE), ...oldest].map(({ id }) => id))];
  const found = new Map((await findPayments(db, sql`id = any(${sql.param(all)}::uuid[])`)).map((row) => [row.id, row]));
  const toPoll: PaymentRow[] = [];
  const toPostpone: PaymentRow[] = [];
  for (const id of all) {
    const row = found.get(id);
    if (!row) continue;
    if (completeSince !== null && !withNewEvidence.has(id) && isCovered(row, completeSince, at)) toPostpone.push(row);
    else if (toPoll.length < MAX_RUN) toPoll.push(row);
  }
  return { toPoll, toPostpone };
}

/**
 * True when the list of all deposits replaces a check of this order. The checks at its expiry and at the end of its watch always
 * take place.
 */
function isCovered(row: PaymentRow, completeSince: number, at: Date): boolean {
  const over = (moment: number) => at.getTime() >= moment && row.knownFacts.polledAt < moment;
  return row.createdAt.getTime() > completeSince && !over(row.expiresAt.getTime()) && !over(watchUntil(row));
}

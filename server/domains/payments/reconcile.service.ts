import { lte, sql } from 'drizzle-orm';
import { PAYMENT_DAYS, PAYMENT_WATCH_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { isDatabaseAway } from '#server/db/failures.ts';
import { payments } from '#server/db/tables/payments.ts';
import { type Deposit, type PaymentProvider, ProviderError } from '#server/providers/payments/port.ts';
import type { Hint } from './fetch-deposits.ts';
import { isKnown } from './fetch-deposits.ts';
import { findPayments, type PaymentRow, watchUntil } from './ledger.service.ts';
import type { PaymentService } from './payments.port.ts';
import { findEvident } from './reconcile.sql.ts';
import { storeUnplaced } from './unplaced.service.ts';

const DAY = 86_400_000;
/** Orders that one run asks about, and how many of them have evidence of money at most: the others get the rest. */
const MAX_RUN = 50;
const MAX_EVIDENCE = 40;
/** Orders that one run puts off because the list of all deposits says nothing new of them. */
const MAX_QUIET = 500;
/** Unreachable this often in a row, the provider is left alone until the next run. */
const GIVE_UP = 3;
/** How far back the list of all deposits goes: an order's whole life, and a payment on its way at the end. */
const WINDOW = (PAYMENT_DAYS + PAYMENT_WATCH_DAYS + 8) * DAY;
/** Meanwhile a process may die or the provider refuse; then the order is due again. Milliseconds. */
const TAKEN = 10 * 60_000;
/** The provider's clock may be off by this much; and how long the list may say something else without a new question. */
const CLOCKS = 10 * 60_000;
const SAME_NEWS = 3_600_000;

interface Tools {
  db: Db;
  provider: PaymentProvider;
  now: () => Date;
  warn: (about: Record<string, unknown>, message: string) => void;
  /** Asks about one order and records; what went wrong, when something did. */
  ask(row: PaymentRow): Promise<{ outcome: 'asked' | 'unsure' | 'failed'; unreachable: boolean }>;
  /** False when the order was asked about a moment ago. */
  claim(id: string): Promise<boolean>;
  putOff(row: PaymentRow): Promise<void>;
}

/** What the list of all deposits tells. */
interface News {
  /** Orders of which it says something new. */
  changed: Set<string>;
  /** Since when the list is whole; null when it is not, or nobody may list. */
  wholeSince: number | null;
}

/**
 * Asks about orders by ourselves, those with evidence of money first: what the list of all deposits says anew, signed
 * callbacks that were not followed, payments on their way, chosen coins. The oldest of the others get their share of every
 * run, so none of them waits for ever. Where the list is whole and says nothing new, nobody needs to be asked.
 *
 * @throws what could not be recorded, once all others of this run had their turn.
 */
export async function reconcilePayments(tools: Tools): Promise<{ polled: number; unknown: number }> {
  const at = tools.now();
  const news = await readNews(tools, at);
  const { ask, quiet } = await choose(tools.db, news, at);
  for (const row of quiet) {
    await tools.db.execute(
      sql`update payments set asked_at = greatest(asked_at, ${at.toISOString()}) where id = ${row.id}`,
    );
    await tools.putOff(row);
  }
  // Put off at once: a process that dies on the way leaves them for later.
  await dueAt(tools.db, ask, new Date(at.getTime() + TAKEN));
  const failures: unknown[] = [];
  let unknown = 0;
  let inARow = 0;
  let polled = 0;
  for (const [index, row] of ask.entries()) {
    if (inARow >= GIVE_UP) {
      await dueAt(tools.db, ask.slice(index), at);
      break;
    }
    if (!(await tools.claim(row.id))) continue;
    polled++;
    const { outcome, unreachable } = await tools.ask(row).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      // What can't be recorded of one order is no reason to ask about no other one.
      failures.push(error);
      return { outcome: 'failed' as const, unreachable: false };
    });
    if (outcome === 'unsure') await tools.putOff(row);
    if (outcome === 'failed') unknown++;
    // A refusal is about this order; only who can't be reached is left alone.
    inARow = unreachable ? inARow + 1 : 0;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} orders could not be recorded`);
  return { polled: polled, unknown };
}

const dueAt = (db: Db, rows: PaymentRow[], at: Date) =>
  db.execute(sql`
    update payments set next_check_at = ${at.toISOString()}
    where id = any(${sql.param(rows.map(({ id }) => id))}::uuid[])`);

async function readNews({ db, provider, now, warn }: Tools, at: Date): Promise<News> {
  const since = at.getTime() - WINDOW;
  const nothing: News = { changed: new Set(), wholeSince: null };
  let listed: Awaited<ReturnType<PaymentProvider['recent']>>;
  try {
    listed = await provider.recent(since);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    warn({ err: error }, 'payment provider gives no list');
    return nothing;
  }
  if (!listed) return nothing;
  const ofOrder = await ordersOf(db, listed.deposits);
  const strange: Deposit[] = [];
  const changed = new Set<string>();
  for (const deposit of listed.deposits) {
    const row = ofOrder(deposit);
    if (!row) strange.push(deposit);
    else if (!isKnown(row.ledger, deposit) && isNews(row, deposit, at)) changed.add(row.id);
  }
  await storeUnplaced(db, strange, provider, now());
  return { changed, wholeSince: listed.complete ? since : null };
}

/**
 * Brings deposits of the provider's list to their orders, where that was not done: those with an order are asked about one by
 * one, those without are kept as money to place.
 *
 * @returns how many were news, and the payment of each deposit that has one.
 */
export async function placeListed(
  { db, provider, service, now }: { db: Db; provider: PaymentProvider; service: PaymentService; now: () => Date },
  deposits: Deposit[],
): Promise<{ found: number; paymentOf: Map<string, string> }> {
  const paymentOf = new Map<string, string>();
  let found = 0;
  let strange = deposits;
  // Twice: what repeats a deposit has an order once that one is known.
  for (let round = 0; round < 2 && strange.length > 0; round++) {
    const ofOrder = await ordersOf(db, strange);
    const news = new Map<string, Hint[]>();
    strange = strange.filter((deposit) => {
      const row = ofOrder(deposit);
      if (!row) return true;
      paymentOf.set(deposit.paymentId, row.id);
      if (isKnown(row.ledger, deposit)) return false;
      found++;
      news.set(row.id, [...(news.get(row.id) ?? []), { paymentId: deposit.paymentId, signed: true }]);
      return false;
    });
    for (const [id, hints] of news) await service.ask(id, hints);
    if (news.size === 0) break;
  }
  found += await storeUnplaced(db, strange, provider, now());
  return { found, paymentOf };
}

/** What was asked about since, and is still said otherwise in the list, is asked again now and then only. */
const isNews = (row: PaymentRow, deposit: Deposit, at: Date): boolean =>
  deposit.updatedAt > (row.askedAt?.getTime() ?? 0) - CLOCKS ||
  at.getTime() - (row.attemptedAt?.getTime() ?? 0) > SAME_NEWS;

/** Which of our orders a deposit belongs to. */
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
  const byDeposit = new Map(rows.flatMap((row) => Object.keys(row.ledger.deposits).map((id) => [id, row] as const)));
  return ({ orderId, invoiceId, paymentId, parentId }) =>
    byOrder.get(orderId ?? '') ??
    byInvoice.get(invoiceId ?? '') ??
    byDeposit.get(paymentId) ??
    byDeposit.get(parentId ?? '');
}

async function choose(
  db: Db,
  { changed, wholeSince }: News,
  at: Date,
): Promise<{ ask: PaymentRow[]; quiet: PaymentRow[] }> {
  const evident = await findEvident(db, { changed: [...changed], at, most: MAX_QUIET });
  const oldest = await db
    .select({ id: payments.id })
    .from(payments)
    .where(lte(payments.nextCheckAt, at))
    .orderBy(payments.nextCheckAt)
    .limit(MAX_QUIET);
  // Also those that are too many for this run: what has news is never put off.
  const notified = new Set(evident.filter(({ rank }) => rank < 2).map(({ id }) => id));
  const all = [...new Set([...evident.slice(0, MAX_EVIDENCE), ...oldest].map(({ id }) => id))];
  const found = new Map((await findPayments(db, sql`id = any(${sql.param(all)}::uuid[])`)).map((row) => [row.id, row]));
  const ask: PaymentRow[] = [];
  const quiet: PaymentRow[] = [];
  for (const id of all) {
    const row = found.get(id);
    if (!row) continue;
    if (wholeSince !== null && !notified.has(id) && isCovered(row, wholeSince, at)) quiet.push(row);
    else if (ask.length < MAX_RUN) ask.push(row);
  }
  return { ask, quiet };
}

/** Whether the list of all deposits is as good as a question about this order. Its last ones are always asked. */
function isCovered(row: PaymentRow, wholeSince: number, at: Date): boolean {
  const over = (moment: number) => at.getTime() >= moment && row.ledger.askedAt < moment;
  return row.createdAt.getTime() > wholeSince && !over(row.expiresAt.getTime()) && !over(watchUntil(row));
}

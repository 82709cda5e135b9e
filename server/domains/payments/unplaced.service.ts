import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { UnplacedPayment } from '#contract/admin/unplaced.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';

import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { payments, unplacedPayments } from '#server/db/tables/payments.ts';
import { depositParts, type Holder, postMoney } from '#server/domains/money/posting.service.ts';
import { arrivedUnits, hasMoney } from '#server/domains/payments/facts/reduce.policy.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Deposit, PaymentProvider } from '#server/providers/payments/port.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Maximum number of entries in a response. */
const MAX_ITEMS = 200;

const ORDERED = sql.raw(`exists (select 1 from payments p where (p.ledger -> 'deposits') ? u.provider_payment_id)`);
/** Condition: the deposit waits for a person. It is not settled, and no order contains the deposit. */
export const UNPLACED = sql.raw(`u.settled_at is null and not exists
  (select 1 from payments p where (p.ledger -> 'deposits') ? u.provider_payment_id)`);

/** Our own order numbers, and deposits without one. */
const mayBeOurs = ({ orderId }: Deposit) => orderId === null || /^FL-[0-9A-Z]{10}$/.test(orderId);

/** Source of deposits; on an account that is shared with other sites, their orders are ignored. */
type Source = Pick<PaymentProvider, 'simulation' | 'shared'>;

/**
 * Includes money that was returned before it was first observed: the known facts contain both. A status that is not recognised may mean
 * money: a person reviews it.
 */
const isMoney = (deposit: Deposit) =>
  hasMoney(deposit) ||
  (deposit.status === 'refunded' && arrivedUnits(deposit) > 0n) ||
  !['waiting', 'expired', 'failed', 'refunded'].includes(deposit.status);

type Row = typeof unplacedPayments.$inferSelect;

/**
 * Stores deposits with money that belong to no order here, or their new state, and posts them to the money ledger. One that was settled
 * elsewhere waits for a person again when more of it arrives. @returns the number of new observations. @throws the failures, after all were
 * processed.
 */
export async function storeUnplaced(db: Db, listed: Deposit[], source: Source, now: Date): Promise<number> {
  let stored = 0;
  const deposits = listed.filter((deposit) => !source.shared || mayBeOurs(deposit));
  const ids = deposits.map(({ paymentId }) => paymentId);
  const before = ids.length === 0 ? [] : await readUnplaced(db, ids);
  await runEachSettled(deposits, async (deposit) => {
    const known = before.find(({ providerPaymentId }) => providerPaymentId === deposit.paymentId);
    // For a stored deposit, a return is news even though no money is left.
    if (!known && !isMoney(deposit)) return;
    if (known?.bookedAt && isDeepStrictEqual(known.deposit, JSON.parse(JSON.stringify(deposit)))) return;
    await db.transaction((tx) => keepOne(tx, deposit, source.simulation, now));
    stored++;
  });
  return stored;
}

const readUnplaced = (db: Reader, ids: string[]): Promise<Row[]> =>
  db
    .select()
    .from(unplacedPayments)
    .where(sql`${unplacedPayments.providerPaymentId} = any(${sql.param(ids)}::text[])`);

async function keepOne(tx: Tx, deposit: Deposit, simulation: boolean, now: Date): Promise<void> {
  const { orderId, invoiceId, paymentId: providerPaymentId } = deposit;
  const own = eq(unplacedPayments.providerPaymentId, providerPaymentId);
  const [before] = await tx.select().from(unplacedPayments).where(own).for('update');
  // More money of a deposit that was settled elsewhere: that settlement did not include it.
  const isOpenAgain =
    before !== undefined &&
    before.settledAt !== null &&
    before.paymentId === null &&
    hasMoney(deposit) &&
    arrivedUnits(deposit) > arrivedUnits(before.deposit as unknown as Deposit);
  const values = {
    deposit: { ...deposit },
    updatedAt: now,
    bookedAt: now,
    ...(isOpenAgain ? { settledAt: null, settledBy: null, reason: null } : {}),
  };
  const [row] = await tx
    .insert(unplacedPayments)
    .values({ providerPaymentId, orderId, invoiceId, simulation, firstSeenAt: now, ...values })
    .onConflictDoUpdate({
      target: unplacedPayments.providerPaymentId,
      set: { ...values, version: sql`${unplacedPayments.version} + 1` },
    })
    .returning();
  if (!row) return;
  await bookUnplaced(tx, row, now);
  await publishChange(tx, 'tokenRequests');
  if (isOpenAgain)
    await audit(tx, SYSTEM, {
      action: 'payment.changed',
      resourceType: 'payment',
      resourceId: providerPaymentId,
      before: { reason: before?.reason ?? null },
      after: { reason: null, providerPaymentId },
    });
}

/** Posts a deposit without an order to the money ledger; one that an order contains by now is posted with that order. */
export async function bookUnplaced(tx: Tx, row: Row, at: Date): Promise<void> {
  if (row.paymentId || (await isOrdered(tx, row.providerPaymentId))) return;
  const deposit = row.deposit as unknown as Deposit;
  const holder: Holder = row.settledAt ? 'elsewhere' : 'unplaced';
  const parts = depositParts(deposit, { outcome: deposit.outcome ?? null, cents: 0n, holder });
  await postMoney(tx, parts, { simulation: row.simulation, order: null, at });
}

/** True when an order contains the deposit. */
async function isOrdered(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: sql`u.provider_payment_id` })
    .from(sql`unplaced_payments u`)
    .where(sql`u.provider_payment_id = ${id} and ${ORDERED}`);
  return row !== undefined;
}

const readWaiting = (db: Reader, max: number, where?: SQL) =>
  db
    .select()
    .from(unplacedPayments)
    .where(
      and(
        isNull(unplacedPayments.settledAt),
        sql`not exists (select 1 from payments p where (p.ledger -> 'deposits') ? ${unplacedPayments.providerPaymentId})`,
        where,
      ),
    )
    .orderBy(asc(unplacedPayments.firstSeenAt), asc(unplacedPayments.providerPaymentId))
    .limit(max);

/** Waiting deposits, oldest first. */
export const listUnplaced = async (db: Reader): Promise<UnplacedPayment[]> =>
  (await readWaiting(db, MAX_ITEMS)).map(presentUnplaced);

/** Waiting deposits by the number of the deposit, of the one it repeats or of its invoice, or by part of an order number. */
export async function findUnplaced(db: Reader, q: string, max: number): Promise<UnplacedPayment[]> {
  const u = unplacedPayments;
  const found = or(
    eq(u.providerPaymentId, q),
    eq(u.invoiceId, q),
    sql`${u.deposit} ->> 'parentId' = ${q}`,
    sql`position(${q.toUpperCase()} in ${u.orderId}) > 0`,
  );
  return (await readWaiting(db, max, found)).map(presentUnplaced);
}

function presentUnplaced(row: Row): UnplacedPayment {
  const deposit = row.deposit as unknown as Deposit;
  return {
    id: row.providerPaymentId,
    version: row.version,
    orderId: deposit.orderId,
    parentId: deposit.parentId,
    status: deposit.rawStatus ?? deposit.status,
    known: deposit.status !== 'unknown',
    amount: deposit.actuallyPaid,
    currency: deposit.payCurrency,
    priceUsd: deposit.priceCurrency === 'usd' ? deposit.priceAmount : null,
    simulation: row.simulation,
    since: row.firstSeenAt.toISOString(),
  };
}

/**
 * The waiting row in the version that the editor saw, locked.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT when it changed or was settled meanwhile, ALREADY_DONE when it was settled before, or when an order
 *   has the deposit by now: that does not change the row, and a deposit must not count for two orders
 */
export async function lockUnplaced(tx: Tx, { id, version }: { id: string; version: number }): Promise<Row> {
  const [row] = await tx
    .select()
    .from(unplacedPayments)
    .where(eq(unplacedPayments.providerPaymentId, id))
    .for('update');
  if (!row) return fail('NOT_FOUND', { what: 'payment' });
  if (row.version === version) return row.settledAt || (await isOrdered(tx, id)) ? fail('ALREADY_DONE') : row;
  const [settled] = await tx
    .select({
      orderId: payments.orderId,
      by: sql`coalesce(${forumUsers.username}, ${users.email})`.mapWith(orNull(asText)),
    })
    .from(unplacedPayments)
    .leftJoin(payments, eq(payments.id, unplacedPayments.paymentId))
    .leftJoin(users, eq(users.id, unplacedPayments.settledBy))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(eq(unplacedPayments.providerPaymentId, id));
  return fail('VERSION_CONFLICT', {
    version: row.version,
    current: { orderId: settled?.orderId ?? '', reason: row.reason ?? '' },
    by: settled?.by ?? null,
    at: row.updatedAt.toISOString(),
    byProvider: !row.settledAt,
  });
}

/** Settles a deposit that the caller's transaction has locked. */
export async function settleUnplaced(
  tx: Tx,
  { id, paymentId, reason }: { id: string; paymentId: string | null; reason: string },
  by: Actor & { id: string },
  now: Date,
): Promise<void> {
  const [row] = await tx
    .update(unplacedPayments)
    .set({
      settledAt: now,
      settledBy: by.id,
      paymentId,
      reason,
      updatedAt: now,
      version: sql`${unplacedPayments.version} + 1`,
    })
    .where(eq(unplacedPayments.providerPaymentId, id))
    .returning();
  if (!row) return fail('NOT_FOUND', { what: 'payment' });
  if (!paymentId) await bookUnplaced(tx, row, now);
  await publishChange(tx, 'tokenRequests');
  await audit(tx, by, {
    action: paymentId ? 'payment.placed' : 'payment.settled_elsewhere',
    resourceType: 'payment',
    resourceId: paymentId ?? id,
    after: { providerPaymentId: id },
    reason,
  });
}

/** Settles money that was returned outside of refunds, or belongs elsewhere. @throws NOT_FOUND, VERSION_CONFLICT, ALREADY_DONE */
export const settleElsewhere = (
  db: Db,
  { id, version, reason }: { id: string; version: number; reason: string },
  by: Actor & { id: string },
  now: Date,
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockUnplaced(tx, { id, version });
    await settleUnplaced(tx, { id, paymentId: null, reason }, by, now);
  });

import { sql } from 'drizzle-orm';
import type { UnplacedPayment } from '#contract/admin/payments.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { hasMoney } from './reduce.policy.ts';

/** Entries in one answer. */
const MAX_ITEMS = 200;

/** Waits for a person: nobody settled it, and no order of ours knows the deposit by now. */
export const UNPLACED = sql.raw(`u.settled_at is null and not exists
  (select 1 from payments p where (p.ledger -> 'deposits') ? u.provider_payment_id)`);

/** Our own numbers, and deposits without one; what else an account is used for is none of our business. */
const mayBeOurs = ({ orderId }: Deposit) => orderId === null || /^FL-[0-9A-Z]{10}$/.test(orderId);
const isMoney = (deposit: Deposit) =>
  hasMoney(deposit) || !['waiting', 'expired', 'failed', 'refunded'].includes(deposit.status);

/** Keeps deposits with money whose order is not here, or what is new of them. */
export async function keepUnplaced(db: Db, deposits: Deposit[], simulation: boolean, now: Date): Promise<void> {
  const wanted = deposits.filter((deposit) => mayBeOurs(deposit) && isMoney(deposit));
  for (const deposit of wanted)
    await db.execute(sql`
      insert into unplaced_payments (provider_payment_id, deposit, order_id, invoice_id, simulation, first_seen_at, updated_at)
      values (${deposit.paymentId}, ${JSON.stringify(deposit)}::jsonb, ${deposit.orderId}, ${deposit.invoiceId},
              ${simulation}, ${now.toISOString()}, ${now.toISOString()})
      on conflict (provider_payment_id) do update set deposit = excluded.deposit, updated_at = excluded.updated_at
        where unplaced_payments.deposit <> excluded.deposit`);
}

interface Row extends Record<string, unknown> {
  id: string;
  deposit: Deposit;
  simulation: boolean;
  since: Date;
}

/** What waits, oldest first. */
export async function listUnplaced(db: Reader): Promise<UnplacedPayment[]> {
  const { rows } = await db.execute<Row>(sql`
    select provider_payment_id as id, deposit, simulation, first_seen_at as since
    from unplaced_payments u where ${UNPLACED} order by first_seen_at, provider_payment_id limit ${MAX_ITEMS}`);
  return rows.map(({ id, deposit, simulation, since }) => ({
    id,
    orderId: deposit.orderId,
    status: deposit.rawStatus ?? deposit.status,
    amount: deposit.actuallyPaid,
    currency: deposit.payCurrency,
    priceUsd: deposit.priceCurrency === 'usd' ? deposit.priceAmount : null,
    simulation,
    since: new Date(since).toISOString(),
  }));
}

/** Takes one off the list, in the caller's transaction. @throws NOT_FOUND when it does not wait (any more). */
export async function settleUnplaced(
  tx: Tx,
  { id, paymentId, reason }: { id: string; paymentId: string | null; reason: string },
  by: Actor & { id: string },
  now: Date,
): Promise<void> {
  const { rowCount } = await tx.execute(sql`
    update unplaced_payments u set settled_at = ${now.toISOString()}, settled_by = ${by.id}, payment_id = ${paymentId},
      reason = ${reason}
    where provider_payment_id = ${id} and settled_at is null`);
  if (!rowCount) fail('NOT_FOUND', { what: 'payment' });
  await publishChange(tx, 'tokenRequests');
  await audit(tx, by, {
    action: paymentId ? 'payment.placed' : 'payment.settled_elsewhere',
    resourceType: 'payment',
    resourceId: paymentId ?? id,
    after: { providerPaymentId: id },
    reason,
  });
}

/** Money that was given back, or belongs elsewhere. @throws NOT_FOUND when it does not wait (any more). */
export const settleElsewhere = (
  db: Db,
  { id, reason }: { id: string; reason: string },
  by: Actor & { id: string },
  now: Date,
): Promise<void> => db.transaction((tx) => settleUnplaced(tx, { id, paymentId: null, reason }, by, now));

import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import { type Limit, REFUND_CODE_MINUTES, REFUND_CODE_TRIES } from '#contract/limits.ts';
import { fromUnits, isTransaction, refundAsset, toUnits } from '#contract/refund-assets.ts';
import type { Refund } from '#contract/refunds.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { payments } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { findPayments, lockRequest, type PaymentRow } from '#server/domains/payments/ledger.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { depositsIn } from '#server/domains/payments/reduce.policy.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { deriveKey } from '#server/lib/derive-key.ts';
import { fail } from '#server/lib/fail.ts';
import { newReference, privatePath } from '#server/lib/private-pages.ts';
import { consumeRateLimits } from '#server/lib/rate-limit.ts';
import { publishChange } from '#server/live/publish.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { Editor } from '#server/records/records.ts';
import { isAddressOf } from './addresses.policy.ts';

export type RefundRow = typeof refundCases.$inferSelect;

interface Services {
  jobs: JobQueue;
  secret: string;
}

interface NewRefund {
  cause: RefundRow['cause'];
  /** What the payer reads. */
  reason: string;
  /** The provider's code of a coin that arrived. */
  asset: string;
  /** A decimal of it; null: everything that did not go back yet. */
  amount: string | null;
}

const MINUTE = 60_000;
const plain = (amount: number) => amount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });

/** Coins that arrived for a payment, with how much of each in smallest units; null of a coin that we can't count. */
export function arrivedAssets(row: PaymentRow): Map<string, bigint | null> {
  const arrived = new Map<string, bigint | null>();
  for (const { payCurrency, actuallyPaid } of depositsIn(row.ledger)) {
    if (!payCurrency || !actuallyPaid || actuallyPaid <= 0) continue;
    const asset = payCurrency.toLowerCase();
    const { decimals } = refundAsset(asset) ?? {};
    const [whole, part = ''] = plain(actuallyPaid).split('.');
    const units = decimals === undefined ? null : toUnits(`${whole}.${part.slice(0, decimals) || '0'}`, decimals);
    const before = arrived.has(asset) ? (arrived.get(asset) ?? null) : 0n;
    arrived.set(asset, units === null || before === null ? null : before + units);
  }
  return arrived;
}

/** What of a coin arrived for a payment and is not in a refund yet, in smallest units. The request has to be locked. */
async function remaining(tx: Tx, row: PaymentRow, asset: string): Promise<bigint | null> {
  const arrived = arrivedAssets(row).get(asset);
  if (arrived === undefined || arrived === null) return null;
  const cases = await tx
    .select({ amount: refundCases.amount })
    .from(refundCases)
    .where(and(eq(refundCases.paymentId, row.id), eq(refundCases.asset, asset), ne(refundCases.state, 'withdrawn')));
  return cases.reduce((left, { amount }) => left - amount, arrived);
}

/**
 * Opens a refund in the caller's transaction, in which the request is locked, and asks its payer for an address by mail.
 *
 * @throws REFUND_REFUSED (asset, amount, or no mailbox to confirm an address with)
 */
export async function openRefund(
  tx: Tx,
  services: Services,
  by: Editor,
  payment: PaymentRow,
  { cause, reason, asset: code, amount }: NewRefund,
): Promise<RefundRow> {
  const { email } = await lockRequest(tx, payment.submissionId);
  const asset = code.toLowerCase();
  const known = refundAsset(asset);
  const left = known && (await remaining(tx, payment, asset));
  if (!known || left === null) return fail('REFUND_REFUSED', { why: 'asset' });
  const units = amount === null ? left : toUnits(amount, known.decimals);
  if (units === null || units <= 0n || units > left) return fail('REFUND_REFUSED', { why: 'amount' });
  if (!email) return fail('REFUND_REFUSED', { why: 'mailbox' });
  const [row] = await tx
    .insert(refundCases)
    .values({
      number: newReference('RF'),
      submissionId: payment.submissionId,
      paymentId: payment.id,
      cause,
      reason: cleanText(reason, 'text'),
      asset,
      decimals: known.decimals,
      amount: units,
      openedBy: by.actor.id,
      simulation: payment.simulation,
      createdAt: by.now,
      updatedAt: by.now,
    })
    .returning();
  if (!row) throw new Error('no refund inserted');
  await tell(tx, services, row, 'opened');
  await note(tx, by.actor, 'refund.opened', row, reason);
  return row;
}

/**
 * Opens a refund of everything that arrived for a request and did not go back yet: one for each payment and coin.
 *
 * @throws REFUND_REFUSED when something arrived that can't be given back that way: nobody is told that all of it does.
 */
export async function refundAll(
  tx: Tx,
  services: Services,
  by: Editor,
  requestId: string,
  about: Pick<NewRefund, 'cause' | 'reason'>,
): Promise<void> {
  for (const payment of await findPayments(tx, sql`submission_id = ${requestId}`))
    for (const [asset, units] of arrivedAssets(payment)) {
      if (units === null) fail('REFUND_REFUSED', { why: 'asset' });
      if ((await remaining(tx, payment, asset)) === 0n) continue;
      await openRefund(tx, services, by, payment, { ...about, asset, amount: null });
    }
}

/** Opens a refund about a payment. @throws NOT_FOUND, REFUND_REFUSED */
export function openRefundOf(
  db: Db,
  services: Services,
  by: Editor,
  input: { paymentId: string; asset: string; amount: string; reason: string },
): Promise<string> {
  return db.transaction(async (tx) => {
    const [found] = await findPayments(tx, sql`id = ${input.paymentId}`);
    if (!found) return fail('NOT_FOUND', { what: 'payment' });
    await lockRequest(tx, found.submissionId);
    const [payment] = await findPayments(tx, sql`id = ${input.paymentId}`, true);
    if (!payment) return fail('NOT_FOUND', { what: 'payment' });
    return (await openRefund(tx, services, by, payment, { ...input, cause: 'payment' })).id;
  });
}

const codeHash = (secret: string, id: string, code: string): Buffer =>
  createHmac('sha256', deriveKey(secret, 'refund code')).update(`${id} ${code}`).digest();

/** A refund of a request, locked after the request, as everybody locks. @throws NOT_FOUND */
async function lockRefund(tx: Tx, id: string, requestId?: string): Promise<RefundRow> {
  const [seen] = await tx.select().from(refundCases).where(eq(refundCases.id, id));
  if (!seen || (requestId !== undefined && seen.submissionId !== requestId))
    return fail('NOT_FOUND', { what: 'refund' });
  await lockRequest(tx, seen.submissionId);
  const [row] = await tx.select().from(refundCases).where(eq(refundCases.id, id)).for('update');
  return row ?? fail('NOT_FOUND', { what: 'refund' });
}

const change = async (tx: Tx, row: RefundRow, values: Partial<RefundRow>, now: Date): Promise<RefundRow> => {
  const [changed] = await tx
    .update(refundCases)
    .set({ ...values, version: row.version + 1, updatedAt: now })
    .where(eq(refundCases.id, row.id))
    .returning();
  return changed ?? fail('NOT_FOUND', { what: 'refund' });
};

/**
 * Takes the address that the payer says and mails a code to the order's mailbox. Whoever holds the private link alone can't
 * lead the money elsewhere: the code is only in the mailbox.
 *
 * @param limit of addresses said for one refund.
 * @throws NOT_FOUND, REFUND_CLOSED, REFUND_REFUSED (no address of the coin's chain), RATE_LIMITED
 */
export function setAddress(
  db: Db,
  services: Services,
  { id, requestId, address }: { id: string; requestId: string; address: string },
  { actor, now, limit }: { actor: Actor; now: Date; limit: Limit },
): Promise<Refund> {
  return db.transaction(async (tx) => {
    const row = await lockRefund(tx, id, requestId);
    if (row.state === 'sent' || row.state === 'withdrawn') return fail('REFUND_CLOSED', { state: row.state });
    const chain = refundAsset(row.asset)?.chain;
    if (!chain || !isAddressOf(chain, address)) return fail('REFUND_REFUSED', { why: 'address' });
    await consumeRateLimits(tx, [{ key: `refund-address:${id}`, limit }], now);
    const code = String(randomInt(100_000_000)).padStart(8, '0');
    const changed = await change(
      tx,
      row,
      {
        state: 'address_unconfirmed',
        address,
        addressAt: now,
        confirmedAt: null,
        codeHash: codeHash(services.secret, id, code),
        codeUntil: new Date(now.getTime() + REFUND_CODE_MINUTES * MINUTE),
        codeTries: 0,
      },
      now,
    );
    await tell(tx, services, changed, 'confirm', code);
    await note(tx, actor, 'refund.address_set', changed);
    return presentRefund(changed, await orderIdOf(tx, row.paymentId));
  });
}

/**
 * Confirms the address with the mailed code. A wrong code counts, also when the transaction of the try is over.
 *
 * @throws NOT_FOUND, REFUND_CLOSED, REFUND_CODE
 */
export async function confirmAddress(
  db: Db,
  services: Services,
  { id, requestId, code }: { id: string; requestId: string; code: string },
  { actor, now }: { actor: Actor; now: Date },
): Promise<Refund> {
  const answer = await db.transaction(async (tx) => {
    const row = await lockRefund(tx, id, requestId);
    if (row.state === 'sent' || row.state === 'withdrawn' || row.state === 'ready')
      return fail('REFUND_CLOSED', { state: row.state });
    const open = row.codeHash && row.codeUntil && row.codeUntil > now && row.codeTries < REFUND_CODE_TRIES;
    if (!open || !row.codeHash) return { triesLeft: 0 };
    if (!timingSafeEqual(row.codeHash, codeHash(services.secret, id, code.replace(/\s/g, '')))) {
      await tx
        .update(refundCases)
        .set({ codeTries: row.codeTries + 1 })
        .where(eq(refundCases.id, id));
      return { triesLeft: REFUND_CODE_TRIES - row.codeTries - 1 };
    }
    const changed = await change(tx, row, { state: 'ready', confirmedAt: now, codeHash: null, codeUntil: null }, now);
    await publishChange(tx, 'deliverables');
    await note(tx, actor, 'refund.address_confirmed', changed);
    return presentRefund(changed, await orderIdOf(tx, row.paymentId));
  });
  return 'triesLeft' in answer ? fail('REFUND_CODE', answer) : answer;
}

/** As the editor saw it, and open. @throws VERSION_CONFLICT, REFUND_CLOSED */
async function lockOpen(tx: Tx, { id, version }: { id: string; version: number }): Promise<RefundRow> {
  const row = await lockRefund(tx, id);
  if (row.state === 'sent' || row.state === 'withdrawn') return fail('REFUND_CLOSED', { state: row.state });
  if (row.version !== version)
    fail('VERSION_CONFLICT', {
      version: row.version,
      current: { state: row.state, address: row.address },
      at: row.updatedAt.toISOString(),
    });
  return row;
}

/**
 * Says that a refund was sent. Its payment then needs no other look for the money that went back.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, REFUND_CLOSED, REFUND_REFUSED, EVIDENCE_USED
 */
export function sendRefund(
  db: Db,
  services: Services & { payments: PaymentService },
  by: Editor,
  input: { id: string; version: number; transaction: string; byProvider: boolean },
): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockOpen(tx, input);
    const { transaction, byProvider } = input;
    if (byProvider) await refuseUnlessReturned(tx, row);
    else if (row.state !== 'ready') fail('REFUND_REFUSED', { why: 'unconfirmed' });
    const chain = refundAsset(row.asset)?.chain;
    if (!(byProvider && transaction === '') && !(chain && isTransaction(chain, transaction)))
      fail('REFUND_REFUSED', { why: 'transaction' });
    const used = transaction === '' ? null : await findTransaction(tx, transaction);
    if (used) fail('EVIDENCE_USED', { orderId: used.orderId, what: used.number });
    const changed = await change(
      tx,
      row,
      { state: 'sent', transaction: transaction || null, byProvider, sentAt: by.now, sentBy: by.actor.id },
      by.now,
    );
    await services.payments.noteRefund(tx, row.paymentId, by.actor);
    await tell(tx, services, changed, 'sent');
    await note(tx, by.actor, 'refund.sent', changed);
  });
}

/** @throws REFUND_REFUSED unless the provider says of a deposit in that coin that it went back. */
async function refuseUnlessReturned(tx: Tx, { paymentId, asset }: RefundRow): Promise<void> {
  const [payment] = await findPayments(tx, sql`id = ${paymentId}`);
  const returned = payment
    ? depositsIn(payment.ledger).some((one) => one.status === 'refunded' && one.payCurrency?.toLowerCase() === asset)
    : false;
  if (!returned) fail('REFUND_REFUSED', { why: 'provider' });
}

async function findTransaction(tx: Tx, transaction: string) {
  const [found] = await tx
    .select({ orderId: payments.orderId, number: refundCases.number })
    .from(refundCases)
    .innerJoin(payments, eq(payments.id, refundCases.paymentId))
    .where(eq(sql`lower(${refundCases.transaction})`, transaction.toLowerCase()));
  return found ?? null;
}

/** Withdraws a refund that was not sent; its payer reads why. @throws NOT_FOUND, VERSION_CONFLICT, REFUND_CLOSED */
export function withdrawRefund(
  db: Db,
  services: Services,
  by: Editor,
  input: { id: string; version: number; reason: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockOpen(tx, input);
    await withdraw(tx, services, by, row, cleanText(input.reason, 'text'));
  });
}

async function withdraw(tx: Tx, services: Services, by: Editor, row: RefundRow, reason: string): Promise<void> {
  const changed = await change(tx, row, { state: 'withdrawn', withdrawnAt: by.now, withdrawnReason: reason }, by.now);
  await tell(tx, services, changed, 'withdrawn');
  await note(tx, by.actor, 'refund.withdrawn', changed, reason);
}

/**
 * Withdraws what was opened when a request was closed and was not sent; for a request that is opened again. The request has to
 * be locked.
 *
 * @throws REFUND_CLOSED when money of it went back already.
 */
export async function withdrawOfClosing(tx: Tx, services: Services, by: Editor, requestId: string, reason: string) {
  const rows = await tx
    .select()
    .from(refundCases)
    .where(and(eq(refundCases.submissionId, requestId), inArray(refundCases.cause, ['cancelled', 'network'])))
    .for('update');
  if (rows.some(({ state }) => state === 'sent')) fail('REFUND_CLOSED', { state: 'sent' });
  for (const row of rows) if (row.state !== 'withdrawn') await withdraw(tx, services, by, row, reason);
}

async function orderIdOf(db: Reader, paymentId: string): Promise<string> {
  const [row] = await db.select({ orderId: payments.orderId }).from(payments).where(eq(payments.id, paymentId));
  return row?.orderId ?? '';
}

/** A refund as its payer sees it. */
export function presentRefund(row: RefundRow, orderId: string): Refund {
  const at = (moment: Date | null) => moment?.toISOString() ?? null;
  return {
    id: row.id,
    number: row.number,
    orderId,
    cause: row.cause,
    reason: row.reason,
    state: row.state,
    asset: row.asset,
    chain: refundAsset(row.asset)?.chain ?? 'evm',
    amount: fromUnits(row.amount, row.decimals),
    units: String(row.amount),
    address: row.address,
    transaction: row.transaction,
    byProvider: row.byProvider,
    simulation: row.simulation,
    openedAt: row.createdAt.toISOString(),
    addressAt: at(row.addressAt),
    confirmedAt: at(row.confirmedAt),
    sentAt: at(row.sentAt),
    withdrawnAt: at(row.withdrawnAt),
    withdrawnReason: row.withdrawnReason,
  };
}

/** Refunds of a request, newest first. */
export async function refundsOf(db: Reader, requestId: string): Promise<Refund[]> {
  const rows = await db
    .select({ row: refundCases, orderId: payments.orderId })
    .from(refundCases)
    .innerJoin(payments, eq(payments.id, refundCases.paymentId))
    .where(eq(refundCases.submissionId, requestId))
    .orderBy(desc(refundCases.createdAt), refundCases.id);
  return rows.map(({ row, orderId }) => presentRefund(row, orderId));
}

/** Mails the payer what happened to a refund, and tells open screens. */
async function tell(
  tx: Tx,
  { jobs, secret }: Services,
  row: RefundRow,
  news: 'opened' | 'confirm' | 'sent' | 'withdrawn',
  code = '',
): Promise<void> {
  await publishChange(tx, 'deliverables');
  const { email } = await lockRequest(tx, row.submissionId);
  const [payment] = await findPayments(tx, sql`id = ${row.paymentId}`);
  if (!email || !payment) return;
  await queueMail(tx, jobs, {
    to: email,
    locale: payment.locale,
    template: 'refund',
    data: {
      news,
      number: row.number,
      orderId: payment.orderId,
      amount: `${fromUnits(row.amount, row.decimals)} ${row.asset.toUpperCase()}`,
      reason: news === 'withdrawn' ? (row.withdrawnReason ?? '') : row.reason,
      address: row.address,
      transaction: row.transaction,
      code,
      minutes: REFUND_CODE_MINUTES,
      path: privatePath(secret, 'order', row.submissionId, payment.locale),
      simulation: row.simulation,
    },
  });
}

const note = (
  tx: Tx,
  actor: Actor,
  action: 'refund.opened' | 'refund.address_set' | 'refund.address_confirmed' | 'refund.sent' | 'refund.withdrawn',
  row: RefundRow,
  reason?: string,
) =>
  audit(tx, actor, {
    action,
    resourceType: 'refund',
    resourceId: row.id,
    after: {
      state: row.state,
      number: row.number,
      requestId: row.submissionId,
      asset: row.asset,
      units: String(row.amount),
      address: row.address,
      transaction: row.transaction,
      cause: row.cause,
      ...(row.byProvider ? { byProvider: true } : {}),
    },
    ...(reason ? { reason } : {}),
  });

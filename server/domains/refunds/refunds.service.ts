import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { fromUnits, isTransaction, refundAsset, toUnits } from '#contract/refund-assets.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { lockByName } from '#server/db/server.sql.ts';
import { payments } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import {
  findPayments,
  lockRequest,
  type PaymentRow,
  seenDeposits,
} from '#server/domains/payments/facts/record.service.ts';
import type { PaymentService, Placing } from '#server/domains/payments/payments.port.ts';
import { postRefund } from '#server/domains/payments/posting/post-refunds.service.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { newRecordNumber } from '#server/lib/text/record-number.ts';
import { refundsTexts } from '#server/mail/texts/refunds.ts';
import type { Editor } from '#server/records/records.ts';
import { arrivedAssets, isRefundNotedByHand, remaining, unitsIn } from './amounts.service.ts';
import {
  auditRefund,
  changeRefund,
  lockOpen,
  notifyPayer,
  type RefundRow,
  type RefundServices,
} from './cases.service.ts';
import { isClaimedBy, refuseIfClaimed } from './claims.service.ts';
import { refuseUnlessReturned } from './returned.service.ts';

interface NewRefund {
  cause: RefundRow['cause'];
  /** Reason that is shown to the payer. */
  reason: string;
  /** The provider's code of a coin that arrived. */
  asset: string;
  /** Decimal amount of the coin; null: everything that was not returned yet. */
  amount: string | null;
}

/**
 * Opens a refund in the caller's transaction, in which the request is locked, and asks its payer for an address by mail.
 *
 * @throws REFUND_REFUSED (asset, amount, or no mailbox to confirm an address with)
 */
export async function openRefund(
  tx: Tx,
  services: RefundServices,
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
      number: newRecordNumber('RF'),
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
  await notifyPayer(tx, services, row, 'opened');
  await auditRefund(tx, by.actor, 'opened', row, { reason });
  return row;
}

/**
 * Opens refunds of everything that arrived for a request and was not returned yet: one per payment and coin.
 *
 * @throws REFUND_REFUSED when a part can't be refunded this way: the payer must not read that everything is. And when version 0.2.0
 *   noted a refund by hand: the payer must not get the same money again.
 */
export async function refundAll(
  tx: Tx,
  services: RefundServices,
  by: Editor,
  requestId: string,
  about: Pick<NewRefund, 'cause' | 'reason'>,
): Promise<void> {
  for (const payment of await findPayments(tx, sql`submission_id = ${requestId}`))
    for (const [asset, units] of arrivedAssets(payment)) {
      if (units === null) fail('REFUND_REFUSED', { why: 'asset' });
      if (((await remaining(tx, payment, asset)) ?? 0n) <= 0n) continue;
      if (isRefundNotedByHand(payment)) fail('REFUND_REFUSED', { why: 'noted' });
      await openRefund(tx, services, by, payment, { ...about, asset, amount: null });
    }
}

/** Opens a refund of a payment. @throws NOT_FOUND, REFUND_REFUSED */
export function openRefundOf(
  db: Db,
  services: RefundServices,
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

/**
 * Assigns money without an order to an order of its payer and opens the refund of all of it there, atomically.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, ALREADY_DONE, PAYMENT_UNAVAILABLE, REFUND_REFUSED
 */
export async function refundUnplaced(
  services: RefundServices & { payments: PaymentService },
  editor: Editor & { by: string },
  input: Placing,
): Promise<{ requestId: string; refund: string }> {
  let refund = '';
  const { requestId } = await services.payments.place(
    input,
    { ...editor.actor, id: editor.by },
    async (tx, paymentId) => {
      const [payment] = await findPayments(tx, sql`id = ${paymentId}`);
      if (!payment) return fail('NOT_FOUND', { what: 'payment' });
      const deposit = seenDeposits(payment).find(({ paymentId: id }) => id === input.id);
      const asset = deposit?.payCurrency?.toLowerCase() ?? '';
      const known = refundAsset(asset);
      if (!deposit || !known) return fail('REFUND_REFUSED', { why: 'asset' });
      const amount = fromUnits(unitsIn(deposit, known.decimals), known.decimals);
      const row = await openRefund(tx, services, editor, payment, {
        cause: 'payment',
        reason: input.reason,
        asset,
        amount,
      });
      refund = row.number;
    },
  );
  return { requestId, refund };
}

/**
 * Records that a refund was sent, by the admin who claimed it or by the provider. Its payment then needs no further review of the
 * returned money, unless the provider returned it too.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, REFUND_CLOSED, REFUND_CLAIMED, REFUND_REFUSED, EVIDENCE_USED
 */
export function sendRefund(
  db: Db,
  services: RefundServices & { payments: PaymentService },
  by: Editor,
  input: { id: string; version: number; transaction: string; byProvider: boolean },
): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockOpen(tx, input);
    const { transaction, byProvider } = input;
    if (!isClaimedBy(row, by.actor)) await refuseIfClaimed(tx, row, by.actor);
    if (byProvider && row.haltedAt) fail('REFUND_REFUSED', { why: 'halted' });
    if (byProvider) await refuseUnlessReturned(tx, row);
    else if (row.state !== 'ready') fail('REFUND_REFUSED', { why: 'unconfirmed' });
    // A paid refund is recorded whatever became known since its claim, which compared the amounts.
    else if (!row.claimedAt) fail('REFUND_REFUSED', { why: 'unclaimed' });
    const chain = refundAsset(row.asset)?.chain;
    if (!(byProvider && transaction === '') && !(chain && isTransaction(chain, transaction)))
      fail('REFUND_REFUSED', { why: 'transaction' });
    const used = transaction === '' ? null : await findTransaction(tx, transaction);
    if (used) fail('EVIDENCE_USED', { orderId: used.orderId, what: used.number });
    const changed = await changeRefund(
      tx,
      row,
      { state: 'sent', transaction: transaction || null, byProvider, sentAt: by.now, sentBy: by.actor.id },
      by.now,
    );
    const sent = byProvider ? undefined : { ...row, openedAt: row.createdAt };
    if (!(await isAnyHalted(tx, row.paymentId)))
      await services.payments.acknowledgeRefund(tx, row.paymentId, by.actor, sent);
    await postRefund(tx, changed, by.now);
    await notifyPayer(tx, services, changed, 'sent');
    await auditRefund(tx, by.actor, 'sent', changed);
  });
}

/**
 * True when a return by the provider halted any refund of this payment: the money may have been paid out twice, so a person has to note the
 * return, however many refunds are recorded afterwards.
 */
async function isAnyHalted(tx: Tx, paymentId: string): Promise<boolean> {
  const halted = and(eq(refundCases.paymentId, paymentId), isNotNull(refundCases.haltedAt));
  return (await tx.select({ id: refundCases.id }).from(refundCases).where(halted).limit(1)).length > 0;
}

async function findTransaction(tx: Tx, transaction: string) {
  // Of two concurrent refunds with the same transaction, the later one waits and sees the first.
  await lockByName(tx, { names: [`refund ${transaction.toLowerCase()}`] });
  const [found] = await tx
    .select({ orderId: payments.orderId, number: refundCases.number })
    .from(refundCases)
    .innerJoin(payments, eq(payments.id, refundCases.paymentId))
    .where(eq(sql`lower(${refundCases.transaction})`, transaction.toLowerCase()));
  return found ?? null;
}

/**
 * Withdraws a refund that was not sent; the reason is shown to its payer.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, REFUND_CLOSED, REFUND_CLAIMED
 */
export function withdrawRefund(
  db: Db,
  services: RefundServices,
  by: Editor,
  input: { id: string; version: number; reason: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockOpen(tx, input);
    await withdraw(tx, services, by, row, cleanText(input.reason, 'text'));
  });
}

async function withdraw(tx: Tx, services: RefundServices, by: Editor, row: RefundRow, reason: string): Promise<void> {
  await refuseIfClaimed(tx, row, by.actor);
  const changed = await changeRefund(
    tx,
    row,
    { state: 'withdrawn', withdrawnAt: by.now, withdrawnReason: reason, withdrawnCause: 'team' },
    by.now,
  );
  await notifyPayer(tx, services, changed, 'withdrawn');
  await auditRefund(tx, by.actor, 'withdrawn', changed, { reason });
}

/**
 * Withdraws the unsent refunds that were opened when a request was closed, because the request is reopened: the payer reads that reason, in
 * the language of the order, instead of the note of the closing, which promised a refund. The request has to be locked.
 *
 * @throws REFUND_CLOSED when one of them was sent already; REFUND_CLAIMED when somebody is paying one.
 */
export async function withdrawOfClosing(tx: Tx, services: RefundServices, by: Editor, requestId: string) {
  const rows = await tx
    .select()
    .from(refundCases)
    .where(and(eq(refundCases.submissionId, requestId), inArray(refundCases.cause, ['cancelled', 'network'])))
    .for('update');
  if (rows.some(({ state }) => state === 'sent')) fail('REFUND_CLOSED', { state: 'sent' });
  for (const row of rows) {
    if (row.state === 'withdrawn') continue;
    const [payment] = await findPayments(tx, sql`id = ${row.paymentId}`);
    await withdraw(tx, services, by, row, refundsTexts[payment?.locale ?? 'es'].refund.reopened);
  }
}

import { eq, sql } from 'drizzle-orm';
import { REFUND_CLAIM_MINUTES } from '#contract/domains/refunds.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { users } from '#server/db/tables/accounts.ts';
import { findPayments, isAnswered, seenDeposits } from '#server/domains/payments/facts/record.service.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { stopForRefund } from '#server/domains/token-creation/refund-stop.service.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Editor } from '#server/records/records.ts';
import { refuseUnlessLeft } from './amounts.service.ts';
import {
  auditRefund,
  changeRefund,
  lockOpen,
  lockRefund,
  type RefundRow,
  type RefundServices,
} from './cases.service.ts';
import { withdrawForReturn } from './returned.service.ts';

const MINUTE = 60_000;

/** True when this person claimed the refund and did not release it; the claim may have expired. */
export const isClaimedBy = (row: Pick<RefundRow, 'claimedAt' | 'claimedBy'>, actor: Actor): boolean =>
  row.claimedAt !== null && row.claimedBy !== null && row.claimedBy === actor.id;

/** Guard: nobody claimed the refund. @throws REFUND_CLAIMED */
export async function refuseIfClaimed(tx: Tx, row: RefundRow, actor: Actor): Promise<void> {
  if (!row.claimUntil) return;
  const [claimant] = await tx
    .select({ name: sql`coalesce(f.username, ${users.email})`.mapWith(asText) })
    .from(users)
    .leftJoin(sql`forum_users f`, sql`f.new_auth_user_id = ${users.id}`)
    .where(row.claimedBy ? eq(users.id, row.claimedBy) : sql`false`);
  fail('REFUND_CLAIMED', {
    by: claimant?.name ?? null,
    mine: isClaimedBy(row, actor),
    until: row.claimUntil.toISOString(),
  });
}

/**
 * Claims a refund, so that its address is shown to one person, who pays it. Fetches its payment from the provider first: a return
 * that becomes known by that ends the refund, and nothing is claimed. If the claimed refunds leave no money that pays for the token, a
 * creation that is under way stops before anything is signed.
 *
 * @param unanswered claims it even when the provider does not answer.
 * @throws NOT_FOUND, VERSION_CONFLICT, REFUND_CLOSED, REFUND_CLAIMED
 * @throws REFUND_REFUSED (unconfirmed, halted, unanswered, less than its amount is left or some of it on its way, or the token is signed)
 */
export async function claimRefund(
  db: Db,
  services: { payments: PaymentService },
  by: Editor,
  { id, version, unanswered }: { id: string; version: number; unanswered: boolean },
): Promise<void> {
  const answered = await pollProvider(db, services.payments, id);
  if (!answered && !unanswered) fail('REFUND_REFUSED', { why: 'unanswered' });
  return db.transaction(async (tx) => {
    const seen = await lockRefund(tx, id);
    if (!isClaimedBy(seen, by.actor)) await refuseIfClaimed(tx, seen, by.actor);
    const row = await lockOpen(tx, { id, version });
    if (row.haltedAt) fail('REFUND_REFUSED', { why: 'halted' });
    if (row.state !== 'ready') fail('REFUND_REFUSED', { why: 'unconfirmed' });
    await refuseUnlessLeft(tx, row);
    const changed = await changeRefund(
      tx,
      row,
      {
        claimedBy: by.actor.id,
        claimedAt: by.now,
        claimUntil: new Date(by.now.getTime() + REFUND_CLAIM_MINUTES * MINUTE),
      },
      by.now,
    );
    await stopForRefund(tx, by, changed);
    await publishChange(tx, 'deliverables');
    await auditRefund(tx, by.actor, 'claimed', changed, { answer: answered ? 'answered' : 'unknown' });
  });
}

/** Fetches all known deposits of a refund's payment from the provider, and returns whether it answered; false in a paused installation. */
async function pollProvider(db: Db, payments: PaymentService, id: string): Promise<boolean> {
  const payment = await paymentOf(db, id);
  if (!payment) return fail('NOT_FOUND', { what: 'refund' });
  const isPolled = await payments.poll(
    payment.id,
    seenDeposits(payment).map(({ paymentId }) => ({ paymentId, signed: true })),
  );
  return isPolled && isAnswered(await paymentOf(db, id));
}

const paymentOf = async (db: Reader, id: string) =>
  (await findPayments(db, sql`id = (select payment_id from refund_cases where refund_cases.id = ${id})`))[0] ?? null;

/**
 * Records that a claimed refund was not paid. Only the admin who claimed it knows that; once the claim expired, another admin may state
 * it. A halted refund is then withdrawn by the returned amount, and its rest continues in a new one.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, REFUND_CLOSED, REFUND_CLAIMED, REFUND_REFUSED (nobody claimed it)
 */
export function releaseRefund(
  db: Db,
  services: RefundServices,
  by: Editor,
  input: { id: string; version: number; reason: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    const row = await lockOpen(tx, input);
    if (!row.claimUntil) return fail('REFUND_REFUSED', { why: 'unclaimed' });
    if (!isClaimedBy(row, by.actor) && row.claimUntil > by.now) await refuseIfClaimed(tx, row, by.actor);
    const reason = cleanText(input.reason, 'text');
    if (row.haltedLeft !== null) {
      await auditRefund(tx, by.actor, 'released', row, { reason });
      return withdrawForReturn(tx, services, row, row.haltedLeft, by);
    }
    const changed = await changeRefund(tx, row, { claimedBy: null, claimedAt: null, claimUntil: null }, by.now);
    await publishChange(tx, 'deliverables');
    await auditRefund(tx, by.actor, 'released', changed, { reason });
  });
}

import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db, Reader } from '#server/db/client.ts';
import { paymentAcceptances } from '#server/db/tables/payments.ts';
import { findPayments, lockRequest, type PaymentRow } from '#server/domains/payments/facts/record.service.ts';
import { acceptableDeposits, arrivedUnits, depositsIn, termsOf } from '#server/domains/payments/facts/reduce.policy.ts';
import type { AgreedToken } from '#server/domains/payments/orders/agreed-token.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { fromFixedPoint } from '#server/lib/fixed-point.ts';
import { publishChange } from '#server/live/publish.ts';
import { iso } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { isAdminKey, isSignedBy, readStatement, statementText } from './signer-evidence.service.ts';

/**
 * The statement that an admin would sign for the current state of a payment: its deposits are enough for this token of its request.
 * Null when nothing can be accepted, or when there are more deposits than a statement can list (20).
 */
export function statementOf(row: PaymentRow, token: AgreedToken): string | null {
  const { accepted } = row.knownFacts;
  const acceptable = acceptableDeposits(row.knownFacts, termsOf(row));
  const deposits = depositsIn(row.knownFacts)
    .filter(({ paymentId }) => acceptable.includes(paymentId))
    .map((deposit) => ({
      paymentId: deposit.paymentId,
      amount: fromFixedPoint(arrivedUnits(deposit)),
      currency: deposit.payCurrency ?? '',
    }));
  if (deposits.length === 0 || deposits.length > 20) return null;
  return statementText({
    what: 'florka payment acceptance 2',
    requestId: row.submissionId,
    orderId: row.orderId,
    token,
    priceUsd: row.priceUsd,
    deposits,
    reason: accepted?.reason ?? '',
    at: iso(accepted ? new Date(accepted.at) : row.updatedAt),
  });
}

/** Signed acceptances of these payments, newest last. Only the signer knows which public keys belong to admins. */
export async function readAcceptances(
  db: Reader,
  paymentIds: string[],
): Promise<Map<string, { publicKey: string; at: string }[]>> {
  const found = new Map<string, { publicKey: string; at: string }[]>();
  if (paymentIds.length === 0) return found;
  const rows = await db
    .select({
      paymentId: paymentAcceptances.paymentId,
      publicKey: paymentAcceptances.publicKey,
      addedAt: paymentAcceptances.addedAt,
    })
    .from(paymentAcceptances)
    .where(sql`${paymentAcceptances.paymentId} = any(${sql.param(paymentIds)}::uuid[])`)
    .orderBy(paymentAcceptances.addedAt, paymentAcceptances.id);
  for (const { paymentId, publicKey, addedAt } of rows)
    found.set(paymentId, [...(found.get(paymentId) ?? []), { publicKey, at: iso(addedAt) }]);
  return found;
}

const signedShape = z.strictObject({
  statement: z.string().min(1).max(8_000),
  publicKey: z.string().refine(isAdminKey),
  signature: z.string().max(100),
});

/**
 * Stores the output of `florka admin sign`. The site only verifies that the statement is about this payment and that the signature
 * matches the key it names.
 *
 * @throws NOT_FOUND. @throws ACCEPTANCE_REFUSED with the reason. @throws ALREADY_DONE when this acceptance is already stored.
 */
export function addAcceptance(
  db: Db,
  by: Editor,
  { paymentId, signed }: { paymentId: string; signed: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    const [found] = await findPayments(tx, sql`id = ${paymentId}`);
    if (!found) return fail('NOT_FOUND', { what: 'payment' });
    await lockRequest(tx, found.submissionId);
    const acceptance = signedOf(signed) ?? fail('ACCEPTANCE_REFUSED', { why: 'form' });
    const statement = readStatement(acceptance.statement) ?? fail('ACCEPTANCE_REFUSED', { why: 'form' });
    if (statement.requestId !== found.submissionId || statement.orderId !== found.orderId)
      fail('ACCEPTANCE_REFUSED', { why: 'payment' });
    if (!isSignedBy(acceptance)) fail('ACCEPTANCE_REFUSED', { why: 'signature' });
    const [stored] = await tx
      .insert(paymentAcceptances)
      .values({ paymentId, ...acceptance, addedBy: by.actor.id, addedAt: by.now })
      .onConflictDoNothing()
      .returning({ id: paymentAcceptances.id });
    if (!stored) fail('ALREADY_DONE');
    await publishChange(tx, 'tokenRequests');
    await audit(tx, by.actor, {
      action: 'payment.signed',
      resourceType: 'payment',
      resourceId: paymentId,
      after: { requestId: found.submissionId, orderId: found.orderId, key: acceptance.publicKey },
      ...(statement.reason ? { reason: statement.reason } : {}),
    });
  });
}

function signedOf(text: string): z.infer<typeof signedShape> | null {
  try {
    const read = signedShape.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

// An admin's key as `florka admin key` makes them, and acceptances that it signs.
import { generateKeyPairSync, sign } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { findPayments } from '#server/domains/payments/facts/record.service.ts';
import { statementOf } from '#server/domains/payments/proof/acceptances.service.ts';
import { readAgreedToken } from '#server/domains/token-creation/proposals.service.ts';
import type { Services } from '#server/services.ts';

/** A new key; `signed` returns the output of `admin sign`. */
export function adminKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const open = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
  const acceptance = (statement: string) => ({
    statement,
    publicKey: open,
    signature: sign(null, Buffer.from(statement), privateKey).toString('base64'),
  });
  return { publicKey: open, acceptance, signed: (statement: string) => JSON.stringify(acceptance(statement)) };
}

/** The statement that an admin signs about a payment in its current state, for the token that would be created. */
export async function signedAcceptance(
  { services: { db } }: { services: Pick<Services, 'db'> },
  paymentId: string,
  key = adminKey(),
): Promise<string> {
  const [row] = await findPayments(db, sql`id = ${paymentId}`);
  const statement = row && statementOf(row, await readAgreedToken(db, row.submissionId));
  if (!statement) throw new Error('nothing arrived');
  return key.signed(statement);
}

import { createHash, randomBytes } from 'node:crypto';
import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Network } from '#contract/networks.ts';
import type { Tx } from '#server/db/client.ts';
import { asBoolean, asMoment } from '#server/db/expressions.ts';
import { walletChallenges } from '#server/db/tables/ownership.ts';
import { isSignedBy, walletAddress, walletText } from '#server/lib/crypto/wallet-signature.ts';
import { fail } from '#server/lib/errors/fail.ts';

/** Lifetime of a message to sign. Seconds. */
export const WALLET_SECONDS = 5 * 60;

export type WalletChallenge = typeof walletChallenges.$inferSelect;
type Purpose = WalletChallenge['purpose'];
type ProvenToken = Partial<Pick<WalletChallenge, 'projectId' | 'candidateId' | 'nextProjectId'>>;

interface ChallengeOwner {
  purpose: Purpose;
  /** Null for a sign-in. */
  userId: string | null;
  /** Binding to this browser: the id of its session, or the value of a cookie. */
  browser: string;
}

const hashOf = (browser: string) => createHash('sha256').update(browser).digest();

/**
 * A message for one wallet to sign, valid for five minutes by the database's clock, once, for this purpose and in this browser.
 *
 * @param publicUrl the site that the message names.
 * @param about.statement one line that states its purpose.
 * @throws WALLET_REFUSED for an invalid address of the network.
 */
export async function issueWalletChallenge(
  db: Pick<Tx, 'insert' | 'select'>,
  publicUrl: string,
  owner: ChallengeOwner,
  about: { network: Network; address: string; statement: string; record?: ProvenToken },
): Promise<{ nonce: string; message: string }> {
  const { network, statement, record = {} } = about;
  const address = walletAddress(network, about.address) ?? fail('WALLET_REFUSED', { why: 'address' });
  const nonce = randomBytes(16).toString('hex');
  const [clock] = await db.select({ now: sql`now()`.mapWith(asMoment) }).from(sql`(values (1)) as clock`);
  const issuedAt = clock?.now ?? fail('BUSY', { retryAfter: 1 });
  const expiresAt = new Date(issuedAt.getTime() + WALLET_SECONDS * 1_000);
  const site = new URL(publicUrl);
  const message = walletText({ network, site, address, statement, nonce, issuedAt, expiresAt });
  const { purpose, userId, browser } = owner;
  await db.insert(walletChallenges).values({
    nonce,
    purpose,
    network,
    address,
    message,
    userId,
    browserHash: hashOf(browser),
    ...record,
    expiresAt,
  });
  return { nonce, message };
}

/**
 * Verifies and consumes the signed message: in time, for this purpose, in this browser, and by the wallet that it names. The
 * signature is verified against our own copy of the message, so that one for another site, chain, address or time does not match.
 *
 * @throws WALLET_REFUSED. That rolls the consumption back: after a wrong signature the message stays valid until its expiry.
 */
export async function consumeWalletChallenge(
  tx: Tx,
  { purpose, userId, browser }: ChallengeOwner,
  signed: { nonce: string; signature: string },
): Promise<WalletChallenge> {
  const [found] = await tx
    .delete(walletChallenges)
    .where(
      and(
        eq(walletChallenges.nonce, signed.nonce),
        eq(walletChallenges.purpose, purpose),
        eq(walletChallenges.browserHash, hashOf(browser)),
        userId ? eq(walletChallenges.userId, userId) : isNull(walletChallenges.userId),
      ),
    )
    .returning({
      ...getTableColumns(walletChallenges),
      ended: sql`${walletChallenges.expiresAt} <= clock_timestamp()`.mapWith(asBoolean),
    });
  if (!found) return fail('WALLET_REFUSED', { why: 'used' });
  if (found.ended) fail('WALLET_REFUSED', { why: 'expired' });
  if (!(await isSignedBy({ ...found, signature: signed.signature }))) fail('WALLET_REFUSED', { why: 'signature' });
  return found;
}

import { createHash, randomInt } from 'node:crypto';
import { ORPCError } from '@orpc/server';
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey as derive } from 'altcha-lib/algorithms/pbkdf2';
import type { SolvedChallenge } from '#contract/domains/token-requests.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import { failure } from '#server/lib/errors/fail.ts';
import { addressLimits, consumeRateLimits, type LimitUse } from './rate-limit.ts';

/** About half a second on a phone: up to 1,500 times 1,000 rounds; checking costs one of them. */
const ALGORITHM = { algorithm: 'PBKDF2/SHA-256', cost: 1_000, deriveKey: derive } as const;
const COUNTER = [500, 1_500] as const;
/** How long a challenge may be solved. Milliseconds. */
const LIFETIME_MS = 10 * 60_000;

export interface AnonymousWrite {
  db: Db;
  secret: string;
  /** The visitor's. */
  address: string;
  now: Date;
  solved: SolvedChallenge | undefined;
}

/**
 * Lets something pass while its limits hold; past them only with a proof of work that was never used before. A solved one is
 * not counted against the limits.
 *
 * @param takes what is counted, each with its limit.
 * @returns whether it was counted.
 * @throws CHALLENGE_NEEDED with a challenge to solve.
 */
export async function passOrChallenge(write: Omit<AnonymousWrite, 'address'>, takes: LimitUse[]): Promise<boolean> {
  const { db, now, solved } = write;
  if (solved && (await isGood(write, solved))) return false;
  if (await holds(db, now, takes)) return true;
  const challenge = await createChallenge({
    ...ALGORITHM,
    counter: randomInt(...COUNTER),
    data: { expires: now.getTime() + LIFETIME_MS },
    ...keysOf(write.secret),
  });
  throw failure('CHALLENGE_NEEDED', { challenge: challenge as unknown as Record<string, unknown> });
}

/** Of an IPv4 its whole /24 counts as one, which other limits are more generous with: all it costs is a proof of work. */
function networkTakes(address: string): LimitUse[] {
  const takes = addressLimits('anonymous:net', address, LIMITS.anonymousNetMinute);
  const { key } = takes.at(-1) as LimitUse;
  return key.includes('.') ? [{ key, limit: LIMITS.anonymousNetMinute }] : takes;
}

/**
 * Lets an anonymous write pass; while many come at once, only with a proof of work that was never used before.
 *
 * @throws CHALLENGE_NEEDED with a challenge to solve.
 */
export async function passAnonymousWrite(write: AnonymousWrite): Promise<void> {
  await passOrChallenge(write, [
    ...networkTakes(write.address),
    { key: 'anonymous:all', limit: LIMITS.anonymousAllMinute },
  ]);
}

const keysOf = (secret: string) => ({
  hmacSignatureSecret: deriveKey(secret, 'challenge').toString('hex'),
  hmacKeySignatureSecret: deriveKey(secret, 'challenge solution').toString('hex'),
});

async function isGood(
  { db, secret, now }: Omit<AnonymousWrite, 'address'>,
  { challenge, solution }: SolvedChallenge,
): Promise<boolean> {
  const given = challenge as unknown as Challenge;
  // Our own challenges have these costs; anything else is not worth its arithmetic.
  if (given.parameters?.cost !== ALGORITHM.cost || given.parameters.algorithm !== ALGORITHM.algorithm) return false;
  const { verified } = await verifySolution({
    challenge: given,
    solution: { ...solution, time: solution.time ?? 0 },
    deriveKey: derive,
    ...keysOf(secret),
  }).catch(() => ({ verified: false }));
  const expires = given.parameters.data?.['expires'];
  if (!verified || typeof expires !== 'number' || expires < now.getTime()) return false;
  // Used once, by whichever process.
  const id = createHash('sha256').update(String(given.signature)).digest('base64url');
  return holds(db, now, [{ key: `challenge:${id}`, limit: { hits: 1, seconds: (2 * LIFETIME_MS) / 1_000 } }]);
}

/** Counts, and says whether the limits still hold. */
async function holds(db: Db, now: Date, takes: LimitUse[]): Promise<boolean> {
  try {
    await consumeRateLimits(db, takes, now);
    return true;
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'RATE_LIMITED') return false;
    throw error;
  }
}

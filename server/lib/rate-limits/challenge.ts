import { createHash, randomInt } from 'node:crypto';
import { ORPCError } from '@orpc/server';
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey as derive } from 'altcha-lib/algorithms/pbkdf2';
import type { SolvedChallenge } from '#contract/fields/challenge.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import { failure } from '#server/lib/errors/fail.ts';
import { addressLimits, consumeRateLimits, type LimitUse } from './rate-limit.ts';

/**
 * About half a second on a phone: up to 1,499 key derivations of 1,000 rounds each. Verification costs one derivation.
 */
const ALGORITHM = { algorithm: 'PBKDF2/SHA-256', cost: 1_000, deriveKey: derive } as const;
const COUNTER = [500, 1_500] as const;
/** Validity of a challenge. Milliseconds. */
const LIFETIME_MS = 10 * 60_000;

export interface AnonymousWrite {
  db: Db;
  secret: string;
  /** Client address. */
  address: string;
  now: Date;
  solved: SolvedChallenge | undefined;
}

/**
 * Allows an action within its rate limits, and beyond them only with a proof of work that was not used before. An
 * action with a valid proof is not counted against the limits.
 *
 * @param takes the counters, each with its limit.
 * @returns true if the action was counted, false if it passed by proof of work.
 * @throws CHALLENGE_NEEDED with a challenge to solve.
 */
export async function passOrChallenge(write: Omit<AnonymousWrite, 'address'>, takes: LimitUse[]): Promise<boolean> {
  const { db, now, solved } = write;
  if (solved && (await isSolved(write, solved))) return false;
  if (await holds(db, now, takes)) return true;
  const challenge = await createChallenge({
    ...ALGORITHM,
    counter: randomInt(...COUNTER),
    data: { expires: now.getTime() + LIFETIME_MS },
    ...keysOf(write.secret),
  });
  throw failure('CHALLENGE_NEEDED', { challenge: challenge as unknown as Record<string, unknown> });
}

/**
 * An IPv4 /24 has the limit of a single address here, unlike in other limits: exceeding it only requires a proof of
 * work.
 */
function networkTakes(address: string): LimitUse[] {
  const takes = addressLimits('anonymous:net', address, LIMITS.anonymousNetMinute);
  const { key } = takes.at(-1) as LimitUse;
  return key.includes('.') ? [{ key, limit: LIMITS.anonymousNetMinute }] : takes;
}

/**
 * Allows an anonymous write; while many arrive, only with a proof of work that was not used before.
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

async function isSolved(
  { db, secret, now }: Omit<AnonymousWrite, 'address'>,
  { challenge, solution }: SolvedChallenge,
): Promise<boolean> {
  const given = challenge as unknown as Challenge;
  // Challenges of this server have these parameters; others are rejected before the verification is computed.
  if (given.parameters?.cost !== ALGORITHM.cost || given.parameters.algorithm !== ALGORITHM.algorithm) return false;
  const { verified } = await verifySolution({
    challenge: given,
    solution: { ...solution, time: solution.time ?? 0 },
    deriveKey: derive,
    ...keysOf(secret),
  }).catch(() => ({ verified: false }));
  const expires = given.parameters.data?.['expires'];
  if (!verified || typeof expires !== 'number' || expires < now.getTime()) return false;
  // A challenge is valid once, across all processes.
  const id = createHash('sha256').update(String(given.signature)).digest('base64url');
  return holds(db, now, [{ key: `challenge:${id}`, limit: { hits: 1, seconds: (2 * LIFETIME_MS) / 1_000 } }]);
}

/** Counts one hit per limit. Returns false if a limit is exceeded. */
async function holds(db: Db, now: Date, takes: LimitUse[]): Promise<boolean> {
  try {
    await consumeRateLimits(db, takes, now);
    return true;
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'RATE_LIMITED') return false;
    throw error;
  }
}

// Reads the work of a signer: creations with a next step, and their signed transactions.
import { and, eq, inArray, isNull, lt, lte, notInArray, type SQL, sql } from 'drizzle-orm';
import type { TokenNetwork } from '#contract/networks.ts';
import type { Reader } from '#server/db/client.ts';
import { asMoment, asText, orNull } from '#server/db/expressions.ts';
import { creationAttempts, creationNonces, tokenCreations } from '#server/db/tables/token-creations.ts';
import type { Attempt } from '#server/providers/chains/port.ts';
import { type CreationRow, findCreations } from './creations.service.ts';

/** A stored attempt. */
export interface StoredAttempt extends Attempt {
  number: number;
  chainId: string;
  signer: string;
  signedAt: Date;
  sentAt: Date | null;
  outcome: 'landed' | 'lost' | 'refused' | null;
}

/** A creation with all of its signed transactions. */
export interface Work extends CreationRow {
  attempts: StoredAttempt[];
  /** Deposits that pay for it, if that was checked since it was read. */
  deposits: string[];
}

/** Creations of a network that have a next step. */
const waiting = (network: TokenNetwork) =>
  and(eq(tokenCreations.network, network), inArray(tokenCreations.state, ['queued', 'working', 'held']));

/** The creation of a network that is due first, except those that were processed in this iteration. */
export async function nextDue(
  db: Reader,
  network: TokenNetwork,
  now: Date,
  except: readonly string[],
): Promise<string | null> {
  const { id, nextAttemptAt, orderedAt } = tokenCreations;
  const [due] = await db
    .select({ id })
    .from(tokenCreations)
    .where(and(waiting(network), lte(nextAttemptAt, now), notInArray(id, [...except])))
    .orderBy(nextAttemptAt, orderedAt, id)
    .limit(1);
  return due?.id ?? null;
}

/** When the next creation of a network is due; null when none is waiting. */
export async function nextMoment(db: Reader, network: TokenNetwork): Promise<Date | null> {
  const [next] = await db
    .select({ at: sql`min(${tokenCreations.nextAttemptAt})`.mapWith(orNull(asMoment)) })
    .from(tokenCreations)
    .where(waiting(network));
  return next?.at ?? null;
}

async function readAttempts(
  db: Reader,
  where: SQL | undefined,
  { order, max }: { order: SQL; max?: number },
): Promise<StoredAttempt[]> {
  const a = creationAttempts;
  const query = db
    .select({
      number: a.number,
      chainId: a.chainId,
      signer: a.signer,
      nonce: a.nonce,
      transaction: a.transaction,
      signed: a.signed,
      validUntil: a.validUntil,
      signedAt: a.signedAt,
      sentAt: a.sentAt,
      outcome: a.outcome,
    })
    .from(a)
    .where(where)
    .orderBy(order);
  const rows = await (max === undefined ? query : query.limit(max));
  return rows.map((row) => ({ ...row, signed: new Uint8Array(row.signed) }));
}

/** A creation with its attempts, oldest first, and without deposits; null when there is none. */
export async function loadWork(db: Reader, id: string): Promise<Work | null> {
  const [row] = await findCreations(db, eq(tokenCreations.id, id));
  if (!row) return null;
  const attempts = await readAttempts(db, eq(creationAttempts.creationId, id), {
    order: sql`${creationAttempts.number}`,
  });
  return { ...row, attempts, deposits: [] };
}

/** Number of tokens whose first transaction was signed on a network in the UTC day of `now`. */
export async function countToday(db: Reader, network: TokenNetwork, now: Date): Promise<number> {
  const day = now.toISOString().slice(0, 10);
  const start = sql`${`${day}T00:00:00Z`}::timestamptz`;
  const { signedAt } = creationAttempts;
  const [counted] = await db
    .select({ n: sql`count(*)`.mapWith(Number) })
    .from(creationAttempts)
    .innerJoin(tokenCreations, eq(tokenCreations.id, creationAttempts.creationId))
    .where(
      and(
        eq(creationAttempts.number, 1),
        eq(tokenCreations.network, network),
        sql`${signedAt} >= ${start} and ${signedAt} < ${start} + interval '1 day'`,
      ),
    );
  return counted?.n ?? 0;
}

/** Lowest nonce above all stored attempts of a key. */
export async function nonceAfter(db: Reader, chainId: string, signer: string): Promise<bigint> {
  const n = creationNonces;
  const [last] = await db
    .select({ nonce: sql`max(${n.nonce})::text`.mapWith(orNull(asText)) })
    .from(n)
    .where(and(eq(n.chainId, chainId), eq(n.signer, signer)));
  return last?.nonce == null ? 0n : BigInt(last.nonce) + 1n;
}

/** Signed transactions of other creations whose nonces the key's account needs before that of this attempt. */
export async function attemptsBefore(db: Reader, attempt: StoredAttempt): Promise<StoredAttempt[]> {
  if (attempt.nonce === null) return [];
  const a = creationAttempts;
  const pending = and(
    eq(a.chainId, attempt.chainId),
    eq(a.signer, attempt.signer),
    lt(a.nonce, attempt.nonce),
    isNull(a.outcome),
  );
  return readAttempts(db, pending, { order: sql`${a.nonce} desc, ${a.number}`, max: 20 });
}

import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { TokenCreation } from '#contract/admin/token-creation.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { creationAttempts, type TokenMetadata, tokenCreations } from '#server/db/tables/token-creations.ts';
import { listReadings } from './latest-readings.service.ts';
import { readSource } from './sources.service.ts';

/** NOTIFY channel that wakes the signers. */
export const CREATIONS_CHANNEL = 'creations';

const { notifiedAt: _notified, submissionId: requestId, ...others } = getTableColumns(tokenCreations);
const COLUMNS = { requestId, ...others };

/** A row of `token_creations`. */
export type CreationRow = Awaited<ReturnType<typeof findCreations>>[number];

/** Creations that match a condition; locked for update when `lock` is set. */
export function findCreations(db: Reader, where: SQL | undefined, lock = false) {
  const query = db.select(COLUMNS).from(tokenCreations).where(where);
  return lock ? query.for('update') : query;
}

/** The creation of a request's token; null before it was ordered. */
export const findCreation = async (db: Reader, requestId: string, lock = false): Promise<CreationRow | null> =>
  (await findCreations(db, eq(tokenCreations.submissionId, requestId), lock))[0] ?? null;

/** Number of transactions that were signed for a creation; the first one makes its data final. */
export async function countAttempts(db: Reader, creationId: string): Promise<number> {
  return db.$count(creationAttempts, eq(creationAttempts.creationId, creationId));
}

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** A creation in the form for the back office; null before it was ordered. */
export async function readCreation(db: Reader, requestId: string): Promise<TokenCreation | null> {
  const row = await findCreation(db, requestId);
  if (!row) return null;
  const a = creationAttempts;
  const attempts = await db
    .select({
      number: a.number,
      transaction: a.transaction,
      transactionUrl: a.page,
      signedAt: a.signedAt,
      sentAt: a.sentAt,
      outcome: a.outcome,
    })
    .from(a)
    .where(eq(a.creationId, row.id))
    .orderBy(a.number);
  const orderedBy = row.requestedBy === null ? null : await nameOf(db, row.requestedBy);
  const stopped = row.state === 'held' || row.state === 'failed';
  const { snapshot } = row;
  return {
    id: row.id,
    requestId,
    network: row.network,
    state: row.state,
    stage: row.stage,
    problem: row.problem,
    detail: row.detail,
    tokenName: snapshot.name,
    tokenSymbol: snapshot.symbol,
    supply: snapshot.supply,
    decimals: Number(snapshot.decimals),
    owner: snapshot.owner,
    snapshotHash: row.snapshotHash.toString('hex'),
    metadataUrl: snapshot.metadataUrl,
    simulation: row.simulation,
    address: row.address,
    addressUrl: row.addressPage,
    transaction: row.transaction,
    transactionUrl: row.transactionPage,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      signedAt: attempt.signedAt.toISOString(),
      sentAt: iso(attempt.sentAt),
    })),
    facts: row.facts,
    readings: row.state === 'completed' ? await listReadings(db, row.id) : [],
    source: await readSource(db, row.id),
    correctable: stopped && attempts.length === 0,
    retryable: stopped,
    nextAttemptAt: iso(row.nextAttemptAt),
    orderedBy,
    orderedAt: row.orderedAt.toISOString(),
    completedAt: iso(row.completedAt),
    updatedAt: row.updatedAt.toISOString(),
  };
}

async function nameOf(db: Reader, userId: string): Promise<string | null> {
  const [person] = await db
    .select({ name: sql`coalesce(${forumUsers.username}, ${users.email})`.mapWith(asText) })
    .from(users)
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(eq(users.id, userId));
  return person?.name ?? null;
}

/** Token metadata that wallets read at the address that is stored on the chain; null when the token of the request was not ordered. */
export async function readTokenMetadata(db: Db, requestId: string): Promise<TokenMetadata | null> {
  return (await findCreation(db, requestId))?.metadata ?? null;
}

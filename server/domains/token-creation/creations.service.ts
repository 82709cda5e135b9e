import { sql } from 'drizzle-orm';
import type { TokenCreation } from '#contract/admin/token-creation.ts';
import type { Db, Reader } from '#server/db/client.ts';
import type { Snapshot } from './snapshot.policy.ts';

/** NOTIFY channel that wakes the signers. */
export const CREATIONS_CHANNEL = 'creations';

/** A row of `token_creations`, with its times as Dates. */
export interface CreationRow extends Record<string, unknown> {
  id: string;
  requestId: string;
  network: TokenCreation['network'];
  snapshot: Snapshot;
  snapshotHash: Buffer;
  simulation: boolean;
  metadata: TokenMetadata;
  state: TokenCreation['state'];
  stage: TokenCreation['stage'];
  plan: Record<string, string> | null;
  chainId: string | null;
  address: string | null;
  addressPage: string | null;
  transaction: string | null;
  transactionPage: string | null;
  facts: TokenCreation['facts'];
  problem: TokenCreation['problem'];
  detail: string | null;
  tries: number;
  nextTryAt: Date | null;
  requestedBy: string | null;
  orderedAt: Date;
  begunAt: Date;
  completedAt: Date | null;
  updatedAt: Date;
}

/** What wallets read of a token beside what stands on the chain. */
export interface TokenMetadata {
  name: string;
  symbol: string;
  description: string;
  /** Absolute; '' without one. */
  image: string;
}

const COLUMNS =
  sql.raw(`id, submission_id as "requestId", network, snapshot, snapshot_hash as "snapshotHash", simulation,
  metadata, state, stage, plan, chain_id as "chainId", address, address_page as "addressPage", transaction,
  transaction_page as "transactionPage", facts, problem, detail, tries, next_try_at as "nextTryAt",
  requested_by as "requestedBy", ordered_at as "orderedAt", begun_at as "begunAt", completed_at as "completedAt",
  updated_at as "updatedAt"`);
const DATES = ['nextTryAt', 'orderedAt', 'begunAt', 'completedAt', 'updatedAt'] as const;

/** Rows by a condition, locked on wish. */
export async function findCreations(db: Reader, where: ReturnType<typeof sql>, lock = false): Promise<CreationRow[]> {
  const { rows } = await db.execute<CreationRow>(
    sql`select ${COLUMNS} from token_creations where ${where} ${lock ? sql`for update` : sql``}`,
  );
  for (const row of rows)
    for (const name of DATES)
      if (row[name] !== null) (row as Record<string, unknown>)[name] = new Date(row[name] as Date);
  return rows;
}

/** The creation of a request's token; null before somebody ordered it. */
export const findCreation = async (db: Reader, requestId: string, lock = false): Promise<CreationRow | null> =>
  (await findCreations(db, sql`submission_id = ${requestId}`, lock))[0] ?? null;

/** How many transactions were signed for it: with the first one its data are settled. */
export async function countAttempts(db: Reader, creationId: string): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from creation_attempts where creation_id = ${creationId}`,
  );
  return rows[0]?.n ?? 0;
}

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** A creation as the back office sees it; null before somebody ordered one. */
export async function readCreation(db: Reader, requestId: string): Promise<TokenCreation | null> {
  const row = await findCreation(db, requestId);
  if (!row) return null;
  const { rows: attempts } = await db.execute<{
    number: number;
    transaction: string;
    transactionUrl: string | null;
    signedAt: string;
    sentAt: string | null;
    outcome: TokenCreation['attempts'][number]['outcome'];
  }>(sql`
    select number, transaction, page as "transactionUrl", signed_at as "signedAt", sent_at as "sentAt", outcome
    from creation_attempts where creation_id = ${row.id} order by number`);
  const { rows: people } = await db.execute<{ name: string }>(sql`
    select coalesce(f.username, u.email) as name from users u
    left join forum_users f on f.new_auth_user_id = u.id where u.id = ${row.requestedBy}`);
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
      signedAt: new Date(attempt.signedAt).toISOString(),
      sentAt: attempt.sentAt ? new Date(attempt.sentAt).toISOString() : null,
    })),
    facts: row.facts,
    correctable: stopped && attempts.length === 0,
    retryable: stopped,
    nextTryAt: iso(row.nextTryAt),
    orderedBy: people[0]?.name ?? null,
    orderedAt: row.orderedAt.toISOString(),
    completedAt: iso(row.completedAt),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What wallets read at the address that stands on the chain; null for requests whose token nobody ordered. */
export async function readTokenMetadata(db: Db, requestId: string): Promise<TokenMetadata | null> {
  return (await findCreation(db, requestId))?.metadata ?? null;
}

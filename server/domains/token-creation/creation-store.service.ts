import { and, eq, inArray, isNull, lt, lte, notInArray, type SQL, sql } from 'drizzle-orm';
import type { CreationProblem, CreationStage, TokenFacts } from '#contract/admin/token-creation.ts';
import type { TokenNetwork } from '#contract/networks.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asMoment, asText, orNull } from '#server/db/expressions.ts';
import {
  creationAttempts,
  creationDeposits,
  creationNonces,
  tokenCreations,
} from '#server/db/tables/token-creations.ts';
import { lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { whyNotDeliver } from '#server/domains/payments/proof/payment-check.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Attempt, Plan } from '#server/providers/chains/port.ts';
import { type CreationRow, findCreations } from './creations.service.ts';
import { isApproved, isAsOrdered } from './order-check.service.ts';
import { hashOf } from './snapshot.policy.ts';

/** Actor of the signer's changes, which no person requested. */
const SIGNER: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

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

/** The row was changed concurrently, or the stored data does not match the order: nothing was stored. */
export class NotStored extends Error {
  override name = 'NotStored';
  readonly why:
    | 'changed'
    | 'unpaid'
    | 'not_accepted'
    | 'cap_reached'
    | 'snapshot_changed'
    | 'approval_missing'
    | 'payment_elsewhere';
  constructor(why: NotStored['why']) {
    super(`the creation was not stored: ${why}`);
    this.why = why;
  }
}

/** Creations of a network that have a next step. */
const waiting = (network: TokenNetwork) =>
  and(eq(tokenCreations.network, network), inArray(tokenCreations.state, ['queued', 'working', 'held']));

/** The creation of a network that is due first, except those that already had a turn. */
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

interface Mark {
  state?: 'queued' | 'working' | 'held' | 'failed';
  stage: CreationStage;
  problem?: CreationProblem | null;
  detail?: string | null;
  /** Consecutive failures; 0 when omitted. */
  retries?: number;
  nextAttemptAt: Date | null;
  /** New start of the time limit of this creation. */
  begunAt?: Date;
}

/**
 * Stores the progress of a creation. A live event is published when the visible state changes, and a stop is audited.
 *
 * @returns false when the creation was changed concurrently.
 */
export function mark(db: Db, work: Work, to: Mark, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const problem = to.problem ?? null;
    const detail = to.detail?.slice(0, 500) ?? null;
    const state = to.state ?? (work.state === 'queued' && work.attempts.length > 0 ? 'working' : work.state);
    const shown = state !== work.state || to.stage !== work.stage || problem !== work.problem;
    const { rowCount } = await tx.execute(sql`
      update token_creations set state = ${state}, stage = ${to.stage}, problem = ${problem}, detail = ${detail},
        tries = ${to.retries ?? 0}, next_try_at = ${to.nextAttemptAt?.toISOString() ?? null},
        begun_at = ${(to.begunAt ?? work.begunAt).toISOString()},
        updated_at = ${shown ? now.toISOString() : work.updatedAt.toISOString()}
      where id = ${work.id} and snapshot_hash = ${work.snapshotHash} and state = ${work.state}
        and date_trunc('milliseconds', begun_at) = ${work.begunAt.toISOString()}`);
    if (!rowCount) return false;
    if (shown) await publishChange(tx, 'tokenRequests');
    if (state !== work.state && (state === 'held' || state === 'failed'))
      await audit(tx, SIGNER, {
        action: state === 'held' ? 'token.held' : 'token.failed',
        resourceType: 'token_request',
        resourceId: work.requestId,
        before: { state: work.state },
        after: { problem, detail, attempts: work.attempts.length },
      });
    return true;
  });
}

/** Stores the plan that the chain's adapter derived, before anything is signed. @throws NotStored */
export async function savePlan(db: Db, work: Work, plan: Plan, chainId: string, now: Date): Promise<void> {
  const { rowCount } = await db.execute(sql`
    update token_creations set plan = ${JSON.stringify(plan)}::jsonb, chain_id = ${chainId}, updated_at = ${now.toISOString()}
    where id = ${work.id} and snapshot_hash = ${work.snapshotHash} and state in ('queued', 'working')
      and not exists (select 1 from creation_attempts where creation_id = ${work.id})`);
  if (!rowCount) throw new NotStored('changed');
}

/**
 * Stores a signed transaction before it is sent, provided that nothing changed since the creation was read: the order, its signed
 * transactions, and its payment; and that the daily cap is not reached.
 *
 * @throws NotStored, and violations of database constraints. The signed bytes must then be discarded without sending them.
 */
export function saveSigned(
  db: Db,
  work: Work,
  signed: Attempt & { chainId: string; signer: string; page: string | null },
  { dailyCap, now }: { dailyCap: number; now: Date },
): Promise<void> {
  return db.transaction(async (tx) => {
    await lockRequest(tx, work.requestId);
    const [row] = await findCreations(tx, eq(tokenCreations.id, work.id), true);
    const same = row?.snapshotHash.equals(work.snapshotHash) && (row.state === 'queued' || row.state === 'working');
    if (!row || !same) throw new NotStored('changed');
    // From here on the stored data is immutable, so it has to equal the signed data.
    if (row.simulation !== work.simulation || row.chainId !== work.chainId || !isSamePlan(row.plan, work.plan))
      throw new NotStored('changed');
    if (!(await isAsOrdered(tx, row))) throw new NotStored('snapshot_changed');
    const why = await whyNotDeliver(tx, row.requestId, { simulation: row.simulation });
    if (why) throw new NotStored(why === 'closed' ? 'not_accepted' : why);
    const number = work.attempts.length + 1;
    if (number === 1 && !(await isApproved(tx, row))) throw new NotStored('approval_missing');
    if (number === 1) {
      // The lock makes counting and inserting atomic.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cap ${row.network}`}, 727276))`);
      if ((await countToday(tx, row.network, now)) >= dailyCap) throw new NotStored('cap_reached');
    }
    if (number === 1) await spendDeposits(tx, row.id, work.deposits);
    const nonce = signed.nonce === null ? null : String(signed.nonce);
    if (nonce !== null)
      await tx.execute(sql`
        insert into creation_nonces (chain_id, signer, nonce, creation_id)
        values (${signed.chainId}, ${signed.signer}, ${nonce}::bigint, ${row.id}) on conflict (chain_id, signer, nonce) do nothing`);
    // A concurrent signer has the same attempt number, and the nonce may belong to another creation: both violate a unique
    // constraint.
    await tx.execute(sql`
      insert into creation_attempts (creation_id, number, chain_id, signer, nonce, transaction, page, signed, valid_until, signed_at)
      values (${row.id}, ${number}, ${signed.chainId}, ${signed.signer}, ${nonce}::bigint, ${signed.transaction}, ${signed.page},
        ${Buffer.from(signed.signed)}, ${signed.validUntil === null ? null : String(signed.validUntil)}::bigint, ${now.toISOString()})`);
    await tx.execute(sql`
      update token_creations set state = 'working', stage = 'signed', problem = null, detail = null, tries = 0,
        next_try_at = ${now.toISOString()}, updated_at = ${now.toISOString()} where id = ${row.id}`);
    await publishChange(tx, 'tokenRequests');
    await audit(tx, SIGNER, {
      action: 'token.signed',
      resourceType: 'token_request',
      resourceId: row.requestId,
      after: {
        creationId: row.id,
        number,
        network: row.network,
        chainId: signed.chainId,
        signer: signed.signer,
        nonce,
        transaction: signed.transaction,
        snapshotHash: row.snapshotHash.toString('hex'),
      },
    });
  });
}

const isSamePlan = (stored: object | null, planned: object | null): boolean =>
  stored !== null && planned !== null && hashOf(stored).equals(hashOf(planned));

/** Stores which creation the deposits have paid for. @throws NotStored when one has paid for another creation. */
async function spendDeposits(tx: Tx, creationId: string, deposits: readonly string[]): Promise<void> {
  for (const depositId of deposits) {
    await tx.insert(creationDeposits).values({ depositId, creationId }).onConflictDoNothing();
    const [owner] = await tx
      .select({ creationId: creationDeposits.creationId })
      .from(creationDeposits)
      .where(eq(creationDeposits.depositId, depositId));
    if (owner?.creationId !== creationId) throw new NotStored('payment_elsewhere');
  }
}

/** Records the first time that the chain accepted a transaction. */
export async function markSent(db: Db, creationId: string, transaction: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`
      update creation_attempts set sent_at = ${now.toISOString()}
      where creation_id = ${creationId} and transaction = ${transaction} and sent_at is null`);
    if (rowCount) await publishChange(tx, 'tokenRequests');
  });
}

/** Records that an attempt landed and failed. */
export async function markRefused(db: Db, creationId: string, transaction: string): Promise<void> {
  await db.execute(sql`
    update creation_attempts set outcome = 'refused'
    where creation_id = ${creationId} and transaction = ${transaction} and outcome is null`);
}

/** Completes a creation with the facts read back from the chain. @throws NotStored when it was changed concurrently. */
export function complete(
  db: Db,
  work: Work,
  made: {
    address: string;
    addressPage: string | null;
    transaction: string;
    transactionPage: string | null;
    facts: TokenFacts;
  },
  now: Date,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`
      update token_creations set state = 'completed', stage = 'completed', problem = null, detail = null, tries = 0,
        next_try_at = null, address = ${made.address}, address_page = ${made.addressPage}, transaction = ${made.transaction},
        transaction_page = ${made.transactionPage}, facts = ${JSON.stringify(made.facts)}::jsonb,
        completed_at = ${now.toISOString()}, updated_at = ${now.toISOString()}
      where id = ${work.id} and snapshot_hash = ${work.snapshotHash} and state <> 'completed'`);
    if (!rowCount) throw new NotStored('changed');
    await settleAttempts(tx, work, made.transaction);
    await publishChange(tx, 'tokenRequests');
    await audit(tx, SIGNER, {
      action: 'token.created',
      resourceType: 'token_request',
      resourceId: work.requestId,
      after: {
        creationId: work.id,
        network: work.network,
        chainId: work.chainId,
        address: made.address,
        transaction: made.transaction,
        snapshotHash: work.snapshotHash.toString('hex'),
        attempts: work.attempts.length,
      },
    });
  });
}

/**
 * Marks the attempt that created the token as landed, and those with the same nonce as lost. Attempts with another nonce may still
 * land.
 */
async function settleAttempts(tx: Tx, work: Work, transaction: string): Promise<void> {
  const landed = work.attempts.find((attempt) => attempt.transaction === transaction);
  await tx.execute(sql`
    update creation_attempts set outcome = case when transaction = ${transaction} then 'landed' else 'lost' end
    where creation_id = ${work.id} and outcome is null
      and (nonce is null or nonce = ${landed?.nonce == null ? null : String(landed.nonce)}::bigint or transaction = ${transaction})`);
}

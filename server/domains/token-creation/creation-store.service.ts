import { and, eq, gt, inArray, isNull, ne, notExists, or, type SQL, sql } from 'drizzle-orm';
import type { CreationProblem, CreationStage, TokenFacts } from '#contract/admin/token-creation.ts';
import type { Db, Tx } from '#server/db/client.ts';
import {
  creationAttempts,
  creationDeposits,
  creationNonces,
  tokenCreations,
} from '#server/db/tables/token-creations.ts';
import { lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { whyNotDeliver } from '#server/domains/payments/proof/delivery-check.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Attempt, Plan } from '#server/providers/chains/port.ts';
import { lockCap } from './creation-store.sql.ts';
import { countToday, type Work } from './creation-work.service.ts';
import { findCreations } from './creations.service.ts';
import { isApproved, isAsOrdered } from './order-check.service.ts';
import { hashOf } from './snapshot.policy.ts';

/** Actor of the signer's changes, which no person requested. */
const SIGNER: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

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

/** The creation, as long as its order was not replaced since it was read. */
const isOrdered = ({ id, snapshotHash }: Work): SQL | undefined =>
  and(eq(tokenCreations.id, id), eq(tokenCreations.snapshotHash, snapshotHash));

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
    const { rowCount } = await tx
      .update(tokenCreations)
      .set({
        state,
        stage: to.stage,
        problem,
        detail,
        retries: to.retries ?? 0,
        nextAttemptAt: to.nextAttemptAt,
        begunAt: to.begunAt ?? work.begunAt,
        updatedAt: shown ? now : work.updatedAt,
      })
      .where(
        and(
          isOrdered(work),
          eq(tokenCreations.state, work.state),
          sql`date_trunc('milliseconds', ${tokenCreations.begunAt}) = ${work.begunAt.toISOString()}`,
        ),
      );
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

/** Makes the creations of a network due that wait for the next day's cap: another cap may apply now. */
export async function resumeCapped(db: Db, network: Work['network'], now: Date): Promise<void> {
  const c = tokenCreations;
  await db
    .update(c)
    .set({ nextAttemptAt: now, begunAt: now })
    .where(
      and(
        eq(c.network, network),
        inArray(c.state, ['queued', 'working']),
        eq(c.problem, 'cap_reached'),
        gt(c.nextAttemptAt, now),
      ),
    );
}

/** Stores the plan that the chain's adapter derived, before anything is signed. @throws NotStored */
export async function savePlan(db: Db, work: Work, plan: Plan, chainId: string, now: Date): Promise<void> {
  const attempts = db
    .select({ number: creationAttempts.number })
    .from(creationAttempts)
    .where(eq(creationAttempts.creationId, work.id));
  const { rowCount } = await db
    .update(tokenCreations)
    .set({ plan, chainId, updatedAt: now })
    .where(and(isOrdered(work), inArray(tokenCreations.state, ['queued', 'working']), notExists(attempts)));
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
      await lockCap(tx, { name: `cap ${row.network}` });
      if ((await countToday(tx, row.network, now)) >= dailyCap) throw new NotStored('cap_reached');
    }
    if (number === 1) await spendDeposits(tx, row.id, work.deposits);
    const { chainId, signer, nonce } = signed;
    if (nonce !== null)
      await tx
        .insert(creationNonces)
        .values({ chainId, signer, nonce, creationId: row.id })
        .onConflictDoNothing({ target: [creationNonces.chainId, creationNonces.signer, creationNonces.nonce] });
    // A concurrent signer has the same attempt number, and the nonce may belong to another creation: both violate a unique
    // constraint.
    await tx.insert(creationAttempts).values({
      creationId: row.id,
      number,
      chainId,
      signer,
      nonce,
      transaction: signed.transaction,
      page: signed.page,
      signed: Buffer.from(signed.signed),
      validUntil: signed.validUntil,
      signedAt: now,
    });
    await tx
      .update(tokenCreations)
      .set({
        state: 'working',
        stage: 'signed',
        problem: null,
        detail: null,
        retries: 0,
        nextAttemptAt: now,
        // The time limit for landing starts at the first signature: time without a signer, or with another problem, does not count.
        ...(number === 1 ? { begunAt: now } : {}),
        updatedAt: now,
      })
      .where(eq(tokenCreations.id, row.id));
    await publishChange(tx, 'tokenRequests');
    await audit(tx, SIGNER, {
      action: 'token.signed',
      resourceType: 'token_request',
      resourceId: row.requestId,
      after: {
        creationId: row.id,
        number,
        network: row.network,
        chainId,
        signer,
        nonce: nonce === null ? null : String(nonce),
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

const attemptOf = (creationId: string, transaction: string) =>
  and(eq(creationAttempts.creationId, creationId), eq(creationAttempts.transaction, transaction));

/** Records the first time that the chain accepted a transaction. */
export async function markSent(db: Db, creationId: string, transaction: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(creationAttempts)
      .set({ sentAt: now })
      .where(and(attemptOf(creationId, transaction), isNull(creationAttempts.sentAt)));
    if (rowCount) await publishChange(tx, 'tokenRequests');
  });
}

/** Records that an attempt landed and failed. */
export async function markRefused(db: Db, creationId: string, transaction: string): Promise<void> {
  await db
    .update(creationAttempts)
    .set({ outcome: 'refused' })
    .where(and(attemptOf(creationId, transaction), isNull(creationAttempts.outcome)));
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
    const { address, addressPage, transaction, transactionPage, facts } = made;
    const { rowCount } = await tx
      .update(tokenCreations)
      .set({
        state: 'completed',
        stage: 'completed',
        problem: null,
        detail: null,
        retries: 0,
        nextAttemptAt: null,
        address,
        addressPage,
        transaction,
        transactionPage,
        facts,
        completedAt: now,
        updatedAt: now,
      })
      .where(and(isOrdered(work), ne(tokenCreations.state, 'completed')));
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
  const { nonce } = creationAttempts;
  await tx
    .update(creationAttempts)
    .set({ outcome: sql`case when ${creationAttempts.transaction} = ${transaction} then 'landed' else 'lost' end` })
    .where(
      and(
        eq(creationAttempts.creationId, work.id),
        isNull(creationAttempts.outcome),
        or(
          isNull(nonce),
          landed?.nonce == null ? undefined : eq(nonce, landed.nonce),
          eq(creationAttempts.transaction, transaction),
        ),
      ),
    );
}

import { and, asc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm';
import type { ContractSourceState } from '#contract/admin/token-creation.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { contractSources } from '#server/db/tables/contract-sources.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { tokenSourceOf } from '#server/providers/chains/contract-source.ts';
import type { SourceExplorer, Verdict } from '#server/providers/explorer/port.ts';
import type { Editor } from '#server/records/records.ts';

const JOB: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/**
 * Limits per run of new contracts and of polled ones, and the attempts per contract, which with growing intervals take about eight
 * days.
 */
const NEW_AT_ONCE = 100;
const BATCH_SIZE = 5;
const MAX_ATTEMPTS = 40;
/** From this attempt on, after about 15 hours, one without a result waits in the inbox. */
export const MANY_ATTEMPTS = 10;

interface Verifying {
  db: Db;
  /** Null: no source is submitted. */
  explorer: SourceExplorer | null;
  now: Date;
}

/**
 * Submits the source of contracts to the block explorer and polls the result, for tokens with real value on chains that the
 * explorer supports, until each is verified or refused. No lock is held during requests, because a repeated submission has no
 * further effect at the explorer.
 *
 * @returns the number of polled contracts, and of those verified by this run.
 * @throws the failures, after all were processed.
 */
export async function verifySources({ db, explorer, now }: Verifying): Promise<{ polled: number; verified: number }> {
  const done = { polled: 0, verified: 0 };
  if (!explorer) return done;
  await beginNew(db, explorer, now);
  const due = await db
    .select({
      id: contractSources.creationId,
      state: contractSources.state,
      guid: contractSources.guid,
      attempts: contractSources.attempts,
      chainId: tokenCreations.chainId,
      address: tokenCreations.address,
      plan: tokenCreations.plan,
      requestId: tokenCreations.submissionId,
    })
    .from(contractSources)
    .innerJoin(tokenCreations, eq(tokenCreations.id, contractSources.creationId))
    .where(lte(contractSources.nextAttemptAt, now))
    .orderBy(asc(contractSources.nextAttemptAt), asc(contractSources.creationId))
    .limit(BATCH_SIZE);
  await runEachSettled(due, async (row) => {
    done.polled++;
    const answer = await submitOrPoll(explorer, row);
    if (await recordAnswer(db, row, answer, now)) done.verified++;
  });
  return done;
}

/** Creates rows for tokens that have none, in batches. Concurrent processes create each row once. */
async function beginNew(db: Db, explorer: SourceExplorer, now: Date): Promise<void> {
  const made = await db
    .select({ creationId: tokenCreations.id })
    .from(tokenCreations)
    .leftJoin(contractSources, eq(contractSources.creationId, tokenCreations.id))
    .where(
      and(
        eq(tokenCreations.state, 'completed'),
        eq(tokenCreations.simulation, false),
        inArray(tokenCreations.chainId, [...explorer.chains]),
        isNotNull(tokenCreations.address),
        isNull(contractSources.creationId),
      ),
    )
    .orderBy(asc(tokenCreations.completedAt), asc(tokenCreations.id))
    .limit(NEW_AT_ONCE);
  if (made.length > 0)
    await db
      .insert(contractSources)
      .values(made.map((one) => ({ ...one, nextAttemptAt: now, createdAt: now, updatedAt: now })))
      .onConflictDoNothing();
}

interface Due {
  id: string;
  state: 'waiting' | 'submitted' | 'verified' | 'refused';
  guid: string | null;
  attempts: number;
  chainId: string | null;
  address: string | null;
  plan: Record<string, string> | null;
  requestId: string;
}
type ExplorerAnswer = Verdict | { is: 'submitted'; guid: string };

/** The explorer's current answer; a failed request counts as a temporary failure. */
async function submitOrPoll(explorer: SourceExplorer, row: Due): Promise<ExplorerAnswer> {
  const source = tokenSourceOf(row.plan?.['initCode']);
  if (!source || !row.address || !row.chainId)
    return { is: 'refused', detail: 'Made by another version of the contract, whose source is not here' };
  try {
    if (row.state === 'submitted' && row.guid) return await explorer.check(row.chainId, row.guid);
    return await explorer.submit({ chainId: row.chainId, address: row.address, ...source });
  } catch (error) {
    return { is: 'later', detail: error instanceof Error ? error.message : 'The explorer does not answer' };
  }
}

/** @returns true when this run verified the contract. */
async function recordAnswer(db: Db, row: Due, answer: ExplorerAnswer, now: Date): Promise<boolean> {
  const attempts = row.attempts + 1;
  const given = answer.is === 'later' && attempts >= MAX_ATTEMPTS;
  const state = answer.is === 'later' ? (given ? ('refused' as const) : row.state) : answer.is;
  const open = state === 'waiting' || state === 'submitted';
  // Right after a submission the explorer needs a moment; then the interval grows.
  const pause = answer.is === 'submitted' ? MINUTE : Math.min(2 ** Math.min(attempts, 9) * MINUTE, 6 * HOUR);
  return db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(contractSources)
      .set({
        state,
        attempts,
        ...(answer.is === 'submitted' ? { guid: answer.guid } : {}),
        detail: 'detail' in answer ? (given ? `Given up: ${answer.detail}` : answer.detail) : null,
        nextAttemptAt: open ? new Date(now.getTime() + pause) : null,
        verifiedAt: state === 'verified' ? now : null,
        // The inbox shows since when it waits there: a further attempt without an answer changes nothing.
        ...(state !== row.state || attempts <= MANY_ATTEMPTS ? { updatedAt: now } : {}),
      })
      // A concurrent process may already have updated the row.
      .where(and(eq(contractSources.creationId, row.id), eq(contractSources.attempts, row.attempts)));
    if (!rowCount) return false;
    await publishChange(tx, 'tokenRequests');
    if (state === 'verified')
      for (const domain of ['projects', 'nextProjects', 'voting'] as const) await publishChange(tx, domain);
    if (!open)
      await audit(tx, JOB, {
        action: state === 'verified' ? 'token.source_verified' : 'token.source_refused',
        resourceType: 'token_request',
        resourceId: row.requestId,
        after: { creationId: row.id, attempts: attempts, ...('detail' in answer ? { detail: answer.detail } : {}) },
      });
    return state === 'verified';
  });
}

/** State of the source verification of a token's contract; null when no explorer was contacted. */
export async function readSource(db: Reader, creationId: string): Promise<ContractSourceState | null> {
  const [row] = await db.select().from(contractSources).where(eq(contractSources.creationId, creationId));
  return row
    ? {
        state: row.state,
        detail: row.detail,
        attempts: row.attempts,
        nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
        verifiedAt: row.verifiedAt?.toISOString() ?? null,
      }
    : null;
}

/**
 * Restarts a source verification that was refused or given up.
 *
 * @throws NOT_FOUND when no explorer was contacted about it. @throws ALREADY_DONE when it is not refused.
 */
export function retrySource(db: Db, by: Editor, requestId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select({ id: contractSources.creationId, state: contractSources.state, detail: contractSources.detail })
      .from(contractSources)
      .innerJoin(tokenCreations, eq(tokenCreations.id, contractSources.creationId))
      .where(eq(tokenCreations.submissionId, requestId))
      .for('update', { of: contractSources });
    if (!row) fail('NOT_FOUND', { what: 'creation' });
    if (row.state !== 'refused') fail('ALREADY_DONE');
    await tx
      .update(contractSources)
      .set({ state: 'waiting', guid: null, attempts: 0, nextAttemptAt: by.now, updatedAt: by.now })
      .where(eq(contractSources.creationId, row.id));
    await publishChange(tx, 'tokenRequests');
    await audit(tx, by.actor, {
      action: 'token.source_retried',
      resourceType: 'token_request',
      resourceId: requestId,
      before: { state: row.state, ...(row.detail ? { detail: row.detail } : {}) },
      after: { state: 'waiting' },
    });
  });
}

// Outcomes of a step of a creation: it is scheduled again, or stopped for a person.
import type { Db } from '#server/db/client.ts';
import { databaseCode, isDatabaseAway } from '#server/db/failures.ts';
import type { CrashPoint } from '#server/lib/process/crash-point.ts';
import { type Chain, ChainError } from '#server/providers/chains/port.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import { mark, NotStored } from './creation-store.service.ts';
import type { Work } from './creation-work.service.ts';
import type { SignerMemory } from './signer-memory.service.ts';
import { afterProblem, type CreatorTiming } from './step.policy.ts';

export type LogMethod = (about: Record<string, unknown>, message: string) => void;

/** Result of a step: whether the next one is due immediately, or later. */
export type StepOutcome = 'again' | 'later';

/** Dependencies of every step of a creation. */
export interface TokenCreatorContext {
  now: () => Date;
  chain: Chain;
  log: { info: LogMethod; warn: LogMethod; error: LogMethod };
  db: Db;
  dailyCap: number;
  startedAt: Date;
  crash: (point: CrashPoint) => void;
  timing: CreatorTiming;
  /** When this process last sent each transaction to the chain. Milliseconds. */
  lastSentAt: Map<string, number>;
  provider: PaymentProvider | null;
  adminKeys: readonly string[];
  memory: SignerMemory;
}

export const timeAfter = (context: TokenCreatorContext, ms: number) => new Date(context.now().getTime() + ms);

/**
 * Stops a creation: it is held until an admin retries it, or has failed. A held one with a signed transaction is polled further.
 *
 * @param detail for the back office and the log; contains no secret.
 */
export async function stop(
  context: TokenCreatorContext,
  work: Work,
  state: 'held' | 'failed',
  problem: NonNullable<Work['problem']>,
  detail: string,
): Promise<StepOutcome> {
  const { timing, db, now, log } = context;
  // A signed transaction may still land: it is polled without signing anything more.
  const next = state === 'held' && work.attempts.length > 0 ? timeAfter(context, timing.heldPoll) : null;
  await mark(db, work, { state, stage: 'stopped', problem, detail, nextAttemptAt: next }, now());
  if (state !== work.state)
    log.warn({ creation: work.id, network: work.network, problem, detail }, `creation ${state}`);
  return 'later';
}

/**
 * Schedules the next attempt after a problem, or stops the creation, as step.policy.ts decides.
 *
 * @param resumeAt when the cause ends, where that is known, such as the daily cap.
 */
export async function pause(
  context: TokenCreatorContext,
  work: Work,
  problem: Parameters<typeof afterProblem>[0],
  detail: string,
  resumeAt?: Date,
): Promise<StepOutcome> {
  const { now, timing, db } = context;
  const after = afterProblem(
    problem,
    detail,
    {
      retries: work.retries,
      held: work.state === 'held',
      begunAt: work.begunAt.getTime(),
      startedAt: context.startedAt.getTime(),
      now: now().getTime(),
      ...(resumeAt ? { resumeAt: resumeAt.getTime() } : {}),
    },
    timing,
  );
  if (after.do !== 'retry')
    return stop(context, work, after.do === 'hold' ? 'held' : 'failed', after.problem, after.detail);
  const held = work.state === 'held';
  // Time spent waiting for funds or for the daily cap does not count towards the time limit; that of the cap ends at a known time.
  const endless = after.problem === 'low_balance' || after.problem === 'cap_reached';
  await mark(
    db,
    work,
    {
      stage: held ? 'stopped' : work.stage,
      problem: held ? work.problem : after.problem,
      detail: held ? work.detail : after.detail,
      retries: work.retries + 1,
      nextAttemptAt: timeAfter(context, after.ms),
      ...(endless ? { begunAt: resumeAt ?? now() } : {}),
    },
    now(),
  );
  return 'later';
}

/** Turns an error into the outcome of the step. Unavailability of the database is rethrown. */
export async function handleProblem(context: TokenCreatorContext, work: Work, error: unknown): Promise<StepOutcome> {
  const { log, dailyCap, now } = context;
  if (error instanceof ChainError) {
    log.warn({ creation: work.id, network: work.network, problem: error.problem, detail: error.message }, 'chain');
    return pause(context, work, error.problem, error.message);
  }
  if (error instanceof NotStored) {
    if (error.why === 'changed') return 'later';
    if (error.why === 'cap_reached')
      return pause(context, work, 'cap_reached', `${dailyCap} tokens a day`, nextDay(now()));
    return stop(context, work, 'held', error.why, 'Nothing was signed');
  }
  const code = databaseCode(error);
  // Another process signed first, or the nonce belongs to another creation: the unsent transaction is discarded, and the step is
  // retried.
  if (code === '23505' || code === '23503')
    return pause(context, work, 'unreachable', 'Another transaction was stored first');
  if (isDatabaseAway(error)) throw error;
  log.error({ err: error, creation: work.id, network: work.network }, 'creation');
  return pause(context, work, 'internal', 'Unexpected; see the log of the signer');
}

export const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

export const nextDay = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));

import { AsyncLocalStorage } from 'node:async_hooks';

/** Kinds of work on the database; each has limits of its own. */
export type Work = 'request' | 'job' | 'report' | 'migration' | 'maintenance';

/** Timeouts in milliseconds; 0 is unlimited. */
export interface Limits {
  /** One statement. */
  statement: number;
  /** Waiting for one lock. */
  lock: number;
  /** Between two statements of a transaction: a stalled process must not hold its locks. */
  idle: number;
  /** A whole transaction; only enforced by PostgreSQL 17 and newer. */
  transaction: number;
  /** The client's wait for a response: the last resort when the server itself stalls. Above `statement`. */
  answer: number;
}

/**
 * The server aborts what takes longer, even when the client has exited or stalled. `lock` is longer than `idle`, so that waiting
 * for a stalled process succeeds.
 */
export const LIMITS: Readonly<Record<Work, Readonly<Limits>>> = {
  /** A user waits for the response. */
  request: { statement: 10_000, lock: 6_000, idle: 3_000, transaction: 13_000, answer: 15_000 },
  /** Background jobs, and actions on many rows. */
  job: { statement: 60_000, lock: 10_000, idle: 3_000, transaction: 120_000, answer: 70_000 },
  /** Large reads from one snapshot; they hold no lock that blocks a writer. */
  report: { statement: 60_000, lock: 6_000, idle: 30_000, transaction: 120_000, answer: 70_000 },
  migration: { statement: 600_000, lock: 2_000, idle: 30_000, transaction: 0, answer: 620_000 },
  /** An operator's commands, which read and write whole tables to and from files. */
  maintenance: { statement: 0, lock: 10_000, idle: 600_000, transaction: 0, answer: 86_400_000 },
};

const here = new AsyncLocalStorage<Work>();

/** Runs `work` with the limits of another kind for every statement and transaction in it, except those with explicit limits. */
export const runAs = <T>(kind: Work, work: () => Promise<T>): Promise<T> => here.run(kind, work);

/** The kind that `runAs` set for the caller. */
export const currentWork = (): Work | undefined => here.getStore();

/**
 * Statements for the start of a transaction: its limits end with it.
 *
 * @param whole true when the server supports `transaction_timeout`. Its timer runs since `begin` and only restarts from 0.
 */
export function localLimits(limits: Readonly<Limits>, whole: boolean): string {
  return [
    `set local statement_timeout = ${limits.statement}`,
    `set local lock_timeout = ${limits.lock}`,
    `set local idle_in_transaction_session_timeout = ${limits.idle}`,
    ...(whole ? ['set local transaction_timeout = 0', `set local transaction_timeout = ${limits.transaction}`] : []),
  ].join('; ');
}

/** One query that sets a session's limits; returns whether the server supports `transaction_timeout`. */
export function sessionLimits(limits: Readonly<Limits>): string {
  return `select set_config('statement_timeout', '${limits.statement}', false),
    set_config('lock_timeout', '${limits.lock}', false),
    set_config('idle_in_transaction_session_timeout', '${limits.idle}', false),
    case when current_setting('transaction_timeout', true) is not null
      then set_config('transaction_timeout', '${limits.transaction}', false) end is not null as whole`;
}

/** One query that returns whether a session has these limits already, and whether the server supports `transaction_timeout`. */
export function heldLimits(limits: Readonly<Limits>): string {
  const is = (name: string, value: number) => `current_setting('${name}')::interval = interval '${value} ms'`;
  return `select ${is('statement_timeout', limits.statement)} and ${is('lock_timeout', limits.lock)}
    and ${is('idle_in_transaction_session_timeout', limits.idle)} as held,
    current_setting('transaction_timeout', true) is not null as whole`;
}

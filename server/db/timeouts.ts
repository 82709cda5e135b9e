import { AsyncLocalStorage } from 'node:async_hooks';

/** What the database is used for; each kind has limits of its own. */
export type Work = 'request' | 'job' | 'report' | 'migration' | 'maintenance';

/** How long things may take, in milliseconds; 0 is without end. */
export interface Limits {
  /** One statement. */
  statement: number;
  /** Waiting for one lock. */
  lock: number;
  /** Between two statements of a transaction: a process that stands still must not keep its locks. */
  idle: number;
  /** A whole transaction; only PostgreSQL 17 and newer hold to it. */
  transaction: number;
  /** The client's wait for an answer: the last net, for when the server itself stands still. Above `statement`. */
  answer: number;
}

/**
 * The server ends what takes longer, also when the client is gone or frozen. `lock` is longer than `idle`, so whoever waits
 * for a frozen process outlives it.
 */
export const LIMITS: Readonly<Record<Work, Readonly<Limits>>> = {
  /** Somebody waits for the answer. */
  request: { statement: 10_000, lock: 6_000, idle: 3_000, transaction: 13_000, answer: 15_000 },
  /** Background jobs, and acts on many rows at once. */
  job: { statement: 60_000, lock: 10_000, idle: 3_000, transaction: 120_000, answer: 70_000 },
  /** Reads of much from one moment; they hold no lock that a writer waits for. */
  report: { statement: 60_000, lock: 6_000, idle: 30_000, transaction: 120_000, answer: 70_000 },
  migration: { statement: 600_000, lock: 2_000, idle: 30_000, transaction: 0, answer: 620_000 },
  /** An operator's commands, which read and write whole tables to and from files. */
  maintenance: { statement: 0, lock: 10_000, idle: 600_000, transaction: 0, answer: 86_400_000 },
};

const here = new AsyncLocalStorage<Work>();

/** Runs `work` with the limits of another kind for every statement and transaction in it, unless it names its own. */
export const runAs = <T>(kind: Work, work: () => Promise<T>): Promise<T> => here.run(kind, work);

/** The kind that `runAs` set around the caller. */
export const currentWork = (): Work | undefined => here.getStore();

/**
 * Statements for the begin of a transaction: its limits end with it.
 *
 * @param whole whether the server knows `transaction_timeout`. Its clock runs since `begin` and is only set anew from 0.
 */
export function localLimits(limits: Readonly<Limits>, whole: boolean): string {
  return [
    `set local statement_timeout = ${limits.statement}`,
    `set local lock_timeout = ${limits.lock}`,
    `set local idle_in_transaction_session_timeout = ${limits.idle}`,
    ...(whole ? ['set local transaction_timeout = 0', `set local transaction_timeout = ${limits.transaction}`] : []),
  ].join('; ');
}

/** One query that sets a session's limits; answers whether the server knows `transaction_timeout`. */
export function sessionLimits(limits: Readonly<Limits>): string {
  return `select set_config('statement_timeout', '${limits.statement}', false),
    set_config('lock_timeout', '${limits.lock}', false),
    set_config('idle_in_transaction_session_timeout', '${limits.idle}', false),
    case when current_setting('transaction_timeout', true) is not null
      then set_config('transaction_timeout', '${limits.transaction}', false) end is not null as whole`;
}

/** One query that says whether a session has these limits already, and whether the server knows `transaction_timeout`. */
export function heldLimits(limits: Readonly<Limits>): string {
  const is = (name: string, value: number) => `current_setting('${name}')::interval = interval '${value} ms'`;
  return `select ${is('statement_timeout', limits.statement)} and ${is('lock_timeout', limits.lock)}
    and ${is('idle_in_transaction_session_timeout', limits.idle)} as held,
    current_setting('transaction_timeout', true) is not null as whole`;
}

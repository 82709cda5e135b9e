import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Connection, connectionOf } from './pool.ts';
import { currentWork, LIMITS, localLimits, type Work } from './timeouts.ts';

export interface TransactionOptions {
  /** Kind of work whose limits apply; by default that of `runAs`, else a request. */
  work?: Work;
  /** All statements see the same snapshot, and none writes. */
  snapshot?: boolean;
}

/** The outcome of the transaction is unknown: there was no response to `commit`. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown';
}

/** `commit` was answered with ROLLBACK: the work had ignored the error of an earlier statement. */
export class CommitRefused extends Error {
  override name = 'CommitRefused';
}

/** The statements of one transaction, and nothing else of its connection. */
export interface TransactionClient {
  query(statement: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult<Record<string, unknown>>>;
}

/** Attempts of a transaction that PostgreSQL aborts because of a conflict. */
const MAX_ATTEMPTS = 4;
/** Maximum delay before a retry, multiplied by the number of previous attempts. Milliseconds. */
const DELAY_MS = 25;
/** Deadlock, and a serialization failure. */
const CONFLICTS = new Set(['40P01', '40001']);

/**
 * Runs `work` in one transaction, which is rolled back when it throws. After a deadlock or a serialization failure it runs again,
 * so that all of its effects outside of the transaction must be repeatable.
 *
 * A connection is only reused when its transaction has certainly ended; otherwise it is closed.
 *
 * @throws errors of `work`. @throws ConnectionLost @throws CommitUnknown @throws CommitRefused
 */
export function runTransaction<T>(
  pool: pg.Pool,
  work: (client: TransactionClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return retryConflicts(() => runOnce(pool, work, options));
}

/** Runs `work` again, up to three times, after PostgreSQL aborted it because of a conflict. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work();
    } catch (error) {
      if (attempts >= MAX_ATTEMPTS || !isConflict(error)) throw error;
    }
    await pause(Math.random() * DELAY_MS * attempts);
  }
}

function isConflict(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && CONFLICTS.has(code)) return true;
  }
  return false;
}

async function runOnce<T>(
  pool: pg.Pool,
  work: (client: TransactionClient) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const connection = connectionOf(await pool.connect());
  const statements = new Statements(connection, options.work ?? currentWork() ?? 'request');
  try {
    await connection.query(statements.begin(options.snapshot ?? false));
    const result = await work(statements);
    await statements.commit();
    return result;
  } catch (error) {
    await statements.rollback();
    throw error;
  } finally {
    // The pool checks it again, and closes it when it is not clean.
    connection.release(connection.fatalError);
  }
}

class Statements implements TransactionClient {
  readonly #connection: Connection;
  readonly #work: Work;
  #over = false;
  #failure: unknown;

  constructor(connection: Connection, work: Work) {
    this.#connection = connection;
    this.#work = work;
  }

  /** One round trip, whatever the limits are. */
  begin(snapshot: boolean): string {
    const begin = snapshot ? 'begin isolation level repeatable read, read only' : 'begin';
    const { work, whole } = this.#connection;
    return this.#work === work ? begin : `${begin}; ${localLimits(LIMITS[this.#work], whole)}`;
  }

  async query(
    statement: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Record<string, unknown>>> {
    // It would run outside of the transaction, possibly inside of another one.
    if (this.#over) throw new Error('a statement after the end of its transaction');
    try {
      return await this.#connection.query(this.#timed(statement), values);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  async commit(): Promise<void> {
    this.#over = true;
    let answer: { command: string };
    try {
      answer = await this.#connection.query('commit');
    } catch (error) {
      // A violation of a deferred constraint is a definite outcome.
      if (this.#connection.clean) throw error;
      throw new CommitUnknown('no answer to commit', { cause: error });
    }
    if (answer.command !== 'COMMIT')
      throw new CommitRefused('the transaction had failed before commit', { cause: this.#failure });
  }

  /** Rolls back an open transaction. Never throws: the original error is reported; a connection that can't be cleaned is closed. */
  async rollback(): Promise<void> {
    this.#over = true;
    const connection = this.#connection;
    if (connection.fatalError || connection.clean) return;
    try {
      await connection.query('rollback');
    } catch (error) {
      connection.fatalError ??= error as Error;
    }
  }

  #timed(statement: string | pg.QueryConfig): string | pg.QueryConfig {
    if (this.#work === this.#connection.work) return statement;
    const timed: pg.QueryConfig & { query_timeout: number } = {
      ...(typeof statement === 'string' ? { text: statement } : statement),
      query_timeout: LIMITS[this.#work].answer,
    };
    return timed;
  }
}

import type { Duplex } from 'node:stream';
import pg from 'pg';
import { ConnectionLost } from './failures.ts';
import { heldLimits, LIMITS, type Limits, localLimits, sessionLimits, type Work } from './timeouts.ts';

/** Timeout for getting a connection, from the pool or from the server. Milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Address and credentials of the database. */
export interface Place extends pg.ClientConfig {
  /**
   * The same database without its connection pooler: for features that need a session of their own (LISTEN, advisory locks). A
   * pooler assigns any of its connections to each transaction, so session state must not outlive a transaction there.
   */
  direct?: pg.ClientConfig;
}

export interface PoolConfig extends pg.PoolConfig, Place {
  /** Kind of work of its connections unless a transaction sets another; `request` by default. */
  work?: Work;
  /** Limits other than those of `work`. Milliseconds. */
  limits?: Partial<Limits>;
  /** Called by connections; set by the pool itself. */
  onFullDisk?: () => void;
}

// An answer that the driver cannot read closes its connection. The driver reads answers in a listener of the socket, where what it
// throws ends the process (https://github.com/brianc/node-postgres/issues/2653). A pooler that loses its server in the middle
// of an answer can leave such a one: seen in `ops/ha/drill.sh` with PgBouncer, when the machine of the leader was killed.

/** The part of the driver's connection that its types do not have. */
interface DriverConnection {
  attachListeners: (stream: Duplex) => void;
}
const { prototype } = pg.Connection as unknown as { prototype: DriverConnection };

/** Identified by a symbol: in development this file is loaded twice, and both copies use one driver. */
const GUARDED = Symbol.for('florka.unreadable-answers');
if (!(GUARDED in prototype)) {
  const attach = prototype.attachListeners;
  prototype.attachListeners = function (stream) {
    const others = new Set(stream.listeners('data'));
    attach.call(this, stream);
    for (const read of stream.listeners('data')) {
      if (others.has(read)) continue;
      stream.off('data', read as (bytes: Buffer) => void);
      stream.on('data', (bytes: Buffer) => {
        try {
          Reflect.apply(read, stream, [bytes]);
        } catch (error) {
          stream.destroy(new ConnectionLost('an answer of the database could not be read', { cause: error }));
        }
      });
    }
  };
  Object.defineProperty(prototype, GUARDED, { value: true });
}

/** Identified by a symbol instead of its class: in development the code is loaded twice, and both copies use one pool. */
const MARK = Symbol.for('florka.database-connection');

/**
 * A connection that records whether it may be reused. One that failed, did not respond in time or reports a read-only database is
 * closed when it is released; so is one with an open transaction.
 */
export class Connection extends pg.Client {
  readonly [MARK] = true;
  readonly work: Work;
  readonly limits: Readonly<Limits>;
  /** True when the server supports `transaction_timeout`. */
  whole = false;
  /** True when there is a pooler in between, so that session state is lost after each transaction. */
  readonly pooled: boolean;
  /** True when single statements have our limits without further action. */
  limited = true;
  /** The reason why it must not be reused. */
  fatalError: Error | undefined;
  readonly #onFullDisk: (() => void) | undefined;

  constructor(config: PoolConfig = {}) {
    super(config);
    this.work = config.work ?? 'request';
    this.limits = limitsOf(config);
    this.pooled = config.direct !== undefined;
    // Without a listener an error between two statements would end the process.
    this.on('error', (error: Error) => {
      this.fatalError ??= error;
    });
    const send = this.query;
    this.query = ((...args: unknown[]) => {
      if (this.pooled) args[0] = this.#forPooler(args[0]);
      const notified = args.at(-1);
      if (typeof notified === 'function')
        args[args.length - 1] = (error: Error | null, result: unknown) =>
          notified(error && this.#explain(error), result);
      const answer: unknown = Reflect.apply(send, this, args);
      if (!(answer instanceof Promise)) return answer;
      return answer.catch((error: Error) => {
        throw this.#explain(error);
      });
    }) as typeof send;
    this.#onFullDisk = config.onFullDisk;
  }

  /** Closes the socket without a message to the server, which may be unresponsive. */
  abandon(why: Error): void {
    this.fatalError ??= why;
    this.connection.stream.destroy();
  }

  /** True when no state of earlier work is left in it. */
  get clean(): boolean {
    return this.fatalError === undefined && this.getTransactionStatus() === 'I';
  }

  /**
   * Statements are not prepared by name, because the next connection would not have them, and every transaction starts by setting
   * its limits.
   */
  #forPooler(statement: unknown): unknown {
    if (typeof statement === 'string') return this.#begun(statement);
    if (typeof statement !== 'object' || statement === null || !('text' in statement)) return statement;
    const { name: _, ...unnamed } = statement as pg.QueryConfig;
    return { ...unnamed, text: this.#begun(unnamed.text) };
  }

  #begun(text: string): string {
    const begin = /^\s*begin\b[^;]*(;|$)/i.exec(text)?.[0];
    if (begin === undefined) return text;
    const limits = localLimits(this.limits, this.whole);
    return `${begin.replace(/;$/, '')}; ${limits}; ${text.slice(begin.length)}`;
  }

  #explain(error: Error & { code?: string }): Error {
    // The driver would deliver a late response, and queued statements, to the next user of the connection.
    if (error.message === 'Query read timeout') this.abandon(error);
    // The driver would read the rest of that answer as the answer to the next query.
    else if (error.message.startsWith('received invalid response')) {
      const lost = new ConnectionLost('an answer of the database could not be read', { cause: error });
      this.abandon(lost);
      return lost;
    }
    // After a failover this server may be a standby: a new connection finds the primary.
    else if (error.code === '25006') this.fatalError ??= error;
    else if (error.code === '53100') this.#onFullDisk?.();
    // After a lost connection the driver's errors have no cause.
    if (this.fatalError && this.fatalError !== error && error.code === undefined)
      return new ConnectionLost('the connection to the database was lost', { cause: this.fatalError });
    return error;
  }
}

/** Pools with a statement that failed because the database's disk was full. */
const full = new WeakSet<pg.Pool>();
/** True when the disk of the database was full at the last report. */
export const sawFullDisk = (pool: pg.Pool): boolean => full.has(pool);
/** Records that there is space again. */
export const forgetFullDisk = (pool: pg.Pool): void => void full.delete(pool);

const limitsOf = ({ work = 'request', limits }: PoolConfig): Limits => ({ ...LIMITS[work], ...limits });

/**
 * A pool whose connections have the limits of their work, and which only reuses clean connections.
 *
 * @param onError receives errors of idle connections; without a listener Node would end the process.
 */
export function openPool(config: PoolConfig, onError: (error: Error) => void = () => {}): pg.Pool {
  const limits = limitsOf(config);
  const options: PoolConfig & pg.PoolConfig = {
    max: 20,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: limits.answer,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'florka',
    ...config,
    Client: Connection,
    onConnect: prepare,
    onFullDisk: () => void full.add(pool),
  };
  const pool: pg.Pool = new pg.Pool(options);
  pool.on('error', onError);
  if (config.direct) limitSingle(pool);
  // Emitted before the pool decides, and it closes a connection that is ending. Libraries release connections in any state.
  pool.on('release', (_error, client) => {
    const connection = connectionOf(client);
    if (!connection.clean) {
      connection.abandon(connection.fatalError ?? new ConnectionLost('given back with an open transaction'));
      void connection.end();
    }
  });
  return pool;
}

/**
 * Applies limits to single statements behind a pooler that does not: each becomes a transaction, with three round trips instead of
 * one.
 */
function limitSingle(pool: pg.Pool): void {
  const query = async (statement: string | pg.QueryConfig, values?: unknown[]) => {
    const connection = connectionOf(await pool.connect());
    try {
      const text = typeof statement === 'string' ? statement : statement.text;
      if (connection.limited || /^\s*begin\b/i.test(text)) return await connection.query(statement as string, values);
      await connection.query('begin');
      try {
        const answer = await connection.query(statement as string, values);
        await connection.query('commit');
        return answer;
      } catch (error) {
        if (!connection.fatalError) await connection.query('rollback').catch(() => {});
        throw error;
      }
    } finally {
      connection.release(connection.fatalError);
    }
  };
  pool.query = query as typeof pool.query;
}

/**
 * Not as startup options: poolers refuse those, and older servers do not support all of them. With a pooler only the pooler (or the
 * role) may set limits, so they are only checked.
 */
async function prepare(client: pg.ClientBase): Promise<void> {
  const connection = connectionOf(client);
  const { limits, pooled } = connection;
  const timed: pg.QueryConfig & { query_timeout: number } = {
    text: pooled ? heldLimits(limits) : sessionLimits(limits),
    query_timeout: CONNECT_TIMEOUT_MS,
  };
  const { rows } = await connection.query(timed);
  connection.whole = rows[0]?.whole === true;
  connection.limited = !pooled || rows[0]?.held === true;
}

/** A connection of `openPool`. @throws TypeError for any other. */
export function connectionOf<C extends pg.ClientBase>(client: C): C & Connection {
  if (!(MARK in client)) throw new TypeError('this connection is not of a pool made by openPool');
  return client as C & Connection;
}

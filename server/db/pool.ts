import pg from 'pg';
import { heldLimits, LIMITS, type Limits, localLimits, sessionLimits, type Work } from './timeouts.ts';

/** Milliseconds to get a connection, from the pool or from the server. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Where the database is. */
export interface Place extends pg.ClientConfig {
  /**
   * The same database without the pooler that stands before it: for what needs a session of its own (LISTEN, advisory locks).
   * A pooler gives each transaction any of its connections, so nothing of ours may outlive a transaction there.
   */
  direct?: pg.ClientConfig;
}

export interface PoolConfig extends pg.PoolConfig, Place {
  /** What its connections are for unless a transaction says otherwise; `request` by default. */
  work?: Work;
  /** Other limits than those of `work`. Milliseconds. */
  limits?: Partial<Limits>;
  /** Told by connections; the pool's own matter. */
  onFullDisk?: () => void;
}

/** The connection may hold an open transaction, or nobody knows what it holds. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** Known by a mark and not by its class: in development the code exists twice, and both use one pool. */
const MARK = Symbol.for('florka.database-connection');

/**
 * A connection that knows whether it may be used again. One that broke, gave no answer in time or answers that the database
 * is read-only is closed when it is given back; so is one in which a transaction is still open.
 */
export class Connection extends pg.Client {
  readonly [MARK] = true;
  readonly work: Work;
  readonly limits: Readonly<Limits>;
  /** Whether the server knows `transaction_timeout`. */
  whole = false;
  /** Whether a pooler stands between, so that whatever a session knows is gone after each transaction. */
  readonly pooled: boolean;
  /** Whether single statements have our limits without being told. */
  limited = true;
  /** Why it must not be used again. */
  doubt: Error | undefined;
  readonly #onFullDisk: (() => void) | undefined;

  constructor(config: PoolConfig = {}) {
    super(config);
    this.work = config.work ?? 'request';
    this.limits = limitsOf(config);
    this.pooled = config.direct !== undefined;
    // Without a listener an error between two statements would end the process.
    this.on('error', (error: Error) => {
      this.doubt ??= error;
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

  /** Ends it without a word to the server, which may be the one that does not answer. */
  abandon(why: Error): void {
    this.doubt ??= why;
    this.connection.stream.destroy();
  }

  /** True when nothing of earlier work is left in it. */
  get clean(): boolean {
    return this.doubt === undefined && this.getTransactionStatus() === 'I';
  }

  /**
   * Statements are not prepared under a name, which the next connection would not know, and every transaction begins with its
   * limits.
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
    // The driver leaves a late answer, and what was queued behind it, to whoever comes next.
    if (error.message === 'Query read timeout') this.abandon(error);
    // Another server may have taken over: the next connection finds it.
    else if (error.code === '25006') this.doubt ??= error;
    else if (error.code === '53100') this.#onFullDisk?.();
    // After a lost connection the driver says only that it is lost.
    if (this.doubt && this.doubt !== error && error.code === undefined)
      return new ConnectionLost('the connection to the database was lost', { cause: this.doubt });
    return error;
  }
}

/** Pools one of whose statements found the disk of the database full. */
const full = new WeakSet<pg.Pool>();
/** Whether the disk of the database was full when last heard of. */
export const sawFullDisk = (pool: pg.Pool): boolean => full.has(pool);
/** Says that there is room again. */
export const forgetFullDisk = (pool: pg.Pool): void => void full.delete(pool);

const limitsOf = ({ work = 'request', limits }: PoolConfig): Limits => ({ ...LIMITS[work], ...limits });

/**
 * A pool whose connections have the limits of their work, and which never lends one twice that is not clean.
 *
 * @param onError told of connections that broke while idle; without a listener Node would end the process.
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
  // Told before the pool decides: it closes a connection that ends. Libraries give back whatever they have.
  pool.on('release', (_error, client) => {
    const connection = connectionOf(client);
    if (!connection.clean) {
      connection.abandon(connection.doubt ?? new ConnectionLost('given back with an open transaction'));
      void connection.end();
    }
  });
  return pool;
}

/**
 * Gives single statements their limits behind a pooler that does not: each becomes a transaction, three ways to the server
 * instead of one.
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
        if (!connection.doubt) await connection.query('rollback').catch(() => {});
        throw error;
      }
    } finally {
      connection.release(connection.doubt);
    }
  };
  pool.query = query as typeof pool.query;
}

/**
 * Not as startup options: poolers refuse those, and older servers do not know all of them. What a pooler hands out may be set
 * by the pooler only (or by the role), so there it is looked at.
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

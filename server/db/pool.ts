import pg from 'pg';
import { LIMITS, type Limits, sessionLimits, type Work } from './timeouts.ts';

/** Milliseconds to get a connection, from the pool or from the server. */
const CONNECT = 5_000;

export interface PoolConfig extends pg.PoolConfig {
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
  /** Why it must not be used again. */
  doubt: Error | undefined;
  readonly #onFullDisk: (() => void) | undefined;

  constructor(config: PoolConfig = {}) {
    super(config);
    this.work = config.work ?? 'request';
    this.limits = limitsOf(config);
    // Without a listener an error between two statements would end the process.
    this.on('error', (error: Error) => {
      this.doubt ??= error;
    });
    const send = this.query;
    this.query = ((...args: unknown[]) => {
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
    connectionTimeoutMillis: CONNECT,
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

/** Not as startup options: poolers refuse those, and older servers do not know all of them. */
async function prepare(client: pg.ClientBase): Promise<void> {
  const connection = connectionOf(client);
  const asked: pg.QueryConfig & { query_timeout: number } = {
    text: sessionLimits(connection.limits),
    query_timeout: CONNECT,
  };
  const { rows } = await connection.query(asked);
  connection.whole = rows[0]?.whole === true;
}

/** A connection of `openPool`. @throws TypeError for any other. */
export function connectionOf<C extends pg.ClientBase>(client: C): C & Connection {
  if (!(MARK in client)) throw new TypeError('this connection is not of a pool made by openPool');
  return client as C & Connection;
}

import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';

/** The query layer over one pool; inside `transaction` the callback gets a Tx with the same methods. */
export type Db = ReturnType<typeof openDb>;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** Reads work on either. */
export type Reader = Db | Tx;

export const openDb = (pool: pg.Pool) => drizzle({ client: pool });

/**
 * A pool that fails instead of waiting for ever: 5 s to get a connection, 15 s for an answer.
 * @param onError told of connections that broke while idle; without a listener Node would end the process.
 */
export function openPool(config: pg.PoolConfig, onError: (error: Error) => void = () => {}): pg.Pool {
  const pool = new pg.Pool({
    max: 20,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    application_name: 'florka',
    ...config,
  });
  pool.on('error', onError);
  // A connection that breaks between two statements of a transaction has no query to tell; the next one fails by itself.
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

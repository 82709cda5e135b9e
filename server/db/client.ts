import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { currentWork } from './timeouts.ts';
import { runTransaction, type TransactionClient, type TransactionOptions } from './transaction.ts';

export { openPool } from './pool.ts';

declare const inTransaction: unique symbol;

/** The ORM's query builder; without its transactions, see ADR 0019. */
type Statements = Omit<NodePgDatabase, 'transaction'> & {
  /** The underlying client, for the hand-written statements of statement.ts. */
  readonly $client: TransactionClient;
};

/** The statements of one transaction. */
export type Tx = Statements & { readonly [inTransaction]: true };

/** The query layer of a pool. Outside of a transaction each statement is its own transaction. */
export type Db = Statements & {
  /** Runs `work` in a transaction; see `runTransaction`. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
};

/** For reads, which run in either. */
export type Reader = Db | Tx;

/** @param pool created by `openPool`. */
export function openDb(pool: pg.Pool): Db {
  const single: TransactionClient = {
    // A single statement has the limits of its connection; it only needs a transaction where other limits apply.
    query: (statement, values) =>
      currentWork() === undefined
        ? pool.query(statement as pg.QueryConfig, values)
        : runTransaction(pool, (client) => client.query(statement, values)),
  };
  const transaction: Db['transaction'] = (work, options) =>
    runTransaction(
      pool,
      (client) => work(Object.assign(over(client), { transaction: refuse }) as Statements as Tx),
      options,
    );
  return Object.assign(over(single), { transaction });
}

/**
 * The query layer for reads that need not use the primary: single statements go through `query`, while transactions and statements
 * with other limits by `runAs` use `db`.
 */
export function openReads(db: Db, query: TransactionClient['query']): Db {
  const single: TransactionClient = {
    query: (statement, values) => (currentWork() === undefined ? query : db.$client.query)(statement, values),
  };
  return Object.assign(over(single), { transaction: db.transaction });
}

/** The ORM only calls `query` of its client. */
const over = (client: TransactionClient) =>
  Object.assign(drizzle({ client: client as unknown as pg.PoolClient }), { $client: client });

/**
 * Joins a transaction for a service that opens its own: its work becomes a part of this one, and is rolled back with it. Its
 * options are ignored.
 */
export const withinTransaction = (tx: Tx): Db =>
  Object.assign(Object.create(tx) as Statements, { transaction: <T>(work: (tx: Tx) => Promise<T>) => work(tx) });

const refuse = (): never => {
  throw new Error('a transaction inside of another one');
};

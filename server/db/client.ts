import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { currentWork } from './timeouts.ts';
import { runTransaction, type TransactionClient, type TransactionOptions } from './transaction.ts';

export { openPool } from './pool.ts';

declare const inTransaction: unique symbol;

/** The ORM's statements; its transactions can't be reached, see ADR 0019. */
type Statements = Omit<NodePgDatabase, 'transaction'> & {
  /** What they run on; for the hand-written ones of statement.ts. */
  readonly $client: TransactionClient;
};

/** The statements of one transaction. */
export type Tx = Statements & { readonly [inTransaction]: true };

/** The query layer over one pool. Outside of a transaction each statement is one of its own. */
export type Db = Statements & {
  /** Runs `work` in a transaction of its own; see `runTransaction`. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
};

/** Reads work on either. */
export type Reader = Db | Tx;

/** @param pool one of `openPool`. */
export function openDb(pool: pg.Pool): Db {
  const single: TransactionClient = {
    // A statement on its own has the limits of its connection; only where others were asked for it needs a transaction.
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
 * The query layer for reads that need not be answered by the primary: single statements go through `query`, transactions and
 * what `runAs` gave other limits are those of `db`.
 */
export function openReads(db: Db, query: TransactionClient['query']): Db {
  const single: TransactionClient = {
    query: (statement, values) => (currentWork() === undefined ? query : db.$client.query)(statement, values),
  };
  return Object.assign(over(single), { transaction: db.transaction });
}

/** The ORM asks its client for nothing but `query`. */
const over = (client: TransactionClient) =>
  Object.assign(drizzle({ client: client as unknown as pg.PoolClient }), { $client: client });

/**
 * The same transaction for a service that wants to open its own: what it does becomes a part of this one, and is undone
 * with it. Its options do not hold.
 */
export const joined = (tx: Tx): Db =>
  Object.assign(Object.create(tx) as Statements, { transaction: <T>(work: (tx: Tx) => Promise<T>) => work(tx) });

const refuse = (): never => {
  throw new Error('a transaction inside of another one');
};

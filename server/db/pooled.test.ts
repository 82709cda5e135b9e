import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { connectionTo, withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { openDb, openPool } from '#server/db/client.ts';
import { connectionOf } from '#server/db/pool.ts';
import { runAs } from '#server/db/timeouts.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';

// Behaviour behind a pooler in transaction mode: one connection that retains all session state.

const base = await createTestDatabase();
const pools: pg.Pool[] = [];
const open = () => {
  const pool = openPool({ ...base.config, direct: base.config, max: 1 });
  pools.push(pool);
  return pool;
};
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await base.drop();
});

const LIMIT = "select current_setting('statement_timeout') as limit, current_setting('lock_timeout') as lock";

it('a pool sets timeouts for single statements and transactions, and leaves no setting in the session', async () => {
  const pool = open();
  const db = openDb(pool);
  expect((await pool.query(LIMIT)).rows).toEqual([{ limit: '10s', lock: '6s' }]);
  expect((await db.$client.query(LIMIT)).rows).toEqual([{ limit: '10s', lock: '6s' }]);
  expect((await runAs('job', () => db.$client.query(LIMIT))).rows).toEqual([{ limit: '1min', lock: '10s' }]);
  const inTransaction = (work?: 'report') =>
    db.transaction(async (tx) => (await tx.$client.query(LIMIT)).rows, work ? { work } : {});
  expect(await inTransaction()).toEqual([{ limit: '10s', lock: '6s' }]);
  expect(await inTransaction('report')).toEqual([{ limit: '1min', lock: '6s' }]);
  // As libraries do automatically.
  const client = await pool.connect();
  expect((await client.query(LIMIT)).rows).toEqual([{ limit: '0', lock: '0' }]);
  await client.query('BEGIN');
  expect((await client.query(LIMIT)).rows).toEqual([{ limit: '10s', lock: '6s' }]);
  await client.query('COMMIT');
  client.release();
  await pool.query(`begin; create table several as ${LIMIT}; commit`);
  expect((await pool.query('table several')).rows).toEqual([{ limit: '10s', lock: '6s' }]);
});

it('a pool rolls back a single statement that fails, and its connection stays usable', async () => {
  const pool = open();
  await expect(pool.query('select 1 / 0')).rejects.toThrow('division by zero');
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(pool.totalCount).toBe(1);
});

it('a pool prepares no named statements', async () => {
  const pool = open();
  await pool.query({ name: 'kept', text: 'select $1::int as n', values: [1] });
  expect((await pool.query('select name from pg_prepared_statements')).rows).toEqual([]);
});

it('a pool wraps no statement in a transaction when the database itself sets the timeouts', async () => {
  const { database } = new pg.Client(base.config);
  for (const [name, value] of [
    ['statement_timeout', '10s'],
    ['lock_timeout', '6s'],
    ['idle_in_transaction_session_timeout', '3s'],
  ])
    await base.pool.query(`alter database "${database}" set ${name} = '${value}'`);
  const pool = open();
  const client = await pool.connect();
  expect(connectionOf(client).limited).toBe(true);
  client.release();
  // Not in a transaction of ours: this statement is refused in one.
  await pool.query('vacuum blockchain_networks');
  expect((await pool.query(LIMIT)).rows).toEqual([{ limit: '10s', lock: '6s' }]);
});

it('an advisory lock of a session uses the direct connection, which bypasses the pooler', async () => {
  const closed = { host: '127.0.0.1', port: 1, direct: base.config };
  expect(await withAdvisoryLock(closed, 'ledger', async () => 'held', 0)).toBe('held');
});

it('a health check connects with the password of the pool, which its options hide from copies', () => {
  const pool = openPool({ host: '127.0.0.1', port: 1, password: 'hidden', direct: base.config });
  pools.push(pool);
  expect({ ...pool.options }).not.toHaveProperty('password');
  expect(connectionTo(pool.options, 'florka health')).toMatchObject({ port: 1, password: 'hidden' });
});

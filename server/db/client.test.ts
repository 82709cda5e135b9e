import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { openDb, openPool } from './client.ts';

const app = await startTestApp();

it('a connection cut between two statements fails only its transaction; the next query gets a new one', async () => {
  const pool = openPool({ ...app.config, application_name: 'florka between' });
  const db = openDb(pool);
  const transaction = db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    await app.sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'florka between'`);
    for (;;) {
      const [left] = await app.sql<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where application_name = 'florka between'`,
      );
      if (left?.n === 0) break;
    }
    await tx.execute(sql`select 2`);
  });
  await expect(transaction).rejects.toThrow();
  const { rows } = await db.execute(sql`select 3 as three`);
  expect(rows).toEqual([{ three: 3 }]);
  await pool.end();
});

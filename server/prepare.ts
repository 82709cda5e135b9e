import type pg from 'pg';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { openPool } from '#server/db/client.ts';
import { type Migration, migrate } from '#server/db/migrate.ts';
import type { Place } from '#server/db/pool.ts';
import { grantRights } from '#server/db/rights.ts';
import { readNames } from '#server/db/server.sql.ts';
import { lacksVoteMonths, makeVoteMonths } from '#server/db/vote-months.ts';
import { JobQueue } from '#server/jobs/queue.ts';

/**
 * Migrates the tables as their owner (the application's and the job queue's), creates the partitions of the coming
 * months of votes, and grants the other roles their rights. The owner's connections are closed when it returns: the
 * site does not need them.
 *
 * @param database from `openDatabase`.
 * @returns names of the migrations that were applied now.
 */
export async function prepareDatabase(
  database: { config: Place; owner: pg.ClientConfig },
  migrations: Migration[],
): Promise<string[]> {
  const pool = openPool({ ...database.owner, max: 2, work: 'migration', application_name: 'florka migrations' });
  try {
    const applied = await migrate(pool, migrations);
    await makeMonths(pool);
    if (database.owner === (database.config.direct ?? database.config)) return applied;
    const queue = new JobQueue(pool, () => {});
    await queue.prepare();
    const app = await roleOf(database.config);
    await withAdvisoryLock(pool.options, 'schema', async () => {
      const client = await pool.connect();
      try {
        await grantRights(client, app);
      } finally {
        client.release();
      }
    });
    return applied;
  } finally {
    await pool.end();
  }
}

/** Before the rights are granted: partitions have no rights of their own. */
async function makeMonths(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  const today = new Date().toISOString().slice(0, 10);
  try {
    if (await lacksVoteMonths(client, today))
      await withAdvisoryLock(pool.options, 'schema', () => makeVoteMonths(client, today));
  } finally {
    client.release();
  }
}

/** Role of a configuration, quoted for SQL. */
async function roleOf(config: pg.ClientConfig): Promise<string> {
  const pool = openPool({ ...config, max: 1 });
  try {
    const [names] = await readNames(pool, {});
    return names?.role ?? '';
  } finally {
    await pool.end();
  }
}

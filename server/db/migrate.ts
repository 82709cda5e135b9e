import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Pool, QueryConfig } from 'pg';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { StartError } from '#server/lib/start-error.ts';
import { LIMITS, sessionLimits } from './timeouts.ts';

export interface Migration {
  name: string;
  sql: string;
}

/** Reads the numbered .sql files of a folder, in order. */
export function readMigrations(dir: string): Migration[] {
  return readdirSync(dir)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((name) => ({ name, sql: readFileSync(path.join(dir, name), 'utf8') }));
}

/** Programs from before such a migration work on after it: it only adds. Its head says so. */
const isExpanding = ({ sql }: Migration) => /^-- Step: expand\b/m.test(sql);

/**
 * Applies what is missing: forward only, one transaction each, under the schema lock so that several processes may start
 * at once. Migrations of newer programs are left alone where they only add, so that the program before can come back.
 *
 * @returns names applied now.
 * @throws StartError when an applied file was edited, or the database has a newer migration that took something away.
 */
export const migrate = (pool: Pool, migrations: Migration[]): Promise<string[]> =>
  withAdvisoryLock(pool.options, 'schema', () => applyMissing(pool, migrations));

async function applyMissing(pool: Pool, migrations: Migration[]): Promise<string[]> {
  const client = await pool.connect();
  const applied: string[] = [];
  try {
    await client.query(sessionLimits(LIMITS.migration));
    await client.query(
      'create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    const { rows: column } = await client.query(
      `select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'expand'`,
    );
    // Asked first: even a change that changes nothing would wait for a backup, and every question about health behind it.
    if (column.length === 0)
      await client.query('alter table schema_migrations add column expand boolean not null default false');
    const { rows } = await client.query<{ name: string; sha256: string; expand: boolean }>(
      'select name, sha256, expand from schema_migrations',
    );
    const known = new Map(rows.map((row) => [row.name, row.sha256]));
    const newer = rows.find((row) => !row.expand && !migrations.some((migration) => migration.name === row.name));
    if (newer) throw new StartError(`The database is newer than this program: it has the migration ${newer.name}.`);
    for (const { name, sql } of migrations) {
      const sum = createHash('sha256').update(sql).digest('hex');
      const old = known.get(name);
      if (old === sum) continue;
      if (old) throw new StartError(`The migration ${name} was edited after it had been applied to this database.`);
      try {
        await client.query('begin');
        await client.query("set local lock_timeout = '2s'");
        // An index on a large table takes longer than the pool lets an answer take.
        const statements: QueryConfig & { query_timeout: number } = {
          text: sql,
          query_timeout: LIMITS.migration.answer,
        };
        await client.query(statements);
        await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sum]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw new Error(`migration ${name} failed`, { cause: error });
      }
      applied.push(name);
    }
    await client.query('update schema_migrations set expand = true where not expand and name = any($1)', [
      migrations.filter(isExpanding).map(({ name }) => name),
    ]);
    return applied;
  } finally {
    // Its limits are not those of requests.
    client.release(true);
  }
}

/** True when every migration of these files is applied, whatever newer programs applied besides; for /readyz. */
export async function isMigrated(pool: Pool, migrations: Migration[]): Promise<boolean> {
  const names = migrations.map(({ name }) => name);
  const { rows } = await pool.query<{ n: number }>(
    'select count(*)::int as n from schema_migrations where name = any($1)',
    [names],
  );
  return rows[0]?.n === names.length;
}

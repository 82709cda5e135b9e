import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Pool, QueryConfig } from 'pg';
import { StartError } from '#server/lib/start-error.ts';

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

/** Milliseconds that one migration may take. */
const PATIENCE = 600_000;

/**
 * Applies what is missing: forward only, one transaction each, under an advisory lock so that several processes may start
 * at once.
 *
 * @returns names applied now.
 * @throws StartError when an applied file was edited, or the database knows a migration that these files do not.
 */
export async function migrate(pool: Pool, migrations: Migration[]): Promise<string[]> {
  const client = await pool.connect();
  const applied: string[] = [];
  try {
    await client.query('select pg_advisory_lock(727274)');
    await client.query(
      'create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations');
    const known = new Map(rows.map((row) => [row.name, row.sha256]));
    const newer = rows.find((row) => !migrations.some((migration) => migration.name === row.name));
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
        const statements: QueryConfig & { query_timeout: number } = { text: sql, query_timeout: PATIENCE };
        await client.query(statements);
        await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sum]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`migration ${name} failed`, { cause: error });
      }
      applied.push(name);
    }
    return applied;
  } finally {
    await client.query('select pg_advisory_unlock(727274)').catch(() => {});
    client.release();
  }
}

/** True when every migration of these files is applied, for /readyz. */
export async function isMigrated(pool: Pool, migrations: Migration[]): Promise<boolean> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from schema_migrations');
  return rows[0]?.n === migrations.length;
}

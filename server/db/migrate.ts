import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { isOnline, retryWhileLocked, runOnline } from '#server/db/online-migration.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { readMigrationsApplied } from './server.sql.ts';
import { LIMITS, sessionLimits } from './timeouts.ts';

export interface Migration {
  name: string;
  sql: string;
  /** Its text in earlier versions, which results in the same tables together with the migrations after it; see ADR 0023. */
  replaced?: string;
}

/** The migrations of a folder, by name. @throws Error for a file whose name has no time. */
export function readMigrations(dir: string): Migration[] {
  const files = readdirSync(dir).filter((file) => file.endsWith('.sql'));
  // A silently ignored file would only be noticed where its table is used.
  const misnamed = files.find((file) => !/^(?:00[0-3]\d|2\d{13})_\w+\.sql$/.test(file));
  if (misnamed)
    throw new Error(`${misnamed}: a migration is named by its time in UTC, 20261231235959_what_it_does.sql`);
  return files.sort().map((name) => {
    const replaced = path.join(dir, 'replaced', name);
    return {
      name,
      sql: readFileSync(path.join(dir, name), 'utf8'),
      ...(existsSync(replaced) ? { replaced: readFileSync(replaced, 'utf8') } : {}),
    };
  });
}

/**
 * The checksum that databases store for a migration. For a replaced one it is that of the first text, whichever was applied:
 * previous versions only have that.
 */
export const checksumOf = ({ sql, replaced }: Migration): string =>
  createHash('sha256')
    .update(replaced ?? sql)
    .digest('hex');

/** Previous versions still work after such a migration, because it only adds. Its head declares that. */
const isExpanding = ({ sql }: Migration) => /^-- Step: expand\b/m.test(sql);

/**
 * Applies missing migrations: forward only, one transaction each (online ones statement by statement), under the schema lock so
 * that several processes may start at once. Migrations of newer versions that only add are accepted, so that the previous version
 * can be started again.
 *
 * @returns names applied now.
 * @throws StartError when an applied file was edited, or the database has a newer migration that is not additive.
 */
export const migrate = (pool: Pool, migrations: Migration[]): Promise<string[]> =>
  withAdvisoryLock(pool.options, 'schema', () => applyMissing(pool, migrations));

async function applyMissing(pool: Pool, migrations: Migration[]): Promise<string[]> {
  const client = await pool.connect();
  const applied: string[] = [];
  try {
    await client.query(sessionLimits(LIMITS.migration));
    const { rows: table } = await client.query(`select 1 where to_regclass('schema_migrations') is not null`);
    // Checked first, so that a role without the right to create tables can start when the table exists.
    if (table.length === 0)
      await client.query(
        'create table schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
      );
    const { rows: column } = await client.query(
      `select 1 from pg_attribute where attrelid = 'schema_migrations'::regclass and attname = 'expand'`,
    );
    // Checked first: even an ALTER TABLE without effect would wait for a backup, and all readiness checks would wait for it.
    if (column.length === 0)
      await client.query('alter table schema_migrations add column expand boolean not null default false');
    const rows = await readMigrationsApplied(client, {});
    const known = new Map(rows.map((row) => [row.name, row.sha256]));
    const newer = rows.find((row) => !row.expand && !migrations.some((migration) => migration.name === row.name));
    if (newer) throw new StartError(`The database is newer than this program: it has the migration ${newer.name}.`);
    for (const migration of migrations) {
      const { name } = migration;
      const sum = checksumOf(migration);
      const old = known.get(name);
      if (old === sum) continue;
      if (old) throw new StartError(`The migration ${name} was edited after it had been applied to this database.`);
      try {
        await apply(client, migration, sum);
      } catch (error) {
        throw new Error(`migration ${name} failed`, { cause: error });
      }
      applied.push(name);
    }
    const expanding = migrations.filter(isExpanding).map(({ name }) => name);
    if (applied.length > 0 || rows.some(({ name, expand }) => !expand && expanding.includes(name)))
      await client.query('update schema_migrations set expand = true where not expand and name = any($1)', [expanding]);
    return applied;
  } finally {
    // Not returned to the pool, because it has other limits than requests.
    client.release(true);
  }
}

/** Applies one migration, with retries when it could not get a lock within two seconds. */
async function apply(client: PoolClient, { name, sql }: Migration, sum: string): Promise<void> {
  const note = () => client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sum]);
  if (isOnline(sql)) {
    await runOnline(client, sql, LIMITS.migration.answer);
    await note();
    return;
  }
  // An index on a large table takes longer than the pool's response timeout.
  const statements: QueryConfig & { query_timeout: number } = { text: sql, query_timeout: LIMITS.migration.answer };
  await retryWhileLocked(async () => {
    try {
      await client.query('begin');
      await client.query(statements);
      await note();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });
}

/** True when every migration of these files is applied, regardless of additional ones of newer versions; for /readyz. */
export async function isMigrated(pool: Pick<Pool, 'query'>, migrations: Migration[]): Promise<boolean> {
  const names = migrations.map(({ name }) => name);
  const { rowCount } = await pool.query('select 1 from schema_migrations where name = any($1)', [names]);
  return rowCount === names.length;
}

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { onDatabase, runStatements } from '#tests/support/database/test-server.ts';
import { type Migration, migrate, readMigrations } from './migrate.ts';
import { statementsOf } from './statements.ts';

vi.setConfig({ testTimeout: 300_000 });

const MEMBERS = 50_000;
const now = readMigrations(path.join(import.meta.dirname, 'migrations'));
/** As in versions before the replacement. */
const first = now.map(({ name, sql, replaced }): Migration => ({ name, sql: replaced ?? sql }));
const before = (name: string) => now.filter((one) => one.name < name);
/** Up to the one that completes 0025; the first test applies all. */
const online = before('0029');
const replaced = now.filter((one) => one.replaced !== undefined);

const { template: _, ...server } = inject('testServer');
const newName = () => `florka_online_${process.pid}_${randomBytes(4).toString('hex')}`;
const dropDatabase = (name: string) => runStatements(server, `drop database if exists ${name} with (force)`);

async function createDatabase(template: string): Promise<pg.Pool> {
  const name = newName();
  await runStatements(server, `create database ${name} encoding 'UTF8' template ${template}`);
  const pool = openPool({ ...onDatabase(server, name), max: 6 });
  onTestFinished(async () => {
    await pool.end();
    await dropDatabase(name);
  });
  return pool;
}
const emptyDatabase = () => createDatabase('template0');

const withMembers = newName();
afterAll(() => dropDatabase(withMembers));
let prepared: Promise<void> | undefined;
/** As before migration 0025, with enough members for it to take time. */
async function contended(): Promise<pg.Pool> {
  prepared ??= prepareMembers();
  await prepared;
  return createDatabase(withMembers);
}

async function prepareMembers(): Promise<void> {
  await runStatements(server, `create database ${withMembers} encoding 'UTF8' template template0`);
  const pool = openPool({ ...onDatabase(server, withMembers), max: 6 });
  await migrate(pool, before('0025'));
  await pool.query(
    `insert into forum_users (username, wallet_address) select 'Máximo ' || n, 'w' || n from generate_series(1, ${MEMBERS}) n`,
  );
  await pool.end();
}

/** All differences between two schemas, except the order of columns. */
async function schemaOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ fact: string }>(`
    select format('column %s.%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        a.attgenerated, pg_get_expr(d.adbin, d.adrelid)) as fact
      from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
    union all select 'index ' || pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid from pg_index i
      join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
    union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t where not t.tgisinternal
    union all select 'function ' || pg_get_functiondef(p.oid) from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`);
  return rows.map(({ fact }) => fact);
}

/** Statements that hold a lock that blocks writers, while they read or rewrite the table. */
async function longLocks(pool: pg.Pool, sql: string): Promise<string[]> {
  const found: string[] = [];
  const client = await pool.connect();
  const look = async () => {
    const { rows } = await client.query<{ name: string; file: string; read: string; locked: boolean }>(`
      select c.relname as name, c.relfilenode::text as file, coalesce(s.seq_tup_read + coalesce(s.idx_tup_fetch, 0), 0)::text as read,
        exists (select 1 from pg_locks l where l.pid = pg_backend_pid() and l.relation = c.oid and l.granted and l.mode in
          ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')) as locked
      from pg_class c left join pg_stat_xact_user_tables s on s.relid = c.oid where c.relname = 'forum_users'`);
    return rows[0];
  };
  try {
    for (const { text, notes } of statementsOf(sql)) {
      const condition = notes.find((note) => note.startsWith('If:'))?.slice(3);
      if (condition && !(await client.query(`select (${condition}) as yes`)).rows[0]?.yes) continue;
      if (/\bindex\s+concurrently\b/i.test(text)) {
        await client.query(text);
        continue;
      }
      for (let changed = 1; changed > 0; ) {
        await client.query('begin');
        const was = await look();
        const { rowCount } = await client.query(text);
        const is = await look();
        await client.query('commit');
        if (is?.locked && (is.file !== was?.file || is.read !== was?.read)) found.push(text.split('\n')[0] ?? '');
        changed = notes.includes('Batch') ? (rowCount ?? 0) : 0;
      }
    }
  } finally {
    client.release();
  }
  return found;
}

describe('a migration that was replaced', () => {
  it('produces the same schema as its original, and each version accepts what the other applied', async () => {
    expect(replaced.map(({ name }) => name)).toEqual(['0025_office_speed.sql']);
    const [old, fresh] = [await emptyDatabase(), await emptyDatabase()];
    await migrate(
      old,
      first.filter(({ name }) => name < '0028'),
    );
    // The database of a released version is only changed by new migrations.
    const applied = await migrate(old, now);
    expect(applied[0]).toMatch(/^0028/);
    await migrate(fresh, now);
    expect(await schemaOf(fresh)).toEqual(await schemaOf(old));
    expect(await migrate(fresh, first)).toEqual([]);
  });
});

describe('migration 0025 with many members', () => {
  it('holds no lock that blocks writers while it reads or rewrites their table', async () => {
    const pool = await contended();
    for (const { sql } of now.filter(({ name }) => /^002[58]/.test(name)))
      expect(await longLocks(pool, sql)).toEqual([]);
    const { rows } = await pool.query(
      'select count(*)::int as n from forum_users where search <> florka_fold(username)',
    );
    expect(rows).toEqual([{ n: 0 }]);
    // The first text did block.
    const other = await contended();
    expect(await longLocks(other, replaced[0]?.replaced ?? '')).toContainEqual(expect.stringContaining('forum_users'));
  });

  it('allows concurrent writes, and includes their rows', async () => {
    const pool = await contended();
    let going = true;
    const written = { inserted: 0, renamed: 0 };
    const writers = ['uno', 'dos', 'tres'].map(async (word) => {
      for (let n = 0; going; n++) {
        await pool.query('insert into forum_users (username, wallet_address) values ($1, $1)', [`Nuevo ${word} ${n}`]);
        written.inserted++;
        await pool.query(
          `update forum_users set username = $1 where id = (select id from forum_users order by random() limit 1)`,
          [`Renombrado ${word} ${n}`],
        );
        written.renamed++;
      }
    });
    await migrate(pool, online).finally(() => {
      going = false;
    });
    await Promise.all(writers);
    expect(written.inserted).toBeGreaterThan(0);
    const { rows } = await pool.query(`
      select count(*)::int as n, (count(*) filter (where search <> florka_fold(username)))::int as wrong from forum_users`);
    expect(rows).toEqual([{ n: MEMBERS + written.inserted, wrong: 0 }]);
  });

  it('resumes after an interruption that left an invalid index', async () => {
    const pool = await contended();
    const statements = statementsOf(now.find(({ name }) => name.startsWith('0025'))?.sql ?? '');
    for (const { text } of statements.slice(0, 4)) await pool.query(text);
    await expect(
      pool.query('create unique index concurrently forum_users_part on forum_users (migration_status)'),
    ).rejects.toThrow('could not create unique index');
    await migrate(pool, online);
    const fresh = await emptyDatabase();
    await migrate(fresh, online);
    expect(await schemaOf(pool)).toEqual(await schemaOf(fresh));
  });
});

describe('a migration whose table is locked', () => {
  it('is retried until the lock is released', async () => {
    const pool = await contended();
    const client = new pg.Client(pool.options);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin; lock table forum_users in share mode');
    const done = migrate(pool, online);
    // Longer than the two seconds of one attempt.
    const waits = async () => {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return (rows[0]?.n ?? 0) > 0;
    };
    await vi.waitFor(async () => expect(await waits()).toBe(true), { timeout: 120_000 });
    await vi.waitFor(async () => expect(await waits()).toBe(false), { timeout: 120_000 });
    await vi.waitFor(async () => expect(await waits()).toBe(true), { timeout: 120_000 });
    await client.query('commit');
    expect(await done).toContain('0025_office_speed.sql');
  });
});

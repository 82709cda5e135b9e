import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { findBinaries } from '#server/db/embedded/binaries.ts';
import { createCluster, locateCluster } from '#server/db/embedded/cluster.ts';
import { launch, stopPostmaster } from '#server/db/embedded/postmaster.ts';
import { connectionOf, startEmbeddedPg } from '#server/db/embedded.ts';
import { claimInstallation } from '#server/db/installation.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { JobQueue } from '#server/jobs/queue.ts';
import { prepareDatabase } from '#server/prepare.ts';
import { useDatabase } from '#tests/support/database/database.ts';
import { readOwnPowers } from './rights.sql.ts';
import { LIMITED_TABLES, roleName } from './rights.ts';

const { roles } = inject('testServer');
/** With an external server (TEST_DATABASE_URL) tests have one role for everything. */
const withRoles = describe.runIf(roles);

const DENIED = '42501';

withRoles('the role of the site', () => {
  const database = useDatabase();
  let app: pg.Client;
  beforeAll(async () => {
    app = new pg.Client(database.app);
    await app.connect();
    await database.pool.query(
      `insert into audit_events (actor_role, action, resource_type) values ('system', 'member.signed_up', 'member')`,
    );
    await database.pool.query(`insert into ledger_leaves (seq, entry, hash, vote_id) values (0, 'x', '\\x00', 1)`);
  });
  afterAll(() => app?.end());

  const codeOf = (sql: string): Promise<string> =>
    app.query(sql).then(
      () => 'allowed',
      (error: { code?: string }) => error.code ?? String(error),
    );

  it.each([
    'update audit_events set actor_role = actor_role',
    'delete from audit_events',
    'truncate audit_events',
    'alter table audit_events disable trigger all',
    'alter table audit_events add column more int',
    'drop trigger audit_chain on audit_events',
    'drop table audit_events',
    'create or replace function audit_chain() returns trigger language plpgsql as $$ begin return new; end $$',
    'alter function audit_chain() rename to other',
    `select setval('audit_events_id', 1)`,
    'create trigger mine before insert on audit_events for each row execute function audit_chain()',
    'create rule mine as on insert to audit_events do instead nothing',
    `update ledger_leaves set entry = 'y'`,
    'update ledger_leaves set hash = hash',
    'delete from ledger_leaves',
    'truncate ledger_leaves',
    'alter table ledger_leaves disable trigger user',
    'update ledger_hashes set hash = hash',
    'delete from ledger_hashes',
    'update ledger_results set statement = statement',
    'delete from payment_events',
    'update payment_events set body = body',
    'delete from refund_cases',
    'truncate votes',
    'truncate users cascade',
    'delete from round_standings',
    'update round_races set place = 2',
    `insert into creation_nonces (chain_id, signer, nonce, creation_id) values ('1', 'x', 1, gen_random_uuid())`,
    `insert into creation_attempts (creation_id, number) values (gen_random_uuid(), 1)`,
    'delete from token_creations',
    'delete from site_page_versions',
    `update schema_migrations set sha256 = ''`,
    'create table mine (id int)',
    'create temporary table mine (id int)',
    'create schema mine',
    'create view mine as select 1',
    'create index mine on users (email)',
    'create table jobs.mine (id int)',
    'create function mine() returns int language sql as $$ select 1 $$',
    'create function pg_temp.mine() returns int language sql as $$ select 1 $$',
    'create extension file_fdw',
    'create role mine',
    'create database mine',
    'alter table users add column more int',
    'alter role current_user superuser',
    `set role ${roleName('owner')}`,
    `set role ${roleName('reader')}`,
    'set role postgres',
    'set session authorization postgres',
    'set session_replication_role = replica',
    'alter system set fsync = off',
    `copy users to '/tmp/florka-users'`,
    `copy settings (key) from '/etc/passwd'`,
    `copy users to program 'cat'`,
    `select pg_read_file('/etc/passwd')`,
    `select pg_read_binary_file('PG_VERSION')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    'select rolpassword from pg_authid',
    'load $$auth_delay$$',
    'create subscription mine connection $$host=nowhere$$ publication p',
  ])('may not %s', async (sql) => {
    expect(await codeOf(sql)).toBe(DENIED);
  });

  it('may add to the audit log, clear the vote of a leaf and change accounts, and has no power over the database itself', async () => {
    expect(
      await codeOf(
        `insert into audit_events (actor_role, action, resource_type) values ('system', 'member.signed_up', 'member')`,
      ),
    ).toBe('allowed');
    expect(await codeOf('update ledger_leaves set vote_id = null where vote_id = 1')).toBe('allowed');
    expect(await codeOf(`update users set email = email`)).toBe('allowed');
    const [powers] = await readOwnPowers(app, {});
    expect(powers).toEqual({ role: 'florka_app', superuser: false, creates: false, temporary: false, rewrites: false });
  });

  it('reads every table and view, and writes through none of the views', async () => {
    const { rows } = await database.pool.query<{ name: string; view: boolean }>(
      `select relname as name, relkind = 'v' as view from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`,
    );
    expect(rows.filter(({ view }) => view).map(({ name }) => name)).toContain('market_listings');
    for (const { name } of rows)
      expect([name, await codeOf(`select 1 from "${name}" limit 1`)]).toEqual([name, 'allowed']);
    const { rows: written } = await database.pool.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
         and has_table_privilege('florka_app', oid, 'insert, update, delete')`,
    );
    expect(written).toEqual([]);
  });

  it('accesses votes through their table, not its partitions, and may not add or change carried votes', async () => {
    const { rows } = await database.pool.query<{ name: string; reads: boolean }>(
      `select c.relname as name, has_table_privilege('florka_app', c.oid, 'select, insert, update, delete') as reads
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'votes'::regclass`,
    );
    expect(rows.length).toBeGreaterThan(6);
    expect(rows.filter(({ reads }) => reads)).toEqual([]);
    for (const sql of ['delete from votes', 'update votes set state = state', 'delete from carried_votes'])
      expect([sql, await codeOf(sql)]).toEqual([sql, 'allowed']);
    for (const sql of [
      'alter table votes detach partition votes_later',
      'drop table votes_later',
      'truncate votes',
      `create table mine partition of votes for values from ('2001-01-01') to ('2001-02-01')`,
      'insert into carried_votes select * from carried_votes',
      'update carried_votes set votes = votes',
    ])
      expect([sql, await codeOf(sql)]).toEqual([sql, DENIED]);
  });

  it('may neither delete from nor truncate a table whose trigger protects its rows', async () => {
    const { rows } = await database.pool.query<{ name: string }>(`
      select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and p.prosrc like '%raise exception%' and p.proname <> 'keep_an_admin' and (t.tgtype & 8) <> 0
        and c.relnamespace = 'public'::regnamespace order by 1`);
    const guarded = rows.map(({ name }) => name);
    expect(guarded.filter((name) => !(name in LIMITED_TABLES))).toEqual([]);
    expect(guarded).toContain('audit_events');
    const { rows: held } = await database.pool.query<{ name: string }>(
      `select name from unnest($1::text[]) name
       where has_table_privilege('florka_app', name, 'delete') and not name = any($2)
         or has_table_privilege('florka_app', name, 'truncate')`,
      // Versions of records are deleted with them, when the trash is emptied; carried votes with a permanent reset; wallets when
      // their owner unlinks them; changes of counters when a job stores their sum.
      [Object.keys(LIMITED_TABLES), ['record_versions', 'carried_votes', 'linked_wallets', 'counter_changes']],
    );
    expect(held).toEqual([]);
  });

  it('may update only some columns of tables that record history, except for four of these tables', async () => {
    const { rows } = await database.pool.query<{ name: string; column: string; whole: boolean }>(
      `select c.relname::text as name, a.attname::text as column,
         has_table_privilege('florka_app', c.oid, 'update') as whole
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and a.attnum > 0 and not a.attisdropped
         and has_column_privilege('florka_app', c.oid, a.attnum, 'update')`,
      [Object.keys(LIMITED_TABLES)],
    );
    const whole = new Set(rows.filter((row) => row.whole).map(({ name }) => name));
    expect([...whole].toSorted()).toEqual(['money_totals', 'ownership_proofs', 'refund_cases', 'token_creations']);
    const columns = rows.filter((row) => !row.whole).map(({ name, column }) => `${name}.${column}`);
    expect(columns.toSorted()).toEqual([
      'ledger_leaves.vote_id',
      'linked_wallets.last_used_at',
      'payment_events.payment_id',
      'sold_places.end_cause',
      'sold_places.ended_at',
      'sold_places.settled_at',
      'token_proposals.answered_at',
      'token_proposals.reminded_at',
      'token_proposals.state',
    ]);
  });

  it('starts on a migrated database without changing its tables', async () => {
    const pool = openPool({ ...database.app, max: 2 });
    onTestFinished(() => pool.end());
    expect(await migrate(pool, readMigrations('server/db/migrations'))).toEqual([]);
    const queue = new JobQueue(pool, (error) => expect.unreachable(error.message));
    await queue.start();
    await queue.stop();
  });
});

withRoles('the other roles', () => {
  const database = useDatabase();
  const as = async (role: 'signer' | 'reader', sql: string): Promise<string> => {
    const client = new pg.Client({ ...database.app, user: roleName(role) });
    await client.connect();
    try {
      await client.query(sql);
      return 'allowed';
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    } finally {
      await client.end();
    }
  };

  it('the signer reads orders and payments, which it may not change, and no accounts', async () => {
    for (const sql of ['select * from token_creations', 'select * from payments', 'select * from creation_attempts'])
      expect([sql, await as('signer', sql)]).toEqual([sql, 'allowed']);
    for (const sql of [
      'select * from users',
      'select * from accounts',
      'select * from sessions',
      'select * from mails',
      'select * from second_factors',
      'update payments set state = state',
      'update creation_attempts set signed = signed',
      'delete from creation_nonces',
      'update audit_events set action = action',
      'create table mine (id int)',
    ])
      expect([sql, await as('signer', sql)]).toEqual([sql, DENIED]);
  });

  it('the signer of the previous version writes its report through the former name of the table', async () => {
    const report = (
      state: string,
    ) => `insert into chain_lanes (network, state, daily_cap, used_today, used_on, started_at)
      values ('ethereum', '${state}', 5, 0, current_date, now())
      on conflict (network) do update set state = excluded.state, coin = coalesce(excluded.coin, chain_lanes.coin)`;
    expect([await as('signer', report('ready')), await as('signer', report('low_balance'))]).toEqual([
      'allowed',
      'allowed',
    ]);
    expect((await database.pool.query('select network, state from signer_workers')).rows).toEqual([
      { network: 'ethereum', state: 'low_balance' },
    ]);
    expect(await as('signer', 'delete from chain_lanes')).toBe(DENIED);
  });

  it('the reader may read everything and change nothing', async () => {
    for (const sql of ['select * from users', 'select * from audit_events', 'select * from jobs.job'])
      expect([sql, await as('reader', sql)]).toEqual([sql, 'allowed']);
    for (const sql of [
      'update users set email = email',
      'delete from votes',
      'delete from jobs.job',
      'create table mine (id int)',
    ])
      expect([sql, await as('reader', sql)]).toEqual([sql, DENIED]);
  });

  it('a table of a later migration is readable by the reader, and the site may not delete from it', async () => {
    const client = new pg.Client({ ...database.app, user: roleName('owner') });
    await client.connect();
    await client.query('create table later (id int)');
    await client.end();
    expect(await as('reader', 'select * from later')).toBe('allowed');
    const app = new pg.Client(database.app);
    await app.connect();
    await app.query('insert into later values (1)');
    await expect(app.query('delete from later')).rejects.toMatchObject({ code: DENIED });
    await app.end();
  });
});

/** Timeout for starting processes on a busy machine. Milliseconds. */
const LONG = 120_000;

describe('a data folder of a version without roles', () => {
  it('is upgraded: rows remain, their owner changes, and it is not paused', { timeout: LONG }, async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-upgrade-'));
    fs.chmodSync(dataDir, 0o755);
    onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
    const id = await madeBefore(dataDir);

    const server = await startEmbeddedPg({ dataDir, settings: ['fsync=off'] });
    onTestFinished(() => server.stop());
    const database = { config: server.configOf('app'), owner: server.configOf('owner') };
    expect(await prepareDatabase(database, readMigrations('server/db/migrations'))).toEqual([]);
    const pool = openPool({ ...database.config, max: 2 });
    onTestFinished(() => pool.end());
    expect((await pool.query('select id from users')).rows).toEqual([{ id }]);
    // At the same place: not a copy that is paused.
    expect(await claimInstallation(pool, new Date())).toBeNull();
    const { rows } = await pool.query(`
      select distinct pg_get_userbyid(relowner) as owner from pg_class
      where relnamespace in ('public'::regnamespace, 'jobs'::regnamespace) and relkind in ('r', 'p', 'S', 'v')`);
    expect(rows).toEqual([{ owner: 'florka_owner' }]);
    await expect(pool.query('delete from audit_events')).rejects.toMatchObject({ code: DENIED });
    const queue = new JobQueue(pool, (error) => expect.unreachable(error.message));
    await queue.start();
    await queue.stop();
    // A second start has nothing left to do.
    expect(await prepareDatabase(database, readMigrations('server/db/migrations'))).toEqual([]);
  });
});

/** A folder of an earlier version: everything belongs to the superuser, who needs no password. */
async function madeBefore(dataDir: string): Promise<string> {
  const cluster = locateCluster(dataDir);
  const { initdb, postgres } = findBinaries(cluster.account);
  createCluster(cluster, initdb);
  const args = ['-D', cluster.dir, '-k', cluster.dir, '-c', 'listen_addresses=', '-c', 'fsync=off'];
  const { pid } = await launch(postgres, args, cluster, true);
  const pool = openPool({ ...connectionOf(cluster.dir), user: 'postgres', max: 2 });
  const id = randomUUID();
  try {
    await migrate(pool, readMigrations('server/db/migrations'));
    const queue = new JobQueue(pool, () => {});
    await queue.start();
    await queue.stop();
    await claimInstallation(pool, new Date());
    await pool.query(`insert into users (id, email, name) values ($1, 'ana@example.org', 'ana')`, [id]);
  } finally {
    await pool.end();
    await stopPostmaster(pid, cluster.dir);
  }
  return id;
}

import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { CONFUSABLES, impersonatesSite } from '#server/lib/text/confusables.ts';
import { onDatabase, runStatements } from '#tests/support/database/test-server.ts';
import { migrate, readMigrations } from './migrate.ts';

/** A separate database, with a range of migrations. */
async function ownDatabase() {
  const { template: _, ...server } = inject('testServer');
  const name = `florka_names_${process.pid}_${randomBytes(4).toString('hex')}`;
  await runStatements(server, `create database ${name} encoding 'UTF8' template template0`);
  const pool = openPool({ ...onDatabase(server, name), max: 3 });
  onTestFinished(async () => {
    await pool.end();
    await runStatements(server, `drop database if exists ${name} with (force)`);
  });
  return { pool, all: readMigrations(path.join(import.meta.dirname, 'migrations')) };
}

it('the migration of name keys keeps look-alike names, gives the oldest the key, and prevents new ones', async () => {
  const { pool, all } = await ownDatabase();
  const at = all.findIndex((one) => one.name.includes('name_keys'));
  await migrate(pool, all.slice(0, at));
  await pool.query(`insert into forum_users (username, wallet_address, created_at) values
    ('Marta', 'w1', '2026-01-02'), ('Mаrta', 'w2', '2026-01-03'), ('M a r t a', 'w3', '2026-01-01'), ('   ', 'w4', now()),
    (' ', 'w5', now())`);
  await migrate(pool, all);
  const { rows } = await pool.query(`select wallet_address, name_key from forum_users order by wallet_address`);
  expect(rows.map((row) => row.name_key.replace(/ [0-9a-f-]{36}$/, ' (id)'))).toEqual([
    'marta (id)',
    'marta (id)',
    'marta',
    expect.stringMatching(/^( \(id\))?$/),
    expect.stringMatching(/^( \(id\))?$/),
  ]);
  await expect(
    pool.query(`insert into forum_users (username, wallet_address) values ('ＭＡＲＴＡ', 'w6')`),
  ).rejects.toThrow(/forum_users_name_key/);
});

it('the migration of look-alike characters computes keys of names and tokens, and removes no name', async () => {
  const { pool, all } = await ownDatabase();
  const at = all.findIndex((one) => one.name.includes('letters_alike'));
  await migrate(pool, all.slice(0, at));
  await pool.query(`insert into forum_users (username, wallet_address, created_at) values
    ('mᴀrco', 'w1', '2026-01-01'), ('mꭺrco', 'w2', '2026-01-02'), ('Marta', 'w3', '2026-01-03'), ('mᴀrta', 'w4', '2026-01-01'),
    ('Иван', 'w5', now())`);
  await pool.query(
    `insert into voting_candidates (token_name, token_symbol, token_slug) values ('ʙɪᴛᴄᴏɪɴ', 'ʙᴛᴄ', 'b')`,
  );
  const before = await pool.query(`select name_key from forum_users where wallet_address = 'w5'`);
  await migrate(pool, all);
  const { rows } = await pool.query(`select wallet_address, name_key from forum_users order by wallet_address`);
  expect(rows.map((row) => row.name_key.replace(/ [0-9a-f-]{36}$/, ' (id)'))).toEqual([
    'marco',
    'marco (id)',
    'marta',
    'marta (id)',
    before.rows[0].name_key,
  ]);
  expect((await pool.query('select name_key, symbol_key from likeness_keys')).rows).toEqual([
    { name_key: 'bltcoln', symbol_key: 'btc' },
  ]);
});

it('the database and the code have the same look-alike characters, in upper and lower case', async () => {
  const { pool, all } = await ownDatabase();
  await migrate(pool, all);
  const pairs = Object.entries(CONFUSABLES).flatMap(([latin, characters]) =>
    [...characters].map((alike) => ({ latin, alike })),
  );
  const { rows } = await pool.query(
    `select alike from jsonb_to_recordset($1) as pair (latin text, alike text)
     where florka_name_key('xo' || alike || 'ox') <> florka_name_key('xo' || latin || 'ox')
       or florka_name_key('xo' || lower(alike) || 'ox') <> florka_name_key('xo' || upper(latin) || 'ox')`,
    [JSON.stringify(pairs)],
  );
  expect(rows).toEqual([]);
  expect(pairs.length).toBeGreaterThan(250);
});

it.each(['ᴀᴅᴍɪɴ', 'ꓮꓓꓟꓲꓠ', 'ꜱᴛᴀꜰꜰ', 'ꓝꓡꓳꓣꓗꓮ 2026', 'ƒlorƙa', 'ꜱupport'])(
  'a name that looks like one of the team impersonates the site: %s',
  (name) => expect(impersonatesSite(name)).toBe(true),
);
it.each(['Ана', 'Սոնա', 'Kɔfi', 'ᎠᎴᎾ', 'Žofia'])('a name in another script is allowed: %s', (name) =>
  expect(impersonatesSite(name)).toBe(false),
);

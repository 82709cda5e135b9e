import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { onDatabase, runStatements } from '#tests/support/test-server.ts';
import { migrate, readMigrations } from './migrate.ts';

it('names that look alike from before the key all stay, the oldest holds it, and no other comes', async () => {
  const { template: _, ...server } = inject('testServer');
  const name = `florka_names_${process.pid}_${randomBytes(4).toString('hex')}`;
  await runStatements(server, `create database ${name} encoding 'UTF8' template template0`);
  const pool = openPool({ ...onDatabase(server, name), max: 3 });
  onTestFinished(async () => {
    await pool.end();
    await runStatements(server, `drop database if exists ${name} with (force)`);
  });
  const all = readMigrations(path.join(import.meta.dirname, 'migrations'));
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

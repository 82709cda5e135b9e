import path from 'node:path';
import pg from 'pg';
import { openPool } from '#server/db/client.ts';
import { type Migration, migrate, readMigrations } from '#server/db/migrate.ts';
import type { BenchEnvironment } from '../lib/environment.ts';
import { ms, type Row } from '../lib/report.ts';

/** Members of the forum; BENCH_MEMBERS takes another number for a try. */
const MEMBERS = Number(process.env['BENCH_MEMBERS'] ?? 1_000_000);
const WRITERS = 4;
/** Longest that a write may take while the migration runs. Milliseconds. */
const TARGET = 3_000;
const REPLACED = '0025_office_speed.sql';

interface Measured {
  /** Milliseconds. */
  slowest: number;
  seconds: number;
  writes: number;
}

/** Changes names of members while `work` runs; returns the duration of the slowest of these writes. */
async function underWrites(config: pg.ClientConfig, work: () => Promise<unknown>): Promise<Measured> {
  const clients = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const client = new pg.Client(config);
      await client.connect();
      return client;
    }),
  );
  let going = true;
  let slowest = 0;
  let writes = 0;
  const written = clients.map(async (client, writer) => {
    for (let n = 0; going; n++) {
      const began = performance.now();
      await client.query('update forum_users set username = $1 where wallet_address = $2', [
        `Nombre ${writer} ${n}`,
        `w${((n * 7_919) % MEMBERS) + 1}`,
      ]);
      slowest = Math.max(slowest, performance.now() - began);
      writes++;
    }
  });
  const began = performance.now();
  try {
    await work();
  } finally {
    going = false;
  }
  const seconds = (performance.now() - began) / 1_000;
  await Promise.all(written);
  for (const client of clients) await client.end();
  return { slowest, seconds, writes };
}

async function measure(environment: BenchEnvironment, name: string, migrations: Migration[]): Promise<Measured> {
  const config = await environment.emptyDatabase(name);
  const pool = openPool({ ...config, max: 2 });
  try {
    await migrate(
      pool,
      migrations.filter((one) => one.name < REPLACED),
    );
    const client = new pg.Client(config);
    await client.connect();
    await client.query(
      `insert into forum_users (username, wallet_address) select 'Máximo ' || n, 'w' || n from generate_series(1, ${MEMBERS}) n`,
    );
    await client.query('create index bench_wallet on forum_users (wallet_address)');
    await client.query('vacuum analyze forum_users');
    await client.end();
    return await underWrites(config, () =>
      migrate(
        pool,
        migrations.filter((one) => one.name <= REPLACED),
      ),
    );
  } finally {
    await pool.end();
  }
}

/** (m) The slowest write to a large table while a migration adds a filled column and an index to it. */
export async function onlineMigration(environment: BenchEnvironment): Promise<Row[]> {
  const migrations = readMigrations(path.join(process.cwd(), 'server/db/migrations'));
  const ours = await measure(environment, 'florka_online', migrations);
  const before = await measure(
    environment,
    'florka_at_once',
    migrations.map(({ name, sql, replaced }) => ({ name, sql: replaced ?? sql })),
  );
  const show = ({ slowest, seconds, writes }: Measured) =>
    `${ms(slowest)} (${writes} writes in ${seconds.toFixed(1)} s)`;
  return [
    {
      what: `m) slowest write during 0025, ${MEMBERS.toLocaleString('en-US')} members`,
      ours: show(ours),
      reference: `in one transaction: ${show(before)}`,
      result: (ours.slowest / before.slowest).toFixed(2),
      target: `≤ ${ms(TARGET)}`,
      met: ours.slowest <= TARGET ? 'yes' : 'no',
    },
  ];
}

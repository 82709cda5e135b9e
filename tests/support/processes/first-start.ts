/**
 * The start of the site on a database, as a process of its own: `node tests/support/processes/first-start.ts` with its settings in
 * FIRST_START. Says `ready` once its worker runs, and ends when its input does.
 */
import { once } from 'node:events';
import path from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { openPool } from '#server/db/client.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { firstRun } from '#server/first-run.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { localStorage } from '#server/providers/storage/local.ts';
import { openServices } from '#server/services.ts';

/** Settings of the process; plain values, because they are passed between processes. */
export interface FirstStart {
  config: pg.ClientConfig;
  uploadsDir: string;
}

const { config, uploadsDir } = JSON.parse(process.env['FIRST_START'] ?? '{}') as FirstStart;
const log = pino({ level: 'silent' });
const pool = openPool({ ...config, max: 6 });
await migrate(pool, readMigrations(path.resolve(import.meta.dirname, '../../../server/db/migrations')));
const services = openServices({
  pool,
  config,
  publicUrl: 'http://florka.test',
  secret: 'first-start'.padEnd(32, '0'),
  mail: { target: 'nowhere', kind: 'file', send: async () => {}, close: () => {} },
  storage: localStorage(uploadsDir),
  log,
});
await firstRun(services, { demo: true, log });
await services.hub.start();
await startWorker({ services, log });
console.log('ready');
process.stdin.resume();
await once(process.stdin, 'end');
await services.jobs.stop();
await services.hub.stop();
await pool.end();

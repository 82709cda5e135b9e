/**
 * Makes a DATA_DIR that a server can continue: `node tests/support/processes/prepare-data.ts folder`. It has the built-in database
 * with its roles, tables and demo content, and was never started as a site: it belongs to no place yet, and has no admin.
 */
import path from 'node:path';
import { openDb, openPool } from '#server/db/client.ts';
import { seedDemo } from '#server/db/demo/index.ts';
import { startEmbeddedPg } from '#server/db/embedded.ts';
import { readMigrations } from '#server/db/migrate.ts';
import { handleShutdown } from '#server/lib/process/shutdown.ts';
import { prepareDatabase } from '#server/prepare.ts';

/** Milliseconds after which it ends although the database has not stopped. */
const STOP_LIMIT_MS = 2_500;

const dataDir = process.argv[2];
if (!dataDir) throw new Error('no folder was given');
const shutdown = handleShutdown(STOP_LIMIT_MS);
// It is copied as files after its stop: nothing has to be flushed, and it should be small.
const server = await startEmbeddedPg({ dataDir, settings: ['fsync=off', 'min_wal_size=32MB', 'max_wal_size=32MB'] });
shutdown.onStop(() => server.stop());
await prepareDatabase(
  { config: server.configOf('app'), owner: server.configOf('owner') },
  readMigrations(path.resolve(import.meta.dirname, '../../../server/db/migrations')),
);
const pool = openPool({ ...server.configOf('app'), max: 1 });
await seedDemo(openDb(pool), new Date());
await pool.end();
await shutdown.stop(0);

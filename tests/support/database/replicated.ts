import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { openPool } from '#server/db/client.ts';
import { readMigrations } from '#server/db/migrate.ts';
import { roleName } from '#server/db/rights.ts';
import { prepareDatabase } from '#server/prepare.ts';
import type { TestDatabase } from './database.ts';
import { runStatements } from './test-server.ts';
import { startTrusted, type TrustedServer } from './trusted-server.ts';

const NAME = 'florka_replicated';
/** A replica needs only the existing programs: the folder of the stopped server, and the address of its primary. */
const SETTINGS = ['fsync=off', 'wal_level=replica', 'hot_standby_feedback=on'];

/** A primary with a migrated database and a server that follows it by streaming replication. */
export async function startReplicated() {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'florka-replicated-'));
  // As root, PostgreSQL runs under another account, which must be able to enter the folder.
  chmodSync(dir, 0o755);
  const homes = { primary: path.join(dir, 'primary'), replica: path.join(dir, 'replica') };
  const startPrimary = () => startTrusted({ dataDir: homes.primary, settings: SETTINGS });
  let primary = await startPrimary();
  const { config: server } = primary;
  const config: pg.ClientConfig = { ...server, database: NAME };
  const app = { ...config, user: roleName('app') };
  await runStatements(server, `create database ${NAME} owner ${roleName('owner')}`);
  await prepareDatabase(
    { config: app, owner: { ...config, user: roleName('owner') } },
    readMigrations('server/db/migrations'),
  );
  await primary.stop();
  const copied = spawnSync('cp', ['-a', homes.primary, homes.replica], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(copied.stderr);
  primary = await startPrimary();
  const place = primary.config;
  const settings = [...SETTINGS, `primary_conninfo=host=${place.host} port=${place.port} user=postgres`];
  const startReplica = () => startTrusted({ dataDir: homes.replica, settings });
  signalStandby(path.join(homes.replica, 'pg'));
  let replica: TrustedServer = await startReplica();
  const pool = openPool({ ...config, max: 5 });
  const onReplica: pg.ClientConfig = { ...replica.config, database: NAME };
  const database: TestDatabase = {
    pool,
    config,
    app,
    signer: { ...config, user: roleName('signer') },
    async drop() {
      if (!pool.ended) await pool.end();
      await replica.stop();
      await primary.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return {
    database,
    /** Settings for connections to the replica, as its superuser and as the site. */
    replica: { config: onReplica, app: { ...onReplica, user: roleName('app') } },
    /** Pauses or resumes the replay of received changes. */
    replay: (on: boolean) => runStatements(onReplica, `select pg_wal_replay_${on ? 'resume' : 'pause'}()`),
    /** Promotes the replica. */
    promote: () => runStatements(onReplica, 'select pg_promote()'),
    stopReplica: () => replica.stop(),
    async startReplica() {
      replica = await startReplica();
    },
  };
}

/** Its folder belongs to the account of the server; what the file belongs to does not matter. */
function signalStandby(cluster: string): void {
  const file = path.join(cluster, 'standby.signal');
  writeFileSync(file, '');
  chmodSync(file, 0o644);
}

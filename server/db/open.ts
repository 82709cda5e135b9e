import path from 'node:path';
import pg from 'pg';
import { locateCluster, prepareDataDir } from '#server/db/embedded/cluster.ts';
import { readPidFile } from '#server/db/embedded/postmaster.ts';
import { readPassword } from '#server/db/embedded/roles.ts';
import { connectionOf, startEmbeddedPg } from '#server/db/embedded.ts';
import type { Place } from '#server/db/pool.ts';
import { type DatabaseRole, roleName } from '#server/db/rights.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { readServer } from './server.sql.ts';

export interface Database {
  /** Connection settings for all work: of the app role, unless another role was requested. */
  config: Place;
  /** Connection settings for changes of tables; equal to `config` where one role does everything. Not used otherwise. */
  owner: pg.ClientConfig;
  /** Folder of the embedded database where it is not in the data directory, because its account may not enter that. */
  outside?: string;
  close: () => Promise<void>;
}

/** Oldest PostgreSQL version with the features that the migrations use. */
const OLDEST = 150_000;

/**
 * The database of this process: the one at `url`, or the embedded one under the data directory.
 *
 * @param options.onLost called when the embedded server crashes while in use.
 * @throws StartError when it can't be reached, is too old, or is not encoded in UTF-8.
 */
export async function openDatabase(options: {
  url?: string | undefined;
  /** The same database for the role that may change tables. */
  migrateUrl?: string | undefined;
  /** The same database without the pooler at `url`. */
  directUrl?: string | undefined;
  dataDir: string;
  onLost: (reason: string) => void;
}): Promise<Database> {
  if (!options.url) {
    const embedded = await startEmbeddedPg({ dataDir: options.dataDir, onCrash: options.onLost });
    const isOutside = path.relative(path.resolve(options.dataDir), embedded.clusterDir).startsWith('..');
    return {
      config: embedded.configOf('app'),
      owner: embedded.configOf('owner'),
      ...(isOutside ? { outside: embedded.clusterDir } : {}),
      close: () => embedded.stop(),
    };
  }
  const found = await reachable('DATABASE_URL', options.url);
  const direct = options.directUrl ? await reachable('DATABASE_DIRECT_URL', options.directUrl) : undefined;
  const config = direct ? { ...found, direct } : found;
  const owner = options.migrateUrl ? await reachable('DATABASE_MIGRATE_URL', options.migrateUrl) : (direct ?? config);
  return { config, owner, close: async () => {} };
}

async function reachable(variable: string, url: string): Promise<pg.ClientConfig> {
  const config: pg.ClientConfig = { connectionString: url };
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const [found] = await readServer(client, {});
    if (!found || found.version < OLDEST)
      throw new StartError(
        `${variable} is PostgreSQL ${Math.floor((found?.version ?? 0) / 10_000)}; version 15 or newer is needed.`,
      );
    if (found.encoding !== 'UTF8')
      throw new StartError(`${variable} holds ${found.encoding} text; a UTF-8 database is needed.`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${variable} can't be reached: ${(error as Error).message}.`);
  } finally {
    await client.end().catch(() => {});
  }
  return config;
}

/**
 * The embedded database of a running server: its lock prevents us from starting it, but it accepts another client. Null when none
 * is running; one that was left running by a dead process is handled by starting our own.
 */
export async function openRunning(dataDir: string, role: DatabaseRole = 'app'): Promise<Database | null> {
  const { dir, exists } = locateCluster(prepareDataDir(dataDir));
  const server = exists ? readPidFile(dir) : undefined;
  if (server?.status !== 'ready') return null;
  const configOf = (of: DatabaseRole): pg.ClientConfig => ({
    ...connectionOf(server.socketDir),
    user: roleName(of),
    // Undefined would make the driver use a password from elsewhere.
    password: readPassword(dataDir, of) ?? '',
  });
  const config = configOf(role);
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return { config, owner: configOf('owner'), close: async () => {} };
  } catch {
    return null;
  }
}

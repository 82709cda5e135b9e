import pg from 'pg';
import { locateCluster, prepareDataDir } from '#server/db/embedded/cluster.ts';
import { readPidFile, SOCKET_PORT } from '#server/db/embedded/postmaster.ts';
import { startEmbeddedPg } from '#server/db/embedded.ts';
import { StartError } from '#server/lib/start-error.ts';
import { readServer } from './server.sql.ts';

export interface Database {
  config: pg.ClientConfig;
  close: () => Promise<void>;
}

/** Oldest PostgreSQL whose features the migrations use. */
const OLDEST = 150_000;

/**
 * The database of this process: the one at `url`, or the embedded one under the data directory.
 *
 * @param options.onLost told when the embedded server dies while in use.
 * @throws StartError when it can't be reached, is too old, or does not hold UTF-8.
 */
export async function openDatabase(options: {
  url?: string;
  dataDir: string;
  onLost: (reason: string) => void;
}): Promise<Database> {
  if (!options.url) {
    const embedded = await startEmbeddedPg({ dataDir: options.dataDir, onCrash: options.onLost });
    return { config: embedded.config, close: () => embedded.stop() };
  }
  const config: pg.ClientConfig = { connectionString: options.url };
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const [found] = await readServer(client, {});
    if (!found || found.version < OLDEST)
      throw new StartError(
        `DATABASE_URL is PostgreSQL ${Math.floor((found?.version ?? 0) / 10_000)}; version 15 or newer is needed.`,
      );
    if (found.encoding !== 'UTF8')
      throw new StartError(`DATABASE_URL holds ${found.encoding} text; a UTF-8 database is needed.`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATABASE_URL can't be reached: ${(error as Error).message}.`);
  } finally {
    await client.end().catch(() => {});
  }
  return { config, close: async () => {} };
}

/**
 * The embedded database of a server that runs: its lock keeps us from starting it, but it takes another client. Null when
 * none runs; one that was left behind by a server that died is settled by starting our own.
 */
export async function openRunning(dataDir: string): Promise<Database | null> {
  const { dir, exists } = locateCluster(prepareDataDir(dataDir));
  const server = exists ? readPidFile(dir) : undefined;
  if (server?.status !== 'ready') return null;
  const config = { host: server.socketDir, port: SOCKET_PORT, user: 'postgres', database: 'postgres' };
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return { config, close: async () => {} };
  } catch {
    return null;
  }
}

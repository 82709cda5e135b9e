import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '#server/lib/errors/start-error.ts';
import { lockDataDir } from './data-lock.ts';
import { findBinaries, shortHash } from './embedded/binaries.ts';
import { type Cluster, createCluster, locateCluster, prepareDataDir, repairOwner } from './embedded/cluster.ts';
import {
  guardRunning,
  type Launched,
  launch,
  recoverLeftBehind,
  SOCKET_PORT,
  stopPostmaster,
} from './embedded/postmaster.ts';
import { accessSetting, isProvisioned, provision, readOrMakePasswords, runsWithPasswords } from './embedded/roles.ts';
import { type DatabaseRole, roleName } from './rights.ts';

export interface EmbeddedOptions {
  /** DATA_DIR: contains the database in `pg` and the lock; created when missing. */
  dataDir: string;
  /** Additional server settings, e.g. `fsync=off` for tests. They override the defaults. */
  settings?: string[];
  /** False leaves the database running when this process is killed. Only for tests of that case. */
  guard?: boolean;
  /** Called when the server crashes while in use, with the end of its log; not after `stop()`. */
  onCrash?: (log: string) => void;
}

/** Part of a pg pool's configuration. */
export interface EmbeddedConfig {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface EmbeddedPg {
  /** Connection settings of one of the roles. */
  configOf: (role: DatabaseRole) => EmbeddedConfig;
  /** The actual directory of the data: outside of DATA_DIR when root has that in a private directory. */
  clusterDir: string;
  pid: number;
  /** True when the server was left running by a process that died. */
  adopted: boolean;
  /** Stops the server and releases DATA_DIR; idempotent. */
  stop(): Promise<void>;
}

const SETTINGS = [
  'listen_addresses=',
  `port=${SOCKET_PORT}`,
  'unix_socket_permissions=0700',
  'max_connections=100',
  'shared_buffers=128MB',
  // For short queries on few cores, JIT compilation and parallel workers cost more than they save, and parallel workers need more
  // /dev/shm than containers have by default.
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'random_page_cost=1.1',
];

/** Inside the cluster, which only its owner can access, unless the path exceeds the maximum length of a socket address. */
function socketDirFor({ dir, account }: Cluster): string {
  if (Buffer.byteLength(path.join(dir, `.s.PGSQL.${SOCKET_PORT}.lock`)) < 100) return dir;
  const short = path.join(os.tmpdir(), `florka-pg-${shortHash(dir)}`);
  fs.mkdirSync(short, { recursive: true, mode: 0o700 });
  const owner = account?.uid ?? process.getuid?.();
  const found = fs.lstatSync(short);
  if (account && found.isDirectory() && found.uid === 0) fs.chownSync(short, account.uid, account.gid);
  else if (!found.isDirectory() || found.uid !== owner) {
    throw new StartError(`${short} belongs to another user; remove it and start again`);
  }
  return short;
}

/** Connection parameters of the database, without credentials. */
export const connectionOf = (socketDir: string) => ({ host: socketDir, port: SOCKET_PORT, database: 'postgres' });

async function launchWithRetries(
  postgres: string,
  args: string[],
  cluster: Cluster,
  guard: boolean,
): Promise<Launched> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(postgres, args, cluster, guard);
    } catch (error) {
      // After kill -9 of the server its child processes may need a moment to exit and release the shared memory.
      const lingering = error instanceof StartError && error.message.includes('still in use');
      if (!lingering || attempt === 50) throw error;
      await sleep(200);
    }
  }
}

/**
 * Starts PostgreSQL 18 on DATA_DIR, creating the database on the first run: Unix socket only, no TCP port, no system service.
 * Recovers automatically from kill -9 of any process and from interrupted first starts. Its roles have passwords in files of
 * DATA_DIR (embedded/roles.ts); there is no access without one, and none as superuser.
 *
 * @throws {StartError} when DATA_DIR is in use, cannot be written, or contains another version's database.
 */
export async function startEmbeddedPg(options: EmbeddedOptions): Promise<EmbeddedPg> {
  const dataDir = prepareDataDir(options.dataDir);
  locateCluster(dataDir);
  const lock = await lockDataDir(dataDir);
  try {
    // Located again: the previous holder of the lock may have created the cluster in between.
    const cluster = locateCluster(dataDir);
    const { initdb, postgres } = findBinaries(cluster.account);
    if (!cluster.exists) createCluster(cluster, initdb);
    repairOwner(cluster);

    const passwords = readOrMakePasswords(dataDir);
    let stopping: Promise<void> | undefined;
    let left = await recoverLeftBehind(cluster.dir);
    if (left && !(isProvisioned(cluster, passwords) && runsWithPasswords(cluster))) {
      // Left running by a version without passwords.
      await stopPostmaster(left.pid, cluster.dir);
      left = undefined;
    }
    if (!left && !isProvisioned(cluster, passwords)) await provision(cluster, postgres, passwords);
    const socketDir = left?.socketDir ?? socketDirFor(cluster);
    let pid = left?.pid;
    if (pid !== undefined) {
      if (options.guard !== false) guardRunning(pid, cluster);
    } else {
      const settings = [...SETTINGS, accessSetting(cluster), ...(options.settings ?? [])].flatMap((setting) => [
        '-c',
        setting,
      ]);
      const args = ['-D', cluster.dir, '-k', socketDir, ...settings];
      const launched = await launchWithRetries(postgres, args, cluster, options.guard !== false);
      launched.onExit((log) => stopping ?? options.onCrash?.(log));
      pid = launched.pid;
    }
    const server = pid;
    return {
      configOf: (role) => ({ ...connectionOf(socketDir), user: roleName(role), password: passwords[role] }),
      clusterDir: cluster.dir,
      pid: server,
      adopted: left !== undefined,
      stop: () => {
        stopping ??= stopPostmaster(server, cluster.dir).finally(() => lock.release());
        return stopping;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

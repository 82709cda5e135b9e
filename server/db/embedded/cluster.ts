import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { errorCode, explainWriteError, StartError } from '#server/lib/errors/start-error.ts';
import { makeDir } from '#server/lib/process/make-dir.ts';
import { type Account, accountFor, canReach } from './account.ts';
import { SHARED_DIR, shortHash } from './binaries.ts';

const MAJOR = '18';

export interface Cluster {
  /** PostgreSQL's own data directory: inside DATA_DIR, or in a shared directory when root owns a private DATA_DIR. */
  dir: string;
  account: Account | undefined;
  exists: boolean;
}

/** Only the search path: the operator's PG* variables and locale must not affect the cluster. */
export function childEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

/** Creates DATA_DIR when missing and returns its real path. Throws a StartError when it cannot be written. */
export function prepareDataDir(dataDir: string): string {
  const wanted = path.resolve(dataDir);
  try {
    makeDir(wanted);
    fs.accessSync(wanted, fs.constants.W_OK | fs.constants.X_OK);
    return fs.realpathSync(wanted);
  } catch (error) {
    throw explainWriteError(error, wanted);
  }
}

function clusterVersion(dir: string): string | undefined {
  try {
    return fs.readFileSync(path.join(dir, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw explainWriteError(error, dir);
    return undefined;
  }
}

/**
 * Locates this DATA_DIR's cluster, or the directory for a new one, without changes.
 *
 * @throws {StartError} for a cluster of another PostgreSQL version or a directory that is not a cluster.
 */
export function locateCluster(dataDir: string): Cluster {
  const inside = path.join(dataDir, 'pg');
  const moved = path.join(SHARED_DIR, `florka-pg-${shortHash(dataDir)}`);
  const account = accountFor(inside);
  // A cluster that was once created outside stays there; otherwise a chmod of the home would appear to lose all data.
  const useMoved = account && !fs.existsSync(inside) && (fs.existsSync(moved) || !canReach(account, dataDir));
  const dir = useMoved ? moved : inside;
  if (account && !useMoved && !canReach(account, dataDir)) {
    throw new StartError(`PostgreSQL cannot reach ${inside}: as root, allow others to enter ${dataDir} (chmod o+x)`);
  }
  const found = fs.lstatSync(dir, { throwIfNoEntry: false });
  if (useMoved && found && found.uid !== account.uid) {
    throw new StartError(`${dir} belongs to another user; set DATA_DIR to a directory that other users can enter`);
  }
  const version = clusterVersion(dir);
  if (version !== undefined && version !== MAJOR) {
    throw new StartError(
      `${dir} holds a PostgreSQL ${version} database and this is PostgreSQL ${MAJOR}; dump and restore it, ` +
        'or choose another DATA_DIR',
    );
  }
  if (version === undefined && found && (!fs.statSync(dir).isDirectory() || fs.readdirSync(dir).length > 0)) {
    throw new StartError(`${dir} exists but is no PostgreSQL database; move it away or choose another DATA_DIR`);
  }
  return { dir, account, exists: version !== undefined };
}

/** Interrupted first starts leave a partial cluster under a temporary name. Call only while holding the lock. */
function removeLeftovers(dir: string): void {
  const prefix = `${path.basename(dir)}.init-`;
  for (const name of fs.readdirSync(path.dirname(dir))) {
    if (name.startsWith(prefix)) fs.rmSync(path.join(path.dirname(dir), name), { recursive: true, force: true });
  }
}

function syncDirectory(dir: string): void {
  const fd = fs.openSync(dir, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Creates the cluster under a temporary name and renames it, so that it is complete or missing, even after a power failure. The
 * builtin PG_UNICODE_FAST locale compares Spanish text case-insensitively and needs no locale of the operating system.
 *
 * @throws {StartError} when initdb fails or cannot run here.
 */
export function createCluster(cluster: Cluster, initdb: string): void {
  const { dir, account } = cluster;
  removeLeftovers(dir);
  const temporary = `${dir}.init-${process.pid}`;
  try {
    fs.mkdirSync(temporary, { mode: 0o700 });
    if (account) fs.chownSync(temporary, account.uid, account.gid);
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=PG_UNICODE_FAST'];
    const args = ['-D', temporary, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-instructions', ...locale];
    const run = spawnSync(initdb, args, { ...account, cwd: '/', encoding: 'utf8', env: childEnv() });
    if (run.error || run.status !== 0) {
      const lines = run.stderr?.trim().split('\n') ?? [];
      const reason = run.error?.message ?? lines.find((line) => /error:|FATAL:|PANIC:/.test(line)) ?? lines.pop();
      throw new StartError(`The database could not be created (initdb: ${reason}); set DATABASE_URL to use a server`);
    }
    fs.renameSync(temporary, dir);
    syncDirectory(path.dirname(dir));
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true });
    throw explainWriteError(error, path.dirname(dir));
  }
}

/** A copied or restored cluster often belongs to root or is accessible to others; PostgreSQL refuses both. */
export function repairOwner({ dir, account }: Cluster): void {
  const stat = fs.statSync(dir);
  if (account && stat.uid === 0) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, dir]);
  if (stat.mode & 0o027) fs.chmodSync(dir, 0o700);
}

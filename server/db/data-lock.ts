import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, explainWriteError, StartError } from '#server/lib/errors/start-error.ts';

export interface DataLock {
  /** Releases the directory; idempotent, and never removes the lock of another process. */
  release(): void;
}

interface Owner {
  pid: number;
  /** Identifies the process beyond its pid where the system supports it (Linux), else an empty string. */
  life: string;
}

/** True when a process with this pid exists, including one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Boot id and start time of a process. Pids are reused, after a crash in a container even routinely, so that a pid alone would
 * preserve a dead owner's lock forever.
 */
export function startMarkOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may contain spaces; field 22 is the start time in ticks.
    const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTicks}`;
  } catch {
    return '';
  }
}

function parseOwner(text: string): Owner | undefined {
  const [pid, life = ''] = text.split('\n');
  return Number(pid) > 0 ? { pid: Number(pid), life } : undefined;
}

function holds(owner: Owner): boolean {
  return isAlive(owner.pid) && (owner.life === '' || owner.life === startMarkOf(owner.pid));
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw explainWriteError(error, file);
  }
}

/** Removes the stale lock with the content `seen`, unless another process has replaced it in the meantime. */
function removeStaleLock(file: string, seen: string): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw explainWriteError(error, file);
  }
  if (read(aside) === seen) fs.rmSync(aside, { force: true });
  else fs.renameSync(aside, file);
}

/**
 * Locks the data directory for this process: one Florka process per directory, because the process that starts the embedded
 * database also stops it. The lock of a dead process is taken over.
 *
 * @throws {StartError} when a live process holds the lock or the directory cannot be written.
 */
export async function lockDataDir(dataDir: string): Promise<DataLock> {
  const file = path.join(dataDir, 'florka.lock');
  const mine = `${process.pid}\n${startMarkOf(process.pid)}\n`;
  for (let attempt = 0; attempt < 40; attempt++) {
    try {
      fs.writeFileSync(file, mine, { flag: 'wx' });
      return { release: () => void (read(file) === mine && fs.rmSync(file, { force: true })) };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw explainWriteError(error, dataDir);
    }
    const seen = read(file);
    if (seen === undefined) continue;
    const owner = parseOwner(seen);
    if (owner && holds(owner)) {
      throw new StartError(
        `Another Florka process (pid ${owner.pid}) already uses DATA_DIR ${dataDir}; ` +
          'use DATABASE_URL to run several processes on one database',
      );
    }
    // An empty file may be a lock that its owner has created but not written yet: wait half a second.
    if (owner || attempt > 10) removeStaleLock(file, seen);
    else await sleep(50);
  }
  throw new StartError(`DATA_DIR ${dataDir} cannot be locked: other processes keep taking it`);
}

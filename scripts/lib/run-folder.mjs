// One folder in the system's temporary folder for a whole run of tests: what tests, servers and browsers leave there, also
// after a crash of theirs, is removed with it.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive, startTimeOf } from './process.mjs';

/** Names the folder to the programs of the run. */
const MARK = 'FLORKA_RUN_FOLDER';
/** Prefix of the folders of all runs. */
const PREFIX = 'florka-run-';
/** File that names the process of a run: pid, its start, and the host, because containers may share a temporary folder. */
const OWNER = 'owner';
/** Variables for the temporary folder: os.tmpdir() and the programs that tests start use them. */
const NAMES = ['TMPDIR', 'TEMP', 'TMP'];
/** Maximum attempts: more than a stopping database server needs to remove its files. */
const MAX_REMOVALS = 100;
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Ends the process with an exit, so that its folder is removed. Where something else handles the signal, as while a program
 * runs whose end is waited for, that decides when to end.
 *
 * @param {NodeJS.Signals} signal
 */
function endBy(signal) {
  if (process.listenerCount(signal) === 1) process.exit(128 + os.constants.signals[signal]);
}

/**
 * Removes the folders of runs of this user and host whose process has ended without it, as after SIGKILL. Folders that name no process
 * are left: their run may be about to write it.
 *
 * @param {string} within the temporary folder
 */
function removeStale(within) {
  for (const name of readdirSync(within)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = path.join(within, name);
    try {
      const found = lstatSync(folder);
      if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
      const [pid, life, host] = readFileSync(path.join(folder, OWNER), 'utf8').split('\n');
      if (host !== os.hostname() || isAlive({ pid: Number(pid), life: life ?? '' })) continue;
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Without a process, removed meanwhile, or not to be removed by this user: no reason to refuse a run.
    }
  }
}

/**
 * Removes a folder in which programs that are just ending may still write or remove files. Node 24 takes a file that vanishes meanwhile
 * for the end of the work, without an error, and leaves the rest: it is repeated.
 *
 * @param {string} folder
 */
function removeFolder(folder) {
  for (let attempt = 0; attempt < MAX_REMOVALS && existsSync(folder); attempt++)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/**
 * Creates the folder and makes this process, and all that it starts from now on, use it. Within a run that has one
 * already, that one is used, and its creator removes it. Folders of killed runs are removed.
 *
 * @returns {{ folder: string, remove: () => void }}
 */
export function enterRunFolder() {
  const outer = process.env[MARK];
  if (outer) return { folder: outer, remove: () => {} };
  const before = NAMES.map((name) => process.env[name]);
  removeStale(os.tmpdir());
  const folder = mkdtempSync(path.join(os.tmpdir(), PREFIX));
  writeFileSync(path.join(folder, OWNER), [process.pid, startTimeOf(process.pid), os.hostname()].join('\n'));
  // When started by root, database servers run as another user, who needs access.
  chmodSync(folder, 0o755);
  for (const name of [MARK, ...NAMES]) process.env[name] = folder;
  const remove = () => {
    process.off('exit', remove);
    for (const signal of SIGNALS) process.off(signal, endBy);
    delete process.env[MARK];
    NAMES.forEach((name, i) => {
      const value = before[i];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    });
    removeFolder(folder);
  };
  // Also when the run ends with an error or by a signal.
  process.on('exit', remove);
  for (const signal of SIGNALS) process.on(signal, endBy);
  return { folder, remove };
}

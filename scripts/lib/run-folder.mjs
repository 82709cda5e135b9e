// One folder in the system's temporary folder for a whole run of tests: what tests, servers and browsers leave there, also
// after a crash of theirs, is removed with it.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Names the folder to the programs of the run. */
const MARK = 'FLORKA_RUN_FOLDER';
/** What systems call the temporary folder: os.tmpdir() and the programs that tests start follow these. */
const NAMES = ['TMPDIR', 'TEMP', 'TMP'];
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
 * Makes the folder and leads this process, and all that it starts from now on, into it. Inside of a run that has one
 * already, that one is used, and removing is left to whoever made it.
 *
 * @returns {{ folder: string, remove: () => void }}
 */
export function enterRunFolder() {
  const outer = process.env[MARK];
  if (outer) return { folder: outer, remove: () => {} };
  const before = NAMES.map((name) => process.env[name]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-run-'));
  // Started by root, database servers run as another user, who has to get through.
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
    // A program that is just ending may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  // Also when the run ends by an error, or by a signal.
  process.on('exit', remove);
  for (const signal of SIGNALS) process.on(signal, endBy);
  return { folder, remove };
}

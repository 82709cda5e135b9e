// One start at a time installs and builds in a checkout: `npm ci` empties the folder that another one would be filling.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isAlive, startTimeOf } from './process.mjs';

const POLL_MS = 300;
/** A lock without an owner may be one that is being written. */
const EMPTY_MS = 5_000;

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;

/** @param {string} file */
const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** @param {number} pid */
const ownerLine = (pid) => `${pid} ${startTimeOf(pid)}\n`;
/** @param {string} text of a lock */
const ownersOf = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '))
    .map(([pid, life = '']) => ({ pid: Number(pid), life }));

/**
 * @param {string} file
 * @returns {boolean} whether the lock is ours now
 */
function take(file) {
  try {
    writeFileSync(file, ownerLine(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    // The checkout is read-only, so no lock can be created: the start continues without one.
    const code = codeOf(error);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return true;
    if (code !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Removes a lock whose owners are gone, unless another process has replaced it meanwhile.
 * @param {string} file
 * @param {string} seen what it held when its owners were looked for
 */
function removeStale(file, seen) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (read(aside) === seen) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

/**
 * @param {string} file
 * @param {string} text what it holds
 */
function isStale(file, text) {
  const owners = ownersOf(text);
  if (owners.length > 0) return !owners.some(isAlive);
  const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  return Date.now() - since > EMPTY_MS;
}

/**
 * Runs `work` while no other start does so in this checkout. The lock of a process that has ended is taken over once the
 * programs that it had started have ended too.
 *
 * @template T
 * @param {string} file
 * @param {(own: (pid: number) => void) => Promise<T>} work receives `own(pid)`, which adds a child process as owner of the lock
 * @param {() => void} onWait called once when another start holds the lock
 * @returns {Promise<T>}
 */
export async function withStartLock(file, work, onWait) {
  for (let notified = false; !take(file); ) {
    const seen = read(file);
    if (seen === undefined) continue;
    if (isStale(file, seen)) {
      removeStale(file, seen);
      continue;
    }
    if (!notified) onWait();
    notified = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work((pid) => writeFileSync(file, ownerLine(process.pid) + ownerLine(pid)));
  } finally {
    process.off('exit', release);
    release();
  }
}

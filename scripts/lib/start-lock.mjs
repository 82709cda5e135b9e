// One start at a time installs and builds in a checkout: `npm ci` empties the folder that another one would be filling.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isAlive, lifeOf } from './process.mjs';

const LOOK_MS = 300;
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
const lineOf = (pid) => `${pid} ${lifeOf(pid)}\n`;
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
    writeFileSync(file, lineOf(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    // Where only the folders below may be written, there is no lock to be had.
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
function bury(file, seen) {
  const grave = `${file}.${process.pid}`;
  try {
    renameSync(file, grave);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (read(grave) === seen) rmSync(grave, { force: true });
  else renameSync(grave, file);
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
 * Works while no other start does so in this checkout. The lock of a process that ended is taken over once the programs that
 * it had started are gone too.
 *
 * @template T
 * @param {string} file
 * @param {(own: (pid: number) => void) => Promise<T>} work gets what names a program that must end before others may begin
 * @param {() => void} onWait called once when another start holds the lock
 * @returns {Promise<T>}
 */
export async function withStartLock(file, work, onWait) {
  for (let notified = false; !take(file); ) {
    const seen = read(file);
    if (seen === undefined) continue;
    if (isStale(file, seen)) {
      bury(file, seen);
      continue;
    }
    if (!notified) onWait();
    notified = true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work((pid) => writeFileSync(file, lineOf(process.pid) + lineOf(pid)));
  } finally {
    process.off('exit', release);
    release();
  }
}

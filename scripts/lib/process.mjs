// Runs other programs for the scripts, and detects that their parent has ended. Only modules of Node are imported:
// this runs before the dependencies are installed.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const WATCH_MS = 500;
/** Time for a group of processes to end after SIGTERM. */
const GRACE_MS = 3_000;

/**
 * Data of a process; null when it has ended, also while it is a zombie.
 * @param {number} pid
 * @returns {{ parent: number, life: string, words: string[] } | null}
 */
function look(pid) {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the program's name in parentheses and may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return null;
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return { parent: Number(fields[1]), life: fields[19] ?? '', words };
    } catch {
      return null;
    }
  }
  const { stdout, status } = spawnSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' });
  if (status !== 0 || !stdout) return null;
  const [parent, ...words] = stdout.trim().split(/\s+/);
  return { parent: Number(parent), life: '', words };
}

/**
 * Identifies this use of a pid, which the system reuses; empty where the system does not provide it.
 * @param {number} pid
 */
export const startTimeOf = (pid) => (process.platform === 'linux' ? (look(pid)?.life ?? '') : '');

/**
 * True while the process runs and is the expected one.
 * @param {{ pid: number, life: string }} process
 */
export function isAlive({ pid, life }) {
  if (process.platform === 'linux') return (look(pid)?.life ?? '') === life && life !== '';
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string[]} words */
const isShell = ([program = '', option = '']) =>
  /^-?(?:sh|bash|dash|ash|zsh|ksh)$/.test(path.basename(program)) && option === '-c';

/**
 * The processes between this one and npm, npm being the last; none without npm, where the process that started this one may end at any time
 * (nohup, a closed terminal).
 */
function npmAbove() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return [];
  const chain = [];
  for (let pid = process.ppid; pid > 1 && chain.length < 5; ) {
    const found = look(pid);
    if (!found) break;
    chain.push({ pid, life: found.life });
    if (!isShell(found.words)) break;
    pid = found.parent;
  }
  return chain;
}

/**
 * Calls back once when npm, or a process between it and this one, has ended: npm reports nothing when it is killed, and hands
 * SIGTERM only to the shell between. Without npm it never calls back.
 *
 * @param {() => void} callback
 * @returns {() => void} ends the watch
 */
export function onNpmEnded(callback) {
  if (!process.env.npm_lifecycle_event) return () => {};
  const parent = process.ppid;
  const above = npmAbove();
  const watch = setInterval(() => {
    if (process.ppid === parent && above.every((one) => isAlive(one))) return;
    clearInterval(watch);
    callback();
  }, WATCH_MS);
  watch.unref();
  return () => clearInterval(watch);
}

/**
 * `group`: the command and its children end together, at most three seconds after SIGTERM.
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions, timeoutMs?: number,
 *   group?: boolean, onSpawn?: (pid: number) => void }} Options
 */

/**
 * Runs a command and resolves with its exit code, 128 + n when signal n ended it. Signals sent to this process go to the
 * command too. npm hands SIGTERM only to the shell between us, which ends without forwarding it, and reports nothing when it is
 * killed: the end of either means the same as a signal.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Options} [options]
 * @returns {Promise<{ code: number, stopped: boolean }>} `stopped`: this process received a stop signal
 */
export function supervise(command, args, options = {}) {
  const { cwd, env = process.env, stdio = 'inherit', timeoutMs, onSpawn } = options;
  const group = options.group === true && process.platform !== 'win32';
  return new Promise((resolve, reject) => {
    // Windows runs npm through a .cmd file, which only a shell can start.
    const shell = command.endsWith('.cmd');
    const child = spawn(command, args, { cwd, env, stdio, shell, timeout: timeoutMs, detached: group });
    if (child.pid) onSpawn?.(child.pid);
    let stopped = false;
    /** @type {NodeJS.Timeout | undefined} */
    let limit;
    const kill = (/** @type {NodeJS.Signals} */ signal) => {
      if (!group || !child.pid) return void child.kill(signal);
      try {
        process.kill(-child.pid, signal);
      } catch {
        // All of them have ended.
      }
    };
    const stop = (/** @type {NodeJS.Signals} */ signal) => {
      stopped = true;
      kill(signal);
      if (group) limit ??= setTimeout(() => kill('SIGKILL'), GRACE_MS);
    };
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, stop);
    const endWatch = onNpmEnded(() => stop('SIGTERM'));
    const clean = () => {
      endWatch();
      clearTimeout(limit);
      for (const signal of signals) process.off(signal, stop);
    };
    child.once('error', (error) => {
      clean();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      clean();
      // What npm started may outlive it.
      if (group && stopped) kill('SIGKILL');
      resolve({ code: code ?? 128 + (signal ? os.constants.signals[signal] : 0), stopped });
    });
  });
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '#server/db/data-lock.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { type Cluster, childEnv } from './cluster.ts';

/** Only part of the socket file's name: nothing listens on TCP, so there is no port conflict. */
export const SOCKET_PORT = 5432;

const START_LIMIT_MS = 60_000;
const FAST_STOP_LIMIT_MS = 30_000;

// The database must not outlive the application, even after kill -9: the application's death closes the guard's stdin. Background
// jobs of a shell get /dev/null as stdin, which is why fd 4 is used.
const GUARDED_START = `
exec 4<&0
"$@" </dev/null 4<&- & p=$!
trap "" INT TERM HUP
{ while read -r _; do :; done; kill -INT $p 2>/dev/null; } <&4 & w=$!
wait $p; code=$?
kill -KILL $w 2>/dev/null
exit $code`;

const GUARD_RUNNING = `
trap "" INT TERM HUP
while read -r _; do :; done
read -r p < "$1/postmaster.pid" && [ "$p" = "$2" ] && kill -INT "$2"`;

interface PidFile {
  pid: number;
  socketDir: string;
  /** 'starting', 'ready', 'stopping'… */
  status: string;
}

/** Data that the running or last server wrote into its directory. */
export function readPidFile(dir: string): PidFile | undefined {
  try {
    const lines = fs.readFileSync(path.join(dir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return pid > 1 ? { pid, socketDir: lines[4]?.trim() ?? '', status: lines[7]?.trim() ?? '' } : undefined;
  } catch {
    return undefined;
  }
}

/** True when the process is this cluster's server: after a crash the pid may belong to another program. */
function isPostmasterOf(pid: number, dir: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout.includes('postgres');
  }
  try {
    // The server's working directory is the cluster; comparing inodes is independent of the spelling of the path.
    const cwd = fs.statSync(`/proc/${pid}/cwd`);
    const own = fs.statSync(dir);
    return cwd.ino === own.ino && cwd.dev === own.dev;
  } catch {
    return false;
  }
}

function canConnect(socketDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(path.join(socketDir, `.s.PGSQL.${SOCKET_PORT}`));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function detachFromEventLoop(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) if (stream instanceof net.Socket) stream.unref();
}

/**
 * Handles a server that a dead process left running on this cluster: waits while one is stopping, returns a healthy one, stops one
 * that is not, and removes the pid file when its pid belongs to another program now.
 */
export async function recoverLeftBehind(dir: string): Promise<{ pid: number; socketDir: string } | undefined> {
  const left = readPidFile(dir);
  if (!left) return undefined;
  if (!isPostmasterOf(left.pid, dir)) {
    fs.rmSync(path.join(dir, 'postmaster.pid'), { force: true });
    return undefined;
  }
  // Its guard may be about to stop it: that takes a few milliseconds after the death of the previous owner.
  await sleep(200);
  for (let waited = 0; waited < FAST_STOP_LIMIT_MS; waited += 50) {
    const now = readPidFile(dir);
    if (!now || !isPostmasterOf(left.pid, dir)) return undefined;
    if (now.status === 'ready' && (await canConnect(now.socketDir))) return now;
    if (now.status === 'ready') break;
    await sleep(50);
  }
  await stopPostmaster(left.pid, dir);
  return undefined;
}

/** Makes a running server stop when this process ends for any reason. */
export function guardRunning(pid: number, cluster: Cluster): void {
  const child = spawn('/bin/sh', ['-c', GUARD_RUNNING, 'florka-pg-guard', cluster.dir, String(pid)], {
    ...cluster.account,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: childEnv(),
  });
  child.on('error', () => {});
  detachFromEventLoop(child);
}

export interface Launched {
  pid: number;
  /** Called once if the server ends unexpectedly; the text is the end of its own log. */
  onExit(listener: (log: string) => void): void;
}

/**
 * Starts the server and waits until it accepts connections.
 *
 * @throws {StartError} with PostgreSQL's own reason when it refuses.
 */
export async function launch(postgres: string, args: string[], cluster: Cluster, guard: boolean): Promise<Launched> {
  const [command, argv] = guard
    ? ['/bin/sh', ['-c', GUARDED_START, 'florka-pg-guard', postgres, ...args]]
    : [postgres, args];
  const child = spawn(command, argv, {
    ...cluster.account,
    cwd: '/',
    // A session of its own: Ctrl-C in the terminal must only reach the application, which then drains and stops it.
    detached: true,
    stdio: [guard ? 'pipe' : 'ignore', 'ignore', 'pipe'],
    env: childEnv(),
  });
  let log = '';
  let ended = false;
  const listeners: ((log: string) => void)[] = [];
  child.stderr?.on('data', (chunk) => {
    log = (log + chunk).slice(-4000);
  });
  const end = (error?: Error): void => {
    if (ended) return;
    ended = true;
    if (error) log += error.message;
    for (const listener of listeners) listener(log);
  };
  child.once('error', end);
  // 'close' instead of 'exit', so that stderr has been read completely.
  child.once('close', () => end());

  for (const deadline = Date.now() + START_LIMIT_MS; ; await sleep(5)) {
    const file = readPidFile(cluster.dir);
    if (file?.status === 'ready') {
      detachFromEventLoop(child);
      return { pid: file.pid, onExit: (listener) => void listeners.push(listener) };
    }
    if (ended) throw new StartError(`The database could not start: ${lastReason(log)}`);
    if (Date.now() > deadline) {
      if (file) process.kill(file.pid, 'SIGQUIT');
      throw new StartError(`The database did not start within ${START_LIMIT_MS / 1000} s: ${lastReason(log)}`);
    }
  }
}

function lastReason(log: string): string {
  const lines = log.trim().split('\n');
  const fatal = lines.findLast((line) => /FATAL:|PANIC:/.test(line)) ?? lines.at(-1);
  return fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') || 'no reason given';
}

/** Fast shutdown: closes the connections, writes all data. Resolves when the server has exited. */
export async function stopPostmaster(pid: number, dir: string): Promise<void> {
  const isGone = (): boolean => !isAlive(pid) || readPidFile(dir)?.pid !== pid;
  if (isGone()) return;
  process.kill(pid, 'SIGINT');
  // The pid file is deleted last; kill(pid, 0) alone would also succeed for a zombie process.
  for (const deadline = Date.now() + FAST_STOP_LIMIT_MS; !isGone() && Date.now() < deadline; ) await sleep(10);
  if (!isGone()) process.kill(pid, 'SIGQUIT');
}

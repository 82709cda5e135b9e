// Machines of the drill: network namespaces on one bridge, each with an address and its processes, which can be made to
// fail.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const FILES = path.resolve('ops/ha');
const ACCOUNT = 'postgres';
export const BIN = '/usr/lib/postgresql/15/bin';

export const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const ip = (line: string): string => run('ip', ...line.split(' '));

/** Sets up the drill's own side of the network, inside a namespace that `unshare` made. */
export function openNetwork(): void {
  // The machine itself has routes; a new namespace has none yet.
  if (ip('route').trim() !== '') throw new Error('start ops/ha/drill.sh instead');
  run('mount', '-t', 'tmpfs', 'none', '/run');
  fs.mkdirSync('/run/netns');
  ip('link set lo up');
  ip('link add florka type bridge');
  ip('addr add 10.83.0.1/24 dev florka');
  ip('link set florka up');
}

/**
 * Writes one of the configuration files of this folder with its placeholders replaced, readable for the account of the
 * servers.
 */
export function fill(name: string, target: string, values: Record<string, string>): void {
  const text = fs.readFileSync(path.join(FILES, name), 'utf8').replace(/@([A-Z]+)@/g, (whole, key) => {
    if (values[key] === undefined) throw new Error(`${name}: nothing for ${whole}`);
    return values[key];
  });
  own(target, text);
}

/** Makes a file readable only for the account of the servers. */
export function own(target: string, text: string): void {
  fs.writeFileSync(target, text, { mode: 0o600 });
  run('chown', ACCOUNT, target);
}

export function ownFolder(dir: string): void {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  run('chown', ACCOUNT, dir);
}

/** Starts a program as the account of the servers; its output goes into a file. */
export function start(log: string, command: string[], namespace?: string): ChildProcess {
  const out = fs.openSync(log, 'a');
  const account = ['setpriv', `--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, '--init-groups', '--', ...command];
  const [program = '', ...args] = namespace ? ['ip', 'netns', 'exec', namespace, ...account] : account;
  const child = spawn(program, args, {
    stdio: ['ignore', out, out],
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', HOME: path.dirname(log) },
  });
  fs.closeSync(out);
  child.on('error', (error) => fs.appendFileSync(log, `${error.message}\n`));
  return child;
}

/** Patroni's response about its machine. */
interface MachineState {
  role?: string;
  state?: string;
  /** True when it may be promoted: it has all acknowledged writes. */
  sync_standby?: boolean;
  /** Names of the machines that receive the log of a leader. */
  replication?: { application_name: string; state: string }[];
}

/** One machine of the database: etcd, Patroni and PostgreSQL. */
export class Machine {
  readonly name: string;
  readonly address: string;
  readonly dir: string;
  readonly #number: number;

  constructor(number: number, folder: string, values: Record<string, string>) {
    this.#number = number;
    this.name = `db${number}`;
    this.address = `10.83.0.${10 + number}`;
    this.dir = path.join(folder, this.name);
    ownFolder(this.dir);
    const filled = { ...values, NAME: this.name, ADDRESS: this.address, DIR: this.dir, BIN };
    for (const file of ['etcd.yml', 'patroni.yml', 'pgbackrest.conf', 'archive.sh'])
      fill(file, path.join(this.dir, file), filled);
    fs.chmodSync(path.join(this.dir, 'archive.sh'), 0o700);
    ip(`netns add ${this.name}`);
    ip(`link add to-${this.name} type veth peer name eth0 netns ${this.name}`);
    ip(`link set to-${this.name} master florka up`);
    for (const line of ['link set lo up', `addr add ${this.address}/24 dev eth0`, 'link set eth0 up'])
      ip(`-n ${this.name} ${line}`);
  }

  start(): void {
    this.exec(['etcd', '--config-file', path.join(this.dir, 'etcd.yml')], 'etcd');
    this.exec(['patroni', path.join(this.dir, 'patroni.yml')], 'patroni');
  }

  /** Runs a command on the machine. */
  exec(command: string[], log: string): ChildProcess {
    return start(path.join(this.dir, `${log}.log`), command, this.name);
  }

  /** All its processes. */
  get pids(): number[] {
    return ip(`netns pids ${this.name}`).split('\n').filter(Boolean).map(Number);
  }

  /** Kills all its processes, as a power failure does, and returns when none is left. */
  kill(): void {
    for (let left = this.pids; left.length > 0; left = this.pids) signal(left, 'SIGKILL');
  }

  freeze(frozen: boolean): void {
    signal(this.pids, frozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Drops packets between two machines silently, or lets them pass again. */
  cut(other: Machine, apart: boolean): void {
    for (const [from, to] of [
      [this, other],
      [other, this],
    ] as const) {
      if (apart)
        ip(
          `-n ${from.name} neigh replace ${to.address} lladdr 02:00:00:00:00:${90 + to.#number} dev eth0 nud permanent`,
        );
      else ip(`-n ${from.name} neigh del ${to.address} dev eth0`);
    }
  }

  /** Patroni's state of it; null without a response. */
  async state(): Promise<MachineState | null> {
    try {
      const answer = await fetch(`http://${this.address}:8008/patroni`, { signal: AbortSignal.timeout(2_000) });
      return (await answer.json()) as MachineState;
    } catch {
      return null;
    }
  }
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  }
}

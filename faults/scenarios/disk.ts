import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from '../rig/cluster.ts';
import type { FaultRun } from '../rig/fault-run.ts';
import type { Fault, FaultContext } from './fault.ts';

const SIZE = 320;
const MB = Buffer.alloc(1024 ** 2, 1);

let mounted = '';
let own: Cluster | undefined;

const mount = (dir: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}m,mode=755`, 'tmpfs', dir], { stdio: 'ignore' });

async function cannotMount(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'a small disk can only be mounted by root';
  const dir = mkdtempSync(path.join(os.tmpdir(), 'florka-faults-mount-'));
  try {
    mount(dir);
    execFileSync('umount', [dir]);
    return null;
  } catch {
    return 'mounting is not allowed on this machine';
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A cluster on a small disk of its own. */
async function onSmallDisk(faultRun: FaultRun) {
  mounted = faultRun.folder('small-disk');
  mount(mounted);
  own = await Cluster.open(path.join(mounted, 'data'), ['max_wal_size=64MB', 'min_wal_size=32MB']);
  return faultRun.createEnvironment(1, own);
}

/** Fills the disk completely, waits, and frees it. */
async function fill({ environment, over }: FaultContext): Promise<void> {
  const file = path.join(mounted, 'filling');
  const write = () => {
    for (;;) {
      try {
        writeFileSync(file, MB, { flag: 'a' });
      } catch {
        return;
      }
    }
  };
  write();
  await sleep(10_000);
  // Fills the space that the database freed meanwhile.
  write();
  await sleep(5_000);
  rmSync(file, { force: true });
  // A full disk under the log of the database ends it; a supervisor starts it again.
  if (!(await answers(environment.cluster))) {
    await environment.cluster.end('SIGKILL').catch(() => {});
    await environment.cluster.start();
  }
  over();
}

async function answers(cluster: Cluster): Promise<boolean> {
  try {
    await cluster.run('postgres', ['select 1']);
    return true;
  } catch {
    return false;
  }
}

async function unmount(): Promise<void> {
  await own?.close().catch(() => {});
  own = undefined;
  if (mounted) execFileSync('umount', ['-l', mounted]);
  mounted = '';
}

export const diskFaults: Fault[] = [
  {
    name: 'disk-full',
    title: 'disk of the database full for 15 s',
    sites: 1,
    repetitions: 3,
    short: 0,
    impossible: cannotMount,
    prepare: onSmallDisk,
    inject: fill,
    clean: unmount,
  },
];

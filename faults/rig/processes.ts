import fs from 'node:fs';

/** Environment variable that identifies every process of a run. */
export const MARK = 'FAULTS_RUN';

/** Fields of /proc/<pid>/stat behind the name: state, parent and so on; null for a process that is gone. */
function statOf(pid: number): string[] | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

const allPids = () =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** True for a process that exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== null && stat[0] !== 'Z';
}

/** The process and its children, parents first. */
export function treeOf(pid: number): number[] {
  const found = [pid];
  const parents = new Map(allPids().map((one) => [one, Number(statOf(one)?.[1])]));
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

/** Signals a process and its children; those that end meanwhile are ignored. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const one of treeOf(pid)) {
    try {
      process.kill(one, signal);
    } catch {
      // It has ended.
    }
  }
}

/** Processes with the mark of a run, without this one. */
export function markedBy(run: string): number[] {
  return allPids().filter((pid) => {
    if (pid === process.pid) return false;
    try {
      return fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${MARK}=${run}`) && isRunning(pid);
    } catch {
      return false;
    }
  });
}

export interface Usage {
  /** Bytes in RAM. */
  memory: number;
  /** Open files and sockets. */
  files: number;
}

/** Current resources of a process; null when it has ended. */
export function usageOf(pid: number): Usage | null {
  try {
    const kb = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { memory: Number(kb) * 1024, files: fs.readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

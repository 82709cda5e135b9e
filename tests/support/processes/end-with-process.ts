import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Ends a program with the test process, whatever ends that in an orderly way, as a failed test does that ends before stopping it. */
export function endWithProcess(child: ChildProcess): void {
  running.add(child);
  child.once('close', () => running.delete(child));
}

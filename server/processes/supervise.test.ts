import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mergeMetrics } from './merge-metrics.ts';

const PROGRAM = path.resolve('tests/support/processes/worker-program.ts');
const WAIT = { timeout: 30_000, interval: 50 };

let program: ChildProcess | undefined;
afterEach(() => {
  if (program?.exitCode === null) program.kill('SIGKILL');
});

async function startWorkers(count: number): Promise<{ program: ChildProcess; ask: (path: string) => Promise<string> }> {
  program = fork(PROGRAM, [String(count)], { execArgv: [] });
  const [{ port }] = (await once(program, 'message')) as [{ port: number }];
  return { program, ask: async (target) => (await fetch(`http://127.0.0.1:${port}${target}`)).text() };
}

/** Process ids of all workers, as reported in their responses. */
async function workersOf(ask: (path: string) => Promise<string>): Promise<Set<string>> {
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/').catch(() => '')));
  return new Set(answers.filter(Boolean));
}

const alive = (pid: string) => {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
};

describe('several worker processes', () => {
  it('share one port, and one that ends is replaced', async () => {
    const { program, ask } = await startWorkers(2);
    const first = await workersOf(ask);
    expect(first.size).toBe(2);
    await ask('/die').catch(() => {});
    await expect.poll(() => [...first].filter(alive).length, WAIT).toBe(1);
    await expect.poll(async () => (await workersOf(ask)).size, WAIT).toBe(2);
    const numbers = await ask('/metrics');
    expect(numbers).toContain('florka_workers 2\n');
    expect(numbers).toContain('florka_workers_restarted 1\n');
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  });

  it('are replaced as soon as the machine can create a process again', async () => {
    const { program, ask } = await startWorkers(2);
    program.kill('SIGUSR2');
    // Answered after the signal.
    await ask('/metrics');
    await ask('/die').catch(() => {});
    const restarted = async () => Number(/^florka_workers_restarted (\d+)$/m.exec(await ask('/metrics'))?.[1]);
    await expect.poll(restarted, WAIT).toBeGreaterThan(1);
    expect(await ask('/metrics')).toContain('florka_workers 1\n');
    program.kill('SIGUSR2');
    await expect.poll(async () => (await workersOf(ask)).size, WAIT).toBe(2);
  });

  it('end together on request', async () => {
    const { program, ask } = await startWorkers(3);
    const workers = await workersOf(ask);
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
    expect([...workers].filter(alive)).toEqual([]);
  });

  it('end with their parent, even if it was killed', async () => {
    const { program, ask } = await startWorkers(2);
    const workers = await workersOf(ask);
    program.kill('SIGKILL');
    await expect.poll(() => [...workers].filter(alive), WAIT).toEqual([]);
  });

  it('are not restarted when the first start fails', async () => {
    program = fork(PROGRAM, ['2', 'fails'], { execArgv: [] });
    expect(await once(program, 'exit')).toEqual([7, null]);
  });

  it('each return the metrics of all', async () => {
    const { ask } = await startWorkers(2);
    const workers = await workersOf(ask);
    const numbers = await ask('/metrics');
    expect(numbers.match(/^# HELP one /gm)).toHaveLength(1);
    const found = [...numbers.matchAll(/^one\{worker="([12])",of="a"\} (\d+)$/gm)];
    expect(new Set(found.map(([, worker]) => worker))).toEqual(new Set(['1', '2']));
    expect(new Set(found.map(([, , pid]) => pid))).toEqual(workers);
  });
});

it('metrics of several workers are merged, with a label for the worker of each sample', () => {
  const text = (n: number) => `# HELP a Of all\n# TYPE a counter\na ${n}\na{b="}{"} ${n}\n# TYPE c gauge\nc{} 1\n`;
  expect(
    mergeMetrics(
      new Map([
        [1, text(5)],
        [2, text(6)],
        [3, ''],
      ]),
    ),
  ).toBe(
    [
      '# HELP a Of all',
      '# TYPE a counter',
      'a{worker="1"} 5',
      'a{worker="1",b="}{"} 5',
      'a{worker="2"} 6',
      'a{worker="2",b="}{"} 6',
      '# TYPE c gauge',
      'c{worker="1"} 1',
      'c{worker="2"} 1',
      '',
    ].join('\n'),
  );
});

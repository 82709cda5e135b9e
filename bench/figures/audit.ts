import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BenchEnvironment } from '../lib/environment.ts';
import { compared, count, type Row } from '../lib/report.ts';
import type { WriterSettings } from '../lib/writer.ts';

const WRITER = fileURLToPath(new URL('../lib/writer.ts', import.meta.url));
const WRITERS = 8;
const SECONDS = 4;
const ROUNDS = 3;

async function startWriter(settings: WriterSettings): Promise<{ begin(): Promise<number>; child: ChildProcess }> {
  const child = spawn(process.execPath, [WRITER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_WRITER: JSON.stringify(settings) },
  });
  const lines = on(createInterface(child.stdout), 'line', { close: ['close'] });
  const line = async () => {
    const { value, done } = (await lines.next()) as { value?: [string]; done?: boolean };
    if (done || !value) throw new Error('a process of writers ended early');
    return value[0];
  };
  if ((await line()) !== 'ready') throw new Error('a process of writers does not begin');
  return {
    child,
    begin: async () => {
      child.stdin.write('begin\n');
      const committed = Number(await line());
      await once(child, 'close');
      return committed;
    },
  };
}

/** Changes per second by so many processes at once. */
async function perSecond(processes: number, settings: WriterSettings): Promise<number> {
  const started = await Promise.all(Array.from({ length: processes }, () => startWriter(settings)));
  try {
    const committed = await Promise.all(started.map((writer) => writer.begin()));
    return committed.reduce((sum, one) => sum + one, 0) / SECONDS;
  } finally {
    for (const { child } of started) child.kill('SIGKILL');
  }
}

/** n) What the one chain of the audit log costs: changes that are written into it against the same without, per second. */
export async function auditedWrites(environment: BenchEnvironment): Promise<Row[]> {
  const config = await environment.database('small');
  const client = await environment.connect('small');
  await client.query(
    'create table if not exists bench_changes (id bigint generated always as identity primary key, words text not null)',
  );
  await client.end();
  const rows: Row[] = [];
  for (const processes of [1, 2]) {
    const audited: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const settings = { config, writers: WRITERS, seconds: SECONDS };
      plain.push(await perSecond(processes, { ...settings, audited: false }));
      audited.push(await perSecond(processes, { ...settings, audited: true }));
    }
    const what = `n) audited changes, ${processes} ${processes === 1 ? 'process' : 'processes'} of ${WRITERS} writers`;
    rows.push({ ...compared(what, audited, plain, { show: (n) => `${count(n)}/s` }), target: '', met: '' });
  }
  return rows;
}

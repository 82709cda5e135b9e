import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Handed } from '../lib/bare-server.ts';
import { type Answer, ask, drive, getRequest } from '../lib/http-driver.ts';
import { inTurns, median, ROUNDS } from '../lib/numbers.ts';
import { compared, count, type Row, spread } from '../lib/report.ts';
import { cpuSeconds, type Stage, stopChild } from '../lib/stage.ts';

const CONNECTIONS = 32;
const SECONDS = 1.5;
const HOME = getRequest('/', { 'accept-encoding': 'gzip, deflate, br' });

interface Measured {
  perSecond: number;
  /** Processor time of the server for one request, in microseconds. */
  cpu: number;
}

async function homes(port: number, pid: number): Promise<Measured> {
  const until = performance.now() + SECONDS * 1_000;
  const before = cpuSeconds(pid);
  const { answered, seconds } = await drive(port, CONNECTIONS, () => (performance.now() < until ? HOME : undefined));
  return { perSecond: answered / seconds, cpu: ((cpuSeconds(pid) - before) / answered) * 1e6 };
}

/** What node:http adds to every answer by itself. */
const ADDED = ['date', 'connection', 'keep-alive'];

async function startBare(answer: Answer): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(path.join(import.meta.dirname, '../lib/bare-server.ts'), { stdio: ['ignore', 2, 2, 'ipc'] });
  const notified = once(child, 'message', { signal: AbortSignal.timeout(10_000) });
  child.send({
    headers: answer.headers.filter(([name]) => !ADDED.includes(name)).flat(),
    body: answer.body.toString('base64'),
  } satisfies Handed);
  return { child, port: Number((await notified)[0]) };
}

/** (a) The cached home page against a bare node:http server with the same bytes and headers. */
export function cachedHome(stage: Stage): Promise<Row[]> {
  return stage.withSite('big', async (site) => {
    const home = await ask(site.port, HOME);
    const { child, port } = await startBare(home);
    try {
      const twin = await ask(port, HOME);
      if (!twin.body.equals(home.body)) throw new Error('the bare server answers other bytes');
      const { ours, reference } = await inTurns(
        () => homes(site.port, site.pid),
        () => homes(port, child.pid ?? 0),
      );
      const rate = (all: Measured[]) => all.map((one) => one.perSecond);
      const cpu = (all: Measured[]) => ` (${Math.round(median(all.map((one) => one.cpu)))} µs CPU each)`;
      return [
        compared(`a) cached home, ${count(home.body.length)} B brotli`, rate(ours), rate(reference), {
          atLeast: 0.8,
          show: (n) => `${count(n)}/s`,
          details: [cpu(ours), cpu(reference)],
        }),
      ];
    } finally {
      await stopChild(child);
    }
  });
}

/** (b) The home page rendered, hashed and compressed for every request. */
export function renderedHome(stage: Stage): Promise<Row[]> {
  return stage.withSite(
    'big',
    async (site) => {
      await homes(site.port, site.pid);
      const rounds: Measured[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await homes(site.port, site.pid));
      const perSecond = rounds.map((one) => one.perSecond);
      return [
        {
          what: 'b) home without the page cache',
          ours: `${spread(perSecond, count)}/s (${(median(rounds.map((one) => one.cpu)) / 1000).toFixed(1)} ms CPU each)`,
          reference: '',
          result: `${count(median(perSecond))}/s`,
          target: '',
          met: '',
        },
      ];
    },
    { FLORKA_BENCH_NO_PAGE_CACHE: '1' },
  );
}

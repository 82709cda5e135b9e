import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { readFirstByPlace } from '#server/domains/projects/projects.sql.ts';
import type { Read } from '../lib/bare-reads.ts';
import type { Handed } from '../lib/bare-server.ts';
import {
  type BenchEnvironment,
  cpuSeconds,
  RENDERED,
  type Site,
  type SizeName,
  stopChild,
  UNCACHED,
} from '../lib/environment.ts';
import { type Answer, drive, getRequest, requestOnce } from '../lib/http-driver.ts';
import { interleaved, median, ROUNDS } from '../lib/numbers.ts';
import { compared, count, type Row, spread } from '../lib/report.ts';

const CONNECTIONS = 32;
const SECONDS = 1.5;
const ACCEPTED = { 'accept-encoding': 'gzip, deflate, br' };
const HOME = getRequest('/', ACCEPTED);

interface Measured {
  perSecond: number;
  /** Processor time of the server for one request, in microseconds. */
  cpu: number;
}

async function requests(port: number, pid: number, request = HOME): Promise<Measured> {
  const until = performance.now() + SECONDS * 1_000;
  const before = cpuSeconds(pid);
  const { answered, seconds } = await drive(port, CONNECTIONS, () => (performance.now() < until ? request : undefined));
  return { perSecond: answered / seconds, cpu: ((cpuSeconds(pid) - before) / answered) * 1e6 };
}

/** Headers that node:http adds to every response. */
const ADDED = ['date', 'connection', 'keep-alive'];

/** Starts a program of bench/lib that listens on the port which it reports. */
async function startProgram(name: string, settings: object): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(path.join(import.meta.dirname, '../lib', name), { stdio: ['ignore', 2, 2, 'ipc'] });
  const reported = once(child, 'message', { signal: AbortSignal.timeout(10_000) });
  child.send(settings);
  return { child, port: Number((await reported)[0]) };
}

const startBare = (answer: Answer) =>
  startProgram('bare-server.ts', {
    headers: answer.headers.filter(([name]) => !ADDED.includes(name)).flat(),
    body: answer.body.toString('base64'),
  } satisfies Handed);

/** Sends one request again and again, to the site and to a bare node:http server with the same bytes and headers. */
async function againstBare(site: Site, what: string, request: string, atLeast: number): Promise<Row> {
  const answer = await requestOnce(site.port, request);
  if (answer.status !== 200) throw new Error(`${what}: status ${answer.status}`);
  const { child, port } = await startBare(answer);
  try {
    const twin = await requestOnce(port, request);
    if (!twin.body.equals(answer.body)) throw new Error('the bare server answers other bytes');
    const { ours, reference } = await interleaved(
      () => requests(site.port, site.pid, request),
      () => requests(port, child.pid ?? 0, request),
    );
    const rate = (all: Measured[]) => all.map((one) => one.perSecond);
    const cpu = (all: Measured[]) => ` (${Math.round(median(all.map((one) => one.cpu)))} µs CPU each)`;
    return compared(`${what}, ${count(answer.body.length)} B brotli`, rate(ours), rate(reference), {
      atLeast,
      show: (n) => `${count(n)}/s`,
      details: [cpu(ours), cpu(reference)],
    });
  } finally {
    await stopChild(child);
  }
}

/** (a) The cached home page against a bare node:http server. */
export function cachedHome(environment: BenchEnvironment): Promise<Row[]> {
  return environment.withSite('big', async (site) => [await againstBare(site, 'a) cached home', HOME, 0.8)]);
}

const PUBLIC_READS = {
  big: ['/api/projects?limit=50', '/api/candidates?limit=50', '/api/tokens/project-77'],
  quiet: ['/api/next-projects', '/api/news', '/api/forum/posts'],
} satisfies Partial<Record<SizeName, string[]>>;

/** (o) Public reads of the API, kept for a second, against a bare node:http server. */
export async function publicReads(environment: BenchEnvironment): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [size, paths] of Object.entries(PUBLIC_READS))
    await environment.withSite(size as keyof typeof PUBLIC_READS, async (site) => {
      for (const path of paths) rows.push(await againstBare(site, `o) GET ${path}`, getRequest(path, ACCEPTED), 0.7));
    });
  return rows;
}

const LIST = 50;

/** Parse Server answered 723 of such lists a second on a machine where node:http with the driver answered 2,700. */
const PARSE_SERVER = 723 / 2_700;

/**
 * (x) A list against plain node:http and the driver with the same statement: read, encoded and sent for every request, and as
 * the site answers it, from what it keeps for a second. The targets are multiples of Parse Server, which is not measured here: 2,500/s of
 * 2,700/s is what the first one was set to.
 */
export async function listsAgainstDriver(environment: BenchEnvironment): Promise<Row[]> {
  return [
    await againstDriver(environment, { what: 'from the database', env: UNCACHED, atLeast: 0.92 }),
    await againstDriver(environment, { what: 'kept for a second', env: {}, atLeast: 20 * PARSE_SERVER }),
  ];
}

function againstDriver(
  environment: BenchEnvironment,
  { what, env, atLeast }: { what: string; env: Record<string, string>; atLeast: number },
): Promise<Row> {
  return environment.withSite(
    'big',
    async (site) => {
      const { child, port } = await startProgram('bare-reads.ts', {
        database: await environment.database('big'),
        connections: CONNECTIONS,
        text: readFirstByPlace.described.text,
        values: [new Date(), 0, LIST],
      } satisfies Read);
      try {
        const request = getRequest(`/api/projects?limit=${LIST}`);
        const [own, bare] = await Promise.all([site.port, port].map((at) => requestOnce(at, request)));
        const items = [own, bare].map((answer) => JSON.parse(String(answer?.body)).items.length);
        if (items.some((length) => length !== LIST)) throw new Error(`lists of ${items} rows`);
        const { ours, reference } = await interleaved(
          () => requests(site.port, site.pid, request),
          () => requests(port, child.pid ?? 0, request),
        );
        const rate = (all: Measured[]) => all.map((one) => one.perSecond);
        const cpu = (all: Measured[]) => ` (${Math.round(median(all.map((one) => one.cpu)))} µs CPU each)`;
        return compared(
          `x) GET /api/projects?limit=${LIST} ${what} / node:http with the driver`,
          rate(ours),
          rate(reference),
          {
            atLeast: Math.round(atLeast * 100) / 100,
            show: (n) => `${count(n)}/s`,
            details: [cpu(ours), cpu(reference)],
          },
        );
      } finally {
        await stopChild(child);
      }
    },
    env,
  );
}

/** (b) The home page rendered, hashed and compressed for every request: with all its reads, and from reads that pages share. */
export async function renderedHome(environment: BenchEnvironment): Promise<Row[]> {
  return [
    await rendered(environment, 'b) home without the page cache', RENDERED, 300),
    await rendered(environment, 'b) home without the page cache, every read from the database', UNCACHED),
  ];
}

const rendered = (
  environment: BenchEnvironment,
  what: string,
  env: Record<string, string>,
  atLeast?: number,
): Promise<Row> =>
  environment.withSite(
    'big',
    async (site) => {
      await requests(site.port, site.pid);
      const rounds: Measured[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await requests(site.port, site.pid));
      const perSecond = rounds.map((one) => one.perSecond);
      const reached = median(perSecond);
      return {
        what,
        ours: `${spread(perSecond, count)}/s (${(median(rounds.map((one) => one.cpu)) / 1000).toFixed(1)} ms CPU each)`,
        reference: '',
        result: `${count(reached)}/s`,
        target: atLeast === undefined ? '' : `≥ ${atLeast}/s`,
        met: atLeast === undefined ? '' : reached >= atLeast ? 'yes' : 'no',
      };
    },
    env,
  );

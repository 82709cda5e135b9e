import { ask, Connection, getRequest } from '../lib/http-driver.ts';
import { median, quantile } from '../lib/numbers.ts';
import { compared, ms, type Row } from '../lib/report.ts';
import { SIZES, type SizeName, type Stage } from '../lib/stage.ts';

const ROUNDS = 5;
/** No question takes longer than this on a busy machine; three rounds it always gets. */
const LIMIT_MS = 8_000;
const REQUESTS = 200;
const WARM_UP = 150;
/** The deep page begins in the middle of the list, but no deeper than the small one reaches. */
const PAGE = 50;

async function json<T>(port: number, path: string): Promise<T> {
  const { status, body } = await ask(port, getRequest(path));
  if (status !== 200) throw new Error(`${path}: status ${status}`);
  return JSON.parse(body.toString('utf8')) as T;
}

async function cursorInTheMiddle(port: number, size: SizeName): Promise<string> {
  let cursor = '';
  for (let seen = 0; seen < SIZES[size].projects / 2; seen += PAGE) {
    const page = await json<{ nextCursor: string }>(
      port,
      `/api/projects?limit=${PAGE}${cursor && `&cursor=${cursor}`}`,
    );
    cursor = page.nextCursor;
  }
  return cursor;
}

/** What is asked of a site of either size. */
async function questions(port: number, size: SizeName): Promise<[string, string][]> {
  const ranking = await json<{ items: { id: string }[] }>(port, '/api/candidates?limit=50');
  return [
    ['GET /api/projects', '/api/projects'],
    ['GET /api/projects, deep page', `/api/projects?cursor=${await cursorInTheMiddle(port, size)}`],
    ['GET /api/projects?order=new', '/api/projects?order=new'],
    ['GET /api/candidates?limit=50', '/api/candidates?limit=50'],
    ['GET /api/tokens/{slug}', '/api/tokens/project-77'],
    ['GET /api/candidates/{id}/history', `/api/candidates/${ranking.items[0]?.id}/history`],
  ];
}

async function time(connection: Connection, request: string): Promise<number> {
  const began = performance.now();
  const { status } = await connection.send(request);
  if (status !== 200) throw new Error(`status ${status}: ${request.split('\r\n')[0]}`);
  return performance.now() - began;
}

/** (e) The lists with 10,000 projects and 1,000,000 votes against 100 and 1,000, one request here and one there. */
export function lists(stage: Stage): Promise<Row[]> {
  return stage.withSite('big', (big) =>
    stage.withSite('small', async (small) => {
      const ours = await questions(big.port, 'big');
      const theirs = await questions(small.port, 'small');
      const there = await Connection.open(small.port);
      const here = await Connection.open(big.port);
      try {
        const rows: Row[] = [];
        for (const [i, [what, path]] of ours.entries()) {
          const pair = [getRequest(path), getRequest(theirs[i]?.[1] ?? '')] as const;
          const p99 = { here: [] as number[], there: [] as number[] };
          const p50 = { here: [] as number[], there: [] as number[] };
          const until = performance.now() + LIMIT_MS;
          for (let round = 0; round <= ROUNDS && (round <= 3 || performance.now() < until); round++) {
            const times = { here: [] as number[], there: [] as number[] };
            for (let n = 0; n < (round === 0 ? WARM_UP : REQUESTS); n++) {
              times.here.push(await time(here, pair[0]));
              times.there.push(await time(there, pair[1]));
            }
            if (round === 0) continue;
            for (const side of ['here', 'there'] as const) {
              p99[side].push(quantile(times[side], 0.99));
              p50[side].push(median(times[side]));
            }
          }
          rows.push(
            compared(`e) ${what}, p99`, p99.here, p99.there, {
              atMost: 1.5,
              show: ms,
              details: [` (median ${ms(median(p50.here))})`, ` (median ${ms(median(p50.there))})`],
            }),
          );
        }
        return rows;
      } finally {
        here.close();
        there.close();
      }
    }),
  );
}

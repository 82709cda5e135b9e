import { type BenchEnvironment, SIZES, type Site, type SizeName, UNCACHED } from '../lib/environment.ts';
import { getRequest, requestOnce } from '../lib/http-driver.ts';
import type { Row } from '../lib/report.ts';
import { sideBySide } from '../lib/side-by-side.ts';

/** The deep page begins in the middle of the list, at most at the end of the small one. */
const PAGE = 50;

async function json<T>(port: number, path: string): Promise<T> {
  const { status, body } = await requestOnce(port, getRequest(path));
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

/** Requests to a site of either size. */
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

/** (e) The lists with 10,000 projects and 1,000,000 votes against 100 and 1,000. */
export function lists(environment: BenchEnvironment): Promise<Row[]> {
  const use = async (big: Site, small: Site) => {
    const theirs = await questions(small.port, 'small');
    const requests = (await questions(big.port, 'big')).map(([what, here], i) => ({
      what: `e) ${what}`,
      here,
      there: theirs[i]?.[1] ?? '',
    }));
    return sideBySide(big.port, small.port, requests, 1.5);
  };
  return environment.withSite(
    'big',
    (big) => environment.withSite('small', (small) => use(big, small), UNCACHED),
    UNCACHED,
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { type BenchEnvironment, cookieOf, residentBytes, SIZES, type Site, treeOf } from '../lib/environment.ts';
import { Connection, getRequest, postRequest } from '../lib/http-driver.ts';
import { count, type Row, stated } from '../lib/report.ts';
import { idOf } from '../lib/seed.ts';
import { StreamClients } from '../lib/stream-clients.ts';

/** The duration that the target is about, and that of the load (BENCH_MINUTES for a shorter one, without the target). Minutes. */
const TARGET_MINUTES = 10;
const MINUTES = Number(process.env['BENCH_MINUTES'] ?? TARGET_MINUTES);
/** Number of concurrent requests, and the delay after each response. Milliseconds. */
const CONNECTIONS = 12;
const PAUSE_MS = 10;
const STREAMS = 300;
const SAMPLE_MS = 1_000;
/** After the load, without requests. Milliseconds. */
const REST_MS = 30_000;
const MAX_MEGABYTES = 400;
const { members, projects, posts } = SIZES.bigSearch;

/** Of a hundred requests. */
const MIX = {
  page: 30,
  token: 12,
  post: 8,
  list: 16,
  search: 6,
  session: 8,
  vote: 8,
  comment: 6,
  newPost: 3,
  file: 2,
  upload: 1,
} as const;
type Kind = keyof typeof MIX;
const ROUND = (Object.keys(MIX) as Kind[]).flatMap((kind) => Array.from({ length: MIX[kind] }, () => kind));

const PAGES = ['/', '/vote', '/forum', '/news', '/tokens', '/next', '/en', '/en/vote', '/en/forum', '/en/tokens'];
const LISTS = [
  '/api/projects',
  '/api/candidates?limit=50',
  '/api/news',
  '/api/forum/posts',
  '/api/tokens',
  '/api/networks',
];
const WORDS = ['project', 'palabra77', 'lanzamiento', 'p77', 'nadie'];
const BROWSER = { 'accept-encoding': 'gzip, deflate, br' };

/** The requests of a mixed load, each from another address and member, so that no per-client limit is reached. */
function createRequests(candidates: string[], image: (n: number) => Promise<Buffer>) {
  let iteration = 0;
  const from = (n: number) => ({ 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` });
  const pick = <T>(list: readonly T[], n: number) => list[n % list.length] as T;
  const call = (n: number, name: string, input: unknown) =>
    postRequest(`/rpc/${name}`, JSON.stringify({ json: input }), { ...from(n), cookie: cookieOf(n % members) });
  // A prime, so that neighbours in time are far apart in the lists.
  const spread = (n: number, size: number) => (n * 7_919) % size;
  const make: Record<Kind, (n: number) => string | Promise<Buffer>> = {
    page: (n) => getRequest(pick(PAGES, n), { ...BROWSER, ...from(n) }),
    token: (n) =>
      getRequest(`${n % 3 === 0 ? '/en' : ''}/token/project-${spread(n, projects)}`, { ...BROWSER, ...from(n) }),
    post: (n) => getRequest(`/forum/${idOf('post', spread(n, posts))}`, { ...BROWSER, ...from(n) }),
    list: (n) => getRequest(pick(LISTS, n), { ...BROWSER, ...from(n) }),
    search: (n) => getRequest(`/search?q=${pick(WORDS, n)}+${n % 50}`, { ...BROWSER, ...from(n) }),
    session: (n) => call(n, 'auth/me', undefined),
    vote: (n) => call(n, 'voting/cast', { candidateId: pick(candidates, Math.floor(n / members) + n) }),
    comment: (n) => call(n, 'forum/comment', { postId: idOf('post', spread(n, posts)), content: `Comentario ${n}` }),
    newPost: (n) => call(n, 'forum/create', { title: `Tema ${n}`, content: `Palabras del tema ${n}` }),
    file: (n) => getRequest('/favicon.svg', { ...BROWSER, ...from(n) }),
    upload: async (n) => {
      const bytes = await image(n);
      const head = {
        ...from(n),
        host: 'localhost',
        cookie: cookieOf(n % members),
        'content-type': 'image/png',
        'content-length': String(bytes.length),
      };
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
      return Buffer.concat([Buffer.from(`POST /uploads?bucket=token-images HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
    },
  };
  return async () => {
    const n = iteration++;
    // 37 and 100 are coprime: every kind comes soon, in the same order in each run.
    const kind = ROUND[(n * 37) % ROUND.length] as Kind;
    return { kind, request: await make[kind](n) };
  };
}

/** Another image each time, so that none is known already. */
const image = (n: number) =>
  sharp({ create: { width: 640, height: 640, channels: 3, background: { r: n & 255, g: (n >> 8) & 255, b: 99 } } })
    .png()
    .toBuffer();

/** (v) Memory of the site during a mixed load, and after it. */
export function mixedLoad(environment: BenchEnvironment): Promise<Row[]> {
  return environment.withSite(
    'bigSearch',
    async (site) => {
      const admin = await environment.connect('bigSearch');
      const { rows } = await admin.query<{ id: string }>('select id from voting_candidates order by order_index');
      await admin.end();
      const clients = new StreamClients();
      try {
        await clients.open(site.port, STREAMS);
        const requests = createRequests(
          rows.map(({ id }) => id),
          image,
        );
        const load = await run(site, requests);
        await sleep(REST_MS);
        const after = megabytesOf(site);
        const about = `${count(MINUTES)} minutes of mixed load with ${STREAMS} live streams`;
        return [
          stated(
            `v) memory of the process of the site, ${about}: the highest`,
            `${count(Math.max(...load.site))} MB`,
            MINUTES < TARGET_MINUTES
              ? undefined
              : { target: `≤ ${MAX_MEGABYTES} MB`, met: Math.max(...load.site) <= MAX_MEGABYTES },
          ),
          stated(`v) with the processes that encode images: the highest`, `${count(Math.max(...load.tree))} MB`),
          stated(
            `v) ${count(REST_MS / 1_000)} s after it`,
            `${count(after.site)} MB, with other processes ${count(after.tree)} MB`,
          ),
          stated(`v) answered meanwhile`, load.answered),
        ];
      } finally {
        clients.close();
      }
    },
    { TRUST_PROXY: '1' },
  );
}

function megabytesOf({ pid }: Site): { site: number; tree: number } {
  const bytes = (one: number) => residentBytes(one) || 0;
  return {
    site: bytes(pid) / 1024 ** 2,
    tree: treeOf(pid).reduce((sum, one) => sum + bytes(one), 0) / 1024 ** 2,
  };
}

async function run(site: Site, next: ReturnType<typeof createRequests>) {
  const until = performance.now() + MINUTES * 60_000;
  const seen = { site: [] as number[], tree: [] as number[] };
  const answers = new Map<string, number>();
  let answered = 0;
  const sampling = (async () => {
    while (performance.now() < until) {
      const { site: own, tree } = megabytesOf(site);
      seen.site.push(own);
      seen.tree.push(tree);
      await sleep(SAMPLE_MS);
    }
  })();
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(site.port)));
  try {
    await Promise.all(
      connections.map(async (connection) => {
        while (performance.now() < until) {
          const { kind, request } = await next();
          const { status } = await connection.send(request);
          answered++;
          if (status >= 400) answers.set(`${kind} ${status}`, (answers.get(`${kind} ${status}`) ?? 0) + 1);
          await sleep(PAUSE_MS);
        }
      }),
    );
    await sampling;
  } finally {
    for (const connection of connections) connection.close();
  }
  const refused = [...answers].map(([what, n]) => `${what}: ${count(n)}`).join(', ');
  return { ...seen, answered: `${count(answered)} requests${refused && ` (refused ${refused})`}` };
}

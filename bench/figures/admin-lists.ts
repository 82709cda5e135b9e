import { type BenchEnvironment, cookieOf, SIZES } from '../lib/environment.ts';
import { Connection, getRequest } from '../lib/http-driver.ts';
import { median } from '../lib/numbers.ts';
import { ms, type Row, stated } from '../lib/report.ts';
import { WORDS } from '../lib/seed.ts';

const TARGET_MS = 50;
const WARM_UP = 3;
const TIMES = 11;
/** Members of the team who open the inbox at the same moment, and the target for the last of them. Milliseconds. */
const TEAM = 14;
const TEAM_TARGET_MS = 200;
/** In the middle of the list. */
const DEEP = SIZES.adminLists.projects / 25 / 2;

const SEARCHES: [string, string][] = [
  ['a word of every 2nd row', WORDS.common],
  ['a word of every 100th row', WORDS.medium],
  ['a word of 20 rows', WORDS.rare],
  ['a word that nobody wrote', 'nadie'],
  ['a letter that many words begin with', 'l'],
  ['a letter that few words begin with', 'o'],
  ['two letters that nobody wrote', 'zq'],
  ['a number', '77777'],
];

/** Each list with its other orders and filters; it can be searched by default. */
const LISTS: Record<string, { sorts?: string[]; filters?: string[]; plain?: true }> = {
  projects: {
    sorts: ['tokenName', '-updatedAt', 'orderIndex'],
    filters: ['status=approved', 'top3=yes', 'shelf=trash'],
  },
  'next-projects': { sorts: ['-createdAt', 'tokenName', '-launchDate'], filters: ['status=pending', 'shelf=trash'] },
  candidates: {
    sorts: ['-totalVotes', 'tokenName', 'tokenSymbol', '-createdAt'],
    filters: ['status=inactive', 'shelf=trash'],
  },
  rounds: { sorts: ['-closedAt'] },
  news: { sorts: ['title', 'authorName', '-publishedAt', 'updatedAt'], filters: ['status=active', 'shelf=trash'] },
  networks: { sorts: ['name', 'symbol', '-updatedAt'], filters: ['shelf=trash'] },
  submissions: { sorts: ['submitterName', 'status', '-reviewedAt'], filters: ['status=approved'] },
  'token-requests': {
    sorts: ['-updatedAt', 'plan', 'status', 'paymentStatus'],
    filters: [
      'status=completed',
      'paymentStatus=completed',
      'paymentStage=paid',
      'paymentStage=refunded',
      'plan=basic',
      'attention=yes',
      'q=FL-00000077',
      'network=solana',
    ],
  },
  users: { sorts: ['email', 'username'], filters: ['role=moderator', 'role=user', 'state=pending', 'state=banned'] },
  roles: { sorts: ['email', 'username'], filters: ['role=moderator', 'role=admin', 'role=user'] },
  'moderator-requests': { sorts: ['username'], filters: ['status=all', 'status=approved', 'status=rejected'] },
  forum: { filters: ['what=comment', 'shelf=reported', 'shelf=hidden', 'what=comment&q=lanzamiento'] },
  audit: {
    filters: ['who=member77', 'action=post.created', 'action=project.', 'resourceType=post', 'from=2026-01-01'],
    plain: true,
  },
  inbox: { filters: ['source=payment', 'mine=no'], plain: true },
  dashboard: { plain: true },
  'dashboard/days': { plain: true },
  'forum/stats': { plain: true },
  'forum/debug': { plain: true },
  'roles/counts': { plain: true },
  'users/counts': { plain: true },
};

function questionsOf(name: string): [string, string][] {
  const { sorts = [], filters = [], plain } = LISTS[name] ?? {};
  const questions: [string, string][] = [
    ['as it opens', ''],
    ...sorts.map((sort): [string, string] => [`by ${sort}`, `sort=${sort}`]),
    ...filters.map((filter): [string, string] => [`only ${filter}`, filter]),
  ];
  if (!plain)
    questions.push(
      ['its middle', `page=${DEEP}`],
      ...SEARCHES.map(([what, words]): [string, string] => [what, `q=${words}`]),
    );
  return questions;
}

/** (k) Each list of the back office with 100,000 rows: the median of the slowest query. */
export function adminLists(environment: BenchEnvironment): Promise<Row[]> {
  const use = async ({ port }: { port: number }) => {
    const connection = await Connection.open(port);
    const cookie = cookieOf(0);
    const time = async (path: string): Promise<number> => {
      const began = performance.now();
      const { status, body } = await connection.send(getRequest(path, { cookie }));
      if (status !== 200) throw new Error(`${path}: ${status} ${body.toString('utf8', 0, 200)}`);
      return performance.now() - began;
    };
    const rows: Row[] = [];
    for (const name of Object.keys(LISTS)) {
      const measured: { what: string; time: number }[] = [];
      for (const [what, query] of questionsOf(name)) {
        const path = `/api/admin/${name}?${query}`;
        for (let n = 0; n < WARM_UP; n++) await time(path);
        const times: number[] = [];
        for (let n = 0; n < TIMES; n++) times.push(await time(path));
        measured.push({ what, time: median(times) });
      }
      if (process.env.BENCH_ALL) for (const { what, time } of measured) console.error(`${name}, ${what}: ${ms(time)}`);
      const worst = measured.toSorted((a, b) => b.time - a.time)[0] ?? { what: '', time: Number.NaN };
      rows.push(
        stated(
          `k) ${name}, ${measured.length} questions, the slowest: ${worst.what}`,
          `${ms(worst.time)} (first page ${ms(measured[0]?.time ?? Number.NaN)})`,
          { target: `≤ ${TARGET_MS} ms`, met: worst.time <= TARGET_MS },
        ),
      );
    }
    connection.close();
    return [...rows, await inboxOfTeam(port)];
  };
  return environment.withSite('adminLists', use, { ADMIN_SECOND_FACTOR: 'off' });
}

/** All of a team ask for the inbox at once: how long the last one waits. */
async function inboxOfTeam(port: number): Promise<Row> {
  const team = await Promise.all(Array.from({ length: TEAM }, () => Connection.open(port)));
  const request = getRequest('/api/admin/inbox', { cookie: cookieOf(0) });
  try {
    const times: number[] = [];
    for (let n = 0; n < WARM_UP + TIMES; n++) {
      const began = performance.now();
      const answers = await Promise.all(team.map((one) => one.send(request)));
      if (n >= WARM_UP) times.push(performance.now() - began);
      const refused = answers.find(({ status }) => status !== 200);
      if (refused) throw new Error(`the inbox was answered with ${refused.status}`);
    }
    return stated(
      `k) inbox, ${TEAM} at once, until the last has it`,
      `${ms(median(times))}, worst ${ms(Math.max(...times))}`,
      { target: `≤ ${TEAM_TARGET_MS} ms`, met: median(times) <= TEAM_TARGET_MS },
    );
  } finally {
    for (const one of team) one.close();
  }
}

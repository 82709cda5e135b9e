import type pg from 'pg';
import { utcDay } from '#server/lib/clock.ts';
import { type BenchEnvironment, cookieOf, cpuSeconds, SIZES, type Site } from '../lib/environment.ts';
import { drive, postRequest } from '../lib/http-driver.ts';
import { interleaved, median } from '../lib/numbers.ts';
import { compared, count, type Row } from '../lib/report.ts';

const AT_A_TIME = 64;
/** Number of concurrent voters in a burst. */
const RUSH = 256;
const DATABASE_CONNECTIONS = 16;
const SECONDS = 2;
const MEMBERS = SIZES.big.members;

interface Ids {
  members: string[];
  candidates: string[];
}

/** Which candidate member n votes for. */
type Choice = (n: number) => string;

async function readIds(client: pg.Client): Promise<Ids> {
  const members = await client.query<{ id: string }>(
    "select u.id from users u join sessions s on s.user_id = u.id where s.token like 'bench%' order by s.token",
  );
  const candidates = await client.query<{ id: string }>('select id from voting_candidates order by order_index');
  return { members: members.rows.map((row) => row.id), candidates: candidates.rows.map((row) => row.id) };
}

/**
 * The totals as the product stores them, and the votes behind them. Votes that a signal holds are counted here too: the
 * driver votes from one address, which signals detect.
 */
async function tally(client: pg.Client) {
  const { rows } = await client.query<{ total: number; today: number; counted: number }>(
    `select (select sum(total_votes + votes_under_review + votes_void) from voting_candidates)::int as total,
            (select coalesce(sum(votes), 0) from candidate_daily_votes where day = $1)::int
              + (select count(*) from votes where voted_on = $1 and state <> 'counted')::int as today,
            (select count(*) from votes where voted_on = $1)::int as counted`,
    [utcDay(new Date())],
  );
  return rows[0] ?? { total: 0, today: 0, counted: 0 };
}

interface Measured {
  perSecond: number;
  /** Processor time of the web server for one vote, in microseconds. */
  cpu: number;
}

/**
 * Each member votes once over HTTP with a session of their own, until time or members run out.
 *
 * @param voters how many vote at once, and the first member: those before do not vote.
 */
async function overHttp(
  site: Site,
  admin: pg.Client,
  choice: Choice,
  voters: { atOnce: number; from: number } = { atOnce: AT_A_TIME, from: 0 },
): Promise<Measured> {
  await admin.query('truncate rate_limits, vote_tries');
  const before = await tally(admin);
  const cpu = cpuSeconds(site.pid);
  const until = performance.now() + SECONDS * 1_000;
  let n = voters.from;
  const { answered, seconds } = await drive(site.port, voters.atOnce, () => {
    if (n >= MEMBERS || performance.now() > until) return undefined;
    const member = n++;
    return postRequest('/rpc/voting/cast', `{"json":{"candidateId":"${choice(member)}"}}`, {
      cookie: COOKIES[member] ?? '',
    });
  });
  const used = cpuSeconds(site.pid) - cpu;
  const after = await tally(admin);
  for (const figure of ['total', 'today', 'counted'] as const) {
    const more = after[figure] - before[figure];
    if (more !== answered) throw new Error(`${answered} votes were acknowledged, and '${figure}' rose by ${more}`);
  }
  return { perSecond: answered / seconds, cpu: (used / answered) * 1e6 };
}

const COOKIES: string[] = [];

/** The same driver directly on the database: `vote` is the transaction of one vote. */
async function onDatabase(
  clients: pg.Client[],
  vote: (client: pg.Client, member: number) => Promise<unknown>,
): Promise<Measured> {
  const began = performance.now();
  const until = began + SECONDS * 1_000;
  let n = 0;
  let done = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (n < MEMBERS && performance.now() < until) {
        await vote(client, n++);
        done++;
      }
    }),
  );
  return { perSecond: done / ((performance.now() - began) / 1000), cpu: 0 };
}

async function withBoth<T>(
  environment: BenchEnvironment,
  use: (site: Site, admin: pg.Client, clients: pg.Client[], ids: Ids) => Promise<T>,
): Promise<T> {
  if (COOKIES.length === 0) for (let n = 0; n < MEMBERS; n++) COOKIES.push(cookieOf(n));
  return environment.withSite('big', async (site) => {
    const admin = await environment.connect('big');
    const clients = await Promise.all(Array.from({ length: DATABASE_CONNECTIONS }, () => environment.connect('big')));
    try {
      return await use(site, admin, clients, await readIds(admin));
    } finally {
      await Promise.all([admin, ...clients].map((client) => client.end()));
    }
  });
}

const insertVote = (client: pg.Client, candidate: string | undefined, member: string | undefined) =>
  client.query({
    name: 'insert_vote',
    text: 'insert into votes (candidate_id, user_id, voted_on) values ($1, $2, $3)',
    values: [candidate, member, utcDay(new Date())],
  });

function row(what: string, measured: { ours: Measured[]; reference: Measured[] }, atLeast: number): Row {
  const rate = (all: Measured[]) => all.map((one) => one.perSecond);
  const cpu = Math.round(median(measured.ours.map((one) => one.cpu)));
  return compared(what, rate(measured.ours), rate(measured.reference), {
    atLeast,
    show: (n) => `${count(n)}/s`,
    details: [` (${cpu} µs CPU each in the web server)`, ''],
  });
}

/**
 * (c) Votes for one candidate over HTTP against the plain transaction on the database. Both take a new candidate each
 * round, 0 to 9 of the list, so no pair of member and candidate comes twice.
 */
export function hotVotes(environment: BenchEnvironment): Promise<Row[]> {
  return withBoth(environment, async (site, admin, clients, { members, candidates }) => {
    const rush: Measured[] = [];
    const measured = await interleaved(
      async (round) => {
        const choice = () => candidates[round * 2] ?? '';
        const some = await overHttp(site, admin, choice);
        const many = await overHttp(site, admin, choice, { atOnce: RUSH, from: MEMBERS / 2 });
        if (round > 0) rush.push(many);
        return some;
      },
      (round) =>
        onDatabase(clients, async (client, member) => {
          const candidate = candidates[round * 2 + 1];
          await client.query('begin');
          await insertVote(client, candidate, members[member]);
          await client.query({
            name: 'raise_total',
            text: 'update voting_candidates set total_votes = total_votes + 1 where id = $1',
            values: [candidate],
          });
          await client.query('commit');
        }),
    );
    return [
      row(`c) votes on one candidate over HTTP, ${AT_A_TIME} at once / plain transactions`, measured, 5),
      row(`c) the same, ${RUSH} at once / plain transactions`, { ...measured, ours: rush }, 5),
    ];
  });
}

/**
 * (d) Votes over 100 candidates over HTTP against inserts alone. Ours go to the candidates 10 to 109, the reference's to
 * 100 to 199; an even shift here and an odd one there keep every pair new.
 */
export function spreadVotes(environment: BenchEnvironment): Promise<Row[]> {
  return withBoth(environment, async (site, admin, clients, { members, candidates }) => {
    const measured = await interleaved(
      (round) => overHttp(site, admin, (n) => candidates[10 + ((n + round * 2) % 100)] ?? ''),
      (round) =>
        onDatabase(clients, (client, n) =>
          insertVote(client, candidates[100 + ((n + round * 2 + 1) % 100)], members[n]),
        ),
    );
    return [row('d) votes over 100 candidates over HTTP / inserts alone', measured, 0.5)];
  });
}

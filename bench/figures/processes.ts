import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type BenchEnvironment, cookieOf, cpuSeconds, residentBytes, SIZES, treeOf } from '../lib/environment.ts';
import { drive, getRequest, postRequest } from '../lib/http-driver.ts';
import { median } from '../lib/numbers.ts';
import { count, ms, type Row } from '../lib/report.ts';
import { StreamClients } from '../lib/stream-clients.ts';

const COUNTS = [1, 2, 4];
const CONNECTIONS = 64;
const SECONDS = 2;
const STREAMS = 2_000;
const CHANGES = 12;
/** After the start, and after the streams were opened, without requests. Milliseconds. */
const REST_MS = 5_000;
/** In one run, figure c votes for the candidates before, and d for these by shifts of 0 to 9: no member votes for one a second time. */
const FIRST_CANDIDATE = 10;
const SHIFT = 50;
const HOME = getRequest('/', { 'accept-encoding': 'gzip, deflate, br' });
const LIST = getRequest('/api/candidates?limit=50', { 'accept-encoding': 'gzip, deflate, br' });

const sum = (pids: number[], of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0);

/**
 * (t) `PROCESSES=n` on the big database: the cost of a request in all processes of one start together, and their
 * memory.
 */
export async function processCosts(environment: BenchEnvironment): Promise<Row[]> {
  const rows: Row[] = [];
  const admin = await environment.connect('big');
  const { rows: found } = await admin.query<{ id: string }>(
    'select id from voting_candidates order by order_index offset $1 limit 100',
    [FIRST_CANDIDATE],
  );
  /** The next member to vote: each votes once in total, so no daily limit is reached. */
  let member = 0;
  const share = SIZES.big.members / COUNTS.length;
  try {
    for (const n of COUNTS) {
      await admin.query('truncate rate_limits, vote_tries');
      await environment.withSite(
        'big',
        async ({ port, pid }) => {
          await sleep(REST_MS);
          const tree = treeOf(pid);
          const megabytes = () => sum(tree, residentBytes) / 1024 ** 2;
          const rest = megabytes();
          const measure = async (what: string, next: () => string | undefined) => {
            const before = sum(tree, cpuSeconds);
            const own = cpuSeconds(pid);
            const until = performance.now() + SECONDS * 1_000;
            const { answered, seconds } = await drive(port, CONNECTIONS, () =>
              performance.now() < until ? next() : undefined,
            );
            const each = (used: number) => count((used / answered) * 1e6);
            const above = n > 1 ? `, ${each(cpuSeconds(pid) - own)} µs of them in the process above` : '';
            rows.push({
              what: `t) ${what}, ${n} ${n === 1 ? 'process' : 'processes'} of one start`,
              ours: `${count(answered / seconds)}/s`,
              reference: '',
              result: `${each(sum(tree, cpuSeconds) - before)} µs CPU each${above}`,
              target: '',
              met: '',
            });
          };
          await measure('cached home', () => HOME);
          await measure('GET /api/candidates?limit=50', () => LIST);
          const last = Math.min(SIZES.big.members, member + share);
          await measure('votes over 100 candidates', () => {
            if (member >= last) return undefined;
            const one = member++;
            const candidateId = found[(one + SHIFT) % found.length]?.id;
            return postRequest('/rpc/voting/cast', `{"json":{"candidateId":"${candidateId}"}}`, {
              cookie: cookieOf(one),
            });
          });
          rows.push(await streamsOf(port, tree, admin, n));
          rows.push({
            what: `t) memory of all, ${n} ${n === 1 ? 'process' : 'processes'} of one start`,
            ours: `${count(rest)} MB at rest`,
            reference: '',
            result: `${count(megabytes())} MB after the load`,
            target: '',
            met: '',
          });
        },
        { PROCESSES: String(n) },
      );
    }
    rows.push(...(await weights(admin)));
  } finally {
    await admin.end();
  }
  return rows;
}

/** Changes of lists that all live streams of all processes receive: their cost for one of them, and when the last one has it. */
async function streamsOf(port: number, tree: number[], admin: pg.Client, processes: number): Promise<Row> {
  const clients = new StreamClients();
  try {
    await clients.open(port, STREAMS);
    await sleep(REST_MS);
    const before = sum(tree, cpuSeconds);
    const times: number[] = [];
    for (let n = 0; n < CHANGES; n++) {
      const domain = ['projects', 'news', 'forum', 'networks'][n % 4];
      const all = clients.await(`"domain":"${domain}"`);
      const began = performance.now();
      await admin.query("select pg_notify('live', $1)", [JSON.stringify({ type: 'domain.changed', domain })]);
      times.push((await all) - began);
      await sleep(200);
    }
    if (clients.lost > 0) throw new Error(`${clients.lost} streams were cut`);
    const used = sum(tree, cpuSeconds) - before;
    return {
      what: `t) a change for ${count(STREAMS)} live streams, ${processes} ${processes === 1 ? 'process' : 'processes'} of one start`,
      ours: `the last after ${ms(median(times))}, worst ${ms(Math.max(...times))}`,
      reference: '',
      result: `${count((used / CHANGES / STREAMS) * 1e6)} µs CPU for each`,
      target: '',
      met: '',
    };
  } finally {
    clients.close();
  }
}

/** Size of one row of the tables that grow with votes, including their indexes. */
async function weights(admin: pg.Client): Promise<Row[]> {
  const weighed: Row[] = [];
  for (const table of ['votes', 'vote_changes', 'ledger_leaves', 'ledger_hashes']) {
    await admin.query(`vacuum analyze ${table}`);
    const { rows } = await admin.query<{ bytes: number; number: number }>(
      // For a partitioned table the sum of its partitions; another table has no partition tree.
      `select coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}')),
         pg_total_relation_size('${table}'))::float8 as bytes, (select count(*) from ${table})::float8 as number`,
    );
    const { bytes = 0, number = 0 } = rows[0] ?? {};
    weighed.push({
      what: `t) a row of ${table}, with its indexes`,
      ours: `${count(bytes / 1024 ** 2)} MB of ${count(number)}`,
      reference: '',
      result: number > 0 ? `${count(bytes / number)} B` : 'none there',
      target: '',
      met: '',
    });
  }
  return weighed;
}

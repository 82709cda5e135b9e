import { openDb, openPool } from '#server/db/client.ts';
import { runAs } from '#server/db/timeouts.ts';
import { sumReports } from '#server/domains/admin/reports/reports.service.ts';
import { type BenchEnvironment, cookieOf } from '../lib/environment.ts';
import { Connection, getRequest } from '../lib/http-driver.ts';
import { median, quantile } from '../lib/numbers.ts';
import { ms, type Row, stated } from '../lib/report.ts';

const TARGET_MS = 100;
const WARM_UP = 3;
const TIMES = 41;

/** Each call of the dashboard and of the reports. */
const CALLS: [what: string, path: string][] = [
  ['funnel of the wizard', 'funnel?size=100'],
  ['retention of voters', 'retention?size=100'],
  ['income by plan and network', 'money'],
  ['income by week', 'income?size=100'],
  ['income by token', 'launch-income?size=100'],
  ['moderation load', 'moderation-load?size=100'],
  ['page views', 'page-views?size=31'],
  ['counts of the dashboard', 'dashboard'],
  ['charts of the dashboard', 'dashboard/days'],
];

/** Two years of money for each plan and network, page views of half a year, and payments that arrived. */
const MONEY = [
  `insert into money_totals (month, simulation, plan, network, account, asset, amount)
   select date_trunc('month', now())::date - m * interval '1 month', false, plan, network, account, 'USD',
     case when account in ('sales', 'refunded') then -1 else 1 end * (100 + m)
   from generate_series(0, 23) m, unnest(array['entry', 'basic', 'standard', 'complete']) plan,
     unnest(array['solana', 'ethereum', 'bsc', 'polygon', 'tron', 'ton']) network,
     unnest(array['sales', 'received', 'short', 'refunded']) account`,
  `insert into page_views (day, kind, views, arrivals)
   select (now() at time zone 'UTC')::date - d, kind, 1000 + d, d from generate_series(0, 179) d,
     unnest(array['home', 'vote', 'token', 'news', 'forum']) kind on conflict do nothing`,
  `update payments set confirmed_at = created_at, received_usd = 50 where state = 'paid'`,
];

/**
 * (u) The dashboard and the reports of the back office beside a million votes: the median of each call over HTTP, as an owner, and how
 * long the job takes that sums what the reports read: at its first run, and at a later one.
 */
export async function dashboards(environment: BenchEnvironment): Promise<Row[]> {
  const config = await environment.database('reports');
  const client = await environment.connect('reports');
  await client.query('set session_replication_role = replica');
  for (const statement of MONEY) await client.query(statement);
  await client.query('reset session_replication_role');
  await client.query('vacuum (analyze)');
  await client.end();

  const pool = openPool({ ...config, max: 2, query_timeout: 120_000 });
  const timed = async () => {
    const began = performance.now();
    // With the limits of jobs.
    await runAs('job', () => sumReports(openDb(pool), new Date()));
    return performance.now() - began;
  };
  const [first, later] = [await timed(), await timed()];
  await pool.end();

  const rows = await environment.withSite(
    'reports',
    async ({ port }) => {
      const connection = await Connection.open(port);
      const measured: Row[] = [];
      for (const [what, path] of CALLS) {
        const times: number[] = [];
        for (let n = 0; n < WARM_UP + TIMES; n++) {
          const began = performance.now();
          const { status, body } = await connection.send(getRequest(`/api/admin/${path}`, { cookie: cookieOf(0) }));
          if (status !== 200) throw new Error(`${path}: ${status} ${body.toString('utf8', 0, 200)}`);
          if (n >= WARM_UP) times.push(performance.now() - began);
        }
        const value = median(times);
        measured.push(
          stated(`u) ${what}, 1,000,000 votes`, `${ms(value)} (p95 ${ms(quantile(times, 0.95))})`, {
            target: `< ${TARGET_MS} ms`,
            met: value < TARGET_MS,
          }),
        );
      }
      connection.close();
      return measured;
    },
    { ADMIN_SECOND_FACTOR: 'off' },
  );
  return [
    ...rows,
    stated('u) job that sums the reports, first run over 1,000,000 votes', ms(first)),
    stated('u) job that sums the reports, a later run', ms(later)),
  ];
}

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openDb, openPool } from '#server/db/client.ts';
import { addressLimits, consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { type BenchEnvironment, cookieOf, cpuSeconds, SIZES, type Site } from '../lib/environment.ts';
import { drive, getRequest, postRequest, requestOnce } from '../lib/http-driver.ts';
import { median } from '../lib/numbers.ts';
import { count, ms, type Row, stated } from '../lib/report.ts';
import { StreamClients } from '../lib/stream-clients.ts';

const SECONDS = 3;
const CONNECTIONS = 64;
const LISTS = 11;
/** Changes a second, sent in groups of as many statements as a real burst would have transactions. */
const CHANGES = 5_000;
const GROUP = 50;
const STREAMS = 500;
/** Number of connections and of concurrent calls that count rate limits. */
const POOL = 10;
const CALLERS = 64;
/** High enough that no request is refused: a refused one costs the same. */
const LIMIT = { hits: 1_000_000, seconds: 60 };
const { members } = SIZES.online;

/** (w) What processes share through the database: who is online, the events of changes, counted limits. */
export function sharedState(environment: BenchEnvironment): Promise<Row[]> {
  return environment.withSite('online', async (site) => {
    const admin = await environment.connect('online');
    try {
      return [
        ...(await presence(site, admin)),
        ...(await changes(site, admin)),
        ...(await limits(await environment.database('online'), admin)),
      ];
    } finally {
      await admin.end();
    }
  });
}

/** All members have a tab open; some of them send their heartbeat, and somebody reads who is online. */
async function presence(site: Site, admin: pg.Client): Promise<Row[]> {
  await admin.query(
    `insert into user_connections (user_id, session_id, auth_session_id, last_seen)
     select user_id, id, id, now() - interval '1 minute' from sessions`,
  );
  await admin.query('vacuum analyze user_connections');
  const { rows } = await admin.query<{ id: string }>('select id from sessions order by token');
  let member = 0;
  const until = performance.now() + SECONDS * 1_000;
  const used = cpuSeconds(site.pid);
  const { answered, seconds } = await drive(site.port, CONNECTIONS, () => {
    if (performance.now() > until || member >= members) return undefined;
    const n = member++;
    const body = JSON.stringify({ json: { sessionId: rows[n]?.id } });
    return postRequest('/rpc/presence/heartbeat', body, { cookie: cookieOf(n) });
  });
  const cpu = ((cpuSeconds(site.pid) - used) / answered) * 1e6;
  const read: number[] = [];
  for (let n = 0; n < LISTS; n++) {
    const began = performance.now();
    const { status, body } = await requestOnce(site.port, getRequest('/api/forum-user-management/online-users'));
    read.push(performance.now() - began);
    const { total } = JSON.parse(body.toString('utf8')) as { total: number };
    if (status !== 200 || total !== members) throw new Error(`${total} of ${members} members are online (${status})`);
    // Reads at the same moment share one statement; these do not.
    await sleep(1_100);
  }
  const what = `w) presence, ${count(members)} members online:`;
  return [
    stated(`${what} heartbeats`, `${count(answered / seconds)}/s, ${count(cpu)} µs CPU each in the site`),
    stated(`${what} list of who is online`, `${ms(median(read))}, worst ${ms(Math.max(...read))}`),
  ];
}

/** Changes of lists and of posts at a steady rate: the processor time of a process that receives them. */
async function changes(site: Site, admin: pg.Client): Promise<Row[]> {
  const rows: Row[] = [];
  for (const streams of [0, STREAMS]) {
    const clients = new StreamClients();
    try {
      await clients.open(site.port, streams);
      await sleep(1_000);
      const used = cpuSeconds(site.pid);
      const began = performance.now();
      let sent = 0;
      while (performance.now() - began < SECONDS * 1_000) {
        // PostgreSQL sends equal notifications of one transaction once: the spaces make them differ.
        await admin.query(
          `select pg_notify('live', case when n % 2 = 0
             then '{"type":"domain.changed","domain":"' || (array['projects', 'news', 'networks', 'market'])[n / 2 % 4 + 1] || '"}'
             else '{"type":"post.changed","postId":"' || md5((n % 20)::text)::uuid || '"}' end || repeat(' ', n))
           from generate_series(1, $1::int) n`,
          [GROUP],
        );
        sent += GROUP;
        const ahead = (sent / CHANGES) * 1_000 - (performance.now() - began);
        if (ahead > 0) await sleep(ahead);
      }
      const seconds = (performance.now() - began) / 1_000;
      // Includes what is still in progress.
      await sleep(500);
      const share = (cpuSeconds(site.pid) - used) / seconds;
      if (clients.lost > 0) throw new Error(`${clients.lost} streams were cut`);
      rows.push(
        stated(
          `w) changes received by one process with ${streams} live streams`,
          `${count(sent / seconds)}/s, ${(share * 100).toFixed(0)} % of a core`,
        ),
      );
    } finally {
      clients.close();
    }
  }
  return rows;
}

/** Limits of addresses as every limited request counts them: each from its own network, and all from one address. */
async function limits(config: pg.ClientConfig, admin: pg.Client): Promise<Row[]> {
  const pool = openPool({ ...config, max: POOL });
  const db = openDb(pool);
  const rows: Row[] = [];
  try {
    for (const [what, address] of [
      ['of as many networks', (n: number) => `10.${(n >> 8) & 255}.${n & 255}.9`],
      ['of one address', () => '203.0.113.9'],
    ] as const) {
      await admin.query('truncate rate_limits');
      let n = 0;
      const began = performance.now();
      const used = process.cpuUsage();
      await Promise.all(
        Array.from({ length: CALLERS }, async () => {
          while (performance.now() - began < SECONDS * 1_000)
            await consumeRateLimits(db, addressLimits('bench:minute', address(n++), LIMIT), new Date());
        }),
      );
      const seconds = (performance.now() - began) / 1_000;
      const { user, system } = process.cpuUsage(used);
      rows.push(
        stated(
          `w) limited requests ${what}, counted over ${POOL} connections`,
          `${count(n / seconds)}/s, ${count((user + system) / n)} µs CPU each in the process`,
        ),
      );
    }
  } finally {
    await pool.end();
  }
  return rows;
}

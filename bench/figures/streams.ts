import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { SERVER_ARGS, SERVER_ENV } from '../../scripts/lib/server.mjs';
import {
  type BenchEnvironment,
  cookieOf,
  cpuSeconds,
  openFilesLimit,
  residentBytes,
  type Site,
  stopChild,
} from '../lib/environment.ts';
import { Connection, drive, getRequest, postRequest, requestOnce } from '../lib/http-driver.ts';
import { type Inspected, inspected } from '../lib/inspector.ts';
import { median } from '../lib/numbers.ts';
import { count, failed, ms, type Row, stated } from '../lib/report.ts';
import { StreamClients } from '../lib/stream-clients.ts';

const SCREENS = 2_000;
const MANY = 10_000;
const SETTLE_MS = 3_000;
const CHANGES = 7;
/** File descriptors that a process needs besides its streams: files, the database, other requests. */
const OTHER_FILES = 500;
/** Targets with MANY streams: memory of one, and how soon the last one receives a change. */
const MAX_KIB = 10;
const MAX_MS = 300;
/** A candidate without votes of other figures, and a member who has not voted for it. */
const FIRST_CANDIDATE = 110;
const VOTER = 19_999;
/** What a screen of the vote page reads again after a gap. */
const AGAIN = postRequest('/rpc/voting/ranking', '{"json":{}}');

/** (g) Many open live streams: the cost of one, how soon the last one receives a change, and the cost of a reconnection. */
export async function streams(environment: BenchEnvironment): Promise<Row[]> {
  const rows = await open(environment, SCREENS, 0);
  rows.push(...(await many(environment)), ...(await reconnections(environment)));
  return rows;
}

/** The streams and their clients need an open file each. */
async function many(environment: BenchEnvironment): Promise<Row[]> {
  const limit = openFilesLimit();
  if (limit < MANY + OTHER_FILES)
    return [failed(`g) ${count(MANY)} live streams`, `the limit of open files is ${count(limit)} (ulimit -n)`)];
  return open(environment, MANY, CHANGES, true);
}

/** @param offset number of candidates to skip after the first one. @param judged whether the rows have targets. */
async function open(environment: BenchEnvironment, streams: number, offset: number, judged = false): Promise<Row[]> {
  const bare = await memoryOfBare(streams);
  const inspector = await inspected();
  const use = async (site: Site) => {
    const admin = await environment.connect('big');
    const clients = new StreamClients();
    try {
      const each = await memoryOfOne(site, inspector, clients, streams);
      const changes = await measureChanges(clients, admin);
      const votes = await measureVotes(clients, admin, site, offset);
      if (clients.lost > 0) throw new Error(`${clients.lost} streams were cut`);
      const times = (what: string, all: number[]) => {
        const value = `${ms(median(all))}, worst ${ms(Math.max(...all))}`;
        return stated(what, value, judged ? { target: `≤ ${MAX_MS} ms`, met: Math.max(...all) <= MAX_MS } : undefined);
      };
      const number = judged ? count(streams) : streams;
      const memory = stated(
        `g) memory of one of ${number} live streams`,
        `${each.toFixed(1)} KiB`,
        judged ? { target: `≤ ${MAX_KIB} KiB`, met: each <= MAX_KIB } : undefined,
      );
      return [
        { ...memory, reference: `bare node:http: ${bare.toFixed(1)} KiB` },
        times(`g) change of a list until the last of ${number} gets it`, changes),
        times(`g) vote (gathered for 150 ms) until the last of ${number} gets it`, votes),
      ];
    } finally {
      clients.close();
      await admin.end();
    }
  };
  return environment.withSite('big', use, inspector.env);
}

/**
 * Opens streams of a server. @returns what each of them added to its resident memory, in KiB. Garbage is collected before both readings: what
 * the load before had left made the streams look cheaper than they are, down to less than nothing.
 */
async function memoryOfOne(
  server: { port: number; pid: number },
  { collectGarbage }: Inspected,
  clients: StreamClients,
  streams: number,
) {
  const read = async () => {
    await sleep(SETTLE_MS);
    await collectGarbage();
    await sleep(SETTLE_MS);
    return residentBytes(server.pid);
  };
  // Loads the code that any traffic would load first: it is no cost of the streams.
  let warm = 2_000;
  await drive(server.port, 16, () => (warm-- > 0 ? getRequest('/') : undefined));
  const before = await read();
  await clients.open(server.port, streams);
  return ((await read()) - before) / streams / 1024;
}

/** The same for a bare node:http server with the site's Node options. */
async function memoryOfBare(streams: number): Promise<number> {
  const inspector = await inspected();
  const child = fork(path.join(import.meta.dirname, '../lib/bare-streams.ts'), {
    stdio: ['ignore', 2, 2, 'ipc'],
    execArgv: SERVER_ARGS.filter((argument) => argument.startsWith('--')),
    env: { ...process.env, ...SERVER_ENV, ...inspector.env },
  });
  const clients = new StreamClients();
  try {
    const [port] = await once(child, 'message', { signal: AbortSignal.timeout(10_000) });
    return await memoryOfOne({ port: Number(port), pid: child.pid ?? 0 }, inspector, clients, streams);
  } finally {
    clients.close();
    await stopChild(child);
  }
}

async function measureChanges(clients: StreamClients, admin: pg.Client): Promise<number[]> {
  const changes: number[] = [];
  const domains = ['projects', 'news', 'forum', 'networks'];
  for (let n = 0; n < CHANGES; n++) {
    const domain = domains[n % domains.length];
    const all = clients.await(`"domain":"${domain}"`);
    const began = performance.now();
    await admin.query("select pg_notify('live', $1)", [JSON.stringify({ type: 'domain.changed', domain })]);
    changes.push((await all) - began);
    await sleep(200);
  }
  return changes;
}

async function measureVotes(clients: StreamClients, admin: pg.Client, site: Site, offset: number): Promise<number[]> {
  const { rows } = await admin.query<{ id: string }>(
    'select id from voting_candidates order by order_index offset $1 limit $2',
    [FIRST_CANDIDATE + offset, CHANGES],
  );
  const votes: number[] = [];
  for (const { id } of rows) {
    const all = clients.await(`"candidateId":"${id}"`);
    const body = JSON.stringify({ json: { candidateId: id } });
    const { status } = await requestOnce(site.port, postRequest('/rpc/voting/cast', body, { cookie: cookieOf(VOTER) }));
    const committed = performance.now();
    if (status !== 200) throw new Error(`the vote was answered with ${status}`);
    votes.push((await all) - committed);
    await sleep(200);
  }
  return votes;
}

/** All screens lose their streams and open new ones at the same moment, as after a restart: of members, and of visitors. */
function reconnections(environment: BenchEnvironment): Promise<Row[]> {
  return environment.withSite('big', async (site) => {
    const rows: Row[] = [];
    for (const [who, cookie] of [
      ['visitors', undefined],
      ['members', cookieOf],
    ] as const) {
      // The first round warms up.
      const opened: number[] = [];
      const read: number[] = [];
      const cpu: number[] = [];
      const other: number[] = [];
      for (let round = 0; round <= 3; round++) {
        const measured = await reconnect(site, cookie);
        await sleep(SETTLE_MS);
        if (round === 0) continue;
        opened.push(measured.opened);
        read.push(measured.read);
        cpu.push(measured.cpu);
        other.push(measured.other);
      }
      const times = (all: number[]) => `${ms(median(all))}, worst ${ms(Math.max(...all))}`;
      const what = `g) ${count(SCREENS)} screens of ${who} reconnect at once:`;
      rows.push(
        stated(`${what} the last has its stream`, times(opened)),
        stated(`${what} the last has read the ranking again`, times(read)),
        stated(`${what} CPU time of the site for one`, `${count((median(cpu) / SCREENS) * 1e6)} µs`),
        stated(`${what} longest wait of another reader`, times(other)),
      );
    }
    return rows;
  });
}

/** @returns milliseconds until all streams were open and all have read again, seconds of processor time, and the longest wait of a reader of a page. */
async function reconnect(site: Site, cookie?: (n: number) => string) {
  const clients = new StreamClients();
  const readers = await Promise.all(Array.from({ length: 100 }, () => Connection.open(site.port)));
  const bystander = await Connection.open(site.port);
  try {
    const used = cpuSeconds(site.pid);
    const began = performance.now();
    let over = false;
    let other = 0;
    const watching = (async () => {
      while (!over) {
        const sent = performance.now();
        await bystander.send(getRequest('/'));
        other = Math.max(other, performance.now() - sent);
        await sleep(5);
      }
    })();
    await clients.open(site.port, SCREENS, { atOnce: SCREENS, ...(cookie ? { cookie } : {}) });
    const opened = performance.now() - began;
    // A browser uses a connection of its own for it; here they share a hundred, so that the streams are measured.
    let left = SCREENS;
    await Promise.all(
      readers.map(async (reader) => {
        while (left-- > 0) {
          const { status } = await reader.send(AGAIN);
          if (status !== 200) throw new Error(`the ranking was answered with ${status}`);
        }
      }),
    );
    const read = performance.now() - began;
    over = true;
    await watching;
    if (clients.lost > 0) throw new Error(`${clients.lost} streams were cut`);
    return { opened, read, other, cpu: cpuSeconds(site.pid) - used };
  } finally {
    clients.close();
    bystander.close();
    for (const reader of readers) reader.close();
  }
}

/**
 * Called by drill.sh: starts a site and Varnish in front of it with florka.vcl, and checks what docs/operating.md
 * promises of the two together. `DRILL_PORT` (3975) is Varnish's port, `DRILL_SECONDS` (20) the duration of the load,
 * `DRILL_RATE` (20000) the minimum number of responses a second.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LANGUAGE_COOKIE } from '#contract/limits.ts';
import { BenchEnvironment, cookieOf, stopChild } from '../../bench/lib/environment.ts';
import { ensureBuilt } from '../../scripts/lib/bootstrap.mjs';

const PORT = Number(process.env.DRILL_PORT ?? 3_975);
const SECONDS = Number(process.env.DRILL_SECONDS ?? 20);
const RATE = Number(process.env.DRILL_RATE ?? 20_000);
const TOKEN = 'of-the-drill-and-of-nothing-else-32-chars';
const FRONT = `http://127.0.0.1:${PORT}`;
/** Promised maxima: requests a second that reach the process, and milliseconds until a change is visible. */
const PROMISED = { reaching: 5, seen: 2_000 };
const PUBLIC_PAGES = [
  '/',
  '/en',
  '/vote',
  '/next',
  '/news',
  '/forum',
  '/create',
  '/account',
  '/saved',
  '/api/candidates',
];

let failures = 0;
/** Prints a result, and records when it is not the promised one. */
function report(right: boolean, what: string): void {
  if (!right) failures++;
  console.log(`${right ? 'ok  ' : 'FAIL'} ${what}`);
}

const get = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** @throws Error when it is not true within 30 s. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(100))
    if (await holds().catch(() => false)) return;
  throw new Error(`not within 30 s: ${what}`);
}

/** Starts Varnish with the configuration of this folder, in front of another port. */
async function startVarnish(work: string, sitePort: number): Promise<ChildProcess> {
  const vcl = fs.readFileSync(path.join(import.meta.dirname, 'florka.vcl'), 'utf8');
  const file = path.join(work, 'florka.vcl');
  fs.writeFileSync(file, vcl.replace('.port = "3000"', `.port = "${sitePort}"`));
  const varnish = spawn(
    'varnishd',
    ['-F', '-j', 'none', '-n', path.join(work, 'varnish'), '-f', file, '-a', `127.0.0.1:${PORT}`, '-s', 'malloc,64m'],
    { stdio: 'ignore' },
  );
  await until('Varnish answers', async () => {
    if (varnish.exitCode !== null) throw new Error('varnishd ended');
    return (await get(`${FRONT}/healthz`)).status === 200;
  });
  return varnish;
}

/** Number of requests for home that the process has answered, from its metrics. */
async function homesAnswered(sitePort: number): Promise<number> {
  const { text } = await get(`http://127.0.0.1:${sitePort}/metrics`, { authorization: `Bearer ${TOKEN}` });
  return [...text.matchAll(/^florka_http_request_duration_seconds_count\{(.*)\} (\d+)/gm)]
    .filter(([, labels]) => /route="\/"/.test(labels ?? ''))
    .reduce((sum, [, , n]) => sum + Number(n), 0);
}

/** Requests of a member through the cache store nothing personal there, and get nothing of others. */
async function personal(): Promise<void> {
  const cookie = cookieOf(1);
  for (const target of PUBLIC_PAGES) {
    const member = await get(FRONT + target, { cookie, authorization: 'Bearer nothing' });
    const visitor = await get(FRONT + target);
    const same = member.text === visitor.text && visitor.status === 200;
    const bare = ['set-cookie', 'cache-tag', 'surrogate-key'].every((name) => !visitor.headers.has(name));
    const revalidates = visitor.headers.get('cache-control') === 'private, no-cache';
    report(
      same && bare && revalidates,
      `${target} is the same for a member and a visitor, and no browser keeps it unasked`,
    );
  }
  const me = await get(`${FRONT}/rpc/auth/me`, { cookie });
  const nobody = await get(`${FRONT}/rpc/auth/me`);
  report(
    me.text !== nobody.text && nobody.text.includes('null'),
    'who is signed in is answered for each by themselves',
  );
  const mine = await get(`${FRONT}/api/votes/mine`, { cookie });
  report(mine.headers.get('cache-control') === 'no-store', 'personal answers of the API are kept by nobody');
  const led = await get(`${FRONT}/vote`, { cookie: `${LANGUAGE_COOKIE}=en`, accept: 'text/html' });
  report(led.headers.get('location') === '/en/vote', 'a chosen language is followed through the cache');
  const chosen = await get(`${FRONT}/en/vote`, { referer: `${FRONT}/vote`, accept: 'text/html' });
  report(Boolean(chosen.headers.get('set-cookie')), 'the switch between the languages is remembered through the cache');
  report(!(await get(`${FRONT}/en/vote`)).headers.has('set-cookie'), 'and only for whoever used it');
  const stranger = await fetch(FRONT, { method: 'PURGE', headers: { 'surrogate-key': 'a b) || obj.age > 0s' } });
  report(stranger.status === 400, 'what is no tag is refused');
}

/** Casts a vote. @returns milliseconds until both pages and the API show its count through the cache. */
async function voteSeen(voter: number, candidate: { id: string; totalVotes: number }): Promise<number> {
  const answer = await fetch(`${FRONT}/rpc/voting/cast`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookieOf(voter) },
    body: JSON.stringify({ json: { candidateId: candidate.id } }),
  });
  if (answer.status !== 200) throw new Error(`a vote was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  const began = performance.now();
  const expected = candidate.totalVotes + 1;
  candidate.totalVotes = expected;
  await until('the count is seen', async () => {
    const [api, page] = await Promise.all([get(`${FRONT}/api/candidates?limit=10`), get(`${FRONT}/vote`)]);
    const { items } = JSON.parse(api.text) as { items: { id: string; totalVotes: number }[] };
    return items.find(({ id }) => id === candidate.id)?.totalVotes === expected && page.text.includes(shown(expected));
  });
  return performance.now() - began;
}

/** A count as the page formats it. */
const shown = (votes: number) => new Intl.NumberFormat('es').format(votes);

/** Runs wrk as many visitors. @returns responses a second, and how many failed. */
function rush(): Promise<{ rate: number; errors: number }> {
  return new Promise((resolve, reject) => {
    const wrk = spawn('wrk', ['-t', '2', '-c', '64', '-d', `${SECONDS}s`, '-H', 'Accept-Encoding: gzip', `${FRONT}/`]);
    let out = '';
    wrk.stdout.on('data', (chunk) => {
      out += chunk;
    });
    wrk.once('error', reject);
    wrk.once('close', () => {
      const bad = /Non-2xx or 3xx responses: (\d+)/.exec(out)?.[1] ?? '0';
      const socket = [...out.matchAll(/(?:connect|read|write|timeout) (\d+)/g)].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      );
      resolve({ rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(out)?.[1] ?? 0), errors: Number(bad) + socket });
    });
  });
}

async function load(sitePort: number): Promise<void> {
  const { items } = JSON.parse((await get(`${FRONT}/api/candidates?limit=10`)).text) as {
    items: { id: string; totalVotes: number }[];
  };
  const leader = items[0];
  if (!leader) throw new Error('nobody to vote for');
  const before = await homesAnswered(sitePort);
  const seen: number[] = [];
  let over = false;
  const load = rush().finally(() => {
    over = true;
  });
  for (let voter = 10; !over; voter++) {
    seen.push(await voteSeen(voter, leader));
    await sleep(500);
  }
  const { rate, errors } = await load;
  const reaching = ((await homesAnswered(sitePort)) - before) / SECONDS;
  seen.sort((a, b) => a - b);
  const median = seen[Math.floor(seen.length / 2)] ?? Number.NaN;
  const worst = seen.at(-1) ?? Number.NaN;
  report(
    errors === 0 && rate >= RATE,
    `${Math.round(rate)} answers a second for home (asked for: ${RATE}), ${errors} of them failed`,
  );
  report(reaching < PROMISED.reaching, `${reaching.toFixed(2)} requests a second for home reached the process`);
  report(
    worst <= PROMISED.seen,
    `${seen.length} votes meanwhile: their counts were seen after ${median.toFixed(0)} ms, at worst ${worst.toFixed(0)} ms`,
  );
}

await ensureBuilt();
const environment = await BenchEnvironment.open();
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-cache-'));
let varnish: ChildProcess | undefined;
try {
  const env = {
    TRUST_PROXY: '1',
    LOG_LEVEL: 'error',
    METRICS_TOKEN: TOKEN,
    CACHE_PURGE_URL: `${FRONT}/`,
  };
  // A count that occurs nowhere else in a page.
  const client = await environment.connect('small');
  await client.query('set session_replication_role = replica');
  await client.query(
    'update voting_candidates set total_votes = 7123450 where id = (select id from voting_candidates order by total_votes desc limit 1)',
  );
  await client.end();
  await environment.withSite(
    'small',
    async ({ port }) => {
      const home = () => get(`http://127.0.0.1:${port}/`);
      const brief = (await home()).headers.get('cache-control') ?? '';
      report(
        brief.includes('s-maxage=1,'),
        'before the cache in front answers, nothing may be kept for longer than a second',
      );
      varnish = await startVarnish(work, port);
      await until(
        'the cache in front is trusted',
        async () => (await home()).headers.get('cache-control')?.includes('s-maxage=60,') === true,
      );
      await personal();
      await load(port);
    },
    env,
  );
} finally {
  if (varnish) await stopChild(varnish);
  await environment.close();
  fs.rmSync(work, { recursive: true, force: true });
}
console.log(failures === 0 ? 'drill: all as promised' : `drill: ${failures} not as promised`);
process.exit(failures === 0 ? 0 : 1);

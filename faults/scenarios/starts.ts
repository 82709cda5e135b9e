import { spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { openRunning } from '#server/db/open.ts';
import { APP, OWNER } from '../rig/cluster.ts';
import type { FaultRun } from '../rig/fault-run.ts';
import { isRunning, MARK, treeOf } from '../rig/processes.ts';
import { cookieOf } from '../rig/seed.ts';
import type { Site } from '../rig/site.ts';
import { secondsSince, until } from '../rig/wait.ts';
import type { Report, StandaloneFault } from './fault.ts';

const EMPTY = (): Report => ({ acknowledged: 0, lost: [], doubled: [], wrong: [], recovery: [], seen: '' });
const SECRET = 'a-secret-of-the-faults-that-is-long-enough';

const alone = (dataDir: string): Record<string, string> => ({
  DATA_DIR: dataDir,
  AUTH_SECRET: SECRET,
  ADMIN_SECOND_FACTOR: 'off',
  DEMO: 'off',
  MARKET_DATA: 'off',
  LOG_LEVEL: 'warn',
  TRUST_PROXY: '1',
});

/** Two sites start on one empty database at the same time. */
async function twoStarts(faultRun: FaultRun, repetitions: number): Promise<Report> {
  const report = EMPTY();
  for (let attempt = 0; attempt < repetitions; attempt++) {
    const database = `faults_start_${attempt}`;
    await faultRun.cluster.run('postgres', [
      `create database ${database} owner ${OWNER} encoding 'UTF8' template template0`,
    ]);
    const { host, port } = faultRun.cluster.config();
    const urlOf = (role: string) =>
      `postgres://${role}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;
    const env = {
      ...alone(faultRun.folder(database)),
      DATABASE_URL: urlOf(APP),
      DATABASE_MIGRATE_URL: urlOf(OWNER),
    };
    const sites = [0, 1].map((at) => faultRun.site(`${database}-${at}`, at, env));
    const began = performance.now();
    try {
      for (const site of sites) site.launch();
      await Promise.all(sites.map((site) => site.untilReady()));
      report.recovery.push(secondsSince(began));
      const client = await faultRun.cluster.connect(database);
      const { rows } = await client.query<{ n: number }>('select count(*)::int as n from admin_profiles');
      await client.end();
      if (rows[0]?.n !== 1) report.doubled.push(`${rows[0]?.n} first admins`);
    } catch (error) {
      report.wrong.push((error as Error).message);
    } finally {
      await Promise.all(sites.map((site) => site.stop()));
    }
  }
  report.seen = 'both answer; the seconds are those of a whole start';
  return report;
}

/** Stands for the exit code of a command that was killed. */
const KILLED = -1;

/** Runs an operator's command, optionally killed after some milliseconds. */
async function florka(faultRun: FaultRun, words: string[], env: Record<string, string>, cut?: number): Promise<number> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/florka.ts', ...words], {
    stdio: 'ignore',
    env: { PATH, NODE_NO_WARNINGS: '1', NODE_ENV: 'production', [MARK]: faultRun.id, ...env },
  });
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? KILLED)));
  if (cut !== undefined) {
    const timer = setTimeout(() => child.kill('SIGKILL'), cut);
    const code = await ended;
    clearTimeout(timer);
    return code;
  }
  return ended;
}

async function votesOf(config: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  await client.connect();
  try {
    return Number((await client.query('select count(*) as n from votes')).rows[0]?.n);
  } finally {
    await client.end();
  }
}

/** Fills the built-in database of a site with a candidate and voters, who vote. @returns the number of votes. */
async function vote(dataDir: string, site: Site, voters: number): Promise<number> {
  const database = await openRunning(dataDir);
  if (!database) throw new Error('the built-in database does not run');
  const client = new pg.Client(database.config);
  await client.connect();
  const { rows } = await client.query<{ candidate: string; token: string }>(
    `with c as (insert into voting_candidates (token_name, token_symbol, token_slug)
         values ('Candidate', 'CAND', 'candidate-' || gen_random_uuid()) returning id),
       u as (insert into users (id, name, email, username, email_verified)
         select id, 'v', id || '@faults.example', 'v' || left(replace(id::text, '-', ''), 12), true
         from (select gen_random_uuid() as id from generate_series(1, ${voters})) n returning id),
       s as (insert into sessions (user_id, token, expires_at, updated_at)
         select id, id::text, now() + interval '1 day', now() from u returning token)
     select c.id as candidate, s.token from c, s`,
  );
  await client.end();
  let cast = 0;
  for (const [at, { candidate, token }] of rows.entries()) {
    const answer = await fetch(`${site.origin}/rpc/voting/cast`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: cookieOf(token, SECRET),
        'x-forwarded-for': `10.9.${at >> 8}.${at & 255}`,
      },
      body: JSON.stringify({ json: { candidateId: candidate } }),
    });
    await answer.arrayBuffer();
    if (answer.status === 200) cast++;
  }
  return cast;
}

/** A restore that is killed, and the one that follows it. */
async function halfRestored(faultRun: FaultRun, repetitions: number): Promise<Report> {
  const report = EMPTY();
  const source = faultRun.folder('backed-up');
  const site = faultRun.site('backed-up', 0, alone(source));
  await site.start();
  const cast = await vote(source, site, 50);
  report.acknowledged = cast;
  const made = await florka(faultRun, ['backup', '--to', path.join(source, 'copies'), '--secrets'], alone(source));
  await site.stop();
  const name = made === 0 ? readdirSync(path.join(source, 'copies'))[0] : undefined;
  if (!name) throw new Error('no backup was made');
  const backup = path.join(source, 'copies', name);
  let cut = 0;
  for (let attempt = 0; attempt < repetitions; attempt++) {
    const dataDir = faultRun.folder(`restored-${attempt}`);
    const env = alone(dataDir);
    const first = await florka(faultRun, ['restore', backup], env, 500 + ((attempt * 977) % 6_000));
    if (first === KILLED) cut++;
    const again = await florka(faultRun, ['restore', backup], env);
    // The cause ends when a restore has succeeded; its duration depends on the size.
    const began = performance.now();
    const restored = faultRun.site(`restored-${attempt}`, 0, env);
    try {
      // The second restore is refused when the first one had already finished.
      await restored.start();
      report.recovery.push(secondsSince(began));
      const database = await openRunning(dataDir);
      const votes = database ? await votesOf(database.config) : -1;
      if (votes < cast) report.lost.push(`${cast - votes} votes; the second restore ended with ${again}`);
      if (votes > cast) report.doubled.push(`${votes - cast} votes`);
    } catch (error) {
      report.wrong.push((error as Error).message);
    } finally {
      await restored.stop();
    }
  }
  if (cut === 0) report.wrong.push('no restore was killed on its way: each had ended before');
  report.seen = `${cut} were killed before their end; the restore that follows is whole; the seconds are those of the start after it`;
  return report;
}

/** The built-in database of a site is killed, and the site ends; a supervisor starts it again. */
async function builtInKilled(faultRun: FaultRun, repetitions: number): Promise<Report> {
  const report = EMPTY();
  const dataDir = faultRun.folder('built-in');
  const site = faultRun.site('built-in', 0, alone(dataDir));
  await site.start();
  try {
    for (let attempt = 0; attempt < repetitions; attempt++) {
      report.acknowledged += await vote(dataDir, site, 20);
      const postmaster = treeOf(site.pid).find((pid) => isPostgres(pid)) ?? 0;
      if (!postmaster) throw new Error('the built-in database was not found');
      process.kill(postmaster, 'SIGKILL');
      await site.gone();
      const began = performance.now();
      await site.start();
      report.recovery.push(secondsSince(began));
      const database = await openRunning(dataDir);
      const votes = database ? await votesOf(database.config) : -1;
      if (votes < report.acknowledged) report.lost.push(`${report.acknowledged - votes} votes`);
      if (votes > report.acknowledged) report.doubled.push(`${votes - report.acknowledged} votes`);
      await until('the old server is gone', () => !isRunning(postmaster));
    }
  } finally {
    await site.stop();
  }
  report.seen = 'the site ends and is started again';
  return report;
}

function isPostgres(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`).endsWith('/postgres');
  } catch {
    return false;
  }
}

export const startFaults: StandaloneFault[] = [
  { name: 'two-starts', title: 'two first starts on an empty database', repetitions: 10, short: 0, run: twoStarts },
  {
    name: 'half-restore',
    title: 'restore killed on its way, then repeated',
    repetitions: 5,
    short: 0,
    run: halfRestored,
  },
  { name: 'built-in-kill', title: 'built-in database killed (kill -9)', repetitions: 10, short: 0, run: builtInKilled },
];

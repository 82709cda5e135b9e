/**
 * Called by drill.sh: starts three database machines with Patroni and etcd, HAProxy and PgBouncer in front of them,
 * three processes of the site and a mixed load, and makes machines fail. Ends with a table, and with code 1 when data
 * was lost, duplicated or wrong, or the recovery was slow.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startSmtp } from '#tests/support/services/smtp.ts';
import { check } from '../../faults/checker/checker.ts';
import { Load } from '../../faults/load/load.ts';
import type { Cluster } from '../../faults/rig/cluster.ts';
import { APP, OWNER } from '../../faults/rig/cluster.ts';
import type { FaultEnvironment } from '../../faults/rig/fault-run.ts';
import { startProvider } from '../../faults/rig/provider.ts';
import { makeTemplate } from '../../faults/rig/seed.ts';
import { Site, siteEnv } from '../../faults/rig/site.ts';
import { secondsSince, until } from '../../faults/rig/wait.ts';
import { settle } from '../../faults/run.ts';
import { restoreToMoment, takeBackup } from './backup.ts';
import { type Bucket, startBucket } from './bucket.ts';
import { fill, Machine, openNetwork, own, ownFolder, start } from './machines.ts';
import { Readers } from './reads.ts';

/** What docs/scale.md promises. Seconds. */
const PROMISED = { writes: 30, reads: 5 };
const DATABASE = 'florka';
/** Duration of a failure, longer than the lease of a leader. Seconds. */
const SILENT = 40;
/** Three rounds of Patroni (`loop_wait` in patroni.yml). Milliseconds. */
const STEADY_MS = 6_000;

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    cuts: { type: 'string', default: '2' },
    freezes: { type: 'string', default: '2' },
    keep: { type: 'boolean', default: false },
    /** File for every figure of the run, not only the table. */
    record: { type: 'string' },
  },
});

const log = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-ha-'));
fs.chmodSync(folder, 0o755);
const PASSWORD = randomBytes(12).toString('hex');

/** Users with a password at the pooler; the superuser has none. */
const USERS = [APP, OWNER];

const connectAs = (user: string, database = DATABASE): pg.ClientConfig => ({
  host: '127.0.0.1',
  port: 5000,
  user,
  password: PASSWORD,
  database,
});

/** The database as used by faults/rig: through the proxy, wherever its leader is. */
const home = {
  config: (database = 'postgres') => connectAs('postgres', database),
  async connect(database: string) {
    const client = new pg.Client({ ...home.config(database), connectionTimeoutMillis: 30_000 });
    client.on('error', () => {});
    await client.connect();
    return client;
  },
  async run(database: string, statements: string[]) {
    const client = await home.connect(database);
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  },
};

async function openDatabase(): Promise<{ machines: Machine[]; bucket: Bucket }> {
  openNetwork();
  const bucket = await startBucket(path.join(folder, 'bucket'));
  const machines = [1, 2, 3].map((number) => new Machine(number, folder, { PASSWORD, ...bucket.settings }));
  for (const machine of machines) machine.start();
  const front = path.join(folder, 'front');
  ownFolder(front);
  fill('haproxy.cfg', path.join(front, 'haproxy.cfg'), {});
  fill('pgbouncer.ini', path.join(front, 'pgbouncer.ini'), { DIR: front });
  own(path.join(front, 'userlist.txt'), USERS.map((user) => `"${user}" "${PASSWORD}"\n`).join(''));
  start(path.join(front, 'haproxy.log'), ['haproxy', '-db', '-f', path.join(front, 'haproxy.cfg')]);
  start(path.join(front, 'pgbouncer.out'), ['pgbouncer', path.join(front, 'pgbouncer.ini')]);
  await whole(machines);
  log('three machines, one leader, two that follow it');
  await home.run(
    'postgres',
    USERS.map((user) => `create role ${user} login password '${PASSWORD}'`),
  );
  return { machines, bucket };
}

/** The leader; undefined while there is none. */
async function leaderOf(machines: Machine[]): Promise<Machine | undefined> {
  const states = await Promise.all(machines.map((machine) => machine.state()));
  return machines.find(
    (_, at) => ['master', 'primary'].includes(states[at]?.role ?? '') && states[at]?.state === 'running',
  );
}

/**
 * True when one machine leads, the two others receive its log, and one of them may be promoted because it has all
 * acknowledged writes.
 */
async function isWhole(machines: Machine[]): Promise<boolean> {
  const states = await Promise.all(machines.map((machine) => machine.state()));
  const followers = states.filter(
    (one) => one?.role === 'replica' && ['running', 'streaming'].includes(one.state ?? ''),
  );
  const streams = states.flatMap((one) => one?.replication ?? []).filter(({ state }) => state === 'streaming');
  return (
    followers.length === 2 &&
    streams.length === 2 &&
    followers.some((one) => one?.sync_standby) &&
    (await leaderOf(machines)) !== undefined
  );
}

/**
 * Waits until all three machines have worked together for three rounds of Patroni: a machine that has just come back
 * can still take another one away from the leader for a moment.
 */
async function whole(machines: Machine[]): Promise<void> {
  let since = Number.POSITIVE_INFINITY;
  await until(
    'one machine leads and two follow',
    async () => {
      if (!(await isWhole(machines))) since = Number.POSITIVE_INFINITY;
      else if (since === Number.POSITIVE_INFINITY) since = performance.now();
      return performance.now() - since > STEADY_MS;
    },
    300_000,
  );
}

async function openEnvironment(): Promise<FaultEnvironment> {
  const seed = await makeTemplate(home as unknown as Cluster, DATABASE);
  const provider = await startProvider();
  const mails = await startSmtp();
  const dataDir = path.join(folder, 'site');
  fs.mkdirSync(dataDir);
  const secret = randomBytes(32).toString('hex');
  const at = (user: string, port: number) => `postgres://${user}:${PASSWORD}@127.0.0.1:${port}/${DATABASE}`;
  const env = {
    PUBLIC_URL: 'http://127.0.0.1:3900',
    ...siteEnv({ provider, dataDir, secret }),
    DATABASE_URL: at(APP, 6432),
    DATABASE_DIRECT_URL: at(APP, 5000),
    DATABASE_MIGRATE_URL: at(OWNER, 5000),
    DATABASE_READ_URL: at(APP, 5001),
    NOWPAYMENTS_EMAIL: 'shop@faults.example',
    NOWPAYMENTS_PASSWORD: 'of-the-simulation',
    SMTP_URL: mails.url(),
  };
  const sites = [0, 1, 2].map(
    (number) => new Site({ port: 3900 + number, logFile: path.join(folder, `site-${number}.log`), run: 'ha', env }),
  );
  // A start that failed on a busy machine is repeated, as systemd does.
  for (const site of sites) await site.start().catch(() => site.start());
  // The parts of an environment that the load and the checker use.
  return {
    database: DATABASE,
    secret,
    seed,
    cluster: home,
    provider,
    mails,
    sites,
    dataDir,
  } as unknown as FaultEnvironment;
}

interface Row {
  what: string;
  times: number;
  /** Seconds until every process accepted a vote again, for each failure. */
  writes: number[];
  /** Longest time without a page, for each failure. Seconds. */
  reads: number[];
  /** Number of failures after which another machine led. */
  moved: number;
}

interface Drill {
  machines: Machine[];
  environment: FaultEnvironment;
  load: Load;
  readers: Readers;
}

/** Makes the leader fail, waits until everything works again, then repairs it. */
async function hit(
  { machines, environment, load, readers }: Drill,
  row: Row,
  harm: (leader: Machine, others: Machine[]) => Promise<() => Promise<void> | void>,
): Promise<void> {
  await whole(machines);
  const leader = await leaderOf(machines);
  if (!leader) throw new Error('nobody leads');
  const enough = load.journal.acknowledged + 20;
  await until('the load goes on', () => load.journal.acknowledged >= enough);
  readers.reset();
  const began = performance.now();
  const mend = await harm(
    leader,
    machines.filter((one) => one !== leader),
  );
  await Promise.all(
    environment.sites.map((site) =>
      until(`a vote on port ${site.port}`, async () => {
        if (!site.running) throw new Error(`the site on port ${site.port} ended: ${site.log().slice(-500)}`);
        return load.one('vote', site.origin);
      }),
    ),
  );
  row.writes.push(secondsSince(began));
  await mend();
  await whole(machines);
  row.reads.push(readers.longest);
  row.times++;
  if ((await leaderOf(machines)) !== leader) row.moved++;
  log(`${row.what}: writes after ${row.writes.at(-1)} s, longest without a page ${row.reads.at(-1)} s`);
}

/** Interrupted by its user: the remaining failures are skipped, and the earlier ones are evaluated. */
const enough = () => fs.existsSync(path.join(folder, 'enough'));

const newRow = (what: string): Row => ({ what, times: 0, writes: [], reads: [], moved: 0 });

async function harmAll(drill: Drill): Promise<Row[]> {
  const kill = newRow('the machine of the leader is killed');
  const cut = newRow('the leader and one that follows lose each other for 40 s');
  const freeze = newRow('the machine of the leader stands still for 40 s');
  for (let i = 0; i < Number(options.cuts); i++)
    await hit(drill, cut, async (leader, [other]) => {
      if (!other) throw new Error('nobody follows');
      leader.cut(other, true);
      const over = sleep(SILENT * 1_000).then(() => leader.cut(other, false));
      return () => over;
    });
  for (let i = 0; i < Number(options.freezes); i++)
    await hit(drill, freeze, async (leader) => {
      leader.freeze(true);
      // Also when no other machine could take over: votes are accepted again once it is back, and the table shows that.
      const over = sleep(SILENT * 1_000).then(() => leader.freeze(false));
      return () => over;
    });
  for (let i = 0; i < Number(options.kills) && !enough(); i++)
    await hit(drill, kill, async (leader) => {
      leader.kill();
      return () => leader.start();
    });
  return [kill, cut, freeze].filter(({ times }) => times > 0);
}

const worst = (list: number[]) => Math.max(...list);
const middle = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

function printReport(rows: Row[], acknowledged: number, bad: string[]): void {
  console.log('\n| what happens | times | votes again: median, worst | longest without a page | another machine led |');
  console.log('|---|---|---|---|---|');
  for (const { what, times, writes, reads, moved } of rows)
    console.log(`| ${what} | ${times} | ${middle(writes)} s, ${worst(writes)} s | ${worst(reads)} s | ${moved} |`);
  console.log(
    `\n${acknowledged} acknowledged writes; ${bad.length === 0 ? 'none lost, none twice, nothing wrong' : `${bad.length} findings`}.`,
  );
  for (const line of bad.slice(0, 30)) console.log(`  !! ${line}`);
  const load = os.loadavg().map((one) => one.toFixed(1));
  console.log(`${os.availableParallelism()} cores, load ${load.join(', ')} at the end.`);
}

/** Writes every figure of the run, so that the table in docs/scale.md can be checked against it. */
function writeRecord(file: string, figures: object): void {
  const record = {
    ended: new Date().toISOString(),
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model,
    loadAverage: os.loadavg(),
    ...figures,
  };
  fs.writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

/**
 * Number of times that archive.sh kept the archived version of an abandoned segment; otherwise nothing newer would have
 * been archived.
 */
const keptSegments = (machines: Machine[]): number =>
  machines
    .map(({ dir }) => fs.readFileSync(path.join(dir, 'patroni.log'), 'utf8'))
    .reduce((sum, text) => sum + text.split('\narchive.sh: ').length - 1, 0);

async function main(): Promise<boolean> {
  const { machines, bucket } = await openDatabase();
  const environment = await openEnvironment();
  log('three processes of the site');
  const leader = await leaderOf(machines);
  if (!leader) throw new Error('nobody leads');
  await takeBackup(leader);
  log('a full backup');
  const load = new Load(environment);
  const readers = new Readers(environment.sites.map(({ origin }) => origin));
  load.start();
  const rows = await harmAll({ machines, environment, load, readers });
  await readers.stop();
  await load.stop();
  await settle(environment, load.journal);
  const { lost, doubled, wrong } = await check(environment, load.journal);
  const bad = [...lost.map((one) => `lost: ${one}`), ...doubled.map((one) => `twice: ${one}`), ...wrong];
  // The report is printed also when the restore fails.
  const restore = await leaderOf(machines)
    .then((now) => (now ? restoreToMoment(now, home.connect, folder) : Promise.reject(new Error('nobody leads'))))
    .catch((error: unknown) => {
      bad.push(`restore: ${error instanceof Error ? error.message : String(error)}`);
      return 'failed';
    });
  log(restore);
  for (const { what, writes, reads } of rows) {
    if (worst(writes) > PROMISED.writes) bad.push(`slow: ${what}: votes after ${worst(writes)} s`);
    if (worst(reads) > PROMISED.reads) bad.push(`slow: ${what}: ${worst(reads)} s without a page`);
  }
  printReport(rows, load.journal.acknowledged, bad);
  const { objects, bytes } = bucket.contents();
  if (options.record)
    writeRecord(options.record, {
      promised: PROMISED,
      rows,
      restore,
      acknowledgedWrites: load.journal.acknowledged,
      lost,
      doubled,
      findings: bad,
      pagesRead: readers.reads,
      pagesThatWereCopies: readers.copies,
      bucket: { objects, bytes },
      keptSegments: keptSegments(machines),
    });
  console.log(`The bucket of the backups has ${objects} objects, ${(bytes / 1024 ** 2).toFixed(1)} MiB.`);
  console.log(`${keptSegments(machines)} second versions of abandoned segments were let go by the archive.`);
  console.log(`${readers.reads} pages read beside it, ${readers.copies} of them copies of earlier that say so.`);
  await Promise.allSettled(environment.sites.map((site) => site.stop()));
  return bad.length === 0;
}

let good = false;
try {
  good = await main();
} catch (error) {
  console.error(error);
} finally {
  if (good && !options.keep) fs.rmSync(folder, { recursive: true, force: true });
  else console.error(`logs are in ${folder}`);
}
// All other processes end with the namespace.
process.exit(good ? 0 : 1);

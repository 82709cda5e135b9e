import fs from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Finding } from '#contract/admin/settings.ts';
import { readPause } from '#server/db/installation.ts';
import { checksumOf, readMigrations } from '#server/db/migrate.ts';
import { readPrimaryPosition, readReplayed, readSystem } from '#server/db/replica.sql.ts';
import { readOwnPowers } from '#server/db/rights.sql.ts';
import { readMigrationsApplied } from '#server/db/server.sql.ts';
import type { Env } from '#server/env.ts';
import { FORMER_NAMES, jobs } from '#server/jobs/catalog.ts';
import { LEASE_SECONDS } from '#server/jobs/queue.ts';
import { archiveLine, backupLines } from './backup-lines.ts';
import { counterLines } from './counter-lines.ts';
import {
  readArchive,
  readDatabase,
  readFailedJobs,
  readImages,
  readJobProblems,
  readJobStates,
  readLargestTables,
  readMailStates,
  readShownFiles,
  readStaff,
  readTableExists,
} from './doctor.sql.ts';
import { ledgerLines, monthLines } from './ledger-lines.ts';
import { formatBytes, inWords, type Line, onlyRow, timeAgo } from './lines.ts';
import { paymentLines, tokenLines } from './payment-lines.ts';
import { demoLine, pauseLine, programLines } from './program-lines.ts';
import { telegramLines } from './telegram-lines.ts';

/** The report in its parts; changes nothing, and contains no secret, no personal address and no token data. */
export async function doctorReport(pool: pg.Pool, env: Env): Promise<[part: string, lines: Line[]][]> {
  const pause = await readPause(pool).catch(() => null);
  const paused = pause !== null;
  return [
    ['Program', [...(await programLines(env)), await demoLine(pool, env), pauseLine(pause)]],
    ['Database', await databaseLines(pool, env)],
    ['Backups', [...(await backupLines(env)), archiveLine(onlyRow(await readArchive(pool, {})))]],
    ['Jobs', await part(pool, 'jobs.job', (own) => jobLines(own, paused))],
    ['Mails', await part(pool, 'public.mails', (own) => mailLines(own, env))],
    ['Uploads', await part(pool, 'public.media', (own) => uploadLines(own, env))],
    ['Vote ledger', await part(pool, 'public.vote_changes', (own) => ledgerLines(own, paused))],
    ['Votes', await part(pool, 'public.carried_votes', (own) => monthLines(own, env.VOTES_KEEP_MONTHS))],
    ['Counters', await part(pool, 'public.counter_changes', counterLines)],
    ['Payments', await part(pool, 'public.payments', (own) => paymentLines(own, env, paused))],
    ['Telegram', await part(pool, 'public.telegram_bots', (own) => telegramLines(own, env, paused))],
    ['Tokens', await part(pool, 'public.signer_workers', (own) => tokenLines(own, paused))],
    ['Staff', await part(pool, 'public.admin_profiles', (own) => staffLines(own, env))],
  ];
}

/** The same report for the back office: one row per line. */
export async function findingsOf(pool: pg.Pool, env: Env): Promise<Finding[]> {
  const parts = await doctorReport(pool, env);
  return parts.flatMap(([name, lines]) =>
    lines.map((line) => ({ part: name, name: line.name, value: line.value, problem: line.problem ?? null })),
  );
}

async function part(pool: pg.Pool, table: string, read: (pool: pg.Pool) => Promise<Line[]>): Promise<Line[]> {
  const [found] = await readTableExists(pool, { name: table });
  return found?.there ? read(pool) : [{ name: 'table', value: 'missing: the server creates it at its next start' }];
}

/** Connections of a process besides its pool: for LISTEN, for the metrics, while it writes the ledger of votes, and for /readyz. */
const OWN_CONNECTIONS = 4;

async function databaseLines(pool: pg.Pool, env: Env): Promise<Line[]> {
  const about = onlyRow(await readDatabase(pool, {}));
  const tables = await readLargestTables(pool, { max: 5 });
  return [
    { name: 'PostgreSQL', value: `${about.version}, time zone ${about.zone}` },
    {
      name: 'Connections',
      value: `${about.connections} of ${about.max}`,
      ...(about.connections > about.max * 0.8 ? { problem: 'More than 80 % of the connections are in use.' } : {}),
    },
    {
      name: 'Processes',
      value: `${env.PROCESSES} of one start, up to ${env.DATABASE_POOL + OWN_CONNECTIONS} connections each`,
      ...(env.PROCESSES * (env.DATABASE_POOL + OWN_CONNECTIONS) > about.max
        ? {
            problem: `PROCESSES times DATABASE_POOL is more than the ${about.max} connections of the database: lower one of them.`,
          }
        : {}),
    },
    { name: 'Size', value: formatBytes(about.size) },
    {
      name: 'Largest tables',
      value: tables.map((table) => `${inWords(table.name)} ${formatBytes(table.size)}`).join(', ') || 'none',
    },
    ...(env.DATABASE_READ_URL ? [await replicaLine(pool, env.DATABASE_READ_URL)] : []),
    await migrationLine(pool),
    await roleLine(pool),
  ];
}

/** Time limit of connecting and of each query. Milliseconds. */
const REPLICA_TIMEOUT = 3_000;

/** Whether the server for reads is a replica of this database, and its replication lag. */
async function replicaLine(pool: pg.Pool, url: string): Promise<Line> {
  const name = 'Replica for reads';
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: REPLICA_TIMEOUT,
    query_timeout: REPLICA_TIMEOUT,
  });
  client.on('error', () => {});
  try {
    const [own] = await readSystem(pool, {});
    const [primary] = await readPrimaryPosition(pool, {});
    await client.connect();
    const [other] = await readSystem(client, {});
    const [at] = await readReplayed(client, {});
    if (other?.system !== own?.system)
      return { name, value: 'of another database', problem: 'DATABASE_READ_URL is no copy of DATABASE_URL.' };
    if (!at?.replayed)
      return {
        name,
        value: 'follows no primary',
        problem: 'DATABASE_READ_URL follows no primary: reads go to the primary.',
      };
    return {
      name,
      value: `lacks ${formatBytes(Math.max(0, Number(BigInt(primary?.position ?? '0') - BigInt(at.replayed))))}`,
    };
  } catch {
    return { name, value: 'does not answer', problem: 'DATABASE_READ_URL does not answer: reads go to the primary.' };
  } finally {
    client.connection.stream.destroy();
  }
}

/** An SQL injection in the site would have the powers of its role. */
async function roleLine(pool: pg.Pool): Promise<Line> {
  const { role, superuser, creates, temporary, rewrites } = onlyRow(await readOwnPowers(pool, {}));
  const powers = [
    ...(superuser ? ['is a superuser'] : []),
    ...(rewrites ? ['can rewrite the audit log'] : []),
    ...(creates ? ['can make tables and functions'] : []),
    ...(!creates && temporary ? ['can make temporary tables and functions'] : []),
  ];
  return {
    name: 'Role of the site',
    value: powers.length === 0 ? `${role}: can neither change tables nor rewrite the audit log` : role,
    ...(powers.length > 0
      ? {
          problem: `The role ${role} ${powers.join(', ')}: give the site a role of its own, with DATABASE_MIGRATE_URL for the owner.`,
        }
      : {}),
  };
}

const ownMigrations = () => readMigrations(path.join(process.cwd(), 'server/db/migrations'));

async function migrationLine(pool: pg.Pool): Promise<Line> {
  const ours = new Map(ownMigrations().map((one) => [one.name, checksumOf(one)] as const));
  const [table] = await readTableExists(pool, { name: 'public.schema_migrations' });
  const rows = table?.there ? await readMigrationsApplied(pool, {}) : [];
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const waiting = [...ours.keys()].filter((name) => !applied.has(name));
  const unknown = [...applied.keys()].filter((name) => !ours.has(name));
  const edited = [...applied].filter(([name, sum]) => ours.has(name) && ours.get(name) !== sum).map(([name]) => name);
  const problem =
    unknown.length > 0
      ? `The database is newer than this program: ${unknown.join(', ')}. Start the newer version.`
      : edited.length > 0
        ? `These migrations were edited after they had been applied: ${edited.join(', ')}.`
        : waiting.length > 0
          ? `These migrations wait for the next start of the server: ${waiting.join(', ')}.`
          : undefined;
  return {
    name: 'Migrations',
    value: `${applied.size} applied, ${waiting.length} waiting`,
    ...(problem ? { problem } : {}),
  };
}

/** After a return to the previous version, the queue still has the schedules of jobs that only the newer one runs. */
const OWN_JOBS = [...Object.keys(jobs), ...Object.values(FORMER_NAMES).flatMap((names) => names ?? [])];

/** @param paused waiting jobs are no problem during a pause; the line about the pause says what to do. */
async function jobLines(pool: pg.Pool, paused: boolean): Promise<Line[]> {
  const states = await readJobStates(pool, {});
  const failed = await readFailedJobs(pool, {});
  const { oldest, lost, long } = onlyRow(await readJobProblems(pool, { names: OWN_JOBS, leaseSeconds: LEASE_SECONDS }));
  const late = oldest !== null && Date.now() - oldest.getTime() > 10 * 60_000;
  return [
    { name: 'By state', value: states.map(({ state, n }) => `${n} ${inWords(state)}`).join(', ') || 'none' },
    {
      name: 'Waiting since',
      value: oldest ? timeAgo(oldest) : 'no job waits',
      ...(late && !paused ? { problem: 'Jobs wait for more than 10 minutes: is the server running?' } : {}),
    },
    {
      name: 'Left by ended processes',
      value: `${lost} whose lease of ${LEASE_SECONDS} seconds has ended`,
      ...(long > 0 && !paused ? { problem: 'Jobs of ended processes are not taken over: is the server running?' } : {}),
    },
    {
      name: 'Failed',
      value: failed.map(({ name, n, newest }) => `${n} ${name} (${timeAgo(newest)})`).join(', ') || 'none',
      ...(failed.length > 0 ? { problem: 'Failed jobs wait in the inbox of the back office.' } : {}),
    },
  ];
}

async function mailLines(pool: pg.Pool, env: Env): Promise<Line[]> {
  const rows = await readMailStates(pool, {});
  const failed = rows.find(({ status }) => status === 'failed');
  return [
    {
      name: 'Sent over',
      // Without user and password.
      value: env.SMTP_URL ? `SMTP, ${new URL(env.SMTP_URL).host}` : 'files in DATA_DIR/outbox: SMTP_URL is not set',
    },
    {
      name: 'By state',
      value: rows.map(({ status, n, newest }) => `${n} ${status} (newest ${timeAgo(newest)})`).join(', ') || 'none',
      ...(failed ? { problem: `${failed.n} mails failed; try: npm run florka -- mail test you@example.org` } : {}),
    },
    { name: 'Help mailbox', value: env.SUPPORT_EMAIL ? 'set' : 'not set: no address is shown to users' },
  ];
}

async function uploadLines(pool: pg.Pool, env: Env): Promise<Line[]> {
  const images = onlyRow(await readImages(pool, {}));
  const count = { name: 'Images', value: `${images.n}, ${images.used} of them shown` };
  if (env.S3_BUCKET) return [{ name: 'Stored in', value: 'a bucket (S3_BUCKET)' }, count];
  const folder = path.join(env.DATA_DIR, 'uploads/files');
  const names = new Set<string>();
  let bytes = 0;
  for (const found of await fs.readdir(folder, { recursive: true }).catch(() => [] as string[])) {
    const about = await fs.stat(path.join(folder, found)).catch(() => null);
    if (!about?.isFile()) continue;
    names.add(found.replaceAll(path.sep, '/'));
    bytes += about.size;
  }
  const rows = await readShownFiles(pool, {});
  const gone = rows.filter(({ file }) => !names.has(file)).length;
  return [
    { name: 'Stored in', value: 'DATA_DIR/uploads' },
    count,
    {
      name: 'Files',
      value: `${names.size}, ${formatBytes(bytes)}`,
      ...(gone > 0
        ? { problem: `${gone} files of shown images and created tokens are missing: restore them from a backup.` }
        : {}),
    },
  ];
}

async function staffLines(pool: pg.Pool, env: Env): Promise<Line[]> {
  const about = onlyRow(await readStaff(pool, {}));
  return [
    {
      name: 'Admins',
      value: `${about.admins}, ${about.unprotected} of them without a second factor`,
      ...(about.admins === 0 ? { problem: 'Nobody can enter the back office: npm run florka -- admin invite …' } : {}),
    },
    { name: 'Moderators', value: String(about.moderators) },
    {
      name: 'Second factor',
      value: env.ADMIN_SECOND_FACTOR ? 'required' : 'not required',
      ...(env.ADMIN_SECOND_FACTOR
        ? {}
        : { problem: 'ADMIN_SECOND_FACTOR is off: a stolen password opens the back office.' }),
    },
  ];
}

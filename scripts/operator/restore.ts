import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { openPool } from '#server/db/client.ts';
import { recountCounters } from '#server/db/counters.sql.ts';
import { markRestored } from '#server/db/installation.ts';
import { checksumOf, type Migration, migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { readTableExists } from '#server/doctor/doctor.sql.ts';
import { type Env, readEnv } from '#server/env.ts';
import { JobQueue } from '#server/jobs/queue.ts';
import { explainWriteError, StartError } from '#server/lib/errors/start-error.ts';
import { makeDir } from '#server/lib/process/make-dir.ts';
import { prepareDatabase } from '#server/prepare.ts';
import { type Contents, LEDGER_SECRET, readBackup, SECRET } from './archive.ts';
import { copyIn } from './copy.ts';
import { programMigrations } from './database.ts';
import { readReferences, readTables } from './installation.sql.ts';
import { columnsOf, fullName } from './tables.ts';

export const RESTORE_HELP = `Usage: npm run florka -- restore <folder>

Restores a backup into an empty installation: DATA_DIR is a new folder, or DATABASE_URL an empty database. Every file is
compared with its hash before anything is changed, and the rows are inserted in one transaction. The server must not run
meanwhile. Afterwards start it as usual: it shows its pages, but sends no mails, does no jobs and takes no payments
until npm run florka -- resume.`;

/** Restores a backup into an empty installation. @throws StartError when it is damaged, newer, or the target is not empty. */
export async function restore(words: string[]): Promise<boolean> {
  const [word, ...more] = words;
  if (!word || more.length > 0 || word.startsWith('--'))
    throw new StartError('restore needs the folder of one backup; see restore --help.');
  const folder = path.resolve(word);
  const { contents, uploads } = await readBackup(folder);
  const migrations = knownMigrations(contents);
  const secrets = await restoreSecrets(folder, contents);
  let isRestored = false;
  try {
    await restoreInto(folder, { contents, uploads, migrations, summary: secrets.summary }, () => {
      isRestored = true;
    });
  } catch (error) {
    // Nothing of the backup stays with an installation that it is not restored into: two of them would sign with one key.
    if (!isRestored) for (const file of secrets.written) await fs.rm(file, { force: true });
    throw error;
  }
  return true;
}

interface Source {
  contents: Contents;
  uploads: { name: string }[];
  migrations: Migration[];
  /** What happened to the secrets, for the operator. */
  summary: string[];
}

/** @param onRestored called once the rows are in the database. */
async function restoreInto(
  folder: string,
  { contents, uploads, migrations, summary }: Source,
  onRestored: () => void,
): Promise<void> {
  const env = readEnv(process.env);
  const database = await openDatabase({
    // It needs sessions, which a pooler does not provide.
    url: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    migrateUrl: env.DATABASE_MIGRATE_URL,
    dataDir: env.DATA_DIR,
    onLost: (reason) => console.error(reason),
  });
  const pool = openPool({ ...database.owner, max: 3, work: 'maintenance' });
  try {
    await refuseUsed(pool, env);
    await migrate(pool, migrations);
    const queue = new JobQueue(pool, () => {});
    await queue.start();
    await queue.stop();
    await restoreUploads(folder, uploads, contents, env);
    const rows = await withAdvisoryLock(pool.options, 'schema', async () => {
      // Checked again: another restore or a server may have been faster.
      await refuseUsed(pool, env);
      const total = await restoreRows(pool, folder, contents);
      onRestored();
      return total;
    });
    const newer = await migrate(pool, programMigrations());
    await prepareDatabase(database, programMigrations());
    await pool.query('analyze');
    console.log(`Restored from ${folder}, made ${contents.madeAt}`);
    console.log(`  database  ${rows} rows${newer.length > 0 ? `, brought up to date: ${newer.join(', ')}` : ''}`);
    if (database.outside) console.log(`            in ${database.outside}: its account may not enter ${env.DATA_DIR}`);
    if (contents.uploads.kind === 'bucket')
      console.log('  uploads   are not in the backup: set S3_BUCKET to their bucket, or to a copy of it');
    else
      console.log(
        env.S3_BUCKET
          ? `  uploads   ${uploads.length} files stay in ${path.join(folder, 'uploads')}: copy them into the bucket`
          : `  uploads   ${uploads.length} files`,
      );
    for (const line of summary) console.log(`  secrets   ${line}`);
    console.log('Paused: no mails, jobs, payments or signing until: npm run florka -- resume');
    console.log('Next: start the server, sign in, and run npm run florka -- audit verify');
    if (env.AUDIT_ANCHOR_FILE)
      console.log(
        `Move ${env.AUDIT_ANCHOR_FILE} aside first and keep it: it notes entries after the backup, which are not here.`,
      );
  } finally {
    await pool.end();
    await database.close();
  }
}

/**
 * The migrations that the backup's tables come from, as this program has them; of replaced ones the first text, whose tables
 * every backup fits.
 */
function knownMigrations({ migrations }: Contents): Migration[] {
  const ours = new Map(programMigrations().map((one) => [one.name, one]));
  return migrations.map(({ name, sha256 }) => {
    const own = ours.get(name);
    if (!own) throw new StartError(`The backup is newer than this program: it has the migration ${name}.`);
    if (checksumOf(own) !== sha256)
      throw new StartError(`The migration ${name} of the backup differs from that of this program.`);
    return { name, sql: own.replaced ?? own.sql };
  });
}

/** The target must be empty: nothing is overwritten. */
async function refuseUsed(pool: pg.Pool, env: Env): Promise<void> {
  const [users] = await readTableExists(pool, { name: 'public.users' });
  if (!users?.there) return;
  const { rows: used } = await pool.query(`select 1 from users union all select 1 from audit_events limit 1`);
  if (used.length > 0)
    throw new StartError(
      `${env.DATABASE_URL ? 'The database of DATABASE_URL' : env.DATA_DIR} is in use already: restore into a new one.`,
    );
}

async function restoreUploads(
  folder: string,
  uploads: { name: string }[],
  { uploads: about }: Contents,
  env: Env,
): Promise<void> {
  if (about.kind === 'bucket' || env.S3_BUCKET) return;
  const target = path.join(env.DATA_DIR, 'uploads/files');
  try {
    await fs.mkdir(target, { recursive: true, mode: 0o750 });
    for (const { name } of uploads) {
      await fs.mkdir(path.dirname(path.join(target, name)), { recursive: true, mode: 0o750 });
      await fs.copyFile(path.join(folder, 'uploads', name), path.join(target, name));
    }
  } catch (error) {
    throw explainWriteError(error, target);
  }
}

/**
 * Writes the secrets of the backup into DATA_DIR, before the configuration is read, which would make missing ones. A file that exists is
 * never overwritten, and where one has another secret nothing is written.
 *
 * @returns a summary in lines for the operator, and the files that were written. @throws StartError for another secret.
 */
async function restoreSecrets(
  folder: string,
  { secrets }: Contents,
): Promise<{ summary: string[]; written: string[] }> {
  if (!secrets)
    return {
      summary: [
        'were not in it: set AUTH_SECRET to the old one, or people sign in again and links in mails end,',
        'and LEDGER_KEY to the old one, or the vote ledger cannot continue',
      ],
      written: [],
    };
  const dataDir = path.resolve(process.env['DATA_DIR'] || 'data');
  const secret = await readSecret(path.join(folder, SECRET));
  const ledgerKey = await readSecret(path.join(folder, LEDGER_SECRET));
  const wanted = [
    ['ledger-key', process.env['LEDGER_KEY'] ? null : ledgerKey],
    ['auth-secret', process.env['AUTH_SECRET'] ? null : secret],
  ] as const;
  const others: string[] = [];
  const missing: [file: string, value: string][] = [];
  const written: string[] = [];
  try {
    for (const [name, value] of wanted) {
      if (value === null) continue;
      const file = path.join(dataDir, name);
      const there = await readSecret(file);
      if (there === null) missing.push([file, value]);
      else if (there !== value) others.push(file);
    }
    if (others.length === 0) {
      // Others may enter it, as in one that the start makes: as root, the built-in database has another account.
      makeDir(dataDir);
      for (const [file, value] of missing) {
        await fs.writeFile(file, value, { mode: 0o600, flush: true });
        written.push(file);
      }
    }
  } catch (error) {
    throw explainWriteError(error, dataDir);
  }
  if (others.length > 0)
    throw new StartError(
      `${others.join(' and ')} ${others.length > 1 ? 'are' : 'is'} of another installation and would be lost: restore into a new DATA_DIR, or move ${others.length > 1 ? 'them' : 'it'} away.`,
    );
  const summary = [
    summaryOf('AUTH_SECRET', secret, 'sessions and links in mails end'),
    summaryOf('LEDGER_KEY', ledgerKey, 'the vote ledger cannot continue'),
  ];
  return { summary, written };
}

/** @param restored the secret of the backup; null when it has none. @param loss what another one means. */
function summaryOf(variable: 'AUTH_SECRET' | 'LEDGER_KEY', restored: string | null, loss: string): string {
  const own = process.env[variable];
  if (restored === null) return `${variable} is not in the backup`;
  if (!own) return `${variable} is restored`;
  if (own === restored) return `${variable} is the one of the backup`;
  return `${variable} is not the one of the backup, and stays: ${loss}`;
}

/** The secret in a file; null without the file. */
const readSecret = async (file: string): Promise<string | null> =>
  fs.readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );

/** All rows of all tables in one transaction: foreign keys are removed first and, when restored, check every row. */
async function restoreRows(pool: pg.Pool, folder: string, contents: Contents): Promise<number> {
  const client = await pool.connect();
  let total = 0;
  try {
    await client.query('begin');
    await client.query("set local timezone = 'UTC'; set local datestyle = 'ISO'; set local lock_timeout = '10s'");
    const here = await readTables(client, {});
    const ours = here.filter(({ schema }) => schema === 'public');
    const references = await readReferences(client, {});
    for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${name}`);
    for (const table of ours) await client.query(`alter table ${fullName(table)} disable trigger user`);
    await client.query(`truncate ${ours.map(fullName).join(', ')}`);
    await client.query('delete from jobs.job');
    for (const table of contents.tables) {
      const same = here.find(({ schema, name }) => schema === table.schema && name === table.name);
      if (!same || table.columns.some((column) => !same.columns.includes(column))) {
        // The queue's tables belong to its library; ours are those of the migrations, so they fit.
        if (table.schema === 'jobs') {
          console.error('Note: the job queue has another version; its jobs are left out.');
          continue;
        }
        throw new StartError(`The table ${table.name} of the backup does not fit this program.`);
      }
      total += await load(client, path.join(folder, table.file), table);
    }
    for (const { schema, name, last } of contents.sequences)
      if (last !== null) await client.query('select setval($1::regclass, $2)', [fullName({ schema, name }), last]);
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    for (const table of ours) await client.query(`alter table ${fullName(table)} enable trigger user`);
    // Backups of versions without counters have none.
    await recountCounters(client, {});
    await markRestored(client, new Date());
    await client.query('commit');
    return total;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (error instanceof pg.DatabaseError)
      throw new StartError(`The rows could not be restored, and none were: ${error.message}`, { cause: error });
    throw error;
  } finally {
    client.release();
  }
}

async function load(client: pg.PoolClient, file: string, table: Contents['tables'][number]): Promise<number> {
  const source = createReadStream(file);
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  const rows = await copyIn(client, `copy ${fullName(table)} (${columnsOf(table)}) from stdin`, source.pipe(plain));
  if (rows !== table.rows)
    throw new StartError(`${table.name} got ${rows} rows instead of ${table.rows}; nothing was restored.`);
  return rows;
}

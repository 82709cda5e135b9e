import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { readMigrationsApplied } from '#server/db/server.sql.ts';
import { readShownFiles } from '#server/doctor/doctor.sql.ts';
import type { Env } from '#server/env.ts';
import { errorCode, explainWriteError, StartError } from '#server/lib/errors/start-error.ts';
import { LAST_BACKUP } from '#server/lib/process/last-backup.ts';
import { CONTENTS, type Contents, hashOf, LEDGER_SECRET, linesOf, SECRET, UPLOADS_LIST } from './archive.ts';
import { copyOut } from './copy.ts';
import { withDatabase } from './database.ts';
import { readSequences, readServerVersion, readTables } from './installation.sql.ts';
import { columnsOf, fullName } from './tables.ts';

export const BACKUP_HELP = `Usage: npm run florka -- backup [--to folder] [--secrets]

Writes everything of this installation into a new folder: the database as it is at one moment, also while the server runs
and people write, the uploaded images and the files of tokens. The folder is made under a name that ends in .partial and gets its own name when
it is whole, with the hash of every file inside. It holds personal data: keep it as safe as the server.

  --to folder   where the new folder is made, best on another disk; DATA_DIR/backups unless said otherwise
  --secrets     also the secret of sessions, private links and second factors, and the key of the vote ledger; without it
                people sign in again, links in old mails end, second factors have to be set up anew, and the ledger stops`;

/** Makes a backup beside a running server or without one, and prints its path. */
export async function backUp(args: string[]): Promise<boolean> {
  const options = optionsOf(args);
  return withDatabase(async ({ env, pool }) => {
    const to = path.resolve(options.to ?? path.join(env.DATA_DIR, 'backups'));
    const { secrets } = options;
    const stamp = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
    const folder = path.join(to, `florka-${stamp}`);
    const partial = `${folder}.partial`;
    try {
      await fs.mkdir(to, { recursive: true });
      await fs.mkdir(partial, { mode: 0o700 });
      for (const part of ['database', 'uploads', 'secrets']) await fs.mkdir(path.join(partial, part));
    } catch (error) {
      throw explainWriteError(error, to);
    }
    try {
      const client = await pool.connect();
      let contents: Contents;
      try {
        contents = await write(client, env, partial, secrets);
      } finally {
        client.release();
      }
      await fs.writeFile(path.join(partial, CONTENTS), JSON.stringify(contents, null, 2), { flush: true });
      await fs.rename(partial, folder);
      // Metrics report its age; a backup is valid without it.
      await fs.writeFile(path.join(env.DATA_DIR, LAST_BACKUP), `${contents.madeAt}\n`).catch(() => {});
      report(folder, contents);
      return true;
    } catch (error) {
      await fs.rm(partial, { recursive: true, force: true });
      throw explainWriteError(error, to);
    }
  });
}

function optionsOf(args: string[]): { to?: string; secrets: boolean } {
  const options: { to?: string; secrets: boolean } = { secrets: false };
  for (let i = 0; i < args.length; i++) {
    const next = args[i + 1];
    if (args[i] === '--secrets') options.secrets = true;
    else if (args[i] === '--to' && next && !next.startsWith('--')) {
      options.to = next;
      i++;
    } else throw new StartError(`Unknown argument «${args[i]}» of backup; see backup --help.`);
  }
  return options;
}

async function write(client: pg.PoolClient, env: Env, folder: string, secrets: boolean): Promise<Contents> {
  const { shown, ...rows } = await writeRows(client, folder, env);
  // Files after rows: each file is stored before its row. Outside of the transaction, which may not be idle while they are copied.
  const uploads = env.S3_BUCKET
    ? ({ kind: 'bucket' } as const)
    : await copyUploads(shown, path.join(env.DATA_DIR, 'uploads/files'), folder);
  const secretFiles = secrets ? await writeSecrets(env, folder) : [];
  const { version } = JSON.parse(await fs.readFile('package.json', 'utf8')) as { version: string };
  return { format: 1, madeAt: new Date().toISOString(), program: version, ...rows, uploads, secrets, secretFiles };
}

/** The tables as they are at one moment, and the files of images that they show. */
async function writeRows(
  client: pg.PoolClient,
  folder: string,
  env: Env,
): Promise<Pick<Contents, 'postgres' | 'migrations' | 'tables' | 'sequences'> & { shown: string[] }> {
  // One moment for all tables, and nobody waits for us.
  await client.query('begin isolation level repeatable read, read only');
  try {
    await client.query("set local timezone = 'UTC'; set local datestyle = 'ISO'; set local extra_float_digits = 1");
    const [about] = await readServerVersion(client, {});
    const migrations = (await readMigrationsApplied(client, {})).map(({ name, sha256 }) => ({ name, sha256 }));
    migrations.sort((a, b) => (a.name < b.name ? -1 : 1));
    const tables: Contents['tables'] = [];
    for (const table of await readTables(client, {})) {
      const file = `database/${table.schema}.${table.name}.copy.gz`;
      const rows = await dump(
        client,
        `copy (select ${columnsOf(table)} from ${fullName(table)}) to stdout`,
        path.join(folder, file),
      );
      const sha256 = await hashOf(path.join(folder, file));
      tables.push({
        schema: table.schema,
        name: table.name,
        columns: [...table.columns],
        rows,
        file,
        sha256,
      });
    }
    // Not part of the snapshot: sequences only grow, so a later value is safe.
    const sequences = await readSequences(client, {});
    const shown = env.S3_BUCKET ? [] : (await readShownFiles(client, {})).map(({ file }) => file);
    return { postgres: about?.version ?? '', migrations, tables, sequences, shown };
  } finally {
    await client.query('rollback').catch(() => {});
  }
}

async function writeSecrets(env: Env, folder: string): Promise<NonNullable<Contents['secretFiles']>> {
  const secrets = [
    [SECRET, env.AUTH_SECRET],
    [LEDGER_SECRET, env.LEDGER_KEY],
  ] as const;
  const files: NonNullable<Contents['secretFiles']> = [];
  for (const [file, secret] of secrets) {
    await fs.writeFile(path.join(folder, file), `${secret}\n`, { mode: 0o600, flush: true });
    files.push({ file, sha256: await hashOf(path.join(folder, file)) });
  }
  return files;
}

async function dump(client: pg.PoolClient, statement: string, file: string): Promise<number> {
  const zip = createGzip({ level: 6 });
  const target = createWriteStream(file, { mode: 0o600, flush: true });
  zip.pipe(target);
  target.on('error', (error) => zip.destroy(error));
  const rows = await copyOut(client, statement, zip);
  zip.end();
  await finished(target);
  return rows;
}

/** Folder of the public ledger: the site writes its files again from the database. */
const LEDGER_FOLDER = 'ledger/';

/** Files never change once they are there; one that was removed meanwhile was not shown any more. */
async function copyUploads(shown: readonly string[], from: string, folder: string): Promise<Contents['uploads']> {
  const files: { name: string; sha256: string }[] = [];
  const there = await fs.readdir(from, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    // Before the first image there is no folder. One that can't be read would make a backup without images.
    if (errorCode(error) === 'ENOENT') return [];
    throw new StartError(`The images in ${from} can't be read (${errorCode(error)}): no backup was made.`, {
      cause: error,
    });
  });
  const names = there
    .filter((one) => !one.isDirectory())
    .map(({ parentPath, name }) => path.relative(from, path.join(parentPath, name)).replaceAll(path.sep, '/'))
    .filter((name) => !name.startsWith(LEDGER_FOLDER));
  for (const name of names.toSorted()) {
    const copy = path.join(folder, 'uploads', name);
    try {
      await fs.mkdir(path.dirname(copy), { recursive: true });
      await fs.copyFile(path.join(from, name), copy);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    files.push({ name, sha256: await hashOf(copy) });
  }
  const have = new Set(files.map(({ name }) => name));
  const gone = shown.filter((file) => !have.has(file));
  if (gone.length > 0)
    console.error(`Note: ${gone.length} files of images and tokens are not in ${from}; the first is ${gone[0]}.`);
  const list = path.join(folder, UPLOADS_LIST);
  await fs.writeFile(list, linesOf(files), { flush: true });
  return { kind: 'folder', files: files.length, sha256: await hashOf(list) };
}

function report(folder: string, { tables, uploads, secrets }: Contents): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`The backup is in ${folder}`);
  console.log(`  database  ${tables.length} tables, ${rows} rows`);
  console.log(
    uploads.kind === 'folder'
      ? `  uploads   ${uploads.files} files`
      : '  uploads   not in it: they are in a bucket, which needs a backup of its own',
  );
  console.log(
    secrets
      ? '  secrets   in it: keep this folder as safe as the server'
      : '  secrets   not in it: keep AUTH_SECRET and LEDGER_KEY, or auth-secret and ledger-key of DATA_DIR, elsewhere (or use --secrets)',
  );
  console.log(`Next: npm run florka -- restore ${folder}, with DATA_DIR set to a new place, shows that it is good.`);
}

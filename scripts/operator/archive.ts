import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { StartError } from '#server/lib/errors/start-error.ts';

export const CONTENTS = 'contents.json';
export const UPLOADS_LIST = 'uploads.list';
export const SECRET = 'secrets/auth-secret';
/** Not in backups from before the ledger of votes. */
export const LEDGER_SECRET = 'secrets/ledger-key';

/** The list of contents of a backup; it is written last, so a folder without one is no backup. */
const contents = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  program: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  tables: z.array(
    z.object({
      schema: z.enum(['public', 'jobs']),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int().nonnegative(),
      file: z.string().regex(/^database\/[\w.-]+$/),
      sha256: z.string(),
    }),
  ),
  sequences: z.array(z.object({ schema: z.literal('public'), name: z.string(), last: z.string().nullable() })),
  /** Images in a bucket are not in the backup; of a folder each file stands in `uploads.list` with its hash. */
  uploads: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('folder'), files: z.int(), sha256: z.string() }),
    z.object({ kind: z.literal('bucket') }),
  ]),
  secrets: z.boolean(),
  /** Of each file of a secret; not in backups of versions that did not hash them. */
  secretFiles: z.array(z.object({ file: z.enum([SECRET, LEDGER_SECRET]), sha256: z.string() })).optional(),
});
export type Contents = z.infer<typeof contents>;

export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

export const linesOf = (files: { name: string; sha256: string }[]): string =>
  files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');

/** One file of the uploads, by its name, which may contain folders. */
export function readList(text: string): { name: string; sha256: string }[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, sha256, name] = /^([0-9a-f]{64}) {2}((?:[\w-]+\/)*[\w.-]+)$/.exec(line) ?? [];
      if (!sha256 || !name) throw new StartError(`The list of uploads is damaged: ${line.slice(0, 80)}`);
      return { name, sha256 };
    });
}

/**
 * Reads a backup and compares every file with its hash, before anything is touched.
 *
 * @throws StartError naming what is missing or damaged.
 */
export async function readBackup(
  folder: string,
): Promise<{ contents: Contents; uploads: { name: string; sha256: string }[] }> {
  const text = await fs.readFile(path.join(folder, CONTENTS), 'utf8').catch(() => null);
  if (text === null) throw new StartError(`${folder} is not a backup: it has no ${CONTENTS}.`);
  let read: Contents;
  try {
    read = contents.parse(JSON.parse(text));
  } catch {
    throw new StartError(`${path.join(folder, CONTENTS)} can't be read: it is damaged, or of another version.`);
  }
  const check = async (file: string, sha256: string) => {
    const found = await hashOf(path.join(folder, file)).catch(() => null);
    if (found === null) throw new StartError(`The backup is incomplete: ${file} is missing.`);
    if (found !== sha256) throw new StartError(`The backup is damaged: ${file} does not match its hash.`);
  };
  for (const { file, sha256 } of read.tables) await check(file, sha256);
  let uploads: { name: string; sha256: string }[] = [];
  if (read.uploads.kind === 'folder') {
    await check(UPLOADS_LIST, read.uploads.sha256);
    uploads = readList(await fs.readFile(path.join(folder, UPLOADS_LIST), 'utf8'));
    for (const { name, sha256 } of uploads) await check(path.join('uploads', name), sha256);
  }
  for (const { file, sha256 } of read.secretFiles ?? []) await check(file, sha256);
  if (read.secrets)
    await fs.access(path.join(folder, SECRET)).catch(() => {
      throw new StartError(`The backup is incomplete: ${SECRET} is missing.`);
    });
  return { contents: read, uploads };
}

import { appendFile, readFile } from 'node:fs/promises';
import { desc } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { errorCode } from '#server/lib/errors/start-error.ts';

/** An entry of the audit log as recorded outside of the database. */
export interface Anchor {
  entry: number;
  /** 64 hexadecimal digits. */
  hash: string;
}

const LINE = /^\S+ (\d{1,15}):([0-9a-f]{64})$/;

/**
 * The entries recorded in a file.
 *
 * @throws Error naming the first invalid line, and errors of the file system.
 */
export async function readAnchors(file: string): Promise<Anchor[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line, at) => {
    const [, entry, hash] = LINE.exec(line) ?? [];
    if (!entry || !hash) throw new Error(`line ${at + 1} of ${file} is no note of an entry`);
    return { entry: Number(entry), hash };
  });
}

/**
 * Appends the newest entry of the audit log to an external file, unless its last line equals it. The file is only appended to, so
 * that its location can deny every other operation.
 *
 * @returns true when a line was added.
 */
export async function appendNewestAnchor(db: Reader, file: string, now: Date): Promise<boolean> {
  const [newest] = await db
    .select({ entry: auditEvents.id, hash: auditEvents.hash })
    .from(auditEvents)
    .orderBy(desc(auditEvents.id))
    .limit(1);
  if (!newest) return false;
  const note = `${newest.entry}:${newest.hash?.toString('hex')}`;
  const before = await readFile(file, 'utf8').catch((error: unknown) => {
    // A location that only permits appending gets every line.
    if (['ENOENT', 'EACCES'].includes(errorCode(error) ?? '')) return '';
    throw error;
  });
  if (before.trimEnd().endsWith(` ${note}`)) return false;
  // After a crash in the middle of a line, the next entry still starts on a new line.
  const torn = before !== '' && !before.endsWith('\n');
  await appendFile(file, `${torn ? '\n' : ''}${now.toISOString()} ${note}\n`, { mode: 0o640, flush: true });
  return true;
}

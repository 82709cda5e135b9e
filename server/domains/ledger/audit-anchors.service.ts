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
/** A line that a crash left incomplete. */
const TORN = /^[\dTZ:.-]{1,24}( (\d{1,15}(:[0-9a-f]{0,63})?)?)?$/;

/**
 * The entries recorded in a file, and the numbers of its incomplete lines, which record none: a file that can only be appended to keeps them.
 *
 * @throws Error naming the first line that is neither, and errors of the file system.
 */
export async function readAnchors(file: string): Promise<{ anchors: Anchor[]; torn: number[] }> {
  const anchors: Anchor[] = [];
  const torn: number[] = [];
  for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
    const [, entry, hash] = LINE.exec(line) ?? [];
    if (entry && hash) anchors.push({ entry: Number(entry), hash });
    else if (TORN.test(line)) torn.push(index + 1);
    else if (line !== '') throw new Error(`line ${index + 1} of ${file} is no note of an entry`);
  }
  return { anchors, torn };
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

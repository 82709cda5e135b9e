import { and, eq, lt } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { ledgerLog, ledgerResults } from '#server/db/tables/ledger.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { isLedgerPath, parsePath } from '#verify/layout.ts';
import { formatKey } from '#verify/note.ts';
import { TILE_WIDTH } from '#verify/tree.ts';
import { verifierKeyOf } from './key.ts';
import type { LedgerFile } from './ledger.port.ts';
import { readNewestCheckpoint } from './ledger.sql.ts';
import { makePart, readStored } from './publish.service.ts';

const BYTES = 'application/octet-stream';
const TEXT = 'text/plain; charset=utf-8';
/** Seconds. Complete tiles never change; partial ones are soon not requested any more. */
const MAX_AGE_SECONDS = { checkpoint: 2, part: 60, whole: 31_536_000 };

/** The checkpoint with the witnesses' cosignatures of this tree. */
export async function signedCheckpoint(db: Db): Promise<{ size: number; checkpoint: string } | null> {
  const [row] = await readNewestCheckpoint(db, {});
  return row ? { size: row.size, checkpoint: row.checkpoint + row.lines.map((line) => `${line}\n`).join('') } : null;
}

/** A file of the ledger by its path below /ledger/; null when it does not exist. @throws StorageError */
export async function openFile(
  { db, storage }: { db: Db; storage: Storage },
  path: string,
): Promise<LedgerFile | null> {
  if (!isLedgerPath(path)) return null;
  if (path === 'checkpoint') {
    const signed = await signedCheckpoint(db);
    return signed && { bytes: Buffer.from(signed.checkpoint), type: TEXT, seconds: MAX_AGE_SECONDS.checkpoint };
  }
  const [log] = await db
    .select({ origin: ledgerLog.origin, publicKey: ledgerLog.publicKey, size: ledgerLog.publishedSize })
    .from(ledgerLog);
  if (!log) return null;
  if (path === 'key')
    return {
      bytes: Buffer.from(`${formatKey(verifierKeyOf(log.origin, log.publicKey))}\n`),
      type: TEXT,
      seconds: MAX_AGE_SECONDS.checkpoint,
    };
  const part = parsePath(path);
  if (!part) {
    const [result] = await db
      .select({ statement: ledgerResults.statement })
      .from(ledgerResults)
      .where(and(eq(ledgerResults.of, path.slice('results/'.length)), lt(ledgerResults.seq, log.size)));
    return result ? { bytes: Buffer.from(result.statement), type: TEXT, seconds: MAX_AGE_SECONDS.whole } : null;
  }
  const level = part.level === 'entries' ? 0 : part.level;
  if ((part.index * TILE_WIDTH + part.width) * TILE_WIDTH ** level > log.size) return null;
  // If the storage lost a file, or never had this partial one, it is generated from the database, which is complete.
  const bytes = (await readStored(storage, path)) ?? (await makePart(db, part));
  return { bytes, type: BYTES, seconds: part.width === TILE_WIDTH ? MAX_AGE_SECONDS.whole : MAX_AGE_SECONDS.part };
}

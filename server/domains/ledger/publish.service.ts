// Writes the tree as files, then signs: the data of a checkpoint is available before the checkpoint is.
import { buffer } from 'node:stream/consumers';
import { and, asc, eq, gte, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { ledgerLog, ledgerResults } from '#server/db/tables/ledger.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { concat } from '#verify/bytes.ts';
import { bundlePath, encodeBundle, tilePath, tilesOf } from '#verify/layout.ts';
import { formatCheckpoint, formatKey } from '#verify/note.ts';
import { TILE_WIDTH } from '#verify/tree.ts';
import type { LogRow } from './append.service.ts';
import type { SeenCheckpoint } from './continuity.service.ts';
import { type SigningKey, signNote, verifierKeyOf } from './key.ts';
import { entriesIn, hashesIn } from './tree-store.ts';

/** Folder of the files in the storage. */
const FOLDER = 'ledger/';
const BYTES = 'application/octet-stream';
const TEXT = 'text/plain; charset=utf-8';

export const storedName = (path: string): string => `${FOLDER}${path}`;

/** A stored file; null when it does not exist. @throws StorageError */
export async function readStored(storage: Storage, path: string): Promise<Uint8Array | null> {
  const found = await storage.open(storedName(path));
  return found && new Uint8Array(await buffer(await found.stream()));
}

/** The bytes of a tile or bundle, from the database. @throws Error when the tree is smaller. */
export async function makePart(
  db: Db,
  { level, index, width }: { level: number | 'entries'; index: number; width: number },
): Promise<Uint8Array> {
  const from = index * TILE_WIDTH;
  return level === 'entries'
    ? encodeBundle(await entriesIn(db, from, width))
    : concat(await hashesIn(db)(level, from, width));
}

interface Part {
  path: string;
  level: number | 'entries';
  index: number;
  width: number;
}

/** Tiles and bundles of a tree of `size` that one of `before` did not have, in the order of their dependencies. */
function* newParts(before: number, size: number): Generator<Part> {
  for (let level = 0, unit = 1; unit <= size; level++, unit *= TILE_WIDTH)
    for (const { index, width } of tilesOf(level, size)) {
      if (index * TILE_WIDTH + width <= Math.floor(before / unit)) continue;
      if (level === 0) yield { path: bundlePath(index, width), level: 'entries', index, width };
      yield { path: tilePath(level, index, width), level, index, width };
    }
}

interface Parts {
  db: Db;
  storage: Storage;
  key: SigningKey;
  seen: SeenCheckpoint | null;
}

/**
 * Writes the new files since the last checkpoint and signs the next one. Repeating it after an interruption writes the same bytes
 * to the same paths. The caller has compared the database with the published checkpoints (`comparePast`).
 *
 * @returns the checkpoint; null where another process published at least this size meanwhile; its checkpoint then remains.
 * @throws StorageError; nothing is signed then.
 */
export async function publish({ db, storage, key, seen }: Parts, log: LogRow): Promise<string | null> {
  const { size, origin } = log;
  const before = log.checkpoint === null ? 0 : log.publishedSize;
  for (const part of newParts(before, size))
    await storage.write(storedName(part.path), await makePart(db, part), BYTES);
  const results = await db
    .select({ of: ledgerResults.of, statement: ledgerResults.statement })
    .from(ledgerResults)
    .where(and(gte(ledgerResults.seq, before), lt(ledgerResults.seq, size)))
    .orderBy(asc(ledgerResults.seq));
  for (const { of, statement } of results)
    await storage.write(storedName(`results/${of}`), Buffer.from(statement), TEXT);
  if (before === 0) await storage.write(storedName('key'), Buffer.from(keyFile(log)), TEXT);
  const checkpoint = signNote(origin, key, formatCheckpoint({ origin, size, root: new Uint8Array(log.root) }));
  // A process that lost the lock with its connection must not replace a later checkpoint.
  const mine = or(isNull(ledgerLog.checkpoint), lt(ledgerLog.publishedSize, size));
  const still = await db.select({ size: ledgerLog.size }).from(ledgerLog).where(mine);
  if (still.length === 0) return null;
  // Recorded before it is published: even if the database is restored later, nothing else is signed for this size.
  await seen?.write(checkpoint);
  await storage.write(storedName('checkpoint'), Buffer.from(checkpoint), TEXT);
  await db.update(ledgerLog).set({ publishedSize: size, checkpoint, publishedAt: sql`clock_timestamp()` }).where(mine);
  return checkpoint;
}

/** Files checked at a time. A folder of the layout has a thousand at most. */
const REPAIRED_AT_ONCE = 2_000;

/**
 * Restores published files that the storage lost, for example after a restore of the database: the tree, signed results, the key and
 * the checkpoint; returns their number. Memory use is independent of the size of the tree.
 */
export async function repairFiles(db: Db, storage: Storage, log: LogRow): Promise<number> {
  if (log.checkpoint === null) return 0;
  let written = 0;
  let batch: Part[] = [];
  for (const part of newParts(0, log.publishedSize)) {
    batch.push(part);
    if (batch.length < REPAIRED_AT_ONCE) continue;
    written += await writeMissing(db, storage, batch);
    batch = [];
  }
  written += await writeMissing(db, storage, batch);
  return written + (await writeMissingTexts(db, storage, log));
}

async function writeMissing(db: Db, storage: Storage, parts: Part[]): Promise<number> {
  const missing = new Map(parts.map((part) => [storedName(part.path), part]));
  const folders = new Set([...missing.keys()].map((name) => name.slice(0, name.lastIndexOf('/') + 1)));
  for (const folder of folders) for await (const { file } of storage.list(folder, { flat: true })) missing.delete(file);
  for (const [name, part] of missing) await storage.write(name, await makePart(db, part), BYTES);
  return missing.size;
}

async function writeMissingTexts(db: Db, storage: Storage, log: LogRow): Promise<number> {
  const there = new Set<string>();
  for (const folder of ['', 'results/day/', 'results/round/'])
    for await (const { file } of storage.list(storedName(folder), { flat: true })) there.add(file);
  const results = await db
    .select({ of: ledgerResults.of })
    .from(ledgerResults)
    .where(lt(ledgerResults.seq, log.publishedSize))
    .orderBy(asc(ledgerResults.seq));
  const lost = results.filter(({ of }) => !there.has(storedName(`results/${of}`)));
  for (const { of } of lost) {
    const [row] = await db
      .select({ statement: ledgerResults.statement })
      .from(ledgerResults)
      .where(eq(ledgerResults.of, of));
    if (row) await storage.write(storedName(`results/${of}`), Buffer.from(row.statement), TEXT);
  }
  const named = { key: keyFile(log), checkpoint: log.checkpoint ?? '' };
  const others = Object.entries(named).filter(([name]) => !there.has(storedName(name)));
  for (const [name, text] of others) await storage.write(storedName(name), Buffer.from(text), TEXT);
  return lost.length + others.length;
}

/** Content of the file with the public key of the log. */
const keyFile = ({ origin, publicKey }: LogRow): string => `${formatKey(verifierKeyOf(origin, publicKey))}\n`;

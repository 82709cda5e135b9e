// Checks that the database continues the published log. A database restored from a backup does not, and a signature would
// contradict an earlier one. Therefore the published state is also stored outside of the database: by this installation, in the
// storage and by the witness.
import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '#server/db/client.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { fromText, toHex } from '#verify/bytes.ts';
import { type Checkpoint, parseCheckpoint, parseNote, verifyNote } from '#verify/note.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { rootAt } from '#verify/tree.ts';
import type { LogRow } from './append.service.ts';
import { verifierKeyOf } from './key.ts';
import { readStored } from './publish.service.ts';
import { hashesIn } from './tree-store.ts';
import type { Witness } from './witness-client.ts';

/** Store of the last checkpoint that an installation signed. */
export interface SeenCheckpoint {
  read(): Promise<string | null>;
  /** Resolves when it is stored durably. */
  write(checkpoint: string): Promise<void>;
}

/** Timeout of a request to a witness. Milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;
/** Maximum size of a checkpoint with the signatures of many witnesses. */
const MAX_BYTES = 100_000;

/** @param file in an existing folder. */
export function seenInFile(file: string): SeenCheckpoint {
  return {
    async read() {
      try {
        return await readFile(file, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    async write(checkpoint) {
      const handle = await open(`${file}.new`, 'w', 0o600);
      try {
        await handle.writeFile(checkpoint);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${file}.new`, file);
      // Windows can't open folders, and makes renames durable itself.
      if (process.platform === 'win32') return;
      const folder = await open(path.dirname(file), 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },
  };
}

/** Parses a checkpoint of this log, signed by its key; null for any other text. */
export async function ownCheckpoint(text: string | null, log: LogRow): Promise<Checkpoint | null> {
  const note = text === null ? null : parseNote(text);
  const checkpoint = note && parseCheckpoint(note.text);
  if (!note || checkpoint?.origin !== log.origin) return null;
  const { valid } = await verifyNote(note, verifierKeyOf(log.origin, log.publicKey));
  return valid ? checkpoint : null;
}

/** True when the tree in the database has the tree of this checkpoint as a prefix. */
export async function continues(db: Db, log: LogRow, known: Checkpoint): Promise<boolean> {
  if (known.size > log.size) return false;
  const root = await rootAt(nodeSha256, hashesIn(db), known.size);
  return Buffer.from(root).equals(Buffer.from(known.root));
}

/**
 * Compares the database with all recorded checkpoints.
 *
 * @param notes checkpoints from outside of the database; null where there is none.
 * @returns `rolled-back` when it does not continue one of them, `unknown-past` when it has published checkpoints, but none is
 *   recorded outside of it.
 */
export async function comparePast(
  db: Db,
  log: LogRow,
  notes: readonly (string | null)[],
): Promise<'rolled-back' | 'unknown-past' | null> {
  let known = 0;
  for (const text of notes) {
    const checkpoint = await ownCheckpoint(text, log);
    if (!checkpoint) continue;
    known++;
    if (!(await continues(db, log, checkpoint))) return 'rolled-back';
  }
  return known === 0 && log.checkpoint !== null ? 'unknown-past' : null;
}

/** The checkpoint in the storage. @throws StorageError */
export async function storedCheckpoint(storage: Storage): Promise<string | null> {
  const bytes = await readStored(storage, 'checkpoint');
  return bytes && Buffer.from(bytes).toString('utf8');
}

/**
 * The last checkpoint that a witness signed (not part of c2sp.org/tlog-witness; our witness implements this request).
 *
 * @returns null when it has none. @throws Error when it does not respond.
 */
export async function witnessedCheckpoint(witness: Witness, origin: string): Promise<string | null> {
  const address = `${witness.url.replace(/\/$/, '')}/${toHex(nodeSha256(fromText(origin)))}/checkpoint`;
  const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS), redirect: 'error' });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`the witness answered ${response.status}`);
  return (await response.text()).slice(0, MAX_BYTES);
}

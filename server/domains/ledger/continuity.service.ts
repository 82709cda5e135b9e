// Whether the database continues what was published. Where a database was set back to a backup it does not, and a signature
// would contradict an earlier one. So what was published is also kept outside of the database: by this installation, by the
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

/** Where an installation keeps the last checkpoint that it signed. */
export interface SeenCheckpoint {
  read(): Promise<string | null>;
  /** Resolves when it is there for good. */
  write(checkpoint: string): Promise<void>;
}

/** Longest wait for a witness. Milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;
/** A checkpoint with the signatures of many witnesses. */
const MAX_BYTES = 100_000;

/** @param file in a folder that is there. */
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
      // Windows can't open folders, and keeps names safe by itself.
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

/** A checkpoint of this very log, signed by its key; null for every other text. */
export async function ownCheckpoint(text: string | null, log: LogRow): Promise<Checkpoint | null> {
  const note = text === null ? null : parseNote(text);
  const checkpoint = note && parseCheckpoint(note.text);
  if (!note || checkpoint?.origin !== log.origin) return null;
  const { valid } = await verifyNote(note, verifierKeyOf(log.origin, log.publicKey));
  return valid ? checkpoint : null;
}

/** Whether the tree in the database has this one as its beginning. */
export async function continues(db: Db, log: LogRow, known: Checkpoint): Promise<boolean> {
  if (known.size > log.size) return false;
  const root = await rootAt(nodeSha256, hashesIn(db), known.size);
  return Buffer.from(root).equals(Buffer.from(known.root));
}

/**
 * Compares the database with all that is known of the past.
 *
 * @param notes checkpoints from outside of the database; null where there is none.
 * @returns `rolled-back` when it does not continue one of them, `unknown-past` when it says that it published something and
 *   nobody outside of it knows what.
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
 * The last checkpoint that a witness signed (c2sp.org/tlog-witness has no such question; ours answers it).
 *
 * @returns null when it knows none. @throws Error when it does not answer.
 */
export async function witnessedCheckpoint(witness: Witness, origin: string): Promise<string | null> {
  const address = `${witness.url.replace(/\/$/, '')}/${toHex(nodeSha256(fromText(origin)))}/checkpoint`;
  const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS), redirect: 'error' });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`the witness answered ${response.status}`);
  return (await response.text()).slice(0, MAX_BYTES);
}

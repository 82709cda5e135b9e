// Receipts: an entry with its inclusion proof in the format of c2sp.org/tlog-proof; `extra` contains the entry.
import { fromBase64, fromText, toBase64, toText } from './bytes.ts';
import { type Checkpoint, type Note, parseCheckpoint, parseNote } from './note.ts';
import type { Sha256 } from './sha256.ts';
import { leafHash, verifyInclusion } from './tree.ts';

export interface Receipt {
  /** Text of the leaf. */
  entry: string;
  index: number;
  proof: Uint8Array[];
  note: Note;
  checkpoint: Checkpoint;
}

const FIRST = 'c2sp.org/tlog-proof@v1';

/** A receipt as text; the inverse of `parseReceipt`. @param index of the entry in the tree. @param proof hashes of 32 bytes. */
export const formatReceipt = ({
  entry,
  index,
  proof,
  checkpoint,
}: {
  entry: string;
  index: number;
  proof: readonly Uint8Array[];
  /** The complete signed note. */
  checkpoint: string;
}): string =>
  [FIRST, `extra ${toBase64(fromText(entry))}`, `index ${index}`, ...proof.map(toBase64), '', checkpoint].join('\n');

/** @returns null for a text that is no receipt. */
export function parseReceipt(text: string): Receipt | null {
  const gap = text.indexOf('\n\n');
  const [first, extra = '', index = '', ...lines] = text.slice(0, gap).split('\n');
  if (gap < 0 || first !== FIRST || !extra.startsWith('extra ') || !/^index (0|[1-9]\d{0,14})$/.test(index))
    return null;
  const bytes = fromBase64(extra.slice('extra '.length));
  const proof = lines.map(fromBase64);
  const note = parseNote(text.slice(gap + 2));
  const checkpoint = note && parseCheckpoint(note.text);
  if (!bytes || !note || !checkpoint || proof.length > 63 || proof.some((hash) => hash?.length !== 32)) return null;
  try {
    const entry = toText(bytes);
    return { entry, index: Number(index.slice('index '.length)), proof: proof as Uint8Array[], note, checkpoint };
  } catch {
    return null;
  }
}

/**
 * True if the entry is in the tree of the receipt's own checkpoint. Does not verify the signature of that checkpoint.
 */
export const isIncluded = (hash: Sha256, { entry, index, proof, checkpoint }: Receipt): boolean =>
  verifyInclusion(hash, {
    leaf: leafHash(hash, fromText(entry)),
    index,
    size: checkpoint.size,
    root: checkpoint.root,
    proof,
  });

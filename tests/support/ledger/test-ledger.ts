import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { concat, fromText, toHex } from '#verify/bytes.ts';
import { type Entry, formatEntry } from '#verify/entries.ts';
import { bundlePath, encodeBundle, tilePath, tilesOf } from '#verify/layout.ts';
import type { Source } from '#verify/log.ts';
import { formatCheckpoint, formatKey, formatSignature, keyId } from '#verify/note.ts';
import { formatResult } from '#verify/result.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { Tally } from '#verify/tally.ts';
import { GrowingTree, leafHash, TILE_WIDTH } from '#verify/tree.ts';

/** Numbers from 0 to 1 that follow from a seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The origin of every ledger of `filesOf`. */
export const ORIGIN = 'florka.test/ledger';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
const id = keyId(ORIGIN, 1, raw);

/** The verifier key of every ledger of `filesOf`. */
export const LEDGER_KEY = formatKey({ name: ORIGIN, type: 1, id, publicKey: raw });

export const signAsLedger = (text: string): string =>
  `${text}\n${formatSignature({ name: ORIGIN, id, signature: sign(null, Buffer.from(text), privateKey) })}`;

const hex = (text: string) => createHmac('sha256', 'florka').update(text).digest('hex');
const uuid = (text: string) => hex(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

/** What somebody who runs a ledger may have: its leaves, and the statements that belong to it. */
export interface Written {
  entries: string[];
  results: Map<string, string>;
}

/**
 * A ledger of about `count` leaves as a site would write it: candidates, votes of several days, some put under review, void,
 * counted again or withdrawn, and signed results of days and rounds.
 */
export function writeLedger(seed: number, count: number): Written {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const entries: string[] = [];
  const results = new Map<string, string>();
  const tally = new Tally();
  const tree = new GrowingTree(nodeSha256);
  const append = (entry: Entry) => {
    const wrong = tally.add(entry);
    if (wrong) throw new Error(wrong);
    const line = formatEntry(entry);
    entries.push(line);
    tree.append(leafHash(nodeSha256, fromText(line)));
  };
  const state = (of: string, rows: ReturnType<Tally['standings']>) => {
    const exact = rows.map((row) => ({ ...row, reached: row.reached?.replace('Z', ':30.000000Z') ?? null }));
    const text = formatResult({ origin: ORIGIN, of, size: tree.size, root: tree.root(), rows: exact });
    results.set(of, signAsLedger(text));
    append({ kind: 'result', seq: tree.size, of, sha256: toHex(nodeSha256(fromText(text))) });
  };
  const candidates = Array.from({ length: 6 }, (_, i) => uuid(`candidate ${i}`));
  for (const [i, candidate] of candidates.entries())
    append({
      kind: 'candidate',
      seq: tree.size,
      candidate,
      added: `2026-01-0${i + 1}T00:00:00.000000Z`,
      state: 'listed',
    });
  const votes: Extract<Entry, { kind: 'vote' }>[] = [];
  const days = 4;
  for (let day = 1; day <= days; day++) {
    const date = `2026-03-0${day}`;
    const round = day <= days / 2 ? 1 : 2;
    for (let n = 0; tree.size < (count * day) / days; n++) {
      const old = votes.length > 0 && random() < 0.15 ? pick(votes) : null;
      const next = old?.state === 'counted' ? pick(['under_review', 'void', 'withdrawn'] as const) : 'counted';
      const minute = String(Math.floor(random() * 60)).padStart(2, '0');
      const vote = old ?? {
        kind: 'vote' as const,
        seq: 0,
        round,
        candidate: pick(candidates),
        day: date,
        voter: hex(`${seed} ${round} ${n} ${day}`).slice(0, 32),
        state: 'counted' as const,
        cast: `${date}T12:${minute}Z`,
      };
      vote.state = next;
      vote.seq = tree.size;
      if (!old) votes.push(vote);
      append({ ...vote });
    }
    state(`day/${date}`, tally.day(date));
    if (day === days / 2 || day === days) state(`round/${round}`, tally.standings());
  }
  return { entries, results };
}

/** The files of a ledger, complete and signed, with any leaves. */
export function filesOf({ entries, results }: Written): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const bytes = entries.map(fromText);
  const tree = new GrowingTree(nodeSha256, (level, index, hashes) => {
    files.set(tilePath(level, index, TILE_WIDTH), concat(hashes));
  });
  for (const entry of bytes) tree.append(leafHash(nodeSha256, entry));
  for (const [level, row] of tree.frontier.entries())
    if (row.length > 0)
      files.set(tilePath(level, Math.floor(tree.size / TILE_WIDTH ** (level + 1)), row.length), concat(row));
  for (const { index, width } of tilesOf(0, tree.size))
    files.set(bundlePath(index, width), encodeBundle(bytes.slice(index * TILE_WIDTH, index * TILE_WIDTH + width)));
  for (const [of, statement] of results) files.set(`results/${of}`, fromText(statement));
  files.set(
    'checkpoint',
    fromText(signAsLedger(formatCheckpoint({ origin: ORIGIN, size: tree.size, root: tree.root() }))),
  );
  files.set('key', fromText(`${LEDGER_KEY}\n`));
  return files;
}

export const sourceOf =
  (files: ReadonlyMap<string, Uint8Array>): Source =>
  async (name) =>
    files.get(name) ?? null;

// Requests the cosignature of a witness, by c2sp.org/tlog-witness.
import type { Db } from '#server/db/client.ts';
import { ledgerCosignatures } from '#server/db/tables/ledger.ts';
import { toBase64 } from '#verify/bytes.ts';
import { parseNote, parseSignature, type VerifierKey, verifyNote } from '#verify/note.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { consistencyProof } from '#verify/tree.ts';
import { hashesIn } from './tree-store.ts';

export interface Witness {
  /** Prefix of its URL. */
  url: string;
  key: VerifierKey;
}

/** Interval after which the cosignature of an unchanged checkpoint is requested again. Milliseconds. */
export const COSIGNATURE_REFRESH_MS = 60_000;
/** Timeout of a request. Milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;
/** Maximum size of a response, which contains a few signatures. */
const MAX_BYTES = 10_000;

/**
 * Requests the cosignature of a witness for the checkpoint, and stores it.
 *
 * @param point.from the size that it signed last, as far as is recorded.
 * @throws Error when it does not respond, refuses, or signs something else.
 */
export async function requestCosignature(
  db: Db,
  witness: Witness,
  point: { size: number; checkpoint: string; from: number },
): Promise<void> {
  const { size, checkpoint } = point;
  let line: string | null = null;
  // The second attempt uses the size that the witness reported.
  for (let from = Math.min(point.from, size), refusals = 0; line === null; refusals++) {
    const answer = await post(db, witness, { from, size, checkpoint });
    if (answer.conflict === undefined) line = answer.line;
    else if (refusals > 0 || answer.conflict > size)
      throw new Error(`the witness knows a ledger of ${answer.conflict} leaves, we have ${size}`);
    else from = answer.conflict;
  }
  const note = parseNote(`${checkpoint}${line}\n`);
  const verdict = note && (await verifyNote(note, witness.key));
  if (!verdict?.valid || verdict.time === null) throw new Error('the witness signed something else');
  const cosignature = { size, line, signedAt: new Date(verdict.time * 1_000) };
  await db
    .insert(ledgerCosignatures)
    .values({ witness: witness.key.name, ...cosignature })
    .onConflictDoUpdate({ target: ledgerCosignatures.witness, set: cosignature });
}

async function post(
  db: Db,
  { url, key }: Witness,
  { from, size, checkpoint }: { from: number; size: number; checkpoint: string },
): Promise<{ line: string; conflict?: undefined } | { conflict: number }> {
  const proof = await consistencyProof(nodeSha256, hashesIn(db), from, size);
  const response = await fetch(`${url.replace(/\/$/, '')}/add-checkpoint`, {
    method: 'POST',
    body: [`old ${from}`, ...proof.map(toBase64), '', checkpoint].join('\n'),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    redirect: 'error',
  });
  const text = (await response.text()).slice(0, MAX_BYTES);
  if (response.status === 409 && /^(0|[1-9]\d{0,14})\n$/.test(text)) return { conflict: Number(text) };
  if (response.status !== 200) throw new Error(`the witness answered ${response.status}`);
  const line = text.split('\n').find((one) => {
    const signature = parseSignature(one);
    return signature?.name === key.name && signature.id === key.id;
  });
  if (!line) throw new Error('the witness did not sign');
  return { line };
}

import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fromText, toBase64, toHex } from './bytes.ts';
import { formatCheckpoint, formatSignature, keyId, parseKey, parseNote, verifyNote } from './note.ts';
import { nodeSha256 } from './sources.ts';
import { consistencyProof, GrowingTree, leafHash, type ReadHashes } from './tree.ts';
import { startWitness } from './witness.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-witness-'));
const origin = 'florka.test/ledger';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
const log = { name: origin, type: 1 as const, id: keyId(origin, 1, raw), publicKey: raw };
const settings = { name: 'witness.test/w', folder, logs: [log], host: '127.0.0.1', port: 0 };
let witness = await startWitness(settings);
afterAll(async () => {
  await witness.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A log with these leaves: its checkpoint, and consistency proofs from any size. */
function logOf(words: readonly string[]) {
  const leaves = words.map((word) => leafHash(nodeSha256, fromText(word)));
  const tree = new GrowingTree(nodeSha256);
  for (const leaf of leaves) tree.append(leaf);
  const read: ReadHashes = async (_, from, count) => leaves.slice(from, from + count);
  const text = formatCheckpoint({ origin, size: leaves.length, root: tree.root() });
  const signature = formatSignature({ name: origin, id: log.id, signature: sign(null, Buffer.from(text), privateKey) });
  return {
    note: `${text}\n${signature}`,
    proofFrom: (size: number) => consistencyProof(nodeSha256, read, size, leaves.length),
  };
}
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `leaf ${i + from}`);

async function add(old: number, note: string, proof: readonly Uint8Array[]) {
  const response = await fetch(`${witness.url}/add-checkpoint`, {
    method: 'POST',
    body: [`old ${old}`, ...proof.map(toBase64), '', note].join('\n'),
  });
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
}

describe('a witness', () => {
  it('signs a first checkpoint and its continuations, and nothing else', async () => {
    const [five, nine] = [logOf(numbers(5)), logOf(numbers(9))];
    const first = await add(0, five.note, []);
    expect(first.status).toBe(200);
    const key = parseKey(witness.key);
    const note = parseNote(five.note + first.text);
    expect(key && note && (await verifyNote(note, key))).toMatchObject({ valid: true });

    expect(await add(0, nine.note, [])).toMatchObject({ status: 409, text: '5\n', type: 'text/x.tlog.size' });
    expect((await add(5, nine.note, [])).status).toBe(422);
    expect((await add(5, nine.note, await nine.proofFrom(5))).status).toBe(200);
    // A repeated checkpoint, as a heartbeat.
    expect((await add(9, nine.note, [])).status).toBe(200);

    const forked = logOf([...numbers(8), 'another']);
    expect((await add(9, forked.note, [])).status).toBe(422);
    const longer = logOf([...numbers(8), 'another', ...numbers(5, 9)]);
    expect((await add(9, longer.note, await longer.proofFrom(9))).status).toBe(422);
    // Reset to a backup.
    expect(await add(5, five.note, [])).toMatchObject({ status: 409, text: '9\n' });
    expect((await add(9, five.note, [])).status).toBe(400);
  });

  it('refuses unknown logs, wrong or missing signatures, and malformed requests', async () => {
    const ten = logOf(numbers(10));
    expect((await add(9, ten.note.replaceAll(origin, 'other.test/ledger'), [])).status).toBe(404);
    expect((await add(9, ten.note.replace('\n10\n', '\n11\n'), [])).status).toBe(403);
    expect((await add(9, ten.note.replace(/\u2014[^\n]*\n/, ''), [])).status).toBe(400);
    expect((await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(
      400,
    );
    expect((await fetch(`${witness.url}/elsewhere`)).status).toBe(404);
  });

  it('keeps its key and state after a restart, and serves the checkpoint that it signed', async () => {
    const { key } = witness;
    await witness.close();
    witness = await startWitness(settings);
    expect(witness.key).toBe(key);
    const nine = logOf(numbers(9));
    expect(await add(0, nine.note, [])).toMatchObject({ status: 409, text: '9\n' });
    const shown = await fetch(`${witness.url}/${toHex(nodeSha256(fromText(origin)))}/checkpoint`);
    const note = parseNote(await shown.text());
    const parsed = parseKey(key);
    expect(note && parsed && (await verifyNote(note, parsed)).valid).toBe(true);
    expect(note && (await verifyNote(note, log)).valid).toBe(true);
  });

  it('signs one of two forks that arrive at the same time', async () => {
    const forks = ['a', 'b'].map((word) => logOf([...numbers(9), word]));
    const answers = await Promise.all(forks.map(async (one) => add(9, one.note, await one.proofFrom(9))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('signs nothing while its stored state is damaged', async () => {
    const file = path.join(folder, `${toHex(nodeSha256(fromText(origin)))}.json`);
    const whole = readFileSync(file, 'utf8');
    onTestFinished(() => writeFileSync(file, whole));
    vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    for (const damaged of ['', '{"size":9,"note":"damaged"}']) {
      writeFileSync(file, damaged);
      expect((await add(0, logOf(['another']).note, [])).status).toBe(500);
    }
  });
});

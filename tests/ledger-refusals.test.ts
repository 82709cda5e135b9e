// What both verifiers refuse in a ledger whose leaves are signed and whole, and what they mention.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { filesOf, LEDGER_KEY, ORIGIN, writeLedger } from '#tests/support/ledger/test-ledger.ts';
import { fromText, toText } from '#verify/bytes.ts';
import type { Report } from '#verify/log.ts';
import { formatKey, keyId } from '#verify/note.ts';
import { formatReceipt } from '#verify/receipt.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { inclusionProof, leafHash } from '#verify/tree.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-refusals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Files = ReadonlyMap<string, Uint8Array>;

/** The reports of both commands about these files. */
function reportsOf(files: Files, options: readonly string[] = []) {
  const place = mkdtempSync(path.join(folder, 'ledger-'));
  for (const [name, bytes] of files) {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    writeFileSync(path.join(place, name), bytes);
  }
  return [
    [process.execPath, 'packages/verify/cli.ts'],
    ['python3', 'packages/verify-py/florka_verify.py'],
  ].map(([program = '', command = '']) => {
    const run = spawnSync(program, [command, place, '--json', ...options], { encoding: 'utf8' });
    return { status: run.status, ...(JSON.parse(run.stdout) as Report) };
  });
}
/** The codes of the problems that each of them finds. */
const codesOf = (files: Files, options: readonly string[] = []) =>
  reportsOf(files, options).map(({ problems }) => problems.map(({ code }) => code));

describe('a receipt of a ledger that is shorter now', () => {
  const written = writeLedger(5, 60);
  const { entries } = written;
  const whole = filesOf(written);
  const shortened = filesOf({ ...written, entries: entries.slice(0, -3) });
  /** The receipt of a leaf in the whole ledger, which has less than a tile. */
  async function receiptOf(index: number): Promise<string[]> {
    const hashes = entries.map((entry) => leafHash(nodeSha256, fromText(entry)));
    const read = async (_: number, from: number, count: number) => hashes.slice(from, from + count);
    const proof = await inclusionProof(nodeSha256, read, index, entries.length);
    const file = path.join(folder, `leaf-${index}.tlog-proof`);
    const checkpoint = toText(whole.get('checkpoint') ?? new Uint8Array());
    writeFileSync(file, formatReceipt({ entry: entries[index] ?? '', index, proof, checkpoint }));
    return ['--receipt', file];
  }

  it('proves that its leaf was taken out, and that leaves after it were', async () => {
    expect(codesOf(shortened)).toEqual([[], []]);
    for (const index of [entries.length - 1, 10]) {
      const receipt = await receiptOf(index);
      expect(codesOf(whole, receipt)).toEqual([[], []]);
      expect(codesOf(shortened, receipt)).toEqual([['shrunk'], ['shrunk']]);
    }
  });
});

describe('the minute of a vote', () => {
  const candidate = '11111111-0000-4000-8000-000000000000';
  const ledgerOf = (...changes: [state: string, minute: string][]) =>
    filesOf({
      entries: [
        `florka-candidate/1 seq=0 candidate=${candidate} added=2026-01-01T00:00:00.000000Z state=listed`,
        ...changes.map(
          ([state, minute], i) =>
            `florka-vote/1 seq=${i + 1} round=1 candidate=${candidate} day=2026-03-01 voter=${'a'.repeat(32)} state=${state} cast=2026-03-01T${minute}Z`,
        ),
      ],
      results: new Map(),
    });

  it('does not change while the vote is held, void and released', () => {
    for (const state of ['under_review', 'void']) {
      expect(codesOf(ledgerOf(['counted', '10:00'], [state, '10:00'], ['counted', '10:00']))).toEqual([[], []]);
      expect(codesOf(ledgerOf(['counted', '10:00'], [state, '10:00'], ['counted', '09:00']))).toEqual([
        ['vote'],
        ['vote'],
      ]);
      expect(codesOf(ledgerOf(['counted', '10:00'], [state, '09:00']))).toEqual([['vote'], ['vote']]);
    }
  });

  it('is another one where the member took the vote back and cast it again', () => {
    const again = ledgerOf(['counted', '10:00'], ['withdrawn', '10:00'], ['counted', '11:00']);
    expect(codesOf(again)).toEqual([[], []]);
    for (const { votes } of reportsOf(again)) expect(votes).toMatchObject({ counted: 1, withdrawn: 0 });
  });
});

it('rounds with votes whose result is not in the ledger are named', () => {
  const written = writeLedger(6, 60);
  const stated = reportsOf(filesOf(written));
  for (const { rounds, unstatedRounds } of stated)
    expect([rounds.map(({ round }) => round), unstatedRounds]).toEqual([[1, 2], []]);
  // The last leaf is the result of round 2.
  const silent = reportsOf(filesOf({ ...written, entries: written.entries.slice(0, -1) }));
  for (const { status, rounds, unstatedRounds } of silent)
    expect([status, rounds.map(({ round }) => round), unstatedRounds]).toEqual([0, [1], [2]]);
});

describe('a key of a ledger', () => {
  const files = filesOf(writeLedger(7, 20));
  const publicKey = new Uint8Array(32).fill(8);
  const witness = formatKey({ name: ORIGIN, type: 4, id: keyId(ORIGIN, 4, publicKey), publicKey });

  it('is none of a witness', () => {
    expect(codesOf(new Map([...files, ['key', fromText(`${witness}\n`)]]))).toEqual([['key'], ['key']]);
  });

  it('is quoted where it differs, whatever it contains', () => {
    const changed = new Map([...files, ['key', fromText('\u001b[2Kx\n')]]);
    for (const { problems } of reportsOf(changed, ['--key', LEDGER_KEY])) {
      expect(problems.map(({ code }) => code)).toEqual(['key']);
      expect(problems[0]?.detail).not.toContain('\u001b');
    }
  });
});

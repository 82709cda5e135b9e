// What both verifiers refuse in a ledger whose leaves are signed and whole, and what they mention.
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { filesOf, LEDGER_KEY, ORIGIN, signAsLedger, writeLedger } from '#tests/support/ledger/test-ledger.ts';
import { fromText, toHex, toText } from '#verify/bytes.ts';
import type { Memory, Report } from '#verify/log.ts';
import { formatKey, keyId } from '#verify/note.ts';
import { formatReceipt } from '#verify/receipt.ts';
import { formatResult } from '#verify/result.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { GrowingTree, inclusionProof, leafHash } from '#verify/tree.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-refusals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Files = ReadonlyMap<string, Uint8Array>;

const COMMANDS = [
  [process.execPath, 'packages/verify/cli.ts'],
  ['python3', 'packages/verify-py/florka_verify.py'],
] as const;

/** What both commands print about these files, and their exit codes. */
function runsOf(
  files: Files,
  options: readonly string[] = [],
  commands: readonly (typeof COMMANDS)[number][] = COMMANDS,
) {
  const place = mkdtempSync(path.join(folder, 'ledger-'));
  for (const [name, bytes] of files) {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    writeFileSync(path.join(place, name), bytes);
  }
  return commands.map(([program, command]) => spawnSync(program, [command, place, ...options], { encoding: 'utf8' }));
}
/** The reports of both commands about these files. */
const reportsOf = (files: Files, options: readonly string[] = []) =>
  runsOf(files, ['--json', ...options]).map(({ status, stdout }) => ({ status, ...(JSON.parse(stdout) as Report) }));
/** The codes of the problems that each of them finds. */
const codesOf = (files: Files, options: readonly string[] = []) =>
  reportsOf(files, options).map(({ problems }) => problems.map(({ code }) => code));

describe('a receipt from before a ledger was shortened', () => {
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

  it('proves the removal, whether its own leaf was removed or only later ones', async () => {
    expect(codesOf(shortened)).toEqual([[], []]);
    for (const index of [entries.length - 1, 10]) {
      const receipt = await receiptOf(index);
      expect(codesOf(whole, receipt)).toEqual([[], []]);
      expect(codesOf(shortened, receipt)).toEqual([['shrunk'], ['shrunk']]);
    }
  });
});

describe('the memory of both commands', () => {
  const written = writeLedger(5, 60);
  const whole = filesOf(written);
  const shorter = { ...written, entries: written.entries.slice(0, -3) };
  /** These files without the statement of a day: a defect that lasts. */
  const defective = (files: Files) => new Map([...files].filter(([name]) => name !== 'results/day/2026-03-01'));
  /** What each command keeps after it read these ledgers in turn, and the codes of the last one. */
  const kept = (...ledgers: Files[]) =>
    COMMANDS.map((command) => {
      const memory = path.join(mkdtempSync(path.join(folder, 'memory-')), 'seen.json');
      const codes = ledgers.map((files) => {
        const run = runsOf(files, ['--json', '--memory', memory], [command])[0];
        return (JSON.parse(run?.stdout ?? '') as Report).problems.map(({ code }) => code);
      });
      const seen = existsSync(memory) ? (JSON.parse(readFileSync(memory, 'utf8')) as Memory).seen : [];
      return { codes: codes.at(-1), seen };
    });
  const noteOf = (files: Files) => toText(files.get('checkpoint') ?? new Uint8Array());

  it('stores a signed checkpoint despite another problem, so that later ones are compared with it', () => {
    const before = defective(filesOf(shorter));
    for (const { codes, seen } of kept(before, defective(whole))) {
      expect(codes).toEqual(['result']);
      expect(seen.map(({ note }) => note)).toEqual([noteOf(before), noteOf(whole)]);
    }
  });

  it('stays unchanged after a fork, and stores no checkpoint that is unsigned or does not match its leaves', () => {
    const forked = filesOf({
      ...written,
      entries: written.entries.map((entry, i) => (i === 7 ? entry.replace(/voter=\w{4}/, 'voter=ffff') : entry)),
    });
    for (const { codes, seen } of kept(filesOf(shorter), forked)) {
      expect(codes).toContain('inconsistent');
      expect(seen.map(({ size }) => size)).toEqual([shorter.entries.length]);
    }
    const unsigned = new Map([...whole, ['checkpoint', fromText(noteOf(whole).replace(/^(\S+\n)\d+/, '$11'))]]);
    const otherLeaves = new Map([...forked, ['checkpoint', fromText(noteOf(whole))]]);
    for (const files of [unsigned, otherLeaves]) for (const { seen } of kept(files)) expect(seen).toEqual([]);
  });
});

describe('the time of a vote in the ledger', () => {
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

  it('must not change when the vote is held, voided or released', () => {
    for (const state of ['under_review', 'void']) {
      expect(codesOf(ledgerOf(['counted', '10:00'], [state, '10:00'], ['counted', '10:00']))).toEqual([[], []]);
      expect(codesOf(ledgerOf(['counted', '10:00'], [state, '10:00'], ['counted', '09:00']))).toEqual([
        ['vote'],
        ['vote'],
      ]);
      expect(codesOf(ledgerOf(['counted', '10:00'], [state, '09:00']))).toEqual([['vote'], ['vote']]);
    }
  });

  it('may change if the member withdrew the vote and cast it again', () => {
    const again = ledgerOf(['counted', '10:00'], ['withdrawn', '10:00'], ['counted', '11:00']);
    expect(codesOf(again)).toEqual([[], []]);
    for (const { votes } of reportsOf(again)) expect(votes).toMatchObject({ counted: 1, withdrawn: 0 });
  });
});

describe('dates and rounds', () => {
  const written = writeLedger(5, 60);
  /** The codes for this ledger with one more vote, of no pseudonym in it. */
  const withVote = (round: number, day: string, cast: string) => {
    const seq = written.entries.length;
    const [candidate = ''] = /candidate=\S+/.exec(written.entries[0] ?? '') ?? [];
    const vote = `florka-vote/1 seq=${seq} round=${round} ${candidate} day=${day} voter=${'a'.repeat(32)} state=counted cast=${cast}`;
    return codesOf(filesOf({ ...written, entries: [...written.entries, vote] }));
  };
  const [fine, wrong] = [
    [[], []],
    [['vote'], ['vote']],
  ];

  it('must exist, and the day of a vote must be that of its time, except for votes from before the ledger', () => {
    expect(withVote(3, '2028-02-29', '2028-02-29T23:59Z')).toEqual(fine);
    for (const [day, time] of [
      ['2026-02-29', '10:00'],
      ['2026-99-99', '10:00'],
      ['0000-01-01', '10:00'],
      ['2026-03-05', '24:00'],
      ['2026-03-05', '99:99'],
    ])
      for (const round of [0, 3]) expect(withVote(round, `${day}`, `${day}T${time}Z`)).toEqual(wrong);
    expect(withVote(3, '2026-03-06', '2026-03-05T10:00Z')).toEqual(wrong);
    expect(withVote(0, '2026-03-06', '2026-03-05T10:00Z')).toEqual(fine);
    const candidate = (added: string) =>
      `florka-candidate/1 seq=0 candidate=11111111-0000-4000-8000-000000000000 added=${added} state=listed`;
    for (const added of ['2026-02-30T00:00:00.000000Z', '2026-01-01T00:00:60.000000Z'])
      expect(codesOf(filesOf({ entries: [candidate(added)], results: new Map() }))).toEqual(wrong);
  });

  it('refuse a vote in a round that already has a result', () => {
    expect(withVote(2, '2026-03-04', '2026-03-04T10:00Z')).toEqual(wrong);
    expect(withVote(3, '2026-03-04', '2026-03-04T10:00Z')).toEqual(fine);
  });
});

it('a round with votes but without a result in the ledger is reported', () => {
  const written = writeLedger(6, 60);
  const stated = reportsOf(filesOf(written));
  for (const { rounds, unstatedRounds } of stated)
    expect([rounds.map(({ round }) => round), unstatedRounds]).toEqual([[1, 2], []]);
  // The last leaf is the result of round 2.
  const silent = reportsOf(filesOf({ ...written, entries: written.entries.slice(0, -1) }));
  for (const { status, rounds, unstatedRounds } of silent)
    expect([status, rounds.map(({ round }) => round), unstatedRounds]).toEqual([0, [1], [2]]);
});

it('a candidate with votes that the result of a round omits is reported, but is not a problem', () => {
  const candidate = (n: number) => `${String(n).repeat(8)}-0000-4000-8000-000000000000`;
  const listed = (n: number, state: string) =>
    `florka-candidate/1 seq=0 candidate=${candidate(n)} added=2026-01-01T00:00:00.000000Z state=${state}`;
  const vote = (n: number, voter: string, state = 'counted') =>
    `florka-vote/1 seq=0 round=1 candidate=${candidate(n)} day=2026-03-01 voter=${voter.repeat(32)} state=${state} cast=2026-03-01T10:00Z`;
  const entries = [
    ...[1, 2, 3].map((n) => listed(n, 'listed')),
    ...[vote(1, 'a'), vote(2, 'a'), vote(2, 'b'), vote(2, 'c'), vote(2, 'c', 'withdrawn'), vote(3, 'a', 'void')],
    ...[2, 3].map((n) => listed(n, 'unlisted')),
  ].map((entry, seq) => entry.replace(' seq=0', ` seq=${seq}`));
  const tree = new GrowingTree(nodeSha256);
  for (const entry of entries) tree.append(leafHash(nodeSha256, fromText(entry)));
  const rows = [{ candidate: candidate(1), votes: 1, reached: '2026-03-01T10:00:30.000000Z' }];
  const text = formatResult({ origin: ORIGIN, of: 'round/1', size: tree.size, root: tree.root(), rows });
  entries.push(`florka-result/1 seq=${tree.size} of=round/1 sha256=${toHex(nodeSha256(fromText(text)))}`);
  const files = filesOf({ entries, results: new Map([['round/1', signAsLedger(text)]]) });
  for (const { status, rounds } of reportsOf(files)) {
    expect(status).toBe(0);
    expect(rounds).toEqual([{ round: 1, rows, absent: [{ candidate: candidate(2), votes: 2 }] }]);
  }
  for (const { stdout } of runsOf(files))
    expect(stdout.match(/round 1 *:? not in its result: .*/g)).toEqual([
      expect.stringContaining(`${candidate(2)} with 2 votes of this round`),
    ]);
});

describe('the key of a ledger', () => {
  const files = filesOf(writeLedger(7, 20));
  const publicKey = new Uint8Array(32).fill(8);
  const witness = formatKey({ name: ORIGIN, type: 4, id: keyId(ORIGIN, 4, publicKey), publicKey });

  it('must not be a key of the witness type', () => {
    expect(codesOf(new Map([...files, ['key', fromText(`${witness}\n`)]]))).toEqual([['key'], ['key']]);
  });

  it('is quoted without control characters if it differs from the given key', () => {
    const changed = new Map([...files, ['key', fromText('\u001b[2Kx\n')]]);
    for (const { problems } of reportsOf(changed, ['--key', LEDGER_KEY])) {
      expect(problems.map(({ code }) => code)).toEqual(['key']);
      expect(problems[0]?.detail).not.toContain('\u001b');
    }
  });

  it('does not match an empty given key, as from an unset variable', () => {
    for (const codes of codesOf(files, ['--key', ''])) expect(new Set(codes)).toEqual(new Set(['key']));
  });
});

describe('what the commands print for people', () => {
  const written = writeLedger(6, 60);
  const files = filesOf(written);

  it('names the state of the vote of a receipt, and rounds with and without a result', async () => {
    const silent = filesOf({ ...written, entries: written.entries.slice(0, -1) });
    const entries = written.entries.slice(0, -1);
    const hashes = entries.map((entry) => leafHash(nodeSha256, fromText(entry)));
    const read = async (_: number, from: number, count: number) => hashes.slice(from, from + count);
    const proof = await inclusionProof(nodeSha256, read, 7, entries.length);
    const receipt = path.join(folder, 'printed.tlog-proof');
    const checkpoint = toText(silent.get('checkpoint') ?? new Uint8Array());
    writeFileSync(receipt, formatReceipt({ entry: entries[7] ?? '', index: 7, proof, checkpoint }));
    for (const { stdout, status } of runsOf(silent, ['--receipt', receipt])) {
      expect(status).toBe(0);
      expect(stdout).toMatch(/receipt.* leaf 7, now (counted|under_review|void|withdrawn): florka-vote/);
      expect(stdout).toMatch(/round 1 *:? .* votes/);
      expect(stdout).toMatch(/round 2 *:? not stated/);
    }
  });

  it('contains no control characters, whatever the name of the ledger contains', () => {
    const name = 'x\u001b[2K\u009b1A';
    const publicKey = new Uint8Array(32).fill(9);
    const key = formatKey({ name, type: 1, id: keyId(name, 1, publicKey), publicKey });
    for (const { stdout, status } of runsOf(new Map([...files, ['key', fromText(`${key}\n`)]]))) {
      expect(status).toBe(1);
      expect(stdout).toContain('x\\u001b[2K');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not be there.
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });
});

it('a checkpoint with more than 64 signatures is invalid', () => {
  const files = filesOf(writeLedger(8, 20));
  const checkpoint = toText(files.get('checkpoint') ?? new Uint8Array());
  const [line = ''] = /\u2014 .*\n$/.exec(checkpoint) ?? [];
  const codes = (lines: number) =>
    codesOf(new Map([...files, ['checkpoint', fromText(checkpoint + line.repeat(lines - 1))]]));
  expect(codes(64)).toEqual([[], []]);
  expect(codes(65)).toEqual([['checkpoint'], ['checkpoint']]);
});

it('an answer that is cut off is a read failure and not a problem of the ledger', async () => {
  const server = http.createServer((_req, res) => {
    res.writeHead(200, { 'content-length': 1_000 });
    res.write('florka', () => res.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    for (const [program, command] of COMMANDS) {
      const code = await new Promise((resolve) => {
        execFile(program, [command, `http://127.0.0.1:${port}/ledger`], (error) => resolve(error?.code));
      });
      expect(code, command).toBe(2);
    }
  } finally {
    server.close();
  }
});

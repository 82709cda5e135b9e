// Attacks on a ledger: every change is detected by a verifier that saw the ledger before, even if the attacker can sign.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type FoundLedger, findInPython } from '#tests/support/ledger/second-verifier.ts';
import {
  filesOf,
  LEDGER_KEY,
  ORIGIN,
  randomOf,
  signAsLedger,
  sourceOf,
  type Written,
  writeLedger,
} from '#tests/support/ledger/test-ledger.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';
import { fromText, toHex } from '#verify/bytes.ts';
import { bundlePath } from '#verify/layout.ts';
import { type Memory, type Report, verifyLedger } from '#verify/log.ts';
import { formatCheckpoint, formatKey, keyId, type VerifyEd25519, webVerify } from '#verify/note.ts';
import { formatReceipt } from '#verify/receipt.ts';
import { formatResult } from '#verify/result.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { GrowingTree, leafHash } from '#verify/tree.ts';

const ATTEMPTS = generatedCases({ everyday: 160, long: 1_000 });
/** One attempt in this many attacks the large ledger, which is longer than a tile; the others attack the small one. */
const LARGE_EVERY = 8;

/** Most of these ledgers have the same signed statements: the same key, text and signature have the same verdict. */
const verdicts = new Map<string, Promise<boolean>>();
const verify: VerifyEd25519 = (...given) => {
  const about = given.map((bytes) => Buffer.from(bytes).toString('base64')).join();
  const known = verdicts.get(about) ?? webVerify(...given);
  verdicts.set(about, known);
  return known;
};
const check = (files: ReadonlyMap<string, Uint8Array>, memory: Memory | null = null) =>
  verifyLedger({ source: sourceOf(files), hash: nodeSha256, key: LEDGER_KEY, memory, verify });

/** A correct ledger, and the memory of a verifier that checked it. */
async function checked(leaves: number) {
  const written = writeLedger(1, leaves);
  const files = filesOf(written);
  const report = await check(files);
  return { written, files, report, memory: report.memory };
}
const [large, small] = [await checked(300), await checked(60)];
const { written: honest, files: honestFiles, report: first } = large;
const attacked = (n: number) => (n % LARGE_EVERY === 0 ? large : small);

/** What an operator with every key may do to the leaves. */
type Attack = (random: () => number, entries: string[]) => string[];
const someplace = (random: () => number, entries: readonly string[]) => Math.floor(random() * entries.length);
const renumbered = (entries: string[]) => entries.map((entry, seq) => entry.replace(/ seq=\d+/, ` seq=${seq}`));
const ATTACKS: Record<string, Attack> = {
  'flips a letter': (random, entries) => {
    const at = someplace(random, entries);
    const entry = entries[at] ?? '';
    const place = Math.floor(random() * entry.length);
    const other = String.fromCharCode(entry.charCodeAt(place) ^ (1 << Math.floor(random() * 7)));
    return entries.with(at, entry.slice(0, place) + other + entry.slice(place + 1));
  },
  'changes a state or a candidate': (random, entries) => {
    const at = entries.findIndex((entry, i) => i > someplace(random, entries) && entry.startsWith('florka-vote/1'));
    const place = at < 0 ? 7 : at;
    const entry = entries[place] ?? '';
    const given = entry.replace(/state=\w+/, (old) => (old === 'state=void' ? 'state=counted' : 'state=void'));
    return entries.with(place, given);
  },
  'drops a leaf': (random, entries) => renumbered(entries.toSpliced(someplace(random, entries), 1)),
  'drops the last leaves': (random, entries) => entries.slice(0, 1 + Math.floor(random() * (entries.length - 1))),
  'adds a vote': (random, entries) => {
    const vote = entries.find((entry) => entry.startsWith('florka-vote/1')) ?? '';
    const voter = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
    return renumbered(
      entries.toSpliced(
        6 + Math.floor(random() * (entries.length - 6)),
        0,
        vote.replace(/voter=\w+/, `voter=${voter}`),
      ),
    );
  },
  'reorders two leaves': (random, entries) => {
    const at = Math.floor(random() * (entries.length - 1));
    return renumbered(entries.with(at, entries[at + 1] ?? '').with(at + 1, entries[at] ?? ''));
  },
  'forks the history': (random, entries) => {
    const remaining = 6 + Math.floor(random() * (entries.length - 7));
    const vote = entries.find((entry) => entry.startsWith('florka-vote/1')) ?? '';
    const more = Array.from({ length: entries.length }, (_, i) =>
      vote.replace(/voter=\w+/, `voter=${String(i).padStart(32, 'f')}`),
    );
    return renumbered([...entries.slice(0, remaining), ...more]);
  },
};

describe('an unchanged ledger', () => {
  it('passes the check, and so does a later state that continues it', async () => {
    expect(first.problems).toEqual([]);
    expect(first.days).toHaveLength(4);
    expect(first.days.every((day) => day.stated)).toBe(true);
    expect(first.rounds.map(({ round }) => round)).toEqual([1, 2]);
    const vote = honest.entries.find((entry) => entry.startsWith('florka-vote/1')) ?? '';
    const entries = [
      ...honest.entries,
      // Of a round without a result: nobody can vote in one that ended.
      vote
        .replace(/seq=\d+ round=\d+/, `seq=${honest.entries.length} round=3`)
        .replace(/voter=\w+/, `voter=${'a'.repeat(32)}`),
    ];
    const next = await check(filesOf({ ...honest, entries }), first.memory);
    expect(next.problems).toEqual([]);
    expect(next.consistentWith).toBe(1);
    expect(next.memory.seen).toHaveLength(2);
  });
});

describe.each(Object.entries(ATTACKS))('an operator who %s', (name, attack) => {
  it(`is detected in ${ATTEMPTS} of ${ATTEMPTS} attempts by both verifiers that saw the ledger before, with a rebuilt and signed tree`, async () => {
    const random = randomOf(name.length);
    const ledgers = Array.from({ length: ATTEMPTS }, (_, n) => {
      const { written, memory } = attacked(n);
      const entries = attack(random, written.entries);
      if (entries.join('\n') === written.entries.join('\n')) throw new Error('nothing was changed');
      return { files: filesOf({ ...written, entries }), memory };
    });
    expect(await foundBy(ledgers)).toEqual({ first: ATTEMPTS, second: ATTEMPTS });
  }, 300_000);
});

/** In how many of some ledgers each verifier finds a problem. */
async function foundBy(ledgers: readonly FoundLedger[]): Promise<{ first: number; second: number }> {
  const second = findInPython(ledgers);
  let first = 0;
  for (const { files, memory } of ledgers) if ((await check(files, memory)).problems.length > 0) first++;
  return { first, second: (await second).filter((codes) => codes.length > 0).length };
}

/** These files of a ledger with one of them changed by a bit, or gone. */
function changedFile(random: () => number, honest: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const files = new Map(honest);
  const names = [...honest.keys()];
  const name = names[Math.floor(random() * names.length)] ?? '';
  const bytes = Uint8Array.from(files.get(name) ?? []);
  const at = Math.floor(random() * bytes.length);
  if (random() < 0.2) files.delete(name);
  else {
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    files.set(name, bytes);
  }
  // The verifier knows the key already, so a removed key file alone would be no attack.
  if (!files.has('key')) files.delete('checkpoint');
  return files;
}

describe('an attacker who changes files and cannot sign', () => {
  it(`is detected in ${ATTEMPTS} of ${ATTEMPTS} attempts by both verifiers, though they never saw the ledger before`, async () => {
    const random = randomOf(7);
    const ledgers = Array.from({ length: ATTEMPTS }, (_, n) => ({
      files: changedFile(random, attacked(n).files),
      memory: null,
    }));
    expect(await foundBy(ledgers)).toEqual({ first: ATTEMPTS, second: ATTEMPTS });
  }, 300_000);
});

/** A ledger whose last round ends in a tie: the same votes, in another minute each. */
function tied() {
  const candidate = (n: number) => `${String(n).repeat(8)}-0000-4000-8000-000000000000`;
  const entries = [
    ...[1, 2, 3].map(
      (n) => `florka-candidate/1 seq=0 candidate=${candidate(n)} added=2026-01-0${n}T00:00:00.000000Z state=listed`,
    ),
    // The third reached two votes first, then the second, then the first; one more of the first is void.
    ...[3, 3, 2, 2, 1, 1, 1].map(
      (n, i) =>
        `florka-vote/1 seq=0 round=1 candidate=${candidate(n)} day=2026-03-01 voter=${String(i).padStart(32, '0')} state=${i === 6 ? 'void' : 'counted'} cast=2026-03-01T10:0${i}Z`,
    ),
  ].map((entry, seq) => entry.replace(' seq=0', ` seq=${seq}`));
  const rows = [3, 2, 1].map((n, i) => ({
    candidate: candidate(n),
    votes: 2,
    reached: `2026-03-01T10:0${i * 2 + 1}:30.000000Z`,
  }));
  return { entries, rows };
}
type Rows = { candidate: string; votes: number; reached: string | null }[];
/** The ledger of a tie with these rows as its day and round, signed and in the tree. */
function stating(change: (rows: Rows) => Rows): Written {
  const { entries, rows } = tied();
  const results = new Map<string, string>();
  for (const of of ['day/2026-03-01', 'round/1']) {
    const tree = new GrowingTree(nodeSha256);
    for (const entry of entries) tree.append(leafHash(nodeSha256, fromText(entry)));
    const text = formatResult({
      origin: 'florka.test/ledger',
      of,
      size: tree.size,
      root: tree.root(),
      rows: change(structuredClone<Rows>(rows)),
    });
    results.set(of, signAsLedger(text));
    entries.push(`florka-result/1 seq=${entries.length} of=${of} sha256=${toHex(nodeSha256(fromText(text)))}`);
  }
  return { entries, results };
}
const WRONG: Record<string, (rows: Rows) => Rows> = {
  'one vote more': ([first, ...rest]) => (first ? [{ ...first, votes: first.votes + 1 }, ...rest] : []),
  'one vote less': (rows) => rows.map((row, i) => (i === 2 ? { ...row, votes: row.votes - 1 } : row)),
  'a void vote that counts': (rows) => {
    const last = rows.pop();
    return last ? [{ ...last, votes: 3, reached: '2026-03-01T10:06:30.000000Z' }, ...rows] : [];
  },
  'a tie in another order': ([a, b, c]) => (a && b && c ? [b, a, c] : []),
  'a tie in another order, with times that fit it': ([a, b, c]) =>
    a && b && c ? [{ ...b, reached: a.reached }, { ...a, reached: b.reached }, c] : [],
  'a tie that is won by an omitted time': ([a, b, c]) => (a && b && c ? [{ ...c, reached: null }, a, b] : []),
  nobody: () => [],
  'one candidate less': (rows) => rows.slice(0, 2),
  'a candidate twice': (rows) => [...rows, ...rows.slice(2)],
};

describe('results of a day and a round', () => {
  const python = (written: Written) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-results-'));
    try {
      for (const [name, bytes] of filesOf(written)) {
        mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        writeFileSync(path.join(folder, name), bytes);
      }
      const run = spawnSync('python3', ['packages/verify-py/florka_verify.py', folder, '--json'], { encoding: 'utf8' });
      return (JSON.parse(run.stdout) as Report).problems.map(({ code, detail }) => `${code} ${detail.split(':')[0]}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it('are accepted by both verifiers if they are correct', async () => {
    const honest = stating((rows) => rows);
    expect((await check(filesOf(honest))).problems).toEqual([]);
    expect(python(honest)).toEqual([]);
  });

  it.each(Object.entries(WRONG))(
    'that state %s are rejected by both verifiers, though they are signed and in the tree',
    async (_, change) => {
      const written = stating(change);
      const { problems } = await check(filesOf(written));
      const both = new Set(['result day/2026-03-01', 'result round/1']);
      expect(new Set(problems.map(({ code, detail }) => `${code} ${detail.split(':')[0]}`))).toEqual(both);
      expect(new Set(python(written))).toEqual(both);
    },
  );
});

describe('both commands, on a folder', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-folder-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const witness = (type: 1 | 4) => {
    const publicKey = new Uint8Array(32).fill(8);
    return formatKey({ name: 'w.test', type, id: keyId('w.test', type, publicKey), publicKey });
  };
  const more = (name: string) => (files: Map<string, Uint8Array>) =>
    files.set(name, new Uint8Array([...(files.get(name) ?? []), ...new Uint8Array(32)]));
  const nothing = () => {};
  /** A signed checkpoint of this size. */
  const of = (size: number) => (files: Map<string, Uint8Array>) =>
    files.set(
      'checkpoint',
      fromText(signAsLedger(formatCheckpoint({ origin: ORIGIN, size, root: new Uint8Array(32) }))),
    );
  /** A file with a receipt of the first leaf, in a tree of that leaf. @param before the number of the leaf. */
  const receiptFile = (name: string, before: string) => {
    const file = path.join(folder, `${name}.tlog-proof`);
    const entry = honest.entries[0] ?? '';
    const root = leafHash(nodeSha256, fromText(entry));
    const checkpoint = signAsLedger(formatCheckpoint({ origin: ORIGIN, size: 1, root }));
    const text = formatReceipt({ entry, index: 0, proof: [], checkpoint }).replace('index ', `index ${before}`);
    writeFileSync(file, Buffer.from(text, before > '~' ? 'latin1' : 'utf8'));
    return file;
  };
  const CASES: [string, (files: Map<string, Uint8Array>) => unknown, string[], number, string?][] = [
    ['in order', nothing, [], 0],
    ['with one more hash in a whole tile', more('tile/0/000'), [], 1, 'missing'],
    [
      'with one more hash in a tile that grows',
      more([...honestFiles.keys()].find((name) => name.startsWith('tile/0/001.p/')) ?? ''),
      [],
      1,
      'missing',
    ],
    ['whose named witness did not sign', nothing, ['--witness', witness(4)], 1, 'cosignature'],
    ['whose own key is named as that of a witness', nothing, ['--witness', LEDGER_KEY], 1, 'cosignature'],
    ['with a key of no witness', nothing, ['--witness', witness(1)], 1, 'cosignature'],
    ['whose checkpoint names more leaves than any computer holds', of(Number.MAX_SAFE_INTEGER), [], 1, 'missing'],
    ['whose checkpoint names a size that is no exact number', of(2 ** 53), [], 1, 'checkpoint'],
    ['with a receipt', nothing, ['--receipt', receiptFile('whole', '')], 0],
    ['with a receipt whose number has a sign', nothing, ['--receipt', receiptFile('signed', '+')], 1, 'receipt'],
    ['with a receipt that is no text', nothing, ['--receipt', receiptFile('bytes', '\u00ff')], 1, 'receipt'],
    ['with a memory that is not JSON', nothing, ['--memory', path.join(folder, 'none.json')], 2],
    ['with a memory without its checkpoints', nothing, ['--memory', path.join(folder, 'few.json')], 2],
  ];
  writeFileSync(path.join(folder, 'none.json'), 'x');
  writeFileSync(path.join(folder, 'few.json'), JSON.stringify({ key: LEDGER_KEY, seen: [{ size: 3 }] }));

  it.each(CASES)('report the same problem and exit code for a ledger %s', (name, change, options, status, code) => {
    const files = new Map(honestFiles);
    change(files);
    const place = path.join(folder, name);
    for (const [file, bytes] of files) {
      mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
      writeFileSync(path.join(place, file), bytes);
    }
    for (const [program, command] of [
      [process.execPath, 'packages/verify/cli.ts'],
      ['python3', 'packages/verify-py/florka_verify.py'],
    ] as const) {
      const run = spawnSync(program, [command, place, '--json', ...options], { encoding: 'utf8' });
      expect([command, run.status]).toEqual([command, status]);
      if (status === 2) expect(run.stderr).not.toMatch(/Traceback|at async|^$/);
      else expect((JSON.parse(run.stdout) as Report).problems.map((one) => one.code)).toEqual(code ? [code] : []);
    }
  });

  it('report an unreadable ledger as a read failure, not as an inconsistency', () => {
    const place = path.join(folder, 'unreadable');
    for (const [file, bytes] of honestFiles) {
      const at = path.join(place, file);
      mkdirSync(path.dirname(at), { recursive: true });
      // A link to itself.
      if (file.startsWith('tile/')) symlinkSync(path.basename(at), at);
      else writeFileSync(at, bytes);
    }
    for (const [program, command] of [
      [process.execPath, 'packages/verify/cli.ts'],
      ['python3', 'packages/verify-py/florka_verify.py'],
    ] as const) {
      const run = spawnSync(program, [command, place], { encoding: 'utf8' });
      expect([command, run.status]).toEqual([command, 2]);
      expect(run.stderr).not.toMatch(/Traceback|at async|^$/);
    }
  });
});

describe('the second verifier, in Python', () => {
  it('finds no problem in an unchanged ledger', async () => {
    const honest = [large, small].flatMap(({ files, memory }) => [
      { files, memory },
      { files, memory: null },
    ]);
    expect(await findInPython(honest)).toEqual([[], [], [], []]);
  });

  it('reports the same problems and days as the first one, for an unchanged ledger and each attack', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-attack-'));
    const random = randomOf(11);
    const cases: Written[] = [
      honest,
      ...Object.values(ATTACKS).map((attack) => ({ ...honest, entries: attack(random, honest.entries) })),
    ];
    try {
      const memory = path.join(folder, 'memory.json');
      for (const [i, written] of cases.entries()) {
        const place = path.join(folder, String(i));
        const files = filesOf(written);
        for (const [name, bytes] of files) {
          mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
          writeFileSync(path.join(place, name), bytes);
        }
        writeFileSync(memory, JSON.stringify(first.memory));
        const run = spawnSync('python3', ['packages/verify-py/florka_verify.py', place, '--json', '--memory', memory], {
          encoding: 'utf8',
        });
        if (run.error)
          throw new Error('python3 is not on this machine: the second verifier needs it', { cause: run.error });
        const [theirs, mine] = [JSON.parse(run.stdout) as Report, await check(files, first.memory)];
        expect(theirs.problems.length > 0).toBe(i > 0);
        expect(mine.problems.length > 0).toBe(i > 0);
        expect(new Set(theirs.problems.map((one) => one.code))).toEqual(new Set(mine.problems.map((one) => one.code)));
        expect(theirs.days).toEqual(mine.days);
        expect([theirs.consistentWith, mine.consistentWith]).toEqual(i > 0 ? [0, 0] : [1, 1]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('reads a tree with more than one tile', async () => {
    const long = writeLedger(3, 1_500);
    const report = await check(filesOf(long));
    expect(report.problems).toEqual([]);
    expect(await findInPython([{ files: filesOf(long), memory: report.memory }])).toEqual([[]]);
    expect(filesOf(long).has(bundlePath(1, 256))).toBe(true);
  });
});

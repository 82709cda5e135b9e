// A witness as its operator runs it, a process of its own that a site reaches over HTTP.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openSigningKey, signNote } from '#server/domains/ledger/key.ts';
import { createLedgerService } from '#server/domains/ledger/ledger.service.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { runFlorka } from '#tests/support/processes/florka.ts';
import { bareEnv } from '#tests/support/processes/programs.ts';
import { fromText, toBase64, toHex } from '#verify/bytes.ts';
import { verifyLedger } from '#verify/log.ts';
import { formatCheckpoint, parseCheckpoint, parseKey, parseNote } from '#verify/note.ts';
import { nodeSha256, openSource } from '#verify/sources.ts';
import { consistencyProof, GrowingTree, leafHash, type ReadHashes } from '#verify/tree.ts';

vi.setConfig({ testTimeout: 120_000 });

const app = await startTestApp();
const folder = await mkdtemp(path.join(os.tmpdir(), 'florka-witness-process-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const seed = deriveKey(app.secret, 'ledger');
const candidate = await app.candidate();
const vote = async () => app.as(await app.member()).voting.cast({ candidateId: candidate.id });
const read = async (address: string) => (await fetch(address)).text();

const running = new Set<ChildProcess>();
afterAll(() => Promise.all([...running].map((witness) => end(witness, 'SIGKILL'))));
async function end(witness: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  running.delete(witness);
  if (witness.exitCode === null && witness.signalCode === null) {
    witness.kill(signal);
    await once(witness, 'exit');
  }
  return witness.exitCode;
}

/** Starts `npm run florka -- witness`. @returns it with the two lines for the environment of the site. */
async function startWitness(key: string) {
  const witness = spawn(process.execPath, ['scripts/florka.ts', 'witness', key], {
    env: {
      ...bareEnv(),
      WITNESS_NAME: 'witness.example',
      WITNESS_DIR: path.join(folder, 'w'),
      WITNESS_PORT: '0',
    } as never,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(witness);
  let out = '';
  for await (const part of witness.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    out += part;
    const own = /^LEDGER_WITNESS_KEY=(.+)\n/m.exec(out)?.[1];
    const url = /^LEDGER_WITNESS_URL=(.+)$/m.exec(out)?.[1];
    const parsed = own && parseKey(own);
    if (parsed && url) return { witness, url, key: parsed, line: own };
  }
  throw new Error(`the witness ended with ${witness.exitCode}: ${out}`);
}

/** A server that just started with this witness. */
const siteWith = ({ url, key }: Awaited<ReturnType<typeof startWitness>>, now = () => new Date()) =>
  createLedgerService({
    db: app.services.db,
    config: app.config,
    storage: app.storage,
    seed,
    publicUrl: 'http://florka.test',
    witness: { url, key },
    seen: null,
    now,
    log: pino({ level: 'silent' }),
  });

describe('npm run florka -- witness', () => {
  it('signs the checkpoints of a running site, also after the witness was killed', async () => {
    await app.services.ledger.run();
    const log = (await read(`${app.origin}/ledger/key`)).trim();
    const first = await startWitness(log);
    for (const other of [first, null]) {
      const witness = other ?? (await startWitness(log));
      // The same key, from its folder.
      expect(witness.line).toBe(first.line);
      await vote();
      const site = siteWith(witness);
      await site.run();
      const { witness: shown, size } = await site.state();
      expect(shown).toMatchObject({ name: 'witness.example', recent: true, size });
      const report = await verifyLedger({
        source: openSource(`${app.origin}/ledger`),
        hash: nodeSha256,
        witnesses: [witness.line],
      });
      expect(report.problems).toEqual([]);
      expect(report.witnesses).toMatchObject([{ name: 'witness.example' }]);
      if (other) await end(witness.witness, 'SIGKILL');
    }

    const [last] = running;
    if (!last) throw new Error('no witness is running');
    const again = siteWith(first, () => new Date(Date.now() + 11 * 60_000));
    expect(await end(last, 'SIGTERM')).toBe(0);
    await vote();
    await again.run();
    // The page shows "sin testigo" then.
    expect((await again.state()).witness).toMatchObject({ recent: false });
  });

  it('refuses a forked history, though the key of the ledger signed it', async () => {
    await app.services.ledger.run();
    const log = (await read(`${app.origin}/ledger/key`)).trim();
    const { witness, url, key, line } = await startWitness(log);
    await siteWith({ witness, url, key, line }).run();
    const origin = 'florka.test/ledger';
    const stored = async () => {
      const note = await read(`${url}/${toHex(nodeSha256(fromText(origin)))}/checkpoint`);
      return { note, size: parseCheckpoint(parseNote(note)?.text ?? '')?.size ?? -1 };
    };
    const before = await stored();
    const rows = await app.sql<{ entry: string }>('select entry from ledger_leaves order by seq');
    expect(before.size).toBe(rows.length);
    const entries = rows.map(({ entry }) => entry);
    const signing = openSigningKey(seed);
    const add = async (history: string[]) => {
      const leaves = history.map((entry) => leafHash(nodeSha256, fromText(entry)));
      const tree = new GrowingTree(nodeSha256);
      for (const leaf of leaves) tree.append(leaf);
      const hashes: ReadHashes = async (_, from, count) => leaves.slice(from, from + count);
      const proof = await consistencyProof(nodeSha256, hashes, before.size, leaves.length);
      const note = signNote(origin, signing, formatCheckpoint({ origin, size: tree.size, root: tree.root() }));
      const body = [`old ${before.size}`, ...proof.map(toBase64), '', note].join('\n');
      return (await fetch(`${url}/add-checkpoint`, { method: 'POST', body })).status;
    };
    const forged = entries.with(-1, `${entries.at(-1)}`.replace('state=counted', 'state=void'));
    expect(forged).not.toEqual(entries);
    for (const fork of [forged, [...forged, 'one', 'two'], [...entries.slice(0, -1), 'one', 'two']])
      expect(await add(fork)).toBe(422);
    expect(await stored()).toEqual(before);
    // What continues it is signed.
    expect(await add([...entries, 'one', 'two'])).toBe(200);
    expect((await stored()).size).toBe(before.size + 2);
    await end(witness, 'SIGTERM');
  });

  it('refuses an invalid ledger key in one line, and stores its own key readable by its user alone', async () => {
    const { code, err } = await runFlorka(['witness', 'a+b+c'], { WITNESS_DIR: path.join(folder, 'none') });
    expect({ code, err }).toEqual({
      code: 1,
      err: 'a+b+c is not a verifier key of a ledger; the page /ledger of the site shows it.\n',
    });
    expect((await stat(path.join(folder, 'w/witness-key'))).mode & 0o077).toBe(0);
  });
});

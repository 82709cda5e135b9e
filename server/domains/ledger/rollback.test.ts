// A database that is restored from a backup and continues differently is detected: by the site itself as long as a record outside
// of the database exists, by the witness, and by anyone who stored a checkpoint.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { type FoundLedger, findInPython } from '#tests/support/ledger/second-verifier.ts';
import { randomOf } from '#tests/support/ledger/test-ledger.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';
import { memoryStorage } from '#tests/support/services/memory-storage.ts';
import { verifyLedger } from '#verify/log.ts';
import { parseKey } from '#verify/note.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { startWitness } from '#verify/witness.ts';
import type { SeenCheckpoint } from './continuity.service.ts';
import { createLedgerService } from './ledger.service.ts';
import { requestCosignature } from './witness-client.ts';

const ATTEMPTS = generatedCases({ everyday: 120, long: 1_000 });
const RUNS = 24;
/** Attempts per restored database, each with more votes than the one before. */
const EACH = 5;
/** Ledgers that the second verifier checks in one process. */
const IN_PYTHON = 250;

const app = await startTestApp();
const { db } = app.services;
const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-rollback-'));
const random = randomOf(20261123);
const upTo = (max: number) => Math.floor(random() * max);

function seenInMemory(first: string | null = null): SeenCheckpoint & { text: string | null } {
  return {
    text: first,
    async read() {
      return this.text;
    },
    async write(checkpoint) {
      this.text = checkpoint;
    },
  };
}
/** A process that just started. */
const open = (over: Partial<Parameters<typeof createLedgerService>[0]>) =>
  createLedgerService({
    db,
    config: app.config,
    storage: memoryStorage(),
    seed: new Uint8Array(32).fill(7),
    publicUrl: 'http://florka.test',
    witness: null,
    seen: null,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    ...over,
  });

const candidates = [await app.candidate(), await app.candidate(), await app.candidate()];
let vote = 1_000_000;
/** Changes of votes of invented members. */
const change = (count: number) =>
  app.sql(
    `insert into vote_changes (vote_id, candidate_id, user_id, voted_on, state)
     select v.id, v.candidate, v.voter, '2026-03-10', 'counted' from unnest($1::bigint[], $2::uuid[], $3::uuid[]) v (id, candidate, voter)`,
    [
      Array.from({ length: count }, () => ++vote),
      Array.from({ length: count }, () => candidates[upTo(candidates.length)]?.id),
      Array.from({ length: count }, () => randomUUID()),
    ],
  );

const [storage, seen] = [memoryStorage(), seenInMemory()];
const key = parseKey(
  await (async () => {
    const first = open({ storage, seen });
    await first.run();
    return `${(await first.state()).key}`;
  })(),
);
if (!key) throw new Error('no key');
const witnessed = await startWitness({
  name: 'witness.test',
  folder: path.join(folder, 'witness'),
  logs: [key],
  host: '127.0.0.1',
  port: 0,
});
const witnessKey = parseKey(witnessed.key);
if (!witnessKey) throw new Error('no key of the witness');
const witness = { url: witnessed.url, key: witnessKey };
afterAll(async () => {
  await witnessed.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Backup extends Record<string, unknown> {
  size: number;
  checkpoint: string;
}
/** States of the database after each run. */
const backups: Backup[] = [];
const honest = open({ storage, seen, witness });
for (let run = 0; run < RUNS; run++) {
  await change(1 + upTo(30));
  await honest.run();
  await app.sql(`create table backup_${run} as select * from ledger_log`);
  const [row] = await app.sql<Backup>('select size::int, checkpoint from ledger_log');
  if (row) backups.push(row);
}
await app.sql('create table whole_leaves as select * from ledger_leaves');
await app.sql('create table whole_hashes as select * from ledger_hashes');
const newest = backups.at(-1);
if (!newest) throw new Error('no backup');
const { memory } = await verifyLedger({
  source: async (name) => storage.files.get(`ledger/${name}`) ?? null,
  hash: nodeSha256,
});

/** Restores the tables of the ledger to their state after a run. */
const setBack = (run: number) =>
  app.sql(
    `set session_replication_role = replica; truncate vote_changes, ledger_salts; delete from ledger_leaves; delete from ledger_hashes;
     insert into ledger_leaves select * from whole_leaves where seq < ${backups[run]?.size ?? 0};
     insert into ledger_hashes select * from whole_hashes where (index + 1) * 256 ^ level <= ${backups[run]?.size ?? 0};
     delete from ledger_log; insert into ledger_log select * from backup_${run}; delete from ledger_cosignatures;
     set session_replication_role = origin`,
  );
const signed = async () => (await app.sql<{ checkpoint: string }>('select checkpoint from ledger_log'))[0]?.checkpoint;

/** Remaining records outside of the database. */
const LEFT = {
  'the storage': () => ({ storage }),
  DATA_DIR: () => ({ seen }),
  'the witness': () => ({ witness, seen: seenInMemory(backups[0]?.checkpoint) }),
};

let other = { storage: memoryStorage(), ledger: honest };
/** Restores a backup at another place, without any record, where the operator confirms that it is the newest. */
async function setBackElsewhere(run: number): Promise<void> {
  await setBack(run);
  const storage = memoryStorage();
  other = { storage, ledger: open({ storage, seen: seenInMemory((await signed()) ?? null) }) };
}
/** The site continues there. @returns the files that it serves. */
async function goOnElsewhere(): Promise<Map<string, Uint8Array>> {
  expect((await other.ledger.run())?.halted).toBeNull();
  const files = new Map([...other.storage.files].map(([name, bytes]) => [name.replace(/^ledger\//, ''), bytes]));
  // Without a change nothing is published, and the files served are those of the database.
  const checkpoint = await other.ledger.open('checkpoint');
  return checkpoint ? files.set('checkpoint', checkpoint.bytes) : files;
}

describe('a database restored from an old backup', () => {
  it(`is detected by the site, the witness and both verifiers, in ${ATTEMPTS} of ${ATTEMPTS} attempts`, async () => {
    const found = { site: 0, witness: 0, verifier: 0, secondVerifier: 0 };
    const names = Object.keys(LEFT) as (keyof typeof LEFT)[];
    let forks: FoundLedger[] = [];
    for (let n = 0; n < ATTEMPTS; n++) {
      if (n % EACH === 0) await setBackElsewhere(upTo(RUNS - 1));
      // From none to more than was lost; later one more each time.
      await change(Math.min(n % EACH, 1) + upTo(1 + (random() < 0.1 ? 400 : 20)));
      const left = names[n % names.length] ?? 'the storage';
      const before = await signed();
      const refused = await open(LEFT[left]()).run();
      if (refused?.halted === 'rolled-back' && (await signed()) === before) found.site++;
      const files = await goOnElsewhere();
      const { problems } = await verifyLedger({
        source: async (name) => files.get(name) ?? null,
        hash: nodeSha256,
        memory,
      });
      if (problems.some(({ code }) => code === 'shrunk' || code === 'inconsistent')) found.verifier++;
      forks.push({ files, memory });
      const checkpoint = (await signed()) ?? '';
      const size = Number(checkpoint.split('\n')[1]);
      const cosigned = await requestCosignature(db, witness, { size, checkpoint, from: 0 }).catch(() => null);
      if (cosigned === null) found.witness++;
      if (forks.length < IN_PYTHON && n + 1 < ATTEMPTS) continue;
      const codes = await findInPython(forks, memory.key);
      found.secondVerifier += codes.filter((one) => one.includes('shrunk') || one.includes('inconsistent')).length;
      forks = [];
    }
    expect(found).toEqual({ site: ATTEMPTS, witness: ATTEMPTS, verifier: ATTEMPTS, secondVerifier: ATTEMPTS });
    expect(seen.text).toBe(newest.checkpoint);
    expect(Buffer.from(storage.files.get('ledger/checkpoint') ?? []).toString()).toBe(newest.checkpoint);
  }, 900_000);

  it('is not signed where no record outside of it exists', async () => {
    await setBack(3);
    const ledger = open({});
    expect(await ledger.run()).toMatchObject({ halted: 'unknown-past', appended: 0 });
    expect(await ledger.state()).toMatchObject({ halted: 'unknown-past' });
  });

  it('is detected by a running process too', async () => {
    await setBack(RUNS - 1);
    await change(5);
    const running = open({ storage, seen });
    expect(await running.run()).toMatchObject({ halted: null, appended: 5 });
    await setBack(RUNS - 2);
    await change(40);
    expect(await running.run()).toMatchObject({ halted: 'rolled-back', appended: 0 });
  });
});

describe('a witness', () => {
  it('is queried again by a running process, which detects a checkpoint that it signed since', async () => {
    const late = await startWitness({
      name: 'late.test',
      folder: path.join(folder, 'late'),
      logs: [key],
      host: '127.0.0.1',
      port: 0,
    });
    onTestFinished(() => late.close());
    const lateKey = parseKey(late.key);
    if (!lateKey) throw new Error('no key of the witness');
    const witness = { url: late.url, key: lateKey };
    const before = backups[RUNS - 2]?.checkpoint;
    let now = new Date();
    await setBack(RUNS - 2);
    const running = open({ storage: memoryStorage(), seen: seenInMemory(before), witness, now: () => now });
    expect(await running.run()).toMatchObject({ halted: null });
    await setBack(RUNS - 1);
    await open({ storage: memoryStorage(), seen: seenInMemory(newest.checkpoint), witness }).run();
    await setBack(RUNS - 2);
    now = new Date(now.getTime() + 61_000);
    expect(await running.run()).toMatchObject({ halted: 'rolled-back' });
  });
});

describe('a stored checkpoint as the record of the past', () => {
  it('counts only with a signature of the key of this ledger', async () => {
    await setBack(2);
    const foreign = newest.checkpoint.replaceAll('florka.test', 'other.test');
    const forged = newest.checkpoint.replace(/\n\d+\n/, '\n999999\n');
    for (const text of [foreign, forged, 'nothing of the kind'])
      expect(await open({ seen: seenInMemory(text) }).run()).toMatchObject({ halted: 'unknown-past' });
  });

  it('suffices while the witness is unreachable', async () => {
    await setBack(RUNS - 1);
    await change(3);
    const away = { url: 'http://127.0.0.1:9', key: witnessKey };
    const [files, kept] = [memoryStorage(), seenInMemory(newest.checkpoint)];
    expect(await open({ storage: files, seen: kept, witness: away }).run()).toMatchObject({
      halted: null,
      appended: 3,
    });
  });
});

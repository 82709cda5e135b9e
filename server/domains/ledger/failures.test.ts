import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { isLedgerUnproven, markRestored, proveLedger, setPaused } from '#server/db/installation.ts';
import { localStorage } from '#server/providers/storage/local.ts';
import { type Storage, StorageError } from '#server/providers/storage/port.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { randomOf } from '#tests/support/ledger/test-ledger.ts';
import { verifyLedger } from '#verify/log.ts';
import { parseKey } from '#verify/note.ts';
import { nodeSha256, openSource } from '#verify/sources.ts';
import { startWitness } from '#verify/witness.ts';
import { createLedgerService } from './ledger.service.ts';

const app = await startTestApp();
const { db } = app.services;
const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-ledger-'));
const SEED = new Uint8Array(32).fill(7);
const ORIGIN = 'florka.test/ledger';

const disk = localStorage(path.join(folder, 'storage'));
/** Number of writes that succeed before the storage fails. */
let writesLeft = Number.POSITIVE_INFINITY;
const storage: Storage = {
  ...disk,
  async write(file, bytes, type) {
    if (writesLeft-- <= 0) throw new StorageError(new Error('power cut'));
    await disk.write(file, bytes, type);
  },
};
/** A process that just started. */
const open = (over: Partial<Parameters<typeof createLedgerService>[0]> = {}) =>
  createLedgerService({
    db,
    config: app.config,
    storage,
    seed: SEED,
    publicUrl: 'http://florka.test',
    witness: null,
    mayNotSign: async () => null,
    seen: null,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    ...over,
  });
/** For an empty storage: the operator confirms that the database has the newest checkpoint. */
const trusted = {
  read: async () => (await app.sql<{ checkpoint: string }>('select checkpoint from ledger_log'))[0]?.checkpoint ?? null,
  write: async () => {},
};
const verify = () => verifyLedger({ source: openSource(path.join(folder, 'storage/files/ledger')), hash: nodeSha256 });
const entered = async () =>
  (await app.sql<{ n: number }>("select count(*)::int as n from ledger_leaves where entry like 'florka-vote/1%'"))[0]
    ?.n;

const witness = await startWitness({
  name: 'witness.test/w',
  folder: path.join(folder, 'witness'),
  logs: [],
  host: '127.0.0.1',
  port: 0,
});
afterAll(async () => {
  await witness.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the writer of the ledger', () => {
  it('keeps the signed part valid when it is interrupted, and enters every vote once in the end', async () => {
    const candidates = [await app.candidate(), await app.candidate()];
    const people = await app.members(40);
    const random = randomOf(1);
    for (const [i, person] of people.entries()) {
      for (const { id } of candidates) await app.as(person).voting.cast({ candidateId: id });
      writesLeft = random() < 0.6 ? Math.floor(random() * 4) : Number.POSITIVE_INFINITY;
      const ledger = open();
      const running = ledger.run().catch((error: unknown) => error);
      if (i % 4 === 0)
        // Connections are terminated at any moment.
        await app
          .sql(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'florka lock' and datname = current_database()",
          )
          .catch(() => {});
      await running;
      // The signed part is complete, whatever is missing above it.
      const [state] = await app.sql<{ checkpoint: string | null }>('select checkpoint from ledger_log');
      if (state?.checkpoint) expect((await verify()).problems).toEqual([]);
    }
    writesLeft = Number.POSITIVE_INFINITY;
    await expect.poll(async () => (await open().run())?.halted).toBe(null);
    expect(await entered()).toBe(80);
    const report = await verify();
    expect(report.problems).toEqual([]);
    expect(report.votes.counted).toBe(80);
    expect(await app.sql('select 1 from vote_changes')).toEqual([]);
  });

  it('leaves a valid ledger when several processes run it at once', async () => {
    const runs = await Promise.all([open().run(), open().run(), open().run()]);
    expect(runs.filter((one) => one !== null).length).toBeGreaterThanOrEqual(1);
    expect((await verify()).problems).toEqual([]);
  });

  it('writes files again that the storage lost', async () => {
    await disk.remove('ledger/tile/entries/000.p/82');
    await disk.remove(`ledger/tile/0/000.p/${(await verify()).size}`);
    await open().run();
    expect((await verify()).problems).toEqual([]);
  });

  it('halts without a signature when its key is not the key of the ledger', async () => {
    expect(await open({ seed: new Uint8Array(32).fill(8) }).run()).toMatchObject({ halted: 'other-key' });
  });
});

describe('leaves in the database', () => {
  it('can be neither changed nor removed', async () => {
    for (const statement of [
      "update ledger_leaves set entry = 'x' where seq = 0",
      'delete from ledger_leaves where seq = 0',
      'truncate ledger_leaves',
      'update ledger_leaves set vote_id = 5 where seq = 0',
    ])
      await expect(app.sql(statement)).rejects.toThrow('the ledger only grows');
  });
});

describe('a witness of the ledger', () => {
  it('signs a checkpoint, and is shown as recent until its last signature is too old', async () => {
    await app.sql('truncate ledger_cosignatures');
    const elsewhere = localStorage(path.join(folder, 'second'));
    const key = parseKey(`${(await open().state()).key}`);
    if (!key) throw new Error('no key');
    expect(key.name).toBe(ORIGIN);
    const other = await startWitness({
      name: 'w2.test',
      folder: path.join(folder, 'w2'),
      logs: [key],
      host: '127.0.0.1',
      port: 0,
    });
    const own = parseKey(other.key);
    if (!own) throw new Error('no key');
    let now = new Date();
    const ledger = open({ storage: elsewhere, seen: trusted, witness: { url: other.url, key: own }, now: () => now });
    expect((await ledger.state()).witness).toMatchObject({ signedAt: null, recent: false });
    await ledger.run();
    const state = await ledger.state();
    expect(state.witness).toMatchObject({ name: 'w2.test', recent: true, size: state.size });
    const source = async (name: string) => (await ledger.open(name))?.bytes ?? null;
    const report = await verifyLedger({ source, hash: nodeSha256, witnesses: [other.key] });
    expect(report.problems).toEqual([]);
    expect(report.witnesses).toMatchObject([{ name: 'w2.test' }]);
    await other.close();
    now = new Date(now.getTime() + 11 * 60_000);
    await ledger.run();
    expect((await ledger.state()).witness).toMatchObject({ recent: false });
  });
});

describe('the result of a day', () => {
  it('is stated after the day, with the votes of that day', async () => {
    const elsewhere = localStorage(path.join(folder, 'third'));
    const ledger = open({ storage: elsewhere, seen: trusted });
    await app.sql("update ledger_log set next_day = '2026-03-10'");
    for (let more = true; more; ) more = (await ledger.run())?.more ?? false;
    const source = async (name: string) => (await ledger.open(name))?.bytes ?? null;
    const report = await verifyLedger({ source, hash: nodeSha256 });
    expect(report.problems).toEqual([]);
    const day = report.days.find((one) => one.day === '2026-03-10');
    expect(day?.stated).toBe(true);
    expect(day?.rows.map((row) => row.votes)).toEqual([40, 40]);
  });
});

describe('ledger files over HTTP', () => {
  it('are public, and cacheable for as long as they cannot change', async () => {
    await app.services.ledger.run();
    const checkpoint = await app.http('/ledger/checkpoint');
    expect(checkpoint.status).toBe(200);
    expect(checkpoint.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(checkpoint.headers.get('cache-control')).toBe('public, max-age=2');
    expect(checkpoint.headers.get('access-control-allow-origin')).toBe('*');
    const size = Number((await checkpoint.text()).split('\n')[1]);
    const tile = await app.http(`/ledger/tile/0/000.p/${size}`);
    expect(tile.headers.get('content-type')).toBe('application/octet-stream');
    expect(tile.headers.get('cache-control')).toBe('public, max-age=60');
    expect((await tile.arrayBuffer()).byteLength).toBe(size * 32);
    for (const missing of [
      `/ledger/tile/0/000.p/${size + 1}`,
      '/ledger/tile/0/000',
      '/ledger/tile/1/000.p/1',
      '/ledger/x',
      '/ledger/results/round/9',
    ])
      expect((await app.http(missing)).status).toBe(404);
    expect((await app.http('/ledger/checkpoint', { method: 'HEAD' })).status).toBe(200);
    expect((await app.http('/ledger/checkpoint', { method: 'POST' })).status).toBe(405);
  });
});

describe('a database that may lack published leaves', () => {
  it('appends and signs nothing while it is paused or unproven, and keeps the waiting changes of votes', async () => {
    const { size } = await verify();
    const person = await app.member();
    const { id } = await app.candidate();
    await app.as(person).voting.cast({ candidateId: id });
    for (const why of ['paused', 'unknown-past'] as const)
      expect(await open({ mayNotSign: async () => why }).run()).toMatchObject({ appended: 0, halted: why });
    expect((await app.sql('select 1 from vote_changes')).length).toBe(1);
    expect((await verify()).size).toBe(size);
  });

  it('is paused after a restore, and unproven until an operator confirms that it has the newest checkpoint', async () => {
    const { pool } = app.services;
    const client = await pool.connect();
    await markRestored(client, new Date());
    client.release();
    expect(await app.services.ledger.run()).toMatchObject({ halted: 'paused' });
    expect(await setPaused(pool, false, new Date())).toBe(true);
    expect(await app.services.ledger.run()).toMatchObject({ halted: 'unknown-past' });
    expect(await isLedgerUnproven(pool)).toBe(true);
    expect(await proveLedger(pool)).toBe(true);
    expect(await isLedgerUnproven(pool)).toBe(false);
  });
});

it('a database that an operator paused is unproven until its newest checkpoint is confirmed', async () => {
  const { pool } = app.services;
  expect(await setPaused(pool, true, new Date())).toBe(true);
  expect(await setPaused(pool, false, new Date())).toBe(true);
  expect(await app.services.ledger.run()).toMatchObject({ halted: 'unknown-past' });
  expect(await proveLedger(pool)).toBe(true);
  expect(await isLedgerUnproven(pool)).toBe(false);
});

describe('a writer that lost its lock', () => {
  it('does not replace a newer checkpoint', async () => {
    const person = await app.member();
    const { id } = await app.candidate();
    await app.as(person).voting.cast({ candidateId: id });
    let enter = () => {};
    const reached = new Promise<void>((resolve) => {
      enter = resolve;
    });
    let go = () => {};
    const later = new Promise<void>((resolve) => {
      go = resolve;
    });
    // A process that stalls while it writes its files, and whose lock connection is lost meanwhile.
    const slow = open({
      storage: {
        ...storage,
        async write(file, bytes, type) {
          enter();
          await later;
          await storage.write(file, bytes, type);
        },
      },
    });
    const running = slow.run().catch((error: Error) => error.message);
    await reached;
    await app.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'florka lock' and datname = current_database()",
    );
    const other = await app.member();
    await app.as(other).voting.cast({ candidateId: id });
    await expect.poll(async () => (await open().run())?.halted).toBe(null);
    const after = await app.sql('select published_size, checkpoint from ledger_log');
    const stored = (await verify()).size;
    go();
    expect(await running).toContain('was lost');
    expect(await app.sql('select published_size, checkpoint from ledger_log')).toEqual(after);
    expect((await verify()).size).toBe(stored);
  });
});

describe('a database restored to an earlier state', () => {
  it('gets no signature when the storage has a newer checkpoint, also from a running process', async () => {
    const { size } = await verify();
    const person = await app.member();
    const { id } = await app.candidate();
    await app.as(person).voting.cast({ candidateId: id });
    const [before] = await app.sql<{ size: string; root: Buffer; checkpoint: string; published_size: string }>(
      'select size, root, checkpoint, published_size from ledger_log',
    );
    const running = open();
    await running.run();
    expect((await verify()).size).toBeGreaterThan(size);
    // As in an earlier backup.
    await app.sql('alter table ledger_leaves disable trigger user');
    await app.sql('delete from ledger_leaves where seq >= $1', [before?.size]);
    await app.sql('update ledger_log set size = $1, root = $2, checkpoint = $3, published_size = $4', [
      before?.size,
      before?.root,
      before?.checkpoint,
      before?.published_size,
    ]);
    // Also by a running process: after a failover the new primary may lag behind.
    for (const ledger of [running, open()])
      expect(await ledger.run()).toMatchObject({ halted: 'rolled-back', size: Number(before?.size) });
    await app.sql('alter table ledger_leaves enable trigger user');
  });
});

describe('a batch that exceeds the transaction timeout', () => {
  it('is retried in smaller ones until all votes are entered', async () => {
    const candidates = await Promise.all(Array.from({ length: 5 }, () => app.candidate()));
    const people = await app.members(30);
    for (const { id } of candidates)
      await Promise.all(people.map((person) => app.as(person).voting.cast({ candidateId: id })));
    // Simulates the transaction timeout: fails for more than 120 leaves.
    await app.sql(`create function too_slow() returns trigger language plpgsql as $$ begin
      if (select count(*) from entered) > 120 then raise exception 'too slow'; end if; return null; end $$`);
    await app.sql(`create trigger too_slow after insert on ledger_leaves referencing new table as entered
      for each statement execute function too_slow()`);
    const before = (await entered()) ?? 0;
    const slow = open({ storage: localStorage(path.join(folder, 'slow')), seen: trusted });
    const failures: string[] = [];
    for (let runs = 0; runs < 8; runs++)
      await slow.run().catch((error: Error) => failures.push(String(error.cause ?? error)));
    await app.sql('drop trigger too_slow on ledger_leaves');
    await app.sql('drop function too_slow');
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.every((text) => text.includes('too slow'))).toBe(true);
    expect(await entered()).toBe(before + 150);
    expect(await app.sql('select 1 from vote_changes')).toEqual([]);
  });
});

// The whole ledger in a bucket: written there, read from there by both verifiers, and signed by a witness.
import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
// @ts-expect-error: has no types.
import S3rver from 's3rver';
import { afterAll, describe, expect, it } from 'vitest';
import { s3Storage } from '#server/providers/storage/s3.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { bundlePath, tilePath } from '#verify/layout.ts';
import { type Memory, type Report, verifyLedger } from '#verify/log.ts';
import { parseKey } from '#verify/note.ts';
import { nodeSha256, openSource } from '#verify/sources.ts';
import { startWitness } from '#verify/witness.ts';
import { seenInFile } from './continuity.service.ts';
import { createLedgerService } from './ledger.service.ts';

const app = await startTestApp();
const { db } = app.services;
const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-bucket-'));
const s3: { run: () => Promise<AddressInfo>; close: () => Promise<void> } = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: path.join(folder, 's3'),
  configureBuckets: [{ name: 'florka' }],
});
const endpoint = `http://127.0.0.1:${(await s3.run()).port}`;
const storage = s3Storage({
  endpoint,
  bucket: 'florka',
  region: 'us-east-1',
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
  forcePathStyle: true,
});
const SEED = new Uint8Array(32).fill(3);
const open = (over: Partial<Parameters<typeof createLedgerService>[0]> = {}) =>
  createLedgerService({
    db,
    config: app.config,
    storage,
    seed: SEED,
    publicUrl: 'http://florka.test',
    witness: null,
    seen: seenInFile(path.join(folder, 'ledger-seen')),
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    ...over,
  });
const candidates = [await app.candidate(), await app.candidate()];
let vote = 1_000_000;
const change = (count: number) =>
  app.sql(
    `insert into vote_changes (vote_id, candidate_id, user_id, voted_on, state)
     select v.id, v.candidate, v.voter, '2026-03-10', 'counted' from unnest($1::bigint[], $2::uuid[], $3::uuid[]) v (id, candidate, voter)`,
    [
      Array.from({ length: count }, () => ++vote),
      Array.from({ length: count }, (_, i) => candidates[i % 2]?.id),
      Array.from({ length: count }, () => randomUUID()),
    ],
  );
await open().run();
const key = parseKey(`${(await open().state()).key}`);
if (!key) throw new Error('no key');
const witness = await startWitness({
  name: 'witness.test',
  folder: path.join(folder, 'witness'),
  logs: [key],
  host: '127.0.0.1',
  port: 0,
});
const witnessKey = parseKey(witness.key);
if (!witnessKey) throw new Error('no key of the witness');
afterAll(async () => {
  await witness.close();
  storage.close();
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const address = `${endpoint}/florka/ledger`;
const python = async (): Promise<Report> =>
  JSON.parse((await promisify(execFile)('python3', ['packages/verify-py/florka_verify.py', address, '--json'])).stdout);

describe('a ledger stored in a bucket', () => {
  it('passes both verifiers after each growth, with full and partial tiles', async () => {
    let memory: Memory | null = null;
    for (const count of [5, 300, 1, 700]) {
      await change(count);
      await open({ witness: { url: witness.url, key: witnessKey } }).run();
      const report: Report = await verifyLedger({ source: openSource(address), hash: nodeSha256, memory });
      expect(report.problems).toEqual([]);
      memory = report.memory;
      const theirs = await python();
      expect(theirs.problems).toEqual([]);
      expect([theirs.size, theirs.root]).toEqual([report.size, report.root]);
      expect((await open({ witness: { url: witness.url, key: witnessKey } }).state()).witness).toMatchObject({
        recent: true,
        size: report.size,
      });
    }
    expect(memory?.seen).toHaveLength(4);
    const names: string[] = [];
    for await (const { file } of storage.list('ledger/')) names.push(file);
    expect(names).toEqual(
      expect.arrayContaining([
        `ledger/${tilePath(0, 2, 256)}`,
        `ledger/${bundlePath(2, 256)}`,
        `ledger/${tilePath(1, 0, 3)}`,
        'ledger/checkpoint',
        'ledger/key',
      ]),
    );
  });

  it('is served while the bucket lacks a file, which the next run writes again', async () => {
    await storage.remove(`ledger/${bundlePath(1, 256)}`);
    expect((await open().open(bundlePath(1, 256)))?.seconds).toBe(31_536_000);
    await open().run();
    expect((await verifyLedger({ source: openSource(address), hash: nodeSha256 })).problems).toEqual([]);
  });

  it('is valid by its files alone after the bucket lost all of them and a run wrote them again', async () => {
    // Different totals, so that no tie has to be decided by time.
    await change(1);
    await open().run();
    await app.sql(`insert into candidate_daily_votes (candidate_id, day, votes)
      select substring(entry from 'candidate=([0-9a-f-]+)')::uuid, '2026-03-10', count(*) from ledger_leaves
      where entry like 'florka-vote/1 %' and entry like '% day=2026-03-10 %' group by 1`);
    await app.sql("update ledger_log set next_day = '2026-03-10'");
    for (let more = true; more; ) more = (await open().run())?.more ?? false;
    const before = await verifyLedger({ source: openSource(address), hash: nodeSha256 });
    expect(before.problems).toEqual([]);
    expect(before.days.some(({ stated }) => stated)).toBe(true);
    for await (const { file } of storage.list('ledger/')) await storage.remove(file);
    await open().run();
    expect((await verifyLedger({ source: openSource(address), hash: nodeSha256 })).problems).toEqual([]);
    expect((await python()).problems).toEqual([]);
  });

  it('holds the newest hash of the audit log, under the signature of the witness', async () => {
    await app.sql(
      "insert into audit_events (actor_role, action, resource_type) values ('system', 'installation.resumed', 'system')",
    );
    await app.sql('update ledger_log set audit_at = null');
    await open({ witness: { url: witness.url, key: witnessKey } }).run();
    const [anchor] = await app.sql<{ entry: string }>(
      "select entry from ledger_leaves where entry like 'florka-audit/1%' order by seq desc limit 1",
    );
    const [newest] = await app.sql<{ id: string; hash: string }>(
      "select id, encode(hash, 'hex') as hash from audit_events order by id desc limit 1",
    );
    expect(anchor?.entry).toMatch(new RegExp(`entry=${newest?.id} hash=${newest?.hash}$`));
    const source = async (name: string) => (await open().open(name))?.bytes ?? null;
    const report = await verifyLedger({ source, hash: nodeSha256, witnesses: [witness.key] });
    expect(report.problems).toEqual([]);
    expect(report.witnesses).toHaveLength(1);
  });
});

describe('a deleted account', () => {
  it('leaves nothing from which its pseudonym could be computed again', async () => {
    const { id } = await app.candidate();
    const leaver = await app.member();
    await app.as(leaver).voting.cast({ candidateId: id });
    await open().run();
    const leafOf = async () =>
      (
        await app.sql<{ entry: string }>('select entry from ledger_leaves where entry like $1 order by seq', [
          `%candidate=${id} day%`,
        ])
      )
        .map((row) => row.entry)
        .at(-1);
    const [, round = '', voter = ''] =
      /round=(\d+) .* voter=([0-9a-f]{32}) state=counted/.exec((await leafOf()) ?? '') ?? [];
    const pseudonym = (salt: Uint8Array) =>
      createHmac('sha256', salt).update(`florka-ledger/1\n${round}\n${leaver.id}`).digest('hex').slice(0, 32);
    const salts = async () =>
      (await app.sql<{ salt: Buffer }>('select salt from ledger_salts')).map(({ salt }) => salt);
    const own = (await salts()).find((salt) => pseudonym(salt) === voter);
    expect(own).toBeDefined();

    await app.sql('delete from users where id = $1', [leaver.id]);
    await open().run();
    expect(await leafOf()).toContain(`voter=${voter} state=withdrawn`);
    expect((await salts()).some((salt) => pseudonym(salt) === voter)).toBe(false);
    for (const secret of [SEED, Buffer.from(app.secret), new Uint8Array(16)]) expect(pseudonym(secret)).not.toBe(voter);
    // It is not stored in the database.
    const tables = await app.sql<{ name: string }>(
      "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
    );
    for (const { name } of tables)
      expect(
        await app.sql(`select 1 from ${name} t where t::text like $1 limit 1`, [`%${own?.toString('hex')}%`]),
        name,
      ).toEqual([]);
    expect(
      await app.sql('select 1 from ledger_leaves where vote_id is not null and entry like $1', [`%voter=${voter}%`]),
    ).toEqual([]);
  });
});

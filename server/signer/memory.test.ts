import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isDatabaseAway } from '#server/db/failures.ts';
import { continuesAudit } from '#server/domains/token-creation/signer-memory.service.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { openMemory } from './memory.ts';

const app = await startTestApp();
const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let serial = 0;
const place = () => path.join(folder, String(++serial));

const spent = { network: 'ethereum' as const, requestId: 'a', deposits: ['1', '2'], day: '2026-03-10', cap: 2 };

it('the memory retains signed requests and their deposits after a restart, and counts a request once', () => {
  const where = place();
  expect(openMemory(where).spend(spent)).toBeNull();
  const again = openMemory(where);
  expect(again.spend(spent)).toBeNull();
  expect(again.spend({ ...spent, requestId: 'b', deposits: ['2'] })).toBe('payment_elsewhere');
  expect([again.isFree('2', 'a'), again.isFree('2', 'b'), again.isFree('3', 'b')]).toEqual([true, false, true]);
  expect(again.spend({ ...spent, requestId: 'b', deposits: ['3'] })).toBeNull();
  expect(again.spend({ ...spent, requestId: 'c', deposits: ['4'] })).toBe('cap_reached');
  // A request that is already signed needs no capacity; another network or day has its own.
  expect(again.spend(spent)).toBeNull();
  expect(again.spend({ ...spent, network: 'solana', requestId: 'c', deposits: ['4'] })).toBeNull();
  expect(again.spend({ ...spent, day: '2026-03-11', requestId: 'd', deposits: ['5'] })).toBeNull();
  expect(again.usedOn('ethereum', '2026-03-10', 'nobody')).toBe(2);
});

it('the memory treats numbers of deposits as text, not as paths', () => {
  const memory = openMemory(place());
  expect(memory.spend({ ...spent, deposits: ['../../audit.json', '.', 'a/b'] })).toBeNull();
  expect([memory.isFree('../../audit.json', 'b'), memory.isFree('a/b', 'b')]).toEqual([false, false]);
  expect(memory.audit).toBeNull();
});

it('the memory cannot be opened if it is not writable or its file was changed', () => {
  const blocked = place();
  writeFileSync(blocked, '');
  expect(() => openMemory(blocked)).toThrow(StartError);
  const changed = place();
  openMemory(changed);
  writeFileSync(path.join(changed, 'audit.json'), '{"id": 1, "hash": "no"}');
  expect(() => openMemory(changed)).toThrow(/was not written by the signer/);
});

it('the memory reports a missing folder as such, and not as an unreachable database', () => {
  const where = place();
  const memory = openMemory(where);
  rmSync(where, { recursive: true });
  let failure: unknown;
  try {
    memory.spend(spent);
  } catch (error) {
    failure = error;
  }
  expect(String(failure)).toContain('cannot be used: ENOENT');
  expect(isDatabaseAway(failure)).toBe(false);
});

it('the memory follows the audit log, and detects when it was truncated or rewritten', async () => {
  const where = place();
  const { db } = app.services;
  const write = () =>
    app.sql("insert into audit_events (action, resource_type) values ('member.signed_up', 'member') returning id");
  await write();
  expect(await continuesAudit(db, openMemory(where))).toBe(true);
  for (let i = 0; i < 3; i++) await write();
  const memory = openMemory(where);
  expect(await continuesAudit(db, memory)).toBe(true);
  const [newest] = await app.sql<{ id: string; hash: string }>(
    "select id, encode(hash, 'hex') as hash from audit_events order by id desc limit 1",
  );
  expect(memory.audit).toEqual({ id: Number(newest?.id), hash: newest?.hash });
  // The owner of the database can disable the triggers and change an entry among the new ones.
  await write();
  await write();
  await app.sql('alter table audit_events disable trigger audit_no_change');
  await app.sql("update audit_events set prev_hash = sha256('x') where id = $1", [Number(newest?.id) + 2]);
  expect(await continuesAudit(db, memory)).toBe(false);
  await app.sql('delete from audit_events where id > $1', [Number(newest?.id)]);
  expect(await continuesAudit(db, memory)).toBe(true);
  await app.sql('delete from audit_events where id = $1', [Number(newest?.id)]);
  expect(await continuesAudit(db, openMemory(where))).toBe(false);
});

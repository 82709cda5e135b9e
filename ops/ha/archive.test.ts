import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-archive-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
fs.mkdirSync(path.join(folder, 'pg_wal'));
const OLD = '00000002000000000000000E';
const NEWEST = '00000003000000000000000E';
for (const name of [OLD, `${OLD}.partial`, NEWEST]) fs.writeFileSync(path.join(folder, 'pg_wal', name), '');
fs.writeFileSync(path.join(folder, 'pgbackrest'), '#!/bin/sh\nexit "$CODE"\n', { mode: 0o755 });

/** Exit code of the archive command when pgBackRest ends with `code`. */
const archive = (name: string, code: number) =>
  spawnSync('sh', [path.resolve('ops/ha/archive.sh'), 'pgbackrest.conf', `pg_wal/${name}`], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env['PATH']}`, CODE: String(code) },
  }).status;

test('archiving continues if a segment of an ended timeline is archived already with other content', () => {
  expect(archive(OLD, 45)).toBe(0);
  expect(archive(`${OLD}.partial`, 45)).toBe(0);
});

test('archiving fails if that happens on the newest timeline, and on every other failure', () => {
  expect(archive(NEWEST, 45)).toBe(45);
  expect(archive('00000003.history', 45)).toBe(45);
  // Another machine has archived a history of the timeline that this one begins.
  expect(archive('00000004.history', 45)).toBe(45);
  for (const name of [OLD, NEWEST]) {
    expect(archive(name, 82)).toBe(82);
    expect(archive(name, 0)).toBe(0);
  }
});

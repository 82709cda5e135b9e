import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { openPool } from '#server/db/pool.ts';
import { onDatabase, runStatements } from '#tests/support/database/test-server.ts';
import { runFlorka } from '#tests/support/processes/florka.ts';
import { readEnv } from './env.ts';
import { StartError } from './lib/errors/start-error.ts';

// Each test starts a command.
vi.setConfig({ testTimeout: 300_000 });

describe('DATA_DIR', () => {
  it.skipIf(process.platform !== 'linux').each(['/proc/florka/data', '/sys/florka', '/dev/null', '/dev/null/data'])(
    'at %s ends the start with one line that names DATA_DIR',
    async (folder) => {
      // A separate process, so that one that hangs does not block the test.
      const { code, err } = await runFlorka(['doctor'], { DATA_DIR: folder });
      expect([code, err.trim().split('\n')]).toEqual([1, [expect.stringContaining('DATA_DIR cannot be used')]]);
      // Also when no secret has to be written.
      const AUTH_SECRET = randomBytes(32).toString('hex');
      expect(() => readEnv({ DATA_DIR: folder, AUTH_SECRET })).toThrow(/^DATA_DIR cannot be used/);
    },
  );

  it('on a full disk ends the start with a message, and leaves no incomplete secret', ({ skip }) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-full-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    if (spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=4k', 'none', folder]).status !== 0)
      skip('this account may not mount a file system');
    onTestFinished(() => void spawnSync('/bin/umount', [folder]));
    try {
      fs.writeFileSync(path.join(folder, 'filler'), Buffer.alloc(1 << 16));
    } catch {
      // The disk is full from here on.
    }
    expect(() => readEnv({ DATA_DIR: folder })).toThrow(/^DATA_DIR cannot be used: no space is left/);
    expect(fs.readdirSync(folder)).toEqual(['filler']);
  });
});

describe('a database role without the right to create tables', () => {
  it.for([
    ['may not create tables in the schema', [] as string[], 'permission denied for schema public'],
    ['may not use the schema at all', ['revoke all on schema public from public'], 'no schema has been selected'],
  ] as const)('that %s fails the migration with the statement that fixes it', async ([, taken, reason], { skip }) => {
    const { template: _, ...server } = inject('testServer');
    if (server.connectionString) skip('its roles have passwords');
    const name = `florka_role_${process.pid}_${randomBytes(4).toString('hex')}`;
    await runStatements(
      server,
      `create role ${name} login`,
      `create database ${name} encoding 'UTF8' template template0`,
    );
    if (taken.length > 0) await runStatements(onDatabase(server, name), ...taken);
    const pool = openPool({ ...onDatabase(server, name), user: name, max: 2 });
    onTestFinished(async () => {
      await pool.end();
      await runStatements(server, `drop database ${name} with (force)`, `drop role ${name}`);
    });
    const failure = await migrate(pool, []).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toContain(`alter database ${name} owner to ${name}`);
    expect(String(failure)).toContain(reason);
    await runStatements(server, `alter database ${name} owner to ${name}`);
    expect(await migrate(pool, [])).toEqual([]);
  });
});

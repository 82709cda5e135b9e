import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { onDatabase, runStatements } from '#tests/support/database/test-server.ts';
import type { FirstStart } from '#tests/support/processes/first-start.ts';
import { withAdvisoryLock } from './advisory-lock.ts';

/** Timeout for starting processes on a busy machine. Milliseconds. */
const TIMEOUT_MS = 240_000;

/** An empty database, which is dropped with the test. */
async function emptyDatabase(): Promise<pg.ClientConfig> {
  const { template: _, ...server } = inject('testServer');
  const name = `florka_first_${process.pid}_${randomBytes(4).toString('hex')}`;
  await runStatements(server, `create database ${name} encoding 'UTF8' template template0`);
  onTestFinished(() => runStatements(server, `drop database if exists ${name} with (force)`));
  return onDatabase(server, name);
}

/** Starts a site and returns the result: `ready`, or all of its output. */
async function startSite(settings: FirstStart): Promise<{ child: ChildProcess; outcome: string }> {
  const child = spawn(process.execPath, ['tests/support/processes/first-start.ts'], {
    env: { ...process.env, FIRST_START: JSON.stringify(settings) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const outcome = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => resolve(String(chunk).trim()));
    child.once('close', (code) => resolve(`ended with ${code}: ${output}`));
  });
  return { child, outcome };
}

describe('sites that start concurrently on an empty database', () => {
  it.each([2, 2, 4])(
    'all become ready and create one admin (%i of them)',
    async (count) => {
      const config = await emptyDatabase();
      const uploadsDir = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-first-'));
      onTestFinished(() => fs.rmSync(uploadsDir, { recursive: true, force: true }));
      const sites = await Promise.all(Array.from({ length: count }, () => startSite({ config, uploadsDir })));
      expect(sites.map(({ outcome }) => outcome)).toEqual(sites.map(() => 'ready'));
      const client = new pg.Client(config);
      await client.connect();
      const { rows } = await client.query('select (select count(*)::int from admin_profiles) as admins');
      await client.end();
      expect(rows).toEqual([{ admins: 1 }]);
      for (const { child } of sites) {
        child.stdin?.end();
        const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
        expect(code).toBe(0);
      }
    },
    TIMEOUT_MS,
  );
});

describe('the schema lock', () => {
  it('is held by one process at a time, and one that waits too long fails with the reason', async () => {
    const config = await emptyDatabase();
    await withAdvisoryLock(config, 'schema', async () => {
      await expect(withAdvisoryLock(config, 'schema', async () => 'in', 0)).rejects.toThrow(
        'Another process has held the database lock "schema"',
      );
      expect(await withAdvisoryLock(config, 'first content', async () => 'another lock', 0)).toBe('another lock');
    });
    expect(await withAdvisoryLock(config, 'schema', async () => 'in')).toBe('in');
  });
});

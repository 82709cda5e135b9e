import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { runFlorka, urlOf } from '#tests/support/processes/florka.ts';

const app = await startTestApp();
const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'florka-backup-'));
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

it('a backup holds no transaction open while it copies images, which may exceed the idle timeout', async () => {
  const data = path.join(folder, 'data');
  const files = path.join(data, 'uploads/files');
  await fs.mkdir(files, { recursive: true });
  await fs.writeFile(path.join(files, 'first.webp'), 'image');
  // Copying waits until somebody writes into it.
  const slow = path.join(files, 'second.webp');
  execFileSync('mkfifo', [slow]);
  const to = path.join(folder, 'backups');
  const backup = runFlorka(['backup', '--to', to], {
    DATA_DIR: data,
    DATABASE_URL: urlOf(app.config),
    AUTH_SECRET: app.secret,
  });
  const copied = async () => {
    const [partial = ''] = await fs.readdir(to).catch(() => []);
    return fs.readdir(path.join(to, partial, 'uploads')).catch(() => []);
  };
  await expect.poll(copied, { timeout: 60_000 }).toContain('first.webp');
  const sessions = await app.sql<{ open: boolean }>(
    `select xact_start is not null as open from pg_stat_activity
     where application_name = 'florka operator' and datname = current_database()`,
  );
  await fs.writeFile(slow, '');
  expect(await backup).toMatchObject({ code: 0, err: '' });
  expect(sessions).toEqual([{ open: false }]);
}, 120_000);

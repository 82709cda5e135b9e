import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readEnv } from '#server/env.ts';
import { LAST_BACKUP } from '#server/lib/process/last-backup.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { archiveLine, backupLines } from './backup-lines.ts';
import { findingsOf } from './report.ts';

const { app, order, callBack } = await paymentRig({ findings: ({ pool }) => findingsOf(pool, readEnv({})) });

it('the report formats states and tables in words instead of identifiers', async () => {
  await callBack((await order()).move('partially_paid', 0.5));
  const owner = app.as(await app.member({ role: 'admin' }), {});
  const { findings } = await owner.admin.settings.doctor();
  const valueIn = (part: string, name: string) =>
    findings.find((line) => line.part === part && line.name === name)?.value;
  expect(valueIn('Payments', 'By state')).toBe('1 partially paid');
  for (const [part, name] of [
    ['Database', 'Largest tables'],
    ['Jobs', 'By state'],
    ['Mails', 'By state'],
    ['Tokens', 'Creations'],
  ] as const)
    expect(valueIn(part, name), `${part}: ${name}`).not.toMatch(/_/);
});

it('the report names jobs that wait for too long, except those that only another version runs', async () => {
  await app.services.jobs.start();
  const owner = await app.member({ role: 'admin' });
  const problem = async () => {
    const { findings } = await app.as(owner, {}).admin.settings.doctor();
    return findings.find(({ part, name }) => part === 'Jobs' && name === 'Waiting since')?.problem;
  };
  const wait = (name: string) =>
    app.sql(`insert into jobs.job (name, start_after) values ($1, now() - interval '1 hour')`, [name]);
  await app.sql(`select jobs.create_queue('of-a-newer-version', '{"policy": "standard"}'::jsonb)`);
  await wait('of-a-newer-version');
  expect(await problem()).toBeNull();
  await wait('finish-bans');
  expect(await problem()).toContain('Jobs wait for more than 10 minutes');
  await app.sql('delete from jobs.job');
});

it('the report counts an admin with a passkey alone among those with a second factor', async () => {
  const owner = await app.member({ role: 'admin' });
  const counted = async () => {
    const { findings } = await app.as(owner, {}).admin.settings.doctor();
    const { value = '' } = findings.find(({ part, name }) => part === 'Staff' && name === 'Admins') ?? {};
    return [...value.matchAll(/\d+/g)].map(Number);
  };
  const [admins = 0, without = 0] = await counted();
  await app.sql(
    `insert into passkeys (user_id, credential_id, public_key, name) values ($1, 'of-the-doctor', '\\x01', 'Llave')`,
    [owner.id],
  );
  expect(await counted()).toEqual([admins, without - 1]);
});

it('the report shows the newest backup of this folder; having none is not a problem', async () => {
  const folder = app.uploadsDir;
  const newest = async () => (await backupLines({ DATA_DIR: folder })).find(({ name }) => name.startsWith('Newest'));
  expect(await newest()).toEqual({ name: 'Newest by florka backup', value: 'none recorded in this DATA_DIR' });
  const at = new Date(Date.now() - 3 * 3_600_000).toISOString();
  await writeFile(path.join(folder, LAST_BACKUP), `${at}\n`);
  expect((await newest())?.value).toBe(`${at} (3 h ago)`);
});

it('the report has a problem for a WAL archive that is failing, and not for a recovered or disabled one', async () => {
  const { findings } = await app.as(await app.member({ role: 'admin' }), {}).admin.settings.doctor();
  expect(findings.find(({ name }) => name === 'Log of the database')).toMatchObject({
    part: 'Backups',
    value: 'is not archived',
    problem: null,
  });
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const state = { mode: 'on', archived: minutesAgo(16), failed: null, segment: null };
  expect(archiveLine(state)).not.toHaveProperty('problem');
  const recovered = { ...state, failed: minutesAgo(20), segment: '00000002000000000000000E' };
  expect(archiveLine(recovered)).not.toHaveProperty('problem');
  const held = archiveLine({ ...recovered, failed: minutesAgo(1) });
  expect(held.value).toBe('newest archived segment: 16 min ago');
  expect(held.problem).toContain('00000002000000000000000E, last tried 1 min ago');
  expect(archiveLine({ ...recovered, archived: null }).problem).toBeDefined();
});

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { runFlorka, urlOf } from '#tests/support/processes/florka.ts';

// Each command is a process of its own.
vi.setConfig({ testTimeout: 60_000 });

const app = await startTestApp();
const { newcomer, signIn, withSecondFactor, email, mailsTo } = peopleOf(app);
const folder = await mkdtemp(path.join(os.tmpdir(), 'florka-people-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const url = urlOf(app.config);

const florka = (...words: string[]) => runFlorka(words, { DATA_DIR: folder, DATABASE_URL: url });
const entries = (id: string) =>
  app
    .sql<{ action: string; actor_role: string }>(
      `select action, actor_role from audit_events where resource_id = $1 and actor_role = 'system' order by id`,
      [id],
    )
    .then((rows) => rows.map(({ action }) => action));

const COMMANDS = [
  ['admin', 'create'],
  ['admin', 'disable'],
  ['admin', 'enable'],
  ['second-factor', 'reset'],
  ['sessions', 'revoke'],
  ['user', 'confirm'],
] as const;

it.each(COMMANDS)('%s %s prints its help, and reports a wrong argument in one line', async (topic, command) => {
  const help = await florka(topic, command, '--help');
  expect(help).toMatchObject({ code: 0, err: '' });
  expect(help.out).toContain(`npm run florka -- ${topic} ${command}`);
  expect(await florka(topic, command)).toMatchObject({ code: 2, out: '' });
  expect(await florka(topic, command, 'nobody')).toEqual({
    code: 1,
    out: '',
    err: 'nobody is not an e-mail address.\n',
  });
  if (command !== 'create')
    expect(await florka(topic, command, 'nobody@florka.test')).toEqual({
      code: 1,
      out: '',
      err: 'There is no account with nobody@florka.test.\n',
    });
});

describe('the admin commands', () => {
  it('create makes a new account that can sign in, and promotes an existing one', async () => {
    const to = email();
    const made = await florka('admin', 'create', to.toUpperCase());
    expect(made).toMatchObject({ code: 0, err: '' });
    const password = /Password: ([\w-]{20}) {2}\(shown only now\)/.exec(made.out)?.[1] ?? '';
    const browser = await signIn(to, password);
    expect(await browser.api.admin.session()).toMatchObject({ email: to, password: 'initial' });
    await expect(browser.api.admin.dashboard.counts()).rejects.toMatchObject({ code: 'PASSWORD_INITIAL' });
    const me = await browser.api.auth.me();
    expect(await entries(me?.id ?? '')).toEqual(['admin.created']);
    expect((await florka('admin', 'create', to)).out).toContain('is an admin already');

    const ana = await newcomer({ verified: true });
    const raised = await florka('admin', 'create', ana.email);
    expect(raised.out).toContain(`${ana.email} is an admin now.`);
    expect(raised.out).not.toContain('Password');
    expect(await ana.api.auth.me()).toMatchObject({ role: 'admin', isAdmin: true });
    await signIn(ana.email, PASSWORD);
  });

  it('create does not promote an account whose e-mail is unconfirmed', async () => {
    const stranger = await newcomer();
    const refused = await florka('admin', 'create', stranger.email);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('has not confirmed this e-mail') });
    expect(await stranger.api.auth.me()).toMatchObject({ role: 'user', isAdmin: false });
    expect(await entries(stranger.id)).toEqual([]);
  });

  it('create and invite take staff roles, and create changes those of an admin, but not of the last owner', async () => {
    const ana = await app.member({ verified: true });
    expect((await florka('admin', 'create', ana.email, 'finance,editor')).out).toContain(
      'is an admin now: finance, editor.',
    );
    const rolesOf = async () =>
      (await app.sql<{ staff_roles: string[] }>('select staff_roles from admin_profiles where id = $1', [ana.id]))[0]
        ?.staff_roles;
    expect(await rolesOf()).toEqual(['finance', 'editor']);
    expect((await florka('admin', 'create', ana.email)).out).toContain('is an admin already');
    expect((await florka('admin', 'create', ana.email, 'owner')).out).toContain(`${ana.email} is owner now.`);
    expect(await rolesOf()).toEqual(['owner']);
    expect(await entries(ana.id)).toEqual(['admin.created', 'role.assigned']);
    for (const wrong of ['boss', 'owner,editor', ''])
      expect(await florka('admin', 'create', ana.email, wrong)).toMatchObject({ code: 1 });
    await app.sql(`update admin_profiles set staff_roles = '{support}', granted_by = null where id <> $1`, [ana.id]);
    expect((await florka('admin', 'create', ana.email, 'support')).err).toContain('is the last owner who may act');
    expect(await rolesOf()).toEqual(['owner']);
    await app.sql(`update admin_profiles set staff_roles = '{owner}', granted_by = null`);
    const ben = await app.member();
    await florka('admin', 'invite', ben.email);
    await florka('admin', 'invite', ben.email, 'moderator');
    expect(await app.sql('select staff_roles from admin_users where email = $1', [ben.email])).toEqual([
      { staff_roles: ['moderator'] },
    ]);
  });

  it('invite invites again if the former claimant lost the role or changed the mailbox', async () => {
    const ana = await newcomer({ verified: true });
    const claim = () => ana.api.auth.linkAdmin({ email: ana.email });
    const stored = () =>
      app.sql('select claimed_by, claimed_at, staff_roles from admin_users where email = $1', [ana.email]);
    expect((await florka('admin', 'invite', ana.email, 'finance')).out).toContain(`${ana.email} is invited.`);
    await claim();
    expect((await florka('admin', 'invite', ana.email, 'owner')).out).toContain('and has claimed the role');
    expect(await stored()).toMatchObject([{ claimed_by: ana.id, staff_roles: ['finance'] }]);
    await app.sql('delete from admin_profiles where id = $1', [ana.id]);
    await app.sql(`update user_roles set role = 'user' where user_id = $1`, [ana.id]);
    expect((await florka('admin', 'invite', ana.email, 'editor')).out).toContain(`${ana.email} is invited again.`);
    expect(await stored()).toEqual([{ claimed_by: null, claimed_at: null, staff_roles: ['editor'] }]);
    await claim();
    expect(await ana.api.auth.me()).toMatchObject({ role: 'admin', isAdmin: true });

    await app.sql('update users set email = $2 where id = $1', [ana.id, email()]);
    expect((await florka('admin', 'invite', ana.email)).out).toContain('is invited again.');
    const invitation = await app.sql<{ id: string }>('select id from admin_users where email = $1', [ana.email]);
    expect(await entries(invitation[0]?.id ?? '')).toEqual(['admin.invited', 'admin.invited', 'admin.invited']);
  });

  it('disable blocks the sign-in of an admin and enable restores it; the last owner and members are refused', async () => {
    const ana = await newcomer({ verified: true });
    await florka('admin', 'create', ana.email);
    const { code, out } = await florka('admin', 'disable', ana.email);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Sessions ended: 1') });
    expect(await ana.api.auth.me()).toBeNull();
    await expect(signIn(ana.email)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await florka('admin', 'enable', ana.email);
    await signIn(ana.email);
    expect(await entries(ana.id)).toEqual(['admin.created', 'member.disabled', 'member.unbanned']);

    await app.sql('delete from admin_profiles where id <> $1', [ana.id]);
    expect(await florka('admin', 'disable', ana.email)).toEqual({
      code: 1,
      out: '',
      err: `${ana.email} is the last owner who may act: create another one first.\n`,
    });
    const ben = await newcomer();
    expect(await florka('admin', 'disable', ben.email)).toEqual({
      code: 1,
      out: '',
      err: `${ben.email} is not an admin.\n`,
    });
  });
});

describe('accounts changed by an operator', () => {
  it('lose their second factor and sessions, and sign in by password alone', async () => {
    const ana = await newcomer({ verified: true });
    await withSecondFactor(ana.browser);
    await expect(signIn(ana.email)).rejects.toMatchObject({ code: 'SECOND_FACTOR_NEEDED' });
    const { code, out } = await florka('second-factor', 'reset', ana.email);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Sessions ended: 1') });
    expect(await ana.api.auth.me()).toBeNull();
    const browser = await signIn(ana.email);
    expect(await browser.api.account.overview()).toMatchObject({ secondFactor: false, recoveryCodesLeft: 0 });
    expect(await entries(ana.id)).toEqual(['second_factor.reset_by_operator']);
    // The owner of the account is informed, in case somebody deceived the operator.
    expect((await mailsTo(ana.email)).some(({ text }) => text.includes('se ha desactivado'))).toBe(true);
    expect((await browser.api.notifications.list({})).items).toContainEqual(
      expect.objectContaining({ kind: 'security', detail: 'second_factor_off' }),
    );
    expect((await florka('second-factor', 'reset', ana.email)).out).toContain('has no second factor.');
  });

  it('get a new password and are notified by mail', async () => {
    const ana = await newcomer({ verified: true });
    const { out } = await florka('admin', 'reset-password', ana.email);
    const password = /New password of \S+: ([\w-]{20}) /.exec(out)?.[1] ?? '';
    expect(await ana.api.auth.me()).toBeNull();
    await signIn(ana.email, password);
    expect(await entries(ana.id)).toEqual(['password.reset_by_operator']);
    expect((await mailsTo(ana.email)).some(({ subject }) => subject === 'Tu contraseña ha cambiado')).toBe(true);
  });

  it('lose all their sessions', async () => {
    const ana = await newcomer();
    await signIn(ana.email);
    expect((await florka('sessions', 'revoke', ana.email)).out).toBe(`Sessions of ${ana.email} ended: 2\n`);
    expect(await ana.api.auth.me()).toBeNull();
    expect(await entries(ana.id)).toEqual(['session.all_revoked']);
  });

  it('all lose their sessions at once with revoke-all, also those of staff', async () => {
    const [ana, chief] = [await newcomer(), await newcomer()];
    await app.sql('insert into admin_profiles (id) values ($1)', [chief.id]);
    const [open] = await app.sql<{ n: number }>('select count(*)::int as n from sessions');
    expect((await florka('sessions', 'revoke-all')).out).toBe(`Sessions ended, of everybody: ${open?.n}\n`);
    for (const { api } of [ana, chief]) expect(await api.auth.me()).toBeNull();
    expect((await florka('sessions', 'revoke-all')).out).toBe('Sessions ended, of everybody: 0\n');
    expect(
      await app.sql(`select after, actor_role from audit_events where action = 'session.everybody_revoked'`),
    ).toEqual([{ after: { ended: open?.n }, actor_role: 'system' }]);
    await signIn(ana.email);
  });

  it('are confirmed only once', async () => {
    const ana = await newcomer();
    expect((await florka('user', 'confirm', ana.email)).out).toBe(`${ana.email} is confirmed.\n`);
    expect((await florka('user', 'confirm', ana.email)).out).toBe(`${ana.email} was confirmed before.\n`);
    expect(await entries(ana.id)).toEqual(['member.confirmed']);
    expect(await app.sql('select email_verified from users where id = $1', [ana.id])).toEqual([
      { email_verified: false },
    ]);
  });
});

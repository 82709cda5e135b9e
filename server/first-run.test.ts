import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { firstRun } from './first-run.ts';

const app = await startTestApp();
const { newcomer } = peopleOf(app);
const log = pino({ level: 'silent' });
const start = (options: { adminEmail?: string; adminPassword?: string } = {}) =>
  firstRun(app.services, { demo: false, log, ...options });
/** Sign-in of the first admin with a generated password. */
let way: Awaited<ReturnType<typeof start>>;
const adminEmail = 'chief@florka.test';
async function signIn(way: { email: string; password: string } | null) {
  // Attempts per address and mailbox are limited.
  app.pass(20 * 60_000);
  const browser = app.browser();
  const { email = '', password = '' } = way ?? {};
  expect(await browser.api.auth.signIn({ email, password })).toMatchObject({ isAdmin: true });
  return browser.api;
}
const end = () =>
  app.sql(`update accounts set initial_until = now() - interval '1 second' where initial_until is not null`);

it.each([
  ['eleven characters', 'Elf-Zeichen', 'has fewer than 12 characters'],
  ['the mailbox of the admin', 'chief@florka.test', 'is the mailbox of ADMIN_EMAIL'],
  ['a word of the site', 'administrator', 'is too common'],
])('the first start refuses %s as ADMIN_PASSWORD, by the rules for staff', async (_what, adminPassword, why) => {
  await expect(start({ adminEmail, adminPassword })).rejects.toThrow(`ADMIN_PASSWORD ${why}: choose another one.`);
  expect(await app.sql('select 1 from admin_profiles')).toEqual([]);
});

it('the first start gives its admin a random mailbox if the operator set none, and only once', async () => {
  const made = await start();
  way = made;
  expect(made?.email).toMatch(/^admin-[0-9a-f]{8}@florka\.local$/);
  expect(made?.password).toMatch(/^[\w-]{16}$/);
  await signIn(made);
  // ADMIN_PASSWORD is no longer read once an admin exists.
  expect(await start({ adminEmail, adminPassword: 'short' })).toBeNull();
});

describe('a generated password', () => {
  it('gives no access to the back office and to staff actions until another one is chosen', async () => {
    const api = await signIn(way);
    expect(await api.admin.session()).toMatchObject({ password: 'initial' });
    expect((await api.account.overview()).passwordUntil).toMatch(/^\d{4}-/);
    for (const action of [
      () => api.admin.dashboard.counts(),
      () => api.forum.reviewQueue(),
      () => api.admin.networks.create({ name: 'A', symbol: 'A' }),
    ])
      await expect(action()).rejects.toMatchObject({ code: 'PASSWORD_INITIAL', status: 403 });
    const current = way?.password ?? '';
    await expect(api.account.changePassword({ current, next: current, locale: 'en' })).rejects.toMatchObject({
      code: 'PASSWORD_UNCHANGED',
    });
    expect(await api.admin.session()).toMatchObject({ password: 'initial' });
  });

  it('expires by the clock of the database, for signing in and for step-up; the next start generates another one', async () => {
    const api = await signIn(way);
    expect(await start()).toBeNull();
    await end();
    const wrong = { email: way?.email ?? '', password: way?.password ?? '' };
    await expect(app.browser().api.auth.signIn(wrong)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(api.account.prove({ password: wrong.password })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    const again = await start();
    expect(again).toMatchObject({ email: way?.email, given: false });
    expect(again?.password).not.toBe(way?.password);
    expect(await api.auth.me()).toBeNull();
    await signIn(again);
    const [last] = await app.sql('select action, actor_role from audit_events where action = $1', ['password.renewed']);
    expect(last).toEqual({ action: 'password.renewed', actor_role: 'system' });
    way = again;
  });

  it('is replaced by the one that its owner chooses, which does not expire', async () => {
    const api = await signIn(way);
    const next = 'of-my-own-choice';
    await api.account.changePassword({ current: way?.password ?? '', next, locale: 'en' });
    expect(await api.admin.session()).toMatchObject({ password: 'own' });
    expect(await api.account.overview()).toMatchObject({ passwordUntil: null });
    await api.admin.dashboard.counts();
    await end();
    await signIn({ email: way?.email ?? '', password: next });
    expect(await start()).toBeNull();
  });

  it('is not replaced if there is another admin', async () => {
    await app.sql("update accounts set initial_until = now() - interval '1 day'");
    const { id } = await newcomer();
    await app.sql('insert into admin_profiles (id) values ($1)', [id]);
    expect(await app.sql('select 1 from admin_profiles')).toHaveLength(2);
    expect(await start()).toBeNull();
  });
});

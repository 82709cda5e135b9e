import { describe, expect, it } from 'vitest';
import { PASSWORD, peopleOf, totp } from '#tests/support/app/people.ts';
import { type Browser, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const people = peopleOf(app);

const tokenOf = ({ cookie }: Browser) => /florka\.session_token=([^;.]+)/.exec(decodeURIComponent(cookie))?.[1];
const staff = ['user', 'moderator', 'admin'] as const;

/** Performs an action in a browser; returns what the browser's previous token grants afterwards. */
async function change(browser: Browser, action: () => Promise<unknown>) {
  const copy = app.browser({ cookie: browser.cookie });
  const before = tokenOf(browser);
  await action();
  return { changed: tokenOf(browser) !== before, copy: await copy.api.auth.me(), mine: await browser.api.auth.me() };
}
const CHANGED = { changed: true, copy: null, mine: expect.objectContaining({ id: expect.any(String) }) };

describe("a session's token is rotated, and a copy of the former one becomes invalid, at", () => {
  it('sign-up and sign-in in a browser that had a session', async () => {
    const { browser, email } = await people.newcomer();
    expect(await change(browser, () => browser.api.auth.signIn({ email, password: PASSWORD }))).toEqual(CHANGED);
    expect(await change(browser, () => browser.api.auth.signUp({ email: people.email(), password: PASSWORD }))).toEqual(
      CHANGED,
    );
  });

  it('a step-up', async () => {
    const { browser } = await people.newcomer();
    expect(await change(browser, () => browser.api.account.prove({ password: PASSWORD }))).toEqual(CHANGED);
  });

  it('every step of the second factor', async () => {
    const { browser } = await people.newcomer({ verified: true });
    const { code, ...rest } = await (async () => {
      const copy = app.browser({ cookie: browser.cookie });
      const set = await people.withSecondFactor(browser);
      return { ...set, copy: await copy.api.auth.me() };
    })();
    expect(rest.copy).toBeNull();
    expect(await change(browser, () => browser.api.account.prove({ code: code() }))).toEqual(CHANGED);
    app.pass(60_000);
    expect(
      await change(browser, () =>
        browser.api.account.removeSecondFactor({ password: PASSWORD, code: code(), locale: 'es' }),
      ),
    ).toEqual(CHANGED);
  });

  it('a change of the password', async () => {
    const { browser } = await people.newcomer();
    expect(
      await change(browser, () =>
        browser.api.account.changePassword({ current: PASSWORD, next: 'another-one-7', locale: 'es' }),
      ),
    ).toEqual(CHANGED);
  });

  it('the confirmation and the change of the mailbox', async () => {
    const { browser, email } = await people.newcomer();
    const token = await people.newestToken(email);
    expect(await change(browser, () => browser.api.account.verifyEmail({ token }))).toEqual(CHANGED);
    const next = people.email();
    await browser.api.account.changeEmail({ email: next, password: PASSWORD, locale: 'es' });
    const link = await people.newestToken(next);
    expect(await change(browser, () => browser.api.account.verifyEmail({ token: link }))).toEqual(CHANGED);
  });

  it('the claim of an admin invitation', async () => {
    const { browser, email } = await people.newcomer({ verified: true });
    await app.sql('insert into admin_users (email) values ($1)', [email]);
    expect(await change(browser, () => browser.api.auth.linkAdmin({ email }))).toEqual(CHANGED);
  });
});

describe('a change of role', () => {
  it('rotates the token at the next read of the session, and revokes its step-up', async () => {
    const { browser, id } = await people.newcomer();
    const before = tokenOf(browser);
    const copy = app.browser({ cookie: browser.cookie });
    const admin = app.as(await app.member({ role: 'admin' }));
    await admin.admin.roles.assign({ id, role: 'moderator' });
    expect(
      await app.sql(`select extract(epoch from proved_at)::int as proved from sessions where user_id = $1`, [id]),
    ).toEqual([{ proved: 0 }]);
    expect(await browser.api.auth.me()).toMatchObject({ role: 'moderator' });
    expect(tokenOf(browser)).not.toBe(before);
    expect(await browser.api.auth.me()).toMatchObject({ role: 'moderator' });
    // Another tab still sends the previous token.
    expect(await copy.api.auth.me()).toMatchObject({ role: 'moderator' });
    expect(copy.received).toEqual([]);
    await app.sql(`update sessions set former_until = now() where user_id = $1`, [id]);
    expect(await copy.api.auth.me()).toBeNull();
    expect(await browser.api.auth.me()).toMatchObject({ role: 'moderator' });
  });

  it('sends one new token to concurrent tabs, and none of them loses the session', async () => {
    const { browser, id } = await people.newcomer();
    await app.sql(`update user_roles set role = 'moderator' where user_id = $1`, [id]);
    const tabs = Array.from({ length: 5 }, () => app.browser({ cookie: browser.cookie }));
    const answers = await Promise.all(tabs.map((tab) => tab.api.auth.me()));
    expect(answers.map((me) => me?.role)).toEqual(Array(5).fill('moderator'));
    expect(tabs.filter((tab) => tab.received.length > 0)).toHaveLength(1);
  });

  it('lets a tab that still has the previous token sign out', async () => {
    const { browser, id } = await people.newcomer();
    await app.sql(`update user_roles set role = 'moderator' where user_id = $1`, [id]);
    const tab = app.browser({ cookie: browser.cookie });
    await browser.api.auth.me();
    await tab.api.auth.signOut();
    expect(await browser.api.auth.me()).toBeNull();
    expect(await app.sql('select 1 from sessions where user_id = $1', [id])).toEqual([]);
  });

  it.each(['insert', 'delete'])('rotates it after direct SQL too: %s of an admin profile', async (way) => {
    const person = await app.member({ role: way === 'delete' ? 'admin' : 'user' });
    if (way === 'delete') await app.member({ role: 'admin' });
    await app.sql(
      way === 'delete' ? 'delete from admin_profiles where id = $1' : 'insert into admin_profiles values ($1)',
      [person.id],
    );
    expect(await app.sql('select token_due from sessions where user_id = $1', [person.id])).toEqual([
      { token_due: true },
    ]);
  });
});

describe('an action that waits while its session is ended is rolled back:', () => {
  /** Has an action wait for the member's row, and ends every session of the member before the action continues. */
  async function late(id: string, action: () => Promise<unknown>): Promise<string> {
    const owner = await app.sqlClient();
    await owner.query('begin');
    await owner.query('select 1 from users where id = $1 for no key update', [id]);
    const answer = action().then(
      () => 'ok',
      (error: { code: string }) => error.code,
    );
    await expect.poll(() => app.waiting()).toBe(1);
    await owner.query('delete from sessions where user_id = $1', [id]);
    await owner.query('commit');
    await owner.end();
    return answer;
  }

  it('a change of the password', async () => {
    const { api, id, email } = await people.newcomer();
    const change = () => api.account.changePassword({ current: PASSWORD, next: 'another-one-7', locale: 'es' });
    expect(await late(id, change)).toBe('UNAUTHORIZED');
    expect(await (await people.signIn(email)).api.auth.me()).toMatchObject({ id });
  });

  it('the setup of a second factor', async () => {
    const { api, id, email } = await people.newcomer({ verified: true });
    const { secret } = await api.account.startSecondFactor({ password: PASSWORD });
    const code = totp(secret, app.now.getTime());
    expect(await late(id, () => api.account.confirmSecondFactor({ code, locale: 'es' }))).toBe('UNAUTHORIZED');
    expect(await (await people.signIn(email)).api.auth.me()).toMatchObject({ id });
  });

  it('a change of the mailbox, whose link stays valid', async () => {
    const { api, id, email } = await people.newcomer({ verified: true });
    const next = people.email();
    await api.account.changeEmail({ email: next, password: PASSWORD, locale: 'es' });
    const token = await people.newestToken(next);
    expect(await late(id, () => api.account.verifyEmail({ token }))).toBe('UNAUTHORIZED');
    const again = await people.signIn(email);
    expect(await again.api.account.verifyEmail({ token })).toMatchObject({ email: next });
  });
});

describe('the maximum lifetime of a session', () => {
  it.each(staff)('ends it for a %s, however much it is used', async (role) => {
    const life = role === 'user' ? '30 days' : '12 hours';
    const person = await app.member({ role });
    const age = (over: string) =>
      app.sql(
        `update sessions set created_at = now() - interval '${life}' ${over}, expires_at = now() + interval '7 days'
        where user_id = $1`,
        [person.id],
      );
    await age("+ interval '1 minute'");
    expect(await app.as(person).auth.me()).toMatchObject({ id: person.id });
    expect(await app.as(person).account.sessions()).toHaveLength(1);
    await age('');
    expect(await app.as(person).auth.me()).toBeNull();
    await expect(app.as(person).account.sessions()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is the shorter one as soon as the member becomes staff, also for open sessions', async () => {
    const person = await app.member();
    await app.sql(`update sessions set created_at = now() - interval '13 hours' where user_id = $1`, [person.id]);
    expect(await app.as(person).auth.me()).not.toBeNull();
    await app.sql(`update user_roles set role = 'moderator' where user_id = $1`, [person.id]);
    expect(await app.as(person).auth.me()).toBeNull();
  });

  it('is not extended by a new token', async () => {
    const { browser, id } = await people.newcomer();
    await app.sql(`update sessions set created_at = now() - interval '29 days 23 hours' where user_id = $1`, [id]);
    await browser.api.account.prove({ password: PASSWORD });
    expect(
      await app.sql(`select created_at < now() - interval '29 days' as old from sessions where user_id = $1`, [id]),
    ).toEqual([{ old: true }]);
  });
});

describe('on https', () => {
  it('only the session cookie with the __Host- prefix is read', async () => {
    const secure = await startTestApp({ publicUrl: 'https://florka.test' });
    const browser = secure.browser();
    await browser.api.auth.signUp({ email: 'host@florka.test', password: PASSWORD });
    const line = browser.received.find((cookie) => cookie.startsWith('__Host-florka.session_token='));
    expect(line).toMatch(/; Secure/);
    expect(line).toMatch(/; Path=\/;/);
    expect(line).not.toMatch(/Domain/i);
    const value = browser.cookie
      .split('; ')
      .find((pair) => pair.includes('session_token='))
      ?.split('=')[1];
    for (const name of ['florka.session_token', '__Secure-florka.session_token', '__host-florka.session_token'])
      expect(await secure.browser({ cookie: `${name}=${value}` }).api.auth.me(), name).toBeNull();
    expect(await secure.browser({ cookie: `__Host-florka.session_token=${value}` }).api.auth.me()).not.toBeNull();
    await browser.api.auth.signOut();
    expect(browser.cookie).not.toContain('session_token');
  });

  it('every cookie of sign-in has the __Host- prefix', async () => {
    const secure = await startTestApp({ publicUrl: 'https://florka.test' });
    const browser = secure.browser();
    await browser.api.auth.signUp({ email: 'all@florka.test', password: PASSWORD });
    await browser.api.auth.signIn({ email: 'all@florka.test', password: PASSWORD });
    expect(browser.received.length).toBeGreaterThan(1);
    for (const line of browser.received) expect(line).toMatch(/^__Host-florka\./);
  });
});

it('signing out is not reported as done when the session could not be ended', async () => {
  const { browser, id } = await people.newcomer();
  await app.sql(`create function no_end() returns trigger language plpgsql as
    $$ begin raise exception 'no' using errcode = '55P03'; end $$`);
  await app.sql(`create trigger no_end before delete on sessions for each row when (old.user_id = '${id}')
    execute function no_end()`);
  try {
    await expect(browser.api.auth.signOut()).rejects.toThrow();
  } finally {
    await app.sql('drop trigger no_end on sessions');
  }
  expect(
    await app.sql(`select 1 from audit_events where actor_id = $1 and action = 'member.signed_out'`, [id]),
  ).toEqual([]);
  expect(await browser.api.auth.signOut()).toEqual({ ok: true });
  expect(await app.sql('select 1 from sessions where user_id = $1', [id])).toEqual([]);
});

it('signing out makes the browser clear its cache', async () => {
  const person = await app.member();
  const answer = await app.http('/api/auth/sign-out', {
    method: 'POST',
    headers: { cookie: person.cookie, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('clear-site-data')).toBe('"cache"');
});

import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { address, app, newcomer, PASSWORD, rowsOf } from '#tests/fixtures/auth.ts';
import { signSession, startTestApp } from '#tests/support/app/test-app.ts';
import { readSessionToken } from './sessions/session-cookie.ts';

const bare = await startTestApp();

describe('sign-in', () => {
  it('opens a session with the right password, whatever the case of the e-mail [AUTH-23] [AUTH-27] [AUTH-32]', async () => {
    const { me } = await newcomer({ password: 'Contraseña larga' });
    const browser = app.browser({ address: address() });
    expect(await browser.api.auth.me()).toBeNull();
    // The same letters in another Unicode normalization.
    const password = 'Contraseña larga'.normalize('NFD');
    expect(await browser.api.auth.signIn({ email: me.email.toUpperCase(), password })).toEqual(me);
    expect(await browser.api.auth.me()).toEqual(me);
    const [last] = await app.sql('select action, actor_id from audit_events order by id desc limit 1');
    expect(last).toEqual({ action: 'member.signed_in', actor_id: me.id });
  });

  it('gives wrong password, unknown e-mail and account without password the same answer [ERR-02] [AMB-156]', async () => {
    const { me } = await newcomer();
    const passwordless = await app.member();
    const answers = await Promise.all(
      [me.email, 'nobody@florka.test', passwordless.email].map(async (mail) => {
        const response = await app.post(
          '/api/auth/sign-in',
          { email: mail, password: 'wrong-password' },
          { headers: { 'x-forwarded-for': address() } },
        );
        return { status: response.status, body: await response.text(), cookies: response.headers.getSetCookie() };
      }),
    );
    expect(answers[0]?.status).toBe(401);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[0]?.cookies).toEqual([]);
  });

  it('creates a new session each time, and never reuses the one sent with the request', async () => {
    const { browser, me } = await newcomer();
    const before = browser.cookie;
    await browser.api.auth.signIn({ email: me.email, password: PASSWORD });
    expect(browser.cookie).not.toBe(before);
  });

  it('is refused if the password is replaced between its comparison and the new session', async () => {
    const { me } = await newcomer();
    const owner = await app.sqlClient();
    await owner.query('begin');
    await owner.query('select 1 from users where id = $1 for no key update', [me.id]);
    const answer = app.browser({ address: address() }).api.auth.signIn({ email: me.email, password: PASSWORD });
    const code = answer.then(
      () => 'ok',
      (error: { code: string }) => error.code,
    );
    await expect.poll(() => app.waiting()).toBe(1);
    await owner.query('delete from sessions where user_id = $1', [me.id]);
    await owner.query(`update accounts set password = 'replaced' where user_id = $1`, [me.id]);
    await owner.query('commit');
    await owner.end();
    expect(await code).toBe('INVALID_CREDENTIALS');
    expect((await rowsOf(me.email)).sessions).toEqual([]);
  });

  it('is refused while banned, and so is an open session', async () => {
    const { browser, me } = await newcomer();
    await app.sql(`update users set banned_until = 'infinity' where id = $1`, [me.id]);
    expect(await browser.api.auth.me()).toBeNull();
    const again = app.browser({ address: address() });
    await expect(again.api.auth.signIn({ email: me.email, password: PASSWORD })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect(again.cookie).toBe('');
    // The right password created no session, but a log line for the operator that a wrong one does not create.
    expect((await rowsOf(me.email)).sessions).toHaveLength(1);
    await expect(again.api.auth.signIn({ email: me.email, password: 'not-this-one' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    expect(
      await app.sql(
        `select actor_id, after from audit_events where action = 'member.sign_in_refused' and resource_id = $1`,
        [me.id],
      ),
    ).toEqual([{ actor_id: me.id, after: { how: 'password', why: 'banned' } }]);
    await app.sql(`update users set banned_until = now() - interval '1 second' where id = $1`, [me.id]);
    expect(await browser.api.auth.me()).toMatchObject({ id: me.id });
  });
});

describe('the session', () => {
  it("is read from Better Auth's real cookie, in the format that the reader knows", async () => {
    const { browser, me } = await newcomer();
    const [name, value = ''] = browser.cookie.split('=');
    expect(name).toBe('florka.session_token');
    const [token = ''] = decodeURIComponent(value).split('.');
    expect(readSessionToken(browser.cookie, app.secret, 'http://florka.test')).toBe(token);
    expect(await app.sql('select user_id from sessions where token = $1', [token])).toEqual([{ user_id: me.id }]);
    // The test helpers sign sessions in the same way.
    expect(signSession(token, app.secret)).toBe(browser.cookie);
  });

  it('is stored in a cookie with HttpOnly and SameSite=Lax', async () => {
    const { browser } = await newcomer();
    await browser.api.auth.signIn({ email: (await browser.api.auth.me())?.email ?? '', password: PASSWORD });
    const line = browser.received.find((cookie) => cookie.startsWith('florka.session_token'));
    expect(line).toMatch(/; HttpOnly/);
    expect(line).toMatch(/; SameSite=Lax/);
    expect(line).toMatch(/; Path=\//);
    expect(line).toMatch(/; Max-Age=604800/);
  });

  it('is not accepted with a wrong, truncated or missing signature, nor one of another secret', async () => {
    const person = await app.member();
    const good = decodeURIComponent(person.cookie.split('=')[1] ?? '');
    const [token = '', signature = ''] = good.split('.');
    const raw = (value: string) => `florka.session_token=${encodeURIComponent(value)}`;
    const forged = createHmac('sha256', 'another-secret').update(token).digest('base64');
    for (const cookie of [
      raw(token),
      raw(`${token}.`),
      raw(`.${signature}`),
      raw(`${token}.${signature.slice(0, -4)}`),
      raw(`${token}x.${signature}`),
      raw(`${token}.${forged}`),
      'florka.session_token=%E0%A4%A',
      `florka.session_token=${'x'.repeat(8_000)}`,
    ])
      expect(await app.browser({ cookie }).api.auth.me(), cookie).toBeNull();
    expect(await app.browser({ cookie: raw(good) }).api.auth.me()).toMatchObject({ id: person.id });
  });

  it('ends with sign-out, for everybody who holds the cookie; signing out again is harmless [AUTH-25]', async () => {
    const { browser } = await newcomer();
    const copy = app.browser({ cookie: browser.cookie });
    expect(await copy.api.auth.me()).not.toBeNull();
    expect(await browser.api.auth.signOut()).toEqual({ ok: true });
    expect(browser.cookie).toBe('');
    expect(await copy.api.auth.me()).toBeNull();
    await expect(copy.api.voting.cast({ candidateId: (await app.candidate()).id })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await browser.api.auth.signOut()).toEqual({ ok: true });
    expect(await app.browser().api.auth.signOut()).toEqual({ ok: true });
  });

  it.each([
    ['expired', `update sessions set expires_at = now() - interval '1 second' where user_id = $1`],
    ['revoked', 'delete from sessions where user_id = $1'],
    ['of a deleted account', 'delete from users where id = $1'],
  ])('grants no access when it is %s', async (_name, change) => {
    const person = await app.member();
    expect(await app.as(person).auth.me()).not.toBeNull();
    await app.sql(change, [person.id]);
    expect(await app.as(person).auth.me()).toBeNull();
    await expect(app.as(person).saved.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is extended once a day, with a new cookie [AUTH-26] [AUTH-33] [AMB-157]', async () => {
    const { browser, me } = await newcomer();
    await app.sql(`update sessions set updated_at = $2, expires_at = now() + interval '5 days' where user_id = $1`, [
      me.id,
      app.now,
    ]);
    await browser.api.auth.me();
    expect(browser.received).toEqual([]);
    await app.sql(`update sessions set updated_at = $2 where user_id = $1`, [
      me.id,
      new Date(app.now.getTime() - 86_400_000),
    ]);
    await browser.api.auth.me();
    expect(browser.received.join()).toContain('florka.session_token');
    const [session] = await app.sql<{ long: boolean }>(
      `select expires_at > now() + interval '6 days' as long from sessions where user_id = $1`,
      [me.id],
    );
    expect(session?.long).toBe(true);
  });

  it('has a role only as long as the tables have it [AUTH-37] [AUTH-43..44] [DATA-53] [SEC-11..12] [SEC-15..16] [AMB-32]', async () => {
    // One admin must remain.
    await app.member({ role: 'admin' });
    const admin = await app.member({ role: 'admin' });
    const moderator = await app.member({ role: 'moderator' });
    expect(await app.as(admin).auth.me()).toMatchObject({ role: 'admin', isAdmin: true });
    expect(await app.as(moderator).auth.me()).toMatchObject({ role: 'moderator', isAdmin: false });
    await app.sql('delete from admin_profiles where id = $1', [admin.id]);
    await app.sql(`update user_roles set role = 'user' where user_id = $1`, [moderator.id]);
    // The role column alone makes no admin.
    expect(await app.as(admin).auth.me()).toMatchObject({ role: 'user', isAdmin: false });
    expect(await app.as(moderator).auth.me()).toMatchObject({ role: 'user' });
  });

  it('does not make an admin of somebody who is merely invited [DATA-52] [AMB-02]', async () => {
    const ana = await app.member({ verified: true });
    await app.sql('insert into admin_users (email) values ($1)', [ana.email]);
    expect(await app.as(ana).auth.me()).toMatchObject({ role: 'user', isAdmin: false });
  });
});

describe('rate limits', () => {
  const trySignIn = (mail: string, from: string, headers: Record<string, string> = {}) =>
    app.post(
      '/api/auth/sign-in',
      { email: mail, password: 'wrong-password' },
      { headers: { 'x-forwarded-for': from, ...headers } },
    );

  it('allow 5 sign-ins a minute from one IP address, then answer 429 with the seconds to wait', async () => {
    const from = address();
    for (let i = 0; i < LIMITS.signInAddressMinute.hits; i++)
      expect((await trySignIn('a@florka.test', from)).status).toBe(401);
    app.pass(20_000);
    const refused = await trySignIn('b@florka.test', from);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', data: { retryAfter: 40 } });
    expect((await trySignIn('b@florka.test', address())).status).toBe(401);
    app.pass(40_000);
    expect((await trySignIn('a@florka.test', from)).status).toBe(401);
  });

  it('allow 30 sign-ins an hour from one IP address', async () => {
    const from = address();
    for (let i = 0; i < 30; i++) {
      expect((await trySignIn(`p${i}@florka.test`, from)).status).toBe(401);
      app.pass(60_000);
    }
    const refused = await trySignIn('p@florka.test', from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBe(1_800);
  });

  it('allow 3 sign-ups an hour and 10 a day from one IP address', async () => {
    const from = address();
    const join = () =>
      newcomer({}, from).then(
        () => 'ok',
        (error: { code: string }) => error.code,
      );
    const day: string[] = [];
    for (let hour = 0; hour < 4; hour++) {
      for (let i = 0; i < 3; i++) day.push(await join());
      if (hour === 0) expect(await join()).toBe('RATE_LIMITED');
      app.pass(3_600_000);
    }
    // The refused attempt of the first hour created no account, and does not count for the day.
    expect(day).toEqual([...Array(10).fill('ok'), 'RATE_LIMITED', 'RATE_LIMITED']);
    app.pass(20 * 3_600_000);
    expect(await join()).toBe('ok');
  });

  it('of sign-ups count created accounts only; attempts with a taken name or e-mail have their own', async () => {
    const from = address();
    const username = 'Rosa del Mar';
    const { email } = (await newcomer({ username })).me;
    const codeOf = (over: object, at = from) =>
      newcomer(over, at).then(
        () => 'ok',
        (error: { code: string }) => error.code,
      );
    const refusedAt = async (at: string) => [await codeOf({ email }, at), await codeOf({ username }, at)];
    const refused = ['SIGN_UP_REFUSED', 'USERNAME_TAKEN'];
    for (let i = 0; i < 4; i++) expect(await refusedAt(from)).toEqual(refused);
    expect(await codeOf({ password: 'short' })).toBe('BAD_REQUEST');
    for (let i = 0; i < 3; i++) expect(await codeOf({})).toBe('ok');
    expect(await codeOf({})).toBe('RATE_LIMITED');
    // Many attempts are a search for addresses with an account: they have a limit of their own.
    const searcher = address();
    for (let i = 0; i < 10; i++) expect(await refusedAt(searcher)).toEqual(refused);
    expect(await refusedAt(searcher)).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
  });

  it('count an IPv6 by its /64, and an IPv4 in IPv6 form as IPv4', async () => {
    for (let i = 0; i < 5; i++) expect((await trySignIn('a@florka.test', `2001:db8:7:7:${i}::${i}`)).status).toBe(401);
    expect((await trySignIn('a@florka.test', '2001:db8:7:7:ffff::1')).status).toBe(429);
    expect((await trySignIn('a@florka.test', '2001:db8:7:8::1')).status).toBe(401);
    const from = address();
    for (let i = 0; i < 5; i++)
      expect((await trySignIn('a@florka.test', i % 2 ? from : `::ffff:${from}`)).status).toBe(401);
    expect((await trySignIn('a@florka.test', `::FFFF:${from}`)).status).toBe(429);
  });

  it('allow 10 attempts an hour per account and IP, and do not lock the owner out of a known browser', async () => {
    const { me } = await newcomer();
    const owner = app.browser({ address: address() });
    await owner.api.auth.signIn({ email: me.email, password: PASSWORD });
    const attacker = address();
    for (let i = 0; i < 10; i++) {
      expect((await trySignIn(me.email, attacker)).status).toBe(401);
      app.pass(61_000);
    }
    expect((await trySignIn(me.email, attacker)).status).toBe(429);
    for (let i = 0; i < 30; i++) await trySignIn(me.email, address());
    expect(await owner.api.auth.signIn({ email: me.email, password: PASSWORD })).toMatchObject({ id: me.id });
  });

  it('cannot be evaded with forged headers', async () => {
    const from = address();
    const spoofs = (i: number): Record<string, string> => ({
      // Only the last entry was written by our proxy.
      'x-forwarded-for': `10.9.8.${i}, 10.0.0.${i}, ${from}`,
      forwarded: `for=10.1.1.${i}`,
      'x-real-ip': `10.1.2.${i}`,
      'x-client-address': `10.1.3.${i}`,
      'x-client-ip': `10.1.4.${i}`,
      'cf-connecting-ip': `10.1.5.${i}`,
      'true-client-ip': `10.1.6.${i}`,
    });
    for (let i = 0; i < 5; i++) expect((await trySignIn('a@florka.test', from, spoofs(i))).status).toBe(401);
    expect((await trySignIn('a@florka.test', from, spoofs(9))).status).toBe(429);
  });
});

describe('rate limits without a proxy in front', () => {
  it('use the address of the socket only', async () => {
    for (let i = 0; i < 6; i++) {
      const response = await bare.post(
        '/api/auth/sign-in',
        { email: 'a@florka.test', password: 'wrong-password' },
        { headers: { 'x-forwarded-for': `203.0.113.${i}`, 'x-client-address': `203.0.113.${i}` } },
      );
      expect(response.status).toBe(i < 5 ? 401 : 429);
    }
  });
});

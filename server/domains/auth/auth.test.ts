import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { type Browser, type Person, signSession, startTestApp } from '#tests/support/test-app.ts';
import { readSessionToken } from './session-cookie.ts';

const app = await startTestApp({ trustProxy: 1 });
const bare = await startTestApp();

let serial = 0;
/** An address of its own, in a network of its own, for every person: limits by address count one story only. */
const address = () => `198.${Math.floor(++serial / 250)}.${serial % 250}.7`;
const email = () => `person${++serial}@florka.test`;
const PASSWORD = 'six-or-more';

/** Signs up from an address of its own. */
async function newcomer(over: Partial<Parameters<Browser['api']['auth']['signUp']>[0]> = {}, from = address()) {
  const browser = app.browser({ address: from });
  const me = await browser.api.auth.signUp({ email: email(), password: PASSWORD, ...over });
  return { browser, me };
}

const rowsOf = async (address: string) => ({
  users: await app.sql('select * from users where email = $1', [address]),
  sessions: await app.sql('select s.* from sessions s join users u on u.id = s.user_id where u.email = $1', [address]),
});

describe('sign-up', () => {
  it('makes account, forum profile, role and audit entry, and opens a session [AUTH-05..06] [AUTH-24] [AUTH-34..35] [AUTH-38] [DATA-48] [DATA-50] [AMB-05] [AMB-148]', async () => {
    const { browser, me } = await newcomer({ email: '  ANA@Florka.Test ', username: 'Ana la Maga' });
    expect(me).toEqual({
      id: me.id,
      email: 'ana@florka.test',
      emailVerified: false,
      username: 'Ana la Maga',
      role: 'user',
      isAdmin: false,
      isForumUser: true,
      moderatorRequestStatus: 'approved',
    });
    expect(await browser.api.auth.me()).toEqual(me);
    expect(await app.sql('select * from forum_users where new_auth_user_id = $1', [me.id])).toMatchObject([
      { username: 'Ana la Maga', migration_status: 'completed' },
    ]);
    expect(await app.sql('select * from user_roles where user_id = $1', [me.id])).toMatchObject([
      { role: 'user', moderator_request_status: 'approved', requested_at: null },
    ]);
    expect(await app.sql('select action from audit_events where actor_id = $1 order by id', [me.id])).toEqual([
      { action: 'member.signed_up' },
      { action: 'email.verification_sent' },
    ]);
    expect(await app.sql('select password from accounts where user_id = $1', [me.id])).toMatchObject([
      { password: expect.stringMatching(/^\$argon2id\$/) },
    ]);
  });

  it('makes a member who votes, posts and comments at once; visitors do none of it [APP-05] [AMB-148]', async () => {
    const { browser } = await newcomer();
    const visitor = app.browser({ address: address() });
    const candidate = { candidateId: (await app.candidate()).id };
    const note = { title: 'Buenas noches', content: '¿Quién gana esta ronda?' };
    const acts = [({ api }: Browser) => api.voting.cast(candidate), ({ api }: Browser) => api.forum.create(note)];
    for (const act of acts) await expect(act(visitor)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await browser.api.voting.cast(candidate)).toMatchObject({ totalVotes: 1 });
    const { id: postId } = await browser.api.forum.create(note);
    const comment = { postId, content: 'Yo digo que el ajolote.' };
    await expect(visitor.api.forum.comment(comment)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await browser.api.forum.comment(comment)).toMatchObject({ content: comment.content });
  });

  it.each(['forum_users', 'user_roles', 'audit_events'])(
    'leaves nothing behind when %s can not be written',
    async (table) => {
      const mail = email();
      await app.sql(`alter table ${table} add constraint no_more check (false) not valid`);
      try {
        const answer = await newcomer({ email: mail }).catch((error: { code?: string }) => error.code ?? 'failed');
        // An outage must not look like a fault of the visitor's.
        expect(answer).not.toBe('SIGN_UP_REFUSED');
        expect(answer).not.toHaveProperty('me');
      } finally {
        await app.sql(`alter table ${table} drop constraint no_more`);
      }
      expect(await rowsOf(mail)).toEqual({ users: [], sessions: [] });
      expect(await app.sql('select 1 from accounts where account_id = $1', [mail])).toEqual([]);
      await newcomer({ email: mail });
    },
  );

  it("gives a name without one: 'user_' and 8 random characters, nothing of a mailbox that its owner did not see there", async () => {
    for (const username of [undefined, '', '   ']) {
      const { me } = await newcomer({ email: email(), username });
      expect(me.username).toMatch(/^user_[0-9a-f]{8}$/);
    }
    // Nor where the account is made without the form.
    const mail = email();
    await app.sql(`insert into users (name, email) values ('x', $1)`, [mail]);
    const [made] = await app.sql(
      `select f.username from forum_users f join users u on u.id = f.new_auth_user_id where u.email = $1`,
      [mail],
    );
    expect(made?.['username']).toMatch(/^user_[0-9a-f]{8}$/);
  });

  it('never puts the e-mail where others can see it [FORUM-39] [AMB-31]', async () => {
    await newcomer();
    expect(await app.sql(`select 1 from forum_users where wallet_address like '%@%'`)).toEqual([]);
    await expect(
      app.sql(`insert into forum_users (username, wallet_address) values ('x-y-z', 'somebody@florka.test')`),
    ).rejects.toThrow(/check constraint/);
  });

  it('keeps a wish to be moderator as pending, never more [AUTH-36] [AUTH-40] [SEC-06] [TIME-08] [AMB-06]', async () => {
    const { me } = await newcomer({ requestModerator: true });
    expect(me).toMatchObject({ role: 'user', moderatorRequestStatus: 'pending' });
    const [role] = await app.sql('select * from user_roles where user_id = $1', [me.id]);
    expect(role?.['requested_at']).toBeInstanceOf(Date);
  });

  it.each([
    ['role', 'admin'],
    ['isAdmin', true],
    ['moderatorRequestStatus', 'approved'],
    ['moderator_request_status', 'approved'],
    ['emailVerified', true],
    ['email_verified', true],
    ['migration_status', 'completed'],
    ['id', '11111111-1111-4111-8111-111111111111'],
    ['userId', '11111111-1111-4111-8111-111111111111'],
    ['confirmed_at', '2026-01-01'],
  ])('refuses %s in the body', async (field, value) => {
    const mail = email();
    await expect(newcomer({ email: mail, [field]: value } as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await rowsOf(mail)).users).toEqual([]);
  });

  it('takes passwords from 6 characters on [AUTH-07] [AMB-151]', async () => {
    await expect(newcomer({ password: '12345' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(newcomer({ password: 'x'.repeat(257) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await newcomer({ password: 'x7k9qz' });
    await newcomer({ password: 'x'.repeat(256) });
  });

  it('takes usernames of 3 to 30 characters, trimmed [AUTH-06] [AMB-152]', async () => {
    for (const username of ['ab', 'x'.repeat(31), ' a '])
      await expect(newcomer({ username }), username).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await newcomer({ username: `  abc ` })).me.username).toBe('abc');
    const longest = 'y'.repeat(30);
    expect((await newcomer({ username: longest })).me.username).toBe(longest);
  });

  it.each(['', 'x', 'a@b', '@florka.test', 'a b@florka.test', `${'x'.repeat(250)}@florka.test`])(
    'refuses the e-mail "%s"',
    async (mail) => {
      await expect(newcomer({ email: mail })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  it('knows a username in any case, and says so [AMB-130] [AMB-152]', async () => {
    await newcomer({ username: 'Marioneta' });
    await expect(newcomer({ username: 'mARIONETA' })).rejects.toMatchObject({ code: 'USERNAME_TAKEN', status: 409 });
  });

  it('gives one name to one of ten who ask for it at once, in different cases', async () => {
    const names = ['Corona', 'CORONA', 'corona', 'cOrona', 'coRona', 'corOna', 'coroNa', 'coronA', 'COrona', 'CORona'];
    const results = await Promise.allSettled(names.map((username) => newcomer({ username })));
    const codes = results.map((result) =>
      result.status === 'fulfilled' ? 'ok' : (result.reason as { code?: string }).code,
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'USERNAME_TAKEN')).toHaveLength(9);
    expect(await app.sql(`select 1 from forum_users where lower(username) = 'corona'`)).toHaveLength(1);
  });

  it('refuses an e-mail that has an account, without saying why, in any case', async () => {
    const mail = email();
    await newcomer({ email: mail });
    await expect(newcomer({ email: mail.toUpperCase() })).rejects.toMatchObject({
      code: 'SIGN_UP_REFUSED',
      status: 409,
    });
    expect((await rowsOf(mail)).sessions).toHaveLength(1);
  });

  it('mails the owner of a mailbox that somebody tried to sign up with, once a day', async () => {
    const mail = email();
    await newcomer({ email: mail });
    const sent = () => app.sql(`select template from mails where to_address = '${mail}' and template = 'signUpTried'`);
    expect(await sent()).toHaveLength(0);
    for (let i = 0; i < 3; i++)
      await expect(newcomer({ email: mail })).rejects.toMatchObject({ code: 'SIGN_UP_REFUSED' });
    expect(await sent()).toHaveLength(1);
  });

  it('gives one e-mail to one of five at once', async () => {
    const mail = email();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => newcomer({ email: mail })));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'SIGN_UP_REFUSED' });
    expect((await rowsOf(mail)).users).toHaveLength(1);
  });

  it.each(['username', 'email', 'password'] as const)(
    'answers a NUL character in the %s without failing',
    async (field) => {
      const value = { username: 'nul\0name', email: `nul\0${++serial}@florka.test`, password: 'nul\0nul\0' }[field];
      const response = await app.post(
        '/api/auth/sign-up',
        { email: email(), password: PASSWORD, [field]: value },
        { headers: { 'x-forwarded-for': address() } },
      );
      expect(response.status).toBeLessThan(500);
    },
  );
});

describe('sign-in', () => {
  it('opens a session with the right password, whatever the case of the e-mail [AUTH-23] [AUTH-27] [AUTH-32]', async () => {
    const { me } = await newcomer({ password: 'Contraseña larga' });
    const browser = app.browser({ address: address() });
    expect(await browser.api.auth.me()).toBeNull();
    // The same letters, composed in another way.
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

  it('gives a new session each time, never the one that was sent along', async () => {
    const { browser, me } = await newcomer();
    const before = browser.cookie;
    await browser.api.auth.signIn({ email: me.email, password: PASSWORD });
    expect(browser.cookie).not.toBe(before);
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
    // The right password left no session, and a line for the operator that a wrong one does not get.
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
    // The tests' own people sign the same way.
    expect(signSession(token, app.secret)).toBe(browser.cookie);
  });

  it('travels in a cookie that scripts and other sites do not get', async () => {
    const { browser } = await newcomer();
    await browser.api.auth.signIn({ email: (await browser.api.auth.me())?.email ?? '', password: PASSWORD });
    const line = browser.received.find((cookie) => cookie.startsWith('florka.session_token'));
    expect(line).toMatch(/; HttpOnly/);
    expect(line).toMatch(/; SameSite=Lax/);
    expect(line).toMatch(/; Path=\//);
    expect(line).toMatch(/; Max-Age=604800/);
  });

  it('is not accepted with a wrong, cut or missing signature, nor from another secret', async () => {
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

  it('ends with sign-out, for everybody who holds the cookie; once more does no harm [AUTH-25]', async () => {
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
  ])('gives nothing when it is %s', async (_name, change) => {
    const person = await app.member();
    expect(await app.as(person).auth.me()).not.toBeNull();
    await app.sql(change, [person.id]);
    expect(await app.as(person).auth.me()).toBeNull();
    await expect(app.as(person).saved.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is prolonged once a day, with a new cookie [AUTH-26] [AUTH-33] [AMB-157]', async () => {
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

  it('gives a role only as long as the tables do [AUTH-37] [AUTH-43..44] [DATA-53] [SEC-11..12] [SEC-15..16] [AMB-32]', async () => {
    // One admin has to stay.
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

describe('limits', () => {
  const trySignIn = (mail: string, from: string, headers: Record<string, string> = {}) =>
    app.post(
      '/api/auth/sign-in',
      { email: mail, password: 'wrong-password' },
      { headers: { 'x-forwarded-for': from, ...headers } },
    );

  it('are 5 sign-ins a minute from one address, 429 with the seconds to wait', async () => {
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

  it('are 30 sign-ins an hour from one address', async () => {
    const from = address();
    for (let i = 0; i < 30; i++) {
      expect((await trySignIn(`p${i}@florka.test`, from)).status).toBe(401);
      app.pass(60_000);
    }
    const refused = await trySignIn('p@florka.test', from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBe(1_800);
  });

  it('are 3 sign-ups an hour and 10 a day from one address', async () => {
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
    // The refused try of the first hour made no account, and does not count for the day.
    expect(day).toEqual([...Array(10).fill('ok'), 'RATE_LIMITED', 'RATE_LIMITED']);
    app.pass(20 * 3_600_000);
    expect(await join()).toBe('ok');
  });

  it('leave the accounts of an address to those who get one: a taken name or e-mail uses none up', async () => {
    const from = address();
    const { email } = (await newcomer()).me;
    const codeOf = (over: object, at = from) =>
      newcomer(over, at).then(
        () => 'ok',
        (error: { code: string }) => error.code,
      );
    for (let i = 0; i < 8; i++) expect(await codeOf({ email })).toBe('SIGN_UP_REFUSED');
    expect(await codeOf({ password: 'short' })).toBe('BAD_REQUEST');
    for (let i = 0; i < 3; i++) expect(await codeOf({})).toBe('ok');
    expect(await codeOf({})).toBe('RATE_LIMITED');
    // Many tries are a search for addresses that have an account: those have a limit of their own.
    const searcher = address();
    for (let i = 0; i < 20; i++) expect(await codeOf({ email }, searcher)).toBe('SIGN_UP_REFUSED');
    expect(await codeOf({ email }, searcher)).toBe('RATE_LIMITED');
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

  it('of one account and address are 10 an hour; nobody elsewhere can lock the owner out of a known browser', async () => {
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

  it('can not be escaped with headers of the own making', async () => {
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

describe('limits without a proxy in front', () => {
  it('believe the socket alone', async () => {
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

describe('claiming an admin invitation', () => {
  const invite = (mail: string, over: { claimed_by?: string } = {}) =>
    app.sql('insert into admin_users (email, claimed_by) values ($1, $2)', [mail, over.claimed_by ?? null]);
  /** The refusal as it is sent. */
  const refusalOf = async (person: Person, mail: string) => {
    const response = await app.post(
      '/api/auth/link-admin',
      { email: mail },
      { headers: { cookie: person.cookie, 'x-forwarded-for': address() } },
    );
    return { status: response.status, body: await response.text() };
  };

  it('needs a session [AUTH-21]', async () => {
    await expect(app.as().auth.linkAdmin({ email: 'a@florka.test' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('refuses every variant but the right one, always with the same answer [AUTH-13] [AUTH-41] [AMB-03]', async () => {
    const boss = await app.member({ role: 'admin', verified: true });
    const other = await app.member({ verified: true });
    const admins = await app.sql('select id from admin_profiles');
    await invite(other.email);
    const verified = () => app.member({ verified: true });

    const unverified = await app.member();
    await invite(unverified.email);
    const uninvited = await verified();
    const late = await verified();
    await invite(late.email, { claimed_by: boss.id });

    const answers = [
      await refusalOf(unverified, unverified.email), // own invitation, mailbox not proven
      await refusalOf(uninvited, uninvited.email), // no invitation
      await refusalOf(await verified(), other.email), // somebody else's invitation
      await refusalOf(await verified(), boss.email), // an existing admin's e-mail
      await refusalOf(await verified(), 'nobody@florka.test'),
      await refusalOf(late, late.email), // claimed before
    ];
    expect(answers[0]).toMatchObject({ status: 403 });
    expect(answers[0]?.body).toContain('LINK_REFUSED');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await app.sql('select id from admin_profiles')).toEqual(admins);
    expect(
      await app.sql('select claimed_by from admin_users where email = any($1)', [[unverified.email, other.email]]),
    ).toEqual([{ claimed_by: null }, { claimed_by: null }]);
  });

  it('takes no user id from the body', async () => {
    const ana = await app.member({ verified: true });
    const body = { email: ana.email, p_auth_user_id: ana.id };
    await expect(app.as(ana).auth.linkAdmin(body as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('works for the invited with a proven mailbox, at once, and is audited [AUTH-13] [AUTH-31] [AUTH-41]', async () => {
    const ana = await app.member({ verified: true });
    await invite(ana.email);
    expect(await app.as(ana).auth.linkAdmin({ email: ana.email.toUpperCase() })).toMatchObject({
      role: 'admin',
      isAdmin: true,
    });
    expect(await app.as(ana).auth.me()).toMatchObject({ isAdmin: true });
    expect(
      await app.sql(`select action from audit_events where actor_id = $1 order by id desc limit 1`, [ana.id]),
    ).toEqual([{ action: 'admin.invitation_claimed' }]);
    await expect(app.as(ana).auth.linkAdmin({ email: ana.email })).rejects.toMatchObject({ code: 'LINK_REFUSED' });
  });

  it('works for one of two at once', async () => {
    const ana = await app.member({ verified: true });
    await invite(ana.email);
    const results = await Promise.allSettled([1, 2].map(() => app.as(ana).auth.linkAdmin({ email: ana.email })));
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('may be tried 5 times an hour', async () => {
    const ana = await app.member({ verified: true });
    for (let i = 0; i < 5; i++)
      await expect(app.as(ana).auth.linkAdmin({ email: ana.email })).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    await invite(ana.email);
    await expect(app.as(ana).auth.linkAdmin({ email: ana.email })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    app.pass(3_600_000);
    expect(await app.as(ana).auth.linkAdmin({ email: ana.email })).toMatchObject({ isAdmin: true });
  });
});

describe('claiming a legacy forum profile', () => {
  async function legacy(mail: string | null, over: { owner?: string; name?: string } = {}) {
    const [row] = await app.sql<{ id: string }>(
      `insert into forum_users (username, wallet_address, migration_status, legacy_email, new_auth_user_id)
       values ($1, 'wallet-' || $1, 'pending', $2, $3) returning id`,
      [over.name ?? `legacy${++serial}`, mail, over.owner ?? null],
    );
    return row?.id ?? '';
  }
  const refusalOf = async (person: Person, forumUserId: string) => {
    const response = await app.post(
      '/api/auth/link-forum-user',
      { forumUserId },
      { headers: { cookie: person.cookie, 'x-forwarded-for': address() } },
    );
    return { status: response.status, body: await response.text() };
  };

  it('refuses every variant but the right one, always with the same answer [AUTH-14] [AUTH-42] [AMB-04]', async () => {
    const verified = () => app.member({ verified: true });
    const victim = await verified();
    const theirs = await legacy(victim.email);
    const unverified = await app.member();
    const [own] = await app.sql<{ id: string }>('select id from forum_users where new_auth_user_id = $1', [victim.id]);
    const someone = await verified();
    const taken = await legacy(someone.email);
    await app.sql('update forum_users set new_auth_user_id = null where new_auth_user_id = $1', [victim.id]);
    await app.sql('update forum_users set new_auth_user_id = $1 where id = $2', [victim.id, taken]);

    const answers = [
      await refusalOf(await verified(), theirs), // another's proven e-mail is stored there
      await refusalOf(unverified, await legacy(unverified.email)), // own, mailbox not proven
      await refusalOf(await verified(), await legacy(null)), // nothing stored: only an admin can link it
      await refusalOf(someone, taken), // linked already
      await refusalOf(await verified(), own?.id ?? ''), // a present member's profile, unlinked by force
      await refusalOf(await verified(), '11111111-1111-4111-8111-111111111111'),
      await refusalOf(await verified(), 'no-uuid'),
      await refusalOf(await verified(), "' or true --"),
    ];
    expect(answers[0]).toMatchObject({ status: 403 });
    expect(answers[0]?.body).toContain('LINK_REFUSED');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await app.sql('select new_auth_user_id from forum_users where id = $1', [theirs])).toEqual([
      { new_auth_user_id: null },
    ]);
  });

  it('moves the posts under the legacy name, never a right [AUTH-14] [AUTH-31] [AUTH-42]', async () => {
    const ana = await app.member({ verified: true });
    const profile = await legacy(ana.email, { name: 'Titiritera Mayor' });
    await app.sql(
      `insert into forum_posts (title, content, forum_user_id) values ('mine', 'x', $1), ('old', 'x', $2)`,
      [ana.id, profile],
    );
    const me = await app.as(ana).auth.linkForumUser({ forumUserId: profile });
    expect(me).toMatchObject({ username: 'Titiritera Mayor', role: 'user', isAdmin: false, isForumUser: true });
    expect(await app.sql('select title from forum_posts where forum_user_id = $1 order by 1', [profile])).toEqual([
      { title: 'mine' },
      { title: 'old' },
    ]);
    expect(await app.sql('select * from forum_users where new_auth_user_id = $1', [ana.id])).toMatchObject([
      { id: profile, migration_status: 'completed', legacy_email: null },
    ]);
  });

  it('works for one of two at once', async () => {
    const ana = await app.member({ verified: true });
    const forumUserId = await legacy(ana.email);
    const results = await Promise.allSettled([1, 2].map(() => app.as(ana).auth.linkForumUser({ forumUserId })));
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await app.as(ana).auth.me()).toMatchObject({ isForumUser: true });
  });
});

describe('names that speak for the site, or look like others', () => {
  const signUp = (username: string | undefined, email: string) =>
    app.browser({ address: `198.51.7.${Math.floor(Math.random() * 250) + 1}` }).api.auth.signUp({
      email,
      password: 'twelve-or-more',
      ...(username === undefined ? {} : { username }),
    });
  it('are taken for new accounts and for changes, also spelled in other signs', async () => {
    await expect(signUp('Adm1n', 'reserved1@florka.test')).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    const member = await app.member();
    await expect(app.as(member).account.setUsername({ username: 'ｓｏｐｏｒｔｅ' })).rejects.toMatchObject({
      code: 'USERNAME_TAKEN',
    });
  });
  it('are cleaned alike in both, so that nobody is twice', async () => {
    const made = await signUp('Ma\u200brta\u202e  Ruiz', 'reserved2@florka.test');
    expect(made.username).toBe('Marta Ruiz');
    const member = await app.member();
    await expect(app.as(member).account.setUsername({ username: 'ＭＡＲＴＡ\u3000ＲＵＩＺ' })).rejects.toMatchObject({
      code: 'USERNAME_TAKEN',
    });
  });
  it('are refused where alphabets are mixed, or nothing is seen', async () => {
    for (const name of ['mаrta', '\u3164\u3164\u3164'])
      await expect(signUp(name, 'reserved3@florka.test')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
  it('have one key where they look alike, which is unique in the database', async () => {
    await signUp('Coral Marin', 'lookalike@florka.test');
    for (const like of [
      'C0ral Marin',
      'CoraI Marin',
      'coral  marin',
      'Córal Marín',
      'Coral Marín',
      'CoralMarin',
      'coraⅼ marin',
    ]) {
      await expect(signUp(like, `l${Math.random()}@florka.test`), like).rejects.toMatchObject({
        code: 'USERNAME_TAKEN',
      });
      await expect(
        app.sql(`insert into forum_users (username, wallet_address) values ($1, $2)`, [like, `w${Math.random()}`]),
        like,
      ).rejects.toThrow(/forum_users_name_key/);
    }
    // Of one alphabet, so that the form lets it pass: Cyrillic alone.
    await signUp('cope', 'cope@florka.test');
    await expect(signUp('соре', 'cope2@florka.test')).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    await expect(signUp('Femando', 'femando@florka.test')).resolves.toBeTruthy();
    await expect(signUp('Fernando', 'fernando@florka.test')).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
  });
});

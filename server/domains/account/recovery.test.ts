import { describe, expect, it, vi } from 'vitest';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { withMinDuration } from './min-duration.ts';

// The delay itself has its own test; here the calls are only counted.
vi.mock('./min-duration.ts', () => ({ withMinDuration: vi.fn((work: () => Promise<unknown>) => work()) }));

const app = await startTestApp({ trustProxy: 1 });
const { address, email, mailsTo, newcomer, newestCode, newestToken, signIn, tokenIn, withSecondFactor } = peopleOf(app);
const NEXT = 'a-new-password';

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );
const visitor = (from = address()) => app.browser({ address: from }).api.account;
const tokens = (id: string) => app.sql('select purpose, used_at from account_tokens where user_id = $1', [id]);
const actions = async (id: string) =>
  (await app.sql<{ action: string }>('select action from audit_events where resource_id = $1 order by id', [id])).map(
    (row) => row.action,
  );

describe('the reset of a forgotten password', () => {
  it('works once with the mailed link; all sessions end and no new one is opened [AUTH-29] [AUTH-33] [AMB-149]', async () => {
    const ana = await newcomer({ verified: true });
    const other = await signIn(ana.email);
    expect(await visitor().requestPasswordReset({ email: ` ${ana.email.toUpperCase()} `, locale: 'en' })).toEqual({
      ok: true,
    });
    const mail = (await mailsTo(ana.email)).at(-1);
    expect(mail?.subject).toBe('Reset your password');
    expect(mail?.text).toContain('http://florka.test/en/reset#token=');
    const token = tokenIn(mail);
    expect(token).toMatch(/^[\w-]{43}$/);

    const reset = app.browser({ address: address() });
    await reset.api.account.resetPassword({ token, password: NEXT, locale: 'es' });
    expect(reset.cookie).toBe('');
    expect(await ana.api.auth.me()).toBeNull();
    expect(await other.api.auth.me()).toBeNull();
    expect(await codeOf(signIn(ana.email, PASSWORD))).toBe('INVALID_CREDENTIALS');
    await signIn(ana.email, NEXT);
    expect((await mailsTo(ana.email)).at(-1)?.subject).toBe('Tu contraseña ha cambiado');
    expect(await codeOf(visitor().resetPassword({ token, password: 'once-more', locale: 'es' }))).toBe('TOKEN_REFUSED');
    expect(await actions(ana.id)).toEqual(expect.arrayContaining(['password.reset_asked', 'password.reset']));
  });

  it('works once when the link is used in five concurrent requests', async () => {
    const ana = await newcomer();
    await visitor().requestPasswordReset({ email: ana.email, locale: 'es' });
    const token = await newestToken(ana.email);
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        codeOf(visitor().resetPassword({ token, password: `password-${i}`, locale: 'es' })),
      ),
    );
    expect(results.toSorted()).toEqual([...Array(4).fill('TOKEN_REFUSED'), 'ok']);
  });

  it('requires the newest link of its purpose, within 15 minutes; only hashes of tokens are stored', async () => {
    const ana = await newcomer();
    const welcome = await newestToken(ana.email);
    await visitor().requestPasswordReset({ email: ana.email, locale: 'es' });
    const first = await newestToken(ana.email);
    await visitor().requestPasswordReset({ email: ana.email, locale: 'es' });
    const second = await newestToken(ana.email);
    const attempt = (token: string) => codeOf(visitor().resetPassword({ token, password: NEXT, locale: 'es' }));
    expect(await attempt(first)).toBe('TOKEN_REFUSED');
    expect(await attempt(welcome)).toBe('TOKEN_REFUSED');
    expect(await attempt(`${second.slice(0, -1)}-`)).toBe('TOKEN_REFUSED');
    expect(await attempt('x'.repeat(43))).toBe('TOKEN_REFUSED');
    const dump = JSON.stringify(
      await app.sql('select *, encode(token_hash, $1) as hex from account_tokens', ['escape']),
    );
    expect(dump).not.toContain(second);
    app.pass(15 * 60_000);
    expect(await attempt(second)).toBe('TOKEN_REFUSED');
    await visitor().requestPasswordReset({ email: ana.email, locale: 'es' });
    const third = await newestToken(ana.email);
    app.pass(15 * 60_000 - 1_000);
    expect(await attempt(third)).toBe('ok');
  });

  it('mails a link to the configured site, whatever host the request names', async () => {
    const ana = await newcomer();
    const headers = { 'x-forwarded-for': address(), 'x-forwarded-host': 'evil.test', host: 'evil.test' };
    await app.post('/api/auth/password-reset', { email: ana.email, locale: 'es' }, { headers });
    const mail = (await mailsTo(ana.email)).at(-1);
    expect(mail?.text).toContain('http://florka.test/reset#token=');
    expect(mail?.text).not.toContain('evil');
  });

  it('does not replace the second factor at the next sign-in', async () => {
    const ana = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    await visitor().requestPasswordReset({ email: ana.email, locale: 'es' });
    await visitor().resetPassword({ token: await newestToken(ana.email), password: NEXT, locale: 'es' });
    const again = app.browser({ address: address() });
    expect(await codeOf(again.api.auth.signIn({ email: ana.email, password: NEXT }))).toBe('SECOND_FACTOR_NEEDED');
    expect(await again.api.auth.me()).toBeNull();
    expect(await again.api.account.provideSecondFactor({ code: code() })).toMatchObject({ id: ana.id });
  });

  it('sets a password for a member who had none', async () => {
    const person = await app.member({ verified: true });
    await visitor().requestPasswordReset({ email: person.email, locale: 'es' });
    await visitor().resetPassword({ token: await newestToken(person.email), password: NEXT, locale: 'es' });
    expect(await (await signIn(person.email, NEXT)).api.auth.me()).toMatchObject({ id: person.id });
  });
});

describe('requesting a mail', () => {
  const paths = ['/api/auth/password-reset', '/api/auth/code'];

  it.each(paths)('gives the same answer at %s for known, banned and unknown e-mails [AMB-156]', async (path) => {
    const ana = await newcomer();
    const banned = await newcomer();
    await app.sql(`update users set banned_until = 'infinity' where id = $1`, [banned.id]);
    const before = (await app.deliverMails()).length;
    const answers = [];
    for (const mail of [ana.email, banned.email, email()]) {
      vi.mocked(withMinDuration).mockClear();
      const response = await app.post(
        path,
        { email: mail, locale: 'es' },
        { headers: { 'x-forwarded-for': address() } },
      );
      const { date: _, 'set-cookie': cookie = '', ...headers } = Object.fromEntries(response.headers);
      expect(vi.mocked(withMinDuration)).toHaveBeenCalledOnce();
      // The cookie for a code is as random for an unknown e-mail as for a known one.
      const mark = cookie.replace(/=[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21};/, '=random;');
      answers.push({ status: response.status, body: await response.text(), headers, mark });
    }
    expect(answers[0]).toMatchObject({ status: 200 });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect((await app.deliverMails()).slice(before).map((mail) => mail.to)).toEqual([ana.email]);
  });

  it.each(paths)('has the same rate limits at %s whether or not there is an account', async (path) => {
    const ana = await newcomer();
    for (const mail of [ana.email, email()]) {
      const headers = { 'x-forwarded-for': address() };
      const statuses = [];
      for (let i = 0; i < 4; i++)
        statuses.push((await app.post(path, { email: mail, locale: 'es' }, { headers })).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
  });

  it('silently sends at most 5 mails an hour, except at requests from an IP known for the account', async () => {
    const ana = await newcomer();
    const received = async () => (await mailsTo(ana.email)).length;
    const start = await received();
    for (let i = 0; i < 8; i++) await visitor().requestPasswordReset({ email: ana.email, locale: 'es' });
    expect((await received()) - start).toBe(5);
    await visitor(ana.address).requestPasswordReset({ email: ana.email, locale: 'es' });
    expect((await received()) - start).toBe(6);
    expect(
      await codeOf(visitor().resetPassword({ token: await newestToken(ana.email), password: NEXT, locale: 'es' })),
    ).toBe('ok');
  });
});

describe('a sign-in code', () => {
  it('opens a session, once [AUTH-30] [AMB-149]', async () => {
    const ana = await newcomer({ verified: true });
    const browser = app.browser({ address: address() });
    await browser.api.account.requestSignInCode({ email: ana.email, locale: 'en' });
    const mail = (await mailsTo(ana.email)).at(-1);
    expect(mail?.subject).toMatch(/^\d{6} is your sign-in code$/);
    const code = await newestCode(ana.email);
    expect(await browser.api.account.signInWithCode({ email: ana.email, code })).toMatchObject({ id: ana.id });
    expect(await browser.api.auth.me()).toMatchObject({ id: ana.id });
    // The mailbox was proven before: the account is not changed.
    expect(await ana.api.auth.me()).toMatchObject({ id: ana.id });
    await signIn(ana.email);
    expect(await codeOf(browser.api.account.signInWithCode({ email: ana.email, code }))).toBe('WRONG_CODE');
  });

  it('notifies the member when it deletes the password of an account with an unconfirmed mailbox', async () => {
    const ana = await newcomer();
    const { api } = app.browser({ address: address() });
    await api.account.requestSignInCode({ email: ana.email, locale: 'en' });
    await api.account.signInWithCode({ email: ana.email, code: await newestCode(ana.email) });
    expect((await api.notifications.list({})).items).toMatchObject([{ kind: 'security', detail: 'password_gone' }]);
    expect((await mailsTo(ana.email)).at(-1)?.subject).toBe('Your account has no password any more');
  });

  it('is bound to the browser that requested it: others can neither use, exhaust nor invalidate it', async () => {
    const ana = await newcomer({ verified: true });
    const own = app.browser({ address: address() }).api.account;
    await own.requestSignInCode({ email: ana.email, locale: 'es' });
    const code = await newestCode(ana.email);
    for (let i = 0; i < 6; i++)
      expect(await codeOf(visitor().signInWithCode({ email: ana.email, code }))).toBe('WRONG_CODE');
    const stranger = app.browser({ address: address() }).api.account;
    await stranger.requestSignInCode({ email: ana.email, locale: 'es' });
    for (let i = 0; i < 6; i++)
      expect(await codeOf(stranger.signInWithCode({ email: ana.email, code }))).toBe('WRONG_CODE');
    expect(await codeOf(own.signInWithCode({ email: ana.email, code }))).toBe('ok');
  });

  it('becomes invalid after 10 minutes, with the next code, and after 5 wrong attempts', async () => {
    const ana = await newcomer({ verified: true });
    // Three codes an hour for one browser.
    let { account } = app.browser({ address: address() }).api;
    const ask = async () => {
      await account.requestSignInCode({ email: ana.email, locale: 'es' });
      return newestCode(ana.email);
    };
    const attempt = (code: string) => codeOf(account.signInWithCode({ email: ana.email, code }));
    const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

    const late = await ask();
    app.pass(10 * 60_000);
    expect(await attempt(late)).toBe('WRONG_CODE');
    const first = await ask();
    const second = await ask();
    if (first !== second) expect(await attempt(first)).toBe('WRONG_CODE');
    for (let i = 0; i < 3; i++) expect(await attempt(wrong(second))).toBe('WRONG_CODE');
    expect(await attempt(second)).toBe('ok');
    ({ account } = app.browser({ address: address() }).api);
    const third = await ask();
    for (let i = 0; i < 5; i++) expect(await attempt(wrong(third))).toBe('WRONG_CODE');
    expect(await attempt(third)).toBe('WRONG_CODE');
  });

  it('is refused for another member, for an unknown e-mail, and when its member is banned', async () => {
    const ana = await newcomer({ verified: true });
    const ben = await newcomer({ verified: true });
    const asking = app.browser({ address: address() }).api.account;
    await asking.requestSignInCode({ email: ana.email, locale: 'es' });
    const code = await newestCode(ana.email);
    expect(await codeOf(asking.signInWithCode({ email: ben.email, code }))).toBe('WRONG_CODE');
    expect(await codeOf(asking.signInWithCode({ email: email(), code }))).toBe('WRONG_CODE');
    await app.sql(`update users set banned_until = 'infinity' where id = $1`, [ana.id]);
    expect(await codeOf(asking.signInWithCode({ email: ana.email, code }))).toBe('WRONG_CODE');
  });

  it('is limited to 10 attempts an hour per IP address; attempts of others do not lock the owner out', async () => {
    const ana = await newcomer({ verified: true });
    const from = address();
    for (let i = 0; i < 10; i++)
      expect(await codeOf(visitor(from).signInWithCode({ email: ana.email, code: '123456' }))).toBe('WRONG_CODE');
    expect(await codeOf(visitor(from).signInWithCode({ email: ana.email, code: '123456' }))).toBe('RATE_LIMITED');
    await signIn(ana.email);
    const own = app.browser({ address: address() }).api.account;
    await own.requestSignInCode({ email: ana.email, locale: 'es' });
    expect(await codeOf(own.signInWithCode({ email: ana.email, code: await newestCode(ana.email) }))).toBe('ok');
  });

  it('is only the first step for a member with a second factor', async () => {
    const ana = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    const browser = app.browser({ address: address() });
    await browser.api.account.requestSignInCode({ email: ana.email, locale: 'es' });
    const mailed = await newestCode(ana.email);
    expect(await codeOf(browser.api.account.signInWithCode({ email: ana.email, code: mailed }))).toBe(
      'SECOND_FACTOR_NEEDED',
    );
    expect(await browser.api.auth.me()).toBeNull();
    expect(await browser.api.account.provideSecondFactor({ code: code() })).toMatchObject({ id: ana.id });
  });
});

// "Pre-hijacked accounts" (Sudhodanan and Paverd, 2022): an attacker signs up with the e-mail of a person without an account, and
// retains access until that person joins. Two of the five variants need sign-in through other providers, which do not exist here.
describe('an account created with somebody else’s e-mail', () => {
  /** The attacker's account and browser; the victim owns the mailbox. */
  const attack = () => newcomer({ password: 'attackers-password' });
  const claims = {
    'a new password': async (victim: string) => {
      await visitor().requestPasswordReset({ email: victim, locale: 'es' });
      await visitor().resetPassword({ token: await newestToken(victim), password: NEXT, locale: 'es' });
      return signIn(victim, NEXT);
    },
    'a sign-in code': async (victim: string) => {
      const browser = app.browser({ address: address() });
      await browser.api.account.requestSignInCode({ email: victim, locale: 'es' });
      await browser.api.account.signInWithCode({ email: victim, code: await newestCode(victim) });
      return browser;
    },
  };

  it('cannot be merged with the account of a sign-in provider, since there are none [AUTH-31]', async () => {
    const { options } = app.services.auth;
    expect(options).not.toHaveProperty('socialProviders');
    expect(options).not.toHaveProperty('plugins');
  });

  it.each(Object.entries(claims))(
    'passes to the mailbox owner who uses %s: the session of the attacker ends',
    async (_n, claim) => {
      const attacker = await attack();
      const victim = await claim(attacker.email);
      expect(await victim.api.auth.me()).toMatchObject({ id: attacker.id, emailVerified: true });
      expect(await attacker.api.auth.me()).toBeNull();
      expect(await codeOf(signIn(attacker.email, 'attackers-password'))).toBe('INVALID_CREDENTIALS');
      expect(await victim.api.account.sessions()).toHaveLength(1);
    },
  );

  it.each(Object.entries(claims))(
    'passes to the mailbox owner who uses %s: a pending e-mail change is cancelled',
    async (_n, claim) => {
      const attacker = await attack();
      const own = email();
      await attacker.api.account.changeEmail({ email: own, password: 'attackers-password', locale: 'es' });
      const link = await newestToken(own);
      const victim = await claim(attacker.email);
      expect((await victim.api.account.overview()).pendingEmail).toBeNull();
      expect(await codeOf(attacker.api.account.verifyEmail({ token: link }))).toBe('TOKEN_REFUSED');
      expect(await codeOf(victim.api.account.verifyEmail({ token: link }))).toBe('TOKEN_REFUSED');
      expect((await victim.api.auth.me())?.email).toBe(attacker.email);
    },
  );

  it.each(Object.entries(claims))(
    'passes to the mailbox owner who uses %s: the second factor and a begun sign-in are deleted',
    async (_n, claim) => {
      const attacker = await attack();
      // It can't be set up, because the mailbox is not confirmed …
      expect(await codeOf(attacker.api.account.startSecondFactor({ password: 'attackers-password' }))).toBe(
        'FORBIDDEN',
      );
      // … and would be deleted if there were one.
      await app.sql(`insert into second_factors (user_id, secret, confirmed_at) values ($1, '\\x00', now())`, [
        attacker.id,
      ]);
      const waiting = app.browser({ address: address() });
      expect(await codeOf(waiting.api.auth.signIn({ email: attacker.email, password: 'attackers-password' }))).toBe(
        'SECOND_FACTOR_NEEDED',
      );
      const victim = await claim(attacker.email);
      expect(await victim.api.account.overview()).toMatchObject({ secondFactor: false, recoveryCodesLeft: 0 });
      expect(await codeOf(waiting.api.account.provideSecondFactor({ code: '123456' }))).toBe('UNAUTHORIZED');
    },
  );

  it('leaves the attacker no reset link that is valid after the owner has taken it over', async () => {
    const attacker = await attack();
    await visitor().requestPasswordReset({ email: attacker.email, locale: 'es' });
    const early = await newestToken(attacker.email);
    await claims['a sign-in code'](attacker.email);
    expect(await codeOf(visitor().resetPassword({ token: early, password: 'mine-again', locale: 'es' }))).toBe(
      'TOKEN_REFUSED',
    );
    expect((await tokens(attacker.id)).filter((row) => row['used_at'] === null)).toEqual([]);
  });

  it('is not confirmed when the mailbox owner only opens the confirmation link', async () => {
    const attacker = await attack();
    const token = await newestToken(attacker.email);
    await app.sql('insert into admin_users (email) values ($1)', [attacker.email]);
    expect(await codeOf(visitor().verifyEmail({ token }))).toBe('UNAUTHORIZED');
    const victim = await newcomer();
    expect(await codeOf(victim.api.account.verifyEmail({ token }))).toBe('UNAUTHORIZED');
    expect(await attacker.api.auth.me()).toMatchObject({ emailVerified: false });
    expect(await codeOf(attacker.api.auth.linkAdmin({ email: attacker.email }))).toBe('LINK_REFUSED');
  });

  it('cannot be moved to the mailbox of another person who only opens the link', async () => {
    const attacker = await newcomer({ verified: true });
    const victim = email();
    await attacker.api.account.changeEmail({ email: victim, password: PASSWORD, locale: 'es' });
    const token = await newestToken(victim);
    expect(await codeOf(visitor().verifyEmail({ token }))).toBe('UNAUTHORIZED');
    expect(await attacker.api.auth.me()).toMatchObject({ email: attacker.email });
    // The owner's own account is created as usual.
    expect(await newcomer({ email: victim })).toMatchObject({ email: victim });
    expect(await codeOf(attacker.api.account.verifyEmail({ token }))).toBe('TOKEN_REFUSED');
  });
});

import { describe, expect, it } from 'vitest';
import { PASSWORD, peopleOf, totp } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { describeSecret, makeSecret, openSecret, sealSecret, stepAt, stepOf } from './totp.ts';

const app = await startTestApp({ trustProxy: 1 });
const { address, mailsTo, newcomer, newestToken, signIn, withSecondFactor } = peopleOf(app);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );

/** A browser that completed the first step. */
async function firstStep(email: string, from = address(), password = PASSWORD) {
  const browser = app.browser({ address: from });
  expect(await codeOf(browser.api.auth.signIn({ email, password }))).toBe('SECOND_FACTOR_NEEDED');
  return browser;
}

describe('time-based codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %i s', (seconds, code) => {
    const at = new Date(seconds * 1_000);
    expect(stepOf(Buffer.from('12345678901234567890'), code, at, 0)).toBe(stepAt(at));
  });

  it('are valid one step before and after, and only later than the last one used', () => {
    const secret = makeSecret();
    const now = new Date('2026-03-10T12:00:10Z');
    const step = stepAt(now);
    const text = describeSecret(secret, { account: 'ana', siteName: 'Florka' }).secret;
    // Implemented independently of the library.
    const codeAt = (one: number) => totp(text, one * 30_000);
    for (const [away, wanted] of [
      [-2, null],
      [-1, step - 1],
      [0, step],
      [1, step + 1],
      [2, null],
    ] as const)
      expect(stepOf(secret, codeAt(step + away), now, 0), String(away)).toBe(wanted);
    expect(stepOf(secret, codeAt(step), now, step)).toBeNull();
    expect(stepOf(secret, codeAt(step - 1), now, step)).toBeNull();
    const right = codeAt(step);
    for (const odd of ['', '12345', 'abcdef', 'áéíóúñ', `${right}7`, ` ${right}`, 'abcde-fghjk'])
      expect(stepOf(secret, odd, now, 0), odd).toBeNull();
  });

  it('come from a secret encrypted for one member and one server', () => {
    const secret = makeSecret();
    const sealed = sealSecret(secret, 'server', 'ana');
    expect(sealed.includes(secret)).toBe(false);
    expect(openSecret(sealed, 'server', 'ana')).toEqual(secret);
    expect(openSecret(sealed, 'server', 'ben')).toBeNull();
    expect(openSecret(sealed, 'other', 'ana')).toBeNull();
    const bent = Buffer.from(sealed);
    bent[14] = (bent[14] ?? 0) ^ 1;
    expect(openSecret(bent, 'server', 'ana')).toBeNull();
  });

  it('are set up by a QR code, and by the same secret as text', () => {
    const { uri, secret, qrSvg } = describeSecret(Buffer.from('12345678901234567890'), {
      account: 'a&b="<@florka.test',
      siteName: 'Florka',
    });
    const { uri: named } = describeSecret(Buffer.alloc(20), { account: 'ana', siteName: 'Tómbola: la feria' });
    expect(new URL(named).searchParams.get('issuer')).toBe('Tómbola  la feria');
    expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(uri).toBe(
      `otpauth://totp/Florka:a%26b%3D%22%3C%40florka.test?issuer=Florka&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(qrSvg).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
    expect(qrSvg).not.toContain('florka.test');
  });
});

describe('turning the second factor on', () => {
  it('requires password, confirmed mailbox and a code; returns ten recovery codes, stored as hashes', async () => {
    const ana = await newcomer();
    const other = await signIn(ana.email);
    expect(await codeOf(ana.api.account.startSecondFactor({ password: 'wrong-password' }))).toBe('WRONG_PASSWORD');
    expect(await codeOf(ana.api.account.startSecondFactor({ password: PASSWORD }))).toBe('FORBIDDEN');
    await ana.api.account.verifyEmail({ token: await newestToken(ana.email) });
    expect(await other.api.auth.me()).toBeNull();
    const late = await signIn(ana.email);
    const abandoned = await ana.api.account.startSecondFactor({ password: PASSWORD });
    expect(abandoned.qrSvg).toContain('<svg');
    // Not enabled yet.
    expect(await ana.api.account.overview()).toMatchObject({ secondFactor: false });
    await signIn(ana.email);
    expect(await codeOf(ana.api.account.confirmSecondFactor({ code: '000000', locale: 'es' }))).toBe('WRONG_CODE');

    const { recoveryCodes, secret } = await withSecondFactor(ana.browser);
    expect(secret).not.toBe(abandoned.secret);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^(?:[a-z2-9]{5}-){4}[a-z2-9]{5}$/);
    expect(await ana.api.account.overview()).toMatchObject({ secondFactor: true, recoveryCodesLeft: 10 });
    expect((await mailsTo(ana.email)).at(-1)?.text).toContain('está activada');
    // Sessions that were opened without it end; this one stays.
    expect(await late.api.auth.me()).toBeNull();
    expect(await ana.api.auth.me()).not.toBeNull();
    const stored = JSON.stringify([
      await app.sql(`select encode(code_hash, 'escape') from recovery_codes where user_id = $1`, [ana.id]),
      await app.sql(`select encode(secret, 'escape') from second_factors where user_id = $1`, [ana.id]),
      await app.sql('select * from audit_events where actor_id = $1', [ana.id]),
      await app.sql('select * from mails where to_address = $1', [ana.email]),
    ]);
    for (const code of [...recoveryCodes, secret]) expect(stored).not.toContain(code);
    expect(await codeOf(ana.api.account.startSecondFactor({ password: PASSWORD }))).toBe('ALREADY_DONE');
  });
});

it('a setup of the second factor expires after an hour and has to be started again', async () => {
  const ana = await newcomer({ verified: true });
  const { secret } = await ana.api.account.startSecondFactor({ password: PASSWORD });
  app.pass(60 * 60_000);
  expect(
    await codeOf(ana.api.account.confirmSecondFactor({ code: totp(secret, app.now.getTime()), locale: 'es' })),
  ).toBe('WRONG_CODE');
  await withSecondFactor(ana.browser);
});

describe('signing in with a second factor', () => {
  it('is refused, with an audit entry and without a session, to a member banned between the steps', async () => {
    const ana = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    const before = await app.sql('select id from sessions where user_id = $1', [ana.id]);
    const browser = await firstStep(ana.email);
    await app.sql(`update users set banned_until = 'infinity' where id = $1`, [ana.id]);
    expect(await codeOf(browser.api.account.provideSecondFactor({ code: code() }))).toBe('UNAUTHORIZED');
    expect(await app.sql('select id from sessions where user_id = $1', [ana.id])).toEqual(before);
    expect(
      await app.sql(`select after from audit_events where action = 'member.sign_in_refused' and resource_id = $1`, [
        ana.id,
      ]),
    ).toEqual([{ after: { how: 'second step', why: 'banned' } }]);
  });

  it('refuses each code as wrong after the secret of the server has changed', async () => {
    const ana = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    const browser = await firstStep(ana.email);
    await app.sql('update second_factors set secret = $2 where user_id = $1', [
      ana.id,
      sealSecret(makeSecret(), 'the secret before', ana.id),
    ]);
    expect(await codeOf(browser.api.account.provideSecondFactor({ code: code() }))).toBe('WRONG_CODE');
  });

  it('opens no session at the first step, and one at the second [AMB-149]', async () => {
    const ana = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    const sessions = () => app.sql('select id from sessions where user_id = $1', [ana.id]);
    const before = await sessions();
    const browser = await firstStep(ana.email);
    expect(await sessions()).toEqual(before);
    expect(browser.cookie).toMatch(/^florka\.second_factor=/);
    expect(await browser.api.auth.me()).toBeNull();
    expect(await browser.api.account.provideSecondFactor({ code: code() })).toMatchObject({ id: ana.id });
    expect(browser.cookie).toMatch(/^florka\.session_token=/);
    expect(browser.cookie).not.toContain('second_factor');
    expect(await browser.api.auth.me()).toMatchObject({ id: ana.id });
    expect(await sessions()).toHaveLength(before.length + 1);
  });

  it('keeps the first step in a cookie with HttpOnly and SameSite=Lax for 5 minutes', async () => {
    const ana = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    const browser = app.browser({ address: address() });
    await codeOf(browser.api.auth.signIn({ email: ana.email, password: PASSWORD }));
    expect(browser.received).toHaveLength(1);
    for (const part of [/; HttpOnly/, /; SameSite=Lax/, /; Path=\//, /; Max-Age=300/])
      expect(browser.received[0]).toMatch(part);
    app.pass(5 * 60_000);
    expect(await codeOf(browser.api.account.provideSecondFactor({ code: code() }))).toBe('UNAUTHORIZED');
  });

  it('works once for each first step, for its browser and member only', async () => {
    const ana = await newcomer({ verified: true });
    const ben = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    const bens = await withSecondFactor(ben.browser);
    expect(await codeOf(app.browser().api.account.provideSecondFactor({ code: code() }))).toBe('UNAUTHORIZED');
    const browser = await firstStep(ana.email);
    const copy = app.browser({ cookie: browser.cookie, address: address() });
    expect(await codeOf(browser.api.account.provideSecondFactor({ code: bens.code() }))).toBe('WRONG_CODE');
    await browser.api.account.provideSecondFactor({ code: code() });
    expect(await codeOf(copy.api.account.provideSecondFactor({ code: code(1) }))).toBe('UNAUTHORIZED');

    const value = decodeURIComponent((await firstStep(ana.email)).cookie.split('=')[1] ?? '');
    const [, nonce = '', signature = ''] = value.split('.');
    for (const forged of [
      `${ben.id}.${nonce}.${signature}`,
      `${ana.id}.${nonce}.${signature.slice(0, -3)}AA=`,
      `${ana.id}.${nonce}`,
      '%E0%A4%A',
      '',
    ]) {
      const cookie = `florka.second_factor=${encodeURIComponent(forged)}`;
      expect(
        await codeOf(app.browser({ cookie }).api.account.provideSecondFactor({ code: bens.code(1) })),
        forged,
      ).toBe('UNAUTHORIZED');
    }
    // The cookie of the first step is not accepted as a session.
    expect(await app.browser({ cookie: `florka.session_token=${encodeURIComponent(value)}` }).api.auth.me()).toBeNull();
  });

  it('accepts a code once, also in concurrent requests of several browsers', async () => {
    const ana = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    const browsers = await Promise.all([1, 2, 3].map(() => firstStep(ana.email)));
    const once = code();
    const results = await Promise.all(
      browsers.map((browser) => codeOf(browser.api.account.provideSecondFactor({ code: once }))),
    );
    expect(results.toSorted()).toEqual(['WRONG_CODE', 'WRONG_CODE', 'ok']);
  });

  it('accepts each recovery code once, regardless of case and separators', async () => {
    const ana = await newcomer({ verified: true });
    const { recoveryCodes } = await withSecondFactor(ana.browser);
    const typed = (recoveryCodes[0] ?? '').toUpperCase().replace('-', ' ');
    await (await firstStep(ana.email)).api.account.provideSecondFactor({ code: typed });
    expect((await ana.api.account.overview()).recoveryCodesLeft).toBe(9);
    const again = await firstStep(ana.email);
    expect(await codeOf(again.api.account.provideSecondFactor({ code: recoveryCodes[0] ?? '' }))).toBe('WRONG_CODE');
    await again.api.account.provideSecondFactor({ code: recoveryCodes[1] ?? '' });
  });

  it('has to be restarted at the first step after 5 wrong codes', async () => {
    const ana = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    const browser = await firstStep(ana.email);
    for (let i = 0; i < 5; i++)
      expect(await codeOf(browser.api.account.provideSecondFactor({ code: 'wrong-code' }))).toBe('WRONG_CODE');
    expect(await codeOf(browser.api.account.provideSecondFactor({ code: code() }))).toBe('UNAUTHORIZED');
    await (await firstStep(ana.email)).api.account.provideSecondFactor({ code: code() });
  });

  it('is limited to 10 codes an hour; a password reset lifts the limit', async () => {
    const ana = await newcomer({ verified: true });
    const { code } = await withSecondFactor(ana.browser);
    for (let round = 0; round < 2; round++) {
      const thief = await firstStep(ana.email);
      for (let i = 0; i < 5; i++) await codeOf(thief.api.account.provideSecondFactor({ code: 'wrong-code' }));
    }
    expect(await codeOf((await firstStep(ana.email)).api.account.provideSecondFactor({ code: code() }))).toBe(
      'RATE_LIMITED',
    );
    const visitor = app.browser({ address: address() }).api.account;
    await visitor.requestPasswordReset({ email: ana.email, locale: 'es' });
    await visitor.resetPassword({ token: await newestToken(ana.email), password: 'nobody-knows', locale: 'es' });
    const owner = await firstStep(ana.email, address(), 'nobody-knows');
    expect(await owner.api.account.provideSecondFactor({ code: code() })).toMatchObject({ id: ana.id });
  });
});

it('with an app, changing password or mailbox and deleting the account need a step-up and the password', async () => {
  for (const isApp of [true, false]) {
    const ana = await newcomer({ verified: true });
    const factor = isApp ? await withSecondFactor(ana.browser) : null;
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [ana.id]);
    const { account } = ana.api;
    const password = (current: string) => account.changePassword({ current, next: 'violet-harbour-52', locale: 'es' });
    expect(await codeOf(password('wrong-password'))).toBe('WRONG_PASSWORD');
    if (factor) {
      const mailbox = { email: `new-${ana.email}`, password: PASSWORD, locale: 'es' } as const;
      const calls = [
        () => password(PASSWORD),
        () => account.changeEmail(mailbox),
        () => account.remove({ password: PASSWORD }),
      ];
      for (const call of calls) expect(await codeOf(call())).toBe('STEP_UP_NEEDED');
      expect((await mailsTo(`new-${ana.email}`)).length).toBe(0);
      await account.prove({ code: factor.code() });
    }
    await password(PASSWORD);
    // Changing the password counts as a step-up only for a member without a second factor.
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [ana.id]);
    const again = { current: 'violet-harbour-52', next: 'amber-station-17', locale: 'es' } as const;
    expect(await codeOf(account.changePassword(again))).toBe(isApp ? 'STEP_UP_NEEDED' : 'ok');
    expect(await codeOf(account.revokeOtherSessions())).toBe(isApp ? 'STEP_UP_NEEDED' : 'ok');
  }
});

describe('turning the second factor off', () => {
  it('requires password and code, and sends the member a mail', async () => {
    const ana = await newcomer({ verified: true });
    const { code, recoveryCodes } = await withSecondFactor(ana.browser);
    const remove = (password: string, given: string) =>
      codeOf(ana.api.account.removeSecondFactor({ password, code: given, locale: 'en' }));
    expect(await remove('wrong-password', code())).toBe('WRONG_PASSWORD');
    expect(await remove(PASSWORD, 'wrong-code')).toBe('WRONG_CODE');
    expect(await remove(PASSWORD, code())).toBe('ok');
    expect(await ana.api.account.overview()).toMatchObject({ secondFactor: false, recoveryCodesLeft: 0 });
    expect((await mailsTo(ana.email)).at(-1)?.text).toContain('was turned off');
    expect(await remove(PASSWORD, recoveryCodes[0] ?? '')).toBe('WRONG_CODE');
    expect(await (await signIn(ana.email)).api.auth.me()).toMatchObject({ id: ana.id });
  });
});

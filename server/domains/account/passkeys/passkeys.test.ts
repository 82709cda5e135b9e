import { describe, expect, it } from 'vitest';
import { PASSKEYS_MAX } from '#contract/limits.ts';
import { authenticator } from '#tests/support/app/authenticator.ts';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { type Browser, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ publicUrl: 'https://florka.test', staffSecondFactor: true, staffPasskey: true });
const people = peopleOf(app);
const REFUSED = { code: 'PASSKEY_REFUSED', status: 403 };

/** A browser whose member proved the password a moment ago. */
async function ready(over: Parameters<typeof people.newcomer>[0] = {}) {
  const person = await people.newcomer({ verified: true, ...over });
  await person.browser.api.account.prove({ password: PASSWORD });
  return person;
}

async function add(browser: Browser, device = authenticator(), name = 'Laptop') {
  const api = browser.api.account.passkeys;
  const made = await api.add({ response: device.create(await api.startAdding()), name });
  return { device, ...made };
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { code?: string }) => error.code,
  );
/** First step by password, in a browser of its own. */
async function firstStep(email: string): Promise<Browser> {
  const browser = app.browser({ address: people.address() });
  expect(await codeOf(browser.api.auth.signIn({ email, password: PASSWORD }))).toBe('SECOND_FACTOR_NEEDED');
  return browser;
}

describe('a passkey', () => {
  it('is added after a step-up with a name and recovery codes; other sessions end, the owner is notified', async () => {
    const { browser, email, id } = await ready();
    const other = await people.signIn(email);
    const { passkey, recoveryCodes, device } = await add(browser, undefined, '  My ​laptop ');
    expect(recoveryCodes).toHaveLength(10);
    expect(passkey).toMatchObject({ name: 'My laptop', lastUsedAt: null, createdAt: app.now.toISOString() });
    expect(await browser.api.account.passkeys.list()).toEqual([passkey]);
    expect(await other.api.auth.me()).toBeNull();
    expect(await browser.api.account.overview()).toMatchObject({ passkeys: 1, recoveryCodesLeft: 10 });
    expect((await people.mailsTo(email)).at(-1)?.text).toContain('llave de acceso');
    // The second one creates no codes, and does not end the sessions.
    const again = await add(browser, authenticator(), 'Phone');
    expect(again.recoveryCodes).toEqual([]);
    expect(await browser.api.account.passkeys.list()).toHaveLength(2);
    expect(
      await app.sql(`select action from audit_events where actor_id = $1 and action like 'passkey.%'`, [id]),
    ).toEqual([{ action: 'passkey.added' }, { action: 'passkey.added' }]);
    // The export contains no secret and no key.
    const data = JSON.stringify(await browser.api.account.export());
    expect(data).toContain('My laptop');
    expect(data).not.toContain(device.id);
  });

  it('is not added with an old step-up, an unconfirmed mailbox, or beyond the maximum', async () => {
    const { browser, id } = await ready();
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [id]);
    expect(await codeOf(browser.api.account.passkeys.startAdding())).toBe('STEP_UP_NEEDED');
    await browser.api.account.prove({ password: PASSWORD });
    await app.sql('update users set email_verified = false where id = $1', [id]);
    expect(await codeOf(browser.api.account.passkeys.startAdding())).toBe('FORBIDDEN');
    await app.sql('update users set email_verified = true where id = $1', [id]);
    for (let n = 0; n < PASSKEYS_MAX; n++) await add(browser);
    expect(await codeOf(browser.api.account.passkeys.startAdding())).toBe('TOO_MANY');
  });

  it.each([
    ['for another site', { origin: 'https://florka.test.example' }],
    ['for another relying party', { rpId: 'example.test' }],
    ['without PIN, finger or face', { verified: false }],
  ])('is not added %s', async (_what, over) => {
    const { browser } = await ready();
    const api = browser.api.account.passkeys;
    const response = authenticator().create(await api.startAdding(), over);
    await expect(api.add({ response, name: 'x' })).rejects.toMatchObject(REFUSED);
    expect(await api.list()).toEqual([]);
  });

  it('is not added twice, nor with a used or expired challenge or that of another member', async () => {
    const [ana, ben] = [await ready(), await ready()];
    const { device } = await add(ana.browser);
    const api = ben.browser.api.account.passkeys;
    await expect(add(ben.browser, device)).rejects.toMatchObject(REFUSED);
    const anas = await ana.browser.api.account.passkeys.startAdding();
    await expect(api.add({ response: authenticator().create(anas), name: 'x' })).rejects.toMatchObject(REFUSED);
    const options = await api.startAdding();
    await api.add({ response: authenticator().create(options), name: 'x' });
    await expect(api.add({ response: authenticator().create(options), name: 'y' })).rejects.toMatchObject(REFUSED);
    const old = await api.startAdding();
    app.pass(300_001);
    await expect(api.add({ response: authenticator().create(old), name: 'x' })).rejects.toMatchObject(REFUSED);
  });

  it('is renamed and removed by its member only; the recovery codes are deleted with the last factor', async () => {
    const { browser, email, id } = await ready();
    const { passkey } = await add(browser);
    const second = await add(browser);
    const stranger = await ready();
    expect(await browser.api.account.passkeys.rename({ id: passkey.id, name: 'Key ring' })).toMatchObject({
      name: 'Key ring',
    });
    expect(await codeOf(stranger.browser.api.account.passkeys.rename({ id: passkey.id, name: 'x' }))).toBe('NOT_FOUND');
    expect(await codeOf(stranger.browser.api.account.passkeys.remove({ id: passkey.id }))).toBe('NOT_FOUND');
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [id]);
    expect(await codeOf(browser.api.account.passkeys.remove({ id: passkey.id }))).toBe('STEP_UP_NEEDED');
    const { device } = second;
    const proof = await browser.api.account.passkeys.startProof();
    await browser.api.account.passkeys.prove({ response: device.sign(proof) });
    await browser.api.account.passkeys.remove({ id: passkey.id });
    expect(await browser.api.account.overview()).toMatchObject({ passkeys: 1, recoveryCodesLeft: 10 });
    await browser.api.account.passkeys.remove({ id: second.passkey.id });
    expect(await browser.api.account.overview()).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0 });
    const { items } = await browser.api.notifications.list({});
    const reached = items.map(({ kind, detail }) => `${kind}.${detail}`).toSorted();
    expect(reached).toEqual(['off', 'off', 'on', 'on'].map((what) => `security.passkey_${what}`));
    await people.signIn(email);
  });
});

describe('signing in', () => {
  it('works with a passkey alone in a browser without cookies, and records the time of use', async () => {
    const { browser, id } = await ready();
    const { device } = await add(browser);
    const other = app.browser({ address: people.address() });
    const api = other.api.account.passkeys;
    expect(await api.signIn({ response: device.sign(await api.startSignIn()) })).toMatchObject({ id });
    expect(await other.api.auth.me()).toMatchObject({ id });
    expect((await other.api.account.passkeys.list())[0]?.lastUsedAt).toBe(app.now.toISOString());
    expect(
      await app.sql(`select after from audit_events where actor_id = $1 and action = 'member.signed_in'`, [id]),
    ).toContainEqual({ after: { how: 'passkey' } });
  });

  it.each([
    ['for another site', { origin: 'https://evil.test' }],
    ['for another relying party', { rpId: 'evil.test' }],
    ['without PIN, finger or face', { verified: false }],
    ['with a counter that went back', { counter: 0 }],
  ])('is refused with a signature %s', async (_what, over) => {
    const { browser } = await ready();
    const { device } = await add(browser);
    const api = app.browser({ address: people.address() }).api.account.passkeys;
    await expect(api.signIn({ response: device.sign(await api.startSignIn(), over) })).rejects.toMatchObject(REFUSED);
  });

  it('is refused for an unknown key, a used, expired or step-up challenge, and a banned member', async () => {
    const { browser, id } = await ready();
    const { device } = await add(browser);
    const api = app.browser({ address: people.address() }).api.account.passkeys;
    await expect(api.signIn({ response: authenticator().sign(await api.startSignIn()) })).rejects.toMatchObject(
      REFUSED,
    );
    const options = await api.startSignIn();
    await api.signIn({ response: device.sign(options) });
    await expect(api.signIn({ response: device.sign(options) })).rejects.toMatchObject(REFUSED);
    const old = await api.startSignIn();
    app.pass(300_001);
    await expect(api.signIn({ response: device.sign(old) })).rejects.toMatchObject(REFUSED);
    const proof = await browser.api.account.passkeys.startProof();
    await expect(api.signIn({ response: device.sign(proof) })).rejects.toMatchObject(REFUSED);
    await app.sql(`update users set banned_until = 'infinity' where id = $1`, [id]);
    await expect(api.signIn({ response: device.sign(await api.startSignIn()) })).rejects.toMatchObject(REFUSED);
  });

  it('with a password requires the passkey or a recovery code, accepted once, as the second step', async () => {
    const { browser, email, id } = await ready();
    const { device, recoveryCodes } = await add(browser);
    const step = await firstStep(email);
    expect(await step.api.auth.me()).toBeNull();
    const options = await step.api.account.passkeys.startSecondStep();
    expect(options['allowCredentials']).toEqual([expect.objectContaining({ id: device.id })]);
    const response = device.sign(options);
    expect(await step.api.account.passkeys.secondStep({ response })).toMatchObject({ id });
    await expect(step.api.account.passkeys.secondStep({ response })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    // A lost device: a recovery code works once.
    const lost = await firstStep(email);
    expect(await lost.api.account.provideSecondFactor({ code: recoveryCodes[0] ?? '' })).toMatchObject({ id });
    const again = await firstStep(email);
    expect(await codeOf(again.api.account.provideSecondFactor({ code: recoveryCodes[0] ?? '' }))).toBe('WRONG_CODE');
  });

  it("refuses another member's passkey as the second step, and a second step without a first", async () => {
    const [ana, ben] = [await ready(), await ready()];
    await add(ana.browser);
    const { device } = await add(ben.browser);
    const step = await firstStep(ana.email);
    const options = await step.api.account.passkeys.startSecondStep();
    await expect(step.api.account.passkeys.secondStep({ response: device.sign(options) })).rejects.toMatchObject(
      REFUSED,
    );
    const bare = app.browser({ address: people.address() });
    expect(await codeOf(bare.api.account.passkeys.startSecondStep())).toBe('UNAUTHORIZED');
  });
});

describe('a member with a passkey', () => {
  const outdate = (id: string) =>
    app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [id]);
  const NEXT = 'violet-harbour-52';

  it('needs it for a step-up: the session and the password alone change nothing and add no app', async () => {
    const { browser, id } = await ready();
    const { device } = await add(browser);
    const { account } = browser.api;
    await outdate(id);
    expect(await codeOf(account.startSecondFactor({ password: PASSWORD }))).toBe('STEP_UP_NEEDED');
    const password = () => account.changePassword({ current: PASSWORD, next: NEXT, locale: 'es' });
    for (const call of [password, () => account.passkeys.startAdding(), () => account.revokeOtherSessions()])
      expect(await codeOf(call())).toBe('STEP_UP_NEEDED');
    await account.passkeys.prove({ response: device.sign(await account.passkeys.startProof()) });
    await password();
    await people.withSecondFactor(browser, NEXT);
    expect(await account.overview()).toMatchObject({ secondFactor: true, passkeys: 1, recoveryCodesLeft: 10 });
  });

  it('keeps the recovery codes when the app is removed while the passkey is being added', async () => {
    const { browser, id } = await ready();
    const { code } = await people.withSecondFactor(browser);
    const tab = await app.sqlClient();
    await tab.query('begin');
    await tab.query('select 1 from users where id = $1 for no key update', [id]);
    const removal = codeOf(browser.api.account.removeSecondFactor({ password: PASSWORD, code: code(), locale: 'es' }));
    await expect.poll(() => app.waiting()).toBe(1);
    await tab.query(
      `insert into passkeys (user_id, credential_id, public_key, name) values ($1, $2, '\\x00', 'Phone')`,
      [id, `key-of-${id}`],
    );
    await tab.query('commit');
    await tab.end();
    expect(await removal).toBe('ok');
    expect(await browser.api.account.overview()).toMatchObject({
      secondFactor: false,
      passkeys: 1,
      recoveryCodesLeft: 10,
    });
  });

  it('gets new recovery codes when the app and its codes are removed while the passkey is being added', async () => {
    const { browser, id } = await ready();
    await people.withSecondFactor(browser);
    const api = browser.api.account.passkeys;
    const response = authenticator().create(await api.startAdding());
    const tab = await app.sqlClient();
    await tab.query('begin');
    await tab.query('select 1 from users where id = $1 for no key update', [id]);
    const adding = api.add({ response, name: 'Phone' });
    await expect.poll(() => app.waiting()).toBe(1);
    for (const table of ['second_factors', 'recovery_codes'])
      await tab.query(`delete from ${table} where user_id = $1`, [id]);
    await tab.query('commit');
    await tab.end();
    expect((await adding).recoveryCodes).toHaveLength(10);
  });
});

describe('an admin', () => {
  const admins = async () => {
    const [one, two] = [await ready(), await ready()];
    await app.sql('insert into admin_profiles (id) values ($1)', [one.id]);
    return { one, two };
  };

  it('needs a passkey as soon as there is a second admin; codes of an app are then refused', async () => {
    const { one, two } = await admins();
    const { code } = await people.withSecondFactor(one.browser);
    await one.browser.api.admin.dashboard.counts();
    await app.sql('insert into admin_profiles (id) values ($1)', [two.id]);
    expect(await codeOf(one.browser.api.admin.dashboard.counts())).toBe('SECOND_FACTOR_REQUIRED');
    expect(await one.browser.api.account.overview()).toMatchObject({ secondFactorNeeded: true, passkeyNeeded: true });
    // A code of the app is a sufficient step-up for adding the first passkey.
    await one.browser.api.account.prove({ code: code() });
    const { device } = await add(one.browser);
    await one.browser.api.admin.dashboard.counts();
    expect(await codeOf(one.browser.api.account.prove({ code: code(1) }))).toBe('PASSKEY_REQUIRED');
    const step = await firstStep(one.email);
    expect(await codeOf(step.api.account.provideSecondFactor({ code: code(1) }))).toBe('PASSKEY_REQUIRED');
    const options = await step.api.account.passkeys.startSecondStep();
    await step.api.account.passkeys.secondStep({ response: device.sign(options) });
    await step.api.admin.dashboard.counts();
    await app.sql('delete from admin_profiles where id = $1', [two.id]);
    const alone = await firstStep(one.email);
    expect(await alone.api.account.provideSecondFactor({ code: code(1) })).toMatchObject({ id: one.id });
  });

  it('may use codes of an app when the operator does not require passkeys', async () => {
    const loose = await startTestApp({ publicUrl: 'https://florka.test', staffSecondFactor: true });
    const peers = peopleOf(loose);
    const person = await peers.newcomer({ verified: true });
    await loose.member({ role: 'admin' });
    await loose.sql('insert into admin_profiles (id) values ($1)', [person.id]);
    await peers.withSecondFactor(person.browser);
    await person.browser.api.admin.dashboard.counts();
  });
});

it('passkeys are not offered on a site addressed by IP, where browsers do not allow them', async () => {
  const bare = await startTestApp({ publicUrl: 'http://127.0.0.1:8080', staffSecondFactor: true, staffPasskey: true });
  const person = await peopleOf(bare).newcomer({ verified: true });
  expect(await person.api.account.overview()).toMatchObject({ passkeysPossible: false });
  expect(await codeOf(person.api.account.passkeys.startAdding())).toBe('FORBIDDEN');
  expect(await codeOf(person.api.account.passkeys.startSignIn())).toBe('FORBIDDEN');
});

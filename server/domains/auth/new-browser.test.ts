// Members are notified of a sign-in from a browser in which their account was not signed in before.
import { expect, it } from 'vitest';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ publicUrl: 'https://florka.test' });
const people = peopleOf(app);

const alertsOf = async (id: string) =>
  (await app.sql("select 1 from notifications where user_id = $1 and detail = 'signed_in'", [id])).length;
const mailsOf = async (to: string) =>
  (await people.mailsTo(to)).filter(({ subject }) => /nuevo|new browser/.test(subject));

it('a member is notified of a sign-in in a new browser, and not again in a known one', async () => {
  const ana = await people.newcomer({ verified: true });
  expect(await alertsOf(ana.id)).toBe(0);
  const other = await people.signIn(ana.email);
  expect(await alertsOf(ana.id)).toBe(1);
  const [mail] = await mailsOf(ana.email);
  expect(mail?.subject).toBe('Entrada en tu cuenta desde un navegador nuevo');
  expect(mail?.text).toContain('https://florka.test/account');
  await other.api.auth.signOut();
  app.pass(60_000);
  await other.api.auth.signIn({ email: ana.email, password: PASSWORD });
  expect(await alertsOf(ana.id)).toBe(1);
  expect(await mailsOf(ana.email)).toHaveLength(1);
});

it('members who share a browser are notified of the first sign-in there only', async () => {
  const [ana, ben] = [await people.newcomer({ verified: true }), await people.newcomer({ verified: true })];
  const { browser } = ana;
  for (const { email } of [ben, ana, ben, ana]) {
    app.pass(60_000);
    await browser.api.auth.signOut();
    await browser.api.auth.signIn({ email, password: PASSWORD });
  }
  expect([await alertsOf(ana.id), await alertsOf(ben.id)]).toEqual([0, 1]);
});

it('without an open session, only accounts older than a day are notified, unconfirmed ones not by mail', async () => {
  const { id, email, browser } = await people.newcomer();
  await browser.api.auth.signOut();
  app.pass(60_000);
  await people.signIn(email);
  expect(await alertsOf(id)).toBe(0);
  await app.sql('delete from sessions where user_id = $1', [id]);
  await app.sql("update users set created_at = now() - interval '25 hours' where id = $1", [id]);
  await people.signIn(email);
  expect(await alertsOf(id)).toBe(1);
  expect(await mailsOf(email)).toEqual([]);
});

it('with a second factor, the member is notified after the second step and not after the password', async () => {
  const ana = await people.newcomer({ verified: true });
  const { code } = await people.withSecondFactor(ana.browser);
  const thief = app.browser({ address: people.address() });
  await expect(thief.api.auth.signIn({ email: ana.email, password: PASSWORD })).rejects.toMatchObject({
    code: 'SECOND_FACTOR_NEEDED',
  });
  expect(await alertsOf(ana.id)).toBe(0);
  await thief.api.account.provideSecondFactor({ code: code() });
  expect(await alertsOf(ana.id)).toBe(1);
  expect(await mailsOf(ana.email)).toHaveLength(1);
});

it('the mail about a sign-in is in the language of the member and names the browser', async () => {
  const eve = await people.newcomer({ verified: true, locale: 'en' });
  const response = await app.http('/rpc/auth/signIn', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: 'https://florka.test',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    body: JSON.stringify({ json: { email: eve.email, password: PASSWORD } }),
  });
  expect(response.status).toBe(200);
  const [mail] = await mailsOf(eve.email);
  expect(mail?.subject).toBe('A sign-in to your account from a new browser');
  expect(mail?.text).toContain('Firefox · Linux');
});

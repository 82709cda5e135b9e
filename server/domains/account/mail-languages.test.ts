// The language of mails about an account that a request of somebody else, or of nobody, causes. Links and codes, which have one too, are
// deleted: by housekeeping within days, and by a ban at once.
import { expect, it, vi } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { app, codeOf, mailsTo, newcomer, signIn } from '#tests/fixtures/account.ts';
import { PASSWORD } from '#tests/support/app/people.ts';

vi.mock('./min-duration.ts', () => ({ withMinDuration: (work: () => Promise<unknown>) => work() }));

const admin = await app.member({ role: 'admin', verified: true });
const withoutLinks = async () => {
  const ana = await newcomer({ verified: true, locale: 'en' });
  await app.sql('delete from account_tokens where user_id = $1', [ana.id]);
  return ana;
};
const subjectsTo = async (to: string) => (await mailsTo(to)).map(({ subject }) => subject);

it('the mail about a deleted account is in the language of its member', async () => {
  const ana = await withoutLinks();
  await ana.api.account.remove({ password: PASSWORD });
  expect(await subjectsTo(ana.email)).toContain('Your account was deleted');
});

it('mails about an attempted sign-up and wrong passwords are in the language of the member', async () => {
  const ana = await withoutLinks();
  expect(await codeOf(newcomer({ email: ana.email, locale: 'es' }))).toBe('SIGN_UP_REFUSED');
  for (let n = 0; n <= LIMITS.signInWrongHour.hits; n++) await codeOf(signIn(ana.email, 'not-this-one'));
  expect(await subjectsTo(ana.email)).toEqual(
    expect.arrayContaining(['Somebody tried to sign up with your e-mail', 'Wrong passwords for your account']),
  );
});

it('mails about an action on a staff account are in the language of each recipient', async () => {
  const ana = await newcomer({ verified: true, locale: 'en' });
  await app.as(admin).admin.roles.assign({ id: ana.id, role: 'moderator' });
  await app.as(admin).admin.users.ban({ ids: [ana.id], days: 1, reason: 'test' });
  const ownMails = (await subjectsTo(ana.email)).filter((subject) => subject.includes('staff account'));
  expect(ownMails).toHaveLength(2);
  expect(await subjectsTo(admin.email)).toEqual(Array(2).fill(`Cambio en la cuenta del equipo ${ana.email}`));
});

it('mails about a new password link and a mailbox changed by the team are in the language of the member', async () => {
  const { users } = app.as(admin).admin;
  const languagesOf = (to: string, template: string) =>
    app
      .sql<{ locale: string }>('select locale from mails where to_address = $1 and template = $2', [to, template])
      .then((rows) => rows.map(({ locale }) => locale));
  const ana = await newcomer({ verified: true, locale: 'en' });
  // A member who got no mail yet has no known language: that of the request is used, and is the known one from then on.
  const unknown = await app.member({ verified: true });
  for (const locale of ['en', 'es'] as const) await users.resetPassword({ ids: [ana.id, unknown.id], locale });
  expect(await languagesOf(ana.email, 'resetPassword')).toEqual(['en', 'en']);
  expect(await languagesOf(unknown.email, 'resetPassword')).toEqual(['en', 'en']);

  const ben = await newcomer({ verified: true, locale: 'en' });
  const { id, version, username } = (await users.list({ q: ben.email })).rows[0] ?? expect.unreachable('no member');
  const moved = `new-${ben.email}`;
  await users.update({ id, version, email: moved, username: username ?? '', locale: 'es' });
  expect(await languagesOf(ben.email, 'emailChanged')).toEqual(['en']);
  expect(await languagesOf(moved, 'verifyEmail')).toEqual(['en']);
});

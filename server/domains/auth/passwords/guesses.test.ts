import { expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ trustProxy: 1 });
const people = peopleOf(app);

/** One wrong password from a new address. */
const guess = (email: string): Promise<string> =>
  people.signIn(email, 'not-this-one').then(
    () => 'in',
    (error: { code: string }) => error.code,
  );

it('guesses for one account from many addresses are rate-limited, its owner in a known browser is not', async () => {
  const ana = await people.newcomer();
  const home = await people.signIn(ana.email);
  const answers: string[] = [];
  for (let n = 0; n <= LIMITS.signInGuessesHour.hits; n++) answers.push(await guess(ana.email));
  expect(new Set(answers.slice(0, -1))).toEqual(new Set(['INVALID_CREDENTIALS']));
  expect(answers.at(-1)).toBe('RATE_LIMITED');
  // The right password is refused too, because it could be found by guessing.
  await expect(people.signIn(ana.email)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await home.api.auth.signIn({ email: ana.email, password: PASSWORD });
  // Another account is not affected.
  const ben = await people.newcomer();
  await people.signIn(ben.email);

  const notices = (await people.mailsTo(ana.email)).filter(({ subject }) =>
    subject.startsWith('Contraseñas equivocadas'),
  );
  expect(notices).toHaveLength(1);
  app.pass(LIMITS.signInGuessesHour.seconds * 1_000);
  await people.signIn(ana.email);
});

it('a correct password does not count against the limit of guesses', async () => {
  const eva = await people.newcomer();
  for (let n = 0; n <= LIMITS.signInGuessesHour.hits; n++) await people.signIn(eva.email);
});

it('the audit log has the account of a failed sign-in, if there is one', async () => {
  const ana = await people.newcomer();
  await guess(ana.email);
  await guess('nobody-at-all@florka.test');
  const rows = await app.sql(
    `select resource_id from audit_events where action = 'member.sign_in_failed' order by id desc limit 2`,
  );
  expect(rows).toEqual([{ resource_id: null }, { resource_id: ana.id }]);
});

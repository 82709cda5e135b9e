import { expect, it } from 'vitest';
import { peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

const app = await startTestApp({ staffSecondFactor: true });
const { newcomer, withSecondFactor } = peopleOf(app);

it('admins have no access until their second factor is set up, and their session shows that', async () => {
  const person = await newcomer({ verified: true });
  await app.sql('insert into admin_profiles (id) values ($1)', [person.id]);
  expect(await person.api.admin.session()).toMatchObject({ secondFactor: 'setup', proof: 'password' });
  expect(await person.api.account.overview()).toMatchObject({ secondFactor: false, secondFactorNeeded: true });
  await expect(person.api.admin.dashboard.counts()).rejects.toMatchObject({
    code: 'SECOND_FACTOR_REQUIRED',
    status: 403,
  });
  await expect(person.api.admin.networks.create({ name: 'A', symbol: 'A' })).rejects.toMatchObject({
    code: 'SECOND_FACTOR_REQUIRED',
  });
  const { code } = await withSecondFactor(person.browser);
  expect(await person.api.admin.session()).toMatchObject({ secondFactor: 'ready', proof: 'code' });
  const network = await person.api.admin.networks.create({ name: 'A', symbol: 'A' });
  await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [person.id]);
  const remove = () => person.api.admin.networks.remove({ id: network.id, version: 1 });
  await expect(remove()).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
  // For a person with a second factor the password alone is no proof.
  await expect(person.api.account.prove({ password: 'six-or-more' })).rejects.toMatchObject({ code: 'WRONG_CODE' });
  const fresh = code();
  await person.api.account.prove({ code: fresh });
  await remove();
  await expect(person.api.account.prove({ code: fresh })).rejects.toMatchObject({ code: 'WRONG_CODE' });
});

it('moderators can delete only their own texts until their second factor is set up', async () => {
  const [author, moderator] = [await newcomer(), await newcomer({ verified: true })];
  await app.sql(`update user_roles set role = 'moderator' where user_id = $1`, [moderator.id]);
  const post = await author.api.forum.create({ title: 'Hello', content: 'World' });
  const own = await moderator.api.forum.create({ title: 'Mine', content: 'Mine' });
  await expect(moderator.api.forum.deletePost({ id: post.id, ...REMOVAL_REASON })).rejects.toMatchObject({
    code: 'SECOND_FACTOR_REQUIRED',
  });
  // Shown before the attempt, to staff only.
  expect(await moderator.api.auth.me()).toMatchObject({ staffMissing: 'SECOND_FACTOR_REQUIRED' });
  expect(await author.api.auth.me()).toMatchObject({ staffMissing: null });
  await moderator.api.forum.deletePost({ id: own.id });
  await withSecondFactor(moderator.browser);
  expect(await moderator.api.auth.me()).toMatchObject({ staffMissing: null });
  await moderator.api.forum.deletePost({ id: post.id, ...REMOVAL_REASON });
});

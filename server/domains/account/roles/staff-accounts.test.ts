import { describe, expect, it } from 'vitest';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
// Pending links are compared with the database's own clock.
app.setNow(new Date().toISOString());
const people = peopleOf(app);
const one = await app.member({ role: 'admin', verified: true });
const two = await app.member({ role: 'admin', verified: true });

/** A staff member with a password, a proven mailbox and a second factor. */
async function colleague(role: 'moderator' | 'admin') {
  const person = await people.newcomer({ verified: true });
  await people.withSecondFactor(person.browser);
  // Each code of the app is accepted once, so every step-up would have to advance the clock.
  await app.sql('update sessions set proved_at = now() where user_id = any($1)', [[one.id, two.id]]);
  await app.as(one).admin.roles.assign({ id: person.id, role });
  return person;
}
const rowOf = async (by: Person, id: string) => {
  const { rows } = await app.as(by).admin.users.list({ q: id });
  return rows[0] as NonNullable<(typeof rows)[0]>;
};
async function move(by: Person, id: string, email: string) {
  const { version, username } = await rowOf(by, id);
  return app.as(by).admin.users.update({ id, version, email, username: username ?? '', locale: 'es' });
}

describe.each(['moderator', 'admin'] as const)('the mailbox of a %s', (role) => {
  it('does not move at the request of one admin alone, however often it is made', async () => {
    const ana = await colleague(role);
    const requested = people.email();
    for (let n = 0; n < 2; n++)
      expect(await move(one, ana.id, requested)).toMatchObject({ email: ana.email, pendingEmail: requested });
    expect(await ana.api.auth.me()).toMatchObject({ email: ana.email });
    expect(await people.mailsTo(requested)).toEqual([]);
    // A request of another admin for a different mailbox is no approval.
    expect(await move(two, ana.id, people.email())).toMatchObject({ email: ana.email });
    expect(await move(one, ana.id, requested)).toMatchObject({ email: ana.email });
  });

  it('moves when its signed-in owner opens the link mailed to the old mailbox', async () => {
    const ana = await colleague(role);
    const requested = people.email();
    await move(one, ana.id, requested);
    const link = (await people.mailsTo(ana.email)).find(({ text }) => text.includes(requested));
    const token = people.tokenIn(link);
    await expect(app.as(one).account.verifyEmail({ token })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const other = await people.newcomer();
    await expect(other.api.account.verifyEmail({ token })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await ana.api.account.verifyEmail({ token })).toEqual({ email: requested, unconfirmed: true });
    expect(await ana.api.auth.me()).toMatchObject({ email: requested, emailVerified: false });
    expect((await ana.api.notifications.list({})).items).toContainEqual(
      expect.objectContaining({ kind: 'security', detail: 'email' }),
    );
    await expect(ana.api.account.verifyEmail({ token })).rejects.toMatchObject({ code: 'TOKEN_REFUSED' });
  });

  it('moves when a second admin, not its owner, requests the same new mailbox', async () => {
    const ana = await colleague(role);
    const requested = people.email();
    await move(one, ana.id, requested);
    expect(await move(two, ana.id, requested)).toMatchObject({
      email: requested,
      pendingEmail: null,
      emailVerified: false,
    });
    expect(await ana.api.auth.me()).toBeNull();
  });

  it('still moves when the password was changed between the two requests', async () => {
    const ana = await colleague(role);
    const requested = people.email();
    await move(one, ana.id, requested);
    await app.sql('update sessions set proved_at = now() where user_id = $1', [ana.id]);
    await ana.api.account.changePassword({ current: PASSWORD, next: 'violet-harbour-52', locale: 'es' });
    expect(await move(two, ana.id, requested)).toMatchObject({ email: requested, pendingEmail: null });
  });

  it('does not move when the first request was made before a ban', async () => {
    const ana = await colleague(role);
    const requested = people.email();
    await move(one, ana.id, requested);
    await app.as(two).admin.users.ban({ ids: [ana.id], days: 2, reason: 'spam' });
    await app.as(two).admin.users.unban({ ids: [ana.id] });
    expect(await move(two, ana.id, requested)).toMatchObject({ email: ana.email, pendingEmail: requested });
  });

  it('moves without removing the second factor, so the new mailbox alone does not open the account', async () => {
    const ana = await colleague(role);
    const requested = people.email();
    await move(one, ana.id, requested);
    await move(two, ana.id, requested);
    const thief = app.browser({ address: people.address() });
    await thief.api.account.requestPasswordReset({ email: requested, locale: 'es' });
    await thief.api.account.resetPassword({
      token: await people.newestToken(requested),
      password: 'of-the-thief',
      locale: 'es',
    });
    await expect(thief.api.auth.signIn({ email: requested, password: 'of-the-thief' })).rejects.toMatchObject({
      code: 'SECOND_FACTOR_NEEDED',
    });
  });
});

it('a mailbox request of an admin who has since lost the role does not count as an approval', async () => {
  const ana = await colleague('moderator');
  const rogue = await app.member({ role: 'admin' });
  await app.sql('update sessions set proved_at = now() where user_id = $1', [rogue.id]);
  const requested = people.email();
  await move(rogue, ana.id, requested);
  await app.as(one).admin.roles.remove({ id: rogue.id, seen: 'admin' });
  expect(await move(two, ana.id, requested)).toMatchObject({ email: ana.email });
});

it('an action of an owner who is banned while it waits for a lock is refused', async () => {
  const [rogue, ana] = [await app.member({ role: 'admin' }), await app.member({ role: 'admin' })];
  const ben = await app.member();
  await app.sql('update sessions set proved_at = now() where user_id = $1', [rogue.id]);
  const colleague = await app.sqlClient();
  await colleague.query('begin');
  await colleague.query('select 1 from admin_profiles order by id for update');
  const ban = app.as(rogue).admin.users.ban({ ids: [ana.id], days: 1, reason: 'test' });
  const role = app
    .as(rogue)
    .admin.roles.assign({ id: ben.id, role: 'moderator' })
    .then(
      () => 'ok',
      (error: { code: string }) => error.code,
    );
  await expect.poll(() => app.waiting()).toBe(2);
  await colleague.query(`update users set banned_until = 'infinity' where id = $1`, [rogue.id]);
  await colleague.query('commit');
  await colleague.end();
  expect((await ban).results).toEqual([expect.objectContaining({ id: ana.id, code: 'FORBIDDEN' })]);
  expect(await role).toBe('FORBIDDEN');
  expect(await app.sql('select banned_until from users where id = $1', [ana.id])).toEqual([{ banned_until: null }]);
});

it('an admin cannot move their own mailbox alone, however often they request it', async () => {
  const ana = await colleague('admin');
  await ana.api.account.prove({ code: 'x'.repeat(6) }).catch(() => {});
  await app.sql('update sessions set proved_at = now() where user_id = $1', [ana.id]);
  const requested = people.email();
  const { version, username } = await rowOf(one, ana.id);
  const input = { id: ana.id, version, email: requested, username: username ?? '', locale: 'es' as const };
  for (let n = 0; n < 2; n++) expect(await ana.api.admin.users.update(input)).toMatchObject({ email: ana.email });
});

describe('an action of staff on an account of staff', () => {
  const actions: [string, (id: string) => Promise<unknown>][] = [
    [
      'name',
      async (id) => {
        const { version, email } = await rowOf(one, id);
        return app.as(one).admin.users.update({ id, version, email, username: `n${id.slice(0, 8)}`, locale: 'es' });
      },
    ],
    ['confirm', (id) => app.as(one).admin.users.confirm({ ids: [id] })],
    ['revoke', (id) => app.as(one).admin.users.revokeSessions({ ids: [id] })],
    ['password', (id) => app.as(one).admin.users.resetPassword({ ids: [id], locale: 'es' })],
    ['ban', (id) => app.as(one).admin.users.ban({ ids: [id], days: 1, reason: 'test' })],
    ['role', (id) => app.as(one).admin.roles.remove({ id })],
    ['removal', (id) => app.as(one).admin.users.remove({ ids: [id], reason: 'test' })],
  ];
  const about = async (to: string, target: string) =>
    (await people.mailsTo(to)).filter(
      ({ subject }) => subject.includes('cuenta del equipo') && subject.includes(target),
    ).length;

  it.each(actions)('is mailed to the actor and the target: %s', async (_what, action) => {
    const ana = await colleague('moderator');
    const before = await about(one.email, ana.email);
    const hers = await about(ana.email, ana.email);
    await action(ana.id);
    expect(await about(one.email, ana.email)).toBe(before + 1);
    expect(await about(ana.email, ana.email)).toBe(hers + 1);
  });

  it('is mailed to the actor and the target: an undo that restores an earlier ban', async () => {
    const ana = await colleague('moderator');
    await app.as(one).admin.users.ban({ ids: [ana.id], days: 10, reason: 'test' });
    await app.as(two).admin.users.ban({ ids: [ana.id], days: null, reason: 'test' });
    const before = [await about(two.email, ana.email), await about(ana.email, ana.email)];
    await app.as(two).admin.users.unban({ ids: [ana.id], undo: true });
    expect((await rowOf(one, ana.id)).access).toBe('banned');
    expect([await about(two.email, ana.email), await about(ana.email, ana.email)]).toEqual(before.map((n) => n + 1));
  });

  it('is not mailed when the target is a member without a staff role', async () => {
    const ben = await people.newcomer();
    await app.as(one).admin.users.confirm({ ids: [ben.id] });
    expect(await about(ben.email, ben.email)).toBe(0);
  });
});

it('a password reset of an account with an unconfirmed mailbox still removes its second factor', async () => {
  const ana = await people.newcomer();
  await app.sql(`insert into second_factors (user_id, secret, confirmed_at) values ($1, '\\x00', now())`, [ana.id]);
  const guest = app.browser({ address: people.address() });
  await guest.api.account.requestPasswordReset({ email: ana.email, locale: 'es' });
  await guest.api.account.resetPassword({
    token: await people.newestToken(ana.email),
    password: PASSWORD,
    locale: 'es',
  });
  expect(await app.sql('select 1 from second_factors where user_id = $1', [ana.id])).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { address, app, nextSerial } from '#tests/fixtures/auth.ts';
import { listenTo, type Person } from '#tests/support/app/test-app.ts';

describe('claiming an admin invitation', () => {
  const invite = (mail: string, over: { claimed_by?: string } = {}) =>
    app.sql('insert into admin_users (email, claimed_by) values ($1, $2)', [mail, over.claimed_by ?? null]);
  /** The refusal as sent. */
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

  it('is refused with the same answer whatever the reason [AUTH-13] [AUTH-41] [AMB-03]', async () => {
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

  it('refuses a user id in the body', async () => {
    const ana = await app.member({ verified: true });
    const body = { email: ana.email, p_auth_user_id: ana.id };
    await expect(app.as(ana).auth.linkAdmin(body as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('works for the invited member with a confirmed mailbox, at once, and is audited [AUTH-13] [AUTH-31] [AUTH-41]', async () => {
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

  it('succeeds for one of two concurrent requests', async () => {
    const ana = await app.member({ verified: true });
    await invite(ana.email);
    const results = await Promise.allSettled([1, 2].map(() => app.as(ana).auth.linkAdmin({ email: ana.email })));
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is limited to 5 attempts an hour', async () => {
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
      [over.name ?? `legacy${nextSerial()}`, mail, over.owner ?? null],
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

  it('is refused with the same answer whatever the reason [AUTH-14] [AUTH-42] [AMB-04]', async () => {
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

  it('moves the posts to the legacy profile, and grants no role [AUTH-14] [AUTH-31] [AUTH-42]', async () => {
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

  it('keeps a hidden presence hidden, and sends a live event about the new name', async () => {
    const ana = await app.member({ verified: true });
    await app.as(ana).account.setPresence({ hide: true });
    const forumUserId = await legacy(ana.email, { name: 'Titiritera Oculta' });
    const listeners = listenTo(app.services);
    await app.as(ana).auth.linkForumUser({ forumUserId });
    expect(await app.as(ana).account.overview()).toMatchObject({ username: 'Titiritera Oculta', hidePresence: true });
    await listeners.changed('forum');
  });

  it('is idempotent: two concurrent requests and a later one succeed, and it happens once', async () => {
    const ana = await app.member({ verified: true });
    const forumUserId = await legacy(ana.email, { name: 'Titiritera Puntual' });
    const link = () => app.as(ana).auth.linkForumUser({ forumUserId });
    for (const me of [...(await Promise.all([link(), link()])), await link()])
      expect(me).toMatchObject({ username: 'Titiritera Puntual', isForumUser: true });
    expect(
      await app.sql(`select 1 from audit_events where action = 'forum_profile.linked' and resource_id = $1`, [
        forumUserId,
      ]),
    ).toHaveLength(1);
  });
});

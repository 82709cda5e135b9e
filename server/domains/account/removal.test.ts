import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { app, codeOf, newcomer, signIn } from '#tests/fixtures/account.ts';
import { PASSWORD } from '#tests/support/app/people.ts';
import { listenTo } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { removeMember } from './removal.service.ts';

vi.mock('./min-duration.ts', () => ({ withMinDuration: (work: () => Promise<unknown>) => work() }));

describe('deleting the account', () => {
  const counts = async (candidateId: string) => {
    const [row] = await app.sql(
      `select c.total_votes as total, (select count(*)::int from votes v where v.candidate_id = c.id) as rows,
         (select sum(d.votes)::int from candidate_daily_votes d where d.candidate_id = c.id) as days
       from voting_candidates c where id = $1`,
      [candidateId],
    );
    return row;
  };

  it('deletes what identifies the member, keeps forum texts without an author, and keeps counts exact [AMB-149]', async () => {
    const ana = await newcomer({ verified: true });
    const ben = await newcomer();
    const one = await app.candidate();
    const two = await app.candidate();
    for (const member of [ana, ben]) await member.api.voting.cast({ candidateId: one.id });
    await ana.api.voting.cast({ candidateId: two.id });
    app.pass(24 * 3_600_000);
    await ana.api.voting.cast({ candidateId: one.id });
    const post = await ana.api.forum.create({ title: 'Me voy', content: 'pero esto queda' });
    const comment = await ana.api.forum.comment({ postId: post.id, content: 'y esto' });
    for (const member of [ana, ben]) await member.api.forum.react({ postId: post.id, emojiType: 'sad', on: true });
    await ana.api.forum.editComment({ id: comment.id, content: 'y esto también' });
    await app.sql('insert into admin_users (email, claimed_by) values ($1, $2)', [ana.email, ana.id]);
    const formerName = (await ana.api.account.overview()).username;
    const name = `Antes ${formerName}`.slice(0, 24);
    await ana.api.account.setUsername({ username: name });

    expect(await codeOf(ana.api.account.remove({ password: 'wrong-password' }))).toBe('WRONG_PASSWORD');
    const listeners = listenTo(app.services);
    expect(await ana.api.account.remove({ password: PASSWORD })).toEqual({ ok: true });
    expect(ana.browser.cookie).toBe('');
    const liveEvents = await listeners.until(
      (event) =>
        event.type === 'votes.changed' &&
        event.tallies.some((tally) => tally.candidateId === one.id && tally.totalVotes === 1),
    );
    expect(liveEvents).toMatchObject({
      tallies: expect.arrayContaining([
        { candidateId: one.id, totalVotes: 1, votesToday: 0, reachedAt: expect.any(String) },
        { candidateId: two.id, totalVotes: 0, votesToday: 0, reachedAt: null },
      ]),
    });
    expect(await counts(one.id)).toEqual({ total: 1, rows: 1, days: 1 });
    expect(await counts(two.id)).toEqual({ total: 0, rows: 0, days: 0 });
    expect(await app.sql('select reactions from post_reaction_counts where post_id = $1', [post.id])).toEqual([
      { reactions: 1 },
    ]);

    const left = await app.as().forum.post({ id: post.id });
    const nobody = { username: null, shortId: '', staff: false };
    expect([left.author, left.comments[0]?.author]).toEqual([nobody, nobody]);
    const [stored] = await app.sql('select * from forum_users where id = $1', [ana.id]);
    expect(stored).toMatchObject({ new_auth_user_id: null, legacy_email: null });
    expect(stored?.['username']).toMatch(/^Cuenta eliminada [0-9a-f]{12}$/);
    expect(stored?.['wallet_address']).not.toContain(ana.id);
    expect(await app.sql('select content from forum_posts where id = $1', [post.id])).toEqual([
      { content: 'pero esto queda' },
    ]);
    expect(await app.sql('select user_id from forum_comments where id = $1', [comment.id])).toEqual([
      { user_id: null },
    ]);
    expect(await app.sql('select 1 from forum_edits where comment_id = $1', [comment.id])).toEqual([]);
    // The one mail that is left is about the removal.
    expect(await app.sql('select template, data from mails where to_address = $1', [ana.email])).toEqual([
      { template: 'accountRemoved', data: { by: 'member' } },
    ]);
    expect((await app.deliverMails()).filter(({ to }) => to === ana.email)).toMatchObject([
      { subject: 'Tu cuenta se ha borrado', text: expect.stringContaining('no se puede recuperar') },
    ]);
    for (const table of ['users', 'forum_users', 'admin_users', 'audit_events'])
      for (const word of [ana.email, name, formerName, '"y esto']) {
        const rows = await app.sql(`select 1 from ${table} t where t::text like $1`, [`%${word}%`]);
        expect(rows, `${table} ${word}`).toEqual([]);
      }
    expect(await codeOf(signIn(ana.email))).toBe('INVALID_CREDENTIALS');
    // The e-mail is free, and the old profile can't be claimed with it.
    const again = await newcomer({ email: ana.email, verified: true });
    expect(await codeOf(again.api.auth.linkForumUser({ forumUserId: ana.id }))).toBe('LINK_REFUSED');
    expect(await codeOf(again.api.auth.linkAdmin({ email: ana.email }))).toBe('LINK_REFUSED');
  });

  it('deletes drafts with their images, and keeps token requests with an order', async () => {
    const ana = await newcomer({ verified: true });
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0af' } })
      .png()
      .toBuffer();
    const uploaded = await app.http('/uploads?bucket=token-images', {
      method: 'POST',
      headers: { 'content-type': 'image/png', cookie: ana.browser.cookie },
      body: new Uint8Array(png),
    });
    expect(uploaded.status).toBe(201);
    const { url: imageUrl } = (await uploaded.json()) as { url: string };
    const begin = async (tokenName: string, over: object = {}) => {
      app.pass(60_000);
      const data = { ...COMPLETE, petitionerEmail: ana.email, tokenName, ...over };
      return (await ana.api.tokenRequests.create({ data })).id;
    };
    const draft = await begin('Empezado', { imageUrl });
    const ordered = await begin('Pedido');
    await app.sql(
      `insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, ledger, state, expires_at, created_at)
       values ($1, 'FL-REMOVED001', 'basic', 1500, 'es', true, '{"deposits": {}}', 'expired', $2, $2)`,
      [ordered, app.now],
    );
    const imageOf = async () =>
      (await app.sql(`select status, deleted_at from media where '/media/' || name || '.webp' = $1`, [imageUrl]))[0];
    expect(await imageOf()).toEqual({ status: 'used', deleted_at: null });

    await ana.api.account.remove({ password: PASSWORD });
    const left = await app.sql<{ id: string; user_id: string | null }>(
      'select id, user_id from token_creation_submissions where id = any($1)',
      [[draft, ordered]],
    );
    expect(left).toEqual([{ id: ordered, user_id: null }]);
    expect(await imageOf()).toEqual({ status: 'used', deleted_at: app.now });
  });

  it.each([
    [true, []],
    [false, ['orderPaid', 'refund']],
  ])('with a confirmed mailbox (%s) leaves these mails about orders: %j', async (verified, left) => {
    const ana = await newcomer({ verified });
    for (const template of ['orderPaid', 'refund'])
      await app.sql(`insert into mails (to_address, locale, template) values ($1, 'es', $2)`, [ana.email, template]);
    await ana.api.account.remove({ password: PASSWORD });
    const rows = await app.sql<{ template: string }>(
      `select template from mails where to_address = $1 and template <> 'accountRemoved' order by template`,
      [ana.email],
    );
    expect(rows.map(({ template }) => template)).toEqual(left);
  });

  it('deletes nothing when the session of the request has been ended in the meantime', async () => {
    const ana = await newcomer();
    const remove = (sessionId: string) =>
      app.services.db.transaction((tx) => removeMember(tx, ana.id, app.now, sessionId));
    const [open] = await app.sql<{ id: string }>('select id from sessions where user_id = $1', [ana.id]);
    expect(await remove(randomUUID())).toBeNull();
    expect(await app.sql('select 1 from users where id = $1', [ana.id])).toHaveLength(1);
    expect(await remove(open?.id ?? '')).toBe(0);
  });

  it('keeps the vote counts exact while other members vote concurrently', async () => {
    const { id: candidateId } = await app.candidate();
    const members = await Promise.all(Array.from({ length: 4 }, () => newcomer()));
    for (const member of members) await member.api.voting.cast({ candidateId });
    const others = await app.members(30);
    await Promise.all([
      ...members.map((member) => member.api.account.remove({ password: PASSWORD })),
      ...others.map((other) => app.as(other).voting.cast({ candidateId })),
    ]);
    expect(await counts(candidateId)).toEqual({ total: 30, rows: 30, days: 30 });
  });

  it('is refused to the last admin, also when the last two request it at once', async () => {
    const boss = async () => {
      const one = await newcomer();
      await app.sql('insert into admin_profiles (id) values ($1)', [one.id]);
      return one;
    };
    const two = [await boss(), await boss()];
    const results = await Promise.all(two.map((one) => codeOf(one.api.account.remove({ password: PASSWORD }))));
    expect(results.toSorted()).toEqual(['LAST_ADMIN', 'ok']);
    expect(await app.sql('select 1 from admin_profiles')).toHaveLength(1);
  });
});

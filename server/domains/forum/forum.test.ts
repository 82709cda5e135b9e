import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EmojiType } from '#contract/domains/forum.ts';
import { EDIT_MINUTES } from '#contract/limits.ts';
import {
  app,
  commentBy,
  ghost,
  idsOf,
  MINUTE,
  newText,
  outcome,
  postBy,
  regular,
  visitor,
} from '#tests/fixtures/forum.ts';
import type { Api, Person } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

describe('authorization', () => {
  it('lets visitors read posts and comments and change nothing [FORUM-32..34] [SEC-01] [SEC-03]', async () => {
    const post = await postBy(await regular());
    const comment = await commentBy(await regular(), post.id);
    expect((await visitor.forum.posts({})).items[0]).toMatchObject({ id: post.id, comments: [{ id: comment.id }] });
    expect(await visitor.forum.post({ id: post.id })).toMatchObject({ title: post.title });
    expect((await visitor.forum.comments({ postId: post.id })).items).toHaveLength(1);
    expect(await visitor.forum.mine({ postIds: [post.id] })).toEqual({ reactions: [], posts: [], comments: [] });
    const attempts = [
      visitor.forum.create({ title: 'a', content: 'b' }),
      visitor.forum.comment({ postId: post.id, content: 'c' }),
      visitor.forum.react({ postId: post.id, emojiType: 'like', on: true }),
      visitor.forum.editPost({ id: post.id, title: 'a', content: 'b' }),
      visitor.forum.editComment({ id: comment.id, content: 'c' }),
      visitor.forum.deletePost({ id: post.id }),
      visitor.forum.deleteComment({ id: comment.id }),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });

  it('lets members neither edit nor delete texts of others, moderators and admins delete but not edit them [FORUM-53..55] [SEC-07..08] [AMB-11..12] [AMB-139]', async () => {
    const [author, admin] = [await regular(), await regular({ role: 'admin' })];
    for (const role of ['user', 'moderator', 'admin'] as const) {
      const other = app.as(await regular({ role }));
      const post = await postBy(author);
      const comment = await commentBy(author, post.id);
      expect(await outcome(other.forum.editPost({ id: post.id, title: 'x', content: 'y' }))).toBe('FORBIDDEN');
      expect(await outcome(other.forum.editComment({ id: comment.id, content: 'y' }))).toBe('FORBIDDEN');
      const expected = role === 'user' ? 'FORBIDDEN' : 'ok';
      // Identity claims in the input of old clients have no effect.
      const claims = [admin.email, author.email, author.id, 'unknown'];
      for (const p_wallet_address of role === 'user' ? claims : []) {
        expect(await outcome(other.forum.deleteComment({ id: comment.id, ...REMOVAL_REASON, p_wallet_address }))).toBe(
          'FORBIDDEN',
        );
        expect(await outcome(other.forum.deletePost({ id: post.id, ...REMOVAL_REASON, p_wallet_address }))).toBe(
          'FORBIDDEN',
        );
      }
      const p_wallet_address = 'unknown';
      expect(await outcome(other.forum.deleteComment({ id: comment.id, ...REMOVAL_REASON, p_wallet_address }))).toBe(
        expected,
      );
      expect(await outcome(other.forum.deletePost({ id: post.id, ...REMOVAL_REASON }))).toBe(expected);
      expect(await outcome(visitor.forum.post({ id: post.id }))).toBe(role === 'user' ? 'ok' : 'NOT_FOUND');
    }
  });

  it('uses the current role, not that of the sign-in', async () => {
    const moderator = await regular({ role: 'moderator' });
    const post = await postBy(await regular());
    await app.sql(`update user_roles set role = 'user' where user_id = $1`, [moderator.id]);
    expect(await outcome(app.as(moderator).forum.deletePost({ id: post.id }))).toBe('FORBIDDEN');
  });

  it('marks texts of staff by the current role, not that at the time of writing', async () => {
    const person = await regular();
    const post = await postBy(person);
    await app.as(person).forum.comment({ postId: post.id, content: newText() });
    const marks = async () => {
      const [comment] = (await app.as().forum.comments({ postId: post.id })).items;
      return [(await app.as().forum.post({ id: post.id })).author.staff, comment?.author.staff];
    };
    expect(await marks()).toEqual([false, false]);
    for (const [role, staff] of [
      ['moderator', true],
      ['admin', true],
      ['user', false],
    ] as const) {
      await app.sql('update user_roles set role = $2 where user_id = $1', [person.id, role]);
      expect(await marks()).toEqual([staff, staff]);
    }
  });

  it('takes the author from the session and no field of the row from the caller [FORUM-36] [FORUM-45] [FORUM-51] [AMB-13]', async () => {
    const [ana, ben] = [await regular(), await regular()];
    for (const field of ['forum_user_id', 'userId', 'is_hidden', 'createdAt', 'deletedBy'])
      expect(
        await outcome(app.as(ana).forum.create({ title: 'a', content: newText(), [field]: ben.id } as never)),
      ).toBe('BAD_REQUEST');
    const post = await postBy(ana);
    expect(post.author.username).toBe(ana.username);
    expect(
      await outcome(app.as(ben).forum.react({ postId: post.id, emojiType: 'like', on: true, userId: ana.id } as never)),
    ).toBe('BAD_REQUEST');
    expect((await app.as(ana).forum.mine({ postIds: [post.id] })).reactions).toEqual([]);
  });

  it('lets a member without a profile read, and creates it with the first post or comment; reactions are refused before [FORUM-37..38] [FORUM-40..43] [FORUM-56] [AUTH-45] [SEC-04..05] [AMB-128] [AMB-129] [AMB-131]', async () => {
    const person = await regular();
    const post = await postBy(await regular());
    const isForumUser = async () => (await app.as(person).auth.me())?.isForumUser;
    expect(await isForumUser()).toBe(true);
    await app.sql('delete from forum_users where new_auth_user_id = $1', [person.id]);
    expect(await isForumUser()).toBe(false);
    expect((await app.as(person).forum.posts({})).items[0]?.id).toBe(post.id);
    expect(await app.as(person).forum.post({ id: post.id })).toMatchObject({ content: post.content });
    expect(await outcome(app.as(person).forum.react({ postId: post.id, emojiType: 'like', on: true }))).toBe(
      'FORBIDDEN',
    );
    const made = await postBy(person);
    expect(made.author).toEqual({
      username: `User_${person.id.slice(0, 8)}`,
      shortId: person.id.slice(0, 8),
      staff: false,
    });
    expect(await isForumUser()).toBe(true);
    expect(
      await app.sql('select id, wallet_address from forum_users where new_auth_user_id = $1', [person.id]),
    ).toEqual([{ id: person.id, wallet_address: `user_${person.id}` }]);
    expect(await outcome(app.as(person).forum.react({ postId: post.id, emojiType: 'like', on: true }))).toBe('ok');
    const commenter = await regular();
    await app.sql('delete from forum_users where new_auth_user_id = $1', [commenter.id]);
    expect((await commentBy(commenter, post.id)).author.username).toBe(`User_${commenter.id.slice(0, 8)}`);
  });

  it('gives a created profile another name if the default is taken, and links an own profile again', async () => {
    const [person, taker] = [await regular(), await regular()];
    const name = `User_${person.id.slice(0, 8)}`;
    await app.sql('delete from forum_users where new_auth_user_id = $1', [person.id]);
    await app.sql('update forum_users set username = upper($2) where new_auth_user_id = $1', [taker.id, name]);
    const { author } = await postBy(person);
    expect(author.username).toMatch(/^User_[0-9a-f]{8}$/);
    expect(author.username).not.toBe(name);
    await app.sql('update forum_users set new_auth_user_id = null where id = $1', [person.id]);
    app.pass(60 * MINUTE);
    expect((await postBy(person)).author.username).toBe(author.username);
  });
});

describe('editing and deleting', () => {
  it('lets authors edit for 15 minutes and not a millisecond more, and marks what was edited [AMB-139]', async () => {
    const ana = await regular();
    const post = await postBy(ana);
    const comment = await app.as(ana).forum.comment({ postId: post.id, content: newText() });
    expect(post.editedAt).toBeNull();
    app.pass(EDIT_MINUTES * MINUTE - 1);
    const edited = await app.as(ana).forum.editPost({ id: post.id, title: 'New title', content: 'New words' });
    expect(edited).toMatchObject({ title: 'New title', content: 'New words', editedAt: app.now.toISOString() });
    expect(edited.createdAt).toBe(post.createdAt);
    const changed = await app.as(ana).forum.editComment({ id: comment.id, content: 'Other words' });
    expect(changed).toMatchObject({ content: 'Other words', editedAt: app.now.toISOString() });
    app.pass(1);
    const late = app.as(ana).forum.editPost({ id: post.id, title: 'Late', content: 'Late' });
    await expect(late).rejects.toMatchObject({ code: 'EDIT_WINDOW_CLOSED', status: 409 });
    expect(await outcome(app.as(ana).forum.editComment({ id: comment.id, content: 'Late' }))).toBe(
      'EDIT_WINDOW_CLOSED',
    );
    expect(await visitor.forum.post({ id: post.id })).toMatchObject({ title: 'New title' });
    expect(await outcome(app.as(ana).forum.deletePost({ id: post.id }))).toBe('ok');
  });

  it('leaves a placeholder for a comment deleted by its author, and nothing of one removed by a moderator [FORUM-49] [AMB-132] [AMB-139]', async () => {
    const [ana, moderator] = [await regular(), await regular({ role: 'moderator' })];
    const post = await postBy(ana);
    const own = await commentBy(ana, post.id, 'secret one');
    const removed = await commentBy(ana, post.id, 'secret two');
    const remaining = await commentBy(ana, post.id);
    await app.as(ana).forum.deleteComment({ id: own.id });
    expect(await app.as(moderator).forum.deleteComment({ id: removed.id, ...REMOVAL_REASON })).toEqual({
      id: removed.id,
      postId: post.id,
    });
    const seen = await visitor.forum.post({ id: post.id });
    expect(seen.comments).toMatchObject([
      { id: own.id, content: null },
      { id: remaining.id, content: remaining.content },
    ]);
    expect(seen.commentCount).toBe(1);
    const list = await visitor.forum.comments({ postId: post.id });
    expect(idsOf(list)).toEqual([own.id, remaining.id]);
    expect(JSON.stringify([seen, list])).not.toContain('secret');
    const rows = await app.sql('select is_hidden, deleted_by, content from forum_comments where id = $1', [removed.id]);
    expect(rows).toEqual([{ is_hidden: true, deleted_by: moderator.id, content: 'secret two' }]);
    expect((await app.as(ana).forum.mine({ postIds: [post.id] })).comments).toEqual([remaining.id]);
  });

  it('leaves a placeholder for a post deleted by its author if others answered it, and nothing of a removed one [FORUM-35] [AMB-132] [AMB-139]', async () => {
    const [ana, ben, admin] = [await regular(), await regular(), await regular({ role: 'admin' })];
    const lonely = await postBy(ana);
    await commentBy(ana, lonely.id, 'hush note');
    const answered = await postBy(ana, { title: 'hush title', content: 'hush words' });
    const answer = await commentBy(ben, answered.id, 'hush answer');
    await app.as(ben).forum.react({ postId: answered.id, emojiType: 'like', on: true });
    const moderated = await postBy(ana);
    const lost = await commentBy(ben, moderated.id);
    await app.as(ana).forum.deletePost({ id: lonely.id });
    await app.as(ana).forum.deletePost({ id: answered.id });
    await app.as(admin).forum.deletePost({ id: moderated.id, ...REMOVAL_REASON });

    const list = await visitor.forum.posts({ limit: 50 });
    expect(idsOf(list)).toContain(answered.id);
    expect(idsOf(list)).not.toContain(lonely.id);
    expect(idsOf(list)).not.toContain(moderated.id);
    const place = await visitor.forum.post({ id: answered.id });
    expect(place).toMatchObject({
      title: '',
      content: null,
      reactions: [],
      comments: [],
      commentCount: 0,
      commentsCursor: null,
    });
    expect(JSON.stringify(list)).not.toContain('hush');
    for (const id of [lonely.id, moderated.id]) expect(await outcome(visitor.forum.post({ id }))).toBe('NOT_FOUND');
    for (const postId of [lonely.id, answered.id, moderated.id])
      for (const anyone of [visitor, app.as(ana), app.as(ben)])
        expect(await outcome(anyone.forum.comments({ postId }))).toBe('NOT_FOUND');
    expect(JSON.stringify(await visitor.forum.posts({ q: 'hush' }))).not.toContain('hush');
    // The author's export contains the text.
    expect((await app.as(ana).account.export({})) as object).toMatchObject({
      posts: expect.arrayContaining([expect.objectContaining({ id: answered.id, content: 'hush words' })]),
    });
    expect((await app.as(ben).account.export({})) as object).toMatchObject({
      comments: expect.arrayContaining([
        expect.objectContaining({ id: answer.id, content: 'hush answer' }),
        expect.objectContaining({ id: lost.id }),
      ]),
    });
    app.pass(MINUTE);
    const api = app.as(ben);
    const on = { emojiType: 'love', on: true } as const;
    for (const postId of [lonely.id, answered.id, moderated.id]) {
      expect(await outcome(api.forum.comment({ postId, content: newText() }))).toBe('NOT_FOUND');
      expect(await outcome(api.forum.react({ postId, ...on }))).toBe('NOT_FOUND');
      expect(await outcome(app.as(ana).forum.editPost({ id: postId, title: 'a', content: 'b' }))).toBe('NOT_FOUND');
      expect(await outcome(app.as(ana).forum.deletePost({ id: postId }))).toBe('NOT_FOUND');
    }
    expect(await outcome(app.as(ben).forum.deleteComment({ id: lost.id }))).toBe('ok');
    expect(await outcome(app.as(ana).forum.deletePost({ id: ghost }))).toBe('NOT_FOUND');
    expect(await outcome(app.as(ana).forum.deleteComment({ id: ghost }))).toBe('NOT_FOUND');
  });

  it('audits each action with its actor, and stores the text before an edit outside the audit log', async () => {
    const ana = await regular();
    const post = await postBy(ana, { title: 'Before' });
    await app.as(ana).forum.editPost({ id: post.id, title: 'After', content: 'b' });
    await app.as(ana).forum.deletePost({ id: post.id });
    const trail = await app.sql(
      `select action, actor_id, coalesce(before ->> 'title', '') as title from audit_events where resource_id = $1 order by id`,
      [post.id],
    );
    expect(trail).toEqual([
      { action: 'post.created', actor_id: ana.id, title: '' },
      { action: 'post.edited', actor_id: ana.id, title: '' },
      { action: 'post.deleted', actor_id: ana.id, title: 'After' },
    ]);
    expect(await app.sql('select title from forum_edits where post_id = $1', [post.id])).toEqual([{ title: 'Before' }]);
  });
});

/** Differences between stored counters and rows, for all posts. */
async function unequalCounters() {
  return app.sql(`
    select p.id from forum_posts p
    where p.comment_count <> (select count(*) from forum_comments c where c.post_id = p.id and not c.is_hidden)
      or exists (
        select 1 from post_reaction_counts r where r.post_id = p.id and r.reactions <>
          (select count(*) from post_reactions x where x.post_id = r.post_id and x.emoji_type = r.emoji_type))
      or exists (
        select 1 from post_reactions x where x.post_id = p.id and not exists
          (select 1 from post_reaction_counts r where r.post_id = x.post_id and r.emoji_type = x.emoji_type))`);
}

describe('reactions', () => {
  it('are six kinds, several per member, each given once and shown in one order [FORUM-13..15] [FORUM-44..48] [AMB-134]', async () => {
    const { id: postId } = await postBy(await regular());
    const [ana, ben] = [app.as(await regular()), app.as(await regular())];
    const react = (api: Api, emojiType: EmojiType, on = true) => api.forum.react({ postId, emojiType, on });
    expect(await react(ana, 'angry')).toEqual({ postId, emojiType: 'angry', on: true, count: 1 });
    expect(await react(ana, 'like')).toMatchObject({ count: 1 });
    expect(await react(ana, 'like')).toMatchObject({ count: 1 });
    expect(await react(ben, 'like')).toMatchObject({ count: 2 });
    expect((await visitor.forum.post({ id: postId })).reactions).toEqual([
      { emojiType: 'like', count: 2 },
      { emojiType: 'angry', count: 1 },
    ]);
    expect((await ana.forum.mine({ postIds: [postId] })).reactions).toEqual(
      expect.arrayContaining([
        { postId, emojiType: 'like' },
        { postId, emojiType: 'angry' },
      ]),
    );
    expect(await react(ana, 'angry', false)).toMatchObject({ count: 0 });
    expect(await react(ana, 'angry', false)).toMatchObject({ count: 0 });
    expect((await visitor.forum.post({ id: postId })).reactions).toEqual([{ emojiType: 'like', count: 2 }]);
    expect((await ben.forum.mine({ postIds: [postId] })).reactions).toEqual([{ postId, emojiType: 'like' }]);
    expect(await outcome(react(ana, 'fire' as never))).toBe('BAD_REQUEST');
    expect(await outcome(ana.forum.react({ postId: ghost, emojiType: 'like', on: true }))).toBe('NOT_FOUND');
    expect(await unequalCounters()).toEqual([]);
  });

  it('count every member once when 25 react concurrently, some twice, some taking it back', async () => {
    const { id: postId } = await postBy(await regular());
    const people = await app.members(25);
    const like = (person: Person, on: boolean) => app.as(person).forum.react({ postId, emojiType: 'like', on });
    await Promise.all(people.flatMap((person) => [like(person, true), like(person, true)]));
    expect((await visitor.forum.post({ id: postId })).reactions).toEqual([{ emojiType: 'like', count: 25 }]);
    await Promise.all(people.map((person, i) => like(person, i % 2 === 0)));
    expect((await visitor.forum.post({ id: postId })).reactions).toEqual([{ emojiType: 'like', count: 13 }]);
    expect(await unequalCounters()).toEqual([]);
  });
});

describe('counters of the forum', () => {
  it('equal the rows after any actions, sequential or concurrent', async () => {
    const people = [...(await app.members(4)), await app.member({ role: 'moderator' })];
    const author = people[0] as Person;
    const posts = [await postBy(author), await postBy(author)];
    const comments: string[] = [];
    const step = fc.record({
      who: fc.nat(people.length - 1),
      post: fc.nat(1),
      what: fc.constantFrom('comment', 'react', 'unreact', 'deleteComment', 'editComment', 'deletePost'),
      emoji: fc.constantFrom<EmojiType>('like', 'love', 'sad'),
      pick: fc.nat(30),
    });
    async function run({ who, post, what, emoji, pick }: typeof step extends fc.Arbitrary<infer T> ? T : never) {
      const api = app.as(people[who] as Person);
      const postId = posts[post]?.id ?? '';
      const commentId = comments[pick % Math.max(1, comments.length)] ?? ghost;
      if (what === 'comment') comments.push((await api.forum.comment({ postId, content: newText() })).id);
      else if (what === 'react' || what === 'unreact')
        await api.forum.react({ postId, emojiType: emoji, on: what === 'react' });
      else if (what === 'deleteComment') await api.forum.deleteComment({ id: commentId });
      else if (what === 'editComment') await api.forum.editComment({ id: commentId, content: newText() });
      else if (pick === 0) await api.forum.deletePost({ id: postId });
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 8 }), async (rounds) => {
        for (const round of rounds) {
          app.pass(MINUTE);
          for (const result of await Promise.allSettled(round.map(run)))
            if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: expect.any(Number) });
          expect(await unequalCounters()).toEqual([]);
        }
      }),
      { numRuns: 25 },
    );
    expect(app.logged.filter((line) => Number(line['level']) >= 50)).toEqual([]);
  });
});

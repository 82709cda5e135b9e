import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EmojiType } from '#contract/forum.ts';
import { COMMENTS_SHOWN, EDIT_MINUTES, LIMITS, POST_CONTENT_MAX, POST_TITLE_MAX } from '#contract/limits.ts';
import { BECAUSE } from '#tests/support/removal.ts';
import { type Api, listenTo, type Person, startTestApp } from '#tests/support/test-app.ts';

const app = await startTestApp();
const visitor = app.as();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let serial = 0;
const searchTerms = () => `word${++serial}`;

/** A member whose account is older than the first, slower day. */
async function regular(over: Parameters<typeof app.member>[0] = {}): Promise<Person> {
  const person = await app.member(over);
  await app.sql(`update users set created_at = $2 where id = $1`, [person.id, new Date(app.now.getTime() - 2 * DAY)]);
  return person;
}
const newcomer = async () => {
  const person = await app.member();
  await app.sql(`update users set created_at = $2 where id = $1`, [person.id, app.now]);
  return person;
};
/** A post at once, whoever wrote before. */
async function postBy(person: Person, over: { title?: string; content?: string } = {}) {
  app.pass(2 * MINUTE);
  return app.as(person).forum.create({ title: searchTerms(), content: searchTerms(), ...over });
}
async function commentBy(person: Person, postId: string, content = searchTerms()) {
  app.pass(MINUTE);
  return app.as(person).forum.comment({ postId, content });
}
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: { code?: string; status?: number }) => error.code ?? String(error),
  );
const idsOf = (list: { items: { id: string }[] }) => list.items.map((item) => item.id);
const ghost = '00000000-0000-4000-8000-000000000000';

describe('who may do what', () => {
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

  it('keeps members from the words of others, moderators and admins from changing but not from deleting them [FORUM-53..55] [SEC-07..08] [AMB-11..12] [AMB-139]', async () => {
    const [author, admin] = [await regular(), await regular({ role: 'admin' })];
    for (const role of ['user', 'moderator', 'admin'] as const) {
      const other = app.as(await regular({ role }));
      const post = await postBy(author);
      const comment = await commentBy(author, post.id);
      expect(await outcome(other.forum.editPost({ id: post.id, title: 'x', content: 'y' }))).toBe('FORBIDDEN');
      expect(await outcome(other.forum.editComment({ id: comment.id, content: 'y' }))).toBe('FORBIDDEN');
      const expected = role === 'user' ? 'FORBIDDEN' : 'ok';
      // What old callers say of themselves helps nobody, and hinders nobody.
      const claims = [admin.email, author.email, author.id, 'unknown'];
      for (const p_wallet_address of role === 'user' ? claims : []) {
        expect(await outcome(other.forum.deleteComment({ id: comment.id, ...BECAUSE, p_wallet_address }))).toBe(
          'FORBIDDEN',
        );
        expect(await outcome(other.forum.deletePost({ id: post.id, ...BECAUSE, p_wallet_address }))).toBe('FORBIDDEN');
      }
      const p_wallet_address = 'unknown';
      expect(await outcome(other.forum.deleteComment({ id: comment.id, ...BECAUSE, p_wallet_address }))).toBe(expected);
      expect(await outcome(other.forum.deletePost({ id: post.id, ...BECAUSE }))).toBe(expected);
      expect(await outcome(visitor.forum.post({ id: post.id }))).toBe(role === 'user' ? 'ok' : 'NOT_FOUND');
    }
  });

  it('believes the role of this moment, not of the sign-in', async () => {
    const moderator = await regular({ role: 'moderator' });
    const post = await postBy(await regular());
    await app.sql(`update user_roles set role = 'user' where user_id = $1`, [moderator.id]);
    expect(await outcome(app.as(moderator).forum.deletePost({ id: post.id }))).toBe('FORBIDDEN');
  });

  it('takes the author from the session and no field of the row from the caller [FORUM-36] [FORUM-45] [FORUM-51] [AMB-13]', async () => {
    const [ana, ben] = [await regular(), await regular()];
    for (const field of ['forum_user_id', 'userId', 'is_hidden', 'createdAt', 'deletedBy'])
      expect(
        await outcome(app.as(ana).forum.create({ title: 'a', content: searchTerms(), [field]: ben.id } as never)),
      ).toBe('BAD_REQUEST');
    const post = await postBy(ana);
    expect(post.author.username).toBe(ana.username);
    expect(
      await outcome(app.as(ben).forum.react({ postId: post.id, emojiType: 'like', on: true, userId: ana.id } as never)),
    ).toBe('BAD_REQUEST');
    expect((await app.as(ana).forum.mine({ postIds: [post.id] })).reactions).toEqual([]);
  });

  it('lets a member without a profile read and comment, and gives one with the first post; reactions wait for it [FORUM-37..38] [FORUM-40..43] [FORUM-56] [AUTH-45] [SEC-04..05] [AMB-128] [AMB-129] [AMB-131]', async () => {
    const person = await regular();
    const post = await postBy(await regular());
    const isForumUser = async () => (await app.as(person).auth.me())?.isForumUser;
    expect(await isForumUser()).toBe(true);
    await app.sql('delete from forum_users where new_auth_user_id = $1', [person.id]);
    expect(await isForumUser()).toBe(false);
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
  });
});

describe('pauses and limits', () => {
  /** The call is refused until this many milliseconds have passed. */
  async function pause(ms: number, call: () => Promise<unknown>) {
    expect(await outcome(call())).toBe('ok');
    app.pass(ms - 1);
    await expect(call()).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429, data: { retryAfter: 1 } });
    app.pass(1);
    expect(await outcome(call())).toBe('ok');
  }
  const post = (api: Api) => () => api.forum.create({ title: searchTerms(), content: searchTerms() });

  it('lets a new member post once a minute, others every 15 seconds', async () => {
    await pause(60_000, post(app.as(await newcomer())));
    await pause(15_000, post(app.as(await regular())));
  });

  it('lets a new member comment every 30 seconds, others every 5', async () => {
    const { id: postId } = await postBy(await regular());
    const comment = (api: Api) => () => api.forum.comment({ postId, content: searchTerms() });
    await pause(30_000, comment(app.as(await newcomer())));
    await pause(5_000, comment(app.as(await regular())));
  });

  it('counts a member as new for 24 hours', async () => {
    const person = await newcomer();
    app.pass(DAY);
    await pause(15_000, post(app.as(person)));
  });

  it('lets nobody post more than 20 times a day', async () => {
    const api = app.as(await regular());
    for (let i = 0; i < LIMITS.postDay.hits; i++) {
      app.pass(MINUTE);
      await post(api)();
    }
    app.pass(MINUTE);
    expect(await outcome(post(api)())).toBe('RATE_LIMITED');
    app.pass(DAY - LIMITS.postDay.hits * MINUTE);
    expect(await outcome(post(api)())).toBe('ok');
  });

  it('publishes one of ten posts that one member sends at once', async () => {
    const api = app.as(await regular());
    const results = await Promise.all(Array.from({ length: 10 }, () => outcome(post(api)())));
    expect(results.toSorted()).toEqual([...Array(9).fill('RATE_LIMITED'), 'ok']);
  });

  it('takes 30 reactions a minute and 10 deletions a minute', async () => {
    const author = await regular();
    const { id: postId } = await postBy(author);
    const fan = app.as(await regular());
    const react = (i: number) => fan.forum.react({ postId, emojiType: 'like', on: i % 2 === 0 });
    for (let i = 0; i < LIMITS.reactionMinute.hits; i++) await react(i);
    expect(await outcome(react(0))).toBe('RATE_LIMITED');
    app.pass(MINUTE);
    expect(await outcome(react(0))).toBe('ok');

    const moderator = app.as(await regular({ role: 'moderator' }));
    const posts = [];
    for (let i = 0; i <= LIMITS.forumDeleteMinute.hits; i++) posts.push(await postBy(author));
    const results = [];
    for (const { id } of posts) results.push(await outcome(moderator.forum.deletePost({ id, ...BECAUSE })));
    expect(results).toEqual([...Array(LIMITS.forumDeleteMinute.hits).fill('ok'), 'RATE_LIMITED']);
    app.pass(MINUTE);
    expect(await outcome(moderator.forum.deletePost({ id: posts.at(-1)?.id ?? '', ...BECAUSE }))).toBe('ok');
  });

  it('takes 15 searches a minute from one address and 60 of a member; lists are free', async () => {
    const guest = app.as(null, { address: '192.0.2.77' });
    const member = app.as(await regular(), { address: '192.0.2.77' });
    const search = (api: Api) => outcome(api.forum.posts({ q: 'feria' }));
    for (let n = 0; n < 15; n++) expect(await search(guest)).toBe('ok');
    expect(await search(guest)).toBe('RATE_LIMITED');
    expect(await outcome(guest.forum.posts({}))).toBe('ok');
    for (let n = 0; n < 60; n++) expect(await search(member)).toBe('ok');
    expect(await search(member)).toBe('RATE_LIMITED');
    app.pass(MINUTE);
    expect([await search(guest), await search(member)]).toEqual(['ok', 'ok']);
  });

  it('count deeper pages of a search apart: a made-up cursor is no way around', async () => {
    const guest = app.as(null, { address: '192.0.2.78' });
    const cursor = (await guest.forum.posts({ limit: 1 })).nextCursor;
    const deeper = () => outcome(guest.forum.posts({ q: 'feria', cursor }));
    for (let n = 0; n < LIMITS.searchAccountMinute.hits; n++) expect(await deeper()).toBe('ok');
    expect(await deeper()).toBe('RATE_LIMITED');
    expect(await outcome(guest.forum.posts({ q: 'feria' }))).toBe('ok');
  });

  it('do not stop pages that the server renders itself, which come from no address', async () => {
    const pages = app.as(null, { address: '' });
    for (let n = 0; n < 16; n++) expect(await outcome(pages.forum.posts({ q: 'feria' }))).toBe('ok');
  });

  it('refuses the same words of the same author within 5 minutes, however they are spaced', async () => {
    const ana = app.as(await regular());
    const same = { title: searchTerms(), content: searchTerms() };
    const { id: postId } = await ana.forum.create(same);
    app.pass(MINUTE);
    expect(await outcome(ana.forum.create({ title: `  ${same.title} `, content: `${same.content}\u200b\n` }))).toBe(
      'DUPLICATE_POST',
    );
    expect(await outcome(app.as(await regular()).forum.create(same))).toBe('ok');
    app.pass(4 * MINUTE);
    expect(await outcome(ana.forum.create(same))).toBe('ok');

    const content = searchTerms();
    await ana.forum.comment({ postId, content });
    app.pass(MINUTE);
    expect(await outcome(ana.forum.comment({ postId, content }))).toBe('DUPLICATE_POST');
    app.pass(4 * MINUTE);
    expect(await outcome(ana.forum.comment({ postId, content }))).toBe('ok');
  });
});

describe('changing and deleting', () => {
  it('lets authors edit for 15 minutes and not a millisecond more, and marks what was edited [AMB-139]', async () => {
    const ana = await regular();
    const post = await postBy(ana);
    const comment = await app.as(ana).forum.comment({ postId: post.id, content: searchTerms() });
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

  it("leaves an author's deleted comment as a place without words, a moderator's as nothing [FORUM-49] [AMB-132] [AMB-139]", async () => {
    const [ana, moderator] = [await regular(), await regular({ role: 'moderator' })];
    const post = await postBy(ana);
    const own = await commentBy(ana, post.id, 'secret one');
    const removed = await commentBy(ana, post.id, 'secret two');
    const remaining = await commentBy(ana, post.id);
    await app.as(ana).forum.deleteComment({ id: own.id });
    expect(await app.as(moderator).forum.deleteComment({ id: removed.id, ...BECAUSE })).toEqual({
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

  it("keeps the place of an author's deleted post while it has answers, and nothing of a moderated one [FORUM-35] [AMB-132] [AMB-139]", async () => {
    const [ana, ben, admin] = [await regular(), await regular(), await regular({ role: 'admin' })];
    const lonely = await postBy(ana);
    const answered = await postBy(ana, { title: 'hush title', content: 'hush words' });
    const answer = await commentBy(ben, answered.id, 'hush answer');
    await app.as(ben).forum.react({ postId: answered.id, emojiType: 'like', on: true });
    const moderated = await postBy(ana);
    const lost = await commentBy(ben, moderated.id);
    await app.as(ana).forum.deletePost({ id: lonely.id });
    await app.as(ana).forum.deletePost({ id: answered.id });
    await app.as(admin).forum.deletePost({ id: moderated.id, ...BECAUSE });

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
    // Whoever wrote finds the own words in the export.
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
      expect(await outcome(api.forum.comment({ postId, content: searchTerms() }))).toBe('NOT_FOUND');
      expect(await outcome(api.forum.react({ postId, ...on }))).toBe('NOT_FOUND');
      expect(await outcome(app.as(ana).forum.editPost({ id: postId, title: 'a', content: 'b' }))).toBe('NOT_FOUND');
      expect(await outcome(app.as(ana).forum.deletePost({ id: postId }))).toBe('NOT_FOUND');
    }
    expect(await outcome(app.as(ben).forum.deleteComment({ id: lost.id }))).toBe('ok');
    expect(await outcome(app.as(ana).forum.deletePost({ id: ghost }))).toBe('NOT_FOUND');
    expect(await outcome(app.as(ana).forum.deleteComment({ id: ghost }))).toBe('NOT_FOUND');
  });

  it('writes down who did what, with the words that are gone', async () => {
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
      { action: 'post.edited', actor_id: ana.id, title: 'Before' },
      { action: 'post.deleted', actor_id: ana.id, title: 'After' },
    ]);
  });
});

/** Stored counters and what the rows say, for all posts. */
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

  it('count every member once when 25 react at the same moment, some twice, some with a change of mind', async () => {
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

describe('books', () => {
  it('balance after anything that people do, alone or at once', async () => {
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
      if (what === 'comment') comments.push((await api.forum.comment({ postId, content: searchTerms() })).id);
      else if (what === 'react' || what === 'unreact')
        await api.forum.react({ postId, emojiType: emoji, on: what === 'react' });
      else if (what === 'deleteComment') await api.forum.deleteComment({ id: commentId });
      else if (what === 'editComment') await api.forum.editComment({ id: commentId, content: searchTerms() });
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

describe('lists', () => {
  it('bring posts newest first and the first comments oldest first [FORUM-09] [FORUM-16] [FORUM-35] [FORUM-49] [AMB-137]', async () => {
    const ana = await regular();
    const older = await postBy(ana);
    const newer = await postBy(ana);
    const comments = [];
    for (let i = 0; i < COMMENTS_SHOWN + 2; i++) comments.push(await commentBy(ana, older.id));
    const list = await visitor.forum.posts({ limit: 2 });
    expect(idsOf(list)).toEqual([newer.id, older.id]);
    const [, seen] = list.items;
    expect(seen?.comments.map((comment) => comment.id)).toEqual(
      comments.slice(0, COMMENTS_SHOWN).map((comment) => comment.id),
    );
    expect(seen).toMatchObject({ commentCount: COMMENTS_SHOWN + 2, commentsCursor: expect.any(String) });
    const rest = await visitor.forum.comments({ postId: older.id, cursor: seen?.commentsCursor ?? null });
    expect(idsOf(rest)).toEqual(comments.slice(COMMENTS_SHOWN).map((comment) => comment.id));
    expect(rest.nextCursor).toBeNull();
  });

  it('are paged without loss or repetition while posts arrive, also of one moment', async () => {
    const ana = await regular();
    const existing = new Set<string>();
    for (let i = 0; i < 6; i++) existing.add((await postBy(ana)).id);
    const [twin] = await app.sql<{ ids: string[] }>(
      `with made as (insert into forum_posts (title, content, forum_user_id, created_at)
         select 'Twin ' || i, 'same moment', $1, $2 from generate_series(1, 5) i returning id)
       select array_agg(id) as ids from made`,
      [ana.id, app.now],
    );
    for (const id of twin?.ids ?? []) existing.add(id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { id: string }[]; nextCursor: string | null } = await visitor.forum.posts({
        cursor,
        limit: 2,
      });
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
      await postBy(await regular());
    } while (cursor && seen.length < 500);
    expect(new Set(seen).size).toBe(seen.length);
    for (const id of existing) expect(seen).toContain(id);
  });

  it.each([
    'x',
    Buffer.from('[]').toString('base64url'),
    Buffer.from(`["now()","${ghost}"]`).toString('base64url'),
    Buffer.from(`["2026-02-30 12:00:00+00","${ghost}"]`).toString('base64url'),
    Buffer.from(`["0000-01-01 00:00:00+00","${ghost}"]`).toString('base64url'),
    Buffer.from(`["2026-03-10 12:00:00+00","' or 1=1"]`).toString('base64url'),
    Buffer.from(`["Mar 3 2026 (hello)","${ghost}"]`).toString('base64url'),
    'y'.repeat(401),
  ])('refuse the cursor %s', async (cursor) => {
    const post = await postBy(await regular());
    await expect(visitor.forum.posts({ cursor })).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400 });
    await expect(visitor.forum.comments({ postId: post.id, cursor })).rejects.toMatchObject({ status: 400 });
  });

  it('show names and cut ids, never an e-mail or a whole id [FORUM-11] [FORUM-21] [FORUM-50] [FORUM-52] [AMB-31]', async () => {
    const canary = `canary-${searchTerms()}@secret.example`;
    const ana = await regular({ email: canary });
    const admin = await regular({ role: 'admin' });
    const post = await postBy(ana);
    const comment = await commentBy(ana, post.id);
    const answers = [];
    for (const api of [visitor, app.as(ana), app.as(await regular()), app.as(admin)])
      answers.push(
        await api.forum.posts({ limit: 50 }),
        await api.forum.post({ id: post.id }),
        await api.forum.comments({ postId: post.id }),
        await api.forum.mine({ postIds: [post.id] }),
      );
    const said = JSON.stringify(answers);
    expect(said).not.toContain('canary');
    expect(said).not.toContain('@');
    expect(said).not.toContain(ana.id);
    const author = { username: ana.username, shortId: ana.id.slice(0, 8), staff: false };
    expect(post.author).toEqual(author);
    expect(comment.author).toEqual(author);
  });

  it('mark staff by a field of its own, which comes and goes with the role', async () => {
    const admin = await app.as(await regular({ role: 'admin' }));
    const ben = await regular({ verified: true });
    await app.sql('update users set confirmed_at = now() where id = $1', [ben.id]);
    const post = await postBy(ben);
    const staff = async () => (await visitor.forum.post({ id: post.id })).author.staff;
    expect(await staff()).toBe(false);
    await admin.admin.roles.assign({ id: ben.id, role: 'moderator' });
    expect(await staff()).toBe(true);
    await admin.admin.roles.remove({ id: ben.id });
    expect(await staff()).toBe(false);
  });

  it('keep the words of a deleted account without its name', async () => {
    const ana = await regular();
    const post = await postBy(ana);
    const comment = await commentBy(ana, post.id);
    await app.sql('delete from users where id = $1', [ana.id]);
    const found = await visitor.forum.post({ id: post.id });
    expect([found.content, found.comments[0]?.content]).toEqual([post.content, comment.content]);
    const nobody = { username: null, shortId: '', staff: false };
    expect([found.author, found.comments[0]?.author]).toEqual([nobody, nobody]);
  });

  it('name legacy authors who did not come back yet, and mend the name of a lost profile [AMB-04] [AMB-131]', async () => {
    const ana = await regular();
    const [post, other] = [await postBy(ana), await postBy(ana)];
    const comment = await commentBy(ana, other.id);
    const [legacy] = await app.sql<{ id: string }>(
      `insert into forum_users (username, wallet_address, migration_status) values ('vieja_ana', '0x52908400098527886E', 'pending')
       returning id`,
    );
    await app.sql('update forum_posts set forum_user_id = $2 where id = $1', [post.id, legacy?.id]);
    expect((await visitor.forum.post({ id: post.id })).author).toEqual({
      username: 'vieja_ana',
      shortId: '0x529084',
      staff: false,
    });
    await app.sql('delete from forum_users where new_auth_user_id = $1', [ana.id]);
    const { items } = await visitor.forum.comments({ postId: other.id });
    expect(items).toMatchObject([
      { id: comment.id, author: { username: `User_${ana.id.slice(0, 8)}`, shortId: ana.id.slice(0, 8), staff: false } },
    ]);
  });
});

describe('search', () => {
  beforeEach(() => app.pass(MINUTE));

  it('finds words without regard to accents, keeps ñ apart, and finds posts by their comments', async () => {
    const ana = await regular();
    const accents = await postBy(ana, { title: 'Canción única', content: 'sobre marionetas' });
    const enye = await postBy(ana, { title: 'Un ñandú', content: 'corre' });
    const byComment = await postBy(ana);
    const comment = await commentBy(ana, byComment.id, 'el organillero toca Zarzuela');
    const find = async (q: string) => idsOf(await visitor.forum.posts({ q }));
    expect(await find('cancion')).toEqual([accents.id]);
    expect(await find('CANCIÓN UNICA')).toEqual([accents.id]);
    expect(await find('marioneta')).toEqual([accents.id]);
    expect(await find('maríônétàs')).toEqual([accents.id]);
    expect(await find('ÑANDU')).toEqual([enye.id]);
    expect(await find('nandu')).toEqual([]);
    expect(await find('zarzuela')).toEqual([byComment.id]);
    await app.as(ana).forum.deleteComment({ id: comment.id });
    expect(await find('zarzuela')).toEqual([]);
    await commentBy(ana, accents.id);
    await app.as(ana).forum.deletePost({ id: accents.id });
    expect(await find('cancion')).toEqual([]);
  });

  it.each(["'", '"', '\\', ':*', '& | !', '(((', '-', '%', "a' or 1=1 --", '\u202e', '😀', '\ud800', ' ', '\u0000'])(
    'takes %j for words',
    async (q) => {
      await expect(visitor.forum.posts({ q })).resolves.toMatchObject({ items: expect.any(Array) });
    },
  );

  it('finds old and new, in posts and in comments, newest post first and page by page, behind thousands of others', async () => {
    const author = await regular();
    const old = await postBy(author, { content: 'un ornitorrinco viejo' });
    const talked = await postBy(author);
    await commentBy(author, talked.id, 'aquí también hay un ornitorrinco');
    const hidden = await postBy(author, { content: 'ornitorrinco oculto' });
    await commentBy(author, hidden.id, 'más del ornitorrinco');
    await app.as(await regular({ role: 'moderator' })).forum.deletePost({ id: hidden.id, ...BECAUSE });
    app.pass(MINUTE);
    await app.sql(
      `with made as (
         insert into forum_posts (title, content, forum_user_id, created_at, comment_count)
         select 'Relleno ' || n, 'palabras de relleno', $1, $2::timestamptz + n * interval '1 millisecond', 1
         from generate_series(1, 2500) n returning id, created_at)
       insert into forum_comments (post_id, user_id, content, created_at) select id, $1, 'sin nada', created_at from made`,
      [author.id, app.now],
    );
    const fresh = await postBy(author, { title: 'Ornitorrinco nuevo' });
    const wanted = [fresh.id, talked.id, old.id];
    expect(idsOf(await visitor.forum.posts({ q: 'ornitorrinco' }))).toEqual(wanted);
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof visitor.forum.posts>> = await visitor.forum.posts({
        q: 'ornitorrinco',
        limit: 1,
        cursor,
      });
      paged.push(...idsOf(page));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(wanted);
    await app.sql("delete from forum_posts where title like 'Relleno %'");
  });

  it('refuses more than 100 characters', async () => {
    await expect(visitor.forum.posts({ q: 'a'.repeat(101) })).rejects.toMatchObject({ status: 400 });
  });
});

describe('what people type', () => {
  const refused: [name: string, title: string, content: string][] = [
    ['an empty title', '', 'b'],
    ['a blank title', ' \t\n ', 'b'],
    ['blank content', 'a', ' \n '],
    ['201 characters of title', 'a'.repeat(POST_TITLE_MAX + 1), 'b'],
    ['2001 characters', 'a', 'b'.repeat(POST_CONTENT_MAX + 1)],
    ['only zero-width signs', 'a', '\u200b\u200b\u2060\ufeff'],
    ['only joiners by turns', 'a', '\u200c\u200d'.repeat(500)],
    ['only letters without a shape', '\u3164\u2800', 'b'],
    ['only NUL', '\u0000\u0000', 'b'],
    ['what grows past the limit in its normal form', 'a', '\u0958'.repeat(POST_CONTENT_MAX)],
  ];
  it.each(refused)('refuses %s [FORUM-25..27] [FORUM-31] [AMB-138]', async (_name, title, content) => {
    const ana = await regular();
    const post = await postBy(ana);
    app.pass(MINUTE);
    const api = app.as(ana);
    for (const attempt of [api.forum.create({ title, content }), api.forum.editPost({ id: post.id, title, content })])
      await expect(attempt).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400 });
    if (title === 'a')
      await expect(api.forum.comment({ postId: post.id, content })).rejects.toMatchObject({ status: 400 });
  });

  it('accepts exactly 200 and 2000 characters [FORUM-26..27]', async () => {
    const longest = { title: 't'.repeat(POST_TITLE_MAX), content: 'c'.repeat(POST_CONTENT_MAX) };
    expect(await postBy(await regular(), longest)).toMatchObject(longest);
  });

  const harmless: [typed: string, stored: string][] = [
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ["'; drop table forum_posts; --", "'; drop table forum_posts; --"],
    ['before\u0000after', 'beforeafter'],
    ['lone \ud800 surrogate', 'lone \ufffd surrogate'],
    ['abc\u202egnp.exe', 'abcgnp.exe'],
    ['a\u2066b\u2069c', 'abc'],
    [`flood${'\u200b'.repeat(1_000)}ed`, 'flooded'],
    [`Z${'\u0301'.repeat(100)}algo`, 'Ź\u0301algo'],
    ['a\n\n\n\n\nb', 'a\n\nb'],
    ['👩‍👩‍👧 y más', '👩‍👩‍👧 y más'],
    ['e\u0301', 'é'],
  ];
  it.each(harmless)('stores %j as harmless text', async (typed, stored) => {
    expect(await postBy(await regular(), { content: typed })).toMatchObject({ content: stored });
  });

  it('never fails for any text at all', async () => {
    const ana = await regular();
    const post = await postBy(ana);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
        app.pass(MINUTE);
        const results = [
          await outcome(app.as(ana).forum.comment({ postId: post.id, content: text })),
          await outcome(visitor.forum.posts({ q: text.slice(0, 100) })),
        ];
        for (const result of results) expect(['ok', 'BAD_REQUEST', 'DUPLICATE_POST']).toContain(result);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the news of it', () => {
  it('names the post and nothing of its words', async () => {
    const { liveEvents, until } = listenTo(app.services);
    const ana = await regular();
    const post = await postBy(ana);
    await until((event) => event.type === 'post.created' && event.postId === post.id);
    const changes = () =>
      liveEvents.filter((event) => event.type === 'post.changed' && event.postId === post.id).length;
    const doings: (() => Promise<unknown>)[] = [
      () => app.as(ana).forum.comment({ postId: post.id, content: 'hushhush' }),
      () => app.as(ana).forum.react({ postId: post.id, emojiType: 'wow', on: true }),
      () => app.as(ana).forum.editPost({ id: post.id, title: 'hushhush', content: 'hushhush' }),
      () => app.as(ana).forum.deletePost({ id: post.id }),
    ];
    for (const [i, act] of doings.entries()) {
      await act();
      await expect.poll(changes).toBe(i + 1);
    }
    expect(JSON.stringify(liveEvents)).not.toContain('hushhush');
  });

  it('is not spread by a reaction that was there already', async () => {
    const { liveEvents, until } = listenTo(app.services);
    const ana = await regular();
    const post = await postBy(ana);
    const like = (on: boolean) => app.as(ana).forum.react({ postId: post.id, emojiType: 'like', on });
    await like(true);
    await like(true);
    await like(false);
    await like(false);
    const last = await postBy(ana);
    await until((event) => event.type === 'post.created' && event.postId === last.id);
    expect(liveEvents.filter((event) => event.type === 'post.changed' && event.postId === post.id)).toHaveLength(2);
  });
});

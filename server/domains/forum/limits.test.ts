import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS, POST_CONTENT_MAX, POST_TITLE_MAX } from '#contract/limits.ts';
import { app, DAY, MINUTE, newText, outcome, postBy, regular, visitor } from '#tests/fixtures/forum.ts';
import type { Api } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

const newcomer = async () => {
  const person = await app.member();
  await app.sql(`update users set created_at = $2 where id = $1`, [person.id, app.now]);
  return person;
};

describe('the rate limits of the forum', () => {
  /** The call is refused until this many milliseconds have passed. */
  async function pause(ms: number, call: () => Promise<unknown>) {
    expect(await outcome(call())).toBe('ok');
    app.pass(ms - 1);
    await expect(call()).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429, data: { retryAfter: 1 } });
    app.pass(1);
    expect(await outcome(call())).toBe('ok');
  }
  const post = (api: Api) => () => api.forum.create({ title: newText(), content: newText() });

  it('let a new member post once a minute, others every 15 seconds', async () => {
    await pause(60_000, post(app.as(await newcomer())));
    await pause(15_000, post(app.as(await regular())));
  });

  it('let a new member comment every 30 seconds, others every 5', async () => {
    const { id: postId } = await postBy(await regular());
    const comment = (api: Api) => () => api.forum.comment({ postId, content: newText() });
    await pause(30_000, comment(app.as(await newcomer())));
    await pause(5_000, comment(app.as(await regular())));
  });

  it('count a member as new for 24 hours', async () => {
    const person = await newcomer();
    app.pass(DAY);
    await pause(15_000, post(app.as(person)));
  });

  it('allow 20 posts a day', async () => {
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

  it('allow one of ten posts that one member sends concurrently', async () => {
    const api = app.as(await regular());
    const results = await Promise.all(Array.from({ length: 10 }, () => outcome(post(api)())));
    expect(results.toSorted()).toEqual([...Array(9).fill('RATE_LIMITED'), 'ok']);
  });

  it('allow 30 reactions and 10 deletions a minute', async () => {
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
    for (const { id } of posts) results.push(await outcome(moderator.forum.deletePost({ id, ...REMOVAL_REASON })));
    expect(results).toEqual([...Array(LIMITS.forumDeleteMinute.hits).fill('ok'), 'RATE_LIMITED']);
    app.pass(MINUTE);
    expect(await outcome(moderator.forum.deletePost({ id: posts.at(-1)?.id ?? '', ...REMOVAL_REASON }))).toBe('ok');
  });

  it('allow 15 searches a minute per visitor address and 60 per member; lists are not limited', async () => {
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

  it('count deeper pages of a search separately, so that a forged cursor does not evade them', async () => {
    const guest = app.as(null, { address: '192.0.2.78' });
    const cursor = (await guest.forum.posts({ limit: 1 })).nextCursor;
    const deeper = () => outcome(guest.forum.posts({ q: 'feria', cursor }));
    for (let n = 0; n < LIMITS.searchAccountMinute.hits; n++) expect(await deeper()).toBe('ok');
    expect(await deeper()).toBe('RATE_LIMITED');
    expect(await outcome(guest.forum.posts({ q: 'feria' }))).toBe('ok');
  });

  it('do not apply to pages that the server renders itself, which have no address', async () => {
    const pages = app.as(null, { address: '' });
    for (let n = 0; n < 16; n++) expect(await outcome(pages.forum.posts({ q: 'feria' }))).toBe('ok');
  });

  it('refuse the same text of the same author within 5 minutes, regardless of white space', async () => {
    const ana = app.as(await regular());
    const same = { title: newText(), content: newText() };
    const { id: postId } = await ana.forum.create(same);
    app.pass(MINUTE);
    // The error names the existing text: after a lost response, the author finds the published one.
    const spaced = { title: `  ${same.title} `, content: `${same.content}\u200b\n` };
    await expect(ana.forum.create(spaced)).rejects.toMatchObject({ code: 'DUPLICATE_POST', data: { id: postId } });
    expect(await outcome(app.as(await regular()).forum.create(same))).toBe('ok');
    app.pass(4 * MINUTE);
    expect(await outcome(ana.forum.create(same))).toBe('ok');

    const content = newText();
    const { id } = await ana.forum.comment({ postId, content });
    app.pass(MINUTE);
    await expect(ana.forum.comment({ postId, content })).rejects.toMatchObject({
      code: 'DUPLICATE_POST',
      data: { id },
    });
    app.pass(4 * MINUTE);
    expect(await outcome(ana.forum.comment({ postId, content }))).toBe('ok');
  });

  it('let an author repeat a deleted text at once', async () => {
    const ana = app.as(await regular());
    const same = { title: newText(), content: newText() };
    const { id } = await ana.forum.create(same);
    await ana.forum.deletePost({ id });
    app.pass(MINUTE);
    const { id: postId } = await ana.forum.create(same);
    const comment = await ana.forum.comment({ postId, content: same.content });
    await ana.forum.deleteComment({ id: comment.id });
    app.pass(MINUTE);
    expect(await outcome(ana.forum.comment({ postId, content: same.content }))).toBe('ok');
  });
});

describe('the validation of texts', () => {
  const refused: [name: string, title: string, content: string][] = [
    ['an empty title', '', 'b'],
    ['a blank title', ' \t\n ', 'b'],
    ['blank content', 'a', ' \n '],
    ['201 characters of title', 'a'.repeat(POST_TITLE_MAX + 1), 'b'],
    ['2001 characters', 'a', 'b'.repeat(POST_CONTENT_MAX + 1)],
    ['only zero-width characters', 'a', '\u200b\u200b\u2060\ufeff'],
    ['only alternating joiners', 'a', '\u200c\u200d'.repeat(500)],
    ['only invisible characters', '\u3164\u2800', 'b'],
    ['only NUL', '\u0000\u0000', 'b'],
    ['content that exceeds the limit after normalization', 'a', '\u0958'.repeat(POST_CONTENT_MAX)],
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

  it('does not fail for any text', async () => {
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

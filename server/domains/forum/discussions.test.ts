import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

const app = await startTestApp();
const visitor = app.as();
const MINUTE = 60_000;

let serial = 0;
const words = () => `word${++serial}`;
async function regular(over: Parameters<typeof app.member>[0] = {}): Promise<Person> {
  const person = await app.member(over);
  await app.sql(`update users set created_at = $2 where id = $1`, [
    person.id,
    new Date(app.now.getTime() - 2 * 86_400_000),
  ]);
  return person;
}
type NewPost = Partial<Parameters<ReturnType<typeof app.as>['forum']['create']>[0]>;
async function postBy(person: Person, over: NewPost = {}) {
  app.pass(2 * MINUTE);
  return app.as(person).forum.create({ title: words(), content: words(), ...over });
}
async function commentBy(person: Person, postId: string, over: { content?: string; quoted?: string } = {}) {
  app.pass(MINUTE);
  return app.as(person).forum.comment({ postId, content: words(), ...over });
}
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );
const idsOf = (list: { items: { id: string }[] }) => list.items.map(({ id }) => id);
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

async function upload(person: Person, bucket = 'forum-images') {
  const body = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#ffb627' } })
    .png()
    .toBuffer();
  const response = await fetch(`${app.origin}/uploads?bucket=${bucket}`, {
    method: 'POST',
    headers: { cookie: person.cookie, 'content-type': 'image/png' },
    body: new Uint8Array(body),
  });
  return { status: response.status, image: (await response.json()) as { url: string; code?: string } };
}
const statusOf = async (url: string) => (await fetch(app.origin + url)).status;

describe('the category, tags and token of a post', () => {
  it('can be changed by the author for 15 minutes and by moderators later, and the post is found by them', async () => {
    const [author, other] = [await regular(), await regular()];
    const moderator = app.as(await app.member({ role: 'moderator' }));
    const tag = words();
    const { id } = await postBy(author, { category: 'general', tags: ['viejo'] });
    const change = { id, category: 'ideas' as const, tags: [tag, 'Nuevo'] };
    expect(await outcome(app.as(other).forum.relabel(change))).toBe('FORBIDDEN');
    expect(await outcome(visitor.forum.relabel(change))).toBe('UNAUTHORIZED');
    const changed = await app.as(author).forum.relabel(change);
    expect(changed).toMatchObject({ category: 'ideas', tags: [tag, 'nuevo'].sort(), editedAt: null });
    expect(idsOf(await visitor.forum.posts({ tag }))).toEqual([id]);
    expect(idsOf(await visitor.forum.posts({ tag: 'viejo' }))).not.toContain(id);
    expect(idsOf(await visitor.forum.posts({ category: 'ideas' }))).toContain(id);
    app.pass(15 * MINUTE);
    expect(await outcome(app.as(author).forum.relabel(change))).toBe('EDIT_WINDOW_CLOSED');
    // The list of a tag is ordered by the time of its posts, whatever the time of tagging.
    const later = await postBy(other, { tags: [tag] });
    expect(await moderator.forum.relabel({ id, category: 'help', tags: [tag] })).toMatchObject({ category: 'help' });
    expect(idsOf(await visitor.forum.posts({ tag }))).toEqual([later.id, id]);
    const [entry] = await app.sql(
      "select before, after from audit_events where action = 'post.relabelled' and resource_id = $1 order by id desc",
      [id],
    );
    expect(entry).toEqual({
      before: { category: 'ideas', tags: [tag, 'nuevo'].sort() },
      after: { category: 'help', tags: [tag] },
    });
    expect(await outcome(moderator.forum.relabel({ id: UNKNOWN_ID, category: 'help', tags: [] }))).toBe('NOT_FOUND');
  });

  it('list the posts about a token, and show its name in the post', async () => {
    const author = await regular();
    const [one, other] = [await app.candidate(), await app.candidate()];
    const first = await postBy(author, { about: { kind: 'candidate', id: one.id } });
    const second = await postBy(author, { about: { kind: 'candidate', id: one.id } });
    await postBy(author, { about: { kind: 'candidate', id: other.id } });
    await postBy(author);
    expect(first.about).toMatchObject({ kind: 'candidate', id: one.id, tokenName: one['token_name'] });
    expect(idsOf(await visitor.forum.posts({ about: one.id }))).toEqual([second.id, first.id]);
    // The same posts as in the forum.
    expect(idsOf(await visitor.forum.posts({}))).toEqual(expect.arrayContaining([first.id, second.id]));
  });

  it('exclude a token that is not public, and no longer name one that becomes hidden', async () => {
    const author = await regular();
    const hidden = await app.candidate({ is_active: false });
    expect(await outcome(postBy(author, { about: { kind: 'candidate', id: hidden.id } }))).toBe('NOT_FOUND');
    expect(await outcome(postBy(author, { about: { kind: 'project', id: UNKNOWN_ID } }))).toBe('NOT_FOUND');
    const token = await app.candidate();
    const post = await postBy(author, { about: { kind: 'candidate', id: token.id } });
    await app.sql('update voting_candidates set is_active = false where id = $1', [token.id]);
    expect((await visitor.forum.post({ id: post.id })).about).toBeNull();
  });

  it('list the posts about a winning candidate for its NEXT project too', async () => {
    const author = await regular();
    const candidate = await app.candidate();
    const [round] = await app.sql<{ id: string }>(
      `insert into voting_rounds (number, status, opens_at, closes_at, winner_candidate_id)
       values (77, 'closed', now() - interval '9 days', now() - interval '2 days', $1) returning id`,
      [candidate.id],
    );
    const next = await app.nextProject({ voting_round_id: round?.id });
    const before = await postBy(author, { about: { kind: 'candidate', id: candidate.id } });
    const after = await postBy(author, { about: { kind: 'next', id: next.id } });
    expect(idsOf(await visitor.forum.posts({ about: next.id }))).toEqual([after.id, before.id]);
    expect(idsOf(await visitor.forum.posts({ about: candidate.id }))).toEqual([before.id]);
  });

  it('find posts by tag without regard to accents, n and ñ apart, and by category', async () => {
    const author = await regular();
    const accent = await postBy(author, { tags: ['Cápsula', 'capsula', 'año'], category: 'launches' });
    const plain = await postBy(author, { tags: ['capsula', 'ano'], category: 'ideas' });
    expect(accent.tags).toEqual(['año', 'cápsula']);
    expect(idsOf(await visitor.forum.posts({ tag: 'capsula' }))).toEqual([plain.id, accent.id]);
    expect(idsOf(await visitor.forum.posts({ tag: 'AÑO' }))).toEqual([accent.id]);
    expect(idsOf(await visitor.forum.posts({ category: 'launches' }))).toEqual([accent.id]);
    expect((await postBy(author)).category).toBe('general');
    expect((await visitor.forum.tags({})).tags[0]).toMatch(/^c[aá]psula$/);
    await app.as(author).forum.deletePost({ id: plain.id });
    expect(idsOf(await visitor.forum.posts({ tag: 'capsula' }))).toEqual([accent.id]);
  });

  it('are refused with invalid or too many tags, and as two filters at once', async () => {
    const author = await regular();
    for (const tags of [['a b'], ['#x1'], ['-a'], ['x'], ['x'.repeat(25)], ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']])
      expect(await outcome(postBy(author, { tags }))).toBe('BAD_REQUEST');
    expect(await outcome(visitor.forum.posts({ tag: 'x1', category: 'help' }))).toBe('BAD_REQUEST');
    await expect(
      app.sql(`update forum_posts set category = 'nonsense' where id = (select id from forum_posts limit 1)`),
    ).rejects.toThrow('forum_posts_category');
  });

  it('paginate by keys through every post once, also with hidden ones in between', async () => {
    const author = await regular();
    const token = await app.project();
    const expected: string[] = [];
    for (let i = 0; i < 7; i++) {
      const { id } = await postBy(author, { about: { kind: 'project', id: token.id }, tags: ['paged'] });
      if (i === 3) await app.as(author).forum.deletePost({ id });
      else expected.unshift(id);
    }
    for (const filter of [{ about: token.id }, { tag: 'paged' }]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { items: { id: string }[]; nextCursor: string | null } = await visitor.forum.posts({
          ...filter,
          limit: 2,
          cursor,
        });
        seen.push(...idsOf(page));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toEqual(expected);
    }
  });
});

describe('images of a post', () => {
  it('are own uploads to the forum, each in one post', async () => {
    const [author, other] = [await regular(), await regular()];
    const { status, image } = await upload(author);
    expect(status).toBe(201);
    const images = [{ url: image.url, alt: ' A  chart ' }];
    expect(await outcome(postBy(other, { images }))).toBe('NOT_FOUND');
    expect(await outcome(postBy(author, { images: [{ url: 'https://elsewhere.example/a.webp' }] }))).toBe('NOT_FOUND');
    const token = await upload(author, 'token-images');
    expect(await outcome(postBy(author, { images: [{ url: token.image.url }] }))).toBe('NOT_FOUND');
    const post = await postBy(author, { images });
    expect(post.images).toEqual([{ url: image.url, alt: 'A chart', width: 40, height: 30 }]);
    expect(await outcome(postBy(author, { images }))).toBe('BAD_REQUEST');
  });

  it('cannot be uploaded by guests', async () => {
    const response = await fetch(`${app.origin}/uploads?bucket=forum-images`, {
      method: 'POST',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array([1]),
    });
    expect(response.ok).toBe(false);
    expect(await app.sql(`select 1 from media where bucket = 'forum-images' and owner_user_id is null`)).toEqual([]);
  });

  it('are not served once the author deletes the post or while it is hidden, and are deleted with it', async () => {
    const [author, moderator] = [await regular(), await regular({ role: 'moderator' })];
    const make = async () => {
      const { image } = await upload(author);
      return { url: image.url, post: await postBy(author, { images: [{ url: image.url }] }) };
    };
    const own = await make();
    expect(await statusOf(own.url)).toBe(200);
    await app.as(author).forum.deletePost({ id: own.post.id });
    expect(await statusOf(own.url)).toBe(404);
    const hidden = await make();
    await app.as(moderator).forum.deletePost({ id: hidden.post.id, ...REMOVAL_REASON });
    expect(await statusOf(hidden.url)).toBe(404);
    await app.sql('update forum_posts set is_hidden = false where id = $1', [hidden.post.id]);
    expect(await statusOf(hidden.url)).toBe(200);
    await app.sql('delete from forum_posts where id = $1', [hidden.post.id]);
    expect(await statusOf(hidden.url)).toBe(404);
    expect(
      await app.sql(`select 1 from media where name = substr($1, 8, 32) and deleted_at is null`, [hidden.url]),
    ).toEqual([]);
  });
});

describe('quotes', () => {
  it('show the beginning of the quoted comment in its current state, one level deep', async () => {
    const [ana, eva] = [await regular(), await regular()];
    const post = await postBy(ana);
    const first = await commentBy(eva, post.id, { content: `Start ${'x'.repeat(400)}` });
    const second = await commentBy(ana, post.id, { quoted: first.id });
    const third = await commentBy(eva, post.id, { quoted: second.id });
    expect(second.quote).toMatchObject({ id: first.id, content: expect.stringMatching(/^Start x+$/) });
    expect(second.quote?.content).toHaveLength(280);
    expect(third.quote).toEqual({ id: second.id, content: second.content, username: second.author.username });
    const quoteNow = async () => (await visitor.forum.comments({ postId: post.id })).items[1]?.quote;
    await app.as(eva).forum.editComment({ id: first.id, content: 'Written anew' });
    expect(await quoteNow()).toEqual({ id: first.id, content: 'Written anew', username: first.author.username });
    await app.as(eva).forum.deleteComment({ id: first.id });
    expect(await quoteNow()).toEqual({ id: first.id, content: null, username: null });
  });

  it('stay within their post, in the service and in the database', async () => {
    const ana = await regular();
    const [one, two] = [await postBy(ana), await postBy(ana)];
    const there = await commentBy(ana, one.id);
    const here = await commentBy(ana, two.id);
    expect(await outcome(commentBy(ana, two.id, { quoted: there.id }))).toBe('NOT_FOUND');
    await expect(
      app.sql('insert into forum_quotes (comment_id, quoted_id) values ($1, $2)', [here.id, there.id]),
    ).rejects.toThrow('quotes another comment of its post');
  });

  it('notify the author of the quoted comment, once', async () => {
    const [ana, eva, ivo] = [await regular(), await regular(), await regular()];
    const post = await postBy(ana);
    const first = await commentBy(eva, post.id);
    await commentBy(ivo, post.id, { quoted: first.id });
    const notices = async (person: Person) =>
      (await app.as(person).notifications.list({})).items.map(({ kind, detail }) => `${kind}.${detail}`);
    expect(await notices(eva)).toEqual(['replies.quote']);
    expect(await notices(ana)).toEqual(['replies.comment', 'replies.comment']);
    await commentBy(ivo, post.id, { quoted: first.id, content: `@${first.author.username} again` });
    expect(await notices(eva)).toEqual(['mentions.comment', 'replies.quote']);
  });
});

describe('earlier versions', () => {
  it('are shown to moderators and admins only, newest first', async () => {
    const [author, moderator, admin] = [
      await regular(),
      await regular({ role: 'moderator' }),
      await regular({ role: 'admin' }),
    ];
    const post = await postBy(author, { title: 'One', content: 'First' });
    const comment = await commentBy(author, post.id, { content: 'Before' });
    await app.as(author).forum.editPost({ id: post.id, title: 'Two', content: 'Second' });
    app.pass(MINUTE);
    await app.as(author).forum.editPost({ id: post.id, title: 'Two', content: 'Third' });
    await app.as(author).forum.editComment({ id: comment.id, content: 'After' });
    for (const reader of [moderator, admin]) {
      const { versions } = await app.as(reader).forum.history({ what: 'post', id: post.id });
      expect(versions).toMatchObject([
        { title: 'Two', content: 'Second' },
        { title: 'One', content: 'First' },
      ]);
    }
    expect((await app.as(moderator).forum.history({ what: 'comment', id: comment.id })).versions).toMatchObject([
      { title: null, content: 'Before' },
    ]);
    expect(await outcome(app.as(author).forum.history({ what: 'post', id: post.id }))).toBe('FORBIDDEN');
    expect(await outcome(visitor.forum.history({ what: 'post', id: post.id }))).toBe('UNAUTHORIZED');
    expect(await outcome(app.as(moderator).forum.history({ what: 'post', id: UNKNOWN_ID }))).toBe('NOT_FOUND');
  });

  it('are exported, and are deleted with the account', async () => {
    const author = await regular();
    const post = await postBy(author, { content: 'Regretted', tags: ['mine'] });
    await app.as(author).forum.editPost({ id: post.id, title: post.title, content: 'Better' });
    const data = (await app.as(author).account.export()) as Record<string, { content?: string; tags?: string[] }[]>;
    expect(data['edits']?.map(({ content }) => content)).toEqual(['Regretted']);
    expect(data['posts']?.at(-1)?.tags).toEqual(['mine']);
    await app.services.db.transaction((tx) => removeMember(tx, author.id, app.now));
    expect(await app.sql('select 1 from forum_edits where post_id = $1', [post.id])).toEqual([]);
  });
});

describe('name suggestions for a mention', () => {
  it('are those of authors of visible texts, if they can be mentioned', async () => {
    const [quiet, loud] = [await regular(), await regular()];
    for (const [person, name] of [
      [quiet, 'Quezada'],
      [loud, 'Quézar'],
    ] as const)
      await app.sql('update forum_users set username = $2 where new_auth_user_id = $1', [person.id, name]);
    const post = await postBy(loud);
    const muted = app.as(quiet);
    expect((await muted.forum.names({ q: 'QUEZ' })).names).toEqual(['Quézar']);
    expect((await muted.forum.names({ q: '%' })).names).toEqual([]);
    // No text can mention a name with quotes.
    await app.sql('update forum_users set username = $2 where new_auth_user_id = $1', [loud.id, 'Quézar "Z"']);
    expect((await muted.forum.names({ q: 'quez' })).names).toEqual([]);
    await app.sql('update forum_users set username = $2 where new_auth_user_id = $1', [loud.id, 'Quézar Z']);
    expect((await muted.forum.names({ q: 'quezar z' })).names).toEqual(['Quézar Z']);
    await app.as(loud).forum.deletePost({ id: post.id });
    expect((await muted.forum.names({ q: 'quez' })).names).toEqual([]);
  });
});

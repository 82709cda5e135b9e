import { beforeEach, describe, expect, it } from 'vitest';
import { COMMENTS_SHOWN } from '#contract/limits.ts';
import { app, commentBy, ghost, idsOf, MINUTE, newText, postBy, regular, visitor } from '#tests/fixtures/forum.ts';
import { listenTo } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

describe('lists', () => {
  it('contain posts newest first and the first comments oldest first [FORUM-09] [FORUM-16] [FORUM-35] [FORUM-49] [AMB-137]', async () => {
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

  it('are paginated without loss or repetition while posts are added, also with equal times', async () => {
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

  it('show names and shortened ids, never an e-mail or a whole id [FORUM-11] [FORUM-21] [FORUM-50] [FORUM-52] [AMB-31]', async () => {
    const canary = `canary-${newText()}@secret.example`;
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
    const text = JSON.stringify(answers);
    expect(text).not.toContain('canary');
    expect(text).not.toContain('@');
    expect(text).not.toContain(ana.id);
    const author = { username: ana.username, shortId: ana.id.slice(0, 8), staff: false };
    expect(post.author).toEqual(author);
    expect(comment.author).toEqual(author);
  });

  it('mark staff in a field that follows the current role', async () => {
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

  it('keep the texts of a deleted account without its name', async () => {
    const ana = await regular();
    const post = await postBy(ana);
    const comment = await commentBy(ana, post.id);
    await app.sql('delete from users where id = $1', [ana.id]);
    const found = await visitor.forum.post({ id: post.id });
    expect([found.content, found.comments[0]?.content]).toEqual([post.content, comment.content]);
    const nobody = { username: null, shortId: '', staff: false };
    expect([found.author, found.comments[0]?.author]).toEqual([nobody, nobody]);
  });

  it('name legacy authors without an account, and derive a name for a lost profile [AMB-04] [AMB-131]', async () => {
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
    'treats %j as words',
    async (q) => {
      await expect(visitor.forum.posts({ q })).resolves.toMatchObject({ items: expect.any(Array) });
    },
  );

  it('finds old and new posts, also by their comments, newest first and page by page, among thousands', async () => {
    const author = await regular();
    const old = await postBy(author, { content: 'un ornitorrinco viejo' });
    const talked = await postBy(author);
    await commentBy(author, talked.id, 'aquí también hay un ornitorrinco');
    const hidden = await postBy(author, { content: 'ornitorrinco oculto' });
    await commentBy(author, hidden.id, 'más del ornitorrinco');
    await app.as(await regular({ role: 'moderator' })).forum.deletePost({ id: hidden.id, ...REMOVAL_REASON });
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

describe('the live events of a post', () => {
  it('name the post and contain none of its text', async () => {
    const { liveEvents, until } = listenTo(app.services);
    const [ana, other] = [await regular(), await regular()];
    const post = await postBy(ana);
    await until((event) => event.type === 'post.created' && event.postId === post.id);
    const changes = () =>
      liveEvents.filter((event) => event.type === 'post.changed' && event.postId === post.id).length;
    const actions: (() => Promise<unknown>)[] = [
      // By another member: a post without answers of others leaves no placeholder when its author deletes it.
      () => app.as(other).forum.comment({ postId: post.id, content: 'hushhush' }),
      () => app.as(ana).forum.react({ postId: post.id, emojiType: 'wow', on: true }),
      () => app.as(ana).forum.editPost({ id: post.id, title: 'hushhush', content: 'hushhush' }),
      () => app.as(ana).forum.deletePost({ id: post.id }),
    ];
    for (const [i, run] of actions.entries()) {
      await run();
      await expect.poll(changes).toBe(i + 1);
    }
    expect(JSON.stringify(liveEvents)).not.toContain('hushhush');
  });

  it('are not sent for a reaction that changes nothing', async () => {
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

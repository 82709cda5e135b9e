import { beforeAll, describe, expect, it } from 'vitest';
import { purgeImages } from '#server/domains/media/trash.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { halvesImage } from '#tests/support/samples/images.ts';

const app = await startTestApp();
const { media, db } = app.services;
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
const nobody = { id: null, role: 'visitor', ipHash: null, requestId: null } as const;
const UNKNOWN_ID = '11111111-1111-4111-8111-111111111111';
const DAY = 86_400_000;

let png: Buffer;
beforeAll(async () => {
  png = await halvesImage(20, 20).png().toBuffer();
});
const store = (userId = admin.id) =>
  media.store({ bytes: png, declared: null, bucket: 'project-images', owner: { userId }, actor: nobody });
const usesOf = async (id: string) => (await back.media.read({ id })).uses;
const served = async (url: string) => (await app.http(url)).status;
const nameOf = (url: string) => url.slice('/media/'.length, -'.webp'.length);
const newsWith = (imageUrl: string | null, content = 'x') =>
  back.news.create({ title: `N ${Math.random()}`, content, imageUrl });

describe('a search of the library', () => {
  it('finds images by the record that shows them, by their uploader, and by their address', async () => {
    const sender = await app.member();
    const [shown, sent, other] = [await store(), await store(sender.id), await store()];
    await app.project({ token_name: 'Carrusel 100% Ñandú', image_url: shown.url });
    const found = async (q: string, more: object = {}) =>
      (await back.media.list({ q, ...more })).rows.map(({ id }) => id);
    // Accents are ignored, ñ is a separate letter, and % is literal.
    expect(await found('carrúsel')).toEqual([shown.id]);
    expect(await found('100% ñ')).toEqual([shown.id]);
    expect(await found('nandu')).toEqual([]);
    expect(await found('1_0%')).toEqual([]);
    expect(await found(sender.username.toUpperCase())).toEqual([sent.id]);
    expect(await found(sender.email)).toEqual([sent.id]);
    expect(await found(`https://florka.test${other.url.replace('.webp', '-384.webp')}`)).toEqual([other.id]);
    expect(await found(nameOf(other.url).slice(0, 12))).toEqual([other.id]);
    expect(await found(sender.username, { status: 'unused' })).toEqual([sent.id]);
    expect(await found('carrusel', { status: 'unused' })).toEqual([]);
    await expect(back.media.list({ q: 'ab' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('does not match mailboxes for staff who may not see them', async () => {
    const [sender, editor] = [await app.member(), await app.member({ role: 'admin' })];
    const sent = await store(sender.id);
    const found = async (q: string) => (await app.as(editor).admin.media.list({ q })).rows.map(({ id }) => id);
    const setRoles = (roles: string) =>
      app.sql('update admin_profiles set staff_roles = $1 where id = $2', [roles, editor.id]);
    await setRoles('{editor}');
    expect(await found(sender.email)).toEqual([]);
    expect(await found(sender.username)).toEqual([sent.id]);
    await setRoles('{editor,support}');
    expect(await found(sender.email)).toEqual([sent.id]);
  });
});

describe('the uses of an image', () => {
  it('include every table that can contain its address, and follow every change', async () => {
    const { id, url } = await store();
    const other = await store();
    const made = await app.nextProject({ image_url: url });
    const project = await app.project({ token_name: 'P', image_url: url });
    const candidate = await app.candidate({ token_name: 'C', image_url: url });
    const item = await newsWith(
      null,
      `[![t](https://florka.test${url.replace('.webp', '-384.webp')})](https://x.test)`,
    );
    await app.sql(
      `insert into site_page_versions (page, version, title_es, body_es, title_en, body_en)
       values ('about', 99, 'a', $1, 'a', 'b')`,
      [`![x](${url})`],
    );
    const [request] = await app.sql<{ id: string }>(
      `insert into token_creation_submissions (edit_secret_hash, token_data) values ('\\x00', $1) returning id`,
      [JSON.stringify({ tokenName: 'Draft', imageUrl: url })],
    );
    const [submission] = await app.sql<{ id: string }>(
      `insert into project_submissions (submitter_name, submitter_email, project_data) values ('S', 's@x.test', $1) returning id`,
      [JSON.stringify({ projectName: 'Sent', imageUrl: url })],
    );
    const { rows } = await back.media.list({});
    const seen = rows.find((row) => row.id === id);
    expect(seen?.uses).toBe(7);
    expect(seen?.shownIn).toHaveLength(4);
    const { shownIn } = await back.media.read({ id });
    expect(shownIn.map(({ place, title, version }) => [place, title, version])).toEqual([
      ['candidate', 'C', 1],
      ['news', item.title, 1],
      ['next_project', made.token_name, 1],
      ['page', null, null],
      ['project', 'P', 1],
      ['request', 'Draft', null],
      ['submission', 'Sent', null],
    ]);
    await app.sql('update projects set image_url = $1 where id = $2', [other.url, project.id]);
    await app.sql('update voting_candidates set total_votes = 3 where id = $1', [candidate.id]);
    await app.sql('delete from project_submissions where id = $1', [submission?.id]);
    await app.sql(`update token_creation_submissions set token_data = '{}' where id = $1`, [request?.id]);
    expect([await usesOf(id), await usesOf(other.id)]).toEqual([4, 1]);
    await app.sql('delete from projects where id = $1', [project.id]);
    await app.sql('delete from next_projects where id = $1', [made.id]);
    expect([await usesOf(id), await usesOf(other.id)]).toEqual([3, 0]);
  });

  it('are counted for an image inserted after the record that shows it, as in a restored database', async () => {
    const name = 'ab'.repeat(16);
    await app.nextProject({ image_url: `/media/${name}.webp` });
    const [made] = await app.sql<{ uses: number }>(
      `insert into media (name, bucket, width, height, frames, bytes, sha256, variants)
       values ($1, 'project-images', 1, 1, 1, 1, decode(repeat('00', 32), 'hex'), '[]') returning uses`,
      [name],
    );
    expect(made?.uses).toBe(1);
  });
});

describe('the list', () => {
  it('is paginated by keys with each image once, also when several have the same time', async () => {
    await app.sql(`insert into media (name, bucket, width, height, frames, bytes, sha256, variants, created_at)
      select md5('page' || i), 'forum-images', 1, 1, 1, 1, decode(repeat('00', 32), 'hex'), '[]', '2020-01-01T00:00:00.123456Z'
      from generate_series(1, 7) i`);
    const ids: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 50; page++) {
      const answer: Awaited<ReturnType<typeof back.media.list>> = await back.media.list({ size: 3, cursor });
      ids.push(...answer.rows.map(({ id }) => id));
      cursor = answer.nextCursor;
      if (!cursor) break;
    }
    expect(cursor).toBeNull();
    expect(new Set(ids).size).toBe(ids.length);
    const [{ all } = { all: 0 }] = await app.sql<{ all: number }>('select count(*)::int as all from media');
    expect(ids).toHaveLength(all);
  });

  it('can be limited to unused images; an image of a hidden post is marked and not served', async () => {
    const [free, used] = [await store(), await store()];
    await newsWith(used.url);
    const unused = (await back.media.list({ status: 'unused', size: 500 })).rows.map(({ id }) => id);
    expect(unused).toContain(free.id);
    expect(unused).not.toContain(used.id);
    const author = await app.member();
    const post = await app.as(author).forum.create({ title: 'With a picture', content: 'Look at this' });
    // The first text of a new member waits for a moderator, and its images are served.
    await app.sql('delete from forum_reviews where text_id = $1', [post.id]);
    await app.sql('update forum_posts set is_hidden = false where id = $1', [post.id]);
    const picture = await store(author.id);
    await app.sql('insert into forum_post_images (post_id, position, url, width, height) values ($1, 0, $2, 1, 1)', [
      post.id,
      picture.url,
    ]);
    expect(await back.media.read({ id: picture.id })).toMatchObject({ uses: 1, hidden: false });
    await app.sql('update forum_posts set is_hidden = true where id = $1', [post.id]);
    expect(await back.media.read({ id: picture.id })).toMatchObject({ hidden: true });
    expect(await served(picture.url)).toBe(404);
  });
});

describe('the trash', () => {
  it('takes images without a use, stops serving them, and restores them', async () => {
    const [free, used] = [await store(), await store()];
    await newsWith(used.url);
    expect(await served(free.url)).toBe(200);
    expect(await back.media.remove({ ids: [free.id, used.id, UNKNOWN_ID] })).toEqual({
      results: [
        { id: free.id, outcome: 'done', code: null },
        { id: used.id, outcome: 'refused', code: 'IMAGE_SHOWN' },
        { id: UNKNOWN_ID, outcome: 'refused', code: 'NOT_FOUND' },
      ],
    });
    expect([await served(free.url), await served(used.url)]).toEqual([404, 200]);
    expect((await back.media.remove({ ids: [free.id] })).results[0]?.outcome).toBe('unchanged');
    expect((await back.media.list({ shelf: 'trash' })).rows.map(({ id }) => id)).toEqual([free.id]);
    expect((await back.media.list({})).rows.map(({ id }) => id)).not.toContain(free.id);
    // No record can start to show it from there.
    await expect(newsWith(free.url)).rejects.toMatchObject({ code: 'NOT_FOUND', data: { what: 'image' } });
    await back.media.restore({ ids: [free.id] });
    expect(await served(free.url)).toBe(200);
    await newsWith(free.url);
    const entries = await app.sql<{ action: string }>(
      "select action from audit_events where resource_id = $1 and action <> 'image.uploaded' order by id",
      [free.id],
    );
    expect(entries.map(({ action }) => action)).toEqual(['image.deleted', 'image.restored']);
  });

  it('refuses an image that only the text of a news item shows', async () => {
    const { id, url } = await store();
    await newsWith(null, `[![t](https://florka.test${url})](https://x.test)`);
    expect((await back.media.remove({ ids: [id] })).results[0]).toMatchObject({ code: 'IMAGE_SHOWN' });
  });

  it('keeps images beyond the 48 hours of unused uploads, and deletes them after 30 days', async () => {
    const { id, url } = await store();
    await back.media.remove({ ids: [id] });
    await media.clean({ now: new Date(app.now.getTime() + 3 * DAY), deletedOnly: false });
    expect(await app.sql('select 1 from media where id = $1 and deleted_at is null', [id])).toHaveLength(1);
    expect(await purgeImages(db, new Date(app.now.getTime() + 30 * DAY - 1))).toBe(0);
    expect(await purgeImages(db, new Date(app.now.getTime() + 30 * DAY))).toBe(1);
    expect(await purgeImages(db, new Date(app.now.getTime() + 30 * DAY))).toBe(0);
    await media.clean({ now: app.now, deletedOnly: true });
    expect(await app.sql('select 1 from media where id = $1', [id])).toEqual([]);
    expect(await media.open(`${nameOf(url)}.webp`)).toBeNull();
  });
});

describe('replacing an image', () => {
  it('removes the mark of a verified creator, as any other change of the image does', async () => {
    const [old, fresh] = [await store(), await store()];
    const { id } = await app.candidate({ token_name: 'Marked', image_url: old.url });
    await app.sql(
      `insert into ownership_proofs (candidate_id, method, subject, token, state, started_at, proven_at, next_check_at, expires_at)
       values ($1, 'file', 'a.example.org', 'x', 'valid', $2, $2, $2::timestamptz + interval '1 day', $2::timestamptz + interval '180 days')`,
      [id, app.now],
    );
    const seen = [{ place: 'candidate' as const, record: id, version: 1 }];
    expect(await back.media.replace({ id: old.id, url: fresh.url, seen })).toEqual({ replaced: 1, left: 0 });
    expect(await app.sql('select state, end_reason from ownership_proofs where candidate_id = $1', [id])).toEqual([
      { state: 'ended', end_reason: 'changed' },
    ]);
  });

  it('shows the new image in every listed record, and stops serving the old one', async () => {
    const [old, fresh] = [await store(), await store()];
    const item = await newsWith(old.url, `[![t](https://florka.test${old.url})](https://x.test)`);
    const next = await app.nextProject({ image_url: old.url });
    const candidate = await app.candidate({ token_name: 'R', image_url: old.url });
    const seen = [
      { place: 'news' as const, record: item.id, version: 1 },
      { place: 'next_project' as const, record: next.id, version: 1 },
      { place: 'candidate' as const, record: candidate.id, version: 1 },
    ];
    expect(await back.media.replace({ id: old.id, url: fresh.url, seen })).toEqual({ replaced: 3, left: 0 });
    expect(await usesOf(fresh.id)).toBe(3);
    expect([await served(old.url), await served(fresh.url)]).toEqual([404, 200]);
    const after = await back.news.read({ id: item.id });
    expect(after).toMatchObject({ imageUrl: fresh.url, version: 2 });
    expect(after.content).toContain(fresh.url);
    const entries = await app.sql<{ action: string; actor_id: string }>(
      'select action, actor_id from audit_events where resource_id = any($1) order by id desc limit 4',
      [[old.id, ...seen.map(({ record }) => record)]],
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'image.replaced',
      'next_project.updated',
      'news.updated',
      'candidate.updated',
    ]);
    expect(new Set(entries.map(({ actor_id }) => actor_id))).toEqual(new Set([admin.id]));
  });

  it('changes nothing when a record was saved since, or another record shows the image by now', async () => {
    const [old, fresh] = [await store(), await store()];
    const [one, two] = [await newsWith(old.url), await newsWith(old.url)];
    const seen = [one, two].map(({ id }) => ({ place: 'news' as const, record: id, version: 1 }));
    await back.news.update({ id: one.id, version: 1, title: 'Meanwhile', content: 'x', imageUrl: old.url });
    await expect(back.media.replace({ id: old.id, url: fresh.url, seen })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
    });
    const again = seen.map((use) => (use.record === one.id ? { ...use, version: 2 } : use));
    await newsWith(old.url);
    await expect(back.media.replace({ id: old.id, url: fresh.url, seen: again })).rejects.toMatchObject({
      code: 'IMAGE_USES_CHANGED',
    });
    expect([await usesOf(old.id), await usesOf(fresh.id)]).toEqual([3, 0]);
    expect(await served(old.url)).toBe(200);
  });

  it('keeps the old image for submissions and trashed records, and returns their number', async () => {
    const [old, fresh] = [await store(), await store()];
    const item = await newsWith(old.url);
    const trashed = await newsWith(old.url);
    await back.news.remove({ id: trashed.id, version: 1 });
    await app.sql(
      `insert into project_submissions (submitter_name, submitter_email, project_data) values ('S', 's@x.test', $1)`,
      [JSON.stringify({ projectName: 'Sent', imageUrl: old.url })],
    );
    const seen = [{ place: 'news' as const, record: item.id, version: 1 }];
    expect(await back.media.replace({ id: old.id, url: fresh.url, seen })).toEqual({ replaced: 1, left: 2 });
    expect(await served(old.url)).toBe(200);
    await expect(back.media.replace({ id: old.id, url: old.url, seen })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(back.media.replace({ id: UNKNOWN_ID, url: fresh.url, seen })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

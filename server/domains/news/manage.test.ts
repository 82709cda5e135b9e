import { describe, expect, it } from 'vitest';
import { ImageNotFetched } from '#server/domains/media/media.service.ts';
import { listenTo, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ fetchImage: () => Promise.reject(new ImageNotFetched('private')) });
const admin = await app.member({ role: 'admin' });
const { news } = app.as(admin).admin;
const site = app.as(null).news;

let serial = 0;
const written = (over: object = {}) => news.create({ title: `Noticia ${++serial}`, content: 'Un **texto**.', ...over });

describe('news in the back office', () => {
  it('need a title and a text; the author is Admin by default [A-NEWS-18] [A-NEWS-19] [AMB-164]', async () => {
    const item = await written({ title: ' Hola\u202e  mundo ', authorName: ' ' });
    expect(item).toMatchObject({
      title: 'Hola mundo',
      authorName: 'Admin',
      isActive: false,
      publishedAt: null,
      version: 1,
    });
    for (const wrong of [
      { title: ' ' },
      { title: '\u200b' },
      { content: '' },
      { title: 'x'.repeat(201) },
      { imageUrl: 'javascript:1' },
    ])
      await expect(written(wrong)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(written({ adminEmail: admin.email })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('get their publication time once, when they first become active, and notify open pages [A-NEWS-17] [AMB-167]', async () => {
    const { id, title, content } = await written();
    expect((await site.list({})).items.map((one) => one.id)).not.toContain(id);
    app.pass(5_000);
    const liveEvents = listenTo(app.services);
    const shown = await news.update({ id, version: 1, title, content, isActive: true });
    const publishedAt = app.now.toISOString();
    expect(shown).toMatchObject({ isActive: true, publishedAt, version: 2 });
    await liveEvents.changed('news');
    expect((await site.list({})).items[0]).toMatchObject({ id, publishedAt });
    app.pass(5_000);
    const hidden = await news.update({ id, version: 2, title, content, isActive: false });
    expect(hidden).toMatchObject({ isActive: false, publishedAt });
    expect(await news.update({ id, version: 3, title, content, isActive: true })).toMatchObject({ publishedAt });
  });

  it('refuse a change of an outdated version', async () => {
    const { id, title, content } = await written();
    const other = await app.member({ role: 'admin' });
    await app.as(other).admin.news.update({ id, version: 1, title: 'De otra persona', content });
    await expect(news.update({ id, version: 1, title, content: 'Mío' })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, by: other.username, current: { title: 'De otra persona' } },
    });
    await expect(news.remove({ id, version: 1 })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    expect(await news.read({ id })).toMatchObject({ title: 'De otra persona', content });
  });

  it('leave the site when they are deleted, and come back unchanged [A-NEWS-15] [A-NEWS-20] [A-NEWS-21]', async () => {
    const { id, version } = await written({ isActive: true });
    await news.remove({ id, version });
    expect((await site.list({})).items.map((one) => one.id)).not.toContain(id);
    await expect(site.byId({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await news.list({ shelf: 'trash' })).rows[0]).toMatchObject({ id, deletedAt: app.now.toISOString() });
    expect(await news.restore({ id })).toMatchObject({ isActive: true, deletedAt: null });
    await expect(news.restore({ id })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    expect((await site.byId({ id })).id).toBe(id);
    expect(
      (
        await app.sql<{ action: string }>('select action from audit_events where resource_id = $1 order by id', [id])
      ).map(({ action }) => action),
    ).toEqual(['news.created', 'news.deleted', 'news.restored']);
  });

  it('are listed newest first, found in title, author and text, filtered and exported [A-NEWS-06] [A-NEWS-07] [A-NEWS-08] [A-NEWS-09]', async () => {
    const key = `clave${++serial}`;
    const old = await written({ content: `La **${key}** está`, isActive: true });
    app.pass(1_000);
    const young = await written({ authorName: `Ángel ${key}` });
    const ids = async (input: object) => (await news.list({ sort: '-createdAt', ...input })).rows.map(({ id }) => id);
    expect(await ids({ q: key.toUpperCase() })).toEqual([young.id, old.id]);
    expect(await ids({ q: `angel ${key}` })).toEqual([young.id]);
    expect(await ids({ q: key, status: 'active' })).toEqual([old.id]);
    expect(await ids({ q: key, sort: '-publishedAt' })).toEqual([old.id, young.id]);
    expect(await ids({ q: `%${key}` })).toEqual([]);
    const csv = await app.http(`/api/admin/news.csv?q=${key}&status=inactive`, { headers: { cookie: admin.cookie } });
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(2);
  });

  it('mark an upload as used, delete the image it replaces, and refuse unknown images [AMB-169]', async () => {
    const image = async (name: string) => {
      await app.sql(
        `insert into media (name, bucket, owner_user_id, width, height, frames, bytes, sha256, variants)
         values ($1, 'project-images', $2, 1, 1, 1, 1, sha256('x'), '[]')`,
        [name, admin.id],
      );
      return `/media/${name}.webp`;
    };
    const state = async (name: string) =>
      (
        await app.sql<{ status: string; gone: boolean }>(
          'select status, deleted_at is not null as gone from media where name = $1',
          [name],
        )
      )[0];
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
    const [first, second] = [await image(a), await image(b)];
    const { id, title, content } = await written({ imageUrl: first });
    expect(await state(a)).toEqual({ status: 'used', gone: false });
    await news.update({ id, version: 1, title, content, imageUrl: second });
    expect(await state(a)).toEqual({ status: 'used', gone: true });
    expect(await state(b)).toEqual({ status: 'used', gone: false });
    const save = (imageUrl: string) => news.update({ id, version: 2, title, content, imageUrl });
    for (const wrong of ['/media/nothing.webp', '/etc/passwd'])
      await expect(save(wrong)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(save(first)).rejects.toMatchObject({ code: 'NOT_FOUND', data: { what: 'image' } });
    await expect(save('https://example.org/x.png')).rejects.toMatchObject({
      code: 'IMAGE_NOT_FETCHED',
      data: { why: 'private' },
    });
    await expect(written({ imageUrl: 'https://example.org/x.png' })).rejects.toMatchObject({
      code: 'IMAGE_NOT_FETCHED',
    });
    expect((await news.read({ id })).imageUrl).toBe(second);
  });
});

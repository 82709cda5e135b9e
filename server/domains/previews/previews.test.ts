import { describe, expect, it } from 'vitest';
import { listenTo, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const back = app.as(await app.member({ role: 'admin' })).admin;
const site = app.as(null);

let serial = 0;
const draft = (over: object = {}) => back.news.create({ title: `Borrador ${++serial}`, content: 'Un texto.', ...over });

describe('a link to a draft', () => {
  it('shows the draft to everybody for seven days, unless it is in the trash', async () => {
    const item = await draft({ title: 'Solo con enlace' });
    const publishAt = new Date(Date.now() + 600_000).toISOString();
    await back.editorial.setSchedule({ kind: 'news', id: item.id, version: item.version, publishAt, expireAt: null });
    const { path } = await back.editorial.makePreview({ kind: 'news', id: item.id });
    const key = path.replace('/preview#', '');
    expect(await site.previews.read({ key })).toMatchObject({
      kind: 'news',
      shown: false,
      item: { id: item.id, title: 'Solo con enlace' },
    });
    expect(await app.sql("select 1 from audit_events where after::text like '%' || $1 || '%'", [key])).toEqual([]);
    await expect(site.previews.read({ key: '0'.repeat(48) })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const page = await app.http(path);
    expect(page.headers.get('cache-control')).not.toContain('public');
    await back.news.remove({ id: item.id, version: 2 });
    await expect(site.previews.read({ key })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(back.editorial.makePreview({ kind: 'news', id: item.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const next = await back.nextProjects.create({
      tokenName: 'Tapado',
      tokenSymbol: 'TAP',
      status: 'pending',
      isActive: false,
    });
    const link = await back.editorial.makePreview({ kind: 'next_project', id: next.id });
    const read = () => site.previews.read({ key: link.path.slice('/preview#'.length) });
    expect(await read()).toMatchObject({ kind: 'next_project', shown: false, project: { tokenName: 'Tapado' } });
    app.pass(7 * 86_400_000);
    await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is withdrawn with all other links of its record, and of no other record', async () => {
    const [item, other] = [await draft({ title: 'Se retira' }), await draft({ title: 'Se queda' })];
    const keyOf = async (id: string) =>
      (await back.editorial.makePreview({ kind: 'news', id })).path.slice('/preview#'.length);
    const [one, two, kept] = [await keyOf(item.id), await keyOf(item.id), await keyOf(other.id)];
    app.pass(60_000);
    const { endsAt } = await back.editorial.makePreview({ kind: 'news', id: item.id });
    expect(await back.editorial.previews({ kind: 'news', id: item.id })).toEqual({ links: 3, lastEndsAt: endsAt });
    const liveEvents = listenTo(app.services);
    await liveEvents.forget();
    expect(await back.editorial.withdrawPreviews({ kind: 'news', id: item.id })).toEqual({ withdrawn: 3 });
    await liveEvents.changed('news');
    for (const key of [one, two])
      await expect(site.previews.read({ key })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await site.previews.read({ key: kept })).toMatchObject({ item: { title: 'Se queda' } });
    expect(await back.editorial.previews({ kind: 'news', id: item.id })).toEqual({ links: 0, lastEndsAt: null });
    const entries = () =>
      app.sql("select 1 from audit_events where action = 'preview.withdrawn' and resource_id = $1", [item.id]);
    expect(await entries()).toHaveLength(1);
    expect(await back.editorial.withdrawPreviews({ kind: 'news', id: item.id })).toEqual({ withdrawn: 0 });
    expect(await entries()).toHaveLength(1);
    const again = await keyOf(item.id);
    expect(await site.previews.read({ key: again })).toMatchObject({ item: { title: 'Se retira' } });
  });

  it('shows a draft of the announcement, which is not public; only owners manage it', async () => {
    await expect(back.editorial.makePreview({ kind: 'announcement' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await app.services.settings.load();
    const values = { bannerEs: 'Hola', bannerEn: 'Hello', bannerShown: false } as const;
    await back.settings.save({
      changes: Object.entries(values).map(([name, value]) => ({
        name: name as keyof typeof values,
        version: 0,
        value,
      })),
    });
    await app.services.settings.load();
    expect((await site.settings.notices()).announcement).toBeNull();
    const { path } = await back.editorial.makePreview({ kind: 'announcement' });
    expect(await site.previews.read({ key: path.slice('/preview#'.length) })).toMatchObject({
      es: 'Hola',
      en: 'Hello',
      shown: false,
    });
    const moments = [new Date(app.now.getTime() - 2_000), new Date(app.now.getTime() - 1_000)].map((at) =>
      at.toISOString(),
    );
    await app.services.settings.load();
    await back.settings.save({
      changes: [
        { name: 'bannerFrom', version: 0, value: moments[0] ?? '' },
        { name: 'bannerUntil', version: 0, value: moments[1] ?? '' },
        { name: 'bannerShown', version: 1, value: true },
      ],
    });
    await app.services.settings.load();
    // Its time is over: neither a publication nor an expiry is announced.
    expect(await site.previews.read({ key: path.slice('/preview#'.length) })).toMatchObject({
      publishAt: null,
      expireAt: null,
      shown: false,
    });
    // It is a setting, which only owners change.
    const editor = await app.member({ role: 'admin' });
    await app.sql(`update admin_profiles set staff_roles = '{editor}' where id = $1`, [editor.id]);
    const { makePreview, previews, withdrawPreviews } = app.as(editor).admin.editorial;
    for (const call of [makePreview, previews, withdrawPreviews])
      await expect(call({ kind: 'announcement' })).rejects.toMatchObject({ code: 'STAFF_ROLE_NEEDED' });
    expect(await back.editorial.previews({ kind: 'announcement' })).toMatchObject({ links: 1 });
    expect(await back.editorial.withdrawPreviews({ kind: 'announcement' })).toEqual({ withdrawn: 1 });
    await expect(site.previews.read({ key: path.slice('/preview#'.length) })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

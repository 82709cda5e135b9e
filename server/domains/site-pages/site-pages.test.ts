import { expect, it } from 'vitest';
import { SITE_PAGES } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const admin = app.as(await app.member({ role: 'admin' }), {});
const TEXTS = { titleEs: 'Quiénes somos', bodyEs: 'Somos **dos**.', titleEn: 'Who we are', bodyEn: 'We are **two**.' };

it('a page has no text until an operator writes one, then the text of the requested language', async () => {
  expect(await app.as().sitePages.read({ page: 'about' })).toEqual({
    page: 'about',
    version: 0,
    title: null,
    body: null,
    updatedAt: null,
  });
  await admin.admin.sitePages.save({ page: 'about', version: 0, ...TEXTS });
  expect(await app.as().sitePages.read({ page: 'about', locale: 'en' })).toMatchObject({
    version: 1,
    title: 'Who we are',
    body: 'We are **two**.',
  });
  expect((await app.as().sitePages.read({ page: 'about' })).title).toBe('Quiénes somos');
  expect((await app.as().sitePages.read({ page: 'terms' })).version).toBe(0);
  const { rows: columns } = { rows: await admin.admin.sitePages.list() };
  expect(columns.map(({ page }) => page)).toEqual([...SITE_PAGES]);
});

it('every version is stored, an older one is restored as a new version, and the audit log has both', async () => {
  const save = (version: number, titleEs: string) =>
    admin.admin.sitePages.save({ page: 'terms', version, ...TEXTS, titleEs });
  await save(0, 'Uno');
  await save(1, 'Dos');
  expect((await save(2, 'Dos')).version).toBe(2);
  await admin.admin.sitePages.restore({ page: 'terms', version: 2, restore: 1 });
  const history = await admin.admin.sitePages.history({ page: 'terms' });
  expect(history.map(({ version, restoredFrom, texts }) => [version, restoredFrom, texts.titleEs])).toEqual([
    [3, 1, 'Uno'],
    [2, null, 'Dos'],
    [1, null, 'Uno'],
  ]);
  const entries = await app.sql<{ action: string; after: Record<string, unknown> }>(
    `select action, after from audit_events where resource_type = 'site_page' and resource_id = 'terms' order by id`,
  );
  expect(entries.map(({ action, after }) => [action, after['version'], after['titleEs']])).toEqual([
    ['site_page.updated', 1, 'Uno'],
    ['site_page.updated', 2, 'Dos'],
    ['site_page.restored', 3, 'Uno'],
  ]);
  await expect(admin.admin.sitePages.restore({ page: 'terms', version: 3, restore: 9 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

it('one of several concurrent saves succeeds, the others get what it saved, and an incomplete text is refused', async () => {
  const write = (titleEs: string) => admin.admin.sitePages.save({ page: 'risk', version: 0, ...TEXTS, titleEs });
  const answers = await Promise.allSettled([write('Uno'), write('Dos'), write('Tres')]);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = answers.find((answer) => answer.status === 'rejected');
  const [stored] = await admin.admin.sitePages.history({ page: 'risk' });
  expect(refused?.reason).toMatchObject({
    code: 'VERSION_CONFLICT',
    data: { version: 1, current: { titleEs: stored?.texts.titleEs, bodyEn: TEXTS.bodyEn } },
  });
  await expect(
    admin.admin.sitePages.save({ page: 'risk', version: 7, ...TEXTS, titleEs: 'Siete' }),
  ).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
  await expect(
    admin.admin.sitePages.save({ page: 'risk', version: 1, ...TEXTS, bodyEn: '\u200b' }),
  ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('the newest of many versions are listed, and an older one can still be restored', async () => {
  await app.sql(
    `insert into site_page_versions (page, version, title_es, body_es, title_en, body_en)
     select 'prices', n, 'Precios ' || n, 'x', 'Prices ' || n, 'x' from generate_series(1, 205) n`,
  );
  const listed = (await admin.admin.sitePages.history({ page: 'prices' })).map(({ version }) => version);
  expect([listed.length, listed[0], listed.at(-1)]).toEqual([200, 205, 6]);
  await admin.admin.sitePages.restore({ page: 'prices', version: 205, restore: 2 });
  expect((await app.as().sitePages.read({ page: 'prices' })).title).toBe('Precios 2');
});

it('published texts cannot be changed in the database, and outlive the account of their author', async () => {
  const writer = await app.member({ role: 'admin' });
  await app.as(writer).admin.sitePages.save({ page: 'contact', version: 0, ...TEXTS });
  await expect(app.sql(`update site_page_versions set body_es = 'x' where page = 'contact'`)).rejects.toThrow(/kept/);
  await expect(app.sql(`delete from site_page_versions where page = 'contact'`)).rejects.toThrow(/kept/);
  await app.sql('delete from users where id = $1', [writer.id]);
  const [version] = await app.as(await app.member({ role: 'admin' })).admin.sitePages.history({ page: 'contact' });
  expect(version).toMatchObject({ savedBy: null, texts: TEXTS });
});

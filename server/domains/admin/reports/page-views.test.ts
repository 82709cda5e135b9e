import { expect, it } from 'vitest';
import { figuresByDay } from '#server/domains/admin/dashboard/dashboard.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { createPageViews, forgetPageViews } from './page-views.service.ts';

const app = await startTestApp();
const admin = app.as(await app.member({ role: 'admin' }), {}).admin;
const { db } = app.services;
const NOW = new Date('2026-03-11T12:00:00.000Z');
const unexpected = (error: unknown) => expect.fail(String(error));

it('page views counted by several processes are summed by day and kind of page', async () => {
  const processes = [createPageViews(db, unexpected), createPageViews(db, unexpected)];
  for (const views of processes) {
    views.count('home', true, NOW);
    views.count('home', false, NOW);
    views.count('vote', false, NOW);
    views.count('vote', false, new Date('2026-03-10T23:59:59.999Z'));
  }
  await Promise.all(processes.map((views) => views.flush()));
  // Nothing is counted twice.
  await Promise.all(processes.map((views) => views.flush()));
  const none = { tokens: 0, token: 0, next: 0, news: 0, forum: 0, search: 0, create: 0, account: 0, text: 0, other: 0 };
  const { rows, total } = await admin.pageViews.list({ size: 10 });
  expect(rows).toEqual([
    { day: '2026-03-11', views: 6, arrivals: 2, home: 4, vote: 2, ...none },
    { day: '2026-03-10', views: 2, arrivals: 0, home: 0, vote: 2, ...none },
  ]);
  expect(total).toBe(2);
  expect((await admin.pageViews.list({ page: 2, size: 1 })).rows.map(({ day }) => day)).toEqual(['2026-03-10']);
  const figures = await figuresByDay(db, 2, NOW);
  expect(figures.map(({ day, views, arrivals }) => [day, views, arrivals])).toEqual([
    ['2026-03-10', 2, 0],
    ['2026-03-11', 6, 2],
  ]);
});

it('page views that could not be written stay counted and are written by the next flush', async () => {
  const failures: unknown[] = [];
  const views = createPageViews(db, (error) => failures.push(error));
  await app.sql('alter table page_views rename to page_views_away');
  views.count('next', true, NOW);
  await views.flush();
  expect(failures).toHaveLength(1);
  await app.sql('alter table page_views_away rename to page_views');
  views.count('next', false, NOW);
  await views.flush();
  const [kept] = await app.sql("select views::int, arrivals::int from page_views where kind = 'next'");
  expect(kept).toEqual({ views: 2, arrivals: 1 });
});

it('page views of days older than the retention period are deleted', async () => {
  const views = createPageViews(db, unexpected);
  views.count('news', false, new Date('2026-01-01T00:00:00Z'));
  views.count('news', false, new Date('2026-01-02T00:00:00Z'));
  await views.flush();
  expect(await forgetPageViews(db, 30, new Date('2026-02-01T12:00:00Z'))).toBe(1);
  expect(await app.sql("select day::text from page_views where kind = 'news'")).toEqual([{ day: '2026-01-02' }]);
});

import { describe, expect, it } from 'vitest';
import { pageKind } from '#contract/page-views.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
const show = (query: string, headers: Record<string, string> = {}) =>
  app.http(`/page-views${query}`, { method: 'POST', headers: { 'user-agent': FIREFOX, ...headers } });
async function counted(): Promise<Record<string, [number, number]>> {
  await app.services.pageViews.flush();
  const rows = await app.sql<{ kind: string; views: number; arrivals: number }>(
    'select kind, views::int, arrivals::int from page_views order by kind',
  );
  return Object.fromEntries(rows.map(({ kind, views, arrivals }) => [kind, [views, arrivals]]));
}

describe('a page view', () => {
  it('is counted by its kind, and as an arrival if the visitor came from outside', async () => {
    expect((await show('?kind=home&arrived=1')).status).toBe(204);
    expect((await show('?kind=home')).status).toBe(204);
    expect((await show('?kind=token')).headers.get('cache-control')).toBe('no-store');
    expect(await counted()).toEqual({ home: [2, 1], token: [1, 0] });
  });

  it.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/116.0 Safari/537.36'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/131.0 Safari/537.36'],
    ['curl/8.5.0'],
    [''],
  ])('is not counted for a declared program: %s', async (agent) => {
    const before = await counted();
    expect((await show('?kind=news', { 'user-agent': agent })).status).toBe(204);
    expect(await counted()).toEqual(before);
  });

  it.each<[string, string, Record<string, string>, number]>([
    ['an unknown kind', '?kind=passwords', {}, 400],
    ['no kind', '', {}, 400],
    ['another site', '?kind=home', { origin: 'https://evil.test' }, 403],
    ['a page of another site', '?kind=home', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('is refused: %s', async (_what, query, headers, status) => {
    const before = await counted();
    expect((await show(query, headers)).status).toBe(status);
    expect(await counted()).toEqual(before);
  });

  it('cannot be fetched with GET', async () => {
    const answer = await app.http('/page-views?kind=home');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is rate-limited per minute and source, with the time to retry', async () => {
    let answer = await show('?kind=search');
    for (let n = 0; n < 125; n++) answer = await show('?kind=search');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await counted())['search']?.[0]).toBeLessThanOrEqual(120);
  });
});

it.each([
  ['/', 'home'],
  ['/en', 'home'],
  ['/en/', 'home'],
  ['/en/vote/race', 'vote'],
  ['/ticket/3f', 'vote'],
  ['/token/luna/candidate', 'token'],
  ['/tokens', 'tokens'],
  ['/enough', 'other'],
  ['/order/secret', 'create'],
  ['/privacy', 'text'],
  ['/constructor', 'other'],
  ['/admin/users', null],
  ['/en/admin-login', null],
  ['/preview/abc', null],
  ['/dev/sign-in', null],
])('the kind of %s is %s', (path, kind) => {
  expect(pageKind(path)).toBe(kind);
});

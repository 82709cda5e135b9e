import { beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ trustProxy: 1 });
let addresses = 0;
let address = '';
beforeEach(() => {
  address = `198.51.100.${++addresses}`;
  app.cache.clear();
});
const ask = (path: string) => app.http(path, { headers: { 'x-forwarded-for': address } });
const NEWS = '/news/0a0b0c0d-1111-4111-8111-aaaaaaaaaaaa';

describe('searches by page URL', () => {
  it.each([
    '/forum',
    '/en/forum',
    '/news',
    '/en/news',
    NEWS,
    '/news/unknown',
    '/forum.data',
    '/news.data',
    '/search',
    '/en/search',
  ])('%s?q= counts toward the rate limit of the address, for any terms', async (path) => {
    const max = LIMITS.searchAddressMinute.hits;
    const before = app.rendered.length;
    for (let n = 0; n < max; n++) expect((await ask(`${path}?q=word-${n}`)).status).not.toBe(429);
    const refused = await ask(`${path}?q=another`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    // A refused search reads nothing: the renderer gets the refusal, or is not called.
    expect(app.rendered.length - before).toBeLessThanOrEqual(max + 1);
    expect((await ask(path)).status).not.toBe(429);
    app.pass(60_000);
    expect((await ask(`${path}?q=another`)).status).not.toBe(429);
  });

  it('are counted in every spelling of the path', async () => {
    await ask('/forum?q=x');
    const key = `search:${address}`;
    await app.sql('update rate_limits set hits = $2 where key = $1', [key, LIMITS.searchAddressMinute.hits]);
    for (const path of ['/forum?q=%20x', '/forum?x=1&q=a', '/forum?q=', '/forum?q=a&q=b', '/forum?%71=a'])
      expect([path, (await ask(path)).status]).toEqual([path, path === '/forum?q=' ? 200 : 429]);
    const before = app.rendered.length;
    for (const path of ['/Forum?q=a', '/forum/?q=a', '//forum?q=a', '/%66orum?q=a', '/en//forum?q=a'])
      expect([path, (await ask(path)).status]).toEqual([path, 308]);
    expect((await ask('/Forum.data?q=a')).status).toBe(404);
    expect(app.rendered.length).toBe(before);
  });

  it('are never cached, and evict no other page', async () => {
    await ask('/forum');
    await ask('/news');
    const { size } = app.cache;
    for (let n = 0; n < 5; n++) {
      await ask(`/forum?q=word-${n}`);
      await ask(`/news?q=word-${n}`);
    }
    expect(app.cache.size).toBe(size);
    const before = app.rendered.length;
    await ask('/forum');
    await ask('/forum?q=word-1');
    expect(app.rendered.slice(before)).toEqual(['/forum?q=word-1']);
  });
});

import { describe, expect, it } from 'vitest';
import { assetsOf, cacheKeyOf, markOf } from '#app/worker/cached-pages.ts';
import { offlinePage } from '#app/worker/offline-page.ts';
import { SITE_PAGES } from '#contract/limits.ts';
import { markStale } from '#contract/stale-copy.ts';
import { cacheablePage } from '#server/http/pages/pages.ts';

const stored = (address: string) => cacheKeyOf(new URL(address, 'https://florka.test'));
const ID = '11111111-1111-4111-8111-111111111111';

describe('the cache of the service worker', () => {
  it.each([
    '/',
    '/en',
    '/vote',
    '/en/vote',
    '/next?page=2',
    '/?tab=next',
    '/news',
    `/news/${ID}`,
    '/forum',
    '/token/luna',
    '/en/token/luna/candidate',
    ...SITE_PAGES.map((page) => `/${page}`),
  ])('stores %s, which is the same for everybody', (address) => {
    expect(stored(address)).toBe(address);
    const { pathname, search } = new URL(address, 'https://florka.test');
    // Only of such documents the server knows that they never depend on who asks.
    expect(cacheablePage(pathname, search)).not.toBeNull();
  });

  it.each([
    '/account',
    '/en/account',
    '/auth',
    '/saved',
    '/create',
    '/publish',
    `/order/${ID}`,
    `/submission/${ID}`,
    '/verify?token=x',
    '/reset?token=x',
    '/unsubscribe?token=x',
    '/admin',
    '/en/admin/users',
    '/admin-login',
    '/forum?q=luna',
    '/news?q=luna',
    '/vote?secret=x',
    '/envote',
    '/api/docs',
    '/rpc/auth/me',
    '/live',
    '/media/a.webp',
  ])('does not store %s', (address) => {
    expect(stored(address)).toBeNull();
  });

  it('stores a page under one address, without the parameters of campaign links', () => {
    expect(stored('/vote?utm_source=x&utm_medium=y')).toBe('/vote');
    expect(stored('/next?page=2&ref=x')).toBe('/next?page=2');
  });

  it('finds the build files that a document names', () => {
    expect(
      assetsOf('<link href="/assets/root-a.css"><script>import "/assets/b-1.js";import "/assets/b-1.js"</script>'),
    ).toEqual(['/assets/root-a.css', '/assets/b-1.js']);
  });
});

it('a stale copy from another day shows its date', () => {
  const html = '<html lang="es"><time data-stale-time="">–</time><fieldset data-content="">';
  expect(markStale(html, Date.now())).toMatch(/>\d\d:\d\d UTC<\/time>/);
  expect(markStale(html, Date.parse('2025-03-10T12:34:00Z'))).toContain('>12:34 UTC (2025-03-10)</time>');
});

it('the offline page loads nothing from elsewhere, and escapes the titles of cached pages', async () => {
  const page = await offlinePage('es', [{ path: '/token/x', title: '<img src=x>', at: 0 }]);
  const html = await page.text();
  expect(page.status).toBe(503);
  expect(html).toContain('&lt;img src=x&gt;');
  expect(html).not.toContain('<img');
  expect(html).not.toMatch(/(src|href)="https?:/);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
});

describe('the mark of the site on cached pages and the offline page', () => {
  const name = 'a'.repeat(32);
  it('is cached together with the pages that link to it', () => {
    const html = `<link rel="icon" href="/media/${name}-512.png" type="image/png"/>`;
    expect(markOf(html)).toBe(`/media/${name}-96.webp`);
    expect(assetsOf(html)).toEqual([`/media/${name}-96.webp`]);
    for (const other of ['<link rel="icon" href="/favicon.svg"/>', html.replace('/media', 'https://cdn.test/media')])
      expect(markOf(other)).toBeNull();
  });

  it('replaces the drawn logo, and the offline page shows no logo if the mark is not cached', async () => {
    const page = async (mark?: string | null) => (await offlinePage('es', [], 'Tómbola', mark)).text();
    expect(await page()).toContain('<svg');
    expect(await page('data:image/webp;base64,AA==')).toContain('<img alt="" src="data:image/webp;base64,AA==">');
    expect(await page('data:image/webp;base64,AA==')).not.toContain('<svg');
    expect(await page(null)).not.toMatch(/<svg|<img/);
  });
});

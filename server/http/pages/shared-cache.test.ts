import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LANGUAGE_COOKIE } from '#contract/limits.ts';
import type { LiveDomain } from '#contract/live.ts';
import { httpPurge } from '#server/providers/cache/http-purge.ts';
import { openCachePurge } from '#server/providers/cache/open.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { finishPage, type Page, PageCache } from './page-cache.ts';
import { publicDomains } from './pages.ts';
import { imageCaching, MICRO_CACHED, OUTDATED, PURGED, type Purger, shareable, startPurger } from './shared-cache.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');

const pageOf = (cacheControl: string): Promise<Page> => finishPage(new Response('<p>words</p>'), false, cacheControl);
const headerOf = (list: string[], name: string) => {
  const at = list.indexOf(name);
  return at < 0 ? null : list[at + 1];
};

describe('a page for shared caches', () => {
  it('has its caching headers and tags on 200 and 304', async () => {
    const page = shareable(await pageOf('private, no-cache'), ['voting', 'news'], PURGED, NOW);
    for (const name of ['full', 'notModified'] as const) {
      const list = page.headers[name];
      expect(headerOf(list, 'cache-control')).toBe('public, max-age=0, s-maxage=60, stale-while-revalidate=2');
      expect(headerOf(list, 'surrogate-key')).toBe('florka florka-voting florka-news');
      expect(headerOf(list, 'cache-tag')).toBe('florka,florka-voting,florka-news');
    }
    expect(page.readAt).toBe(NOW);
  });

  it('keeps its lifetime for browsers', async () => {
    const page = shareable(await pageOf('private, max-age=300'), [], MICRO_CACHED, NOW);
    expect(headerOf(page.headers.full, 'cache-control')).toBe(
      'public, max-age=300, s-maxage=1, stale-while-revalidate=1',
    );
  });

  it('expires at once when its data changed during the render', async () => {
    const page = shareable(await pageOf('private, no-cache'), [], OUTDATED, NOW);
    expect(headerOf(page.headers.full, 'cache-control')).toBe('public, max-age=0, s-maxage=1, must-revalidate');
  });

  it.each(['no-store', 'private, no-store', 'no-cache', 'private'])('stays unchanged with %s', async (cacheControl) => {
    const page = await pageOf(cacheControl);
    expect(shareable(page, ['voting'], PURGED, NOW)).toBe(page);
  });

  it('is marked as outdated when its data changed during the render, and is not cached by the site', async () => {
    const statuses: boolean[] = [];
    const cache = new PageCache({
      publish: (page, { current }) => {
        statuses.push(current);
        return page;
      },
    });
    await cache.fill('/', ['voting'], async () => {
      cache.drop('voting');
      return pageOf('private, no-cache');
    });
    expect([statuses, cache.peek('/')]).toEqual([[false], undefined]);
    await cache.fill('/', ['voting'], () => pageOf('private, no-cache'));
    expect(statuses).toEqual([false, true]);
  });
});

describe('the file of an image', () => {
  it('is cached for an hour, and for a year by a cache that is purged when it is removed [AMB-208]', () => {
    expect(imageCaching('abc', false)).toEqual({ 'cache-control': 'public, max-age=3600, immutable' });
    expect(imageCaching('abc', true)).toEqual({
      'cache-control': 'public, max-age=3600, s-maxage=31536000, immutable',
      'surrogate-key': 'florka florka-images florka-image-abc',
      'cache-tag': 'florka,florka-images,florka-image-abc',
    });
  });
});

describe('responses of the site:', async () => {
  const app = await startTestApp();
  const shared = 'public, max-age=0, s-maxage=1, stale-while-revalidate=1';

  it.each(['/', '/en', '/vote', '/next', '/news', '/forum', '/ledger', '/create', '/terms', '/account'])(
    '%s is the same for a member, who gets no cookie with it',
    async (target) => {
      const person = await app.member();
      const visitor = await app.http(target);
      const member = await app.http(target, { headers: { cookie: person.cookie } });
      expect(await member.text()).toBe(await visitor.text());
      for (const { headers } of [visitor, member]) {
        expect(headers.get('cache-control')).toBe(shared);
        expect(headers.getSetCookie()).toEqual([]);
        expect(headers.get('surrogate-key')).toMatch(/^florka( florka-[a-zA-Z]+)*$/);
      }
    },
  );

  it('a response that sets a cookie, or depends on one, is private', async () => {
    const headers = { 'sec-fetch-dest': 'document', referer: 'http://florka.test/vote' };
    const remembered = await app.http('/en/vote', { headers: headers });
    expect(remembered.headers.getSetCookie().join()).toContain(LANGUAGE_COOKIE);
    expect(remembered.headers.get('cache-control')).toBe('private, no-cache');
    expect(remembered.headers.get('surrogate-key')).toBeNull();
    const led = await app.http('/vote', {
      headers: { 'sec-fetch-dest': 'document', cookie: `${LANGUAGE_COOKIE}=en` },
      redirect: 'manual',
    });
    expect([led.status, led.headers.get('cache-control')]).toEqual([302, 'private, no-store']);
  });

  it.each([
    ['/search?q=luna', 'private, no-cache'],
    ['/admin', 'private, no-store'],
    ['/api/votes/mine', 'no-store'],
    ['/healthz', 'no-store'],
  ])('%s is not stored by shared caches', async (target, cacheControl) => {
    const { headers } = await app.http(target, { redirect: 'manual' });
    expect(headers.get('cache-control')).toBe(cacheControl);
    expect(headers.get('surrogate-key')).toBeNull();
  });
});

describe('the shared cache', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  const times = { delay: 5, apart: 10, again: 30, retry: [5, 10] };

  /** A cache that records the requested purges; `answers` has its next status codes, then 200. */
  async function startCache() {
    const purges: { method: string | undefined; tags: string; key: unknown }[] = [];
    const answers: number[] = [];
    let hold: Promise<void> | undefined;
    const server = createServer(async (req: IncomingMessage, res) => {
      await hold;
      const status = answers.shift() ?? 200;
      if (status === 200)
        purges.push({ method: req.method, tags: String(req.headers['surrogate-key']), key: req.headers['x-key'] });
      res.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    return {
      purges: purges,
      answers,
      wait: (until: Promise<void> | undefined) => {
        hold = until;
      },
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    };
  }

  function purgerOf(url: string) {
    const events = new Set<(domain: LiveDomain) => void>();
    const uncertainty = new Set<() => void>();
    const images = new Set<(name: string) => void>();
    const onTrustChange = vi.fn();
    const warn = vi.fn();
    const purger: Purger = startPurger({
      changes: {
        onEvent: (one) => events.add(one),
        onImageGone: (one) => images.add(one),
        onUncertainty: (one) => uncertainty.add(one),
      },
      purge: httpPurge({ urls: [url], method: 'PURGE' }),
      domains: publicDomains,
      warn,
      onTrustChange,
      times,
    });
    closers.push(() => purger.stop());
    return {
      purger,
      onTrustChange,
      warn,
      change: (domain: LiveDomain) => events.forEach((one) => void one(domain)),
      imageGone: (name: string) => images.forEach((one) => void one(name)),
      becomeUncertain: () => uncertainty.forEach((one) => void one()),
    };
  }

  it('is purged completely first, and trusted after that; each purge is repeated once', async () => {
    const cache = await startCache();
    const { purger } = purgerOf(cache.url);
    expect(purger.trusted).toBe(false);
    await expect.poll(() => cache.purges.map(({ tags }) => tags)).toEqual(['florka', 'florka']);
    expect(purger.trusted).toBe(true);
    expect(cache.purges[0]?.method).toBe('PURGE');
  });

  it('gets one repeated purge for a hundred concurrent changes, and none for changes that no page shows', async () => {
    const cache = await startCache();
    const { change } = purgerOf(cache.url);
    await expect.poll(() => cache.purges.length).toBe(2);
    cache.purges.length = 0;
    for (let n = 0; n < 100; n++) {
      change('voting');
      change('forum');
      change('presence');
      change('notifications');
    }
    await expect.poll(() => cache.purges.length).toBe(2);
    expect(new Set(cache.purges.map(({ tags }) => tags))).toEqual(new Set(['florka-voting florka-forum']));
  });

  it('is purged of removed images, and of all images when there are very many', async () => {
    const cache = await startCache();
    const { change, imageGone } = purgerOf(cache.url);
    await expect.poll(() => cache.purges.length).toBe(2);
    cache.purges.length = 0;
    const name = (n: number) => n.toString(16).padStart(32, '0');
    imageGone(name(1));
    change('news');
    await expect.poll(() => cache.purges.length).toBe(2);
    expect(new Set(cache.purges.map(({ tags }) => tags))).toEqual(new Set([`florka-image-${name(1)} florka-news`]));
    cache.purges.length = 0;
    for (let n = 0; n < 1_000; n++) imageGone(name(n));
    change('news');
    await expect.poll(() => cache.purges.length).toBe(2);
    expect(new Set(cache.purges.map(({ tags }) => tags))).toEqual(new Set(['florka-news florka-images']));
  });

  it('gets failed purges again until they succeed, and is untrusted until then', async () => {
    const cache = await startCache();
    const { purger, change, onTrustChange, warn } = purgerOf(cache.url);
    await expect.poll(() => cache.purges.length).toBe(2);
    cache.purges.length = 0;
    cache.answers.push(503, 500, 404);
    change('news');
    // The second call is for the change to untrusted; a third may have followed already.
    await expect.poll(() => onTrustChange.mock.calls.length).toBeGreaterThanOrEqual(2);
    change('voting');
    await expect.poll(() => cache.purges.length, { timeout: 5_000 }).toBeGreaterThan(0);
    const tags = () => new Set(cache.purges.flatMap((one) => one.tags.split(' ')));
    await expect.poll(tags).toEqual(new Set(['florka-news', 'florka-voting']));
    await expect.poll(() => purger.trusted).toBe(true);
    expect([purger.failed, onTrustChange.mock.calls.length]).toEqual([3, 3]);
    // Logged once at the beginning and once at the end.
    expect(warn.mock.calls.length).toBe(2);
  });

  it('is purged of changes that occur during the previous purge', async () => {
    const cache = await startCache();
    const { change } = purgerOf(cache.url);
    await expect.poll(() => cache.purges.length).toBe(2);
    cache.purges.length = 0;
    let go = () => {};
    cache.wait(
      new Promise((resolve) => {
        go = resolve;
      }),
    );
    change('news');
    await new Promise((resolve) => setTimeout(resolve, 20));
    change('forum');
    cache.wait(undefined);
    go();
    await expect.poll(() => cache.purges.map(({ tags }) => tags).join(' ')).toContain('florka-forum');
  });

  it('is purged completely when changes may have been missed', async () => {
    const cache = await startCache();
    const { becomeUncertain } = purgerOf(cache.url);
    await expect.poll(() => cache.purges.length).toBe(2);
    cache.purges.length = 0;
    becomeUncertain();
    await expect.poll(() => cache.purges[0]?.tags).toBe('florka');
  });

  it('gets the configured method and header, and so do all other caches', async () => {
    const [one, other] = [await startCache(), await startCache()];
    const purge = openCachePurge({
      CACHE_PURGE_URL: `${one.url}, ${other.url}`,
      CACHE_PURGE_METHOD: 'POST',
      CACHE_PURGE_HEADER: 'X-Key: of the drill',
    });
    await purge?.purge(['a', 'b']);
    const received = { method: 'POST', tags: 'a b', key: 'of the drill' };
    expect([one.purges, other.purges]).toEqual([[received], [received]]);
    expect(purge?.target).not.toContain('drill');
    other.answers.push(403);
    await expect(purge?.purge(['a'])).rejects.toThrow('403');
  });
});

import { createHash } from 'node:crypto';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { markStale } from '#contract/stale-copy.ts';
import { finishPage, type Page, PageCache } from './page-cache.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => vi.useRealTimers());

const pageOf = (text: string, status = 200): Promise<Page> =>
  finishPage(new Response(text, { status }), false, 'private, no-cache');
const copyOf = (page: Page, at: number): Promise<Page> =>
  finishPage(new Response(`copy of ${page.body.identity}`), false, 'no-store', { staleAt: at });
const away = () => pageOf('away', 503);
const never = () => new Promise<Page>(() => {});
const bodyOf = (page: Page) => page.body.identity.toString();

describe('a change during a render', () => {
  it('of data that the page shows prevents storing it and sharing it with later callers', async () => {
    for (const change of [(cache: PageCache) => cache.drop('voting'), (cache: PageCache) => cache.clear()]) {
      const cache = new PageCache();
      const finish = Promise.withResolvers<Page>();
      const outdated = cache.fill('/', ['projects', 'voting'], () => finish.promise);
      change(cache);
      expect(bodyOf(await cache.fill('/', ['projects', 'voting'], () => pageOf('current')))).toBe('current');
      finish.resolve(await pageOf('outdated'));
      await outdated;
      expect(cache.peek('/')?.body.identity.toString()).toBe('current');
    }
  });

  it('of other data does not prevent storing and sharing it', async () => {
    const cache = new PageCache();
    const finish = Promise.withResolvers<Page>();
    const first = cache.fill('/', ['projects', 'voting'], () => finish.promise);
    cache.drop('presence');
    const second = cache.fill('/', ['projects', 'voting'], () => pageOf('again'));
    finish.resolve(await pageOf('page'));
    expect([bodyOf(await first), bodyOf(await second)]).toEqual(['page', 'page']);
    expect(cache.peek('/')?.body.identity.toString()).toBe('page');
  });
});

describe('a page that cannot be rendered', () => {
  const ask = (cache: PageCache, render: () => Promise<Page>) => cache.fillOrCopy('/', ['projects'], render, copyOf);

  it.each<[string, () => Promise<Page>]>([
    ['answers 503', away],
    ['times out', never],
  ])('because its render %s, is replaced by the last good copy, also after a change', async (_why, render) => {
    const cache = new PageCache({ timeoutMs: 20 });
    await ask(cache, () => pageOf('first'));
    await ask(cache, () => pageOf('second'));
    cache.drop('projects');
    vi.setSystemTime(NOW + 90_000);
    const copy = await ask(cache, render);
    expect([bodyOf(copy), copy.staleAt]).toEqual(['copy of second', NOW]);
    const list = copy.headers.full;
    expect(list[list.indexOf('cache-control') + 1]).toBe('no-store');
    expect(list[list.indexOf('warning') + 1]).toBe('110 - "Response is Stale"');
    // A copy is never served as a current page.
    expect(cache.peek('/')).toBeUndefined();
  });

  it('has no copy more than ten minutes after its data were read, nor before its first successful render', async () => {
    const cache = new PageCache({ timeoutMs: 20 });
    expect((await ask(cache, away)).status).toBe(503);
    await ask(cache, () => pageOf('first'));
    cache.clear();
    vi.setSystemTime(NOW + 600_000);
    expect(bodyOf(await ask(cache, away))).toBe('copy of first');
    vi.setSystemTime(NOW + 600_001);
    expect((await ask(cache, away)).status).toBe(503);
  });

  it('because of an internal error reports the error, with or without a copy', async () => {
    const cache = new PageCache();
    const broken = () => Promise.reject(new Error('why'));
    await expect(ask(cache, broken)).rejects.toThrow('why');
    await ask(cache, () => pageOf('first'));
    await expect(ask(cache, broken)).rejects.toThrow('why');
    expect((await ask(cache, () => pageOf('crash', 500))).status).toBe(500);
  });

  it('is current again with the first successful render, however many copies were sent', async () => {
    const cache = new PageCache({ timeoutMs: 20 });
    await ask(cache, () => pageOf('first'));
    cache.clear();
    for (let n = 0; n < 5; n++) expect(bodyOf(await ask(cache, away))).toBe('copy of first');
    await expect.poll(async () => bodyOf(await ask(cache, () => pageOf('second'))), { timeout: 30_000 }).toBe('second');
    expect(bodyOf(cache.peek('/') as Page)).toBe('second');
  });

  it('has a limited number of copies', async () => {
    const cache = new PageCache({ maxEntries: 2, timeoutMs: 20 });
    for (const key of ['/a', '/b', '/c']) await cache.fillOrCopy(key, [], () => pageOf(key), copyOf);
    cache.clear();
    expect((await cache.fillOrCopy('/a', [], away, copyOf)).status).toBe(503);
    expect(bodyOf(await cache.fillOrCopy('/c', [], away, copyOf))).toBe('copy of /c');
  });
});

describe('stored pages', () => {
  const filled = async (cache: PageCache, ...keys: string[]) => {
    for (const key of keys) {
      vi.setSystemTime(Date.now() + 1_000);
      await cache.fillOrCopy(key, [], () => pageOf(key.repeat(50)), copyOf);
    }
    return (...asked: string[]) => asked.map((key) => cache.peek(key) !== undefined);
  };

  it('take no more than the maximum of bytes; the oldest are dropped first', async () => {
    const has = await filled(new PageCache({ maxBytes: 350 }), '/a', '/b', '/c', '/a', '/d');
    expect(has('/a', '/b', '/c', '/d')).toEqual([true, false, true, true]);
  });

  it('include the newest even if it alone takes more', async () => {
    const has = await filled(new PageCache({ maxBytes: 50 }), '/a', '/b');
    expect(has('/a', '/b')).toEqual([false, true]);
  });

  it('are removed from memory after their lifetime', async () => {
    const cache = new PageCache({ ttlMs: 5_000 });
    await filled(cache, '/a', '/b');
    vi.setSystemTime(Date.now() + 3_500);
    await filled(cache, '/c');
    expect(cache.size).toBe(2);
  });
});

describe('the marking of a stale copy', () => {
  it('is on the document, its notice and its content, and nowhere else', () => {
    const html =
      '<!DOCTYPE html><html lang="es"><time class="x">–</time><p><time data-stale-time="">–</time></p>' +
      '<fieldset class="other"></fieldset><fieldset data-content="" class="contents"></fieldset></html>';
    expect(markStale(html, NOW)).toBe(
      '<!DOCTYPE html><html data-stale="2026-03-10T12:00:00.000Z" lang="es"><time class="x">–</time>' +
        '<p><time data-stale-time="">12:00 UTC</time></p><fieldset class="other"></fieldset>' +
        '<fieldset disabled="" data-content="" class="contents"></fieldset></html>',
    );
  });
});

describe('the encodings of a document', () => {
  it('are created on first use, once for concurrent callers, with the same content', async () => {
    const { body } = await pageOf('words '.repeat(500));
    expect([body.peek('identity')?.length, body.peek('br'), body.peek('gzip')]).toEqual([3_000, null, null]);
    const [first, second] = await Promise.all([body.as('br'), body.as('br')]);
    expect(first).toBe(second);
    expect(body.peek('br')).toBe(first);
    expect(body.peek('gzip')).toBeNull();
    expect(zlib.brotliDecompressSync(first).equals(body.identity)).toBe(true);
    expect(zlib.gunzipSync(await body.as('gzip')).equals(body.identity)).toBe(true);
    expect((await body.as('identity')).toString()).toBe('words '.repeat(500));
  });
});

describe('the content security policy of a document', () => {
  const sha = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
  const policyOf = async (html: string, about: Parameters<typeof finishPage>[3] = { nonce: 'n0nce' }) => {
    const page = await finishPage(
      new Response(html, { headers: { 'content-type': 'text/html' } }),
      false,
      'no-store',
      about,
    );
    const list = page.headers.full;
    return { page, policy: list[list.indexOf('content-security-policy') + 1] ?? '' };
  };
  const OURS = '<script nonce="n0nce">ours()</script><script nonce="n0nce" type="module" async="">alsoOurs()</script>';

  it.each<[string, string, string]>([
    ['a foreign script', '<script>theirs()</script>', 'theirs()'],
    ['a guessed nonce', '<script nonce="other">theirs()</script>', 'theirs()'],
    ['an empty nonce', '<script nonce="">theirs()</script>', 'theirs()'],
    ['the nonce as another attribute', '<script data-nonce="n0nce">theirs()</script>', 'theirs()'],
    ['the nonce behind the tag', '<script>theirs()//nonce="n0nce"</script>', 'theirs()//nonce="n0nce"'],
    ['a tag in capitals', '<SCRIPT>theirs()</SCRIPT>', 'theirs()'],
    ['an unclosed script that includes ours', '<script>theirs()//', 'theirs()//'],
  ])('allows our scripts and not %s', async (_what, planted, code) => {
    const { policy, page } = await policyOf(`<html><body>${planted}${OURS}</body></html>`);
    expect(policy).toContain(`script-src 'self' ${sha('ours()')} ${sha('alsoOurs()')};`);
    expect(policy).not.toContain(sha(code));
    expect(bodyOf(page)).not.toContain(' nonce="n0nce"');
  });

  it('allows images from ASSETS_URL and over https', async () => {
    const policy = async (assets?: string) => (await policyOf(OURS, { nonce: 'n0nce', origins: { assets } })).policy;
    expect(await policy()).toContain("img-src 'self' data: https:;");
    expect(await policy('http://127.0.0.1:6081')).toContain("img-src 'self' data: https: http://127.0.0.1:6081;");
    expect((await policy('http://127.0.0.1:6081')).match(/6081/g)).toHaveLength(1);
  });

  it('lets large uploads go to the bucket, and nothing else', async () => {
    const { policy } = await policyOf(OURS, { nonce: 'n0nce', origins: { bucket: 'https://b.s3.example' } });
    expect(policy).toContain("connect-src 'self' https://b.s3.example;");
    expect(policy.match(/b\.s3\.example/g)).toHaveLength(1);
  });

  it('allows no inline script without a nonce, as in feeds and API responses', async () => {
    expect((await policyOf(OURS, {})).policy).toContain("script-src 'self';");
  });

  it('is the same on a copy, which has no nonces', async () => {
    const { page, policy } = await policyOf(`<html><body><p>x</p>${OURS}<script>theirs()</script></body></html>`);
    const copy = await policyOf(markStale(bodyOf(page), NOW), { scripts: page.scripts, staleAt: NOW });
    expect(copy.policy).toBe(policy);
    expect(policy).toContain(sha('ours()'));
  });

  it('allows markup from text only through the one policy, and names the reporting endpoint', async () => {
    const { policy, page } = await policyOf(OURS);
    for (const rule of ["require-trusted-types-for 'script'", 'trusted-types default;', 'report-uri /csp-reports'])
      expect(policy).toContain(rule);
    expect(page.headers.full).toContain('csp="/csp-reports"');
  });
});

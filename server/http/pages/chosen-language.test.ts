import { beforeEach, describe, expect, it } from 'vitest';
import { LANGUAGE_COOKIE } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ publicUrl: 'https://florka.example' });
const ID = '0a0b0c0d-1111-4111-8111-aaaaaaaaaaaa';
/** A page load by a person, as browsers send it. */
const open = (path: string, headers: Record<string, string> = {}) =>
  app.http(path, {
    redirect: 'manual',
    headers: { accept: 'text/html,*/*', 'sec-fetch-dest': 'document', ...headers },
  });
const choice = (language: string) => ({ cookie: `a=b; ${LANGUAGE_COOKIE}=${language}; c=d` });
const where = async (path: string, headers: Record<string, string>) =>
  (await open(path, headers)).headers.get('location');

describe('a chosen language [APP-02] [AMB-209] [AMB-217]', () => {
  beforeEach(() => app.cache.clear());

  it.each([
    ['en', '/', '/en'],
    ['en', '/?tab=new', '/en?tab=new'],
    ['en', '/vote', '/en/vote'],
    ['en', '/token/luna/candidate', '/en/token/luna/candidate'],
    ['en', `/order/${ID}?x=1&y=%20`, `/en/order/${ID}?x=1&y=%20`],
    ['en', '/admin/votes?page=2', '/en/admin/votes?page=2'],
    ['en', '/no-such-page', '/en/no-such-page'],
    ['es', '/en', '/'],
    ['es', '/en?tab=new', '/?tab=new'],
    ['es', '/en/vote', '/vote'],
    ['es', '/en/admin-login', '/admin-login'],
  ])('%s redirects %s to %s, and nothing is rendered', async (language, path, there) => {
    const before = app.rendered.length;
    const answer = await open(path, choice(language));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, there]);
    expect(app.rendered.length).toBe(before);
  });

  it('redirects cached pages as well', async () => {
    expect((await open('/vote')).status).toBe(200);
    expect(await where('/vote', choice('en'))).toBe('/en/vote');
  });

  it('redirects with a response that is not cached', async () => {
    const answer = await open('/vote', choice('en'));
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('vary')).toBe('Cookie');
  });

  it('changes no page: one document, one ETag and one copy for everybody', async () => {
    const before = app.rendered.length;
    const plain = await open('/vote');
    const chosen = await open('/vote', choice('es'));
    const other = await open('/vote', { cookie: 'florka.session_token=x', 'accept-language': 'en-GB' });
    for (const answer of [chosen, other]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).toBe(plain.headers.get('etag'));
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    expect(app.cache.size).toBe(1);
    expect(app.rendered.slice(before)).toEqual(['/vote']);
  });

  it('is read from the prefixed cookie first', async () => {
    const both = (first: string, second: string) => ({
      cookie: `${LANGUAGE_COOKIE}=${second}; __Host-${LANGUAGE_COOKIE}=${first}`,
    });
    expect(await where('/vote', both('en', 'es'))).toBe('/en/vote');
    expect((await open('/vote', both('es', 'en'))).status).toBe(200);
  });

  it.each(['', 'fr', 'EN', 'es-ES', 'en"', '../en'])('that is invalid (%j) does not redirect', async (language) => {
    expect((await open('/vote', choice(language))).status).toBe(200);
    expect((await open('/en/vote', choice(language))).status).toBe(200);
  });

  it('is ignored for scripts, images, previews and programs', async () => {
    const others: Record<string, string>[] = [
      { 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-dest': 'iframe' },
      { accept: '*/*' },
    ];
    for (const headers of others) {
      const answer = await app.http('/vote', { redirect: 'manual', headers: { ...choice('en'), ...headers } });
      expect(answer.status, JSON.stringify(headers)).toBe(200);
    }
    for (const path of ['/healthz', '/favicon.svg', '/api/networks', '/sitemap.xml', '/vote.data'])
      expect((await open(path, choice('en'))).status, path).toBe(200);
  });

  it('never redirects to another site', async () => {
    for (const path of ['/en//evil.example', '/en/\\evil.example', '/en/\\/evil.example', '//evil.example']) {
      const there = new URL(
        (await where(path, choice(path.startsWith('/en') ? 'es' : 'en'))) ?? '/',
        'https://florka.example',
      );
      expect(there.origin, path).toBe('https://florka.example');
    }
  });

  it('redirects to the canonical path first', async () => {
    expect(await where('/Vote/', choice('en'))).toBe('/vote');
  });
});

describe('an unknown path that looks like a file', () => {
  it.each(['/foo.png', '/x/y.js', '/en/foo.png'])(
    '%s is rendered as a page for navigations only, and is a plain 404 otherwise',
    async (path) => {
      const before = app.rendered.length;
      const lost = await app.http(path, { headers: { accept: '*/*', 'sec-fetch-dest': 'image' } });
      const program = await app.http(path);
      for (const answer of [lost, program])
        expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
      expect(app.rendered.length).toBe(before);

      await open(path);
      expect(app.rendered.slice(before)).toEqual([path]);
    },
  );
});

describe('a link on a page of the site', () => {
  const from = (path: string, language = '') => ({
    referer: `https://florka.example${path}`,
    ...(language && choice(language)),
  });

  it('to the same page in the other language sets the choice, without scripts', async () => {
    const answer = await open('/en/vote', from('/vote', 'es'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(`^__Host-${LANGUAGE_COOKIE}=en; Path=/; Max-Age=31536000; SameSite=Lax; Secure$`),
    );
    const first = await open('/', from('/en'));
    expect([first.status, first.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('=es;')]);
    // Already chosen.
    expect((await open('/en/vote', from('/vote', 'en'))).headers.get('set-cookie')).toBeNull();
  });

  it('keeps its language', async () => {
    const answer = await open('/en/next', from('/en/vote', 'es'));
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
  });

  it('to another page in the other language is redirected back', async () => {
    expect(await where('/next', from('/en/vote', 'en'))).toBe('/en/next');
  });

  it('on another site does not set the choice', async () => {
    const headers = { ...choice('es'), referer: 'https://evil.example/vote' };
    expect(await where('/en/vote', headers)).toBe('/vote');
  });
});

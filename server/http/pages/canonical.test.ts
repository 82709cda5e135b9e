import { beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { canonicalPage } from './canonical.ts';

const app = await startTestApp({ trustProxy: 1 });
const ID = '0a0b0c0d-1111-4111-8111-aaaaaaaaaaaa';
const ask = (path: string, address = '198.51.100.1') => app.http(path, { headers: { 'x-forwarded-for': address } });

describe('the path of a page', () => {
  it.each([
    ['/', '/'],
    ['//', '/'],
    ['/EN/', '/en'],
    ['/vote/', '/vote'],
    ['/Vote//RACE/', '/vote/race'],
    ['/en/ticket/AAAAAAAA-0000-4000-8000-000000000000', '/en/ticket/aaaaaaaa-0000-4000-8000-000000000000'],
    ['//vote', '/vote'],
    ['/%76ote', '/vote'],
    ['/Vote', '/vote'],
    ['/en//Forum/', '/en/forum'],
    [`/news/${ID.toUpperCase()}`, `/news/${ID}`],
    ['/token/%73cript', '/token/script'],
    ['/token/LUNA/Candidate/', '/token/luna/candidate'],
    [`/order/${ID}/`, `/order/${ID}`],
    ['/Member/%41na/', '/member/Ana'],
    ['/en/member/%c3%91and%C3%BA%20x', '/en/member/%C3%91and%C3%BA%20x'],
  ])('of %s is %s', (spelling, path) => {
    expect(canonicalPage(spelling)).toEqual({ path, notFound: false });
    expect(canonicalPage(path)).toEqual({ path, notFound: false });
  });

  it('of a news item is the same for all invalid ids', () => {
    for (const path of ['/news/1', '/news/%00', '/News/unknown/'])
      expect(canonicalPage(path)).toEqual({ path: '/news/_', notFound: true });
  });

  it.each(['/token/%00', '/token/%', '/token/a%2fb', '/token/%3Cscript%3E/candidate', `/token/${'x'.repeat(161)}`])(
    '%s becomes that of an unknown token',
    (path) => expect(canonicalPage(path)).toEqual({ path: '/token/_', notFound: true }),
  );

  it.each(['/member/%00', '/member/%', `/member/${'x'.repeat(61)}`])('%s becomes that of an unknown member', (path) =>
    expect(canonicalPage(path)).toEqual({ path: '/member/_', notFound: true }),
  );

  it.each(['/%', '/unknown', '//evil.example', '/admin', '/token/a/b', '/vote/x', '/es/vote', '/index.html%00'])(
    '%s is unknown',
    (path) => expect(canonicalPage(path)).toBeNull(),
  );
});

describe('a non-canonical path of a page', () => {
  beforeEach(() => app.cache.clear());

  it.each([
    ['/token/%73cript', '/token/script'],
    ['/Vote/?x=1', '/vote?x=1'],
    ['//vote', '/vote'],
    ['/en//', '/en'],
    ['/token/LUNA/candidate', '/token/luna/candidate'],
    [`/news/${ID.toUpperCase()}`, `/news/${ID}`],
  ])('%s redirects to %s, and nothing is rendered', async (spelling, path) => {
    const before = app.rendered.length;
    const answer = await ask(spelling);
    expect([answer.status, answer.headers.get('location')]).toEqual([308, path]);
    expect(app.rendered.length).toBe(before);
  });

  it('of an unknown token is one cached page for all of them', async () => {
    const before = app.rendered.length;
    const render = app.page.render;
    app.page.render = async () => new Response('<p>no such token</p>', { status: 404 });
    for (const path of ['/token/%00', '/token/%3Cscript%3E', '/token/%', '/token/_/candidate', '/token/a%20b'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    app.page.render = render;
    expect(app.rendered.slice(before)).toEqual(['/token/_']);
  });

  it('is 404 for the data of a page', async () => {
    const before = app.rendered.length;
    for (const path of ['/Vote.data', '/%76ote.data', '/vote/.data', '//token/x.data'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    expect(app.rendered.length).toBe(before);
  });

  it('with unknown or redundant parameters is the same cached page', async () => {
    const before = app.rendered.length;
    for (const path of [
      '/?tab=zzz',
      '/?tab=all',
      '/?utm_source=a',
      '/',
      '/next?page=1',
      '/next?page=x',
      '/next?page=0002',
      '/next?page=2',
    ])
      await ask(path);
    expect(app.rendered.slice(before)).toEqual(['/', '/next', '/next?page=2']);
    // Far pages of a list are rendered, but not cached.
    const size = app.cache.size;
    for (let page = 101; page < 110; page++) await ask(`/next?page=${page}`);
    expect(app.cache.size).toBe(size);
  });
});

describe('a page number', () => {
  it.each([
    ['/forum?page=99', '/forum'],
    ['/en/news?page=2', '/en/news'],
    ['/ledger?page=x', '/ledger'],
    ['/?page=3&tab=new', '/?tab=new'],
    ['/forum?q=feria&page=4', '/forum?q=feria'],
    ['/moderation?page=', '/moderation'],
    ['/token/luna?page=2', '/token/luna'],
  ])('of a page without pagination: %s redirects to %s, and nothing is rendered', async (requested, path) => {
    const before = app.rendered.length;
    const answer = await ask(requested);
    expect([answer.status, answer.headers.get('location'), app.rendered.length]).toEqual([302, path, before]);
  });

  it.each(['/next?page=2', '/en/next?page=7', '/forum?pages=2'])('%s is not redirected', async (requested) => {
    expect((await ask(requested)).status).toBe(200);
  });
});

describe('cards', () => {
  it('of one token with 60 non-canonical paths are drawn once', async () => {
    const { id, token_slug: slug } = await app.candidate({ token_slug: 'script-coin' });
    const escaped = (n: number) =>
      [...String(slug)].map((sign, i) => (n & (1 << i) ? `%${sign.charCodeAt(0).toString(16)}` : sign)).join('');
    const spellings = [...Array.from({ length: 60 }, (_, n) => escaped(n + 1)), String(slug).toUpperCase(), id];
    for (const name of spellings) {
      const answer = await ask(`/og/es/token/${name}.png`);
      expect([answer.status, answer.headers.get('location')]).toEqual([308, `/og/es/token/${slug}.png`]);
    }
    expect(await app.sql(`select 1 from rate_limits where key like 'drawing:%'`)).toEqual([]);
    expect((await ask(`/og/es/token/${slug}.png`)).status).toBe(200);
    expect(await app.sql(`select hits from rate_limits where key like 'drawing:%.1'`)).toEqual([{ hits: 1 }]);
  });

  it('badges and metadata have one canonical path too', async () => {
    const { id, token_slug: slug } = await app.candidate();
    const paths = [
      [`/badge/${id}.svg`, `/badge/${slug}.svg`],
      [`/badge/en/${String(slug).toUpperCase()}.svg`, `/badge/en/${slug}.svg`],
      [`/token-metadata/${ID.toUpperCase()}.json`, `/token-metadata/${ID}.json`],
      [`/og/en/news/${ID.toUpperCase()}.png`, `/og/en/news/${ID}.png`],
    ];
    for (const [spelling = '', path] of paths) {
      const answer = await ask(spelling);
      expect([answer.status, answer.headers.get('location')]).toEqual([308, path]);
    }
  });

  it('are drawn up to a rate limit per client, and stored ones are still served', async () => {
    const address = '198.51.100.77';
    const [stored, other] = await Promise.all(
      ['card-1', 'card-2'].map(async (token_slug) => (await app.candidate({ token_slug }))['token_slug']),
    );
    expect((await ask(`/og/es/token/${stored}.png`, address)).status).toBe(200);
    await app.sql('update rate_limits set hits = $2 where key = $1', [
      `drawing:${address}`,
      LIMITS.drawingAddressMinute.hits,
    ]);
    const refused = await ask(`/og/es/token/${other}.png`, address);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 60]);
    expect((await ask(`/og/es/token/${stored}.png`, address)).status).toBe(200);
    expect((await ask(`/og/es/token/${other}.png`, '198.51.100.78')).status).toBe(200);
  }, 120_000);
});

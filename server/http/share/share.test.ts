import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#contract/site.ts';
import { tokenArt } from '#contract/token-art.ts';
import { createImageProcessor } from '#server/domains/media/image-processor.ts';
import { readListedSlugs } from '#server/domains/tokens/listed-slugs.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { SITE_LOOK } from '#tests/support/samples/site.ts';
import { ART, cut } from './card.ts';
import { createCardContents } from './card-contents.ts';
import { createShare } from './share.ts';
import { ShareUnavailable } from './shared-document.ts';
import { MAX_PAGES, writeSitemap } from './site-lists.ts';

const SITE = 'https://florka.test';
const CALLER = '203.0.113.1';
const app = await startTestApp({ publicUrl: SITE });
const get = (path: string, headers: Record<string, string> = {}) => app.http(path, { headers });

async function candidate(name: string, symbol: string, votes: number): Promise<{ id: string; slug: string }> {
  const slug = `${name.toLowerCase().replace(/[^a-z]+/g, '-')}-${votes}`;
  const [row] = await app.sql<{ id: string }>(
    `insert into voting_candidates (token_name, token_symbol, token_slug, total_votes) values ($1, $2, $3, $4) returning id`,
    [name, symbol, slug, votes],
  );
  return { id: row?.id ?? '', slug };
}
const first = await candidate('Luna Nueva', 'LUNA', 90);
const second = await candidate('Sol & Sombra', 'S&S', 40);

/** Cards of what this API answers, without stored ones. */
const shareOf = (over: Pick<Parameters<typeof createShare>[0], 'api' | 'now'>) =>
  createShare({
    publicUrl: SITE,
    readImage: async () => null,
    readMetadata: async () => null,
    readListedSlugs: async () => ({ tokens: [], news: [] }),
    cards: { read: async () => null, write: async () => {} },
    consumeDrawingLimit: async () => {},
    settings: app.services.settings,
    ...over,
  });

describe('cards', () => {
  it('are images of 1200 by 630 that other sites may embed, and are revalidated with 304', async () => {
    const answer = await get(`/og/es/token/${first.slug}.png`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([picture.width, picture.height]).toEqual([1200, 630]);
    const again = await get(`/og/es/token/${first.slug}.png`, { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('show the ticket of a vote and its state, and do not exist for unknown tickets', async () => {
    const voter = await app.member();
    const [kept] = await app.sql<{ id: string }>(
      `with v as (insert into votes (candidate_id, user_id, voted_on) values ($1, $2, '2026-03-01') returning id)
       insert into vote_tickets (vote_id, user_id, candidate_id, voted_on, number, rank, kept_at)
       select id, $2, $1, '2026-03-01', 41, 2, now() from v returning id`,
      [second.id, voter.id],
    );
    const id = kept?.id ?? '';
    const facts = createCardContents(
      async <T>(path: string) => (await app.as().race.ticket({ id: path.split('/').at(-1) ?? '' })) as T,
      (path) => path,
      () => SITE_LOOK,
    );
    const card = await facts.ticket(id, 'es');
    expect(card).toMatchObject({ title: 'Sol & Sombra', stub: { value: '41', name: 'voto n.º' }, id: second.id });
    expect(JSON.stringify(card)).not.toContain(voter.username);
    const bytes = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer()).toString('base64');
    expect(await bytes(`/og/es/ticket/${id}.png`)).not.toBe(await bytes(`/og/en/ticket/${id}.png`));
    await app.sql("update votes set state = 'void' where user_id = $1", [voter.id]);
    expect((await facts.ticket(id, 'en')).note).toMatch(/The vote is void/);
    expect((await get(`/og/es/ticket/${first.id}.png`)).status).toBe(404);
    await app.sql('delete from users where id = $1', [voter.id]);
  });

  it('differ by token and language, and do not exist for unknown records', async () => {
    const bytes = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer()).toString('base64');
    const all = await Promise.all(
      [
        `/og/es/token/${first.slug}.png`,
        `/og/en/token/${first.slug}.png`,
        `/og/es/token/${second.slug}.png`,
        '/og/es/site.png',
      ].map(bytes),
    );
    expect(new Set(all).size).toBe(4);
    for (const path of [
      '/og/es/token/nobody.png',
      '/og/es/token/%E0.png',
      '/og/es/site/x.png',
      '/og/es/news/1.png',
      '/og/fr/site.png',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('show the same coin as the screens', async () => {
    const { size } = ART;
    /** The part of the coin above its ribbon, whose letters are rendered differently. */
    const upper = { left: 0, top: 0, width: size, height: Math.round(size * 0.6) };
    const coinOf = (id: string) =>
      sharp(
        Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">${tokenArt(id, '').drawing}</svg>`),
      )
        .resize(size, size)
        .extract(upper);
    const onCard = async (slug: string) =>
      sharp(Buffer.from(await (await get(`/og/es/token/${slug}.png`)).arrayBuffer())).extract({
        ...upper,
        left: ART.left,
        top: ART.top,
      });
    const raw = (picture: Sharp) => picture.flatten({ background: '#171927' }).removeAlpha().raw().toBuffer();
    const apart = async (one: Sharp, other: Sharp) => {
      const [a, b] = [await raw(one), await raw(other)];
      expect(a.length).toBe(b.length);
      return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
    };
    const card = await onCard(first.slug);
    expect(await apart(card, coinOf(first.id))).toBeLessThan(12);
    expect(await apart(await onCard(second.slug), coinOf(second.id))).toBeLessThan(12);
    expect(await apart(await onCard(first.slug), coinOf('00000000-0000-4000-8000-00000000000b'))).toBeGreaterThan(20);
  });

  it('are drawn also after uploaded images were encoded by the same process', async () => {
    const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#c33' } })
      .png()
      .toBuffer();
    await createImageProcessor()({ bytes, declared: 'image/png' });
    const answer = await get('/og/en/site.png');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('omit characters without a glyph, and truncate at word boundaries', () => {
    expect(cut('🚀 Al   Луна é', 40)).toBe('Al Луна é');
    expect(cut('una frase muy bastante larga', 18)).toBe('una frase muy…');
  });

  it('are shared by all clients, and failures are not cached', async () => {
    let requests = 0;
    let broken = true;
    const share = shareOf({
      api: () => {
        requests++;
        return broken
          ? new Response('', { status: 500 })
          : Response.json({ id: first.id, title: 'Hola', content: 'Texto', publishedAt: null });
      },
    });
    const path = `/og/es/news/${first.id}.png`;
    await expect(share.find(path, CALLER)).rejects.toBeInstanceOf(ShareUnavailable);
    broken = false;
    const [one, two] = await Promise.all([share.find(path, CALLER), share.find(path, CALLER)]);
    expect(one && 'body' in one ? one.body.length : 0).toBeGreaterThan(5_000);
    expect([two, requests]).toEqual([one, 2]);
  });
});

it('a card of a news item exists within seconds of its publication, also after it was requested before', async () => {
  let [at, published] = [0, false];
  const share = shareOf({
    now: () => at,
    api: () =>
      published
        ? Response.json({ id: first.id, title: 'Hola', content: 'Texto', publishedAt: null })
        : new Response('', { status: 404 }),
  });
  const card = () => share.find(`/og/es/news/${first.id}.png`, CALLER);
  expect(await card()).toBeNull();
  published = true;
  at = 21_000;
  expect(await card()).toHaveProperty('body');
});

it('a card of a ticket shows within seconds that its vote does not count any more', async () => {
  let [at, state] = [0, 'counted'];
  const share = shareOf({
    now: () => at,
    api: () => {
      const { id } = first;
      const token = { candidateId: id, tokenName: 'Luna', tokenSymbol: 'LUNA', imageUrl: null, tokenSlug: null };
      return Response.json({
        id,
        ...token,
        day: '2026-03-01',
        number: 4,
        rank: 2,
        round: 1,
        keptAt: '',
        state,
        signed: true,
      });
    },
  });
  const card = async () => {
    const found = await share.find(`/og/es/ticket/${first.id}.png`, CALLER);
    if (!found || !('body' in found)) throw new Error('no card');
    return found;
  };
  const before = await card();
  expect(before.maxAge).toBeLessThanOrEqual(20);
  state = 'void';
  at = 21_000;
  expect((await card()).body.equals(before.body)).toBe(false);
});

describe('the content of cards', () => {
  const facts = createCardContents(
    async <T>(path: string) => (await (await app.http(`/api${path}`)).json()) as T,
    (path) => new URL(path, SITE).href,
    () => SITE_LOOK,
  );

  it('of a candidate: rank, votes, those of today, and the end of the round', async () => {
    const card = await facts.token(first.slug, 'es');
    expect(card).toMatchObject({
      stub: { value: '#1', name: 'de 2 candidatos' },
      figures: [
        { value: '90', name: 'votos' },
        { value: '+0', name: 'hoy' },
      ],
      curve: null,
      id: first.id,
    });
    const [round] = await app.sql('select 1 from voting_rounds where closed_at is null');
    if (round) expect(card.note).toMatch(/^La ronda cierra el .* UTC$/);
  });

  it('of a project: known figures only', async () => {
    await app.project({ token_name: 'Carpa', token_slug: 'carpa', status: 'approved', created_at: '2026-03-04' });
    expect(await facts.token('carpa', 'en')).toMatchObject({
      kicker: 'Project on Florka',
      stub: { value: '0%', name: 'progress' },
      figures: [],
      curve: null,
      note: 'On Florka since Mar 4, 2026',
    });
  });

  it('of the site: its name only once', () => {
    for (const language of ['es', 'en'] as const)
      expect(JSON.stringify(facts.site(language)).match(/Florka/g)).toEqual(['Florka']);
  });
});

describe('badges', () => {
  it('show the current rank and votes, with escaped text', async () => {
    const answer = await get(`/badge/${second.slug}.svg`);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    const svg = await answer.text();
    expect(svg).toContain('<title>Florka · $S&amp;S: #2 · 40 votos</title>');
    expect(svg).toContain(`<a href="${SITE}/token/${second.slug}" target="_top">`);
    expect(svg).not.toMatch(/<script|S&S/);
    expect((await get('/badge/nobody.svg')).status).toBe(404);
  });

  it('exist in English too', async () => {
    const svg = await (await get(`/badge/en/${first.slug}.svg`)).text();
    expect(svg).toContain('<title>Florka · $LUNA: #1 · 90 votes</title>');
    expect(svg).toContain(`<a href="${SITE}/en/token/${first.slug}" target="_top">`);
    expect((await get(`/badge/fr/${first.id}.svg`)).status).toBe(404);
  });
});

describe('for search engines', () => {
  it('the site map lists the pages that always exist, tokens and news in both languages', async () => {
    const xml = await (await get('/sitemap.xml')).text();
    for (const path of [
      '/',
      '/en',
      '/vote',
      '/tokens',
      '/en/vote/race',
      '/terms',
      '/en/privacy',
      `/token/${first.slug}`,
      `/en/token/${second.slug}`,
    ])
      expect(xml).toContain(`<loc>${new URL(path, SITE).href}</loc>`);
    expect(xml).toContain(`<xhtml:link rel="alternate" hreflang="en" href="${SITE}/en/vote"/>`);
    expect(xml).not.toContain('/account');
  });

  it('the site map has each public token and news item once, and at most 50,000 pages', async () => {
    // Without triggers: for thousands of rows they would compute resemblances and places one by one.
    await app.sql(`begin; set local session_replication_role = replica;
      insert into projects (token_name, token_symbol, token_slug, token_address, description, status, order_index, created_at)
       select 'Muchos ' || n, 'M' || n, 'muchos-' || n, 'address-muchos-' || n, 'Uno de muchos.',
         case when n % 3 = 0 then 'pending' else 'approved' end, 999, '2020-01-01'::timestamptz - n * interval '1 minute'
       from generate_series(1, 7650) n; commit`);
    const { tokens, news } = await readListedSlugs(app.services.db, MAX_PAGES);
    expect(tokens.filter((token) => token.startsWith('muchos-'))).toHaveLength(5_100);
    expect([tokens.includes('muchos-7649'), tokens.includes('muchos-7650')]).toEqual([true, false]);
    expect([tokens, news].map((all) => new Set(all).size === all.length)).toEqual([true, true]);
    const xml = writeSitemap({ tokens, news }, LANGUAGES, (path) => new URL(path, SITE).href);
    expect(xml.match(/<loc>[^<]*\/en\/token\/muchos-\d+<\/loc>/g)).toHaveLength(5_100);
    const full = writeSitemap(
      { tokens: Array.from({ length: 30_000 }, (_, n) => `t-${n}`), news: ['n-1'] },
      LANGUAGES,
      (path) => SITE + path,
    );
    expect(full.match(/<loc>/g)).toHaveLength(50_000);
    expect(full).toContain(`<loc>${SITE}/news/n-1</loc>`);
  });

  it('robots.txt links to it and excludes the back office', async () => {
    const text = await (await get('/robots.txt')).text();
    expect(text).toContain('Disallow: /admin');
    expect(text).toContain(`Sitemap: ${SITE}/sitemap.xml`);
  });
});

describe('security.txt', () => {
  const ask = (site: Pick<typeof app, 'http'>) => site.http('/.well-known/security.txt');
  it('does not exist without a mailbox', async () => {
    expect((await ask(app)).status).toBe(404);
  });
  it('contains the support mailbox, with an expiry in the future (RFC 9116)', async () => {
    const named = await startTestApp({ publicUrl: SITE, supportEmail: 'ayuda+web@florka.test' });
    const answer = await ask(named);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const lines = (await answer.text()).trim().split('\n');
    expect(lines).toEqual([
      'Contact: mailto:ayuda%2Bweb@florka.test',
      expect.stringMatching(/^Expires: 20\d\d-\d\d-\d\dT/),
      'Preferred-Languages: es, en',
      `Canonical: ${SITE}/.well-known/security.txt`,
    ]);
    const ends = Date.parse((lines[1] ?? '').slice('Expires: '.length));
    expect(ends).toBeGreaterThan(Date.now());
    expect(ends).toBeLessThan(Date.now() + 365 * 86_400_000);
  });
});

describe('the ranking for other sites', () => {
  it('is a page without scripts, in both languages, that any site may embed', async () => {
    const named = await candidate('Niebla & <b>x', 'NB', 120);
    const answer = await get('/embed/ranking');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('frame-ancestors');
    expect(policy).not.toContain('allow-scripts');
    expect(answer.headers.get('x-frame-options')).toBeNull();
    const page = await answer.text();
    expect(page).toContain('Niebla &amp; &lt;b&gt;x');
    expect(page).not.toContain('<b>x');
    expect(page).not.toContain('<script');
    expect(page.indexOf('Niebla')).toBeLessThan(page.indexOf('Luna Nueva'));
    expect(page).toContain(`href="${SITE}/token/${named.slug}/candidate"`);
    expect(page).toContain('120 votos');
    const english = await (await get('/embed/en/ranking')).text();
    expect(english).toContain('<html lang="en">');
    expect(english).toContain(`href="${SITE}/en/vote"`);
    const again = await get('/embed/ranking', { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  it('is described to oEmbed consumers, within their maximum size', async () => {
    const ask = async (query: Record<string, string>) => get(`/oembed?${new URLSearchParams(query)}`);
    for (const url of ['/vote', '/vote/', '/vote?sort=new&q=a#x', '/embed/ranking'].map((path) => SITE + path)) {
      const answer = await ask({ url, maxwidth: '300', maxheight: '9999' });
      expect(await answer.json()).toMatchObject({
        version: '1.0',
        type: 'rich',
        width: 300,
        height: 520,
        html: expect.stringContaining(`src="${SITE}/embed/ranking" width="300"`),
      });
    }
    for (const path of ['/en/vote', '/en/vote/?q=a'])
      expect(await (await ask({ url: SITE + path })).json()).toMatchObject({
        html: expect.stringContaining(`${SITE}/embed/en/ranking`),
      });
    for (const query of [
      {},
      { url: '/vote' },
      { url: 'https://elsewhere.test/vote' },
      { url: `https://elsewhere.test/?${SITE}/vote` },
      { url: `${SITE}/vote/other` },
    ])
      expect((await ask(query as Record<string, string>)).status).toBe(404);
    expect((await ask({ url: 'https://elsewhere.test/vote', format: 'xml' })).status).toBe(404);
    expect((await ask({ url: `${SITE}/vote`, format: 'xml' })).status).toBe(501);
  });
});

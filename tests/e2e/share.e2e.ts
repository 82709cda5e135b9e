import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, expectNotice, otherBrowser, rankingOf, ready, test, visit } from './support.ts';

const PAGES = ['/', '/vote', '/next', '/news', '/forum', '/create', '/publish'];
const english = (path: string) => (path === '/' ? '/en' : `/en${path}`);

test('every public page has a title, a description, a share card and a link to the other language, in each language [APP-02] [AMB-209]', async ({
  request,
  site,
}) => {
  const [candidate] = await rankingOf(request);
  const { items } = (await (await request.get('/api/news')).json()) as { items: { id: string; excerpt: string }[] };
  // Other scenarios publish news of a word at the same time.
  const news = items.find(({ excerpt }) => excerpt.length > 20);
  const paths = [...PAGES, `/token/${candidate?.tokenSlug}`, `/news/${news?.id}`];
  const titles = new Set<string>();
  const cards = new Set<string>();
  for (const path of paths)
    for (const [language, here, locale] of [
      ['es', path, 'es_ES'],
      ['en', english(path), 'en_US'],
    ] as const) {
      const html = await (await request.get(here)).text();
      const one = (pattern: RegExp) => {
        const found = [...html.matchAll(pattern)].map((match) => match[1] ?? '');
        expect([here, pattern.source, found.length]).toEqual([here, pattern.source, 1]);
        return found[0] ?? '';
      };
      expect(one(/<html lang="(\w+)"/g)).toBe(language);
      const title = one(/<title>([^<]+)<\/title>/g);
      titles.add(`${language} ${title}`);
      expect(one(/<meta name="description" content="([^"]+)"/g).length).toBeGreaterThan(20);
      expect(one(/<link rel="canonical" href="([^"]+)"/g)).toBe(site.url + here);
      for (const [twin, address] of [
        ['es', path],
        ['en', english(path)],
        ['x-default', path],
      ])
        expect(html).toContain(`<link rel="alternate" hrefLang="${twin}" href="${site.url}${address}"/>`);
      expect(one(/property="og:title" content="([^"]+)"/g)).toBe(title);
      expect(one(/property="og:locale" content="([^"]+)"/g)).toBe(locale);
      expect(one(/name="twitter:card" content="([^"]+)"/g)).toBe('summary_large_image');
      const card = one(/property="og:image" content="([^"]+)"/g);
      expect(card).toContain(`${site.url}/og/${language}/`);
      cards.add(card);
      // The header's link to the same page in the other language.
      const other = language === 'es' ? english(path) : path;
      expect(html.includes(`href="${other}"`), `${here} leads to ${other}`).toBe(true);
      for (const [, json] of html.matchAll(/<script type="application\/ld\+json">([^<]+)</g))
        expect(JSON.parse(json ?? '')).toHaveProperty('@type');
    }
  expect(titles.size).toBe(2 * paths.length);
  for (const card of cards) {
    const picture = await request.get(card);
    expect([card, picture.status(), picture.headers()['content-type']]).toEqual([card, 200, 'image/png']);
  }
});

test('personal and missing pages are not indexed by search engines', async ({ request }) => {
  for (const path of ['/auth', '/saved', '/account', '/token/nobody', '/admin-login'])
    expect([path, /<meta name="robots" content="noindex/.test(await (await request.get(path)).text())]).toEqual([
      path,
      true,
    ]);
});

test('a token page offers its badge with the code for other sites', async ({ page, request, context, site }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [candidate] = await rankingOf(request);
  const slug = candidate?.tokenSlug;
  await visit(page, `/en/token/${slug}`);
  const part = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Badge for your site' }) });
  const picture = part.getByRole('img');
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await part.getByRole('button', { name: 'Copy HTML' }).click();
  await expectNotice(page, 'Code copied');
  const code = await page.evaluate(() => navigator.clipboard.readText());
  // On another site, which has no content security policy of ours: the image is shown, and links back.
  const elsewhere = await context.newPage();
  await elsewhere.setContent(code);
  const there = await elsewhere.evaluate(() => [
    document.querySelector('a')?.href,
    document.querySelector('a > img')?.getAttribute('src'),
  ]);
  await elsewhere.close();
  expect(there).toEqual([`${site.url}/en/token/${slug}`, `${site.url}/badge/en/${slug}.svg`]);
  const badge = await request.get(there[1] ?? '');
  expect(await badge.text()).toContain(`<title>Florka · $${candidate?.tokenSymbol}: #1 ·`);
  expect(badge.headers()['cross-origin-resource-policy']).toBe('cross-origin');
});

/** A page of another site, that shows these addresses in frames. */
async function otherSite(addresses: readonly string[]): Promise<{ url: string; close: () => void }> {
  const frames = addresses.map(
    (address, i) => `<iframe name="f${i}" src="${address}" width="420" height="520"></iframe>`,
  );
  const server = http.createServer((_, res) =>
    res
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Elsewhere</title>${frames.join('')}`),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}

test('another site can show the ranking in a frame, and no other page', async ({ browser, request, site }) => {
  const [candidate] = await rankingOf(request);
  const refused = [
    '/',
    '/en',
    '/vote',
    `/token/${candidate?.tokenSlug}`,
    '/forum',
    '/auth',
    '/account',
    '/create',
    '/search?q=luna',
    '/nowhere',
    '/embed/nowhere',
    '/admin',
    '/admin-login',
    '/api/candidates',
  ];
  const elsewhere = await otherSite(['/embed/ranking', '/embed/en/ranking', ...refused].map((path) => site.url + path));
  // Refused frames are errors in the console, so the page fixture is not used.
  const context = await otherBrowser(browser);
  try {
    const page = await context.newPage();
    await page.goto(elsewhere.url);
    for (const [name, heading, link] of [
      ['f0', /^Clasificación/, 'Votar en Florka'],
      ['f1', /^Ranking/, 'Vote on Florka'],
    ] as const) {
      const frame = page.frameLocator(`iframe[name=${name}]`);
      await expect(frame.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(frame.getByRole('listitem').first()).toContainText(candidate?.tokenName ?? '');
      const opened = context.waitForEvent('page');
      await frame.getByRole('link', { name: link }).click();
      const tab = await opened;
      await expect(tab).toHaveURL(site.url + (name === 'f0' ? '/vote' : '/en/vote'));
      // The tab is a page like every other: its scripts run.
      await ready(tab);
      await tab.close();
    }
    for (const [i, path] of refused.entries()) {
      // The browser's own page, instead of ours.
      await expect.poll(() => page.frame(`f${i + 2}`)?.url(), { message: path }).toBe('chrome-error://chromewebdata/');
    }
  } finally {
    elsewhere.close();
    await context.close();
  }
});

import type { Page } from '@playwright/test';
import { expect, listening, otherBrowser, rankingOf, test, visit } from './support.ts';

const PHONE = { width: 360, height: 740 };

/** The scripts that a page requests from now on: name, and bytes as compressed. */
function scriptsOf(page: Page): {
  requested: string[];
  all: () => Promise<(readonly [name: string, bytes: number])[]>;
} {
  const requested: string[] = [];
  const scripts: Promise<readonly [string, number]>[] = [];
  page.on('request', (request) => {
    if (request.resourceType() !== 'script') return;
    const name = new URL(request.url()).pathname.replace('/assets/', '');
    requested.push(name);
    const size = async () => {
      const response = await request.response();
      return Number(response?.headers()['content-length'] ?? (await response?.body())?.length);
    };
    // One that is still loading when the scenario ends.
    scripts.push(
      size().then(
        (bytes) => [name, bytes] as const,
        () => [name, 0] as const,
      ),
    );
  });
  return { requested, all: () => Promise.all(scripts) };
}

/** Kilobytes of 1,000 bytes. */
const LIMITS = { home: 111, vote: 123, token: 127, forum: 126, create: 134 };

for (const [name, max] of Object.entries(LIMITS))
  test(`a first visit of ${name} loads at most ${max} KB of compressed scripts`, async ({ page }) => {
    await page.setViewportSize(PHONE);
    const [first] = await rankingOf(page.request);
    const address = { home: '/', token: `/token/${first?.tokenSlug}` }[name] ?? `/${name}`;
    const scripts = scriptsOf(page);
    await visit(page, address);
    // What a page loads on hydration is requested by now; the rest waits for four seconds, or for the reader.
    await listening(page);
    const sizes = await scripts.all();
    expect(sizes.length).toBeGreaterThan(4);
    const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
    expect(bytes, JSON.stringify(sizes)).toBeGreaterThan(60_000);
    expect(bytes, JSON.stringify(sizes)).toBeLessThanOrEqual(max * 1_000);
  });

test('the code of a section far below is loaded on demand, and a click before that takes effect', async ({
  page,
  browser,
  member,
}) => {
  const [, token] = await rankingOf(page.request);
  const writer = await otherBrowser(browser);
  await member(writer);
  const call = async (procedure: string, json: object) => {
    const response = await writer.request.post(`/rpc/${procedure}`, { data: { json } });
    expect(response.ok(), await response.text()).toBe(true);
    return ((await response.json()) as { json: { id: string } }).json;
  };
  const title = `Lejos ${Date.now().toString(36)}`;
  const post = await call('forum/create', {
    title,
    content: 'Muy abajo.',
    category: 'tokens',
    tags: [],
    images: [],
    about: { kind: 'candidate', id: token?.id },
  });
  await call('forum/comment', { postId: post.id, content: 'También yo.' });
  await writer.close();

  await page.setViewportSize(PHONE);
  const scripts = scriptsOf(page);
  let release = () => {};
  const wait = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/token-discussion-*.js', async (route) => {
    await wait;
    await route.continue();
  });
  const isRequested = () => scripts.requested.some((name) => name.startsWith('token-discussion'));
  await visit(page, `/token/${token?.tokenSlug}`);
  await listening(page);
  const note = page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  // Its text is there, its code is not.
  await expect(note).toContainText('Muy abajo.');
  expect(isRequested()).toBe(false);

  await note.getByRole('button', { name: 'Ver comentarios (1)' }).click();
  await expect.poll(isRequested).toBe(true);
  await expect(note.getByText('También yo.')).toBeHidden();
  release();
  await expect(note.getByText('También yo.')).toBeVisible();
});

for (const width of [PHONE.width, 1280])
  test(`the section of a token’s prices keeps its height while they load, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ ...PHONE, width });
    const [first] = await rankingOf(page.request);
    const hold = async (address: string) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const requested = page.waitForRequest(address);
      await page.route(address, async (route) => {
        await released;
        await route.continue();
      });
      return { requested, release };
    };
    const code = await hold('**/assets/token-details-*.js');
    const answer = await hold('**/rpc/market/prices*');
    await visit(page, `/token/${first?.tokenSlug}`);
    const prices = page.locator('section', { has: page.getByRole('heading', { name: 'Precio en el tiempo' }) });
    const height = async () => Math.round((await prices.boundingBox())?.height ?? 0);
    const inDocument = await height();
    expect(inDocument).toBeGreaterThan(300);

    await prices.scrollIntoViewIfNeeded();
    await code.requested;
    code.release();
    await answer.requested;
    expect(await height()).toBe(inDocument);
    answer.release();
    await expect(prices.getByRole('table')).toBeAttached();
    await expect(prices.getByText('Fuente: ')).toBeVisible();
    expect(await height()).toBe(inDocument);
  });

test('drawings in the document stay unchanged, and the code of drawings is loaded only after navigation', async ({
  page,
}) => {
  const scripts = scriptsOf(page);
  const isRequested = () => scripts.requested.some((name) => name.startsWith('Drawing'));
  const skyline = page.locator('svg.hero-scene');
  const answer = await page.request.get('/');
  const [, inDocument = ''] = /<svg class="hero-scene"[^>]*>(.*?)<\/svg>/s.exec(await answer.text()) ?? [];
  const paths = inDocument.split('<path').length - 1;
  expect(paths).toBeGreaterThan(100);
  await visit(page, '/');
  await listening(page);
  await expect(skyline.locator('path')).toHaveCount(paths);
  const shapes = await skyline.innerHTML();
  expect(isRequested()).toBe(false);

  const menu = page.getByRole('banner');
  await menu.getByRole('link', { name: 'Vote', exact: true }).click();
  await expect.poll(isRequested).toBe(true);
  await menu.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(skyline.locator('path')).toHaveCount(paths);
  expect(await skyline.innerHTML()).toBe(shapes);
});

test('over a slow connection fonts are loaded with the second page, and used from the next document on', async ({
  page,
}) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const speed = { offline: false, latency: 200, downloadThroughput: -1, uploadThroughput: -1 };
  await cdp.send('Network.emulateNetworkConditions', speed);
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font' || request.url().endsWith('.woff2'))
      fonts.push(new URL(request.url()).pathname);
  });
  const mark = () => page.evaluate(() => document.documentElement.dataset['fonts']);
  // Sent when the page is idle, before the fonts would be.
  const idle = page.waitForRequest('**/page-views*');
  await visit(page, '/');
  await listening(page);
  expect(await mark()).toBe('later');
  await idle;
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(fonts).toEqual([]);

  await page.getByRole('banner').getByRole('link', { name: 'Vote', exact: true }).click();
  await expect.poll(() => fonts.length).toBe(2);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('florka.fonts'))).toContain('.woff2');
  await page.reload();
  expect(await mark()).toBeUndefined();
});

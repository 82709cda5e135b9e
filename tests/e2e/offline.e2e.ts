import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { a11yViolations, expect, rankingOf, ready, rowOf, test, visit } from './support.ts';

test.use({ serviceWorkers: 'allow' });

/** A proxy in front of a server: it can be stopped, serve another release of the service worker, and lose files. */
async function proxyTo(target: string) {
  let release: [old: string, next: string] | undefined;
  let missing: RegExp | undefined;
  const server = http.createServer((req, res) => {
    if (missing?.test(req.url ?? '')) return void res.writeHead(404).end();
    const headers = {
      ...req.headers,
      ...(req.headers.origin ? { origin: target } : {}),
      // Uncompressed, because the proxy changes the response.
      ...(req.url === '/sw.js' ? { 'accept-encoding': 'identity' } : {}),
    };
    const ask = http.request(target + req.url, { method: req.method, headers }, (answer) => {
      if (req.url !== '/sw.js' || !release) {
        res.writeHead(answer.statusCode ?? 500, answer.headers);
        return void answer.pipe(res);
      }
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const { 'content-length': _, ...headers } = answer.headers;
        const code = Buffer.concat(parts).toString('utf8');
        res.writeHead(answer.statusCode ?? 500, headers);
        res.end(release ? code.replaceAll(...release) : code);
      });
    });
    ask.on('error', () => res.destroy());
    req.pipe(ask);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    /** From now on the service worker is of another release. */
    release(old: string, next: string) {
      release = [old, next];
    },
    /** From now on these files are missing, until all are restored. */
    lose(files: RegExp | undefined) {
      missing = files;
    },
    async takeAway() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
    bringBack: () => new Promise<void>((done) => server.listen(port, '127.0.0.1', done)),
  };
}

const NOTICE = 'Sin conexión con nuestros datos: ves los datos de las';

test('without a connection visited pages are shown as stale copies, other pages say so, and nothing personal is cached', async ({
  page,
  pageErrors,
  site,
}) => {
  pageErrors.expectStatus(503);
  pageErrors.expectLoss('net::ERR_');
  pageErrors.expectLoss('Failed to fetch');
  const proxy = await proxyTo(site.url);
  const keys = () =>
    page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('florka-pages-'));
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname + new URL(url).search);
    });
  await visit(page, `${proxy.url}/`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // Opened inside the app, without a document of its own.
  await page.getByRole('banner').getByRole('link', { name: 'Vote', exact: true }).click();
  await expect.poll(async () => (await keys()).sort()).toEqual(['/', '/vote']);
  for (const path of ['/account', '/auth', '/saved', '/create', '/forum?q=luna', '/en/terms'])
    await visit(page, proxy.url + path);
  await expect.poll(async () => (await keys()).sort()).toEqual(['/', '/en/terms', '/vote']);
  const [candidate] = await rankingOf(page.request);

  await proxy.takeAway();
  await page.goto(`${proxy.url}/vote`);
  await ready(page);
  const notice = page.locator('#stale-notice');
  await expect(notice).toContainText(NOTICE);
  await expect(notice.locator('time')).toHaveText(/^\d\d:\d\d$/);
  await expect(page.getByText('En vivo', { exact: true })).toHaveCount(0);
  for (const button of await page.getByRole('main').getByRole('button').all()) await expect(button).toBeDisabled();
  await expect(rowOf(page, candidate?.tokenName ?? '')).toBeVisible();

  // A page that was not seen, and a personal one.
  for (const path of ['/news', '/account']) {
    await page.goto(proxy.url + path);
    await expect(page.getByRole('heading', { name: 'Sin conexión', level: 1 })).toBeVisible();
    await expect(page.getByRole('link', { name: /Votaciones/ })).toHaveAttribute('href', '/vote');
  }
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await a11yViolations(page)).toEqual([]);
  }
  await page.goto(`${proxy.url}/en/vote`);
  await expect(page.getByRole('heading', { name: 'No connection', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: /Terms of use/ }).click();
  await expect(page.getByText('We can’t reach our data')).toBeVisible();

  await page.goto(`${proxy.url}/vote`);
  await ready(page);
  await proxy.bringBack();
  await expect(notice).toBeHidden({ timeout: 60_000 });
  await expect(page.locator('html')).toHaveAttribute('data-live', 'on');
  await page.close();
  await proxy.takeAway();
});

test('a link clicked after the connection was lost leads to the site’s offline page', async ({
  page,
  pageErrors,
  site,
}) => {
  pageErrors.expectStatus(503);
  pageErrors.expectLoss('net::ERR_');
  pageErrors.expectLoss('Failed to fetch');
  const proxy = await proxyTo(site.url);
  await visit(page, `${proxy.url}/`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect(page.locator('html')).toHaveAttribute('data-live', 'on');
  await proxy.takeAway();
  await expect(page.locator('html')).toHaveAttribute('data-live', 'off');
  await page.getByRole('banner').getByRole('link', { name: 'Forum', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Sin conexión', level: 1 })).toBeVisible();
  await proxy.bringBack();
  await page.getByRole('link', { name: 'Reintentar' }).click();
  await expect(page.getByRole('heading', { name: 'Foro de la Comunidad' })).toBeVisible();
  await page.close();
  await proxy.takeAway();
});

test('a new release replaces the old one, and nothing of the old one stays in the cache', async ({ page, site }) => {
  const proxy = await proxyTo(site.url);
  const releases = () =>
    page.evaluate(async () => [
      ...new Set((await caches.keys()).flatMap((name) => /^florka-\w+-(\w+)$/.exec(name)?.[1] ?? [])),
    ]);
  await visit(page, `${proxy.url}/`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect.poll(releases).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
  const script = await page.request.get(`${proxy.url}/sw.js`);
  expect(script.headers()['cache-control']).toBe('no-cache');
  expect(script.headers()['content-security-policy']).toContain("default-src 'none'");
  const [old = ''] = await releases();
  proxy.release(old, 'next');
  await visit(page, `${proxy.url}/vote`);
  // The new worker removes what the old one kept; what it keeps itself comes with the next page.
  await expect.poll(releases, { timeout: 30_000 }).not.toContain(old);
  await visit(page, `${proxy.url}/vote`);
  await expect.poll(releases, { timeout: 30_000 }).toEqual(['next']);
  await page.close();
  await proxy.takeAway();
});

/** The documents that a page loads from now on; the first one calls `onFirst`, which can end the lack of files as a new release does. */
function documentsOf(page: Page, onFirst: () => void = () => {}): string[] {
  const loads: string[] = [];
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) return;
    if (loads.push(request.url()) === 1) onFirst();
  });
  return loads;
}

test('a page of a replaced release reloads itself when one of its scripts is missing, and keeps the input', async ({
  page,
  context,
  member,
  site,
  pageErrors,
}) => {
  pageErrors.expectStatus(404);
  pageErrors.expectLoss('Failed to fetch');
  await member(context);
  const proxy = await proxyTo(site.url);
  await visit(page, `${proxy.url}/forum`);
  await page.getByLabel('Título').fill('Escrito antes');
  const loads = documentsOf(page, () => proxy.lose(undefined));
  proxy.lose(/\/assets\/(manifest|PostExtras)-/);
  await page.getByRole('button', { name: /Categoría/ }).click();
  await expect.poll(() => loads.length, { timeout: 20_000 }).toBe(1);
  await ready(page);
  await expect(page.getByLabel('Título')).toHaveValue('Escrito antes');
  await page.getByRole('button', { name: /Categoría/ }).click();
  await expect(page.getByLabel('Categoría', { exact: true })).toBeVisible();
  expect(loads).toHaveLength(1);
  await page.close();
  await proxy.takeAway();
});

test('a page of a replaced release shows a notice if a reload did not help or would lose input', async ({
  page,
  site,
  pageErrors,
}) => {
  pageErrors.expectStatus(404);
  pageErrors.expectLoss('Failed to fetch');
  const proxy = await proxyTo(site.url);
  const search = page.getByRole('button', { name: 'Buscar', exact: true });
  const notice = page.getByRole('status').filter({ hasText: 'Esta página es de una versión anterior de Florka' });
  await visit(page, `${proxy.url}/auth`);
  await page.getByLabel('Correo electrónico').fill('quien@florka.test');
  const loads = documentsOf(page);
  proxy.lose(/\/assets\/(manifest|SearchPalette)-/);
  await search.click();
  await expect(notice).toContainText('al recargar se pierde', { timeout: 20_000 });
  await expect(page.getByLabel('Correo electrónico')).toHaveValue('quien@florka.test');
  expect(await a11yViolations(page)).toEqual([]);
  expect(loads).toEqual([]);

  // Without unsent input it reloads itself, and only once: the response is still the old document.
  await page.getByLabel('Correo electrónico').fill('');
  await notice.getByRole('button', { name: 'Recargar' }).click();
  await expect.poll(() => loads.length).toBe(1);
  await ready(page);
  await search.click();
  await expect.poll(() => loads.length, { timeout: 20_000 }).toBe(2);
  await ready(page);
  await search.click();
  await expect(notice).toContainText('Recargarla no ha bastado', { timeout: 20_000 });
  expect(loads).toHaveLength(2);
  await page.close();
  await proxy.takeAway();
});

test('a link to a page whose code a new release replaced works with one click', async ({ page, site, pageErrors }) => {
  pageErrors.expectStatus(404);
  for (const words of ['Failed to fetch', 'Error loading route module']) pageErrors.expectLoss(words);
  const proxy = await proxyTo(site.url);
  await visit(page, `${proxy.url}/vote`);
  // The router learns of the linked pages after it has started.
  const module = await page.waitForFunction(
    () =>
      (globalThis as unknown as { __reactRouterManifest: { routes: Record<string, { module: string } | undefined> } })
        .__reactRouterManifest.routes['es/news']?.module,
  );
  const name = /[^/]+\.js$/.exec((await module.jsonValue()) ?? '')?.[0];
  if (!name) throw new Error('no file of the page of news');
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().endsWith('/news')) proxy.lose(undefined);
  });
  proxy.lose(new RegExp(`/assets/(${name}|manifest-)`));
  await page.getByRole('banner').getByRole('link', { name: 'News' }).click();
  await expect(page).toHaveURL(/\/news$/);
  await ready(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.close();
  await proxy.takeAway();
});

import type { Page } from '@playwright/test';
import type pg from 'pg';
import { a11yViolations, expect, expectAfterRetries, test } from './support.ts';

const CORPUS = [
  '**Negrita** y *cursiva*, [un enlace](https://example.com/uno?a=1&b=2) y [**otro**](http://example.com/dos).',
  '[![Tráiler](https://video.invalid/still.jpg)](https://video.invalid/watch?v=1)',
  '[![Viejo](http://video.invalid/still.jpg)](https://video.invalid/watch?v=2)',
  '<img src=x onerror=alert(1)> <script>alert(2)</script> <a href="https://evil.invalid">x</a>',
  '[x](javascript:alert(3)) [x](data:text/html,<script>alert(4)</script>) [x]( https://evil.invalid)',
  '[x](https://evil.invalid/"onmouseover="alert(5)) [x](//evil.invalid) ![x](https://evil.invalid/x.png)',
  '**[[*[**'.repeat(400),
].join('\n\n');

let database: pg.Client;
const ids: Record<string, string> = {};

/** Inserts an item and sends its live event, as the back office does. */
async function publish(title: string, content: string, daysAhead: number, image: string | null = null) {
  const { rows } = await database.query<{ id: string }>(
    `insert into news (title, content, author_name, image_url, is_active, published_at)
     values ($1, $2, 'Inés de Prueba', $4, true, now() + $3 * interval '1 day') returning id`,
    [title, content, daysAhead, image],
  );
  ids[title] = rows[0]?.id ?? '';
}
const notify = () => database.query(`select pg_notify('live', '{"type":"domain.changed","domain":"news"}')`);

test.beforeAll(async ({ database: own }) => {
  database = own;
  await publish('Prueba: corpus', CORPUS, 2, 'https://pictures.invalid/lost.webp');
  await publish('Prueba: canción única', `Texto de la canción. ${'palabra '.repeat(90)}`, 1);
  for (let i = 0; i < 34; i++) await publish(`Prueba: relleno ${i}`, `Relleno del tablón número ${i}.`, -400 - i);
  await notify();
});
test.afterAll(async () => {
  await database.query("delete from news where author_name = 'Inés de Prueba'");
  await notify();
});

test.beforeEach(({ pageErrors }) => {
  pageErrors.expectStatus(404, 500, 503);
  // Images at addresses that lead nowhere.
  pageErrors.expectLoss('ERR_NAME_NOT_RESOLVED');
});

const ready = (page: Page) => page.locator('html[data-hydrated="yes"]').waitFor();
const reader = (page: Page) => page.getByRole('dialog').filter({ has: page.locator('h2, p') });

test('the wheel of the hero does not overlap the search of the news', async ({ page }) => {
  for (const width of [1000, 1280, 1440, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/news');
    const wheel = await page.locator('.hero [data-part=wheel]').boundingBox();
    const search = await page.getByRole('searchbox').boundingBox();
    if (!wheel || !search) throw new Error('the hero lacks a part');
    expect(wheel.x > search.x + search.width || wheel.y > search.y + search.height, `${width} px`).toBe(true);
  }
});

test('the board has the newest item large and the others in three columns [NEWS-01..02] [NEWS-08..14] [NEWS-18]', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/news');
  await expect(page.getByRole('heading', { level: 1, name: 'News' })).toBeVisible();
  await expect(page.getByPlaceholder('Buscar noticias...')).toBeVisible();
  const articles = page.getByRole('main').getByRole('article');
  await expect(articles).toHaveCount(31);
  await expect(articles.first()).toContainText('Destacada');
  await expect(articles.first()).toContainText('Prueba: corpus');
  await expect(page.getByText('Destacada', { exact: true })).toHaveCount(1);
  await expect(page.getByText('Noticia', { exact: true })).toHaveCount(30);

  const second = articles.nth(1);
  await expect(second).toContainText('Inés de Prueba');
  await expect(second.locator('time')).toHaveText(/^\d{1,2} [a-z]{3,4} \d{4}$/);
  const excerpt = (await second.locator('p').innerText()).trim();
  expect(excerpt.endsWith('…')).toBe(true);
  expect([...excerpt].length).toBeLessThanOrEqual(151);
  // Cut between words.
  expect([...excerpt].length).toBeGreaterThan(125);
  // The drawn image where there is none, and where it is broken.
  await expect(second.locator('svg').first()).toBeVisible();
  await expect(articles.first().locator('img')).toBeHidden();
  await expect(articles.first().locator('svg').first()).toBeVisible();

  // Its excerpt ends where the server cut it, between words, at every width.
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const hidden = await articles
      .first()
      .locator('p')
      .evaluate((text) => text.scrollHeight - text.clientHeight);
    expect(hidden, `${width} px`).toBeLessThanOrEqual(1);
  }

  const tops = await articles.evaluateAll((all) =>
    all.slice(1, 5).map((one) => Math.round(one.getBoundingClientRect().y)),
  );
  expect(new Set(tops.slice(0, 3)).size).toBe(1);
  expect(tops[3]).toBeGreaterThan(tops[0] ?? 0);

  await ready(page);
  await page.getByRole('button', { name: 'Ver más noticias' }).click();
  await expect.poll(() => articles.count()).toBeGreaterThan(31);
  const titles = await articles.getByRole('heading').allInnerTexts();
  expect(new Set(titles).size).toBe(titles.length);
});

test('the search stays in the address, and the button clears it [NEWS-02] [NEWS-06..07] [AMB-162]', async ({
  page,
}) => {
  await page.goto('/news');
  await ready(page);
  const box = page.getByRole('searchbox');
  await box.pressSequentially('CANCION unica', { delay: 15 });
  await expect(page).toHaveURL(/\/news\?q=CANCION\+unica$/);
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('article')).toContainText('Destacada');
  // Typing is one step of the history, not one for each letter.
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);

  await box.fill('nada de nada 💥');
  await expect(page.getByRole('heading', { name: 'No se encontraron noticias' })).toBeVisible();
  await page.getByRole('button', { name: 'Ver todas las noticias' }).click();
  await expect(page).toHaveURL(/\/news$/);
  await expect(box).toHaveValue('');
  await expect(page.getByRole('article')).toHaveCount(31);

  await page.goto('/news?q=canci%C3%B3n');
  await expect(page.getByRole('searchbox')).toHaveValue('canción');
  await expect(page.getByRole('article')).toHaveCount(1);
  for (const q of ['%00', '%E2%80%AE', 'x'.repeat(3_000), '%ED%A0%80', "'%22><script>"])
    expect((await page.goto(`/news?q=${q}`))?.status(), q).toBe(200);
});

test('an item opens over the list at its own address, back and Escape close it, and the focus returns [AMB-161]', async ({
  page,
}) => {
  await page.goto('/news?q=canci%C3%B3n');
  await ready(page);
  const link = page.getByRole('link', { name: 'Prueba: canción única' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/news/${ids['Prueba: canción única']}?q=canci%C3%B3n`);
  await expect(reader(page).getByRole('heading', { name: 'Prueba: canción única' })).toBeVisible();
  await expect(page).toHaveTitle(/canción única/);
  expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
  // Nothing behind it gets the focus.
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName)).not.toBe('MAIN');
    expect(await page.evaluate(() => document.activeElement?.closest('main header, .site-header'))).toBeNull();
  }

  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/news\?q=canci%C3%B3n$/);
  await expect(reader(page)).toHaveCount(0);
  await expect(link).toBeFocused();

  await link.click();
  await expect(reader(page)).toBeVisible();
  await page.goBack();
  await expect(reader(page)).toHaveCount(0);
  await expect(link).toBeFocused();

  await page.goForward();
  await expect(reader(page)).toBeVisible();
  await reader(page).getByRole('link', { name: 'Cerrar' }).click();
  await expect(page).toHaveURL(/\/news\?q=canci%C3%B3n$/);
  await expect(reader(page)).toHaveCount(0);

  await link.click();
  await expect(reader(page)).toBeVisible();
  await page.mouse.click(5, 300);
  await expect(reader(page)).toHaveCount(0);
});

test('the address of an item opens it, and closing it leads to the list', async ({ page }) => {
  const response = await page.goto(`/news/${ids['Prueba: canción única']}`);
  expect(response?.status()).toBe(200);
  await ready(page);
  await expect(reader(page).getByRole('heading', { name: 'Prueba: canción única' })).toBeVisible();
  await expect(page.locator('link[rel="alternate"][type="application/rss+xml"]')).toHaveAttribute(
    'href',
    '/news/feed.xml',
  );
  await reader(page).getByRole('link', { name: 'Volver a las noticias' }).click();
  await expect(page).toHaveURL(/\/news$/);
  await expect(reader(page)).toHaveCount(0);
  await expect(page.getByRole('article')).toHaveCount(31);
});

test('an unknown item is answered with 404 and a message', async ({ page }) => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'no-es-un-id', '%00']) {
    const response = await page.goto(`/news/${id}`);
    expect(response?.status(), id).toBe(404);
  }
  await page.goto('/news/00000000-0000-4000-8000-000000000000');
  await ready(page);
  await expect(reader(page)).toContainText('Noticia no encontrada');
  await reader(page).getByRole('link', { name: 'Volver a las noticias' }).click();
  await expect(page).toHaveURL(/\/news$/);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the list, the search and the item can be read', async ({ page }) => {
    await page.goto(`/news/${ids['Prueba: canción única']}`);
    await expect(page.getByText('Texto de la canción.').last()).toBeVisible();
    await page.getByRole('link', { name: 'Cerrar' }).click();
    await expect(page).toHaveURL(/\/news$/);
    await page.getByRole('searchbox').fill('cancion');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/news\?q=cancion$/);
    await expect(page.getByRole('article')).toHaveCount(1);
  });
});

test('the text of an item cannot become code [NEWS-15] [AMB-34]', async ({ page, pageErrors }) => {
  // Images from elsewhere are not fetched here.
  pageErrors.expectLoss('ERR_FAILED');
  const errors: string[] = [];
  page.on('dialog', (dialog) => {
    errors.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|hydrat/i.test(message.text())) errors.push(message.text());
  });
  await page.route(/\.invalid\//, (route) => route.abort());
  await page.goto(`/news/${ids['Prueba: corpus']}`);
  await ready(page);
  const article = reader(page);
  await expect(article.locator('strong').first()).toHaveText('Negrita');
  await expect(article.locator('em').first()).toHaveText('cursiva');
  const outside = article.locator('a[target="_blank"]');
  expect(await outside.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    'https://example.com/uno?a=1&b=2',
    'http://example.com/dos',
    'https://video.invalid/watch?v=1',
    'https://video.invalid/watch?v=2',
    // No image, but a link like any other.
    'https://evil.invalid/x.png',
  ]);
  for (const link of await outside.all()) await expect(link).toHaveAttribute('rel', 'noopener nofollow ugc');
  for (const still of await outside.locator('img').all()) {
    await expect(still).toHaveAttribute('loading', 'lazy');
    await expect(still).toHaveAttribute('referrerpolicy', 'no-referrer');
    await expect(still).toHaveAttribute('src', 'https://video.invalid/still.jpg');
  }
  await expect(article).toContainText('<script>alert(2)</script>');
  await expect(article).toContainText('[x](javascript:alert(3))');
  // The structured data of the item is not executed, and its content cannot close its element.
  const facts = article.locator('script[type="application/ld+json"]');
  expect(await facts.innerHTML()).not.toContain('<');
  expect(JSON.parse(await facts.innerHTML())).toMatchObject({ '@type': 'NewsArticle', headline: 'Prueba: corpus' });
  const code = article.locator('script:not([type="application/ld+json"]), iframe, [onerror], [onmouseover]');
  expect(await code.count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a new item appears by itself [AMB-166]', async ({ page }) => {
  await page.goto('/news');
  await page.locator('html[data-live="on"]').waitFor();
  await publish('Prueba: recién clavada', 'Ahora mismo.', 5);
  await notify();
  await expect(page.getByRole('article').first()).toContainText('Prueba: recién clavada');
});

test('the news show loading, a failed read and an empty list [NEWS-03..05]', async ({ page }) => {
  await page.clock.install();
  await page.goto('/vote');
  await ready(page);
  let answer: 'wait' | 'fail' | 'empty' = 'wait';
  let release = () => {};
  await page.route('**/rpc/news/list**', async (route) => {
    if (answer === 'wait') await new Promise<void>((done) => (release = done));
    if (answer === 'empty') return route.fulfill({ json: { json: { items: [], total: 0 } } });
    return route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500, message: 'x' } } });
  });
  await page.getByRole('link', { name: 'News' }).first().click();
  await expect(page.getByText('Cargando noticias...').last()).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  answer = 'fail';
  release();
  const failure = page.getByRole('alert').filter({ hasText: 'Error al cargar noticias. Por favor intenta de nuevo.' });
  await expectAfterRetries(page, failure);
  expect(await a11yViolations(page)).toEqual([]);
  answer = 'empty';
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('heading', { name: 'Próximamente' })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
});

test('the news are fetched again when the window is shown after five minutes [TIME-14..15]', async ({ page }) => {
  await page.clock.install();
  await page.goto('/news');
  await ready(page);
  await page.locator('html[data-live="on"]').waitFor();
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/rpc/news/list')) requests++;
  });
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await page.clock.runFor(290_000);
  await look();
  // A later request of the page: one caused by the visibility change would have been sent before it.
  await page.evaluate(() => fetch('/api/me'));
  expect(requests).toBe(0);
  await page.clock.runFor(30_000);
  await look();
  await expect.poll(() => requests).toBe(1);
});

test('the list and the items of the news are accessible', async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  for (const path of ['/news', `/news/${ids['Prueba: canción única']}`, '/en/news?q=zzzz', '/news/unknown']) {
    await page.goto(path);
    await ready(page);
    expect(await a11yViolations(page), path).toEqual([]);
  }
  await context.close();
});

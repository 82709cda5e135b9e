import type { Page } from '@playwright/test';
import type pg from 'pg';
import { a11yViolations, expect, expectAfterRetries, test } from './support.ts';

let database: pg.Client;
let total = 0;

const notify = () => database.query(`select pg_notify('live', '{"type":"domain.changed","domain":"nextProjects"}')`);
async function add(name: string, over: { place: number; end?: string | null; date?: string | null; winner?: boolean }) {
  await database.query(
    `insert into next_projects (token_name, token_symbol, order_index, countdown_end, launch_date, is_voting_winner)
     values ($1, 'PRUEBA', $2, now() + $3::interval, now() + $4::interval, $5)`,
    [name, over.place, over.end ?? null, over.date ?? null, over.winner ?? false],
  );
}

test.beforeAll(async ({ database: own }) => {
  database = own;
  await add('Prueba cuenta', { place: -3, end: '2 days 03:29:50', date: '9 days', winner: true });
  await add('Prueba fecha', { place: -2, date: '00:40:30' });
  await add('Prueba nunca', { place: -1 });
  for (let i = 0; i < 50; i++) await add(`Prueba relleno ${i}`, { place: 1_000 + i, date: `${i + 1} days` });
  await notify();
  const { rows } = await database.query<{ n: number }>(
    "select count(*)::int as n from next_projects where is_active and status in ('published', 'launched') and deleted_at is null",
  );
  total = rows[0]?.n ?? 0;
});
test.afterAll(async () => {
  await database.query("delete from next_projects where token_symbol = 'PRUEBA'");
  await notify();
});

test.beforeEach(({ pageErrors }) => {
  pageErrors.expectStatus(500, 503);
  pageErrors.expectLoss('ERR_FAILED');
});

const ready = (page: Page) => page.locator('html[data-hydrated="yes"]').waitFor();
const grid = (page: Page) => page.locator('section').filter({ hasText: 'Quién lanza y cuándo' });
const cards = (page: Page) => grid(page).getByRole('article');
const card = (page: Page, name: string) => cards(page).filter({ hasText: name });

test('the podium shows the Top 3 of the vote with links to the candidates, and the page has one link to /create [NEXT-01..02] [AMB-101]', async ({
  page,
}) => {
  await page.goto('/next');
  const places = page.getByRole('list', { name: 'Top 3 de la votación' }).getByRole('listitem');
  await expect(places).toHaveCount(3);
  const { rows } = await database.query<{ token_name: string; token_slug: string; total_votes: number }>(
    'select token_name, token_slug, total_votes from voting_candidates where is_active and deleted_at is null order by total_votes desc, total_reached_at asc nulls first, created_at, id limit 3',
  );
  for (const [i, row] of rows.entries()) {
    await expect(places.nth(i)).toContainText(row.token_name);
    await expect(places.nth(i).getByRole('link', { name: row.token_name })).toHaveAttribute(
      'href',
      `/token/${row.token_slug}/candidate`,
    );
  }
  await expect(page.getByRole('link', { name: 'Lanza el tuyo' })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Lanza el tuyo' })).toHaveAttribute('href', '/create');
});

test('the promotion offers a launch from $50 with a video and a post [NEXT-03..04] [AMB-84]', async ({ page }) => {
  await page.goto('/next');
  const promo = page.locator('section').filter({ hasText: 'vídeo promocional gratis' });
  await expect(promo).toContainText('$50');
  await expect(promo).toContainText('publicación oficial en redes sociales');
  await expect(promo.getByRole('link', { name: 'Crear mi token' })).toHaveAttribute('href', '/create');
});

test('the grid has three columns, eight launches per page, and cards with a link to the token [NEXT-05..08] [AMB-69]', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/next');
  await expect(cards(page)).toHaveCount(8);
  const tops = await cards(page).evaluateAll((all) =>
    all.slice(0, 4).map((one) => Math.round(one.getBoundingClientRect().y)),
  );
  expect(new Set(tops.slice(0, 3)).size).toBe(1);
  expect(tops[3]).toBeGreaterThan(tops[0] ?? 0);
  await expect(card(page, 'Prueba cuenta')).toContainText('Ganador de la votación');
  const link = card(page, 'Prueba cuenta').getByRole('link');
  await expect(link).toHaveAttribute('href', /^\/token\/[0-9a-f-]{36}$/);
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Prueba cuenta' })).toBeVisible();
});

test('each page of the list has its own canonical address, and a filtered list has that of the whole list', async ({
  request,
  site,
}) => {
  for (const [target, canonical] of [
    ['/next?page=1', '/next'],
    ['/next?page=2', '/next?page=2'],
    ['/en/next?page=2', '/en/next?page=2'],
    ['/next?page=2&filters=on', '/next'],
  ]) {
    const html = await (await request.get(target ?? '')).text();
    expect([target, /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1]]).toEqual([target, site.url + canonical]);
  }
  const html = await (await request.get('/next?page=2')).text();
  expect(html).toContain(`hrefLang="en" href="${site.url}/en/next?page=2"`);
});

test('the page number is in the address, the navigation shows a window of pages, and a page beyond the last one redirects to it [NEXT-08..09] [AMB-105]', async ({
  page,
}) => {
  const last = Math.ceil(total / 8);
  await page.goto('/next');
  await ready(page);
  const nav = page.getByRole('navigation', { name: 'Páginas de lanzamientos' });
  const row = async () => (await nav.getByRole('listitem').allInnerTexts()).map((text) => text.trim()).filter(Boolean);
  expect(await row()).toEqual(['1', '2', '3', '4', '…', String(last)]);
  const first = await cards(page).first().innerText();
  await nav.getByRole('link', { name: 'Página 4' }).click();
  await expect(page).toHaveURL(/\/next\?page=4$/);
  await expect(nav.getByRole('link', { name: 'Página 4' })).toHaveAttribute('aria-current', 'page');
  expect(await row()).toEqual(['1', '…', '3', '4', '5', '…', String(last)]);
  await expect(cards(page).first()).not.toHaveText(first);
  await expect(page.getByRole('heading', { name: 'Quién lanza y cuándo' })).toBeInViewport();
  await page.goBack();
  await expect(page).toHaveURL(/\/next$/);
  await expect(card(page, 'Prueba cuenta')).toBeVisible();

  for (const beyond of [String(last), '999', '99999999999']) {
    await page.goto(`/next?page=${beyond}`);
    if (beyond.length > 9)
      await expect(nav.getByRole('link', { name: 'Página 1' })).toHaveAttribute('aria-current', 'page');
    else {
      await expect(page).toHaveURL(`/next?page=${last}`);
      await expect(nav.getByRole('link', { name: `Página ${last}` })).toHaveAttribute('aria-current', 'page');
      await expect(cards(page)).toHaveCount(total - (last - 1) * 8);
    }
  }
  await page.goto('/en/next?page=99');
  await expect(page).toHaveURL(`/en/next?page=${last}`);
  for (const odd of ['0', '-1', 'x', '1.5', '%00']) {
    expect((await page.goto(`/next?page=${odd}`))?.status(), odd).toBe(200);
    await expect(card(page, 'Prueba cuenta')).toBeVisible();
  }
});

test("countdowns follow the server's clock, and an end of the countdown takes precedence over the launch date [NEXT-10] [AMB-102]", async ({
  page,
}) => {
  await page.clock.install({ time: '2001-02-03T04:05:06Z' });
  await page.goto('/next');
  await page.locator('html[data-live="on"]').waitFor();
  await page.clock.runFor(2_000);
  await expect(card(page, 'Prueba cuenta').getByRole('timer')).toContainText(/02 días, 03 horas, 2[6-9] min/);
  await expect(card(page, 'Prueba fecha').getByRole('timer')).toContainText(/00 días, 00 horas, (40|3[6-9]) min/);
  await expect(card(page, 'Prueba nunca')).toContainText('No establecida');
  await expect(card(page, 'Prueba nunca').getByRole('timer')).toHaveCount(0);
});

test("a launch is shown as 'Lanzado' at its time, without a reload [NEXT-11] [AMB-103]", async ({ page }) => {
  await add('Prueba ya', { place: -9, end: '6 seconds' });
  await notify();
  await page.goto('/next');
  await expect(card(page, 'Prueba ya').getByRole('timer')).toBeVisible();
  await expect(card(page, 'Prueba ya')).toContainText('Lanzado', { timeout: 12_000 });
  await expect(card(page, 'Prueba ya').getByRole('timer')).toHaveCount(0);
});

test('the list of launches shows loading, a failed read and an empty list [NEXT-12..14] [NEXT-19] [AMB-104]', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/vote');
  await ready(page);
  let answer: 'wait' | 'fail' | 'broken' | 'busy' | 'empty' = 'wait';
  let release = () => {};
  await page.route('**/rpc/nextProjects/list**', async (route) => {
    if (answer === 'wait') await new Promise<void>((done) => (release = done));
    if (answer === 'empty')
      return route.fulfill({ json: { json: { items: [], total: 0, serverTime: '2026-01-01T00:00:00.000Z' } } });
    if (answer === 'broken') return route.fulfill({ status: 500, json: {} });
    if (answer === 'busy')
      return route.fulfill({ status: 503, json: { json: { code: 'BUSY', status: 503, message: 'x' } } });
    return route.abort();
  });
  await page.getByRole('link', { name: 'Next' }).first().click();
  await expect(page.getByText('Loading next projects...').last()).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  answer = 'fail';
  release();
  await expectAfterRetries(page, page.getByRole('alert').filter({ hasText: 'Error loading projects' }));
  expect(await a11yViolations(page)).toEqual([]);
  for (const failing of ['broken', 'busy'] as const) {
    answer = failing;
    const again = page.waitForResponse('**/rpc/nextProjects/list**');
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await again;
    await expectAfterRetries(page, page.getByRole('heading', { name: 'No next projects available' }));
    await expect(page.getByText('Error loading projects')).toHaveCount(0);
  }
  answer = 'empty';
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('button', { name: 'Reintentar' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'No next projects available' })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
});

test('the list of launches is fetched again every 30 s, not on focus, and kept when that fails [TIME-09] [AMB-99]', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/next');
  await page.locator('html[data-live="on"]').waitFor();
  let requests = 0;
  await page.route('**/rpc/nextProjects/list**', (route) => {
    requests++;
    return route.fulfill({ status: 503, json: { json: { code: 'BUSY', status: 503, message: 'x' } } });
  });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await page.clock.runFor(25_000);
  expect(requests).toBe(0);
  // Counted from the last read of the list or from its hydration, which can be later than the page load.
  await expect(async () => {
    await page.clock.runFor(5_000);
    expect(requests).toBeGreaterThan(0);
  }).toPass({ timeout: 15_000 });
  await page.clock.runFor(10_000);
  await expect(cards(page)).toHaveCount(8);
});

test('the calendar of launches can be subscribed to', async ({ page }) => {
  await page.goto('/next');
  await ready(page);
  await expect(page.getByRole('link', { name: 'Añadir al calendario' })).toHaveAttribute(
    'href',
    new URL('/next/calendar.ics', page.url()).href.replace(/^http/, 'webcal').replace('webcals:', 'webcal:'),
  );
  const calendar = await page.request.get('/next/calendar.ics');
  expect(calendar.headers()['content-type']).toContain('text/calendar');
  expect(await calendar.text()).toContain('SUMMARY:Lanzamiento: Prueba cuenta');
  await page.goto('/en/next');
  await ready(page);
  await expect(page.getByRole('link', { name: 'Add to calendar' })).toHaveAttribute(
    'href',
    /\/en\/next\/calendar\.ics$/,
  );
});

test('the page NEXT is accessible and fits a phone', async ({ browser }) => {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 760 },
  });
  const page = await context.newPage();
  for (const path of ['/next', '/en/next?page=5']) {
    await page.goto(path);
    await ready(page);
    expect(await a11yViolations(page), path).toEqual([]);
  }
  await context.close();
});

test('the page of a launch without a date says so once', async ({ page, request }) => {
  const { items } = (await (await request.get('/api/next-projects')).json()) as {
    items: { id: string; launchDate: string | null; countdownEnd: string | null }[];
  };
  const undated = items.find(({ launchDate, countdownEnd }) => !launchDate && !countdownEnd);
  await page.goto(`/token/${undated?.id}`);
  await expect(page.getByRole('main').getByText('No establecida')).toHaveCount(1);
});

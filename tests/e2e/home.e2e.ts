import type { Page } from '@playwright/test';
import { listedMarketCap } from '#app/lib/format/format.ts';
import { a11yViolations, expect, listening, notice, test, visit } from './support.ts';

interface Project {
  id: string;
  tokenName: string;
  tokenSymbol: string;
  tokenSlug: string;
  marketCap: string;
  description: string | null;
  progressPercentage: number;
  orderIndex: number;
  status: string;
}

const podium = (page: Page) => page.getByRole('list', { name: 'Top 3' });
const grid = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Florka Tokens on Solana' }) });
const cards = (page: Page) => grid(page).getByRole('article');

test('home shows logo, hero, podium, promises, grid and banner to a visitor [APP-01] [APP-04] [APP-08..12] [HOME-01..05] [SEC-01] [AMB-84]', async ({
  page,
}) => {
  await visit(page, '/');
  await expect(page).toHaveTitle(/Florka/);
  const logo = page.getByRole('banner').getByRole('link', { name: 'Florka' }).first();
  await expect(logo).toHaveAttribute('href', '/');
  await expect(logo.locator('svg')).toBeVisible();
  await expect(page.getByRole('banner').getByText('BETA')).toBeVisible();
  const main = page.getByRole('main');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lanzamientos justos, elegidos por la gente');
  await expect(main.getByText('el desarrollador recibe el 80 % y el marketing está cubierto')).toBeVisible();
  await expect(main.getByText('2 lanzamientos al mes', { exact: true })).toBeVisible();
  await expect(main.getByText(/^Solo el mejor se lleva la corona/)).toBeVisible();
  await expect(main.getByText(/^Prepáralo antes del lanzamiento/)).toBeVisible();
  const banner = main.locator('section').filter({ hasText: 'Asegura tu lugar antes del lanzamiento' });
  await expect(banner.getByRole('link', { name: 'Crear mi token' })).toHaveAttribute('href', '/create');
  await expect(podium(page).getByRole('listitem')).toHaveCount(3);
  await expect(grid(page).getByRole('heading', { level: 2 })).toHaveText('Florka Tokens on Solana');
  await expect(cards(page).first()).toBeVisible();
});

test('the podium shows places 1 to 3, each with a link to its token [HOME-06..12] [AMB-68] [AMB-88]', async ({
  page,
  request,
}) => {
  const projects = (await (await request.get('/api/projects/podium')).json()) as Project[];
  await visit(page, '/');
  await expect(podium(page).getByRole('listitem')).toHaveCount(projects.length);
  for (const project of projects) {
    const place = podium(page)
      .getByRole('listitem')
      .nth(project.orderIndex - 1);
    await expect(place.locator('.podium-step')).toHaveText(String(project.orderIndex));
    await expect(place.getByRole('heading', { name: project.tokenName })).toBeVisible();
    await expect(place.getByText(`$${project.tokenSymbol}`)).toBeVisible();
    await expect(place.getByText(`MC: ${listedMarketCap(project.marketCap, 'es')}`)).toBeVisible();
    await expect(place.locator('.token-image')).toBeVisible();
  }
  const [first] = projects as [Project];
  await podium(page)
    .getByRole('link', { name: `View Details: ${first.tokenName}` })
    .click();
  await expect(page).toHaveURL(`/token/${first.tokenSlug}`);
  await expect(page.getByRole('heading', { level: 1, name: first.tokenName })).toBeVisible();
});

test('a card shows status, market cap, address, progress, image and two lines of description, and is one link [APP-19] [HOME-17..26] [AMB-95]', async ({
  page,
  request,
}) => {
  const { items } = (await (await request.get('/api/projects?order=others&limit=50')).json()) as { items: Project[] };
  await visit(page, '/');
  for (const status of ['published_home', 'approved']) {
    const project = items.find((item) => item.status === status && item.description);
    if (!project) throw new Error(`no project that is ${status}`);
    // What other scenarios of this worker have made may stand before it.
    for (let shown = await cards(page).count(); shown <= items.indexOf(project); shown = await cards(page).count()) {
      await grid(page).getByRole('button', { name: 'Ver más' }).click();
      await expect.poll(() => cards(page).count()).toBeGreaterThan(shown);
    }
    const card = cards(page).filter({ has: page.getByRole('heading', { name: project.tokenName, exact: true }) });
    await expect(card.getByText(`$${project.tokenSymbol}`, { exact: true })).toBeVisible();
    await expect(card.getByText(status === 'approved' ? 'Aprobado' : 'Publicado', { exact: true })).toBeVisible();
    await expect(card.getByText('Market Cap')).toBeVisible();
    await expect(card.getByText(listedMarketCap(project.marketCap, 'es'), { exact: true })).toBeVisible();
    await expect(card.getByText(project.tokenSlug, { exact: true })).toBeVisible();
    await expect(card.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute(
      'aria-valuenow',
      String(project.progressPercentage),
    );
    await expect(card.getByText(`${project.progressPercentage} %`, { exact: true })).toBeVisible();
    await expect(card.locator('.token-image')).toBeVisible();
    const words = card.getByText(project.description ?? '', { exact: true });
    await expect(words).toBeVisible();
    // The description is cut after two lines.
    const lines = await words.evaluate((element) => {
      element.textContent = 'palabra '.repeat(80);
      return element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight);
    });
    expect(lines).toBeGreaterThan(1.8);
    expect(lines).toBeLessThan(2.2);
    await expect(card.getByRole('link')).toHaveAttribute('href', `/token/${project.tokenSlug}`);
  }
});

test('the grid has 1, 2 or 3 columns by width [HOME-14]', async ({ page }) => {
  await visit(page, '/');
  const list = cards(page).first().locator('xpath=..');
  for (const [width, columns] of [
    [360, 1],
    [800, 2],
    [1280, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const count = await list.evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(' ').length);
    expect(count, `${width} px`).toBe(columns);
  }
});

test('the tabs change the list and the address [HOME-15..16] [AMB-71]', async ({ page, request }) => {
  const names = async (path: string) =>
    ((await (await request.get(path)).json()) as { items: Project[] }).items.map((item) => item.tokenName);
  await visit(page, '/');
  const tabs = page.getByRole('navigation', { name: 'Filtrar tokens' }).getByRole('link');
  await expect(tabs).toHaveText(['All', 'Next', 'New']);
  const tab = (name: string) => tabs.filter({ hasText: name });
  const current = () => tabs.and(page.locator('[aria-current]'));
  await expect(current()).toHaveText('All');
  const [first = ''] = await names('/api/projects?order=others');
  await expect(cards(page).first().getByRole('heading')).toHaveText(first);
  await tab('New').click();
  await expect(page).toHaveURL('/?tab=new');
  const [newest = ''] = await names('/api/projects?order=new');
  await expect(cards(page).first().getByRole('heading')).toHaveText(newest);
  await tab('Next').click();
  await expect(page).toHaveURL('/?tab=next');
  const [upcoming = ''] = await names('/api/next-projects');
  await expect(cards(page).first().getByRole('heading')).toHaveText(upcoming);
  await expect(grid(page).getByRole('timer').first()).toBeVisible();
  await page.goBack();
  await expect(cards(page).first().getByRole('heading')).toHaveText(newest);
  await expect(current()).toHaveText('New');
  await tab('All').click();
  await expect(cards(page).first().getByRole('heading')).toHaveText(first);
  // The address opens the same tab.
  await visit(page, '/?tab=next');
  await expect(cards(page).first().getByRole('heading')).toHaveText(upcoming);
});

test('more cards are loaded on request, each once', async ({ page, request }) => {
  const { total } = (await (await request.get('/api/projects?order=others')).json()) as { total: number };
  await visit(page, '/');
  await expect(cards(page)).toHaveCount(Math.min(12, total));
  const more = grid(page).getByRole('button', { name: 'Ver más' });
  for (let shown = 12; shown < total; shown += 12) {
    await more.click();
    const next = Math.min(shown + 12, total);
    // A single remaining card does not need another click.
    await expect(cards(page)).toHaveCount(next + 1 === total ? total : next);
    if (next + 1 === total) break;
  }
  await expect(more).toHaveCount(0);
  await expect(grid(page).getByRole('status')).toHaveText(`${total} de ${total}`);
  const links = await cards(page)
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(new Set(links).size).toBe(total);
});

test('no project is on home twice, at any width', async ({ page, request }) => {
  const onPodium = (await (await request.get('/api/projects/podium')).json()) as Project[];
  expect(onPodium).toHaveLength(3);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await visit(page, '/');
    await expect(cards(page)).toHaveCount(12);
    for (const { tokenName } of onPodium)
      await expect(page.getByRole('heading', { name: tokenName, exact: true }), `${width} px`).toHaveCount(1);
  }
});

test('the slug on a card is shown in full at every width', async ({ page }) => {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await visit(page, '/');
    const cut = await cards(page).evaluateAll((all) =>
      all.flatMap((card) =>
        [...card.querySelectorAll('.token-ticket-head .text-xs')]
          .filter((slug) => slug.scrollWidth > slug.clientWidth || slug.scrollHeight > slug.clientHeight + 1)
          .map((slug) => slug.textContent),
      ),
    );
    expect(cut, `${width} px`).toEqual([]);
  }
});

test('on a phone the cards are low, and the round is above the fold', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, '/');
  const shown = cards(page);
  const heights = await shown.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(300);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6_500);
  await expect(page.locator('.hero-puppet')).toBeInViewport();

  const { items, round } = (await (await request.get('/api/candidates?limit=2')).json()) as {
    items: { tokenName: string; totalVotes: number }[];
    round: { number: number };
  };
  const strip = page.getByRole('link', { name: `Ronda ${round.number}` });
  await expect(strip).toBeInViewport({ ratio: 1 });
  await expect(strip).toContainText(`Lidera ${items[0]?.tokenName}`);
  await expect(strip).toContainText(/Ventaja (\d|Empate)/);
  await expect(strip).toContainText(/Cierra en .*\d+ min/);
  await strip.click();
  await expect(page).toHaveURL('/vote');
});

test('on a wide screen the wheel of the hero does not overlap its text', async ({ page }) => {
  for (const width of [1280, 1440, 1920, 2560]) {
    await page.setViewportSize({ width, height: 1080 });
    await visit(page, '/');
    const boxOf = (selector: string) => page.locator(selector).first().boundingBox();
    const [wheel, actions, lead] = [
      await boxOf('[data-part=wheel]'),
      await boxOf('.hero-actions > :last-child'),
      await boxOf('.hero-lead'),
    ];
    if (!wheel || !actions || !lead) throw new Error('the hero lacks a part');
    for (const words of [actions, lead])
      expect(wheel.x > words.x + words.width || wheel.y > words.y + words.height, `${width} px`).toBe(true);
  }
});

test('an empty showcase says so [HOME-13] [HOME-27]', async ({ page }) => {
  await visit(page, '/auth');
  await page.route('**/rpc/projects/podium*', (route) => route.fulfill({ json: { json: [] } }));
  await page.route('**/rpc/projects/list*', (route) =>
    route.fulfill({ json: { json: { items: [], nextCursor: null, total: 0 } } }),
  );
  await page.getByRole('link', { name: 'Volver al inicio' }).click();
  await expect(page.getByText('No hay proyectos en el Top 3 actualmente.')).toBeVisible();
  await expect(page.getByText('No hay proyectos disponibles.')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
});

test('the lists of home are fetched again every 30 s, not on focus, and kept when that fails [HOME-32..33] [TIME-04] [ERR-42] [AMB-99]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(503);
  await page.clock.install();
  await visit(page, '/');
  await listening(page);
  const shown = await cards(page).count();
  expect(shown).toBeGreaterThan(0);
  let requests = 0;
  await page.route('**/rpc/projects/**', (route) => {
    requests++;
    return route.fulfill({ status: 503, json: { json: { code: 'BUSY', status: 503, message: 'x' } } });
  });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await page.evaluate(() => fetch('/api/me'));
  expect(requests).toBe(0);
  await page.clock.runFor(31_000);
  await expect.poll(() => requests).toBeGreaterThanOrEqual(2);
  await page.clock.runFor(10_000);
  await expect(cards(page)).toHaveCount(shown);
  await expect(podium(page)).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
});

test('an image that cannot be loaded is hidden, and the drawn coin stays [HOME-17] [HOME-28] [APP-42]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(404);
  await visit(page, '/auth');
  await page.route('**/rpc/projects/list*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { json: { items: { imageUrl: string | null }[] } };
    body.json.items.forEach((item, i) => {
      item.imageUrl = ['/no-such-image.png', '/icon-192.png'][i] ?? null;
    });
    await route.fulfill({ response, json: body });
  });
  await page.getByRole('link', { name: 'Volver al inicio' }).click();
  const image = cards(page).first().locator('img');
  await expect(image).toHaveCount(1);
  await expect(image).toBeHidden();
  await expect(cards(page).first().locator('.token-image svg')).toBeVisible();
  // An available image replaces the drawn coin.
  await expect(cards(page).nth(1).locator('.token-image img')).toBeVisible();
  await expect(cards(page).nth(1).locator('.token-image svg')).toHaveCount(0);
  await expect(cards(page).nth(2).locator('.token-image svg')).toBeVisible();
});

test('the lists of home are fetched again when a project changes [RT-01] [AMB-144]', async ({ page }) => {
  // The stream reports the change; the page's reaction is tested here.
  await page.route('**/live', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `event: sync\ndata: {"serverTime":"${new Date().toISOString()}","changedAt":{}}\n\ndata: {"type":"domain.changed","domain":"projects"}\n\n`,
    }),
  );
  const request = page.waitForRequest(/rpc\/projects\/(list|podium)/);
  await visit(page, '/');
  await request;
});

import type { Locator, Page } from '@playwright/test';
import { a11yViolations, expect, listening, otherBrowser, rankingOf, test, visit } from './support.ts';

test.describe.configure({ timeout: 120_000 });

const fits = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

test('a list is filtered and ordered by its address, and two tokens are compared', async ({
  page,
  browser,
  database,
}) => {
  const [first] = await rankingOf(page.request);
  await visit(page, '/vote?filters=on');
  await page.getByRole('link', { name: 'Las tres listas' }).click();
  await expect(page).toHaveURL(/\/tokens\?kind=candidate$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Explorar tokens' })).toBeVisible();
  const cards = page.getByRole('article');
  await expect(cards.first().getByRole('link', { name: String(first?.tokenName), exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Más votos hoy' }).click();
  await expect(page).toHaveURL(/order=today/);
  await expect(page.getByText('Solo candidatos con algún voto en este día UTC.')).toBeVisible();
  await page.getByRole('link', { name: 'Los más nuevos' }).click();
  await page.getByRole('link', { name: 'Con contrato' }).click();
  await page.getByRole('link', { name: 'Polygon' }).click();
  await expect(page).toHaveURL(/network=polygon/);
  const shared = page.url();
  const again = await (await otherBrowser(browser)).newPage();
  await visit(again, shared);
  await expect(again.getByRole('link', { name: 'Polygon' })).toHaveAttribute('aria-current', 'true');
  await expect(again.getByRole('link', { name: 'Los más nuevos' })).toHaveAttribute('aria-current', 'true');
  expect(await a11yViolations(again)).toEqual([]);

  // Changing the list keeps the filters that both lists have.
  await page.getByRole('link', { name: 'Lanzamientos', exact: true }).first().click();
  await expect(page).toHaveURL(/kind=next.*network=polygon|network=polygon.*kind=next/);
  // Launched tokens have a past date; the latest comes first.
  await database.query(
    `insert into next_projects (token_name, token_symbol, launch_date, status, is_active)
     values ('Ya lanzado', 'YAL', now() - interval '1 minute', 'launched', true)`,
  );
  await visit(page, '/tokens?kind=next');
  await page.getByRole('link', { name: 'Lanzados' }).click();
  await expect(page).toHaveURL(/status=launched/);
  await expect(cards.first()).toContainText('Ya lanzado');
  await expect(page.getByText('Desde el último que se lanzó.')).toBeVisible();
  await visit(page, '/tokens?kind=next&launch=week&status=launched&network=bnb');
  await expect(page.getByRole('heading', { name: 'Nada con estos filtros' })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);

  // One click follows a token, without an account too.
  await visit(page, '/tokens?kind=candidate');
  await page.getByRole('button', { name: `Seguir ${first?.tokenName}`, exact: true }).click();
  await expect(page.getByRole('button', { name: `Dejar de seguir ${first?.tokenName}`, exact: true })).toBeVisible();
  await visit(page, '/saved');
  await expect(page.getByRole('link', { name: String(first?.tokenName), exact: true })).toBeVisible();

  await visit(page, '/tokens?kind=candidate');
  await page.getByRole('link', { name: `Comparar ${first?.tokenName}`, exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Elige el otro token' })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Elegir de las listas' }).click();
  await expect(page.getByText('Elige en la lista con qué compararlo.')).toBeVisible();
  await page
    .getByRole('link', { name: /^Comparar / })
    .first()
    .click();
  await expect(page).toHaveURL(/\/compare\?a=.+&b=.+/);
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'Votos', exact: true })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await fits(page)).toBe(true);
  // The name of a figure stands above both tokens, and no figure is broken over two lines.
  const price = page.getByRole('row', { name: /^Precio/ });
  const tall = (one: Locator) => one.evaluate((box) => box.getBoundingClientRect().height);
  expect(await price.evaluate((box) => box.getBoundingClientRect().width / 2)).toBeCloseTo(
    await price
      .getByRole('cell')
      .first()
      .evaluate((box) => box.getBoundingClientRect().width),
    0,
  );
  const lines = await page.locator('td > .figures:not(.text-sm)').all();
  for (const figure of lines) expect(await tall(figure)).toBeLessThan(36);
  await visit(page, '/tokens?kind=candidate');
  expect(await fits(page)).toBe(true);
});

test('filters leave out tokens that do not match, and the newest come first', async ({ page, database }) => {
  const mark = Date.now().toString(36);
  for (const [name, network, contract] of [
    ['Uno', 'polygon', '0x52908400098527886e0f7030069857d2e4169ee7'],
    ['Dos', 'polygon', ''],
    ['Tres', 'ethereum', '0x8617e340b3d01fa5f11f306f4090fd50e238070d'],
  ])
    await database.query(
      `insert into projects (token_name, token_symbol, token_slug, token_address, network, contract_address, status)
       values ($1, 'FLT', $2, $2, $3, $4, 'approved')`,
      [`${name} ${mark}`, `${name?.toLowerCase()}-${mark}`, network, contract],
    );
  const card = (name: string) => page.getByRole('article').filter({ hasText: `${name} ${mark}` });
  await visit(page, '/tokens?order=new');
  await expect(page.getByRole('article').first()).toContainText(mark);
  for (const name of ['Uno', 'Dos', 'Tres']) await expect(card(name)).toBeVisible();
  // While a list loads nothing is in it: what a filter leaves out is read from the address opened anew.
  const choose = async (filter: string, parameter: RegExp) => {
    await page.getByRole('link', { name: filter }).click();
    await page.waitForURL(parameter);
    await visit(page, page.url());
    await expect(card('Uno')).toBeVisible();
  };
  await choose('Polygon', /[?&]network=polygon/);
  await expect(card('Dos')).toBeVisible();
  await expect(card('Tres')).toHaveCount(0);
  await choose('Con contrato', /[?&]contract=/);
  await expect(card('Dos')).toHaveCount(0);
});

test('a comparison with an unknown token says so, and the second token is found by its name', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(404);
  const [first, second] = await rankingOf(page.request);
  for (const address of [`/compare?a=${first?.tokenSlug}&b=no-such-token`, '/compare?a=no-such-token']) {
    // Readable without scripts, too.
    const document = await page.request.get(address);
    expect([address, document.status()]).toEqual([address, 404]);
    expect(await document.text()).toContain('Este token no está');
    await visit(page, address);
    await expect(page.getByRole('heading', { name: 'Este token no está' })).toBeVisible();
    // The side that is there is kept.
    if (address.includes('&b='))
      await expect(page.getByRole('link', { name: 'Elige el otro token' })).toHaveAttribute(
        'href',
        `/compare?a=${first?.tokenSlug}`,
      );
  }
  // What the server reported of that address does not remain for the next one.
  await page.getByRole('link', { name: 'Elige un token' }).click();
  await expect(page.getByRole('heading', { name: 'Elige un token' })).toBeVisible();
  // A search that fails says so, and not that there is no such token.
  pageErrors.expectStatus(404, 503);
  await page.route('**/search/find*', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.getByLabel('Buscar un token').fill(String(second?.tokenName));
  await page.getByRole('button', { name: 'Buscar', exact: true }).last().click();
  await expect(page.getByText('No se pudo buscar')).toBeVisible();
  await expect(page.getByText('Ningún token con esas palabras.')).toHaveCount(0);
  await page.unroute('**/search/find*');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(String(second?.tokenName)) })
      .first(),
  ).toBeVisible();
  // Tokens that cannot be read: what failed, why, and both are read again.
  await page.route('**/tokens/find*', (route) =>
    route.fulfill({
      status: 429,
      json: { json: { defined: true, code: 'RATE_LIMITED', status: 429, message: '', data: { retryAfter: 7 } } },
    }),
  );
  pageErrors.expectStatus(404, 429, 503);
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(String(second?.tokenName)) })
    .first()
    .click();
  const refused = page.getByRole('alert').filter({ hasText: 'No se pudieron leer los tokens' });
  await expect(refused).toContainText('7 s');
  await page.unroute('**/tokens/find*');
  await refused.getByRole('button', { name: 'Reintentar' }).click();
  await expect(refused).toBeHidden();
  await visit(page, `/en/compare?a=${first?.tokenSlug}`);
  await page.getByLabel('Search for a token').fill(String(second?.tokenName));
  await page.getByRole('button', { name: 'Search', exact: true }).last().click();
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(String(second?.tokenName)) })
    .first()
    .click();
  await expect(page.getByRole('table', { name: /side by side/ })).toBeVisible();
});

test('the ranking is printed without the rest of the page and without buttons, with site, round and time', async ({
  page,
  baseURL,
}) => {
  const opened = Date.now();
  await visit(page, '/vote');
  await listening(page);
  const printed = page.locator('[data-print]');
  await expect(printed.getByText(/^Florka · Clasificación · Ronda \d+$/)).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await expect(printed.getByText(/^Florka · Clasificación · Ronda \d+$/)).toBeVisible();
  await expect(printed.getByText(`${baseURL}/vote`)).toBeVisible();
  const time = printed.locator('time').first();
  await expect(time).toBeVisible();
  await expect(time).toHaveText(/^\d{1,2} [a-z]{3,4} \d{4} a las \d\d:\d\d \S+$/);
  const moment = Date.parse((await time.getAttribute('datetime')) ?? '');
  // Since the page was opened, with a minute for the clock of the server.
  expect(moment).toBeGreaterThanOrEqual(opened - 60_000);
  expect(moment).toBeLessThanOrEqual(Date.now());
  await expect(printed.locator('button:visible')).toHaveCount(0);
  // The width of a sheet: the votes stand at the end of their row, without the space of the buttons, and no row is cut by a page's end.
  await page.setViewportSize({ width: 794, height: 1123 });
  const rows = await printed.locator('.rank-row').evaluateAll((all) =>
    all.map((row) => ({
      end: row.getBoundingClientRect().right - (row.querySelector('.rank-votes')?.getBoundingClientRect().right ?? 0),
      whole: getComputedStyle(row).breakInside,
    })),
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { end, whole } of rows) {
    expect(end).toBeLessThan(24);
    expect(whole).toBe('avoid');
  }
  await page.emulateMedia({ media: 'screen' });
});

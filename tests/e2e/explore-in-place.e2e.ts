import { a11yViolations, expect, listening, otherBrowser, test, visit } from './support.ts';

const CONTRACT = '0x52908400098527886e0f7030069857d2e4169ee7';

test('the ranking is filtered in place, and a vote in the filtered list is shown live on another screen', async ({
  page,
  browser,
  member,
  database,
}) => {
  const mark = Date.now().toString(36);
  const add = (name: string, network: string) =>
    database.query(
      `insert into voting_candidates (token_name, token_symbol, token_slug, network, contract_address, is_active)
       values ($1, 'FIL', $2, $3, $4, true)`,
      [`${name} ${mark}`, `${name.toLowerCase()}-${mark}`, network, network === 'polygon' ? CONTRACT : null],
    );
  await add('Dentro', 'polygon');
  await add('Fuera', 'bnb');
  const reader = await (await otherBrowser(browser)).newPage();
  await member(page.context());
  for (const screen of [page, reader]) {
    await visit(screen, '/vote');
    await screen.getByRole('link', { name: 'Filtrar y ordenar' }).click();
    await expect(screen).toHaveURL(/\/vote\?filters=on$/);
    await screen.getByRole('link', { name: 'Los más nuevos' }).click();
    await screen.getByRole('link', { name: 'Polygon' }).click();
    await screen.getByRole('link', { name: 'Con contrato' }).click();
    await expect(screen).toHaveURL(/\/vote\?filters=on&network=polygon&contract=yes&order=new$/);
  }
  const inside = `Dentro ${mark}`;
  const card = (screen: typeof page) =>
    screen.getByRole('article').filter({ has: screen.getByRole('link', { name: inside, exact: true }) });
  // The address is the list, for somebody else and without scripts too.
  const document = await (await page.request.get(page.url())).text();
  expect(document).toContain(`>${inside}</a>`);
  expect(document).not.toContain(`>Fuera ${mark}</a>`);
  expect(await a11yViolations(reader)).toEqual([]);

  await visit(reader, page.url());
  await listening(reader);
  await expect(card(reader)).toContainText(/Votos\s*0/);
  await card(page)
    .getByRole('button', { name: `Votar por ${inside}`, exact: true })
    .click();
  for (const screen of [page, reader]) await expect(card(screen)).toContainText(/Votos\s*1/);

  // Without filters the ranking is there again.
  await page.getByRole('link', { name: 'Cerrar los filtros' }).click();
  await expect(page).toHaveURL(/\/vote$/);
  await expect(page.getByRole('list', { name: 'Clasificación' })).toBeVisible();
});

test('NEXT and home are filtered in place, with the filters in the address', async ({ page, database }) => {
  const mark = Date.now().toString(36);
  for (const [name, launch] of [
    ['Pronto', '2 days'],
    ['Lejos', '40 days'],
  ])
    await database.query(
      `insert into next_projects (token_name, token_symbol, launch_date, status, is_active)
       values ($1, 'FNX', now() + $2::interval, 'published', true)`,
      [`${name} ${mark}`, launch],
    );
  await database.query(
    `insert into projects (token_name, token_symbol, token_slug, token_address, network, status)
     values ($1, 'FPR', $2, $2, 'polygon', 'approved')`,
    [`Hogar ${mark}`, `hogar-${mark}`],
  );
  const card = (name: string) =>
    page.getByRole('article').filter({ has: page.getByRole('link', { name: `${name} ${mark}`, exact: true }) });

  await visit(page, '/next');
  await page.getByRole('link', { name: 'Filtrar y ordenar' }).click();
  await page.getByRole('link', { name: 'Salen esta semana' }).click();
  await expect(page).toHaveURL(/\/next\?filters=on&launch=week$/);
  await visit(page, page.url());
  await expect(card('Pronto')).toBeVisible();
  await expect(card('Lejos')).toHaveCount(0);
  // The hour of a launch is read whole in the narrowest card.
  const hour = card('Pronto').getByText(/^Lanzamiento: /);
  await expect(hour).toContainText(/ a las \d\d:\d\d/);
  const cut = (line: Element) => line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight + 1;
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await hour.evaluate(cut)]).toEqual([width, false]);
  }
  expect(await a11yViolations(page)).toEqual([]);

  await visit(page, '/');
  await page.getByRole('link', { name: 'Filtrar y ordenar' }).click();
  await page.getByRole('link', { name: 'Polygon' }).click();
  await expect(page).toHaveURL(/\/\?filters=on&network=polygon$/);
  await expect(card('Hogar')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  // The tab of the launches keeps its own filters.
  await visit(page, '/en?tab=next&filters=on&launch=week');
  await expect(card('Pronto')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Launch this week' })).toHaveAttribute('aria-current', 'true');
  await page.getByRole('link', { name: 'Close the filters' }).click();
  await expect(page).toHaveURL(/\/en\/?\?tab=next$/);
});

import { a11yViolations, expect, otherBrowser, signInAsAdmin, test, visit } from './support.ts';

/** As a browser of a person: programs that identify themselves do not count. */
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

test('page views are counted by kind of page, without a cookie, and shown on the dashboard and in the reports', async ({
  browser,
  page,
  site,
  database,
}) => {
  const context = await otherBrowser(browser, { userAgent: AGENT, baseURL: site.url });
  const visitor = await context.newPage();
  const sent: string[] = [];
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/page-views') sent.push(search);
  });
  const next = () => visitor.waitForResponse((answer) => new URL(answer.url()).pathname === '/page-views');
  const first = next();
  await visit(visitor, '/');
  expect((await first).status()).toBe(204);
  const second = next();
  await visitor.getByRole('link', { name: 'Votar ahora' }).first().click();
  await second;
  // Another query string of the same page counts as the same kind.
  await visitor.evaluate(() => history.replaceState(history.state, '', '?x=1'));
  const again = next();
  await visitor.reload();
  await again;
  expect(sent).toEqual(['?kind=home&arrived=1', '?kind=vote', '?kind=vote']);
  expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
  await context.close();

  // Written together every ten seconds.
  const written = async () => {
    const { rows } = await database.query<{ stored: string }>(
      `select string_agg(kind || ' ' || views || ' ' || arrivals, ', ' order by kind) as stored from page_views`,
    );
    return rows[0]?.stored;
  };
  await expect.poll(written, { timeout: 30_000 }).toBe('home 1 1, vote 2 0');

  await signInAsAdmin(page);
  await visit(page, '/admin/reports');
  const views = page.getByRole('region', { name: 'Páginas vistas' });
  const cells = views.getByRole('row').nth(1).getByRole('cell');
  await expect(cells.nth(0)).toHaveText('3');
  await expect(cells.nth(1)).toContainText(/^1/);
  await expect(cells.nth(2)).toHaveText('1');
  await expect(cells.nth(3)).toHaveText('2');
  const file = await page.request.get('/api/admin/page-views.csv');
  expect(await file.text()).toMatch(/^\ufeffday,views,arrivals,home,vote,[a-z,]+\r\n\d{4}-\d\d-\d\d,3,1,1,2,0/);
  expect(await a11yViolations(page)).toEqual([]);
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await visit(page, '/en/admin');
  await expect(page.getByRole('heading', { name: 'Pages shown' })).toBeVisible();
});

import { expect, otherBrowser, signInAdmin, test, visit } from './support.ts';

/** As a browser of a person: programs that say what they are do not count. */
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

test('shown pages are counted by kind, without a cookie, and the dashboard and reports say how many', async ({
  browser,
  page,
  site,
}) => {
  const context = await otherBrowser(browser, { userAgent: AGENT, baseURL: site.url });
  const visitor = await context.newPage();
  const told: string[] = [];
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/page-views') told.push(search);
  });
  const next = () => visitor.waitForResponse((answer) => answer.url().includes('/page-views'));
  const first = next();
  await visit(visitor, '/');
  expect((await first).status()).toBe(204);
  const second = next();
  await visitor.getByRole('navigation').getByRole('link', { name: 'Votar' }).first().click();
  await second;
  // Another address of the same page is no other page.
  await visitor.evaluate(() => history.replaceState(history.state, '', '?x=1'));
  const again = next();
  await visitor.reload();
  await again;
  expect(told).toEqual(['?kind=home&arrived=1', '?kind=vote', '?kind=vote']);
  expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
  await context.close();

  await signInAdmin(page);
  const views = page.getByRole('region', { name: 'Páginas vistas' });
  // Written every ten seconds.
  await expect(async () => {
    await visit(page, '/admin/reports');
    await expect(views.getByRole('table')).toBeVisible({ timeout: 3_000 });
    const cells = await views.getByRole('row').nth(1).getByRole('cell').allTextContents();
    expect(cells.slice(0, 4)).toEqual(['3', '133,3 %', '1', '2']);
  }).toPass({ timeout: 40_000 });
});

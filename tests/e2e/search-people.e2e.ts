import { expect, expectAfterRetries, otherBrowser, signInAsAdmin, test, visit } from './support.ts';

test('a post of one member is found by another, until the team removes it', async ({ page, browser, member }) => {
  const word = `ocelote${Date.now().toString(36)}`;
  const title = `Sobre el ${word}`;
  const there = await otherBrowser(browser);
  await member(there, { username: `Autora ${word}` });
  await member(page.context());

  await visit(page, `/search?q=${word}`);
  await expect(page.getByRole('heading', { name: `Nada dice «${word}»` })).toBeVisible();

  const made = await there.request.post('/api/forum/posts', {
    data: { title, content: 'Lo vi en la acción de ayer.' },
  });
  const { id } = (await made.json()) as { id: string };
  await visit(page, '/');
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Buscar' });
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type(word);
  await expect(dialog.getByRole('region', { name: 'Foro' }).getByRole('link')).toContainText(title);
  await expect(dialog.getByRole('region', { name: 'Personas' }).getByRole('link')).toContainText(`Autora ${word}`);
  await page.keyboard.press('Escape');

  // On a phone and in English the other one finds it too.
  const phone = await there.newPage();
  await phone.setViewportSize({ width: 360, height: 740 });
  await visit(phone, `/en/search?q=${word}`);
  await expect(phone.getByRole('region', { name: 'Forum' }).getByRole('link')).toContainText(title);
  const width = () => phone.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(360);
  await visit(phone, `/en/search?q=${'w'.repeat(100)}`);
  await expect(phone.getByRole('heading', { name: /^Nothing says/ })).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(360);

  const otherContext = await otherBrowser(browser);
  const admin = await otherContext.newPage();
  await signInAsAdmin(admin);
  const hidden = await otherContext.request.post('/api/admin/forum/hide', {
    data: { what: 'post', ids: [id], rule: 'spam', reason: 'Es publicidad' },
  });
  expect(hidden.status()).toBe(200);
  for (const [screen, path] of [
    [page, `/search?q=${word}`],
    [phone, `/en/search?q=${word}`],
  ] as const) {
    await visit(screen, path);
    await expect(screen.getByRole('heading', { name: new RegExp(`«${word}»|“${word}”`) })).toBeVisible();
    await expect(screen.getByText(title)).toHaveCount(0);
  }
  await otherContext.close();
  await there.close();
});

test('a failed search is reported, and repeated when the query changes', async ({ page, pageErrors }) => {
  pageErrors.expectStatus(500);
  await page.route('**/rpc/search/find*', (route) =>
    route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500 } } }),
  );
  await page.clock.install();
  await visit(page, '/');
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Buscar' });
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('nadie escribe esto');
  await expectAfterRetries(page, dialog.getByRole('alert'));
  await page.unroute('**/rpc/search/find*');
  await page.keyboard.type('!');
  await expectAfterRetries(page, dialog.getByText('Nada dice', { exact: false }).first());
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

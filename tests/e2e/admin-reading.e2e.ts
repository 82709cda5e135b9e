import { a11yViolations, expect, expectNotice, notice, signInAsAdmin, test, visit } from './support.ts';

test('a notice never covers the buttons of a dialog, at any width', async ({ page, pageErrors }) => {
  pageErrors.expectStatus(500);
  await signInAsAdmin(page);
  await page.route('**/rpc/admin/networks/remove', (route) => route.fulfill({ status: 500, json: {} }));
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await visit(page, '/admin/networks');
    await page.getByRole('button', { name: 'Eliminar Ethereum' }).click();
    const question = page.getByRole('alertdialog', { name: 'Confirmar Eliminación' });
    await question.getByRole('button', { name: 'Eliminar' }).click();
    await expectNotice(page, 'Error');
    // The notice has finished moving.
    await expect.poll(() => notice(page).evaluate((one) => one.getAnimations({ subtree: true }).length)).toBe(0);
    const over = await notice(page).boundingBox();
    expect(over).not.toBeNull();
    for (const button of await question.getByRole('button').all()) {
      const under = await button.boundingBox();
      const apart =
        over &&
        under &&
        (under.x >= over.x + over.width ||
          under.x + under.width <= over.x ||
          under.y >= over.y + over.height ||
          under.y + under.height <= over.y);
      expect([width, await button.innerText(), apart]).toEqual([width, await button.innerText(), true]);
    }
  }
});

test('on a phone the filters of a list are collapsed, and their button shows how many are active', async ({ page }) => {
  await signInAsAdmin(page);
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, '/admin/projects?status=approved');
  const fold = page.getByRole('button', { name: 'Filtros 1' });
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByLabel('Estado', { exact: true })).toHaveCount(0);
  expect(await a11yViolations(page)).toEqual([]);
  await fold.click();
  await page.getByLabel('Estado', { exact: true }).selectOption('');
  await expect(page).not.toHaveURL(/status=/);
  await expect(page.getByRole('button', { name: 'Filtros', exact: true })).toHaveAttribute('aria-expanded', 'true');
  await visit(page, '/admin/audit');
  await expect(page.getByLabel('Quién')).toHaveCount(0);
  await page.getByRole('button', { name: 'Filtros' }).click();
  await expect(page.getByLabel('Quién')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  // A filter that is applied on the way to the next one takes neither the focus nor the filters away.
  await page.getByLabel('Quién').fill('admin@florka.test');
  await page.getByLabel('Acto', { exact: true }).focus();
  await expect(page).toHaveURL(/who=admin/);
  await expect(page.getByLabel('Acto', { exact: true })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Filtros 1' })).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('link', { name: 'Quitar los filtros' }).click();
  await expect(page).not.toHaveURL(/who=/);
  await expect(page.getByLabel('Quién')).toHaveValue('');
});

test('the history of a record shows values in the language of the page', async ({ page }) => {
  const name = `Jacarandá ${Date.now().toString(36)}`;
  await signInAsAdmin(page);
  const data = {
    tokenName: name,
    tokenSymbol: 'JAC',
    resemblanceAccepted: true,
    tokenAddress: `${name}-address`,
    status: 'published_next',
  };
  expect((await page.request.post('/api/admin/projects', { data })).status()).toBe(200);
  for (const [path, history, words] of [
    ['/admin/projects', `Historial de ${name}`, 'Publicado en Next (Próximos)'],
    ['/en/admin/projects', `History of ${name}`, 'Published in NEXT'],
  ] as const) {
    await visit(page, `${path}?q=${encodeURIComponent(name)}`);
    await page.getByRole('button', { name: history }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(words)).toBeVisible();
    await expect(dialog).not.toContainText('published_next');
    // Fields that were empty before and after are not listed as changes.
    await expect(dialog).not.toContainText('Discord');
  }
});

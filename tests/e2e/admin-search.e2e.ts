import { a11yViolations, expect, expectAfterRetries, signInAsAdmin, signUp, test, visit } from './support.ts';

test('one search finds screens, people and records, by keyboard; the menu says what waits', async ({
  page,
  browser,
}) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/audit');
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const member = await signUp(context.request);
  await context.close();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Buscar en la administración' });
  const box = dialog.getByRole('searchbox');
  await expect(box).toBeFocused();
  await box.fill('noticias');
  await expect(dialog.getByRole('region', { name: 'Pantallas' }).getByRole('link', { name: 'Noticias' })).toBeVisible();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(await a11yViolations(page)).toEqual([]);
  // A task is found by a term that is not the name of a screen.
  await box.fill('soporte');
  const task = dialog.getByRole('region', { name: 'Tareas' }).getByRole('link', { name: 'Cambiar el buzón de ayuda' });
  await expect(task).toHaveAttribute('href', '/admin/settings#site');
  await box.fill('correo de prueba');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/settings#mail$/);
  await expect(page.getByRole('region', { name: 'Correo', exact: true })).toBeInViewport();
  await page.keyboard.press('Control+k');
  // The sticky bar of a scrolled page stays at the top below a dialog.
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await expect(box).toBeFocused();
  expect(await page.locator('.admin-bar').boundingBox()).toMatchObject({ y: 0 });
  await box.fill('nadie se llama así');
  await expect(dialog.getByText('Nada coincide con «nadie se llama así».')).toBeVisible();
  await box.fill(member.email);
  const found = dialog.getByRole('region', { name: 'Personas' }).getByRole('link');
  await expect(found).toContainText(member.email);
  await page.keyboard.press('ArrowDown');
  await expect(found).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/people\/[0-9a-f-]{36}$/);
  await expect(dialog).toBeHidden();
  const inbox = page.getByRole('navigation', { name: 'Administración' }).getByRole('link', { name: /^Bandeja/ });
  const counts = (await (await page.request.get('/api/admin/inbox/counts')).json()) as Record<string, number>;
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  if (all > 0) await expect(inbox).toContainText(String(all));
  else await expect(inbox).toHaveText('Bandeja');
});

test('a search that fails says so', async ({ page, pageErrors }) => {
  pageErrors.expectStatus(500);
  await signInAsAdmin(page);
  await page.route('**/rpc/admin/find', (route) =>
    route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500 } } }),
  );
  await page.clock.install();
  await visit(page, '/admin/audit');
  await page.getByRole('button', { name: 'Buscar en la administración' }).click();
  await page.getByRole('searchbox').fill('algo');
  await expectAfterRetries(page, page.getByText('No se pudo buscar', { exact: false }));
});

test('a form says who else has it open', async ({ page, browser }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/news');
  const [row] = (
    (await (await page.request.get('/api/admin/news?size=1')).json()) as { rows: { id: string; title: string }[] }
  ).rows;
  expect(row).toBeDefined();
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const colleague = await signUp(context.request);
  await context.close();
  await page.route('**/rpc/admin/editorial/editing', (route) =>
    route.fulfill({ json: { json: { others: [{ name: colleague.username, since: new Date().toISOString() }] } } }),
  );
  await page.getByRole('button', { name: `Editar ${row?.title}` }).click();
  await expect(page.getByText('lo tiene abierto para editar desde', { exact: false })).toBeVisible();
});

test('a filter gets a name and a column goes away, and both are there after a new visit', async ({ page }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/news?status=inactive');
  await page.getByRole('button', { name: 'Vistas y columnas' }).click();
  const dialog = page.getByRole('dialog', { name: 'Vistas y columnas' });
  await dialog.getByRole('button', { name: 'Guardar vista' }).click();
  await expect(dialog.getByText('Escribe un nombre.')).toBeVisible();
  await dialog.getByLabel('Nombre de lo que se ve ahora').fill('Sin publicar');
  await dialog.getByRole('button', { name: 'Guardar vista' }).click();
  await expect(dialog.getByRole('button', { name: 'Sin publicar', exact: true })).toBeVisible();
  await dialog.getByLabel('Autor').uncheck();
  await expect(dialog.getByLabel('Autor')).not.toBeChecked();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(await a11yViolations(page)).toEqual([]);
  await visit(page, '/admin/news');
  await expect(page.getByRole('columnheader', { name: 'Título' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Autor' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Vistas y columnas' }).click();
  await dialog.getByRole('button', { name: 'Sin publicar', exact: true }).click();
  await expect(page).toHaveURL(/status=inactive/);
  await page.getByRole('button', { name: 'Vistas y columnas' }).click();
  await dialog.getByLabel('Autor').check();
  await dialog.getByRole('button', { name: 'Quitar la vista Sin publicar' }).click();
  await expect(dialog.getByText('Todavía no hay ninguna', { exact: false })).toBeVisible();
});

import type { Page } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectAfterRetries,
  expectNotice,
  listening,
  notice,
  otherBrowser,
  signInAsAdmin,
  test,
  visit,
} from './support.ts';

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('an announcement appears on open pages of visitors, in both languages, and disappears when it is removed', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(422);
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await signInAsAdmin(page);
  await visit(page, '/admin/settings');
  await visitor.goto(new URL('/about', page.url()).href);
  await listening(visitor);
  const part = group(page, 'Aviso en todas las páginas');
  // Without content there is no preview, and the button is disabled with the reason.
  const preview = part.getByRole('button', { name: 'Crear enlace' });
  await expect(preview).toBeDisabled();
  await expect(preview).toHaveAccessibleDescription('Escribe y guarda primero el aviso, en los dos idiomas.');
  await part.getByLabel('Aviso en español').fill('Esta noche no hay votaciones.');
  await part.getByRole('button', { name: 'Guardar' }).click();
  // One language alone is refused, beside the field that is missing.
  await expect(part.getByText('Escribe el aviso en los dos idiomas', { exact: false }).first()).toBeVisible();
  await part.getByLabel('Aviso en inglés').fill('No voting tonight.');
  await part.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Ajustes guardados');
  await expect(preview).toBeEnabled();
  await expect(visitor.getByText('Esta noche no hay votaciones.')).toBeVisible();
  await visitor.goto(new URL('/en/about', page.url()).href);
  await expect(visitor.getByText('No voting tonight.')).toBeVisible();
  expect(await (await page.request.get('/en/about')).text()).toContain('No voting tonight.');
  await expect(notice(page)).toHaveCount(0);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    // Otherwise the bar at the top can cover a part of a field, which is then measured as too small.
    await page.evaluate(() => scrollTo(0, 0));
    expect(await a11yViolations(page)).toEqual([]);
  }
  await part.getByLabel('Aviso en español').fill('');
  await part.getByLabel('Aviso en inglés').fill('');
  await part.getByRole('button', { name: 'Guardar' }).click();
  await expect(visitor.getByText('No voting tonight.')).toBeHidden();
  await context.close();
});

test('a stored secret is never shown, and mail and payments can be tested', async ({ page }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/settings');
  const payments = group(page, 'Pagos');
  await payments.getByLabel('Claves anteriores', { exact: true }).fill('old-key-of-the-shop');
  await payments.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Ajustes guardados');
  await page.reload();
  await expect(payments.getByLabel('Claves anteriores', { exact: true })).toHaveValue('');
  await expect(payments.getByPlaceholder('Guardado; vacío lo deja igual')).toHaveCount(1);
  expect(await page.content()).not.toContain('old-key-of-the-shop');
  // Not in an answer either: the value of a field is not part of the document.
  const settings = await (await page.request.get('/api/admin/settings')).text();
  expect(settings).toContain('paymentsOldKeys');
  expect(settings).not.toContain('old-key-of-the-shop');
  await payments.getByLabel('Quitar: Claves anteriores').check();
  await payments.getByRole('button', { name: 'Guardar' }).click();
  await expect(payments.getByPlaceholder('Guardado; vacío lo deja igual')).toHaveCount(0);
  const mail = group(page, 'Correo');
  await mail.getByRole('button', { name: 'Enviarme un correo de prueba' }).click();
  await expect(mail.getByText('No hay servidor de correo: no le llega a nadie.', { exact: false })).toBeVisible();
  await payments.getByRole('button', { name: 'Crear un pago de prueba' }).click();
  await expect(payments.getByText('El proveedor creó la factura:')).toBeVisible();
});

test('a setting that a colleague saved meanwhile is shown beside the own input, and no input is lost', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  await signInAsAdmin(page);
  await visit(page, '/admin/settings');
  const mine = group(page, 'Sitio');
  await mine.getByLabel('Buzón de ayuda').fill('mine@florka.test');
  await mine.getByLabel('Quién puede pedir una publicación').selectOption('off');
  const otherContext = await otherBrowser(browser);
  const colleague = await otherContext.newPage();
  await signInAsAdmin(colleague);
  await visit(colleague, '/admin/settings');
  const theirs = group(colleague, 'Sitio');
  await theirs.getByLabel('Buzón de ayuda').fill('theirs@florka.test');
  await theirs.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(colleague, 'Ajustes guardados');

  await mine.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'No se guardó ningún ajuste');
  await expect(mine.getByText('Ahora vale: theirs@florka.test', { exact: false })).toBeVisible();
  await expect(mine.getByLabel('Buzón de ayuda')).toBeFocused();
  await expect(mine.getByLabel('Buzón de ayuda')).toHaveValue('mine@florka.test');
  await expect(mine.getByLabel('Quién puede pedir una publicación')).toHaveValue('off');
  await mine.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Ajustes guardados');
  await expect(mine.getByText('Ahora vale', { exact: false })).toHaveCount(0);
  await visit(colleague, '/admin/settings');
  await expect(theirs.getByLabel('Buzón de ayuda')).toHaveValue('mine@florka.test');
  await theirs.getByLabel('Buzón de ayuda').fill('');
  await theirs.getByLabel('Quién puede pedir una publicación').selectOption('');
  await theirs.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(colleague, 'Ajustes guardados');
  await otherContext.close();
});

test('input typed while settings are being saved is kept', async ({ page }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/settings');
  const rounds = group(page, 'Calendario de rondas');
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/rpc/admin/settings/save', async (route) => {
    await held;
    await route.continue();
  });
  await rounds.getByLabel('Días de cada ronda').fill('14');
  const sent = page.waitForRequest('**/rpc/admin/settings/save');
  await rounds.getByRole('button', { name: 'Guardar' }).click();
  await sent;
  await rounds.getByLabel('Hora de cierre (UTC)').fill('7');
  release();
  await expectNotice(page, 'Ajustes guardados');
  await expect(rounds.getByLabel('Hora de cierre (UTC)')).toHaveValue('7');
  await expect(rounds.getByText('1 cambio sin guardar')).toBeVisible();
  await page.unroute('**/rpc/admin/settings/save');
  await rounds.getByLabel('Días de cada ronda').fill('');
  await rounds.getByLabel('Hora de cierre (UTC)').fill('');
  await rounds.getByRole('button', { name: 'Guardar' }).click();
  await expect(rounds.getByText('sin guardar')).toHaveCount(0);
});

test('a failed read of the settings is reported, and the page of the installation shows its state', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(500);
  await signInAsAdmin(page);
  await page.route('**/rpc/admin/settings/list', (route) =>
    route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500 } } }),
  );
  await page.clock.install();
  await visit(page, '/admin/settings');
  await expectAfterRetries(page, page.getByText('No se pudieron cargar los ajustes', { exact: false }));
  await page.unroute('**/rpc/admin/settings/list');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByLabel('Buzón de ayuda')).toBeVisible();
  await visit(page, '/en/admin/doctor');
  await expect(page.getByRole('heading', { name: 'State of the installation' })).toBeVisible();
  await expect(group(page, 'Database').getByText('PostgreSQL', { exact: true })).toBeVisible();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await a11yViolations(page)).toEqual([]);
  }
});

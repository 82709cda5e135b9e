import { PNG } from './images.ts';
import { a11yViolations, expect, expectNotice, OwnServer, signInAsAdmin, test, visit } from './support.ts';

const site = new OwnServer({ ADMIN_SECOND_FACTOR: 'off' });
test.beforeAll(() => site.start());
test.afterAll(() => site.end());

test('an admin names the site, offers one language, annotates a price and sets the calendar, without a restart', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: site.url, locale: 'en-GB' });
  const back = await browser.newContext({ baseURL: site.url });
  const [visitor, page] = [await context.newPage(), await back.newPage()];
  await signInAsAdmin(page);
  await visit(page, '/admin/settings');
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const save = async (name: string) => {
    // The notice of the part before may still be there; its answer adds lines above the next part.
    const answer = page.waitForResponse((response) => response.url().includes('/rpc/admin/settings/save'));
    await part(name).getByRole('button', { name: 'Guardar' }).click();
    expect((await answer).status()).toBe(200);
    await expect(part(name).getByRole('button', { name: 'Guardar' })).toBeDisabled();
    await expectNotice(page, 'Ajustes guardados');
  };

  // By the keyboard alone: from the field to its button.
  await part('Sitio').getByLabel('Nombre del sitio').focus();
  await page.keyboard.type('Tómbola');
  await page.keyboard.press('Enter');
  await expectNotice(page, 'Ajustes guardados');
  await expect(page).toHaveTitle(/ · Tómbola$/);

  await part('Notas de los precios').getByLabel('Plan BASIC, en español').fill('IVA incluido');
  await part('Notas de los precios').getByLabel('Plan BASIC, en inglés').fill('VAT included');
  await save('Notas de los precios');
  await part('Calendario de rondas').getByLabel('Días de cada ronda').fill('7');
  await part('Calendario de rondas').getByLabel('Hora de cierre (UTC)').fill('20');
  await save('Calendario de rondas');

  await visitor.goto('/en/prices');
  await expect(visitor).toHaveTitle(/ · Tómbola$/);
  await expect(visitor.getByRole('link', { name: 'Tómbola BETA' })).toBeVisible();
  await expect(visitor.getByText('VAT included')).toBeVisible();
  expect(await visitor.content()).not.toContain('Florka');
  await expect(visitor.getByRole('link', { name: 'Español' })).toBeVisible();

  await part('Sitio').getByLabel('Idiomas del sitio').selectOption({ label: 'Solo español' });
  await save('Sitio');
  // The page that is open loses its switch at once, and the next one is in the other language.
  await expect(visitor.getByRole('link', { name: 'Español' })).toHaveCount(0);
  await visitor.goto('/en/prices');
  await expect(visitor).toHaveURL(`${site.url}/prices`);
  await expect(visitor.getByText('IVA incluido')).toBeVisible();
  await expect(visitor.locator('.language-offer')).toHaveCount(0);
  await expect(visitor.locator('link[hreflang]')).toHaveCount(0);
  // The back office keeps both.
  await expect(page.getByRole('link', { name: 'English' })).toBeVisible();

  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await a11yViolations(page)).toEqual([]);
  }
  await visit(page, '/admin/votes');
  await expect(page.getByText('Después se abre otra ronda de 7 días.')).toBeVisible();
  await context.close();
  await back.close();
});

test('an admin sets the site’s own mark, which every open page shows, and removes it again', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: site.url, locale: 'es-ES' });
  const back = await browser.newContext({ baseURL: site.url });
  const [visitor, page] = [await context.newPage(), await back.newPage()];
  await visit(visitor, '/prices');
  const head = visitor.locator('head');
  const drawn = visitor.locator('header svg[viewBox="0 0 32 32"]').first();
  await expect(drawn).toBeVisible();
  await expect(head.locator('link[rel=icon]')).toHaveAttribute('href', '/favicon.svg');
  await signInAsAdmin(page);
  await visit(page, '/admin/settings');
  const part = page.getByRole('region', { name: 'Sitio', exact: true });
  const input = part.locator('input[type=file]');
  // An SVG with scripts is refused, whatever type is declared.
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const mimeType of ['image/svg+xml', 'image/png']) {
    await input.setInputFiles({ name: 'mark.png', mimeType, buffer: svg });
    await expect(part.getByText('Tipo de archivo no permitido.', { exact: false })).toBeVisible();
  }
  await input.setInputFiles({ name: 'mark.png', mimeType: 'image/png', buffer: PNG });
  await expectNotice(page, 'Imagen subida exitosamente');
  await part.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Ajustes guardados');

  const mark = visitor.locator('header img').first();
  await expect(mark).toHaveAttribute('src', /^\/media\/[0-9a-f]{32}-96\.webp$/);
  await expect(drawn).toHaveCount(0);
  await expect(head.locator('link[rel=icon]')).toHaveCount(1);
  await expect(head.locator('link[rel=icon]')).toHaveAttribute('href', /^\/media\/[0-9a-f]{32}-512\.png$/);
  expect(
    await mark.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0);
  for (const width of [360, 768, 1280]) {
    await visitor.setViewportSize({ width, height: 900 });
    expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(await a11yViolations(visitor)).toEqual([]);
  expect(await a11yViolations(page)).toEqual([]);
  const html = await (await visitor.request.get('/prices')).text();
  expect(html.match(/<link rel="icon"[^>]*>/g)).toEqual([expect.stringContaining('/media/')]);
  // Also where there is no such page.
  await visitor.goto('/no-such-page');
  await expect(visitor.locator('header img, main img').first()).toHaveAttribute('src', /\/media\//);

  await visit(visitor, '/prices');
  await part.getByRole('button', { name: 'Quitar imagen' }).click();
  await part.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Ajustes guardados');
  await expect(drawn).toBeVisible();
  await expect(head.locator('link[rel=icon]')).toHaveAttribute('href', '/favicon.svg');
  await context.close();
  await back.close();
});

import { a11yViolations, expect, expectNotice, OwnServer, signInAsAdmin, test, visit } from './support.ts';

const site = new OwnServer({ ADMIN_SECOND_FACTOR: 'off' });
test.beforeAll(() => site.start());
test.afterAll(() => site.end());

test('an operator names the site, offers one language, annotates a price and sets the calendar, without a restart', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: site.url, locale: 'en-GB' });
  const back = await browser.newContext({ baseURL: site.url });
  const [visitor, page] = [await context.newPage(), await back.newPage()];
  await signInAsAdmin(page);
  await visit(page, '/admin/settings');
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const save = async (name: string) => {
    await part(name).getByRole('button', { name: 'Guardar' }).click();
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

import { a11yViolations, expect, otherBrowser, signInAsAdmin, test, visit } from './support.ts';

test('the form of a schedule refuses a time that a clock change skips, with one message', async ({ browser }) => {
  const otherContext = await otherBrowser(browser, { timezoneId: 'Europe/Madrid' });
  const page = await otherContext.newPage();
  await signInAsAdmin(page);
  const title = `Cambio de hora ${Date.now().toString(36)}`;
  const made = await page.request.post('/api/admin/news', { data: { title, content: 'Texto', isActive: false } });
  expect(made.ok()).toBe(true);
  await visit(page, `/admin/news?q=${encodeURIComponent(title)}`);
  await page.getByRole('button', { name: `Programar ${title}` }).click();
  const form = page.getByRole('dialog');
  const skipped = form.getByText('Esa hora no existe ese día', { exact: false });
  await form.getByLabel('Se publica').fill('28/03/2027 02:30');
  await expect(skipped).toHaveCount(1);
  await form.getByRole('button', { name: 'Guardar' }).click();
  await expect(form.getByLabel('Se publica')).toHaveAttribute('aria-invalid', 'true');
  await expect(skipped).toHaveCount(1);
  await expect(form.getByText('Escribe un día y una hora.')).toHaveCount(0);
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await a11yViolations(page)).toEqual([]);
  }
  // Another incomplete time has the sentence of the field.
  await form.getByLabel('Se publica').fill('28/03');
  await form.getByRole('button', { name: 'Guardar' }).click();
  await expect(form.getByText('Escribe un día y una hora.')).toBeVisible();
  await expect(skipped).toHaveCount(0);
  await otherContext.close();
});

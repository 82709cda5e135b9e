import { a11yViolations, expect, expectNotice, notice, signInAsAdmin, test, visit } from './support.ts';

const CHANGED = 'Otra persona lo cambió mientras tanto. Mira cómo está ahora y vuelve a intentarlo.';
const PAGES = ['/about', '/how-voting-works', '/prices', '/terms', '/privacy', '/risk', '/contact'];

test('the footer links to the pages about the site, which exist in both languages', async ({ page }) => {
  await visit(page, '/');
  const footer = page.getByRole('contentinfo').getByRole('navigation', { name: 'Sobre el sitio' });
  for (const path of PAGES) await expect(footer.locator(`a[href="${path}"]`)).toBeVisible();
  await footer.getByRole('link', { name: 'Aviso de riesgo' }).click();
  await expect(page.getByText('Los criptoactivos pueden perder todo su valor.')).toBeVisible();
  for (const path of PAGES)
    for (const prefix of ['', '/en']) {
      const answer = await visit(page, prefix + path);
      expect(answer?.status()).toBe(200);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.title()).toMatch(/ · Florka$/);
      expect(await page.locator('meta[name=description]').getAttribute('content')).toBeTruthy();
    }
  await visit(page, '/prices');
  await expect(page.getByRole('main').getByText('5.000,00 USD')).toBeVisible();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/terms', '/prices']) {
      await visit(page, path);
      expect(await a11yViolations(page)).toEqual([]);
    }
  }
});

test('an admin writes a page in both languages, and restores an older version', async ({
  page,
  browser,
  pageErrors,
}) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/site-pages');
  await page.getByRole('button', { name: 'Editar Términos' }).click();
  const form = page.getByRole('dialog', { name: 'Editar Términos' });
  await expect(form.getByLabel('Título en español')).toHaveValue('Términos de uso');
  await form.getByLabel('Título en inglés').fill('');
  await form.getByRole('button', { name: 'Publicar' }).click();
  await expect(form.getByText('Escribe el texto en los dos idiomas.')).toBeVisible();
  await form.getByLabel('Título en inglés').fill('Our terms');
  await form.getByLabel('Texto en español').fill('## Primera regla\n- Sé **amable**. <script>alert(1)</script>');
  await form.getByRole('button', { name: 'Publicar' }).click();
  await expectNotice(page, 'Página publicada');
  await expect(page.getByText('Versión 1', { exact: false })).toBeVisible();

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(new URL('/terms', page.url()).href);
  await expect(visitor.getByRole('heading', { name: 'Primera regla', level: 2 })).toBeVisible();
  await expect(visitor.getByText('<script>alert(1)</script>')).toBeVisible();
  await visitor.goto(new URL('/en/terms', page.url()).href);
  await expect(visitor.getByRole('heading', { name: 'Our terms', level: 1 })).toBeVisible();

  // The text of the contact page may name a contact method that the program does not know.
  const none = visitor.getByText('Quien opera este sitio no ha publicado un correo de contacto.');
  await visitor.goto(new URL('/contact', page.url()).href);
  await expect(none).toBeVisible();
  await page.getByRole('button', { name: 'Editar Contacto' }).click();
  const contact = page.getByRole('dialog', { name: 'Editar Contacto' });
  await contact.getByLabel('Texto en español').fill('Escribe a [nuestro buzón](mailto:hola@florka.test).');
  await contact.getByRole('button', { name: 'Publicar' }).click();
  await expect(contact).toBeHidden();
  await visitor.goto(new URL('/contact', page.url()).href);
  await expect(visitor.getByRole('link', { name: 'nuestro buzón' })).toBeVisible();
  await expect(none).toHaveCount(0);

  await page.getByRole('button', { name: 'Editar Términos' }).click();
  await form.getByLabel('Texto en español').fill('Otra cosa.');
  await form.getByRole('button', { name: 'Publicar' }).click();
  await expect(page.getByText('Versión 2', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Historial de Términos' }).click();
  await page.getByRole('button', { name: 'Restaurar la versión 1' }).click();
  // Saved elsewhere while the question is open: it is not replaced before somebody has seen it.
  const texts = { titleEs: 'Términos', bodyEs: 'De otra persona.', titleEn: 'Terms', bodyEn: 'Of somebody else.' };
  const saved = await page.request.put('/api/admin/site-pages/terms', { data: { version: 2, ...texts } });
  expect(saved.ok()).toBe(true);
  await expect(page.getByText('Versión 3', { exact: true })).toBeVisible();
  const question = page.getByRole('alertdialog');
  pageErrors.expectStatus(409);
  await question.getByRole('button', { name: 'Restaurar' }).click();
  await expectNotice(page, 'No se pudo restaurar la versión', CHANGED);
  await expect(question).toHaveCount(0);
  await expect(page.getByText('Publicada ahora')).toBeVisible();
  await page.getByRole('button', { name: 'Restaurar la versión 1' }).click();
  await question.getByRole('button', { name: 'Restaurar' }).click();
  await expectNotice(page, 'Versión publicada otra vez');
  await expect(page.getByText('Texto de la versión 1')).toBeVisible();
  await visitor.goto(new URL('/terms', page.url()).href);
  await expect(visitor.getByRole('heading', { name: 'Primera regla' })).toBeVisible();
  // Its colours are mixed while it fades out.
  await expect(notice(page)).toHaveCount(0);
  expect(await a11yViolations(page)).toEqual([]);
  await visitor.context().close();
});

test('the risk notice is on the pages of tokens', async ({ page, request }) => {
  const { items } = (await (await request.get('/api/projects?limit=1')).json()) as { items: { tokenSlug: string }[] };
  for (const [path, words] of [
    [`/token/${items[0]?.tokenSlug}`, 'Los criptoactivos pueden perder todo su valor.'],
    [`/en/token/${items[0]?.tokenSlug}`, 'Crypto-assets can lose all of their value.'],
  ] as const) {
    await visit(page, path);
    await expect(page.getByRole('complementary').filter({ hasText: words })).toBeVisible();
  }
});

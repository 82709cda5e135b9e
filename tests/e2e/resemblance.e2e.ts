import type { Locator, Page } from '@playwright/test';
import { a11yViolations, expect, expectNotice, otherBrowser, signInAsAdmin, test, visit } from './support.ts';
import { fill, goToPayment, guest } from './wizard.ts';

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** No overflow and no accessibility violation at three widths, in both themes. */
async function expectWhole(page: Page, shown: Locator): Promise<void> {
  for (const width of [360, 768, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await expect(shown).toBeVisible();
      expect(await overflow(page)).toBe(0);
      expect(await a11yViolations(page)).toEqual([]);
    }
}

test('a request for a token that resembles another is sent and published only after a confirmation', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  const mark = Date.now().toString(36);
  const otherContext = await otherBrowser(browser);
  const admin = await otherContext.newPage();
  await signInAsAdmin(admin);
  const original = await admin.request.post('/api/admin/projects', {
    data: {
      tokenName: `Jilguero ${mark}`,
      tokenSymbol: 'JILGUE',
      tokenAddress: `address-of-jilguero-${mark}`,
      status: 'published_home',
    },
  });
  expect(original.status()).toBe(200);

  // The applicant sees which token is similar and why, and either changes something or sends it as it is.
  await visit(page, '/publish');
  const to = `ana-${mark}@florka.test`;
  await page.getByLabel('Nombre del proyecto').fill(`Jilguer0 ${mark}`);
  await page.getByLabel('Símbolo').fill('JILGUE');
  await page.getByLabel('Descripción').fill('Canta.');
  await page.getByLabel('Tu nombre').fill('Ana');
  await page.getByLabel('Tu correo').fill(to);
  await page.getByRole('button', { name: 'Enviar a revisión' }).click();
  const alike = page.getByRole('region', { name: 'Se parece a un token que ya está en Florka' });
  await expect(alike).toContainText(`Jilguero ${mark}`);
  await expect(alike).toContainText('Proyecto · Se parece en: nombre, símbolo');
  await expect(alike.getByRole('link', { name: `Jilguero ${mark}` })).toHaveAttribute('target', '_blank');
  await expect(alike.getByRole('heading')).toBeFocused();
  await expectWhole(page, alike);
  await page.getByLabel('Símbolo').fill('JILG');
  await expect(alike).toHaveCount(0);
  await page.getByRole('button', { name: 'Enviar a revisión' }).click();
  await expect(alike).toContainText('Se parece en: nombre');
  await alike.getByRole('button', { name: 'Lo he mirado, enviar así' }).click();
  await expect(page).toHaveURL(/\/submission\//);

  // The team sees it in the request, and has to confirm it before a project is created from it.
  const id = /submission\/([0-9a-f-]{36})/.exec(page.url())?.[1];
  await visit(admin, `/admin/submissions?open=${id}`);
  const dialog = admin.getByRole('dialog', { name: 'Solicitud de Ana' });
  await expect(dialog.getByRole('region', { name: 'Se parece a' })).toContainText(`Jilguero ${mark}`);
  await expectWhole(admin, dialog);
  await dialog.getByRole('button', { name: 'Crear proyecto NEXT' }).click();
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Aprobar y crear' }).click();
  const question = admin.getByRole('alertdialog', { name: 'Se parece a otro token' });
  await expect(question).toContainText(`Jilguero ${mark}`);
  await expect(question.getByRole('button', { name: 'Guardar así' })).toBeDisabled();
  await expectWhole(admin, question);
  await question.getByLabel('Lo he mirado y no suplanta a ninguno.').check();
  await question.getByRole('button', { name: 'Guardar así' }).click();
  await expectNotice(admin, 'Proyecto creado');
  await otherContext.close();
});

test('a token that resembles another is paid for in the wizard only after a confirmation', async ({ browser }) => {
  test.setTimeout(90_000);
  const mark = Date.now().toString(36);
  const otherContext = await otherBrowser(browser);
  const admin = await otherContext.newPage();
  await signInAsAdmin(admin);
  const data = {
    tokenName: `Abubilla ${mark}`,
    tokenSymbol: 'ABUBI',
    tokenAddress: `address-of-abubilla-${mark}`,
    status: 'published_home',
  };
  expect((await admin.request.post('/api/admin/projects', { data })).status()).toBe(200);
  await otherContext.close();

  const { page, context, pageErrors } = await guest(browser);
  pageErrors.expectStatus(401, 409);
  await visit(page, '/create');
  await fill(page, { name: `Abubi11a ${mark}` });
  await goToPayment(page);
  await page.getByRole('button', { name: 'Crear pago' }).click();
  const alike = page.getByRole('region', { name: 'Se parece a un token que ya está en Florka' });
  await expect(alike).toContainText(`Abubilla ${mark}`);
  await expect(alike).toContainText('Proyecto · Se parece en: nombre');
  await expect(alike.getByRole('heading')).toBeFocused();
  await expectWhole(page, alike);
  const opened = context.waitForEvent('page');
  await alike.getByRole('button', { name: 'Lo he mirado, pagar así' }).click();
  await (await opened).waitForURL(/\/sandbox\/pay\/\d+$/);
  await expect(page.getByText('Esperando pago', { exact: true })).toBeVisible();
  await expect(alike).toHaveCount(0);
  await context.close();
});

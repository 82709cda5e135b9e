import type { Page, Route } from '@playwright/test';
import { a11yViolations, expect, expectAfterRetries, OwnServer, signInAsAdmin, test, visit } from './support.ts';

const PHONE = { width: 360, height: 800 };
const DESKTOP = { width: 1280, height: 900 };

test.describe.configure({ timeout: 180_000 });
const server = new OwnServer({ ADMIN_SECOND_FACTOR: 'off' });
test.use({ baseURL: server.url });
test.beforeAll(() => server.start());
test.afterAll(() => server.end());

/** No accessibility violation and no overflow, on a phone and on a desktop. */
async function atBothWidths(page: Page, look: () => Promise<void> = async () => {}): Promise<void> {
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    await look();
    expect(await a11yViolations(page)).toEqual([]);
  }
}

const SCREENS = [
  {
    path: '/admin/money',
    reads: 'money/list',
    empty: 'Todavía no hay dinero que mostrar',
    failed: 'No se pudo cargar el dinero',
  },
  {
    path: '/admin/settlement',
    reads: 'settlement/list',
    empty: 'Todavía no se sabe si hay diferencias',
    failed: 'No se pudieron cargar las diferencias',
  },
  {
    path: '/admin/settlement',
    reads: 'settlement/runs',
    empty: 'Todavía no se ha comparado nada.',
    failed: 'No se pudieron leer las comparaciones',
  },
  {
    path: '/admin/token-creation',
    reads: 'unplaced/list',
    empty: 'No hay solicitudes de tokens disponibles',
    failed: 'No se pudo leer el dinero sin colocar',
  },
];
for (const { path: address, reads, empty, failed } of SCREENS)
  test(`${address} shows an empty state, and a failed read of ${reads}`, async ({ page, pageErrors }) => {
    pageErrors.expectStatus(500);
    await signInAsAdmin(page);
    await visit(page, address);
    await atBothWidths(page, () => expect(page.getByText(empty, { exact: true })).toBeVisible());
    await page.clock.install();
    const broken = (route: Route) => route.fulfill({ status: 500, json: {} });
    await page.route(`**/rpc/admin/${reads}*`, broken);
    await visit(page, address);
    const alert = page.getByRole('alert').filter({ hasText: `${failed}: ` });
    await expectAfterRetries(page, alert);
    await atBothWidths(page);
    await page.unroute(`**/rpc/admin/${reads}*`);
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect(alert).toBeHidden();
  });

test('the screen of money and its file of payments are filtered by network', async ({ page }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/money');
  await page.getByRole('combobox', { name: 'Red', exact: true }).selectOption({ label: 'BNB Chain' });
  await expect(page).toHaveURL(/network=bnb/);
  // The file is as narrow as the list.
  await expect(page.getByRole('link', { name: 'Pagos uno a uno (CSV)' })).toHaveAttribute('href', /network=bnb/);
});

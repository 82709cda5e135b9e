import type { Browser, BrowserContext, Page } from '@playwright/test';
import type pg from 'pg';
import { expect, otherBrowser, type PageErrors, test, watch } from './support.ts';

let database: pg.Client;
/** For each file of scenarios about the wizard: its database connection, and the response statuses that are not errors. */
export function wizardScenarios(): void {
  test.describe.configure({ timeout: 90_000 });
  test.beforeAll(({ database: own }) => {
    database = own;
  });
  // People of these tests share a network, so some of them need a proof of work: the page computes it.
  test.beforeEach(({ pageErrors }) => pageErrors.expectStatus(428));
}
export const query = (text: string, values: unknown[]) => database.query(text, values);

export const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const BAD_WALLET = WALLET.replace('5aA', '5aa');

export const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });
export const saved = (page: Page) =>
  expect(page.getByText('Guardado', { exact: true })).toBeVisible({ timeout: 12_000 });
export const linkOf = (page: Page) => page.getByLabel('Enlace privado').inputValue();

let serial = 0;
const newName = () => `Ajolote ${Date.now().toString(36)}${++serial}`;

export async function fill(page: Page, over: { name?: string; wallet?: string } = {}): Promise<string> {
  const name = over.name ?? newName();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Ticker', { exact: true }).fill('AJO');
  await page.getByLabel('Description', { exact: true }).fill('Un token de lago.');
  await page.getByLabel('Red blockchain', { exact: true }).selectOption({ label: 'Ethereum' });
  await page.getByLabel('Wallet del propietario', { exact: true }).fill(over.wallet ?? WALLET);
  await page.getByLabel('Correo electrónico', { exact: true }).fill('ana@florka.test');
  await page.getByLabel('Usuario de Telegram', { exact: true }).fill('@ana');
  return name;
}
/** From step 1 to the payment. */
export async function goToPayment(page: Page, plan?: string): Promise<void> {
  for (const name of ['Mercado', 'Redes y contacto', 'Plan']) {
    await next(page).click();
    await expect(heading(page, name)).toBeFocused();
  }
  if (plan) await page.getByRole('radio', { name: plan }).check();
  await next(page).click();
  await expect(heading(page, 'Pago')).toBeFocused();
}
/** Creates the payment; answers with the provider's page. */
export async function createPayment(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Crear pago' }).click();
  const tab = await opened;
  await tab.waitForURL(/\/sandbox\/pay\/\d+$/);
  await expect(page.getByText('Esperando pago', { exact: true })).toBeVisible();
  return tab;
}
export const play = (tab: Page, action: string) => tab.getByRole('button', { name: action, exact: true }).click();
/** The draft with this name, as the database has it. */
export async function rowOf(name: string) {
  const { rows } = await database.query(
    `select r.*, (select count(*)::int from payments p where p.submission_id = r.id) as payments
     from token_creation_submissions r where token_data ->> 'tokenName' = $1`,
    [name],
  );
  return rows;
}
/** Another person in another browser; its errors count too. */
export async function guest(
  browser: Browser,
): Promise<{ page: Page; context: BrowserContext; pageErrors: PageErrors }> {
  const context = await otherBrowser(browser);
  const pageErrors = watch(context);
  pageErrors.expectStatus(428);
  return { context, pageErrors, page: await context.newPage() };
}

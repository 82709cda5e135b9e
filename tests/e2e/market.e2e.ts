import type { APIRequestContext } from '@playwright/test';
import { html, pairOf, startMarketServer } from '../support/services/market-server.ts';
import { a11yViolations, expect, listening, OwnServer, signInAsAdmin, test, visit } from './support.ts';

const MINT = 'FLoRkAmarketstory1111111111111111111111111x';
const provider = await startMarketServer();
const server = new OwnServer({ ADMIN_SECOND_FACTOR: 'off', ...provider.env });
test.use({ baseURL: server.url });
test.beforeAll(() => server.start());
test.afterAll(async () => {
  await server.end();
  provider.close();
});

async function rows(text: string, values: unknown[] = []) {
  const database = await server.database();
  try {
    return (await database.query(text, values)).rows;
  } finally {
    await database.end();
  }
}
/** Queues the job immediately; its schedule runs it every minute. */
async function refresh() {
  const [job] = await rows(`insert into jobs.job (name, data) values ('refresh-market', '{}') returning id`);
  await expect
    .poll(() => rows('select state from jobs.job where id = $1', [job.id]), { timeout: 15_000, intervals: [200] })
    .toEqual([{ state: 'completed' }]);
}
async function project(request: APIRequestContext, over: object = {}): Promise<{ id: string; tokenSlug: string }> {
  const response = await request.post('/api/admin/projects', {
    headers: { origin: server.url },
    data: {
      tokenName: 'Bolsa Viva',
      tokenSymbol: 'BOLSA',
      resemblanceAccepted: true,
      tokenAddress: MINT,
      marketCap: '$12.1k',
      status: 'approved',
      ...over,
    },
  });
  expect(response.status()).toBe(200);
  return (await response.json()) as { id: string; tokenSlug: string };
}

test('a figure shows its source and its time, and unknown or outdated figures are marked [CAND-13..17] [AMB-100] [AMB-78]', async ({
  page,
}) => {
  await signInAsAdmin(page);
  const { tokenSlug } = await project(page.request);
  await visit(page, `/token/${tokenSlug}`);
  await listening(page);
  const main = page.getByRole('main');
  const figure = (label: string) => main.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) });
  await expect(figure('Current Price')).toContainText('$0.00');
  await expect(figure('Current Price')).toContainText('Sin datos');
  await expect(figure('Market Cap')).toContainText('$12,1\u00a0K');
  await expect(figure('Market Cap')).toContainText('Introducido por el equipo, este minuto');
  await expect(figure('Holders')).toContainText('Sin datos');
  await expect(main.getByRole('heading', { name: 'Precio en el tiempo' })).toHaveCount(0);
  await expect(main.getByText('Liquidez')).toHaveCount(0);

  // The provider answers, and the open page follows.
  provider.box.pairs = [pairOf(MINT)];
  provider.box.holders.set(`solana/${MINT}`, 321);
  await refresh();
  await expect(figure('Current Price')).toContainText('$0,002500');
  await expect(figure('Current Price')).toContainText('DexScreener, este minuto');
  await expect(figure('Market Cap')).toContainText('$2,5\u00a0M');
  await expect(figure('24h Volume')).toContainText('$1\u00a0K');
  await expect(figure('Liquidez')).toContainText('$50\u00a0K');
  await expect(figure('Holders')).toContainText('321');
  await expect(figure('Holders')).toContainText('GeckoTerminal');
  await expect(figure('Max Supply')).toContainText('Sin datos');
  await expect(figure('Red')).toContainText('Solana');

  // A month of prices, with a gap of some days.
  await rows(`
    insert into market_prices (network, address, at, price)
    select 'solana', '${MINT}', date_trunc('hour', now()) - h * interval '1 hour', 0.002 + 0.0004 * sin(h / 20.0)
    from generate_series(1, 720) h where h not between 60 and 110`);
  await visit(page, `/token/${tokenSlug}`);
  const prices = main.locator('section').filter({ has: page.getByRole('heading', { name: 'Precio en el tiempo' }) });
  const range = prices.getByRole('group', { name: 'Periodo' });
  await range.getByRole('button', { name: '7 días' }).click();
  const table = prices.getByRole('table', { name: 'Precio de Bolsa Viva en dólares, 7 días' });
  await expect(table).toBeAttached();
  // 56 steps of three hours, without those of the gap.
  await expect
    .poll(async () => {
      const lines = await table.getByRole('row').count();
      return lines > 35 && lines < 45;
    })
    .toBe(true);
  // The line is interrupted at the gap.
  await expect(prices.locator('path[stroke]').first()).toHaveAttribute('d', /^M[^M]+M[^M]+$/);
  await range.getByRole('button', { name: '7 días' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(prices.getByRole('table', { name: /30 días/ })).toBeAttached();
  await expect(range.getByRole('button', { name: '30 días' })).toHaveAttribute('aria-pressed', 'true');
  await expect(prices.getByText(/Precios registrados por Florka desde el .* Fuente: DexScreener\./)).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);

  // The providers stop responding: the last values stay, marked as out of date.
  provider.box.trouble = html(503);
  await rows(`update market_figures set at = at - interval '2 hours'`);
  await rows(`select pg_notify('live', '{"type":"domain.changed","domain":"market"}')`);
  await expect(figure('Current Price')).toContainText('hace 2 h');
  await expect(figure('Current Price')).toContainText('desactualizado');
  await expect(figure('Current Price')).toContainText('$0,002500');
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});

test('the form of a project shows the provider’s figures, and that these are the public ones', async ({ page }) => {
  provider.box.trouble = () => false;
  const mint = MINT.replace('x', 'y');
  provider.box.pairs = [pairOf(mint, { priceUsd: '0.5' })];
  await rows('delete from market_sources');
  await signInAsAdmin(page);
  await project(page.request, { tokenName: 'Bolsa Quieta', tokenAddress: mint });
  await refresh();
  await visit(page, '/admin/projects?q=Bolsa+Quieta');
  await page
    .getByRole('row')
    .filter({ hasText: 'Bolsa Quieta' })
    .getByRole('button', { name: /Editar/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const note = dialog.locator('section').filter({ has: page.getByRole('heading', { name: 'Datos del proveedor' }) });
  await expect(note).toContainText('$0,5000');
  await expect(note).toContainText('DexScreener, este minuto');
  await expect(note).toContainText('Lo que dice el proveedor es lo que ve el público.');
  await dialog.getByLabel('Red de la dirección').selectOption({ label: 'Solana' });
  await dialog.getByRole('button', { name: 'Actualizar' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await rows(`select network, market_cap from projects where token_name = 'Bolsa Quieta'`)).toEqual([
    { network: 'solana', market_cap: '$12.1k' },
  ]);
});

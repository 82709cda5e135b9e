import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { a11yViolations, expect, otherBrowser, rankingOf, signInAsAdmin, test, visit } from './support.ts';
import { fill, guest, heading, next, rowOf, wizardScenarios } from './wizard.ts';

wizardScenarios();

const DRAFT = {
  tokenName: 'Ajolote de los informes',
  tokenSymbol: 'AIN',
  description: 'Un token de lago.',
  ownerWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  selectedNetwork: 'ethereum',
  petitionerEmail: `informes-${randomBytes(4).toString('hex')}@florka.test`,
  petitionerTelegram: '@ana',
};

/** Runs the job for the totals of the reports now, instead of at the next quarter of an hour. */
async function sumNow(database: pg.Client): Promise<void> {
  const { rows } = await database.query(
    `insert into jobs.job (name, data, retry_limit, policy) select name, '{}', 0, policy from jobs.queue where name = 'sum-reports' returning id`,
  );
  await expect
    .poll(
      async () => (await database.query('select state from jobs.job where id = $1', [rows[0]?.id])).rows[0]?.state,
      {
        timeout: 30_000,
      },
    )
    .toBe('completed');
}

test('the actions of buyers and voters are counted in the reports, in the tables and their files', async ({
  page,
  browser,
  member,
  database,
}) => {
  await signInAsAdmin(page);
  const file = async (name: string) => {
    const [head = '', first = ''] = (await (await page.request.get(`/api/admin/${name}.csv`)).text()).split('\n');
    const [titles, cells] = [head, first].map((line) => line.trim().split(/[,;]/));
    return Object.fromEntries(
      (titles ?? []).map((title, i) => [title.replaceAll('"', '').replace('\uFEFF', ''), cells?.[i]]),
    );
  };
  await sumNow(database);
  const list = async () =>
    ((await (await page.request.get('/api/admin/funnel?size=1')).json()) as { rows: Record<string, number>[] })
      .rows[0] ?? {};
  const before = await list();

  const buyer = await otherBrowser(browser);
  // Another buyer begins an order and does not continue it.
  const begun = await buyer.request.post('/api/token-requests', { data: { data: { tokenName: 'Solo un nombre' } } });
  expect(begun.ok()).toBe(true);
  const made = await buyer.request.post('/api/token-requests', { data: { data: DRAFT } });
  const { id, secret } = (await made.json()) as { id: string; secret: string };
  const paying = await buyer.request.post(`/api/token-requests/${id}/payment`, {
    data: { secret, plan: 'basic', locale: 'es', resemblanceAccepted: true },
  });
  const { paymentUrl, orderId } = (await paying.json()) as { paymentUrl: string; orderId: string };
  await buyer.request.post(new URL(paymentUrl).pathname, {
    form: { action: 'pay_all', currency: 'eth' },
    maxRedirects: 0,
  });
  await expect
    .poll(
      async () => (await database.query('select state from payments where order_id = $1', [orderId])).rows[0]?.state,
      {
        timeout: 20_000,
      },
    )
    .toBe('paid');
  // A third one leaves the wizard at its third step, without a field changed since the first.
  const leaver = await guest(browser);
  await visit(leaver.page, '/create');
  const name = await fill(leaver.page);
  for (const step of ['Mercado', 'Redes y contacto']) {
    await next(leaver.page).click();
    await expect(heading(leaver.page, step)).toBeFocused();
  }
  await expect.poll(async () => (await rowOf(name))[0]?.furthest_step).toBe(3);
  const voter = await otherBrowser(browser);
  await member(voter);
  const [candidate] = await rankingOf(voter.request);
  const vote = await voter.request.post(`/api/candidates/${candidate?.id}/votes`, { data: {} });
  expect(vote.ok()).toBe(true);

  await sumNow(database);
  const after = await list();
  const grown = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  expect(['started', 'filled', 'ordered', 'paid', 'delivered'].map(grown)).toEqual([3, 2, 1, 1, 0]);
  expect(['step2', 'step3', 'step4', 'step5'].map(grown)).toEqual([2, 2, 1, 1]);

  await visit(page, '/admin/reports');
  const funnel = page.getByRole('region', { name: 'De la idea al token' });
  await expect(funnel.getByText(/por la semana \(UTC\).*Los pedidos en simulación cuentan/)).toBeVisible();
  const row = funnel.getByRole('row').nth(1);
  for (const name of ['started', 'filled', 'ordered', 'paid']) await expect(row).toContainText(String(after[name]));
  await expect(funnel.getByRole('columnheader')).toHaveText([
    'Semana UTC del',
    'Empezadas',
    'Con los datos',
    /^2\. /,
    /^3\. /,
    /^4\. /,
    /^5\. /,
    'Con pedido',
    'Pagadas',
    'Entregadas',
  ]);
  await expect(row.getByRole('cell').nth(3)).toContainText(String(after['step3']));
  const voters = page.getByRole('region', { name: 'Votantes que vuelven' });
  await expect(voters.getByRole('row').nth(1).getByRole('cell').first()).toHaveText(/[1-9]/);
  const written = await file('funnel');
  expect(Object.values(written)).toContain(String(after['filled']));
  expect(written['step3']).toBe(String(after['step3']));
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.evaluate(() => window.scrollTo(0, 0));
    // A row is a card on a phone, which names its figures.
    const named = await funnel
      .locator('td')
      .first()
      .evaluate((cell) => getComputedStyle(cell, '::before').content);
    expect(named).toBe(width === 360 ? '"Empezadas"' : 'none');
    expect(await a11yViolations(page)).toEqual([]);
  }
  await visit(page, '/en/admin/reports');
  await expect(page.getByRole('columnheader', { name: 'Filled in' })).toBeVisible();
  // Income by plan and network, of the month.
  await visit(page, '/admin/money');
  await expect(page.getByRole('row', { name: /Básico/ }).first()).toContainText('Ethereum');
  // By week and by token, and each payment as a line of a file.
  const weeks = page.getByRole('region', { name: 'Ingresos por semana' });
  await expect(weeks.getByRole('row').nth(1)).toContainText('Simulación');
  await expect(weeks.getByRole('row').nth(1)).toContainText('USD');
  const token = page.getByRole('region', { name: 'Ingresos por token' }).getByRole('row', { name: DRAFT.tokenName });
  await expect(token.first()).toContainText('Básico');
  await expect(token.first().getByRole('cell').nth(4)).toHaveText('1.500,00 USD');
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await a11yViolations(page)).toEqual([]);
  }
  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Pagos uno a uno (CSV)' }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
  expect(lines[0]).toContain('Precio al pedir (USD)');
  expect(lines.filter((line) => line.startsWith(`${orderId},`))).toEqual([
    expect.stringMatching(/,Básico,Ethereum,Pagado,1500\.00,[\d.]+ ETH \(Ethereum\),1500\.00,0\.00,,\d+,sí$/),
  ]);
  expect(leaver.pageErrors.seen).toEqual([]);
  await Promise.all([buyer.close(), voter.close(), leaver.context.close()]);
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { a11yViolations, expect, expectNotice, rankingOf, rowOf, signUp, test, visit } from './support.ts';

const run = promisify(execFile);

/** On a fresh server the votes of the demo are entered first; until then nothing is signed. */
const signed = (page: Page) =>
  expect.poll(async () => (await page.request.get('/ledger/checkpoint')).status(), { timeout: 60_000 }).toBe(200);

test('a vote, its receipt, and the check of the whole ledger in the browser and with both commands', async ({
  page,
  site,
}, about) => {
  await signUp(page.request);
  const name = (await rankingOf(page.request))[0]?.tokenName ?? '';
  await visit(page, '/vote');
  await rowOf(page, name)
    .getByRole('button', { name: `Votar por ${name}` })
    .click();
  await expectNotice(page, '¡Voto registrado!');
  await rowOf(page, name)
    .getByRole('link', { name: `Ver el recibo de tu voto por ${name}` })
    .click();
  await expect(page).toHaveURL(/\/ledger$/);
  await expect(page.getByRole('heading', { level: 1, name: 'El libro de los votos' })).toBeVisible();
  // On a fresh server the votes of the demo are entered first.
  await expect(page.getByText('sin testigo', { exact: true })).toBeVisible({ timeout: 60_000 });

  const button = page.getByRole('button', { name: new RegExp(`^Descargar el recibo del voto por ${name} del`) });
  await expect(button).toBeVisible({ timeout: 30_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const receipt = about.outputPath('vote.tlog-proof');
  await download.saveAs(receipt);
  expect(readFileSync(receipt, 'utf8')).toMatch(/^c2sp\.org\/tlog-proof@v1\n/);

  await page.getByRole('button', { name: 'Comprobar ahora' }).click();
  await expect(page.getByText('Todo está en orden')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Tu recibo está en el libro.')).toBeVisible();
  // The second time this browser has something to compare with.
  await page.getByRole('button', { name: 'Comprobar ahora' }).click();
  await expect(page.getByText(/Continúa (el punto|los \d+ puntos)/)).toBeVisible({ timeout: 30_000 });

  const memory = about.outputPath('seen.json');
  const words = [`${site.url}/ledger`, '--memory', memory, '--receipt', receipt, '--json'];
  for (const [program, script] of [
    [process.execPath, 'packages/verify/cli.ts'],
    ['python3', 'packages/verify-py/florka_verify.py'],
  ] as const) {
    const { stdout } = await run(program, [script, ...words]);
    const report = JSON.parse(stdout) as { problems: unknown[]; receipts: { state: string }[] };
    expect(report.problems).toEqual([]);
    expect(report.receipts).toMatchObject([{ state: 'counted' }]);
  }
});

test('a changed ledger is said to be out of order', async ({ page }) => {
  await signed(page);
  await visit(page, '/ledger');
  await page.route(/\/ledger\/tile\/entries\//, async (route) => {
    const answer = await route.fetch();
    const body = await answer.body();
    body[body.length - 2] = (body[body.length - 2] ?? 0) ^ 1;
    await route.fulfill({ response: answer, body });
  });
  await page.getByRole('button', { name: 'Comprobar ahora' }).click();
  await expect(page.getByText('Este libro no está en orden')).toBeVisible({ timeout: 30_000 });
});

for (const [path, width] of [
  ['/ledger', 360],
  ['/en/ledger', 768],
  ['/ledger', 1280],
] as const)
  test(`nothing keeps anybody out of ${path} at ${width} px`, async ({ page }) => {
    await signed(page);
    await page.setViewportSize({ width, height: 900 });
    await visit(page, path);
    expect(await a11yViolations(page)).toEqual([]);
    await page.getByRole('button', { name: /^(Comprobar ahora|Check now)$/ }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^(Todo está en orden|All is in order)$/)).toBeVisible({ timeout: 30_000 });
    expect(await a11yViolations(page)).toEqual([]);
  });

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectNotice,
  heldRequest,
  listening,
  otherBrowser,
  rankingOf,
  reviewVotes,
  rowOf,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

const run = promisify(execFile);

/** On a fresh server the votes of the demo are entered first; until then nothing is signed. */
const signed = (page: Page) =>
  expect.poll(async () => (await page.request.get('/ledger/checkpoint')).status(), { timeout: 60_000 }).toBe(200);

test('the receipt of a vote and the whole ledger are verified in the browser and with both commands', async ({
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

/** Both commands on the ledger of a site. @returns the reported state of the receipts' votes. */
async function statesBy(url: string, receipt: string): Promise<string[]> {
  const states: string[] = [];
  for (const [program, script] of [
    [process.execPath, 'packages/verify/cli.ts'],
    ['python3', 'packages/verify-py/florka_verify.py'],
  ] as const) {
    const { stdout } = await run(program, [script, `${url}/ledger`, '--receipt', receipt, '--json']);
    const report = JSON.parse(stdout) as { problems: unknown[]; receipts: { state: string }[] };
    expect(report.problems).toEqual([]);
    states.push(...report.receipts.map(({ state }) => state));
  }
  return states;
}

test('a voter sees that the vote is held, void and released, and both verifiers report the same', async ({
  page,
  browser,
  site,
  database,
}, about) => {
  test.setTimeout(300_000);
  const email = `held-${Date.now()}@mailinator.com`;
  const made = await page.request.post('/api/auth/sign-up', { data: { email, password: 'a-good-password' } });
  expect(made.ok()).toBe(true);
  const candidate = (await rankingOf(page.request))[1];
  if (!candidate) throw new Error('no candidate');
  const name = candidate.tokenName;
  const total = async () => (await rankingOf(page.request)).find(({ id }) => id === candidate.id)?.totalVotes ?? 0;
  await visit(page, '/vote');
  await listening(page);
  const before = await total();
  await rowOf(page, name)
    .getByRole('button', { name: `Votar por ${name}` })
    .click();
  // The vote counts until the review, which can run immediately: the total is compared at the end.
  await expectNotice(page, '¡Voto registrado!');

  // The receipt of the vote as it was cast.
  const mine = async () =>
    (await (await page.request.get('/api/ledger/mine')).json()) as { id: number; signed: boolean; state: string }[];
  await expect.poll(async () => (await mine())[0]?.signed, { timeout: 60_000 }).toBe(true);
  const voteId = (await mine())[0]?.id;
  const answer = await page.request.get(`/api/ledger/receipts/${voteId}`);
  const receipt = about.outputPath('vote.tlog-proof');
  writeFileSync(receipt, ((await answer.json()) as { receipt: string }).receipt);

  const is = async (state: string) => {
    await expect.poll(async () => (await mine())[0], { timeout: 30_000 }).toMatchObject({ state, signed: true });
    // A change is entered and signed some seconds after it is done.
    await expect(async () => expect(await statesBy(site.url, receipt)).toEqual([state, state])).toPass({
      timeout: 30_000,
    });
  };
  // The page of the vote shows the hold by itself.
  await reviewVotes(database);
  const sentence = rowOf(page, name).getByRole('status');
  await expect(sentence).toContainText('En revisión: por ahora no cuenta', { timeout: 75_000 });
  await expect(rowOf(page, name).getByRole('button', { name: `Eliminar voto por ${name}` })).toHaveCount(0);
  await is('under_review');
  await expect.poll(total).toBe(before);
  expect(await a11yViolations(page)).toEqual([]);
  await page.screenshot({ path: about.outputPath('held.png') });

  const colleague = await otherBrowser(browser);
  const admin = await colleague.newPage();
  await signInAsAdmin(admin);
  await visit(admin, `${site.url}/en/admin/vote-review`);
  const cluster = admin.getByRole('row').filter({ hasText: 'mailinator.com' });
  await cluster.getByRole('button', { name: /^Void/ }).click();
  await admin.getByRole('alertdialog').getByRole('textbox').fill('Bought');
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Void' }).click();
  await expectNotice(admin, '1 vote voided');
  await expect(sentence).toContainText('Anulado: no cuenta. Una persona del equipo lo revisó');
  await is('void');
  await page.getByRole('link', { name: 'Ver tus votos y su estado' }).click();
  await expect(page.getByText('anulado', { exact: true })).toBeVisible();
  await expect(page.getByText('Anulado: no cuenta. Una persona del equipo lo revisó')).toBeVisible();
  await visit(page, '/account');
  await expect(page.getByText('1 voto tuyo está anulado.')).toBeVisible();

  // The notice with its undo button has expired by now; the list of decisions has one too.
  await visit(admin, `${site.url}/en/admin/vote-review?state=void`);
  await cluster.getByRole('button', { name: /^Undo the decision/ }).click();
  await expectNotice(admin, '1 vote under review again');
  await visit(admin, `${site.url}/en/admin/vote-review`);
  await cluster.getByRole('button', { name: /^Release/ }).click();
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click();
  await expectNotice(admin, '1 vote released');
  await is('counted');
  await expect.poll(total).toBe(before + 1);
  await visit(page, '/en/notifications');
  const list = page.getByRole('main');
  await expect(list.getByText(`Your vote for ${name} counts again`)).toBeVisible();
  await expect(list.getByText(`Your vote for ${name} is void: it does not count`)).toBeVisible();
  await expect(list.getByText(`Your vote for ${name} is under review and does not count for now`)).toHaveCount(2);
  // Pressed before the own votes are known, the check waits for them.
  const release = await heldRequest(page, '**/rpc/ledger/mine*');
  await visit(page, '/en/ledger');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('button', { name: 'Checking' })).toBeVisible();
  release();
  await expect(page.getByText('All is in order')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Your receipt is in the ledger.')).toBeVisible();
  await colleague.close();
});

test('older votes are listed on request, and the first of them gets the focus', async ({ page, database }) => {
  const { id } = await signUp(page.request);
  const [candidate] = await rankingOf(page.request);
  // Void ones of an earlier round are in no counter.
  await database.query(
    `insert into votes (candidate_id, user_id, voted_on, created_at, state, state_reason, round_id)
     select $1, $2, date '2026-01-01' + n, date '2026-01-01' + n, 'void', 'moderator', gen_random_uuid() from generate_series(0, 51) n`,
    [candidate?.id, id],
  );
  await visit(page, '/ledger');
  const days = page.getByText(/^2026-0[12]-\d\d$/);
  await expect(days).toHaveCount(50);
  const more = page.getByRole('button', { name: 'Ver votos anteriores' });
  await more.click();
  await expect(days).toHaveCount(52);
  await expect(page.getByRole('listitem').filter({ hasText: '2026-01-02' })).toBeFocused();
  await expect(more).toHaveCount(0);
  expect(await a11yViolations(page)).toEqual([]);
});

test('a changed ledger is reported as inconsistent', async ({ page }) => {
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

test('a check that cannot read the ledger shows the reason in the page’s language', async ({ page, pageErrors }) => {
  pageErrors.expectLoss('ERR_FAILED');
  await signed(page);
  await visit(page, '/ledger');
  await page.route('**/ledger/checkpoint', (route) => route.abort());
  await page.getByRole('button', { name: 'Comprobar ahora' }).click();
  await expect(
    page.getByText('No se pudo leer el libro entero. No hay conexión con el servidor. Inténtalo de nuevo.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Comprobar ahora' })).toBeEnabled();
});

for (const [path, width] of [
  ['/ledger', 360],
  ['/en/ledger', 768],
  ['/ledger', 1280],
] as const)
  test(`the ledger page ${path} is accessible at ${width} px`, async ({ page }) => {
    await signed(page);
    await page.setViewportSize({ width, height: 900 });
    await visit(page, path);
    expect(await a11yViolations(page)).toEqual([]);
    await page.getByRole('button', { name: /^(Comprobar ahora|Check now)$/ }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^(Todo está en orden|All is in order)$/)).toBeVisible({ timeout: 30_000 });
    expect(await a11yViolations(page)).toEqual([]);
  });

import type pg from 'pg';
import {
  a11yViolations,
  expect,
  listening,
  OwnServer,
  otherBrowser,
  rankingOf,
  signUp,
  test,
  visit,
  watch,
} from './support.ts';

test.describe.configure({ timeout: 180_000 });

let database: pg.Client;
test.beforeAll(async ({ site }) => {
  database = await site.database();
});
test.afterAll(() => database.end());

async function launchIn(minutes: number): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `insert into next_projects (token_name, token_symbol, status, is_active, countdown_end)
     values ($1, 'GATE', 'published', true, now() + make_interval(mins => $2)) returning id`,
    [`Puerta ${Date.now().toString(36)}`, minutes],
  );
  return rows[0]?.id ?? '';
}

test('the last hour lights the page up, and members who wait are counted', async ({ page, browser }) => {
  const id = await launchIn(40);
  await signUp(page.context().request);
  await visit(page, `/token/${id}`);
  const gate = page.getByRole('region', { name: 'La última hora' });
  await expect(gate.getByRole('timer', { name: 'Tiempo que falta' })).toContainText(/3\d|40/);
  await expect(gate.getByText('1 miembro espera aquí con la página abierta')).toBeVisible();
  const other = await otherBrowser(browser);
  const errors = watch(other);
  const second = await other.newPage();
  await signUp(other.request);
  await visit(second, `/en/token/${id}`);
  await expect(second.getByText('2 members wait here with the page open')).toBeVisible();
  await expect(gate.getByText('2 miembros esperan aquí con la página abierta')).toBeVisible({ timeout: 30_000 });
  expect(await a11yViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(errors.seen).toEqual([]);

  // Two hours before, nothing of it.
  await visit(page, `/token/${await launchIn(120)}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('timer')).toHaveCount(0);
});

test('once the hour has come the page says what is on record, and what is not', async ({ page }) => {
  await visit(page, `/token/${await launchIn(-5)}`);
  const open = page.getByRole('region', { name: 'Ha llegado la hora' });
  await expect(open.getByText('Pasó, según el reloj del servidor.')).toBeVisible();
  await expect(open.getByText('Todavía no lo ha marcado como lanzado.')).toBeVisible();
  await expect(
    open.getByText('No hay ningún contrato publicado: nada en la cadena prueba el lanzamiento.'),
  ).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
});

test('home names the last votes, and the puppet loses its crown when the lead changes', async ({ browser }) => {
  const own = new OwnServer();
  const context = await otherBrowser(browser, { baseURL: own.url });
  const errors = watch(context);
  const page = await context.newPage();
  const voting = await otherBrowser(browser, { baseURL: own.url });
  try {
    await own.start();
    const [first, second] = await rankingOf(context.request);
    const data = await own.database();
    await data.query(
      `update voting_candidates set total_votes = (select total_votes from voting_candidates where id = $1) where id = $2`,
      [first?.id, second?.id],
    );
    await data.end();
    await visit(page, '/');
    await listening(page);
    await expect(page.locator('.hero-puppet')).toBeVisible();
    const ranked = page.waitForResponse((answer) => answer.url().includes('/rpc/voting/ranking'));
    await ranked;
    await signUp(voting.request);
    const vote = await voting.request.post(`/api/candidates/${second?.id}/votes`, { data: {} });
    expect(vote.ok()).toBe(true);
    await expect(page.getByText(`Últimos votos: ${second?.tokenName} +1`)).toBeVisible();
    await expect(page.getByText(`${second?.tokenName} se pone en cabeza.`)).toBeVisible();
    expect(await a11yViolations(page)).toEqual([]);
    expect(errors.seen).toEqual([]);
  } finally {
    await context.close();
    await voting.close();
    await own.end();
  }
});

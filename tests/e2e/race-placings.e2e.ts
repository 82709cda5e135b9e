import { a11yViolations, expect, OwnServer, otherBrowser, rankingOf, test, visit, watch } from './support.ts';

test.describe.configure({ timeout: 180_000 });
const own = new OwnServer();
test.beforeAll(() => own.start());
test.afterAll(() => own.end());

test('a closed round appears on the pages of its candidates, with their places by day', async ({ browser }) => {
  const context = await otherBrowser(browser, { baseURL: own.url });
  const errors = watch(context);
  const page = await context.newPage();
  const second = (await rankingOf(context.request))[1];
  const path = `/token/${second?.tokenSlug}/candidate`;
  await visit(page, path);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${second?.tokenName}`);
  await expect(page.getByRole('heading', { name: 'Rondas anteriores' })).toHaveCount(0);

  const data = await own.database();
  const { rows } = await data.query<{ number: number }>(
    `update voting_rounds set closes_at = clock_timestamp() where status = 'open' returning number`,
  );
  const number = rows[0]?.number ?? 0;
  await data.query(`insert into jobs.job (name, data) values ('close-round', '{}')`);
  // The open page receives the event.
  const part = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Rondas anteriores' }) });
  await expect(part.getByRole('listitem').first()).toContainText(`Ronda ${number}`, { timeout: 60_000 });
  await expect(part.getByRole('listitem').first().locator('p').first()).toContainText('2.º');
  const total = await data.query<{ total: string }>(
    `select s.total_votes::text as total from round_standings s join voting_rounds r on r.id = s.round_id
     where r.number = $1 and s.rank = 2`,
    [number],
  );
  await data.end();
  await expect(part).toContainText(new RegExp(`${Number(total.rows[0]?.total).toLocaleString('es')} votos?`));

  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  // By keyboard: the days are loaded, the last ones first, and scroll inside their own frame.
  await part.getByText('Puesto por día').focus();
  await page.keyboard.press('Enter');
  const days = part.getByRole('region', { name: /^Ronda \d+: Puesto de / });
  await expect(days).toBeVisible();
  await expect
    .poll(() => days.evaluate((one) => one.scrollWidth - one.clientWidth - one.scrollLeft))
    .toBeLessThanOrEqual(1);
  expect(await days.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  await days.focus();
  await expect(days).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(await a11yViolations(page)).toEqual([]);
  await part.getByRole('link', { name: `Ver la carrera de la ronda ${number}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Ronda ${number}`);

  await page.emulateMedia({ colorScheme: 'light' });
  await visit(page, `/en${path}`);
  await expect(
    page.locator('section').filter({ has: page.getByRole('heading', { name: 'Earlier rounds' }) }),
  ).toContainText(`Round ${number}`);
  expect(await a11yViolations(page)).toEqual([]);
  expect(errors.seen).toEqual([]);
  await context.close();
});

import type pg from 'pg';
import { a11yViolations, expect, test, visit } from './support.ts';

let database: pg.Client;
const WORD = `quetzal${Date.now().toString(36)}`;
const NAME = `Quetzal${WORD.slice(7)}`;
test.beforeAll(async ({ database: own }) => {
  database = own;
  await database.query(
    `insert into projects (token_name, token_symbol, token_slug, token_address, status)
     values ($1, 'QTZ', $2, $2, 'approved')`,
    [NAME, WORD],
  );
});

test('the search page with its results is rendered on the server, in both languages', async ({ request }) => {
  for (const [path, heading] of [
    [`/search?q=${WORD}`, 'Buscar'],
    [`/en/search?q=${WORD}`, 'Search'],
  ] as const) {
    const html = await (await request.get(path)).text();
    expect(html).toContain(NAME);
    expect(html).toContain(`>${heading}</h1>`);
    expect(html).toContain('noindex');
  }
});

test('the search box opens with a key, finds while typing, and the arrow keys reach a result', async ({ page }) => {
  await visit(page, '/');
  await page.keyboard.press('/');
  const dialog = page.getByRole('dialog', { name: 'Buscar' });
  const box = dialog.getByRole('searchbox');
  await expect(box).toBeFocused();
  // One letter is wrong.
  await page.keyboard.type(`${WORD.slice(0, 3)}${WORD.slice(4)}`);
  const hit = dialog.getByRole('link', { name: new RegExp(NAME) });
  await expect(hit).toBeVisible();
  await expect(hit).toContainText('con una letra distinta');
  expect(await a11yViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await expect(hit).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(box).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/token/${WORD}$`));
  await expect(dialog).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await page.keyboard.type(WORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/search\\?q=${WORD}$`));
  await expect(page.getByRole('region', { name: 'Tokens' }).getByRole('link')).toHaveCount(1);
  // Closed, it returns the focus to what had it, however it was opened.
  const open = page.getByRole('banner').getByRole('button', { name: 'Buscar' });
  const link = page.getByRole('banner').getByRole('link', { name: 'News' });
  for (const [opener, by] of [
    [link, () => page.keyboard.press('Control+k')],
    [link, () => page.keyboard.press('/')],
    [open, () => page.keyboard.press('Enter')],
    [open, () => open.click()],
  ] as const) {
    await opener.focus();
    await by();
    await expect(box).toBeFocused();
    await page.keyboard.type('a');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
});

test('text typed while the search box is being loaded is kept, and Enter does not wait for it', async ({ page }) => {
  const held: (() => void)[] = [];
  await page.route('**/assets/SearchPalette-*.js', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await visit(page, '/');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(WORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/search\\?q=${WORD}$`));

  await visit(page, '/');
  held.length = 0;
  await page.keyboard.press('/');
  await page.keyboard.type(WORD.slice(0, 6));
  await expect.poll(() => held.length).toBe(1);
  expect(await a11yViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('searchbox')).toHaveCount(0);

  const opener = page.getByRole('banner').getByRole('link', { name: 'Vote' });
  await opener.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await expect(opener).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(WORD.slice(0, 6));
  held[0]?.();
  const dialog = page.getByRole('dialog', { name: 'Buscar' });
  const box = dialog.getByRole('searchbox');
  await expect(box).toBeFocused();
  await expect(box).toHaveValue(WORD.slice(0, 6));
  await page.keyboard.type(WORD.slice(6));
  await expect(box).toHaveValue(WORD);
  await expect(dialog.getByRole('link', { name: new RegExp(NAME) })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(box).toHaveValue('');
});

test('the shortcut key has no effect in a form field', async ({ page }) => {
  await visit(page, '/forum');
  await page.getByRole('searchbox').first().focus();
  await page.keyboard.press('/');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('searchbox').first()).toHaveValue('/');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('the header links to a search form, which finds results', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('banner').getByRole('button', { name: 'Buscar' }).click();
    await page.getByRole('searchbox').fill(WORD);
    await page.getByRole('main').getByRole('button', { name: 'Buscar' }).click();
    await expect(page.getByRole('link', { name: new RegExp(NAME) })).toBeVisible();
  });
});

import type { Page } from '@playwright/test';
import { expect, notice, test, visit } from './support.ts';

/** The lists with a follow button on each entry, and the first entry of each: its name. */
const LISTS = [
  { where: 'the podium of home', path: '/', entry: '.podium article' },
  { where: 'the grid of home', path: '/', entry: 'main .token-ticket-cornered' },
  { where: 'the upcoming launches of home', path: '/?tab=next', entry: 'main .token-ticket-cornered' },
  { where: 'the ranking', path: '/vote', entry: '.rank-row' },
  { where: 'the podium of NEXT', path: '/next', entry: '.podium article' },
  { where: 'the launches', path: '/next', entry: 'main .token-ticket-cornered' },
] as const;

const addButton = (page: Page, name: string) => page.getByRole('button', { name: `Seguir ${name}`, exact: true });
const removeButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Dejar de seguir ${name}`, exact: true });

for (const { where, path, entry } of LISTS)
  test(`one click in ${where} follows a token, stays on the page, and is stored in the browser`, async ({ page }) => {
    await visit(page, path);
    await page.mouse.move(5, 5);
    const first = page.locator(entry).first();
    const name = (await first.getByRole('link').first().textContent()) ?? '';
    await first.getByRole('button', { name: `Seguir ${name}`, exact: true }).click();
    await expect(first.getByRole('button', { name: `Dejar de seguir ${name}`, exact: true })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path.split('?')[0]);
    await visit(page, '/saved');
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
    await visit(page, path);
    await page.keyboard.press('Tab');
    await removeButton(page, name).first().click();
    await expect(addButton(page, name).first()).toBeVisible();
    await visit(page, '/saved');
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
  });

test('two tabs of a member show the same followed tokens, and the button keeps the focus', async ({ page, member }) => {
  await member(page.context());
  await visit(page, '/vote');
  const first = page.locator('.rank-row').first();
  const name = (await first.getByRole('link').first().textContent()) ?? '';
  await page.keyboard.press('Tab');
  await addButton(page, name).focus();
  await page.keyboard.press('Enter');
  await expect(removeButton(page, name)).toBeFocused();
  const other = await page.context().newPage();
  await visit(other, '/next');
  await other.mouse.move(5, 5);
  await expect(removeButton(other, name)).toBeVisible();
  await visit(other, '/saved');
  await expect(other.getByRole('link', { name, exact: true })).toBeVisible();
});

test('a follow is reverted if its request fails', async ({ page, member, pageErrors }) => {
  pageErrors.expectLoss('ERR_FAILED');
  await member(page.context());
  await visit(page, '/vote');
  const name = (await page.locator('.rank-row').first().getByRole('link').first().textContent()) ?? '';
  await page.keyboard.press('Tab');
  await expect(addButton(page, name)).toBeVisible();
  await page.route('**/rpc/saved/**', (route) => route.abort());
  await addButton(page, name).click();
  await expect(notice(page)).toBeVisible();
  await expect(addButton(page, name)).toBeVisible();
  await expect(removeButton(page, name)).toHaveCount(0);
});

test('the follow buttons cause no layout shift when they are loaded', async ({ page }) => {
  for (const path of ['/', '/vote', '/next'])
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.addInitScript(() => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const one of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!one.hadRecentInput) sum += one.value;
        }).observe({ type: 'layout-shift', buffered: true });
        Object.assign(globalThis, { shifts: () => sum });
      });
      await visit(page, path);
      const shifts = () => page.evaluate(() => (globalThis as unknown as { shifts: () => number }).shifts());
      // Only from here on: votes of other scenarios may change counts of these pages at any time, which is a shift as well.
      const before = await shifts();
      await page.mouse.move(5, 5);
      await expect(page.getByRole('button', { name: /^Seguir / }).first()).toBeVisible();
      expect((await shifts()) - before, path).toBe(0);
    }
});

test('after a sign-out the follow buttons show the list of the browser, and personal lists are not read again', async ({
  page,
  member,
  pageErrors,
}) => {
  // A read that is under way when the session ends, for example of the notifications.
  pageErrors.expectStatus(401);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(new URL(response.url()).pathname);
  });
  for (const path of ['/', '/vote']) {
    const { email } = await member(page.context());
    await visit(page, path);
    await expect(page.getByRole('banner').getByText(email).filter({ visible: true })).toBeVisible();
    await page.keyboard.press('Tab');
    const first = page.locator('.podium article, .rank-row').first();
    const name = (await first.getByRole('link').first().textContent()) ?? '';
    await addButton(page, name).first().click();
    await expect(removeButton(page, name).first()).toBeVisible();
    // Following reads the list again, once it is stored.
    await page.waitForLoadState('networkidle');
    await page.getByRole('banner').getByRole('button', { name: 'Salir' }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeVisible();
    // The sign-out leads to the home page.
    await expect(page.getByRole('button', { name: /^Seguir / }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^Dejar de seguir / })).toHaveCount(0);
    expect(refused.filter((read) => /saved|voting/.test(read))).toEqual([]);
  }
});

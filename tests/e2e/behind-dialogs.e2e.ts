import { expect, test, visit } from './support.ts';

// Scrollbars that take space, as on most desktops; headless browsers hide them by default.
test.use({
  launchOptions: {
    ...(process.env['CHROMIUM'] ? { executablePath: process.env['CHROMIUM'] } : {}),
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'],
  },
});

test('the page behind a dialog or an open menu neither scrolls nor moves', async ({ page, context, member }) => {
  await member(context, { role: 'moderator' });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await visit(page, '/forum');
    // What only members see of each post and comment is there: it moves what is below.
    await expect
      .poll(() =>
        page
          .getByRole('article')
          .evaluateAll(
            (all) => all.length > 0 && all.every((one) => one.querySelector('button[aria-label^="Eliminar el "]')),
          ),
      )
      .toBe(true);
    // Its code comes later.
    await expect(page.getByRole('button', { name: /^Silenciar o bloquear/ }).nth(2)).toBeVisible();
    const state = () =>
      page.evaluate(() => {
        const { left, right, top } = (document.querySelector('main') as HTMLElement).getBoundingClientRect();
        const header = (document.querySelector('header') as HTMLElement).getBoundingClientRect();
        return { left, right, top, header: header.width };
      });
    for (const [opener, opened] of [
      [/^Eliminar el post/, 'alertdialog'],
      [/^Silenciar o bloquear/, 'menu'],
    ] as const) {
      const button = page.getByRole('button', { name: opener }).nth(2);
      await button.evaluate((one) => one.scrollIntoView({ block: 'center' }));
      const before = await state();
      expect(before.right).toBeLessThan(width);
      await button.click();
      await expect(page.getByRole(opened)).toBeVisible();
      expect(await state()).toEqual(before);
      await page.mouse.move(20, 400);
      await page.mouse.wheel(0, 500);
      for (const key of ['End', 'PageDown', 'Home']) await page.keyboard.press(key);
      // Scrolling is done before the next frame but one.
      await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
      expect(await state()).toEqual(before);
      await page.keyboard.press('Escape');
      await expect(page.getByRole(opened)).toHaveCount(0);
      expect(await state()).toEqual(before);
    }
  }
});

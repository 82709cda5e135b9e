import { a11yViolations, expect, OwnServer, test } from './support.ts';

test('a site in demo mode shows that on every page', async ({ browser }) => {
  // A separate server, checked in three widths.
  test.setTimeout(300_000);
  const site = new OwnServer({ DEMO: 'on', ADMIN_SECOND_FACTOR: 'off' }, { empty: true });
  try {
    await site.start();
    const context = await browser.newContext({ baseURL: site.url });
    const page = await context.newPage();
    for (const [address, words] of [
      ['/', 'Sitio de demostración.'],
      ['/forum', 'Sitio de demostración.'],
      ['/admin-login', 'Sitio de demostración.'],
      ['/en/vote', 'Demo site.'],
    ] as const) {
      await page.goto(address);
      await expect(page.getByText(words)).toBeVisible();
    }
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await a11yViolations(page)).toEqual([]);
    }
    await context.close();
  } finally {
    await site.end();
  }
});

test('a local site shows no demo notice', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.getByText('Sitio de demostración.')).toBeHidden();
});

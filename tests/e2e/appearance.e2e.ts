import { expect, listening, rankingOf, signInAsAdmin, signUp, test, visit } from './support.ts';

test('no decorative animation runs longer than five seconds [WCAG 2.2.2]', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  for (const path of ['/', '/vote', '/next']) {
    await visit(page, path);
    const lasting = await page.evaluate(() =>
      document.getAnimations().flatMap((one) => {
        const { iterations = 1, duration = 0 } = one.effect?.getComputedTiming() ?? {};
        const name = (one as CSSAnimation).animationName ?? '';
        return iterations * Number(duration) > 5_000 ? [`${name}: ${iterations} times ${String(duration)} ms`] : [];
      }),
    );
    expect(lasting, path).toEqual([]);
  }
});

for (const colorScheme of ['dark', 'light'] as const)
  test(`the error summary of the wizard shows its focus after a click and after a key press, ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    const next = page.locator('form').getByRole('button', { name: 'Next' });
    const summary = page.getByRole('region', { name: 'Error', exact: true });
    for (const press of [() => next.press('Enter'), () => next.click()]) {
      await visit(page, '/create');
      await press();
      await expect(summary).toBeFocused();
      await expect(summary).toHaveCSS('outline-style', 'solid');
      await expect(summary).toHaveCSS('outline-width', '3px');
    }
  });

test('the first heading of a back office screen is its level 1 heading', async ({ page }) => {
  await signInAsAdmin(page);
  for (const path of ['/admin', '/admin/projects']) {
    await visit(page, path);
    const own = page.getByRole('heading', { level: 1 });
    await expect(own).toBeVisible();
    expect(
      await page
        .locator('h1, h2, h3, h4')
        .first()
        .evaluate((heading) => heading.tagName),
    ).toBe('H1');
  }
});

test('the dashboard shows its charts above its tiles', async ({ page }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin');
  const plot = page.locator('.chart').first();
  await expect(plot).toBeVisible();
  const tiles = page.getByRole('region', { name: 'Secciones' });
  const [above, below] = [await plot.boundingBox(), await tiles.boundingBox()];
  expect(above?.y).toBeLessThan(below?.y ?? 0);
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('a chart of votes has axis values, the beginning of the round, and an unfinished line for today', async ({
  page,
  request,
}) => {
  const [leader] = await rankingOf(request);
  await visit(page, `/token/${leader?.tokenSlug}/candidate`);
  const chart = page.locator('.chart').first();
  await expect(chart.locator('.chart-tick').filter({ hasText: /^0$/ })).toHaveCount(1);
  expect(await chart.locator('.chart-tick').count()).toBeGreaterThan(1);
  await expect(chart.getByText('hoy, hasta ahora')).toBeVisible();
  await expect(chart.locator('path[stroke-dasharray]')).toHaveCount(1);
  await expect(chart.getByText(/^Ronda \d+$/)).toBeVisible();
});

test('unknown figures of a token are below the known ones', async ({ page }) => {
  const { items } = (await (await page.request.get('/api/projects')).json()) as { items: { tokenSlug: string }[] };
  await visit(page, `/token/${items[0]?.tokenSlug}`);
  const unknown = page.getByText('Current Price', { exact: true });
  const known = page.getByText('Market Cap', { exact: true }).first();
  const [low, high] = [await unknown.boundingBox(), await known.boundingBox()];
  expect(low?.y).toBeGreaterThan(high?.y ?? 0);
});

test('on a phone the posts of the forum begin above the fold, also for a member', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await signUp(page.request);
  await visit(page, '/forum');
  await listening(page);
  const form = page.getByRole('form', { name: 'Crear Nuevo Post' });
  await expect(form).toBeHidden();
  await expect(page.locator('#posts')).toBeInViewport();
  const online = page.getByRole('region', { name: 'Usuarios en línea ahora' });
  expect((await online.boundingBox())?.height).toBeLessThan(60);
  await page.getByRole('button', { name: 'Escribe un post...' }).click();
  await expect(form.getByLabel('Título')).toBeFocused();
});

test('on a phone each step of the wizard shows its name', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, '/create');
  for (const step of await page.getByRole('navigation', { name: 'Pasos' }).getByRole('button').all())
    expect((await step.locator('span:not(.visually-hidden)').last().boundingBox())?.width).toBeGreaterThan(20);
  // The preview's image has a column of its own.
  const preview = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Así se verá' }) });
  const picture = await preview.locator('.token-image').boundingBox();
  const name = await preview.getByText('Tu token', { exact: true }).boundingBox();
  expect((picture?.x ?? 0) + (picture?.width ?? 0)).toBeLessThan(name?.x ?? 0);
});

test('on a phone the text for nobody online fits on one line', async ({ page }) => {
  await page.route('**/rpc/presence/online*', (route) => route.fulfill({ json: { json: { data: [], total: 0 } } }));
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, '/forum');
  const words = page.getByText('Nadie con sesión ahora.');
  await expect(words).toBeVisible();
  expect(await words.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  expect((await words.boundingBox())?.height ?? 99).toBeLessThan(32);
  const list = page.getByRole('region', { name: 'Usuarios en línea ahora' });
  expect(await list.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
});

test('no word of a page’s main heading is broken at any width', async ({ page }) => {
  for (const path of ['/', '/en', '/next', '/en/next', '/vote', '/en/vote', '/create', '/publish']) {
    await visit(page, path);
    for (const width of [320, 360, 390, 768, 1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const broken = await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
        const text = heading.firstChild;
        if (!(text instanceof Text)) return [];
        return [...text.data.matchAll(/[^\s\u00a0]+/g)].flatMap((word) => {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 ? [word[0]] : [];
        });
      });
      expect(broken, `${path} at ${width} px`).toEqual([]);
    }
  }
});

test('no word in the names of the wizard’s steps is broken on a phone', async ({ page }) => {
  for (const path of ['/create', '/en/create']) {
    await visit(page, path);
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const lines = await page
        .getByRole('navigation')
        .locator('ol button > span:last-of-type')
        .evaluateAll((names) =>
          names.map((name) => {
            const range = document.createRange();
            range.selectNodeContents(name);
            return {
              name: name.textContent,
              lines: range.getClientRects().length,
              words: (name.textContent ?? '').split(' ').length,
            };
          }),
        );
      expect(lines).toHaveLength(5);
      for (const one of lines) expect(one.lines, `${one.name} at ${width} px`).toBeLessThanOrEqual(one.words);
    }
  }
});

test('the card above the ranking for members is no higher than its text needs', async ({ page }) => {
  await signUp(page.request);
  await page.setViewportSize({ width: 360, height: 800 });
  await visit(page, '/vote');
  const line = page.getByText('¡Tus votos cuentan!');
  await expect(line).toBeVisible();
  const [text, card] = await Promise.all([line.boundingBox(), line.locator('..').boundingBox()]);
  expect((card?.height ?? 0) - (text?.height ?? 0)).toBeLessThan(32);
});

test('on a phone the bar of the back office is on one line, and the links that do not fit are in its menu', async ({
  page,
}) => {
  await signInAsAdmin(page);
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, '/admin');
  const [menu, out] = [
    page.getByRole('button', { name: 'Abrir menú de administración' }),
    page.getByRole('button', { name: 'Sign Out' }),
  ];
  const tops = await Promise.all(
    [menu, out].map(async (one) => (await one.boundingBox()) ?? { y: Number.NaN, height: 0 }),
  );
  const [first, last] = tops.map(({ y, height }) => y + height / 2);
  expect(Math.abs((first ?? 0) - (last ?? 0))).toBeLessThan(4);
  await menu.click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'English' })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: /tema|claro|oscuro/i })).toBeVisible();
});

test('the tear-off edges of launch cards in one row are at the same height', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await visit(page, '/next');
  const stubs = await page.locator('article .ticket-stub').evaluateAll((all) =>
    all.map((one) => ({
      card: Math.round(one.parentElement?.getBoundingClientRect().top ?? 0),
      top: one.getBoundingClientRect().top,
    })),
  );
  expect(stubs.length).toBeGreaterThan(3);
  for (const { card, top } of stubs)
    for (const other of stubs) if (other.card === card) expect(Math.abs(other.top - top)).toBeLessThan(3);
});

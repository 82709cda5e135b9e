import type { Page } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectNotice,
  notice,
  otherBrowser,
  rankingOf,
  ready,
  rowOf,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

const LINKS = {
  Home: '/',
  Next: '/next',
  Vote: '/vote',
  News: '/news',
  Forum: '/forum',
  Create: '/create',
  Publish: '/publish',
};

test('the header links to every section on a wide screen [APP-11] [HDR-01..08]', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, '/');
  const header = page.getByRole('banner');
  const nav = header.getByRole('navigation', { name: 'Principal' });
  await expect(nav.getByRole('link')).toHaveText(Object.keys(LINKS));
  for (const [name, href] of Object.entries(LINKS))
    await expect(nav.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
  await expect(header.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/auth');
  await expect(header.getByRole('button', { name: 'Abrir menú' })).toBeHidden();
});

test('on a phone a menu has the same links, and closes after a choice [HDR-12]', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await visit(page, '/');
  await expect(page.getByRole('link', { name: 'Forum', exact: true })).toBeHidden();
  const opener = page.getByRole('button', { name: 'Abrir menú' });
  await opener.click();
  const menu = page.getByRole('dialog', { name: 'Florka' });
  for (const [name, href] of Object.entries(LINKS))
    await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
  await expect(menu.getByRole('link', { name: 'Get Started' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await menu.getByRole('link', { name: 'Vote', exact: true }).click();
  await expect(page).toHaveURL('/vote');
  await expect(menu).toBeHidden();
});

test('every section has its page [APP-07] [APP-12..18] [APP-21]', async ({ page }) => {
  const headings: Record<string, string> = {
    '/': 'Lanzamientos justos, elegidos por la gente',
    '/next': 'Próximos lanzamientos',
    '/vote': 'Vota por el próximo lanzamiento',
    '/news': 'News',
    '/forum': 'Foro de la Comunidad',
    '/create': 'CREATE YOUR TOKEN',
    '/publish': 'Publish Your Project',
    '/auth': 'Tu entrada a la feria',
    '/saved': 'Tus tokens guardados',
    '/en/vote': 'Vote for the next launch',
  };
  expect(Object.values(LINKS).filter((path) => !headings[path])).toEqual([]);
  for (const [path, heading] of Object.entries(headings)) {
    const response = await visit(page, path);
    expect(response?.status(), path).toBe(200);
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading);
  }
});

test('the language changes in place, for the page and all its links [APP-02] [AMB-209]', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, '/vote');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await page.getByRole('link', { name: 'English', exact: true }).click();
  await expect(page).toHaveURL('/en/vote');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vote for the next launch');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL('/en');
  // The URL changes before the page does.
  const spanish = page.getByRole('link', { name: 'Español', exact: true });
  await expect(spanish).toHaveAttribute('href', '/');
  await spanish.click();
  await expect(page).toHaveURL('/');
});

test('a chosen language is kept, and addresses in the other language redirect to it [APP-02] [AMB-209] [AMB-217]', async ({
  page,
  context,
}) => {
  await visit(page, '/');
  await page.getByRole('link', { name: 'English', exact: true }).click();
  await expect(page).toHaveURL('/en');
  for (const [typed, there] of Object.entries({ '/': '/en', '/vote': '/en/vote', '/?tab=new': '/en?tab=new' })) {
    await visit(page, typed);
    await expect(page).toHaveURL(there);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  }
  await visit(page, '/vote');
  await page.getByRole('link', { name: 'Español', exact: true }).click();
  await expect(page).toHaveURL('/vote');
  const another = await context.newPage();
  await visit(another, '/en/next');
  await expect(another).toHaveURL('/next');
});

test('the back office has a language switch, and redirects to the chosen language too [AMB-217]', async ({ page }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/votes');
  await page.getByRole('banner').getByRole('link', { name: 'English', exact: true }).click();
  await expect(page).toHaveURL('/en/admin/votes');
  await visit(page, '/admin');
  await expect(page).toHaveURL('/en/admin');
});

test.describe('a visitor whose browser prefers English', () => {
  test.use({ locale: 'en-GB' });
  const offer = (page: Page) => page.getByRole('complementary', { name: 'Language' });

  test('is offered English, in English, until they choose a language [AMB-217]', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await visit(page, '/vote');
    await expect(offer(page)).toContainText('Read this page in English');
    expect(await a11yViolations(page)).toEqual([]);
    await offer(page).getByRole('link', { name: 'Read this page in English' }).click();
    await expect(page).toHaveURL('/en/vote');
    await expect(page.getByRole('complementary')).toBeHidden();
    await visit(page, '/next');
    await expect(page).toHaveURL('/en/next');
    await page.getByRole('link', { name: 'Español', exact: true }).click();
    await expect(page).toHaveURL('/next');
    await expect(offer(page)).toBeHidden();
  });

  test('who closes the offer does not see it again, and is not redirected', async ({ page }) => {
    await visit(page, '/vote');
    await offer(page).getByRole('button', { name: 'Close and stay in Spanish' }).click();
    await expect(offer(page)).toBeHidden();
    await visit(page, '/next');
    await expect(page).toHaveURL('/next');
    await expect(offer(page)).toBeHidden();
    await visit(page, '/en/next');
    await expect(page).toHaveURL('/en/next');
  });
});

test('a visitor whose browser prefers Spanish is offered no other language', async ({ page }) => {
  await visit(page, '/vote');
  await expect(page.getByRole('complementary')).toBeHidden();
});

test('the language of a page with a tab changes too', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, '/en?tab=new');
  await page.getByRole('link', { name: 'Español', exact: true }).click();
  await expect(page).toHaveURL('/?tab=new');
});

test('the theme follows the system, and a chosen theme is kept after a reload, without a flash', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await visit(page, '/vote');
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  const dark = await ink();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ink();
  expect(light).not.toBe(dark);
  const toggle = page.getByRole('button', { name: /^Tema/ });
  await toggle.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await toggle.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await ink()).toBe(dark);
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // Before hydration a click on the button has no effect.
  await ready(page);
  await toggle.click();
  await expect(page.locator('html')).not.toHaveAttribute('data-theme');
});

test('notices are shown one at a time, F8 focuses them, and they disappear after five seconds [APP-36] [TIME-20] [TIME-22..23] [AMB-205]', async ({
  page,
}) => {
  await signUp(page.request);
  await visit(page, '/vote');
  await expect(page.getByText(/Sesión iniciada como/)).toBeVisible();
  const votes = page.getByRole('main').getByRole('button', { name: /^Votar por/ });
  await votes.first().click();
  await expectNotice(page, '¡Voto registrado!');
  // In the page itself: a busy machine reads both moments late.
  await page.evaluate(() => {
    const times: { shown?: number; gone?: number } = {};
    Object.assign(window, { noticeTimes: times });
    new MutationObserver(() => {
      const there = document.querySelector('[data-sonner-toaster]')?.textContent?.includes('Voto eliminado');
      if (there) times.shown ??= performance.now();
      else if (times.shown !== undefined) times.gone ??= performance.now();
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await page
    .getByRole('button', { name: /^Eliminar voto por/ })
    .first()
    .click();
  await expectNotice(page, 'Voto eliminado');
  await expect(notice(page)).toHaveCount(1);
  await page.mouse.move(0, 0);
  await expect(notice(page)).toHaveCount(0);
  const noticeTime = () =>
    page.evaluate(() => {
      const { shown, gone } = (window as never as { noticeTimes: { shown?: number; gone?: number } }).noticeTimes;
      return shown === undefined || gone === undefined ? null : gone - shown;
    });
  await expect.poll(noticeTime).toBeGreaterThan(4_900);
  await votes.first().click();
  await expectNotice(page, '¡Voto registrado!');
  await page.keyboard.press('F8');
  await expect(page.getByRole('list').filter({ has: notice(page) })).toBeFocused();
});

test('an unknown address shows the error page with its status and a link to home [APP-37] [AMB-83]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(404);
  for (const path of ['/no/such/place', '/en/no/such/place', '/ledger/no-such-file', '/en/moderation/nobody']) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByText('Unexpected Application Error!')).toBeVisible();
    // The rest of the site stays, in the language of the address.
    await expect(page.getByRole('banner').getByRole('link', { name: 'Vote', exact: true }).first()).toHaveAttribute(
      'href',
      path.startsWith('/en') ? '/en/vote' : '/vote',
    );
    await expect(page.getByRole('contentinfo')).toContainText(path.startsWith('/en') ? 'Privacy' : 'Privacidad');
    await expect(page.getByRole('main')).toHaveCount(1);
    expect(await a11yViolations(page)).toEqual([]);
    await page.getByRole('link', { name: path.startsWith('/en') ? 'Back to home' : 'Volver al inicio' }).click();
    await expect(page).toHaveURL(path.startsWith('/en') ? '/en' : '/');
  }
});

test('an unknown address of the back office shows the error page in its layout, with its status [APP-37] [AMB-83]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(404);
  await signInAsAdmin(page);
  for (const [path, back] of [
    ['/admin/no-such-screen', 'Volver al Dashboard'],
    ['/en/admin/no-such-screen', 'Back to the dashboard'],
  ] as const) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' })).toBeVisible();
    await expect(page.getByRole('navigation').first()).toBeVisible();
    expect(await a11yViolations(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: back }).click();
    await expect(page).toHaveURL(path.startsWith('/en') ? '/en/admin' : '/admin');
  }
});

test('a page that throws shows the error page, and home works again [APP-37] [AMB-83]', async ({
  page,
  pageErrors,
}) => {
  await visit(page, '/');
  // Not a ranking: no code handles it.
  await page.route('**/rpc/voting/ranking*', (route) => route.fulfill({ json: { json: { items: 'none' } } }));
  await page.getByRole('banner').getByRole('link', { name: 'Vote', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
  await expect(page.getByText(/^500 · /)).toBeVisible();
  expect(pageErrors.seen.splice(0)).not.toEqual([]);
  await page.getByRole('link', { name: 'Volver al inicio' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('list', { name: 'Top 3' })).toBeVisible();
});

for (const path of [
  '/%',
  '/%E0%A4%A',
  '/token/%',
  '/token/%E0%A4%A',
  '//',
  '//evil.example',
  '/admin/%2e%2e',
  '/index.html%00',
])
  test(`a malformed address causes no server error: ${path}`, async ({ request, baseURL }) => {
    const response = await request.get(`${baseURL}${path}`, { maxRedirects: 0 });
    expect(response.status()).toBeLessThan(500);
    expect(response.headers()['location'] ?? '').not.toMatch(/evil/);
    expect(await response.text()).not.toMatch(/node_modules|at .*\.js:\d+/);
  });

test('the first Tab stop is the link to the content', async ({ page }) => {
  await visit(page, '/vote');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Saltar al contenido' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the language switch is followed and remembered', async ({ page }) => {
    await page.goto('/vote');
    await page.getByRole('link', { name: 'English', exact: true }).click();
    await expect(page).toHaveURL('/en/vote');
    await page.goto('/next');
    await expect(page).toHaveURL('/en/next');
    await page.getByRole('link', { name: 'Español', exact: true }).click();
    await expect(page).toHaveURL('/next');
    await page.goto('/en/vote');
    await expect(page).toHaveURL('/vote');
  });

  test('everything public can be read [APP-04] [VOTE-22] [CAND-41] [SEC-01]', async ({ page, request }) => {
    const [first] = await rankingOf(request);
    await page.goto('/');
    await expect(page.getByRole('list', { name: 'Top 3' }).getByRole('listitem').first()).toBeVisible();
    await page.goto('/vote');
    await expect(rowOf(page, first?.tokenName ?? '')).toBeVisible();
    await page.getByRole('link', { name: first?.tokenName ?? '', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(first?.tokenName ?? '');
    await page.goto('/?tab=next');
    await expect(page.getByRole('article').first()).toBeVisible();
  });
});

test('markup in stored text stays text', async ({ page, pageErrors }) => {
  const evil = '<img src=x onerror="document.title=`pwned`"></script><script>document.title="pwned"</script>';
  await visit(page, '/auth');
  await page.route('**/rpc/voting/ranking*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { json: { items: Record<string, unknown>[] } };
    for (const item of body.json.items)
      Object.assign(item, { tokenName: evil, description: evil, tokenSymbol: '<b>X' });
    await route.fulfill({ response, json: body });
  });
  await page.getByRole('banner').getByRole('link', { name: 'Vote', exact: true }).click();
  await expect(page.getByRole('heading', { name: evil }).first()).toBeVisible();
  await expect(page).not.toHaveTitle('pwned');
  expect(pageErrors.seen).toEqual([]);
});

test('a page that differs from its document is rendered again in the browser, and works', async ({ browser }) => {
  // Without the check for page errors, because this scenario causes them.
  const context = await otherBrowser(browser);
  const page = await context.newPage();
  await page.route('**/prices', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('>Planes<', '>Otra cosa<') });
  });
  await visit(page, '/prices');
  await expect(page.getByRole('heading', { name: 'Planes' })).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Vote' }).click();
  await expect(page).toHaveURL(/\/vote$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.close();
});

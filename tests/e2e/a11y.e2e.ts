import type { APIRequestContext, Page } from '@playwright/test';
import { a11yViolations, expect, rankingOf, ready, signInAsAdmin, signUp, test, visit } from './support.ts';

/** 320 px is a page of 1280 px at 400 %, 640 px the same at 200 %. */
const WIDTHS = [320, 640, 768, 1280];

/** The pages that a visitor can reach; they are checked in six parts. */
const SCREENS = [
  '/',
  '/?tab=next',
  '/en?tab=new',
  '/vote',
  '/vote?filters=on&order=today',
  '/vote/race',
  '/next?filters=on',
  '/?filters=on&network=polygon',
  '/tokens',
  '/en/tokens?kind=next&status=launched',
  '/compare',
  '/ledger',
  '/moderation',
  '/about',
  '/en/prices',
  '/risk',
  ':candidate',
  ':project',
  ':next',
  '/token/no-such-token',
  '/auth',
  '/account',
  '/saved',
  '/next',
  '/next?page=9',
  '/news',
  '/news?q=zzzz',
  ':item',
  '/forum',
  '/en/forum?q=zzzz',
  '/search',
  '/search?q=token',
  '/notifications',
  '/create',
  '/publish',
  '/verify?token=x',
  '/reset?token=x',
  '/unsubscribe?token=x',
  '/order/1',
  '/submission/1',
  '/ticket/no-such-ticket',
  '/member/no-such-member',
  '/admin-login',
  '/no/such/place',
];

const BACK_OFFICE = [
  '/admin',
  '/admin/audit',
  '/admin/inbox',
  '/admin/deliverables',
  '/admin/deliverable-terms',
  '/admin/refunds',
  '/admin/money',
  '/admin/settlement',
  '/admin/networks',
  '/admin/verified',
  '/admin/news',
  '/admin/site-pages',
  '/admin/media',
  '/admin/reports',
  '/admin/people',
  '/admin/mailbox',
  '/admin/settings',
  '/admin/doctor',
  '/admin/votes',
  '/admin/votes/rounds',
  '/admin/vote-review',
  '/admin/projects',
  '/admin/next-projects',
  '/admin/submissions',
  '/admin/token-creation',
  '/admin/forum',
  '/admin/moderator-requests',
  '/admin/users',
  '/admin/complete-users',
];

/** Horizontal overflow in pixels. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Sets the text spacing of WCAG 1.4.12, or restores it. */
const setWidely = (page: Page, on: boolean) =>
  page.evaluate((widely) => {
    document.adoptedStyleSheets = [];
    if (!widely) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }',
    );
    document.adoptedStyleSheets = [sheet];
  }, on);

/** Horizontal overflow at each width, and at 320 px with wide text spacing. */
async function outOfReach(page: Page, widths: number[]): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 640 });
    const here = await overflow(page);
    if (here > 0) found.push(`${here} px at ${width} px`);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await setWidely(page, true);
  const here = await overflow(page);
  if (here > 0) found.push(`${here} px at 320 px, set widely`);
  await setWidely(page, false);
  return found;
}

for (const part of [0, 1, 2, 3, 4, 5])
  test(`no page has an accessibility violation, in either theme, on a phone or a desktop, or overflows at any zoom, part ${part + 1}`, async ({
    page,
    request,
    pageErrors,
  }) => {
    pageErrors.expectStatus(400, 401, 404);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const found: Record<string, string[]> = {};
    for (const path of SCREENS.filter((_, index) => index % 6 === part)) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(await addressOf(path, request));
      if (path !== '/no/such/place') await ready(page);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page).toHaveTitle(/Florka/);
      const here = await a11yViolations(page);
      here.push(...(await outOfReach(page, WIDTHS)));
      here.push(...(await a11yViolations(page)).map((one) => `on a phone, ${one}`));
      if (here.length > 0) found[path] = here;
    }
    expect(found).toEqual({});
  });

for (const part of [0, 1, 2])
  test(`no screen of the back office has an accessibility violation or overflows on a phone, part ${part + 1}`, async ({
    page,
  }) => {
    await signInAsAdmin(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const found: Record<string, string[]> = {};
    for (const path of BACK_OFFICE.filter((_, index) => index % 3 === part)) {
      await page.setViewportSize({ width: 768, height: 900 });
      await visit(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('.skeleton')).toHaveCount(0);
      const here = [...(await a11yViolations(page)), ...(await outOfReach(page, [320, 640]))];
      if (here.length > 0) found[path] = here;
    }
    expect(found).toEqual({});
  });

test('the voting page, the menu, the linking forms and the saved list of a member have no accessibility violation', async ({
  page,
}) => {
  await signUp(page.request);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 360, height: 900 });
  await visit(page, '/vote');
  await expect(page.getByText(/Sesión iniciada como/)).toBeVisible();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Votar por/ })
    .first()
    .click();
  await expect(page.getByText('¡Voto registrado!')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Abrir menú' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await visit(page, '/auth');
  await expect(page.getByRole('heading', { name: 'Vincular Perfil Existente' })).toHaveCount(2);
  expect(await a11yViolations(page)).toEqual([]);
  await visit(page, '/saved');
  expect(await a11yViolations(page)).toEqual([]);
});

test('the forms for sign-in, sign-up, password reset and sign-in code have no accessibility violation, nor have their errors', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(400, 401);
  await visit(page, '/auth');
  const form = page.getByRole('form', { name: 'Iniciar Sesión' });
  await form.getByLabel('Correo electrónico').fill('nobody');
  await form.getByLabel('Contraseña').fill('x');
  await form.getByRole('button', { name: 'Iniciar Sesión' }).click();
  const wrong = form.getByLabel('Correo electrónico');
  await expect(wrong).toBeFocused();
  await expect(wrong).toHaveAttribute('aria-invalid', 'true');
  await expect(wrong).toHaveAccessibleDescription(/.+/);
  expect(await a11yViolations(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Registrarse' }).click();
  expect(await a11yViolations(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Iniciar Sesión' }).click();
  for (const way of ['¿Olvidaste tu contraseña?', 'Entrar con un código de un solo uso']) {
    await page.getByRole('button', { name: way }).click();
    await expect(page.getByRole('button', { name: way })).toHaveCount(0);
    // The pressed button is removed; the focus is still in the form.
    await expect(page.locator(':focus')).toHaveCount(1);
    expect(await a11yViolations(page)).toEqual([]);
    await visit(page, '/auth');
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  const READING: [path: string, words: RegExp][] = [
    ['/', /Lanzamientos justos/],
    ['/?tab=next', /Lanzamiento/],
    ['/en?tab=new', /Market Cap/],
    ['/vote', /Gana quien suma más votos/],
    ['/next', /Top 3 de la votación/],
    ['/news', /Destacada/],
    ['/forum', /Inicia sesión para comentar/],
    [':candidate', /Candidato/],
    [':project', /Contrato/],
    [':next', /Próximo lanzamiento/],
    [':item', /Volver a las noticias/],
  ];
  const NEEDING = ['/auth', '/account', '/saved', '/create', '/publish', '/verify?token=x', '/reset?token=x'];

  test('all public pages can be read with their images, and pages that need scripts say so', async ({
    page,
    request,
  }) => {
    for (const [path, words] of READING) {
      const answer = await page.goto(await addressOf(path, request));
      expect(answer?.status(), path).toBe(200);
      await expect(page.getByRole('main').getByText(words).first(), path).toBeVisible();
      expect(await page.getByRole('main').innerText(), path).not.toContain('Cargando');
      // Images are visible without scripts, and none has an empty box.
      for (const picture of await page.getByRole('main').locator('img:visible').all()) {
        const box = await picture.boundingBox();
        expect(Math.min(box?.width ?? 0, box?.height ?? 0), path).toBeGreaterThan(15);
      }
    }
    for (const path of NEEDING) {
      await page.goto(path);
      await expect(page.getByText(/^Sin JavaScript puedes leer este sitio/), path).toBeVisible();
    }
    await page.goto('/en/auth');
    await expect(page.getByText(/^Without JavaScript you can read this site/)).toBeVisible();
  });

  test('sections, tabs, languages and news items are links, also on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto('/');
    const sections = page.getByRole('navigation', { name: 'Principal' }).filter({ visible: true });
    await sections.getByRole('link', { name: 'News', exact: true }).click();
    await expect(page).toHaveURL('/news');
    await page.getByRole('main').getByRole('article').first().getByRole('link').first().click();
    await page.getByRole('link', { name: 'Cerrar' }).click();
    await sections.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('link', { name: 'Next', exact: true }).last().click();
    await expect(page).toHaveURL('/?tab=next');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'English', exact: true }).click();
    await expect(page).toHaveURL('/en?tab=next');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  });
});

async function addressOf(path: string, request: APIRequestContext): Promise<string> {
  const first = async (list: string) =>
    ((await (await request.get(list)).json()) as { items: { id: string; tokenSlug: string }[] }).items[0];
  if (path === ':candidate') return `/token/${(await rankingOf(request))[0]?.tokenSlug}/candidate`;
  if (path === ':project') return `/token/${(await first('/api/projects'))?.tokenSlug}`;
  if (path === ':next') return `/token/${(await first('/api/next-projects'))?.id}`;
  if (path === ':item') return `/news/${(await first('/api/news'))?.id}`;
  return path;
}

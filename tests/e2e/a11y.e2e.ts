import type { Page } from '@playwright/test';
import { barriers, expect, rankingOf, ready, signUp, test, visit } from './support.ts';

const WIDTHS = [320, 360, 768, 1280];

/** Every screen there is: a name and its address. */
const SCREENS: [name: string, path: string][] = [
  ['home', '/'],
  ['home, next', '/?tab=next'],
  ['home in English', '/en'],
  ['vote', '/vote'],
  ['candidate', ':candidate'],
  ['project', ':project'],
  ['next project', ':next'],
  ['token not found', '/token/no-such-token'],
  ['auth', '/auth'],
  ['saved', '/saved'],
  ['next', '/next'],
  ['news', '/news'],
  ['forum', '/forum'],
  ['create', '/create'],
  ['publish', '/publish'],
  ['admin login', '/admin-login'],
  ['unknown address', '/no/such/place'],
];

/** Pixels that stick out to the side. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

for (const [name, path] of SCREENS)
  test(`${name}: no barrier in any light or width, no sideways scrolling, no fault`, async ({
    page,
    request,
    faults,
  }) => {
    faults.expectStatus(404);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(await addressOf(path, request));
    if (path !== '/no/such/place') await ready(page);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const found: Record<string, string[]> = {};
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await overflow(page), `${width} px wide`).toBeLessThanOrEqual(0);
      if (width !== 360 && width !== 1280) continue;
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        const here = await barriers(page);
        if (here.length > 0) found[`${colorScheme}, ${width} px`] = here;
      }
    }
    expect(found).toEqual({});
  });

test('a member meets no barrier either: voting, linking, menu', async ({ page }) => {
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
  expect(await barriers(page)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Abrir menú' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await visit(page, '/auth');
  await expect(page.getByRole('heading', { name: 'Vincular Perfil Existente' })).toHaveCount(2);
  expect(await barriers(page)).toEqual([]);
});

async function addressOf(path: string, request: Parameters<typeof rankingOf>[0]): Promise<string> {
  const first = async (list: string) =>
    ((await (await request.get(list)).json()) as { items: { id: string; tokenSlug: string }[] }).items[0];
  if (path === ':candidate') return `/token/${(await rankingOf(request))[0]?.tokenSlug}/candidate`;
  if (path === ':project') return `/token/${(await first('/api/projects'))?.tokenSlug}`;
  if (path === ':next') return `/token/${(await first('/api/next-projects'))?.id}`;
  return path;
}

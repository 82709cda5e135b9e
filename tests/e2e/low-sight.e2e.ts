import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, expectNotice, notice, signInAsAdmin, signUp, test, visit } from './support.ts';

type Colour = readonly [number, number, number];

/** Colours of the pixels in the area, the most frequent first. */
async function coloursOf(what: Locator): Promise<Colour[]> {
  const { data, info } = await sharp(await what.screenshot({ animations: 'disabled' }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const times = new Map<number, number>();
  for (let at = 0; at < data.length; at += info.channels) {
    const colour = data.readUIntBE(at, 3);
    times.set(colour, (times.get(colour) ?? 0) + 1);
  }
  return [...times]
    .sort(([, one], [, other]) => other - one)
    .map(([colour]) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const);
}

/** As WCAG measures it, 1 to 21. */
function contrast(one: Colour | undefined, other: Colour | undefined): number {
  const light = ([red, green, blue]: Colour) => {
    const part = (value: number) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
  };
  const [low, high] = [light(one ?? [0, 0, 0]), light(other ?? [0, 0, 0])].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** States shown by the background alone: the two can be distinguished. */
async function differ(one: Locator, other: Locator): Promise<void> {
  const [[first], [second]] = [await coloursOf(one), await coloursOf(other)];
  expect(contrast(first, second), `${one} and ${other}`).toBeGreaterThanOrEqual(3);
}
/** The area has more than one colour: the element or its edge is visible. */
async function seen(what: Locator): Promise<void> {
  const [ground, ...others] = await coloursOf(what);
  expect(Math.max(...others.map((colour) => contrast(ground, colour))), `${what}`).toBeGreaterThanOrEqual(3);
}

for (const colorScheme of ['dark', 'light'] as const)
  test(`forced colours hide no control and no state, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' });
    await visit(page, '/');
    const sections = page.getByRole('navigation', { name: 'Principal' }).filter({ visible: true });
    await differ(sections.getByRole('link', { name: 'Home' }), sections.getByRole('link', { name: 'News' }));
    const tab = (name: string) => page.getByRole('link', { name, exact: true }).last();
    await differ(tab('All'), tab('New'));
    const card = page
      .getByRole('article')
      .filter({ has: page.getByRole('progressbar') })
      .first();
    await seen(card.getByRole('progressbar'));
    // Only an edge separates the background of a ticket from that of the page.
    expect(await card.evaluate((ticket) => getComputedStyle(ticket).borderStyle)).toBe('solid');

    await visit(page, '/create');
    const step = (number: number) => page.getByRole('button', { name: new RegExp(`^Paso ${number} de 5`) });
    await differ(step(1), step(2));
    await differ(
      page.locator('label, button').filter({ hasText: /^JustSendIt$/ }),
      page.locator('label, button').filter({ hasText: /^Advanced$/ }),
    );
    const share = page.getByLabel('Creator LP fee share');
    const [off] = await coloursOf(share);
    await share.check();
    expect(contrast(off, (await coloursOf(share))[0])).toBeGreaterThanOrEqual(3);
    await seen(share);
    await seen(page.getByLabel('Red blockchain', { exact: true }).first());
    await page.getByRole('button', { name: 'Next' }).click();
    const summary = page.getByRole('region', { name: 'Error', exact: true });
    await expect(summary).toBeFocused();
    await seen(summary.getByRole('button').first());

    await signInAsAdmin(page);
    await visit(page, '/admin/votes');
    const back = page.getByRole('navigation', { name: 'Administración' }).filter({ visible: true });
    await differ(back.getByRole('link', { name: 'Votación' }), back.getByRole('link', { name: 'Noticias' }));
    const shelf = (name: string) => page.getByRole('group').getByText(name, { exact: true });
    await differ(shelf('Activos'), shelf('Papelera'));
    const active = page.getByRole('switch', { checked: true }).first();
    await differ(active, page.getByRole('searchbox').first());
    await seen(active);
  });

test('no text overlaps an image that others chose', async ({ page, request }) => {
  const first = async (list: string) =>
    ((await (await request.get(list)).json()) as { items: { id: string; tokenSlug: string }[] }).items[0];
  const found: string[] = [];
  for (const path of [
    '/',
    '/vote',
    '/next',
    '/news',
    `/news/${(await first('/api/news'))?.id}`,
    `/token/${(await first('/api/projects'))?.tokenSlug}`,
  ])
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await visit(page, path);
      await expect(page.locator('.token-image, img, .news-cover').first()).toBeAttached();
      found.push(...(await wordsOnPictures(page)).map((words) => `${path} at ${width}: ${words}`));
    }
  expect(found).toEqual([]);
});

/** Texts over an image, which may be white or black, without a background of their own. */
const wordsOnPictures = (page: Page) =>
  page.evaluate(() => {
    // Content under an open dialog is not visible through it.
    const layer = document.querySelector('dialog[open], [role=dialog]') ?? document.body;
    const pictures = [...layer.querySelectorAll('.token-image, img, .news-cover')];
    const isGround = (part: Element) => /^rgb\(/.test(getComputedStyle(part).backgroundColor);
    const words = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (words.nextNode()) {
      const node = words.currentNode;
      const around = node.parentElement;
      if (!node.textContent?.trim() || !around?.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      for (const picture of pictures) {
        // Texts inside our own drawings, and texts for screen readers.
        if (around.closest('svg, .visually-hidden')) continue;
        const box = picture.getBoundingClientRect();
        const apart =
          text.right <= box.left || text.left >= box.right || text.bottom <= box.top || text.top >= box.bottom;
        if (apart || text.width < 2) continue;
        let part: Element | null = around;
        while (part && !part.contains(picture) && !isGround(part)) part = part.parentElement;
        if (!part || part.contains(picture)) found.push(node.textContent.trim());
      }
    }
    return found;
  });

test('a notice can be dismissed, and does not cover the buttons of a dialog on a phone', async ({
  page,
  pageErrors,
}) => {
  await page.setViewportSize({ width: 390, height: 780 });
  // Without motion the notice is at its final position at once.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signUp(page.request);
  await visit(page, '/vote');
  await page
    .getByRole('button', { name: /^Votar por/ })
    .first()
    .click();
  await expectNotice(page, '¡Voto registrado!');
  await notice(page).getByRole('button', { name: 'Quitar aviso' }).click();
  await expect(notice(page)).toHaveCount(0);

  pageErrors.expectStatus(500);
  await signInAsAdmin(page);
  await visit(page, '/admin/news');
  await page.getByRole('button', { name: 'Nueva Noticia' }).click();
  const dialog = page.getByRole('dialog');
  const title = dialog.getByLabel('Título');
  await title.fill('Una noticia que no llega');
  await dialog.getByLabel('Contenido').fill('Llegará.');
  await page.route('**/rpc/admin/news/create*', (route) => void route.fulfill({ status: 500, json: {} }));
  const save = dialog.getByRole('button', { name: 'Crear' });
  await save.click();
  await expect(notice(page)).toBeVisible();
  const covered = await notice(page).boundingBox();
  expect((covered?.y ?? 0) + (covered?.height ?? 0)).toBeLessThan((await save.boundingBox())?.y ?? 0);
  // A click on the notice does not count as a click outside the dialog.
  await page.mouse.click((covered?.x ?? 0) + 20, (covered?.y ?? 0) + 5);
  await page.emulateMedia({ forcedColors: 'active' });
  await seen(notice(page).getByRole('button', { name: 'Quitar aviso' }));
  await page.emulateMedia({ forcedColors: 'none' });
  await notice(page).getByRole('button', { name: 'Quitar aviso' }).click();
  await expect(notice(page)).toHaveCount(0);
  await expect(title).toHaveValue('Una noticia que no llega');
});

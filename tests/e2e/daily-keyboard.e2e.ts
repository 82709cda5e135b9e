import type { Locator, Page } from '@playwright/test';
import { expect, otherBrowser, rankingOf, test, visit, watch } from './support.ts';

test.describe.configure({ timeout: 180_000 });

/** Presses Tab until something has the focus, which has to be visible. */
async function tabTo(page: Page, target: Locator, maxPresses = 120): Promise<void> {
  await expect(target).toBeVisible();
  for (let n = 0; n < maxPresses; n++) {
    await page.keyboard.press('Tab');
    if (!(await target.evaluate((one) => one === document.activeElement))) continue;
    const shown = await target.evaluate((one) => {
      const { outlineStyle, boxShadow, backgroundColor } = getComputedStyle(one);
      return outlineStyle !== 'none' || boxShadow !== 'none' || backgroundColor !== 'rgba(0, 0, 0, 0)';
    });
    expect(shown, 'the focus is visible').toBe(true);
    return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

test('with the keyboard alone a member reads a notification, searches, writes a post with a mention, compares tokens, and uses the race and a ticket', async ({
  page,
  context,
  browser,
  member,
}) => {
  const name = (of: string) => `${of}${Date.now().toString(36)}`;
  const [ana, bob] = [name('Ana'), name('Bob')];
  await member(context, { username: ana });
  const other = await otherBrowser(browser);
  const errors = watch(other);
  await member(other, { username: bob });
  const title = name('Nota');
  const made = await other.request.post('/api/forum/posts', { data: { title, content: `Hola @${ana}` } });
  expect(made.status()).toBe(200);

  await visit(page, '/');
  await tabTo(page, page.getByRole('banner').getByRole('link', { name: 'Avisos: 1 sin leer' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Avisos' })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: new RegExp(`te menciona en «${title}»`) }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await visit(page, '/notifications');
  await tabTo(page, page.getByRole('combobox', { name: 'Correo: Respuestas' }));
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('combobox', { name: 'Correo: Respuestas' })).toHaveValue('now');
  await tabTo(page, page.getByRole('checkbox', { name: 'Guardar silencio' }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('textbox', { name: 'Hasta' }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('7:30');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Guardado', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Hasta' })).toHaveValue('07:30');

  const [first, second] = await rankingOf(page.request);
  await visit(page, '/');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused();
  await page.keyboard.type(String(first?.tokenName));
  const hit = page.getByRole('dialog').getByRole('link', { name: new RegExp(String(first?.tokenName)) });
  await expect(hit.first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await visit(page, '/forum');
  await tabTo(page, page.getByLabel('Título'));
  const mine = name('Mía');
  await page.keyboard.type(mine);
  await tabTo(page, page.getByLabel('Contenido'));
  await page.keyboard.type(`Para @${bob.slice(0, 6)}`);
  const suggestion = page.getByRole('option', { name: bob });
  await expect(suggestion).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Contenido')).toHaveValue(new RegExp(`Para @${bob}`));
  await tabTo(page, page.getByRole('button', { name: 'Publicar' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article').filter({ hasText: mine })).toBeVisible();

  await visit(page, '/tokens?kind=candidate');
  await tabTo(page, page.getByRole('link', { name: `Comparar ${first?.tokenName}`, exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Buscar un token'));
  await page.keyboard.type(String(second?.tokenName));
  await page.keyboard.press('Enter');
  await tabTo(
    page,
    page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(String(second?.tokenName)) })
      .first(),
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table')).toBeVisible();

  await visit(page, '/vote/race');
  await tabTo(page, page.getByRole('slider', { name: 'Día' }));
  await page.keyboard.press('Home');
  await expect(page.getByRole('list', { name: /hoy, hasta ahora/ })).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(page.getByRole('list', { name: /hoy, hasta ahora/ })).toBeVisible();

  await visit(page, `/token/${second?.tokenSlug}/candidate`);
  await tabTo(page, page.getByRole('button', { name: `Votar por ${second?.tokenName}` }));
  await page.keyboard.press('Enter');
  const ticket = page.getByRole('region', { name: 'Tu ticket' });
  await expect(ticket).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: /^Ver mi ticket/ }));
  await page.keyboard.press('Enter');
  await expect(ticket).toBeFocused();
  await tabTo(page, ticket.getByRole('button', { name: 'Cerrar el ticket' }), 4);
  await page.keyboard.press('Enter');
  await expect(ticket).toHaveCount(0);
  expect(errors.seen).toEqual([]);
  await other.close();
});

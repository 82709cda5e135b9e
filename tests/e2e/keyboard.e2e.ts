import type { Page } from '@playwright/test';
import { expect, rankingOf, rowOf, signInAsAdmin, signUp, test, visit } from './support.ts';
import { skip, stop, tabAndPress, tabTo } from './tab-keys.ts';
import { heading, next, WALLET } from './wizard.ts';

/** Announcements of a screen reader. */
const received = (page: Page, words: string | RegExp) =>
  expect(page.locator('[aria-live=polite]').filter({ hasText: words }).first()).toBeAttached();

test.beforeEach(({ pageErrors }) => pageErrors.expectStatus(428));

test('the wizard is filled in up to the payment with the keyboard alone, and its errors lead to their fields', async ({
  page,
}) => {
  await visit(page, '/create');
  await skip(page);
  await tabAndPress(page, next(page));
  const summary = page.getByRole('region', { name: 'Error', exact: true });
  await expect(summary).toBeFocused();
  await expect(summary).toHaveAccessibleDescription('Please fill in token name, symbol, and description.');
  await tabAndPress(page, summary.getByRole('button', { name: 'Ir a Name' }));
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await expect(field('Name')).toBeFocused();
  await expect(field('Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(field('Name')).toHaveAccessibleDescription(/Este dato es obligatorio/);
  await page.keyboard.type(`Ajolote ${Date.now().toString(36)}`);
  await expect(field('Name')).not.toHaveAttribute('aria-invalid');
  for (const [label, words] of [
    ['Ticker', 'AJO'],
    ['Description', 'Un token de lago.'],
    ['Red blockchain', 'Ethereum'],
    ['Wallet del propietario', WALLET],
    ['Correo electrónico', 'ana@florka.test'],
    ['Usuario de Telegram', '@ana'],
  ] as const) {
    await tabTo(page, field(label));
    await page.keyboard.type(words);
  }
  await tabAndPress(page, next(page));
  for (const name of ['Mercado', 'Redes y contacto', 'Plan']) {
    await expect(heading(page, name)).toBeFocused();
    if (name === 'Plan') {
      const plans = page.getByRole('radio');
      await tabTo(page, plans);
      await page.keyboard.press('ArrowDown');
      await expect(plans.nth(1)).toBeChecked();
      await expect(plans.nth(1)).toBeFocused();
    }
    await tabAndPress(page, next(page), name === 'Plan' ? 'Space' : 'Enter');
  }
  await expect(heading(page, 'Pago')).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Crear pago' }));
  await tabAndPress(page, page.getByRole('button', { name: 'Back', exact: true }));
  await expect(heading(page, 'Plan')).toBeFocused();
});

test('a candidate is found, voted for and saved with the keyboard alone, and the title of a new page is announced', async ({
  page,
}) => {
  await signUp(page.request);
  const [, , candidate] = await rankingOf(page.request);
  const name = candidate?.tokenName ?? '';
  await visit(page, '/vote');
  await expect(page.getByText(/Sesión iniciada como/)).toBeVisible();
  await skip(page);
  const row = rowOf(page, name);
  await tabAndPress(page, row.getByRole('button', { name: `Votar por ${name}` }));
  await received(page, '¡Voto registrado!');
  await expect(row.getByRole('button', { name: `Ya has votado por ${name} hoy` })).toBeFocused();
  await tabAndPress(page, row.getByRole('button', { name: `Eliminar voto por ${name}` }), 'Space');
  await received(page, 'Voto eliminado');
  await expect(row.getByRole('button', { name: `Votar por ${name}` })).toBeFocused();
  await tabTo(page, row.getByRole('link', { name, exact: true }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/candidate$/);
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveTitle(new RegExp(name));
  await received(page, await page.title());
  const save = page.getByRole('main').getByRole('button', { name: /^Guarda[rd]/ });
  await tabAndPress(page, save, 'Space');
  await expect(save).toHaveAttribute('aria-pressed', 'true');
  expect(await stop(page)).toBe('seen');
  await tabAndPress(page, page.getByRole('contentinfo').getByRole('link', { name: 'Guardados' }));
  await expect(page).toHaveURL('/saved');
  await expect(page.getByRole('main')).toBeFocused();
  await tabAndPress(page, page.getByRole('button', { name: `Quitar ${name} de guardados` }));
  await expect(page.getByRole('button', { name: `Quitar ${name} de guardados` })).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
});

test('further entries of a list take the focus, and a tab of home keeps it', async ({ page }) => {
  await visit(page, '/');
  await skip(page);
  await tabAndPress(page, page.getByRole('link', { name: 'New', exact: true }));
  await expect(page).toHaveURL('/?tab=new');
  const tab = page.getByRole('link', { name: 'New', exact: true });
  await expect(tab).toBeFocused();
  // The URL changes before the list: Tab into the old list would lose the focus when that is replaced.
  await expect(tab).toHaveAttribute('aria-current', 'true');
  const cards = page.getByRole('main').getByRole('article');
  const more = page.getByRole('button', { name: 'Ver más' });
  await tabTo(page, more);
  const before = await cards.count();
  await page.keyboard.press('Enter');
  await expect(cards.nth(before).getByRole('link')).toBeFocused();
  expect(await stop(page)).toBe('seen');
});

test('a post is written, liked, commented, edited and deleted with the keyboard alone', async ({
  page,
  pageErrors,
}) => {
  // The deleted post is fetched once more, since a post with comments of others keeps its place; this one has none.
  pageErrors.expectStatus(404);
  await signUp(page.request);
  await visit(page, '/forum');
  const title = `Teclado ${Date.now().toString(36)}`;
  await expect(page.getByRole('button', { name: 'Publicar Post' })).toBeVisible();
  await skip(page);
  const form = page.getByRole('form', { name: 'Crear Nuevo Post' });
  await tabTo(page, form.getByLabel('Título'));
  await page.keyboard.type(title);
  await tabTo(page, form.getByLabel('Contenido'));
  await page.keyboard.type('Sin ratón.');
  await tabAndPress(page, page.getByRole('button', { name: 'Publicar Post' }));
  const note = page.getByRole('article', { name: title });
  await expect(note).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publicar Post' })).toBeFocused();

  // Changing and leaving it leads back to where it began.
  const edit = note.getByRole('button', { name: `Editar el post «${title}»` });
  await tabAndPress(page, edit);
  const changed = page.locator('#posts').getByLabel('Título');
  await expect(changed).toBeFocused();
  // One key does not discard what was typed.
  await page.keyboard.type('x');
  await page.keyboard.press('Escape');
  await expect(changed).not.toHaveValue(title);
  await page.keyboard.press('Backspace');
  await expect(changed).toHaveValue(title);
  await page.keyboard.press('Escape');
  await expect(edit).toBeFocused();

  const like = note.getByRole('button', { name: /^Me gusta/ });
  await tabAndPress(page, like, 'Space');
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toBeFocused();
  await tabAndPress(page, note.getByRole('button', { name: `Comentar «${title}»` }));
  await expect(note.getByRole('textbox', { name: `Comentar «${title}»` })).toBeFocused();
  await page.keyboard.type('De acuerdo conmigo.');
  await tabAndPress(page, note.getByRole('button', { name: 'Comentar', exact: true }));
  await expect(note.getByText('De acuerdo conmigo.')).toBeVisible();
  await expect(note.getByRole('button', { name: 'Comentar', exact: true })).toBeFocused();

  const remove = note.getByRole('button', { name: `Eliminar el post «${title}»` });
  await tabTo(page, remove, 'Shift+Tab');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused();
  // No element behind the confirmation gets the focus.
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab');
  await expect(question.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  await tabAndPress(page, question.getByRole('button', { name: 'Eliminar' }));
  await received(page, 'Post Deleted');
  await expect(note).toHaveCount(0);
  await expect(page.locator('#posts')).toBeFocused();
});

test('a table is sorted, filtered, paged, and its records are edited and deleted with the keyboard alone', async ({
  page,
}) => {
  await signInAsAdmin(page);
  const stamp = Date.now().toString(36);
  const names = ['A', 'B', 'C'].map((letter) => `Tecla ${letter} ${stamp}`);
  for (const tokenName of names)
    expect(
      (
        await page.request.post('/api/admin/candidates', {
          data: { tokenName, resemblanceAccepted: true, tokenSymbol: 'TECLA' },
        })
      ).status(),
    ).toBe(200);
  const [first, second, third] = names as [string, string, string];
  await visit(page, '/admin/votes');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await skip(page);
  await tabTo(page, page.getByRole('searchbox'));
  await page.keyboard.type(stamp);
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('searchbox')).toBeFocused();
  await tabTo(page, page.getByRole('radio'));
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/shelf=trash/);
  await page.keyboard.press('ArrowLeft');
  await expect(page).not.toHaveURL(/shelf/);
  await expect(page.getByRole('row')).toHaveCount(4);
  const head = page.getByRole('columnheader', { name: /Token/ });
  await tabAndPress(page, head.getByRole('button'));
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect(head.getByRole('button')).toBeFocused();

  // A dialog with an error, left by Escape: discarding needs a confirmation, and focus returns to its row.
  const edit = page.getByRole('button', { name: `Editar ${first}`, exact: true });
  await tabAndPress(page, edit);
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByLabel('Nombre del token'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Nombre del token')).toBeFocused();
  await expect(dialog.getByLabel('Nombre del token')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByLabel('Nombre del token')).toHaveAccessibleDescription(/.+/);
  await page.keyboard.press('Escape');
  await tabAndPress(page, page.getByRole('alertdialog').getByRole('button', { name: 'Descartar' }));
  await expect(dialog).toHaveCount(0);
  await expect(edit).toBeFocused();

  // When a row is removed, the same button of the next row gets the focus; after the last row, the table.
  const remove = (name: string) => page.getByRole('button', { name: `Eliminar ${name}`, exact: true });
  for (const [name, after] of [
    [first, remove(second)],
    [third, remove(second)],
    [second, page.getByRole('region', { name: 'Sistema de Votación' })],
  ] as const) {
    await tabAndPress(page, remove(name));
    const question = page.getByRole('alertdialog');
    await page.keyboard.press('Escape');
    await expect(remove(name)).toBeFocused();
    await page.keyboard.press('Enter');
    await tabAndPress(page, question.getByRole('button', { name: 'Eliminar' }));
    await expect(remove(name)).toHaveCount(0);
    await expect(after).toBeFocused();
  }

  // After a change of page the focus stays on the link with its number.
  await visit(page, '/admin/complete-users');
  const two = page.getByRole('link', { name: 'Página 2', exact: true });
  await two.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/page=2/);
  await expect(two).toBeFocused();
});

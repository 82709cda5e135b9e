import { PNG, uploadPng } from './images.ts';
import { expect, signInAsAdmin, test, visit } from './support.ts';
import { skip, tabAndPress, tabTo } from './tab-keys.ts';

test.describe.configure({ timeout: 180_000 });

const key = () => Date.now().toString(36);

test('with the keyboard alone a list is sorted by its column headers, and a view of it is saved, used and removed', async ({
  page,
}) => {
  await signInAsAdmin(page);
  const mark = `Teclado ${key()}`;
  for (const [index, name] of ['uno', 'dos'].entries())
    expect(
      (
        await page.request.post('/api/admin/networks', {
          data: { name: `${mark} ${name}`, symbol: `K${index}${key().slice(-6)}` },
        })
      ).ok(),
    ).toBe(true);
  await visit(page, `/admin/networks?q=${encodeURIComponent(mark)}`);
  await skip(page);
  const names = page.getByRole('cell', { name: new RegExp(`^${mark}`) });
  const head = page.getByRole('columnheader', { name: 'Nombre' });
  const sort = head.getByRole('button');
  await tabAndPress(page, sort);
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect(names.first()).toContainText('dos');
  await expect(sort).toBeFocused();
  await page.keyboard.press('Space');
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expect(names.first()).toContainText('uno');
  await expect(sort).toBeFocused();

  // The view is what is shown now.
  const opener = page.getByRole('button', { name: 'Vistas y columnas' });
  await tabTo(page, opener, 'Shift+Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Vistas y columnas' });
  const name = dialog.getByLabel('Nombre de lo que se ve ahora');
  await tabTo(page, name);
  await page.keyboard.press('Enter');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.type(mark);
  await page.keyboard.press('Enter');
  const view = dialog.getByRole('button', { name: mark, exact: true });
  await expect(view).toBeVisible();
  await expect(name).toHaveValue('');
  // A column is hidden by Space, and shown again.
  const column = dialog.getByRole('checkbox', { name: 'Símbolo' });
  await tabAndPress(page, column, 'Space');
  await expect(column).not.toBeChecked();
  await expect(page.getByRole('columnheader', { name: 'Símbolo', includeHidden: true })).toHaveCount(0);
  await page.keyboard.press('Space');
  await expect(column).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();

  await visit(page, '/admin/networks');
  await skip(page);
  await tabAndPress(page, opener);
  await tabAndPress(page, view);
  await expect(dialog).toHaveCount(0);
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expect(names).toHaveCount(2);
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await tabAndPress(page, dialog.getByRole('button', { name: `Quitar la vista ${mark}` }), 'Space');
  await expect(view).toHaveCount(0);
  // The focus stays in the dialog, which Escape closes.
  expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('with the keyboard alone an image is replaced, and unused images are deleted and restored', async ({ page }) => {
  await signInAsAdmin(page);
  const shown = await uploadPng(page.request);
  const title = `Teclado ${key()}`;
  const made = await page.request.post('/api/admin/news', {
    data: { title, content: 'x', imageUrl: shown.url, isActive: true },
  });
  expect(made.ok()).toBe(true);
  await visit(page, '/admin/media');
  await skip(page);
  const replace = page.getByRole('button', { name: `Sustituir: ${title}` });
  const dialog = page.getByRole('dialog', { name: 'Sustituir la imagen' });
  await tabAndPress(page, replace);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(replace).toBeFocused();
  await page.keyboard.press('Space');
  const choosing = page.waitForEvent('filechooser');
  await tabAndPress(page, dialog.getByRole('button', { name: /imagen/i }).first());
  await (await choosing).setFiles({ name: 'new.png', mimeType: 'image/png', buffer: PNG });
  await expect(dialog.getByRole('status').filter({ hasText: 'Imagen subida exitosamente' })).toBeAttached();
  await tabAndPress(page, dialog.getByRole('button', { name: 'Sustituir', exact: true }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('article', { name: title })).toBeVisible();
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);

  const [one, two] = [await uploadPng(page.request), await uploadPng(page.request)];
  await visit(page, '/admin/media?show=unused');
  await skip(page);
  const card = ({ url }: { url: string }) =>
    page.getByRole('article').filter({ has: page.locator(`a[href="${url}"]`) });
  for (const image of [one, two].toReversed()) {
    await tabAndPress(page, card(image).getByRole('checkbox'), 'Space');
    await expect(card(image).getByRole('checkbox')).toBeChecked();
  }
  const bar = page.getByRole('status').filter({ hasText: '2 elegidas' });
  await tabTo(page, bar.getByRole('button', { name: 'A la papelera' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  const report = page.getByRole('dialog', { name: 'Resultado' });
  await expect(report.getByRole('status')).toHaveText('2 de 2 hechos');
  await tabAndPress(page, report.getByRole('button', { name: 'Deshacer' }));
  await expect(report.getByRole('status')).toHaveText('Deshecho: 2 de 2');
  await expect(report.getByRole('button', { name: 'Cerrar' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(report).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  await expect(card(one)).toBeVisible();
});

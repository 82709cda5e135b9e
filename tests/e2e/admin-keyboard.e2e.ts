import { expect, signInAsAdmin, test, visit } from './support.ts';
import { skip, tabAndPress, tabTo } from './tab-keys.ts';

test.describe.configure({ timeout: 180_000 });

const key = () => Date.now().toString(36);

test('by keyboard alone: a list is sorted by the heads of its columns, and its view is saved, used and removed', async ({
  page,
}) => {
  await signInAsAdmin(page);
  const mark = `Teclado ${key()}`;
  for (const [place, name] of ['uno', 'dos'].entries())
    expect(
      (
        await page.request.post('/api/admin/networks', {
          data: { name: `${mark} ${name}`, symbol: `K${place}${key().slice(-6)}` },
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

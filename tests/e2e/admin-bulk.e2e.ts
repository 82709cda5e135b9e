import { readFileSync } from 'node:fs';
import { a11yViolations, expect, otherBrowser, signInAsAdmin, test, visit } from './support.ts';

test('several records are deleted and restored at once, and one that another admin changed meanwhile is listed by name', async ({
  page,
}) => {
  await signInAsAdmin(page);
  const key = `Lote ${Date.now().toString(36)}`;
  const made: { id: string; version: number }[] = [];
  for (const one of ['uno', 'dos', 'tres']) {
    const answer = await page.request.post('/api/admin/news', {
      // Words so short that each line on a phone ends at its edge.
      data: { title: `${key} ${one} ${'y '.repeat(60).trim()}`, content: 'x' },
    });
    expect(answer.ok()).toBe(true);
    made.push((await answer.json()) as { id: string; version: number });
  }
  await visit(page, `/admin/news?q=${encodeURIComponent(key)}`);
  const all = page.getByRole('checkbox', { name: 'Seleccionar toda la página' }).first();
  await expect(page.getByRole('checkbox', { name: new RegExp(`^Seleccionar ${key}`) })).toHaveCount(3);
  await all.check();
  // Another admin saves one of them while the question is open.
  await page.getByRole('button', { name: 'A la papelera', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: '¿Poner 3 registros en la papelera?' });
  await expect(question).toBeVisible();
  const [first] = made;
  const saved = await page.request.put(`/api/admin/news/${first?.id}`, {
    data: { version: first?.version, title: `${key} uno`, content: 'changed' },
  });
  expect(saved.ok()).toBe(true);
  await question.getByRole('button', { name: 'A la papelera' }).click();
  const report = page.getByRole('dialog', { name: 'Resultado' });
  await expect(report.getByText('2 de 3 hechos')).toBeVisible();
  await expect(report.getByRole('listitem').filter({ hasText: `${key} uno` })).toContainText(
    /Lo cambió .+ mientras tanto/,
  );
  expect(await a11yViolations(page)).toEqual([]);
  await report.getByRole('button', { name: 'Deshacer' }).click();
  // The open dialog says that it was undone, and announces it.
  await expect(report.getByRole('status')).toHaveText('Deshecho: 2 de 2');
  await expect(report.getByRole('listitem').filter({ hasText: `${key} dos` })).toContainText('Deshecho');
  await expect(report.getByRole('button', { name: 'Cerrar' })).toBeFocused();
  // A restored record can be deleted again.
  await report.getByRole('button', { name: 'Rehacer' }).click();
  await expect(report.getByRole('status')).toHaveText('2 de 2 hechos');
  await expect(
    page.getByRole('checkbox', { name: new RegExp(`^Seleccionar ${key}`), includeHidden: true }),
  ).toHaveCount(1);
  await report.getByRole('button', { name: 'Deshacer' }).click();
  await expect(report.getByRole('status')).toHaveText('Deshecho: 2 de 2');
  await report.getByRole('button', { name: 'Cerrar' }).click();
  await expect(page.getByRole('checkbox', { name: new RegExp(`^Seleccionar ${key}`) })).toHaveCount(3);

  // On a phone the box of a row covers no word of its name.
  await page.setViewportSize({ width: 360, height: 740 });
  const covered = await page
    .locator('tbody tr')
    .first()
    .evaluate((row) => {
      const box = (row.querySelector('.admin-check') as Element).getBoundingClientRect();
      const words = document.createRange();
      words.selectNodeContents(row.querySelector('.admin-lead') as Node);
      return [...words.getClientRects()].some(
        ({ right, top, bottom }) => right > box.left && top < box.bottom && bottom > box.top,
      );
    });
  expect(covered).toBe(false);

  // The cards of NEXT have boxes as well, also on a phone.
  const next = await page.request.post('/api/admin/next-projects', {
    data: { tokenName: key, tokenSymbol: 'LOTE', resemblanceAccepted: true },
  });
  expect(next.ok()).toBe(true);
  await visit(page, `/admin/next-projects?q=${encodeURIComponent(key)}`);
  await page.getByRole('checkbox', { name: `Seleccionar ${key}` }).check();
  await page.getByRole('button', { name: 'A la papelera', exact: true }).click();
  const one = page.getByRole('alertdialog', { name: '¿Poner 1 registro en la papelera?' });
  await one.getByRole('button', { name: 'A la papelera' }).click();
  await expect(page.getByText('En la papelera', { exact: true })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: `Seleccionar ${key}` })).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('several networks are deactivated and deleted at once, and one that a colleague changed meanwhile is left out', async ({
  page,
  browser,
}) => {
  const otherContext = await otherBrowser(browser);
  const colleague = await otherContext.newPage();
  await signInAsAdmin(page);
  await signInAsAdmin(colleague);
  const key = `Lote ${Date.now().toString(36)}`;
  const ids: string[] = [];
  for (const [index, name] of ['uno', 'dos', 'tres'].entries()) {
    const answer = await page.request.post('/api/admin/networks', {
      data: { name: `${key} ${name}`, symbol: `L${index}${Date.now().toString(36).slice(-6)}` },
    });
    expect(answer.ok()).toBe(true);
    ids.push(((await answer.json()) as { id: string }).id);
  }
  await visit(page, `/admin/networks?q=${encodeURIComponent(key)}`);
  await visit(colleague, `/en/admin/networks?q=${encodeURIComponent(key)}`);
  const boxes = page.getByRole('checkbox', { name: new RegExp(`^Seleccionar ${key}`), includeHidden: true });
  await expect(boxes).toHaveCount(3);
  for (const box of await boxes.all()) await box.check();
  const bar = page.locator('.admin-bulk');
  // The file has what is selected and nothing else.
  const saved = page.waitForEvent('download');
  await bar.getByRole('link', { name: 'CSV de lo seleccionado' }).click();
  const file = readFileSync(await (await saved).path(), 'utf8');
  expect(
    file
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0])
      .toSorted(),
  ).toEqual(ids.toSorted());

  // Until the action is sent this list shows the network as it was, however fast the change of the colleague arrives.
  const hold = '**/rpc/admin/networks/list*';
  await page.route(hold, () => {});
  await colleague.getByRole('button', { name: `Deactivate ${key} uno` }).click();
  await expect(colleague.getByRole('button', { name: `Activate ${key} uno` })).toBeVisible();
  await bar.getByRole('button', { name: 'Desactivar' }).click();
  const report = page.getByRole('dialog', { name: 'Resultado' });
  await expect(report).toBeVisible();
  await page.unroute(hold);
  await expect(report.getByText('2 de 3 hechos')).toBeVisible();
  await expect(report.getByRole('listitem').filter({ hasText: `${key} uno` })).toContainText(
    /Lo cambió .+ mientras tanto/,
  );
  await report.getByRole('button', { name: 'Deshacer' }).click();
  await expect(report.getByText('Deshecho: 2 de 2')).toBeVisible();
  await report.getByRole('button', { name: 'Cerrar' }).click();
  await expect(page.getByRole('button', { name: `Desactivar ${key} dos` })).toBeVisible();

  for (const box of await boxes.all()) await box.check();
  await bar.getByRole('button', { name: 'A la papelera', exact: true }).click();
  await page
    .getByRole('alertdialog', { name: '¿Poner 3 registros en la papelera?' })
    .getByRole('button', { name: 'A la papelera' })
    .click();
  await expect(boxes).toHaveCount(0);
  await visit(colleague, `/en/admin/networks?q=${encodeURIComponent(key)}`);
  await expect(colleague.getByRole('checkbox', { name: new RegExp(key) })).toHaveCount(0);
  await otherContext.close();
});

import { a11yViolations, expect, signInAsAdmin, test, visit } from './support.ts';

test('several records go into the trash at once and come back, and what another changed meanwhile is told by its name', async ({
  page,
}) => {
  await signInAsAdmin(page);
  const key = `Lote ${Date.now().toString(36)}`;
  const made: { id: string; version: number }[] = [];
  for (const one of ['uno', 'dos', 'tres']) {
    const answer = await page.request.post('/api/admin/news', { data: { title: `${key} ${one}`, content: 'x' } });
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
  await expect(report.getByRole('listitem').filter({ hasText: `${key} uno` })).toContainText('Otra persona lo cambió');
  expect(await a11yViolations(page)).toEqual([]);
  await report.getByRole('button', { name: 'Deshacer' }).click();
  await expect(report.getByText('2 de 2 hechos')).toBeVisible();
  // A restored record can be deleted again.
  await report.getByRole('button', { name: 'Deshacer' }).click();
  await expect(
    page.getByRole('checkbox', { name: new RegExp(`^Seleccionar ${key}`), includeHidden: true }),
  ).toHaveCount(1);
  await report.getByRole('button', { name: 'Deshacer' }).click();
  await expect(report.getByText('2 de 2 hechos')).toBeVisible();
  await report.getByRole('button', { name: 'Cerrar' }).click();
  await expect(page.getByRole('checkbox', { name: new RegExp(`^Seleccionar ${key}`) })).toHaveCount(3);

  // The cards of NEXT have boxes as well, also on a phone.
  await page.setViewportSize({ width: 360, height: 740 });
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

import { a11yViolations, expect, expectNotice, notice, signInAsAdmin, test, visit } from './support.ts';

const key = () => Date.now().toString(36);

test('a NEXT project is created with its dates, edited, deleted and restored [A-NEXT-01..08] [A-NEXT-10..15] [A-NEXT-19..33] [A-NEXT-37] [A-NEXT-39] [A-NEXT-40] [A-NEXT-43] [A-NEXT-46..49] [A-NEXT-60]', async ({
  page,
}) => {
  const name = `Cometa ${key()}`;
  await signInAsAdmin(page);
  await visit(page, '/admin/next-projects');
  await expect(page.getByRole('heading', { level: 1, name: /Gestión de Proyectos NEXT/ })).toContainText(
    /\d+ proyecto/,
  );
  await expect(page.getByRole('link', { name: 'Volver al Dashboard' })).toHaveAttribute('href', '/admin');
  const again = page.waitForResponse('**/rpc/admin/nextProjects/list*');
  await page.getByRole('button', { name: 'Actualizar', exact: true }).click();
  await again;
  const grid = page.getByRole('region', { name: 'Gestión de Proyectos NEXT' }).getByRole('list');
  for (const [width, count] of [
    [400, 1],
    [800, 2],
    [1280, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const tracks = await grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length);
    expect([width, tracks]).toEqual([width, count]);
  }
  const icon = grid.getByRole('button', { name: /^Editar / }).first();
  const shown = () => icon.evaluate((one) => getComputedStyle(one, '::after').content);
  expect(await shown()).toBe('none');
  await icon.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(icon).toBeFocused();
  await expect.poll(shown).toMatch(/^"Editar /);
  await page.getByRole('button', { name: 'Nuevo Proyecto NEXT' }).click();
  const form = page.getByRole('dialog', { name: 'Nuevo Proyecto NEXT' });
  for (const section of [
    'Información Básica',
    'Imagen del Proyecto',
    'Enlaces de Redes Sociales',
    'Configuración',
    'Información de Lanzamiento',
    'Notas del administrador',
  ])
    await expect(form.getByRole('group', { name: section, exact: true })).toBeVisible();
  for (const way of ['Subir archivo', 'URL manual']) await expect(form.getByText(way, { exact: true })).toBeVisible();
  await expect(form.getByRole('checkbox', { name: 'Activo' })).toBeChecked();
  for (const [label, attributes] of [
    ['Progreso (%)', { min: '0', max: '100' }],
    ['Precio (USD)', { min: '0', step: '0.000001' }],
  ] as const)
    for (const [name, value] of Object.entries(attributes))
      await expect(form.getByLabel(label)).toHaveAttribute(name, value);
  await expect(form.getByLabel('Estado')).toHaveValue('pending');
  await form.getByLabel('Nombre del token').fill(name);
  await form.getByLabel('Símbolo del token').pressSequentially('com');
  await expect(form.getByLabel('Símbolo del token')).toHaveValue('COM');
  await form.getByLabel('Precio (USD)').fill('0.000001');
  // Dates are typed in the order of the page's language, whatever the browser's is.
  const launch = form.getByLabel('Fecha de lanzamiento');
  await expect(launch).toHaveAttribute('placeholder', 'dd/mm/aaaa hh:mm');
  await launch.fill('05/31/2037 10:30');
  await form.getByRole('button', { name: 'Crear' }).click();
  await expect(form.getByText('Esta fecha no es válida.').first()).toBeVisible();
  await launch.clear();
  await launch.pressSequentially('1/5/2037 10:30');
  await expect(form.getByText('1 may 2037 a las 10:30', { exact: true })).toBeVisible();
  await form.getByLabel('Orden de aparición').fill('2');
  await form.getByRole('button', { name: 'Crear' }).click();
  await expectNotice(page, 'Proyecto creado');
  await page.getByRole('searchbox').fill(name);
  const card = page.getByRole('listitem').filter({ hasText: name });
  for (const words of ['Pendiente', 'Top 2', 'Sin descripción', 'TBD', 'No establecida'])
    await expect(card.getByText(words, { exact: true })).toBeVisible();
  await expect(card.getByText(/1 may 2037/)).toBeVisible();
  await expect(card.getByRole('heading', { name })).toBeVisible();
  await expect(card.getByText('$COM', { exact: true })).toBeVisible();
  await expect(card.locator('.token-image')).toBeVisible();
  await expect(card.getByRole('progressbar', { name: 'Progreso' })).toHaveAttribute('aria-valuenow', '0');
  for (const action of ['Ver', 'Editar', 'Eliminar'])
    await expect(card.getByRole('button', { name: `${action} ${name}` })).toBeVisible();
  const saved = async () => {
    const answer = await page.request.get(`/api/admin/next-projects?q=${name}`);
    return ((await answer.json()) as { rows: { launchDate: string | null; price: number }[] }).rows[0];
  };
  const moment = await page.evaluate(() => new Date('2037-05-01T10:30').toISOString());
  expect(await saved()).toMatchObject({ launchDate: moment, price: 0.000001 });

  await card.getByRole('button', { name: `Ver ${name}` }).click();
  const details = page.getByRole('dialog', { name: `Detalles de ${name}` });
  for (const part of ['Información de Lanzamiento', 'Información del token', 'Notas del administrador'])
    await expect(details.getByRole('heading', { name: part })).toBeVisible();
  await expect(details.getByText('Pendiente', { exact: true })).toBeVisible();
  const facts = await details.getByRole('term').allInnerTexts();
  for (const fact of [
    'Fecha de lanzamiento',
    'Dirección del token',
    'Descripción',
    'Descripción completa',
    'Sitio web',
    'Telegram',
    'Twitter / X',
    'Discord',
    'Notas del equipo',
    'Creado',
    'Actualizado',
    'Ronda de votación',
  ])
    expect(facts).toContain(fact);
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
  await details.getByRole('button', { name: 'Editar' }).click();
  const edit = page.getByRole('dialog', { name: `Editar ${name}` });
  await expect(edit.getByLabel('Fecha de lanzamiento')).toHaveValue('01/05/2037 10:30');
  await edit.getByLabel('Estado').selectOption('Lanzado');
  await edit.getByLabel('Fecha de lanzamiento').fill('');
  await edit.getByLabel('Precio (USD)').fill('');
  await edit.getByLabel('Nombre del token').fill('');
  await edit.getByRole('button', { name: 'Actualizar' }).click();
  await expect(edit.getByText('El nombre del token es requerido')).toBeVisible();
  await edit.getByLabel('Nombre del token').fill(name);
  await edit.getByRole('button', { name: 'Actualizar' }).click();
  await expectNotice(page, 'Proyecto actualizado');
  await expect(card.getByText('Lanzado', { exact: true })).toBeVisible();
  await expect(card.getByText('No establecida', { exact: true })).toHaveCount(2);
  expect(await saved()).toMatchObject({ launchDate: null, price: 0 });

  await card.getByRole('button', { name: `Eliminar ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(page, 'Proyecto eliminado');
  await page.getByText('Papelera', { exact: true }).click();
  await card.getByRole('button', { name: `Restaurar ${name}` }).click();
  await expectNotice(page, 'Proyecto restaurado');
  await notice(page).getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(page, 'Proyecto eliminado');
});

test('a countdown that ends in the past, or after the launch, needs a confirmation before it is saved', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  const name = `Cuenta ${Date.now().toString(36)}`;
  await signInAsAdmin(page);
  await visit(page, '/admin/next-projects');
  expect(
    (
      await page.request.post('/api/admin/next-projects', {
        data: { tokenName: name, tokenSymbol: 'CTA', resemblanceAccepted: true },
      })
    ).status(),
  ).toBe(200);
  await visit(page, `/admin/next-projects?q=${name}`);
  await page.getByRole('button', { name: `Editar ${name}` }).click();
  const edit = page.getByRole('dialog', { name: `Editar ${name}` });
  await edit.getByLabel('Fin de la cuenta atrás').fill('2024-05-01T10:30');
  await edit.getByRole('button', { name: 'Actualizar' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Comprueba las fechas' });
  await expect(dialog).toContainText('La cuenta atrás termina antes de ahora.');
  expect(await a11yViolations(page, '[role=alertdialog]')).toEqual([]);
  // The form is dimmed behind the confirmation.
  const form = await page.getByRole('dialog', { name: `Editar ${name}`, includeHidden: true }).boundingBox();
  if (!form) throw new Error('no form');
  expect(
    await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.className, [
      form.x + form.width / 2,
      form.y + 4,
    ] as const),
  ).toBe('veil');
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  // Nothing is lost, the message is beside its cause, and no failure is reported.
  await expect(notice(page)).toHaveCount(0);
  await expect(edit.getByLabel('Fin de la cuenta atrás')).toHaveValue('2024-05-01T10:30');
  await expect(edit.getByText('La cuenta atrás termina antes de ahora.')).toBeVisible();
  await edit.getByRole('button', { name: 'Actualizar' }).click();
  await dialog.getByRole('button', { name: 'Guardar así' }).click();
  await expectNotice(page, 'Proyecto actualizado');
  await expect(edit).toHaveCount(0);

  await page.getByRole('button', { name: `Editar ${name}` }).click();
  await edit.getByLabel('Fecha de lanzamiento').fill('01/05/2099 10:30');
  await edit.getByLabel('Fin de la cuenta atrás').fill('02/05/2099 10:30');
  await edit.getByRole('button', { name: 'Actualizar' }).click();
  await expect(dialog).toContainText('La cuenta atrás termina después del lanzamiento.');
  const saved = async () => {
    const answer = await page.request.get(`/api/admin/next-projects?q=${name}`);
    return ((await answer.json()) as { rows: { launchDate: string | null; countdownEnd: string | null }[] }).rows[0];
  };
  const moment = (local: string) => page.evaluate((typed) => new Date(typed).toISOString(), local);
  // Nothing is saved before the confirmation.
  expect(await saved()).toMatchObject({ launchDate: null, countdownEnd: await moment('2024-05-01T10:30') });
  await dialog.getByRole('button', { name: 'Guardar así' }).click();
  await expect(edit).toHaveCount(0);
  expect(await saved()).toMatchObject({
    launchDate: await moment('2099-05-01T10:30'),
    countdownEnd: await moment('2099-05-02T10:30'),
  });
});

import {
  a11yViolations,
  expect,
  expectNotice,
  heldRequest,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

const OPEN = 'lo tiene abierto para editar desde';

test('two admins edit the announcement, each sees the other while there is input, and the second one to save sees the text of the first', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  await page.clock.install();
  await signInAsAdmin(page);
  const me = (await (await page.request.get('/api/me')).json()) as { username: string };
  const otherContext = await otherBrowser(browser);
  const colleague = await signUp(otherContext.request);
  const raised = await page.request.put(`/api/admin/roles/${colleague.id}`, { data: { role: 'admin' } });
  expect(raised.ok()).toBe(true);
  const theirs = await otherContext.newPage();
  await visit(page, '/admin/settings');
  await visit(theirs, '/admin/settings');
  const part = (on: typeof page) => on.getByRole('form', { name: 'Aviso en todas las páginas' });
  const text = (on: typeof page) => part(on).getByLabel('Aviso en español');
  const english = (on: typeof page) => part(on).getByLabel('Aviso en inglés');
  await expect(text(page)).toBeVisible();
  await text(page).fill('Mantenimiento a las 10');
  await english(page).fill('Maintenance at 10');
  await expect(part(theirs).getByText(OPEN)).toContainText(me.username, { timeout: 15_000 });
  // Reading is no editing.
  await page.clock.runFor(6_000);
  await expect(part(page).getByText(OPEN)).toHaveCount(0);
  await text(theirs).fill('Mantenimiento a las 12');
  await english(theirs).fill('Maintenance at 12');
  await expect(part(theirs).getByText('sin guardar', { exact: false })).toBeVisible();
  await expect(async () => {
    await page.clock.runFor(6_000);
    await expect(part(page).getByText(OPEN)).toContainText(colleague.username, { timeout: 500 });
  }).toPass();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(await a11yViolations(page)).toEqual([]);
  await part(page).getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Ajustes guardados');
  await part(theirs).getByRole('button', { name: 'Guardar' }).click();
  const proof = theirs.getByRole('dialog', { name: 'Confirma que eres tú' });
  await proof.getByLabel('Tu contraseña').fill(colleague.password);
  await proof.getByRole('button', { name: 'Confirmar' }).click();
  await expect(part(theirs).getByText('Ahora vale: Mantenimiento a las 10', { exact: false })).toBeVisible();
  await expect(part(theirs).getByText(me.username, { exact: false }).first()).toBeVisible();
  await expect(text(theirs)).toHaveValue('Mantenimiento a las 12');
  await expect(part(theirs).getByText(OPEN)).toHaveCount(0, { timeout: 15_000 });
  await visit(page, '/admin/settings');
  await text(page).fill('');
  await english(page).fill('');
  await part(page).getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Ajustes guardados');
  await otherContext.close();
});

test('two admins edit a NEXT project, and the second one to save sees who changed what, and chooses field by field', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  await signInAsAdmin(page);
  const otherContext = await otherBrowser(browser);
  const colleague = await signUp(otherContext.request);
  expect((await page.request.put(`/api/admin/roles/${colleague.id}`, { data: { role: 'admin' } })).ok()).toBe(true);
  const name = `Dos ${Date.now().toString(36)}`;
  const made = await page.request.post('/api/admin/next-projects', {
    data: { tokenName: name, tokenSymbol: 'DOS', resemblanceAccepted: true },
  });
  const record = (await made.json()) as { id: string; version: number };
  await visit(page, `/admin/next-projects?q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: `Editar ${name}` }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Descripción', { exact: false }).first().fill('Lo que escribo yo');
  await form.getByLabel('Notas del equipo').fill('Mi nota');
  const saved = await otherContext.request.put(`/api/admin/next-projects/${record.id}`, {
    data: {
      version: record.version,
      tokenName: name,
      tokenSymbol: 'DOS',
      description: 'Lo que escribió mi colega',
      adminNotes: 'Su nota',
      resemblanceAccepted: true,
    },
  });
  expect(saved.ok(), await saved.text()).toBe(true);
  await form.getByRole('button', { name: 'Actualizar' }).click();
  const conflict = page.getByRole('alertdialog', { name: 'Otra persona guardó antes' });
  await expect(conflict).toContainText(colleague.username);
  await expect(conflict).toContainText('Lo que escribió mi colega');
  await expect(conflict.getByRole('group')).toHaveCount(2);
  const side = (field: string, name: RegExp) =>
    conflict.getByRole('group', { name: field, exact: true }).getByRole('radio', { name });
  await side('Descripción', /^Lo tuyo/).check();
  await side('Notas del equipo', /^Guardado ahora Su nota/).check();
  await conflict.getByRole('button', { name: 'Guardar' }).click();
  await expect(conflict).toHaveCount(0);
  const stored = async () => {
    const answer = await page.request.get(`/api/admin/next-projects?q=${encodeURIComponent(name)}`);
    const [row] = ((await answer.json()) as { rows: Record<string, unknown>[] }).rows;
    return [row?.['description'], row?.['adminNotes'], row?.['version']];
  };
  await expect.poll(stored).toEqual(['Lo que escribo yo', 'Su nota', record.version + 2]);
  await otherContext.close();
});

test('a record that is opened again before its list is updated has the saved values, and its next save causes no conflict', async ({
  page,
}) => {
  await signInAsAdmin(page);
  const name = `Otra ${Date.now().toString(36)}`;
  const data = { tokenName: name, tokenSymbol: 'OTRA', resemblanceAccepted: true };
  const made = await page.request.post('/api/admin/next-projects', { data });
  expect(made.ok(), await made.text()).toBe(true);
  const address = `/admin/next-projects?q=${encodeURIComponent(name)}`;
  await visit(page, address);
  const form = page.getByRole('dialog');
  const description = form.getByLabel('Descripción', { exact: false }).first();
  await page.getByRole('button', { name: `Editar ${name}` }).click();
  await description.fill('La primera');
  const release = await heldRequest(page, '**/rpc/admin/nextProjects/list*', 20);
  await form.getByRole('button', { name: 'Actualizar' }).click();
  await expect(form).toHaveCount(0);
  await page.getByRole('button', { name: `Editar ${name}` }).click();
  await expect(description).toHaveValue('La primera');
  await description.fill('La segunda');
  await form.getByRole('button', { name: 'Actualizar' }).click();
  await expect(form).toHaveCount(0);
  release();
  const stored = async () => {
    const answer = await page.request.get(`/api${address}`);
    return ((await answer.json()) as { rows: { description: string }[] }).rows[0]?.description;
  };
  await expect.poll(stored).toBe('La segunda');
});

test('an admin with an open form of a candidate, network, member or site page is named in the form of the other', async ({
  page,
  browser,
}) => {
  await signInAsAdmin(page);
  const me = (await (await page.request.get('/api/me')).json()) as { username: string };
  const otherContext = await otherBrowser(browser);
  const colleague = await signUp(otherContext.request);
  expect((await page.request.put(`/api/admin/roles/${colleague.id}`, { data: { role: 'admin' } })).ok()).toBe(true);
  const person = await signUp((await otherBrowser(browser)).request);
  const name = `Tres ${Date.now().toString(36)}`;
  const made = await page.request.post('/api/admin/candidates', {
    data: { tokenName: name, tokenSymbol: 'TRES', resemblanceAccepted: true },
  });
  expect(made.ok(), await made.text()).toBe(true);
  const theirs = await otherContext.newPage();
  for (const [path, button] of [
    [`/admin/votes?q=${encodeURIComponent(name)}`, `Editar ${name}`],
    ['/admin/networks', 'Editar Solana'],
    [`/admin/people/${person.id}`, 'Editar'],
    ['/admin/site-pages', 'Editar Contacto'],
  ] as const) {
    for (const screen of [page, theirs]) {
      await visit(screen, path);
      await screen.getByRole('button', { name: button, exact: true }).first().click();
    }
    await expect(theirs.getByText(OPEN)).toContainText(me.username);
    await expect(page.getByText(OPEN)).toContainText(colleague.username, { timeout: 15_000 });
  }
  expect(await a11yViolations(theirs)).toEqual([]);
  await otherContext.close();
});

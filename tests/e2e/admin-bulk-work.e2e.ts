import { a11yViolations, expect, otherBrowser, signInAsAdmin, signUp, test, visit } from './support.ts';

test('an admin takes and releases several inbox items at once, except one that a colleague took first', async ({
  page,
  browser,
  baseURL,
  pageErrors,
}) => {
  test.setTimeout(120_000);
  pageErrors.expectStatus(503);
  const key = `Reparto ${Date.now().toString(36)}`;
  const elsewhere = await otherBrowser(browser);
  for (const name of ['uno', 'dos', 'tres'])
    expect(
      (
        await elsewhere.request.post(`${baseURL}/api/submissions`, {
          data: {
            projectName: `${key} ${name}`,
            symbol: 'REP',
            resemblanceAccepted: true,
            description: 'Una de varias.',
            submitterName: `${key} ${name}`,
            submitterEmail: `${name}-${Date.now()}@florka.test`,
          },
        })
      ).status(),
    ).toBe(200);
  await signInAsAdmin(page);
  const colleague = await signUp(elsewhere.request);
  expect((await page.request.put(`/api/admin/roles/${colleague.id}`, { data: { role: 'admin' } })).ok()).toBe(true);
  const theirs = await elsewhere.newPage();
  const item = (on: typeof page, name: string) => on.getByRole('article', { name: `${key} ${name}`, exact: true });
  await visit(page, '/admin/inbox?source=submission');
  await visit(theirs, '/en/admin/inbox?source=submission');
  for (const name of ['uno', 'dos', 'tres']) await item(page, name).getByRole('checkbox').check();
  await expect(page.getByText('3 seleccionados')).toBeVisible();
  // Concurrent: the colleague's update was committed first.
  await item(theirs, 'dos').getByRole('button', { name: /^Take/ }).click();
  await expect(item(theirs, 'dos')).toContainText(`Owner: ${colleague.username}`);
  const bar = page.locator('.admin-bulk');
  await bar.getByRole('button', { name: 'Tomar' }).focus();
  await page.keyboard.press('Enter');
  const report = page.getByRole('dialog', { name: 'Resultado' });
  await expect(report.getByText('2 de 3 hechos')).toBeVisible();
  await expect(report.getByRole('listitem').filter({ hasText: `${key} dos` })).toContainText(
    `Ya lo tiene ${colleague.username}.`,
  );
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await a11yViolations(page)).toEqual([]);
  }
  await report.getByRole('button', { name: 'Cerrar' }).click();
  await expect(item(page, 'uno').getByRole('button', { name: /^Soltar/ })).toBeVisible();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(await a11yViolations(page)).toEqual([]);

  // Undoing the release of a colleague's item assigns it to the colleague again.
  for (const name of ['uno', 'dos']) await item(page, name).getByRole('checkbox').check();
  await bar.getByRole('button', { name: 'Soltar' }).click();
  await expect(report.getByText('2 de 2 hechos')).toBeVisible();
  await report.getByRole('button', { name: 'Deshacer' }).click();
  await expect(report.getByText('Deshecho: 2 de 2')).toBeVisible();
  await report.getByRole('button', { name: 'Cerrar' }).click();
  await expect(item(page, 'dos')).toContainText(`Responsable: ${colleague.username}`);

  // A failed call is reported, and the selection stays.
  await item(page, 'uno').getByRole('checkbox').check();
  await page.route('**/rpc/admin/inbox/changeMany', (route) => route.fulfill({ status: 503, body: '' }));
  await bar.getByRole('button', { name: 'Tomar' }).click();
  await expect(page.getByText('No se hizo').first()).toBeVisible();
  await expect(page.getByText('1 seleccionado', { exact: true })).toBeVisible();
  await elsewhere.close();
});

test('several members become moderators at once and users again by an undo, while an admin among them stays unchanged', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  const key = `lote${Date.now().toString(36)}`;
  const people = [];
  for (const name of ['a', 'b', 'c']) {
    const elsewhere = await otherBrowser(browser);
    people.push(await signUp(elsewhere.request, { username: `${key}${name}` }));
    await elsewhere.close();
  }
  await signInAsAdmin(page);
  const raised = await page.request.put(`/api/admin/roles/${people[2]?.id}`, {
    data: { role: 'admin', staffRoles: ['support'] },
  });
  expect(raised.ok()).toBe(true);
  await visit(page, `/admin/users?q=${key}`);
  const row = (name: string) =>
    page
      .getByRole('row')
      .filter({ hasText: `${key}${name}` })
      .first();
  await expect(row('c')).toContainText('Administrador');
  await page.getByRole('checkbox', { name: 'Seleccionar toda la página' }).first().check();
  await page.getByRole('button', { name: 'Hacer moderadores' }).click();
  const question = page.getByRole('alertdialog', { name: 'Hacer moderadores' });
  await expect(question.getByText('3 personas')).toBeVisible();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await a11yViolations(page)).toEqual([]);
  }
  await question.getByRole('button', { name: 'Cambiar el rol' }).click();
  const proof = page.getByLabel('Contraseña');
  const report = page.getByRole('dialog', { name: 'Resultado' });
  await expect(proof.or(report).first()).toBeVisible();
  if (await proof.isVisible()) {
    await proof.fill('admin-password');
    await page.keyboard.press('Enter');
  }
  await expect(report.getByText('2 de 3 hechos')).toBeVisible();
  await expect(report.getByRole('listitem').filter({ hasText: `${key}c` })).toContainText('cambian de uno en uno');
  await report.getByRole('button', { name: 'Deshacer' }).click();
  await expect(report.getByText('Deshecho: 2 de 2')).toBeVisible();
  await report.getByRole('button', { name: 'Cerrar' }).click();
  for (const name of ['a', 'b']) await expect(row(name).locator('.badge')).toHaveText('Usuario');
  await expect(row('c')).toContainText('Administrador');
});

test('several moderator requests are approved at once, and an undo removes the roles again', async ({
  page,
  browser,
  database,
}) => {
  const key = `pide${Date.now().toString(36)}`;
  const ids: string[] = [];
  for (const name of ['a', 'b']) {
    const elsewhere = await otherBrowser(browser);
    ids.push((await signUp(elsewhere.request, { username: `${key}${name}` })).id);
    await elsewhere.close();
  }
  await database.query(
    "update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = any($1)",
    [ids],
  );
  const roles = async () =>
    (await database.query<{ role: string }>('select role from user_roles where user_id = any($1)', [ids])).rows.map(
      ({ role }) => role,
    );
  await signInAsAdmin(page);
  await visit(page, `/admin/moderator-requests?q=${key}`);
  await page.getByRole('checkbox', { name: 'Seleccionar toda la página' }).first().check();
  await page.locator('.admin-bulk').getByRole('button', { name: 'Aprobar' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Aprobar' }).click();
  const proof = page.getByLabel('Contraseña');
  const undo = page.getByRole('button', { name: 'Deshacer' });
  await expect(proof.or(undo).first()).toBeVisible();
  if (await proof.isVisible()) {
    await proof.fill('admin-password');
    await page.keyboard.press('Enter');
  }
  await expect(undo).toBeVisible();
  expect(await roles()).toEqual(['moderator', 'moderator']);
  await undo.click();
  await expect.poll(roles).toEqual(['user', 'user']);
});

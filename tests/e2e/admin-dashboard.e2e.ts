import {
  a11yViolations,
  expect,
  expectAfterRetries,
  expectNotice,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

test('the dashboard links to its screens, and is read again every 30 seconds and when its window is shown again, as other screens are at their intervals; an admin who was signed out elsewhere is sent to the sign-in [A-DASH-02..21] [A-DASH-29] [A-FORUM-13] [A-ROLE-25] [A-LOGIN-10]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(401);
  await page.clock.install();
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/rpc/admin/dashboard/counts')) requests++;
  });
  await signInAsAdmin(page);
  await visit(page, '/admin');
  const bar = page.getByRole('banner');
  await expect(bar.getByRole('link', { name: 'Back to Site' })).toHaveAttribute('href', '/');
  await expect(bar.getByText('admin@florka.test')).toBeVisible();
  await expect(bar.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  for (const label of ['Total Users', 'Projects', 'Total Votes', 'News Articles', 'Online Now'])
    await expect(page.locator('dl').getByText(label, { exact: true })).toBeVisible();
  for (const [name, path] of [
    ['Home Projects', '/admin/projects'],
    ['Next Projects', '/admin/next-projects'],
    ['Voting System', '/admin/votes'],
    ['News Management', '/admin/news'],
    ['Community Forum', '/admin/forum'],
    ['User Management', '/admin/users'],
    ['Publication Requests', '/admin/submissions'],
    ['Token Creation', '/admin/token-creation'],
  ] as const) {
    const tile = page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
    await expect(tile.getByRole('link')).toHaveAttribute('href', path);
    await expect(tile.getByText(/^[\d.]+$/)).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'Community Overview' })).toBeVisible();
  for (const label of ['Active Moderators', 'Pending Requests', 'Forum Posts'])
    await expect(page.locator('dl').getByText(label, { exact: true })).toBeVisible();

  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.locator('.chart').first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }

  const first = requests;
  await page.clock.fastForward(31_000);
  await expect.poll(() => requests).toBeGreaterThan(first);
  const second = requests;
  // More than once: a count in progress is not requested again.
  await expect
    .poll(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
      return requests;
    })
    .toBeGreaterThan(second);

  for (const [path, procedure, heading, time] of [
    ['/admin/users', 'roles/list', 'Gestión de Roles', 10_000],
    ['/admin/forum', 'forum/debug', 'Gestión del Foro', 5_000],
  ] as const) {
    await visit(page, path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    // From here on only the test advances the clock.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
    const again = page.waitForRequest(`**/rpc/admin/${procedure}*`);
    await page.clock.fastForward(time);
    await again;
    await page.clock.resume();
  }
  await page.request.post('/api/auth/sign-out', { data: {} });
  await page.clock.fastForward(31_000);
  await expect(page).toHaveURL(/\/admin-login$/);
  await expect(page.getByText('No hay sesión de administrador activa')).toBeVisible();
});

test('the screen of networks reports an empty list and a failed read, asks before input is discarded, and keeps it when saving fails [A-NET-07] [A-NET-09] [ERR-124..127] [AMB-193]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 500);
  await signInAsAdmin(page);
  await page.route('**/rpc/admin/networks/list*', (route) => route.fulfill({ json: { json: { rows: [], total: 0 } } }));
  await visit(page, '/admin/networks');
  await expect(page.getByText('No hay redes blockchain configuradas')).toBeVisible();
  await expect(page.getByText('0 redes')).toBeVisible();
  await page.unroute('**/rpc/admin/networks/list*');
  await page.route('**/rpc/admin/networks/list*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.clock.install();
  await visit(page, '/admin/networks');
  await expectAfterRetries(page, page.getByText(/^No se pudieron cargar las redes blockchain: /));
  await page.unroute('**/rpc/admin/networks/list*');
  await page.getByRole('button', { name: 'Reintentar' }).click();

  // One form for all: changing to another network with unsaved input needs a confirmation.
  await page.getByRole('button', { name: 'Editar Solana' }).click();
  const solana = page.getByRole('form', { name: 'Editar Solana' });
  await expect(solana.getByLabel('Nombre')).toBeFocused();
  await expect(solana.getByRole('button', { name: 'Actualizar' })).toBeVisible();
  await solana.getByLabel('Nombre').fill('Solana dos');
  await page.getByText('Papelera', { exact: true }).click();
  await page.getByText('Activos').click();
  await page.getByRole('button', { name: 'Editar Polygon' }).click();
  const question = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' });
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(solana.getByLabel('Nombre')).toHaveValue('Solana dos');
  await page.getByRole('button', { name: 'Editar Polygon' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  const polygon = page.getByRole('form', { name: 'Editar Polygon' });
  await expect(polygon.getByLabel('Nombre')).toHaveValue('Polygon');
  // A server error is shown in this screen's text, and no input is lost.
  await page.route(/\/rpc\/admin\/networks\/(create|update|remove)/, (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
  await polygon.getByLabel('Nombre').fill('Polygon dos');
  await polygon.getByRole('button', { name: 'Actualizar' }).click();
  await expectNotice(page, 'Error', 'No se pudo actualizar la red blockchain. Algo ha fallado. Inténtalo de nuevo.');
  await expect(polygon.getByLabel('Nombre')).toHaveValue('Polygon dos');
  await polygon.getByRole('button', { name: 'Cancelar' }).click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  const fresh = page.getByRole('form', { name: 'Nueva red' });
  await fresh.getByLabel('Nombre').fill('Red nueva');
  await fresh.getByLabel('Símbolo').fill('NUEVA');
  await fresh.getByRole('button', { name: 'Crear', exact: true }).click();
  await expectNotice(page, 'Error', 'No se pudo crear la red blockchain. Algo ha fallado. Inténtalo de nuevo.');
  await expect(fresh.getByLabel('Nombre')).toHaveValue('Red nueva');
  await page.getByRole('button', { name: 'Eliminar Polygon' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(page, 'Error', 'No se pudo eliminar la red blockchain. Algo ha fallado. Inténtalo de nuevo.');
});

test('a reported post stays in the inbox until an admin takes and resolves it', async ({
  page,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(401);
  const author = await signUp(request);
  const title = `Denunciable ${Date.now()}`;
  const made = await request.post('/api/forum/posts', {
    data: { title, content: `Regalo tokens, soy ${author.username}` },
  });
  expect(made.status()).toBe(200);
  await signUp(page.request);
  await visit(page, '/forum');
  await page.getByRole('button', { name: `Denunciar «${title}»` }).click();
  const dialog = page.getByRole('dialog', { name: 'Denunciar' });
  await dialog.getByLabel('Motivo').selectOption('scam');
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Enviar denuncia' }).click();
  await expectNotice(page, 'Denuncia enviada');

  await signInAsAdmin(page);
  await visit(page, '/admin/inbox?source=report');
  const item = page.getByRole('article', { name: title });
  await expect(item.getByText('Nadie')).toBeVisible();
  await item.getByRole('button', { name: /^Tomar/ }).click();
  await expect(item.getByText('florka')).toBeVisible();
  await item.getByRole('button', { name: /^Ocultar/ }).click();
  const question = page.getByRole('alertdialog', { name: '¿Ocultar este texto?' });
  await question.getByLabel('Norma').selectOption('scam');
  await question.getByLabel('Motivo').fill('Estafa');
  await question.getByRole('button', { name: 'Ocultar' }).click();
  await expectNotice(page, 'Texto ocultado');
  await expect(item).toHaveCount(0);
  await visit(page, '/forum');
  await expect(page.getByText(title)).toHaveCount(0);
});

import {
  a11yViolations,
  coveredByNotice,
  expect,
  expectNotice,
  listening,
  notice,
  otherBrowser,
  signInAsAdmin,
  test,
  visit,
} from './support.ts';

/** Words that no other scenario uses. */
const unique = (name: string) => `${name} ${Date.now().toString(36)}`;

test('an admin whose session ended is sent to the sign-in, and afterwards the form has the unsaved input again [AMB-20]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403);
  const name = unique('Ceiba');
  // Without live events the tab notices the end of the session only when its next request is refused.
  await page.route('**/live', (route) => route.abort());
  pageErrors.expectLoss('ERR_FAILED');
  await signInAsAdmin(page);
  const made = await page.request.post('/api/admin/projects', {
    data: {
      tokenName: name,
      tokenSymbol: 'CEI',
      resemblanceAccepted: true,
      tokenAddress: `ceiba-${name.slice(-8)}-address`,
    },
  });
  const { id } = (await made.json()) as { id: string };
  await visit(page, `/admin/projects?q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: `Editar ${name}` }).click();
  const form = page.getByRole('dialog', { name: `Editar ${name}` });
  await form.getByLabel('Descripción', { exact: true }).fill('Escrita antes de que terminara.');
  expect((await page.request.post('/api/auth/sign-out', { data: {} })).status()).toBe(200);
  await page.setViewportSize({ width: 360, height: 740 });
  await form.getByRole('button', { name: 'Actualizar' }).click();
  await expect(page).toHaveURL(/\/admin-login$/);
  // On a phone the sign-in is at the lower edge, where notices are otherwise shown.
  await expect(notice(page)).toBeVisible();
  await expect.poll(async () => (await coveredByNotice(page))?.includes('Iniciar Sesión')).toBe(false);
  await expect(page.getByText('Lo que escribiste se conserva en esta pestaña.')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await page.getByLabel('Email').fill('admin@florka.test');
  await page.getByLabel('Contraseña').fill('admin-password');
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expect(page).toHaveURL(/\/admin\/projects\?q=/);
  await expect(form.getByText('Todavía no está guardado.')).toBeVisible();
  await expect(form.getByLabel('Descripción', { exact: true })).toHaveValue('Escrita antes de que terminara.');
  await form.getByRole('button', { name: 'Actualizar' }).click();
  await expectNotice(page, 'Proyecto actualizado');
  const listed = (await (await page.request.get(`/api/admin/projects?q=${encodeURIComponent(name)}`)).json()) as {
    rows: { id: string; description: string }[];
  };
  expect(listed.rows).toMatchObject([{ id, description: 'Escrita antes de que terminara.' }]);
  // The input is restored only once.
  await page.getByRole('button', { name: `Editar ${name}` }).click();
  await expect(form.getByText('Todavía no está guardado.')).toHaveCount(0);
});

test('a form outside of a dialog is restored too, and only for the account that filled it in', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403);
  await signInAsAdmin(page);
  await visit(page, '/admin/networks');
  const form = page.getByRole('form', { name: 'Nueva red' });
  await listening(page);
  await form.getByLabel('Nombre').fill('Araucaria');
  await form.getByLabel('Símbolo').fill('ARA');
  // The open tab receives the event at once.
  expect((await page.request.post('/api/auth/sign-out', { data: {} })).status()).toBe(200);
  await expect(page).toHaveURL(/\/admin-login$/);
  const stored = await page.evaluate(() => sessionStorage.getItem('florka-stored-form:network'));
  expect(stored).toContain('Araucaria');
  // The stored input belongs to another account than the one that signs in.
  await page.evaluate((words) => {
    sessionStorage.setItem('florka-stored-form:network', words.replace('admin@florka.test', 'other@florka.test'));
  }, stored ?? '');
  const signIn = async () => {
    await page.getByLabel('Email').fill('admin@florka.test');
    await page.getByLabel('Contraseña').fill('admin-password');
    await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await expect(page).toHaveURL(/\/admin\/networks$/);
  };
  await signIn();
  await expect(form.getByLabel('Nombre')).toHaveValue('');
  expect(await page.evaluate(() => sessionStorage.getItem('florka-stored-form:network'))).toBeNull();

  await listening(page);
  await form.getByLabel('Nombre').fill('Araucaria');
  await form.getByLabel('Símbolo').fill('ARA');
  expect((await page.request.post('/api/auth/sign-out', { data: {} })).status()).toBe(200);
  await expect(page).toHaveURL(/\/admin-login$/);
  await signIn();
  await expect(form.getByLabel('Nombre')).toHaveValue('Araucaria');
  await expect(form.getByText('Todavía no está guardado.')).toBeVisible();
});

test('unsaved input of site pages, deliverable terms and settings is restored too, except secrets', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403);
  const signOut = async () => {
    expect((await page.request.post('/api/auth/sign-out', { data: {} })).status()).toBe(200);
    await expect(page).toHaveURL(/\/admin-login$/);
  };
  const signIn = async (path: string) => {
    await page.getByLabel('Email').fill('admin@florka.test');
    await page.getByLabel('Contraseña').fill('admin-password');
    await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  };
  const restored = page.getByText('Todavía no está guardado.');
  await signInAsAdmin(page);
  await visit(page, '/admin/site-pages');
  await listening(page);
  await page.getByRole('button', { name: 'Editar Contacto' }).click();
  await page.getByLabel('Título en español').fill('Escríbenos');
  await signOut();
  await signIn('/admin/site-pages');
  await expect(restored).toBeVisible();
  await expect(page.getByLabel('Título en español')).toHaveValue('Escríbenos');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('button', { name: 'Descartar' }).click();

  await visit(page, '/admin/deliverable-terms');
  await listening(page);
  await page
    .getByRole('button', { name: /^Cambiar/ })
    .first()
    .click();
  const promised = page.getByLabel('Plazo (días)');
  await promised.fill('21');
  await signOut();
  await signIn('/admin/deliverable-terms');
  await expect(restored).toBeVisible();
  await expect(promised).toHaveValue('21');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('button', { name: 'Descartar' }).click();

  await visit(page, '/admin/settings');
  await listening(page);
  const mail = page.getByRole('region', { name: 'Correo', exact: true });
  await mail.getByLabel('Remitente').fill('Feria <feria@florka.test>');
  await mail.getByLabel('Servidor de correo (SMTP)').fill('smtp://user:very-secret@mail.test');
  const rounds = page.getByRole('region', { name: 'Calendario de rondas', exact: true });
  await rounds.getByLabel('Días de cada ronda').fill('13');
  await signOut();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('very-secret');
  await signIn('/admin/settings');
  await expect(mail.getByText('Todavía no está guardado.')).toBeVisible();
  await expect(mail.getByLabel('Remitente')).toHaveValue('Feria <feria@florka.test>');
  await expect(mail.getByLabel('Servidor de correo (SMTP)')).toHaveValue('');
  // Each group is a form of its own.
  await expect(rounds.getByText('Todavía no está guardado.')).toBeVisible();
  await expect(rounds.getByLabel('Días de cada ronda')).toHaveValue('13');
  expect(await a11yViolations(page)).toEqual([]);
});

for (const [what, path, label, create, words] of [
  [
    'project',
    '/admin/projects',
    'projects',
    (name: string) => ({ tokenName: name, tokenSymbol: 'IDO', tokenAddress: `ido-${name.slice(-8)}-address` }),
    ['Error al eliminar proyecto', 'El proyecto ya no existe o no se pudo encontrar.'],
  ],
  [
    'NEXT project',
    '/admin/next-projects',
    'next-projects',
    (name: string) => ({ tokenName: name, tokenSymbol: 'IDO', description: 'x' }),
    ['Error al eliminar proyecto', 'El proyecto NEXT ya no existe o no se pudo encontrar.'],
  ],
] as const)
  test(`the deletion of a ${what} that a colleague deleted already reports that and closes the confirmation [A-PROJ-70] [ERR-73] [ERR-90]`, async ({
    page,
    pageErrors,
  }) => {
    pageErrors.expectStatus(404);
    const name = unique('Ido');
    await signInAsAdmin(page);
    const made = await page.request.post(`/api/admin/${label}`, { data: create(name) });
    expect(made.status()).toBe(200);
    const { id } = (await made.json()) as { id: string };
    await visit(page, `${path}?q=${encodeURIComponent(name)}`);
    await page.getByRole('button', { name: `Eliminar ${name}` }).click();
    expect((await page.request.delete(`/api/admin/${label}/${id}`, { data: { version: 1 } })).status()).toBe(200);
    const question = page.getByRole('alertdialog', { name: 'Confirmar Eliminación' });
    await question.getByRole('button', { name: 'Eliminar' }).click();
    await expectNotice(page, words[0], words[1]);
    await expect(question).toHaveCount(0);
    await expect(page.getByRole('button', { name: `Eliminar ${name}` })).toHaveCount(0);
  });

test('a long e-mail leaves the bar of the back office on one line', async ({ page, browser }) => {
  await signInAsAdmin(page);
  const otherContext = await otherBrowser(browser);
  const email = `a-very-long-name-of-a-colleague-in-the-editorial-team-${Date.now().toString(36)}@publishers.florka.test`;
  const made = await otherContext.request.post('/api/auth/sign-up', { data: { email, password: 'a-good-password' } });
  const { id } = (await made.json()) as { id: string };
  expect((await page.request.put(`/api/admin/roles/${id}`, { data: { role: 'admin' } })).ok()).toBe(true);
  const theirs = await otherContext.newPage();
  // A first page may keep the fallback fonts, which have other widths.
  await visit(theirs, '/en/admin/news');
  await theirs.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));
  for (const width of [640, 768, 1280]) {
    await theirs.setViewportSize({ width, height: 900 });
    await visit(theirs, '/en/admin/news');
    const [back, out] = [
      theirs.getByRole('link', { name: 'Back to Site' }),
      theirs.getByRole('button', { name: 'Sign Out' }),
    ];
    await expect(theirs.getByTitle(email)).toBeVisible();
    const search = theirs.getByRole('banner').getByRole('button', { name: 'Search the back office' });
    for (const one of [back, search]) expect(await one.boundingBox(), `${width} px`).toMatchObject({ height: 40 });
    expect((await out.boundingBox())?.y, `${width} px`).toBe((await back.boundingBox())?.y);
    expect(await theirs.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
});

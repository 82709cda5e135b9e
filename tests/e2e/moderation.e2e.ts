import {
  a11yViolations,
  expect,
  expectNotice,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
  watch,
} from './support.ts';

test('a removal names its rule, the author reads the reason and appeals, an admin decides, and the action is public', async ({
  page,
  browser,
  member,
}) => {
  const ana = await signUp(page.request, { username: `Autora ${Date.now().toString(36)}` });
  const title = `Retirable ${Date.now()}`;
  const made = await page.request.post('/api/forum/posts', { data: { title, content: 'Compra barato aquí' } });
  expect(made.status()).toBe(200);

  const there = await otherBrowser(browser);
  const errors = watch(there);
  const moderator = await member(there, { role: 'moderator' });
  const screen = await there.newPage();
  await visit(screen, '/forum');
  await screen.getByRole('button', { name: `Eliminar el post «${title}»` }).click();
  const question = screen.getByRole('alertdialog');
  const remove = question.getByRole('button', { name: 'Eliminar', exact: true });
  await expect(question.getByLabel('Norma')).toBeVisible();
  await expect(remove).toBeDisabled();
  await expect(question).toContainText('el equipo puede volver a mostrarlo');
  await expect(question).not.toContainText('no se puede deshacer');
  await question.getByLabel('Norma').selectOption('spam');
  await question.getByLabel('Motivo').fill('Es publicidad');
  expect(await a11yViolations(screen, '[role=alertdialog]')).toEqual([]);
  await remove.click();
  await expectNotice(screen, 'Post Deleted');

  // Its author is notified, reads the copy and the reason, and appeals.
  await visit(page, '/notifications');
  await page.getByRole('link', { name: new RegExp(`ha retirado un texto tuyo en «${title}»`) }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Moderación' })).toBeVisible();
  const mine = page.getByRole('article', { name: title });
  await expect(mine).toContainText('Compra barato aquí');
  await expect(mine).toContainText('Publicidad o texto repetido');
  await expect(mine).toContainText('Es publicidad');
  expect(await a11yViolations(page)).toEqual([]);
  await mine.getByLabel('¿Por qué no es justo?').fill('Era una pregunta');
  await mine.getByRole('button', { name: 'Recurrir' }).click();
  await expectNotice(page, 'Recurso enviado');
  await expect(mine).toContainText('Tu recurso espera una respuesta.');
  await expect(mine.getByRole('button', { name: 'Recurrir' })).toHaveCount(0);

  // An admin decides in the inbox.
  const otherContext = await otherBrowser(browser);
  const adminPage = await otherContext.newPage();
  await signInAsAdmin(adminPage);
  await visit(adminPage, '/admin/inbox?source=appeal');
  const item = adminPage.getByRole('article', { name: title });
  await expect(item).toContainText('Responder antes del');
  await item.getByRole('button', { name: /^Leer y decidir/ }).click();
  const dialog = adminPage.getByRole('dialog', { name: 'Recurso contra una retirada' });
  await expect(dialog).toContainText('Era una pregunta');
  await expect(dialog).toContainText(`Lo retiró ${moderator.username}.`);
  await expect(dialog.getByRole('button', { name: 'Volver a mostrarlo' })).toBeDisabled();
  const answer = dialog.getByLabel('Respuesta para su autor');
  await answer.fill('Tienes razón');
  expect(await a11yViolations(adminPage, '[role=dialog]')).toEqual([]);
  // What was typed is not lost by Escape, the button beside the others or a click outside of the dialog.
  const discard = adminPage.getByRole('alertdialog', { name: '¿Descartar los cambios?' });
  for (const leave of [
    () => adminPage.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Cancelar' }).click(),
    () => adminPage.mouse.click(5, 5),
  ]) {
    await leave();
    await discard.getByRole('button', { name: 'Seguir editando' }).click();
    await expect(discard).toHaveCount(0);
    await expect(answer).toHaveValue('Tienes razón');
  }
  await dialog.getByRole('button', { name: 'Volver a mostrarlo' }).click();
  await expectNotice(adminPage, 'Recurso aceptado');
  await expect(item).toHaveCount(0);

  await visit(page, '/moderation');
  await expect(mine).toContainText('Tienes razón');
  await visit(page, '/forum');
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Moderación' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Moderación' })).toBeVisible();
  // The action is public, in both languages; the author of the text is not.
  const log = await (await page.request.get('/en/moderation')).text();
  expect(log).toContain('Appeal accepted: the removal is undone');
  expect(log).not.toContain(ana.username);
  expect(log).not.toContain(title);
  // Read in a browser whose clock differs from the server's.
  const far = await otherBrowser(browser, { timezoneId: 'Asia/Tokyo' });
  const farErrors = watch(far);
  const abroad = await far.newPage();
  await visit(abroad, '/moderation');
  await expect(abroad.getByRole('listitem').filter({ hasText: 'GMT+9' }).first()).toBeVisible();
  expect(farErrors.seen).toEqual([]);
  await far.close();
  expect(errors.seen).toEqual([]);
  await there.close();
  await otherContext.close();
});

test('a moderator decides an appeal against their own removal only if nobody else can, and this is shown to the author and to everybody', async ({
  page,
  browser,
  member,
  database,
}) => {
  await member(page.context());
  const title = `Sola ${Date.now()}`;
  const made = await page.request.post('/api/forum/posts', { data: { title, content: 'Compra barato aquí' } });
  const { id } = (await made.json()) as { id: string };
  const otherContext = await otherBrowser(browser);
  const adminPage = await otherContext.newPage();
  await signInAsAdmin(adminPage);
  const hidden = await otherContext.request.post('/api/admin/forum/hide', {
    data: { what: 'post', ids: [id], rule: 'spam', reason: 'Es publicidad' },
  });
  expect(hidden.status()).toBe(200);
  await visit(page, '/moderation');
  const mine = page.getByRole('article', { name: title });
  await mine.getByLabel('¿Por qué no es justo?').fill('Era una pregunta');
  await mine.getByRole('button', { name: 'Recurrir' }).click();
  await expectNotice(page, 'Recurso enviado');

  // The remover cannot decide while a colleague can.
  const colleague = await member(await otherBrowser(browser));
  await database.query(`insert into admin_profiles (id, staff_roles) values ($1, '{moderator}')`, [colleague.id]);
  const others = await database.query<{ id: string; staff_roles: string[] }>(
    `select a.id, a.staff_roles from admin_profiles a join users u on u.id = a.id where u.email <> 'admin@florka.test'`,
  );
  await visit(adminPage, '/admin/inbox?source=appeal');
  const item = adminPage.getByRole('article', { name: title });
  await item.getByRole('button', { name: /^Leer y decidir/ }).click();
  const dialog = adminPage.getByRole('dialog', { name: 'Recurso contra una retirada' });
  await expect(dialog.getByText('Lo retiraste tú: tiene que decidir otra persona.')).toBeVisible();
  await expect(dialog.getByLabel('Respuesta para su autor')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancelar' }).click();

  await database.query(`update admin_profiles set staff_roles = '{editor}' where id = any($1)`, [
    others.rows.map((one) => one.id),
  ]);
  try {
    await visit(adminPage, '/admin/inbox?source=appeal');
    await item.getByRole('button', { name: /^Leer y decidir/ }).click();
    await expect(dialog.getByText('nadie más del equipo puede decidir', { exact: false })).toBeVisible();
    await dialog.getByLabel('Respuesta para su autor').fill('Sigue siendo publicidad');
    await adminPage.setViewportSize({ width: 360, height: 740 });
    expect(await a11yViolations(adminPage, '[role=dialog]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Sigue retirado' }).click();
    await expectNotice(adminPage, 'El texto sigue retirado');
  } finally {
    for (const one of others.rows)
      await database.query('update admin_profiles set staff_roles = $2 where id = $1', [one.id, one.staff_roles]);
    await database.query('delete from admin_profiles where id = $1', [colleague.id]);
  }
  await visit(page, '/moderation');
  await expect(mine.getByText('Decidió quien lo retiró: en el equipo nadie más podía.')).toBeVisible();
  const visitor = await (await otherBrowser(browser)).newPage();
  await visit(visitor, '/en/moderation');
  await expect(visitor.getByText('Decided by who removed it: nobody else on the team could.').first()).toBeVisible();
  await expect(visitor.getByText('If the team has nobody else who can', { exact: false })).toBeVisible();
});

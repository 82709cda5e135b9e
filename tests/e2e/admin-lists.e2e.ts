import type { Page } from '@playwright/test';
import { asking, key, row } from './admin-list.ts';
import {
  a11yViolations,
  changeAnswers,
  expect,
  expectNotice,
  held,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

const columns = (page: Page) => page.getByRole('columnheader').allInnerTexts();

test('the list of roles shows its figures, badges of different colours and the data of each row, and can be searched [A-ROLE-01..04] [A-ROLE-06..16] [A-ROLE-18..24] [A-ROLE-28] [A-ROLE-29] [AMB-183]', async ({
  page,
  browser,
}) => {
  const mark = `cartel${key()}`;
  const elsewhere = await otherBrowser(browser);
  const member = await signUp(elsewhere.request, { username: mark });
  await elsewhere.close();
  await signInAsAdmin(page);
  const release = await held(page, 'roles/list');
  await visit(page, `/admin/users?q=${mark}`);
  await expect(page.getByText('Cargando usuarios...')).toBeAttached();
  release();
  const found = row(page, mark);
  await expect(found).toContainText(member.email);
  await expect(found).toContainText(/user_[0-9a-f]{7}…/);
  await expect(found).toContainText('Nunca');
  await expect(page.getByText('Sesión: admin@florka.test')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Actualizar', exact: true })).toHaveCount(1);
  for (const name of ['Usuarios totales', 'Administradores', 'Moderadores', 'Usuarios estándar'])
    await expect(page.locator('dl').getByText(name, { exact: true })).toBeVisible();
  const chosen = page.getByLabel('Rol a asignar');
  await expect(chosen).toHaveValue('user');
  expect(await chosen.locator('option').allInnerTexts()).toEqual(['Usuario', 'Moderador', 'Administrador']);

  const colour = () => found.locator('.badge').evaluate((badge) => getComputedStyle(badge).color);
  const grey = await colour();
  await chosen.selectOption('moderator');
  const [assign, remove] = [/Asignar/, /Remover/].map((name) => found.getByRole('button', { name }));
  await expect(assign ?? found).toBeEnabled();
  const assigned = await held(page, 'roles/assign');
  await assign?.click();
  for (const button of [assign, remove]) await expect(button ?? found).toBeDisabled();
  assigned();
  await expectNotice(page, 'Rol Asignado');
  await expect(assign ?? found).toBeDisabled();
  await expect(remove ?? found).toBeEnabled();
  await expect(found.getByText('Moderador', { exact: true })).toBeVisible();
  await expect(found).not.toContainText('Nunca');
  await expect(found.getByRole('time')).toHaveText(/^\d{1,2} [a-z]{3} 20\d\d/);
  const blue = await colour();
  await found.getByRole('button', { name: /Remover/ }).click();
  await expectNotice(page, 'Rol Removido');
  await page.getByRole('searchbox').fill('admin@florka.test');
  const red = await row(page, 'admin@florka.test')
    .getByText('Administrador', { exact: true })
    .evaluate((badge) => getComputedStyle(badge).color);
  expect(new Set([grey, blue, red]).size).toBe(3);

  // The list scrolls inside its frame, and the actions of a row stay visible.
  await page.getByRole('searchbox').fill('');
  const list = page.getByRole('region', { name: 'Gestión de Roles' });
  expect(await list.evaluate((frame) => getComputedStyle(frame).maxHeight)).toBe('384px');
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 900 });
    // Values without a column on a tablet are below their row, and the buttons cover nothing.
    const below = page
      .getByRole('row')
      .filter({ has: page.getByRole('term') })
      .first()
      .getByRole('term');
    await expect(below).toHaveText(width === 768 ? ['Wallet', 'Último cambio'] : []);
    expect(await list.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
    const box = await page
      .getByRole('button', { name: /Remover/ })
      .first()
      .boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  }
  await expect(page.getByRole('link', { name: 'Administración completa de usuarios' })).toHaveAttribute(
    'href',
    '/admin/complete-users',
  );
});

test('the list of users shows columns and figures and promotes a member; the list of moderator requests shows columns and takes decisions [A-USERS-01..06] [A-USERS-09..18] [A-USERS-20] [A-USERS-21] [A-MOD-01..11] [A-MOD-15] [TIME-34]', async ({
  page,
  browser,
}) => {
  const mark = `panel${key()}`;
  const elsewhere = await otherBrowser(browser);
  const email = await asking(elsewhere.request, mark);
  await elsewhere.close();
  await signInAsAdmin(page);
  await visit(page, `/admin/complete-users?q=${mark}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/1 usuario/);
  await expect(page.getByText('Sesión: admin@florka.test')).toBeVisible();
  for (const name of ['Usuarios totales', 'Pendientes de aprobación', 'Moderadores', 'Administradores'])
    await expect(page.locator('dl').getByText(name, { exact: true })).toBeVisible();
  expect((await columns(page)).filter(Boolean)).toEqual(['Fecha', 'Usuario', 'Email', 'Rol', 'Estado', 'Acciones']);
  const found = row(page, email);
  await expect(found.getByRole('cell', { name: mark, exact: true })).toBeVisible();
  await expect(found.getByRole('time')).toHaveText(/^\d{1,2} [a-z]{3} 20\d\d/);
  await expect(found.getByText('Usuario (pendiente)')).toBeVisible();
  await expect(found.getByText('Pendiente', { exact: true })).toBeVisible();
  await expect(found.getByRole('button', { name: /^Promover/ })).toHaveCount(0);
  const reads: string[] = [];
  page.on('request', (request) => reads.push(new URL(request.url()).pathname));
  await page.getByRole('button', { name: 'Actualizar', exact: true }).click();
  await expect
    .poll(() => reads.filter((path) => /admin\/users\/(list|counts)/.test(path)).length)
    .toBeGreaterThanOrEqual(2);

  await visit(page, `/admin/moderator-requests?q=${mark}`);
  await expect(page.getByRole('link', { name: 'Volver al foro' })).toHaveAttribute('href', '/admin/forum');
  await expect(page.getByRole('heading', { level: 1, name: /Solicitudes de moderador pendientes/ })).toContainText('1');
  expect((await columns(page)).filter(Boolean)).toEqual([
    'Usuario',
    'Id de usuario',
    'Wallet',
    'Fecha de solicitud',
    'Estado',
    'Acciones',
  ]);
  await expect(row(page, mark)).toContainText(/(?<!_)[0-9a-f]{8}…[0-9a-f]{8}/);
  await expect(row(page, mark)).toContainText(/user_[0-9a-f]{3}…[0-9a-f]{8}/);
  // The buttons at its end cover nothing.
  await expect
    .poll(() => page.locator('.admin-table-frame').evaluate((frame) => frame.scrollWidth - frame.clientWidth))
    .toBe(0);
  await expect(row(page, mark).getByRole('time')).toHaveText(/^\d{1,2} [a-z]{3} 20\d\d/);
  await expect(row(page, mark).getByText('Pendiente', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Actualizar', exact: true })).toHaveCount(1);

  // The request disappears once it is approved and the member promoted on the other screen.
  await visit(page, `/admin/complete-users?q=${mark}`);
  await found.getByRole('button', { name: /^Aprobar a/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Aprobar' }).click();
  await expectNotice(page, 'Usuario confirmado', `Email confirmado exitosamente para ${email}`);
  await expect(found.getByRole('button', { name: /^Aprobar a/ })).toHaveCount(0);
  await found.getByRole('button', { name: /^Promover/ }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Promover/ })
    .click();
  await expectNotice(page, 'Rol Asignado');
  await expect(found.getByText('Moderador Activo')).toBeVisible();
  await expect(found.getByText('Moderador (aprobado)')).toBeVisible();
  await expect(found.getByRole('button', { name: /^Promover/ })).toHaveCount(0);
  // An unconfirmed mailbox has one more button, which covers nothing.
  const endUnconfirmed = await changeAnswers<{ rows: object[] }>(page, '**/rpc/admin/users/list*', (list) => ({
    ...list,
    rows: list.rows.map((one) => ({ ...one, isConfirmed: false })),
  }));
  await visit(page, `/admin/complete-users?q=${mark}`);
  await expect(found.getByRole('button', { name: /^Aprobar a/ })).toBeVisible();
  await expect
    .poll(() => page.locator('.admin-table-frame').evaluate((frame) => frame.scrollWidth - frame.clientWidth))
    .toBe(0);
  endUnconfirmed();
  await visit(page, `/admin/moderator-requests?q=${mark}`);
  await expect(row(page, mark)).toHaveCount(0);

  // Somebody without a profile; the list is read again one second after a decision.
  const id = '5b6c5a3e-0d0b-4b6e-9a55-000000000000';
  let rows = [{ id, username: null, walletAddress: null, requestedAt: new Date().toISOString(), status: 'pending' }];
  let requests = 0;
  await page.route('**/rpc/admin/moderatorRequests/list*', (route) => {
    requests += 1;
    return route.fulfill({ json: { json: { rows, total: rows.length } } });
  });
  await page.clock.install();
  await visit(page, '/admin/moderator-requests');
  const nobody = row(page, 'Usuario Sin Datos');
  await expect(nobody.locator('svg.lucide-triangle-alert')).toBeVisible();
  await expect(nobody).toContainText('Sin dirección');
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500);
  let decided = () => {};
  const waiting = new Promise<void>((resolve) => {
    decided = resolve;
  });
  await page.route('**/rpc/admin/moderatorRequests/decide', async (route) => {
    await waiting;
    await route.fulfill({ json: { json: { results: [{ id, outcome: 'done', code: null }] } } });
  });
  const [approve, reject] = ['Aprobar', 'Rechazar'].map((name) => nobody.getByRole('button', { name: name }));
  await approve?.click();
  for (const button of [approve, reject]) await expect(button ?? nobody).toBeDisabled();
  decided();
  await expect(approve ?? nobody).toBeEnabled();
  rows = [];
  const before = requests;
  await page.clock.runFor(999);
  expect(requests).toBe(before);
  await page.clock.runFor(1);
  await expect.poll(() => requests).toBeGreaterThan(before);
  await page.clock.resume();
  await expect(page.getByText('No hay solicitudes de moderador pendientes')).toBeVisible();
  await visit(page, '/admin/forum');
  await expect(page.getByText('No hay solicitudes de moderador pendientes')).toBeVisible();
  const again = page.waitForRequest('**/rpc/admin/moderatorRequests/list*');
  await page.getByRole('button', { name: 'Buscar solicitudes' }).last().click();
  await again;
});

test('a publication request is rejected with a reason despite a colleague’s concurrent answer, and then becomes a NEXT project [A-SUB-19..22] [ERR-115] [AMB-82]', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(404, 409);
  const mark = `Kiosco ${key()}`;
  const elsewhere = await otherBrowser(browser);
  const sent = await elsewhere.request.post('/api/submissions', {
    data: {
      projectName: mark,
      symbol: 'kio',
      resemblanceAccepted: true,
      description: 'Un kiosco.',
      submitterName: 'Inés',
      submitterEmail: 'ines@florka.test',
    },
  });
  const { id, key: pageKey } = (await sent.json()) as { id: string; key: string };
  await signInAsAdmin(page);
  await visit(page, `/admin/submissions?open=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Solicitud de Inés' });
  await expect(dialog.getByLabel('Respuesta para el solicitante')).toHaveCount(0);
  await dialog.getByLabel('Estado').selectOption({ label: 'Rechazada' });
  await dialog.getByLabel('Respuesta para el solicitante').fill('Falta el sitio web.');
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);

  // A colleague answers first.
  const theirs = { version: 1, status: 'reviewed', adminNotes: 'La miro yo' };
  expect((await page.request.put(`/api/admin/submissions/${id}`, { data: theirs })).status()).toBe(200);
  await dialog.getByRole('button', { name: 'Actualizar Estado' }).click();
  const choice = page.getByRole('alertdialog', { name: 'Otra persona guardó antes' });
  const status = choice.getByRole('group', { name: 'Estado' });
  await expect(status.getByRole('radio', { name: 'Guardado ahora Revisada' })).toBeVisible();
  await expect(choice.getByRole('region', { name: 'Se queda lo que ya está guardado' })).toContainText('La miro yo');
  await status.getByRole('radio', { name: 'Lo tuyo Rechazada' }).check();
  for (const answer of await choice.getByRole('group', { name: 'Respuesta para el solicitante' }).all())
    await answer.getByRole('radio', { name: /^Lo tuyo/ }).check();
  await choice.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Solicitud actualizada', 'La solicitud ha sido actualizada exitosamente.');
  await expect(dialog).toBeHidden();

  const theirPage = await elsewhere.newPage();
  await visit(theirPage, `/submission/${id}#${pageKey}`);
  await expect(theirPage.getByRole('region', { name: 'Lo que dice el equipo' })).toContainText('Falta el sitio web.');
  expect(await a11yViolations(theirPage)).toEqual([]);
  await elsewhere.close();

  await visit(page, `/admin/submissions?open=${id}`);
  await expect(dialog.getByLabel('Notas del administrador')).toHaveValue('La miro yo');
  await expect(dialog.getByRole('button', { name: 'Crear proyecto en Home' })).toBeDisabled();
  await dialog.getByLabel('Respuesta para el solicitante').fill('Ahora sí.');
  await dialog.getByRole('button', { name: 'Crear proyecto NEXT' }).click();
  const publishing = page.getByRole('alertdialog', { name: 'Crear proyecto NEXT' });
  await expect(publishing).toContainText('La aprobación se envía por correo a ines@florka.test: no se puede retirar.');
  await publishing.getByRole('button', { name: 'Aprobar y crear' }).click();
  await expectNotice(page, 'Proyecto creado', 'Está pendiente: revísalo y publícalo.');
  await expect(dialog.getByLabel('Estado')).toHaveValue('approved');
  await expect(dialog.getByLabel('Respuesta para el solicitante')).toHaveValue('Ahora sí.');
  await dialog.getByRole('link', { name: `Ver el proyecto NEXT ${mark}` }).click();
  await expect(page.getByRole('listitem').filter({ hasText: mark })).toContainText('Pendiente');

  await visit(page, '/admin/submissions?open=5b6c5a3e-0d0b-4b6e-9a55-000000000000');
  await expect(page.getByText('Esta solicitud ya no existe.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cerrar' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

import type { APIRequestContext, Page } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectAfterRetries,
  expectNotice,
  notice,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const asking = async (request: APIRequestContext, username: string) => {
  const data = { email: `${username}@florka.test`, password: 'a-good-password', username, requestModerator: true };
  expect((await request.post('/api/auth/sign-up', { data })).status()).toBe(200);
  return data.email;
};
const key = () => Date.now().toString(36);

test('a member has no access to the back office screens of people and forum [AMB-22]', async ({
  page,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403);
  const member = await signUp(request);
  await page.request.post('/api/auth/sign-in', { data: { email: member.email, password: member.password } });
  for (const path of ['/admin/users', '/admin/complete-users', '/admin/forum', '/admin/moderator-requests']) {
    expect((await visit(page, path))?.status()).toBe(403);
    await expect(page.getByRole('heading', { level: 1, name: 'Acceso Denegado' })).toBeVisible();
  }
});

test('roles are searched, assigned and removed, and a demoted admin is sent to the sign-in [A-ROLE-06] [A-ROLE-07] [A-ROLE-13..16] [A-ROLE-23] [A-ROLE-24] [ERR-107] [ERR-108]', async ({
  page,
  browser,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403, 409);
  const member = await signUp(request, { username: `Rol ${key()}` });
  await signInAsAdmin(page);
  await visit(page, '/admin/users');
  await expect(page.getByRole('heading', { level: 1, name: 'Gestión de Roles' })).toBeVisible();
  await page.getByRole('searchbox').fill('nobody has this name');
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible();
  await page.getByRole('searchbox').fill(member.username.toUpperCase());
  const found = row(page, member.username);
  await expect(found.getByText('Usuario', { exact: true })).toBeVisible();
  await expect(found.getByRole('button', { name: /Asignar/ })).toBeDisabled();
  await expect(found.getByRole('button', { name: /Remover/ })).toBeDisabled();
  expect(await a11yViolations(page)).toEqual([]);

  await page.getByLabel('Rol a asignar').selectOption('admin');
  await found.getByRole('button', { name: /Asignar/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cambiar el rol' }).click();
  await expectNotice(page, 'Rol Asignado');
  await expect(found.getByText('Administrador', { exact: true })).toBeVisible();

  const theirs = await (await otherBrowser(browser)).newPage();
  await theirs.request.post('/api/auth/sign-in', { data: { email: member.email, password: member.password } });
  await visit(theirs, '/admin/complete-users');
  await expect(theirs.getByRole('heading', { level: 1, name: /Administración Completa/ })).toBeVisible();

  await found.getByRole('button', { name: /Remover/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cambiar el rol' }).click();
  await expectNotice(page, 'Rol Removido');
  // Without a click: the end of the session is a live event.
  await expect(theirs).toHaveURL(/\/admin-login$/, { timeout: 30_000 });
  await expect(theirs.getByText('No hay sesión de administrador activa')).toBeVisible();
  await theirs.context().close();

  // The change is undone from its notice.
  await page.getByLabel('Rol a asignar').selectOption('moderator');
  await found.getByRole('button', { name: /Asignar/ }).click();
  await expect(found.getByText('Moderador', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Deshacer' }).first().click();
  await expect(found.getByText('Usuario', { exact: true })).toBeVisible();

  // The own account cannot be changed.
  await page.getByRole('searchbox').fill('admin@florka.test');
  const own = row(page, 'admin@florka.test');
  const why = 'Con tu propia cuenta no puedes hacer esto: pídeselo a otro administrador.';
  for (const name of [/Remover/, /Asignar/]) {
    await expect(own.getByRole('button', { name: name })).toBeDisabled();
    await expect(own.getByRole('button', { name: name })).toHaveAccessibleDescription(
      'El rol de tu propia cuenta lo cambia otro administrador.',
    );
  }
  await visit(page, '/admin/complete-users?q=admin@florka.test');
  await row(page, 'admin@florka.test').getByRole('button', { name: /Más/ }).click();
  for (const name of [/^Bloquear/, /^Eliminar/])
    await expect(page.getByRole('menuitem', { name: name })).toBeDisabled();
  await expect(page.getByRole('menuitem', { name: /^Eliminar/ })).toContainText(why);
  await page.keyboard.press('Escape');
  await visit(page, '/admin/users?q=admin@florka.test');
  // The row says whose account it is; the sentence is above the list, in one line from a tablet on and in two on a phone.
  await expect(own.getByText('Tu cuenta')).toBeVisible();
  const sentence = page.getByText('El rol de tu propia cuenta lo cambia otro administrador.');
  for (const [width, lines] of [
    [360, 2],
    [768, 1],
    [1280, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 780 });
    expect(await sentence.evaluate((one) => one.getBoundingClientRect().height)).toBeLessThan(lines * 24 + 4);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await a11yViolations(page)).toEqual([]);
});

test('members are approved, promoted, banned, edited and deleted, one by one and by selection [A-USERS-07..11] [AMB-178] [ERR-112]', async ({
  page,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(400, 401, 409);
  const mark = `lote${key()}`;
  const emails = [];
  for (const n of [1, 2, 3]) emails.push(await asking(request, `${mark}-${n}`));
  await request.post('/api/auth/sign-out', { data: {} });
  await signInAsAdmin(page);
  await visit(page, `/admin/complete-users?q=${mark}`);
  await expect(page.getByText('Sesión: admin@florka.test')).toBeVisible();
  const first = row(page, emails[0] ?? '');
  await expect(first.getByText('Pendiente', { exact: true })).toBeVisible();
  await expect(first.getByText('Usuario (pendiente)')).toBeVisible();
  await first.getByRole('button', { name: /^Aprobar a/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Aprobar' }).click();
  await expectNotice(page, 'Usuario confirmado', `Email confirmado exitosamente para ${emails[0]}`);
  await expect(first.getByText('Aprobado', { exact: true })).toBeVisible();

  await page.getByRole('checkbox', { name: 'Seleccionar toda la página' }).check();
  await page.getByRole('status').getByRole('button', { name: 'Promover a moderador' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Promover a moderador' }).click();
  const result = page.getByRole('dialog', { name: 'Resultado' });
  await expect(result.getByText('1 de 3 hechos')).toBeVisible();
  await expect(result.getByText('Primero hay que aprobar la cuenta.')).toHaveCount(2);
  expect(await a11yViolations(page)).toEqual([]);
  await result.getByRole('button', { name: 'Cerrar' }).click();
  await expect(first.getByText('Moderador Activo')).toBeVisible();

  const second = row(page, emails[1] ?? '');
  await second.getByRole('button', { name: /^Más acciones/ }).click();
  await page.getByRole('menuitem', { name: 'Bloquear o desactivar' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Bloquear o desactivar' }).click();
  await expect(page.getByText('Escribe el motivo.')).toBeVisible();
  await page.getByLabel('Durante').selectOption('none');
  await page.getByLabel('Motivo').fill('Publicidad engañosa');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Bloquear o desactivar' }).click();
  await expectNotice(page, 'Usuario bloqueado');
  await expect(second.getByText('Desactivado')).toBeVisible();
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(page, 'Bloqueo deshecho');
  await expect(second.getByText('Desactivado')).toBeHidden();
  // The next ban does not begin with the length of this one.
  await second.getByRole('button', { name: /^Más acciones/ }).click();
  await page.getByRole('menuitem', { name: 'Bloquear o desactivar' }).click();
  await expect(page.getByLabel('Durante')).toHaveValue('7');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar' }).click();

  await second.getByRole('button', { name: /^Más acciones/ }).click();
  await page.getByRole('menuitem', { name: 'Editar' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Nombre de usuario').fill('x');
  await form.getByRole('button', { name: 'Guardar' }).click();
  await expect(form.getByText('De 3 a 30 caracteres.')).toBeVisible();
  await form.getByLabel('Nombre de usuario').fill(`${mark}-1`);
  await form.getByRole('button', { name: 'Guardar' }).click();
  await expect(form.getByText('Ese nombre ya está en uso.')).toBeVisible();
  await form.getByLabel('Nombre de usuario').fill(`${mark}-dos`);
  await form.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Usuario actualizado');

  const third = row(page, emails[2] ?? '');
  await third.getByRole('button', { name: /^Más acciones/ }).click();
  await page.getByRole('menuitem', { name: 'Eliminar' }).click();
  const ask = page.getByRole('alertdialog');
  await ask.getByLabel('Motivo').fill('Lo pidió por correo');
  await expect(ask.getByRole('button', { name: 'Eliminar' })).toBeDisabled();
  await ask.getByLabel(/Escribe/).fill('ELIMINAR');
  await ask.getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(page, 'Cuenta eliminada');
  await expect(third).toHaveCount(0);

  await page.getByRole('button', { name: 'Nuevo usuario' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill(`${mark}-nuevo@florka.test`);
  await page.getByRole('dialog').getByRole('button', { name: 'Crear' }).click();
  await expectNotice(page, 'Usuario creado');
  await expect(row(page, `${mark}-nuevo@florka.test`)).toBeVisible();
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('moderator requests are decided, and reported posts are hidden and restored [A-MOD-03] [A-MOD-09] [A-MOD-12] [A-FORUM-01..11] [A-FORUM-14] [ERR-103] [ERR-106] [AMB-198]', async ({
  page,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 404);
  const mark = `mod${key()}`;
  await asking(request, `${mark}-a`);
  const title = `Oferta ${mark}`;
  const { id } = (await (
    await request.post('/api/forum/posts', { data: { title, content: 'Demasiado bueno.' } })
  ).json()) as {
    id: string;
  };
  await asking(request, `${mark}-b`);
  await request.post('/api/forum/reports', { data: { what: 'post', id, reason: 'scam' } });
  await signInAsAdmin(page);

  await visit(page, `/admin/moderator-requests?q=${mark}`);
  await expect(row(page, `${mark}-a`).getByText('Pendiente')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await page.getByRole('button', { name: `Aprobar a ${mark}-a` }).click();
  await expectNotice(page, 'Solicitud Aprobada', 'La solicitud de moderador ha sido aprobada exitosamente.');
  // An approval is taken back from its notice; a rejection needs a confirmation, because it cannot become pending again.
  await notice(page).getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(page, 'Rol Removido');
  await page.getByRole('button', { name: `Rechazar a ${mark}-b` }).click();
  const rejection = page.getByRole('alertdialog', { name: '¿Rechazar esta solicitud?' });
  await expect(rejection).toContainText('La solicitud no vuelve a quedar pendiente.');
  await rejection.getByRole('button', { name: 'Rechazar' }).click();
  await expectNotice(page, 'Solicitud Rechazada', 'La solicitud de moderador ha sido rechazada exitosamente.');
  await page.getByRole('button', { name: 'Actualizar', exact: true }).first().click();
  await expectNotice(page, 'Actualizando', 'Buscando nuevas solicitudes de moderador...');
  await visit(page, '/admin/moderator-requests?q=nobody-asked');
  await expect(page.getByText('No se encontró nada con estos filtros')).toBeVisible();

  // From the inbox to the text itself.
  await visit(page, '/admin/inbox?source=report');
  await page.getByRole('link', { name: new RegExp(`Verlo en moderación: ${title}`) }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Gestión del Foro' })).toBeVisible();
  await expect(row(page, title).getByText('1 denuncia')).toBeVisible();
  await page.getByRole('button', { name: `Ocultar: ${title}` }).click();
  await page.getByRole('alertdialog').getByLabel('Norma').selectOption('spam');
  await page.getByRole('alertdialog').getByLabel('Motivo').fill('Publicidad');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ocultar' }).click();
  await expectNotice(page, 'Texto ocultado');
  await expect(row(page, title).getByText('Oculto', { exact: true })).toBeVisible();
  expect((await request.get(`/api/forum/posts/${id}`)).status()).toBe(404);
  await page.getByRole('button', { name: `Restaurar: ${title}` }).click();
  const restoring = page.getByRole('alertdialog', { name: '¿Restaurar 1 texto?' });
  await expect(restoring).toContainText('Se vuelven a ver en el foro de inmediato.');
  await restoring.getByRole('button', { name: 'Restaurar' }).click();
  await expectNotice(page, 'Texto restaurado');
  expect((await request.get(`/api/forum/posts/${id}`)).status()).toBe(200);

  await expect(page.getByRole('link', { name: 'Volver al Dashboard' })).toHaveAttribute('href', '/admin');
  const stats = (await (await page.request.get('/api/admin/forum/stats')).json()) as Record<string, number>;
  const cards = page.getByRole('region', { name: 'Cifras' });
  expect(await cards.getByRole('term').allInnerTexts()).toEqual([
    'Usuarios totales',
    'Posts totales',
    'Moderadores activos',
    'Solicitudes pendientes',
    'Roles de usuario',
  ]);
  await expect(cards.getByRole('definition')).toHaveText([
    String(stats['totalUsers']),
    String(stats['totalPosts']),
    String(stats['totalModerators']),
    String(stats['pendingModeratorRequests']),
    'Gestionar',
  ]);
  const debug = page.getByRole('region', { name: 'Depuración del foro' });
  await expect(debug.getByRole('heading', { name: 'Depuración del foro' })).toBeVisible();
  await expect(debug.getByRole('table')).toHaveCount(3);
  for (const [part, rows] of [
    [0, 1],
    [1, 10],
    [2, 10],
  ] as const)
    await expect(debug.getByRole('table').nth(part).locator('tbody tr')).toHaveCount(rows);
  await expect(page.getByRole('link', { name: 'Solicitudes pendientes' })).toHaveAttribute(
    'href',
    '/admin/moderator-requests',
  );
  await expect(page.getByRole('link', { name: 'Roles de usuario' })).toHaveAttribute('href', '/admin/users');
  expect(await a11yViolations(page)).toEqual([]);
  await page.route('**/rpc/admin/forum/list*', (route) => route.fulfill({ status: 500, body: '{}' }));
  pageErrors.expectStatus(500);
  await page.clock.install();
  await page.goto('/admin/forum?shelf=hidden');
  await expectAfterRetries(page, page.getByText(/Error al cargar los textos del foro/));
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

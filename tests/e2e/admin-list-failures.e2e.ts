import type { Page } from '@playwright/test';
import { asking, key, row } from './admin-list.ts';
import { expect, expectAfterRetries, expectNotice, otherBrowser, signInAsAdmin, test, visit } from './support.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Calls of these procedures fail with status 500 while `work` runs. */
async function broken(page: Page, procedures: string, work: () => Promise<void>) {
  const calls = new RegExp(`/rpc/admin/(${procedures})`);
  await page.route(calls, (route) => route.fulfill({ status: 500, body: '{}' }));
  await work();
  await page.unroute(calls);
}

test('a failed action is reported with the message of its screen, and no input is lost [ERR-91..95] [ERR-102] [ERR-104] [ERR-105] [ERR-109..111] [ERR-113] [ERR-114] [ERR-116]', async ({
  page,
  browser,
  pageErrors,
}) => {
  test.setTimeout(90_000);
  pageErrors.expectStatus(500);
  const mark = `falla${key()}`;
  const elsewhere = await otherBrowser(browser);
  await asking(elsewhere.request, mark);
  const sent = await elsewhere.request.post('/api/submissions', {
    data: {
      projectName: mark,
      symbol: 'FAL',
      resemblanceAccepted: true,
      description: 'Una falla.',
      submitterName: mark,
      submitterEmail: `${mark}@florka.test`,
    },
  });
  expect(sent.status()).toBe(200);
  await elsewhere.close();
  await signInAsAdmin(page);

  await visit(page, '/admin/votes');
  await broken(page, 'candidates/(create|setActive|resetVotes|remove)', async () => {
    await page.getByRole('button', { name: 'Nuevo Candidato' }).click();
    const form = page.getByRole('dialog', { name: 'Crear Candidato' });
    await form.getByLabel('Nombre del token').fill(mark);
    await form.getByLabel('Símbolo').fill('FAL');
    await page.route('**/uploads?bucket=voting-candidate-images', (route) =>
      route.fulfill({ status: 500, body: '{}' }),
    );
    await form.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PIXEL });
    await expectNotice(page, 'Error al subir imagen');
    await page.unroute('**/uploads?bucket=voting-candidate-images');
    await form.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PIXEL });
    await expectNotice(page, 'Imagen subida exitosamente');
    await form.getByRole('button', { name: 'Crear' }).click();
    await expectNotice(page, 'Error al crear candidato', 'Algo ha fallado. Inténtalo de nuevo.');
    await expect(form.getByLabel('Nombre del token')).toHaveValue(mark);
    await form.getByRole('button', { name: 'Cancelar' }).click();
    await page.getByRole('button', { name: 'Descartar' }).click();

    const first = page.getByRole('row').nth(1);
    await first.getByRole('switch').click();
    await expectNotice(page, 'Error al actualizar');
    await first.getByRole('button', { name: /^Reiniciar votos/ }).click();
    const question = page.getByRole('alertdialog');
    // The period for undoing comes first; the specification's sentence applies after it.
    await expect(question).toContainText(
      /Durante 30 días los votos se pueden recuperar desde esta pantalla\. Después de ese plazo:\s*Esta acción no se puede deshacer\./,
    );
    await question.getByLabel('Motivo').fill('Se repite');
    await question.getByRole('button', { name: 'Reiniciar votos' }).click();
    await expectNotice(page, 'Error al reiniciar votos');
    await expect(question.getByLabel('Motivo')).toHaveValue('Se repite');
    await question.getByRole('button', { name: 'Cancelar' }).click();
    await page.getByRole('button', { name: 'Descartar' }).click();
    await first.getByRole('button', { name: /^Eliminar/ }).click();
    await expect(question).toContainText(
      /Va a la papelera: de ahí se puede restaurar durante 30 días\. Después de ese plazo:\s*Esta acción no se puede deshacer\./,
    );
    await question.getByRole('button', { name: 'Eliminar' }).click();
    await expectNotice(page, 'Error al eliminar');
    await question.getByRole('button', { name: 'Cancelar' }).click();
  });

  await visit(page, `/admin/moderator-requests?q=${mark}`);
  await broken(page, 'moderatorRequests/decide', async () => {
    await page.getByRole('button', { name: `Aprobar a ${mark}` }).click();
    await expectNotice(page, 'Error al actualizar', 'No se pudo actualizar la solicitud: Error desconocido');
    await expect(page.getByRole('button', { name: `Aprobar a ${mark}` })).toBeEnabled();
  });
  await visit(page, '/admin/forum');
  await broken(page, 'moderatorRequests/decide', async () => {
    await page
      .getByRole('button', { name: /^Rechazar a/ })
      .first()
      .click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Rechazar' }).click();
    await expectNotice(page, 'Error al actualizar', 'No se pudo actualizar la solicitud. Inténtalo de nuevo.');
    await question.getByRole('button', { name: 'Cancelar' }).click();
  });

  await page.clock.install();
  await visit(page, `/admin/users?q=${mark}`);
  await page.getByLabel('Rol a asignar').selectOption('moderator');
  const found = row(page, mark);
  await broken(page, 'roles/assign', async () => {
    await found.getByRole('button', { name: /Asignar/ }).click();
    await expectNotice(page, 'Error al Asignar Rol', 'Error desconocido');
  });
  await found.getByRole('button', { name: /Asignar/ }).click();
  await expectNotice(page, 'Rol Asignado');
  await broken(page, 'roles/remove', async () => {
    await found.getByRole('button', { name: /Remover/ }).click();
    await expectNotice(page, 'Error al Remover Rol', 'Error desconocido');
  });
  await broken(page, 'roles/list', async () => {
    await page.getByRole('searchbox').fill(`${mark}x`);
    await expectAfterRetries(page, page.getByRole('alert').filter({ hasText: 'Error al cargar usuarios: ' }));
  });
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByText('No se encontraron usuarios')).toBeVisible();

  await visit(page, `/admin/complete-users?q=${mark}`);
  await broken(page, 'users/confirm', async () => {
    await row(page, mark)
      .getByRole('button', { name: /^Aprobar a/ })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Aprobar' }).click();
    await expectNotice(page, 'Error al confirmar usuario', 'Error desconocido');
  });

  await visit(page, `/admin/submissions?q=${mark}`);
  await page.getByRole('button', { name: `Ver la solicitud de ${mark}` }).click();
  const dialog = page.getByRole('dialog', { name: `Solicitud de ${mark}` });
  await dialog.getByLabel('Notas del administrador').fill('Pensarlo');
  await broken(page, 'submissions/review', async () => {
    await dialog.getByRole('button', { name: 'Actualizar Estado' }).click();
    await expectNotice(page, 'Error', 'No se pudo actualizar la solicitud. Algo ha fallado. Inténtalo de nuevo.');
  });
  await expect(dialog.getByLabel('Notas del administrador')).toHaveValue('Pensarlo');
});

test('a lost session is reported with the message of each screen, and its list is not fetched again [ERR-50..56] [ERR-97] [SEC-19] [AMB-174]', async ({
  page,
  pageErrors,
}) => {
  test.setTimeout(90_000);
  pageErrors.expectStatus(401, 503);
  await signInAsAdmin(page);
  for (const [path, procedure, words] of [
    ['/admin', 'dashboard/counts', 'No admin session'],
    ['/admin/projects', 'projects/list', 'Usuario administrador no autenticado'],
    ['/admin/next-projects', 'nextProjects/list', 'No se pudo verificar la sesión de administrador'],
    ['/admin/news', 'news/list', 'No hay sesión de administrador'],
    ['/admin/votes', 'candidates/list', 'No hay sesión de administrador activa'],
    ['/admin/complete-users', 'users/list', 'Admin email not available'],
    ['/admin/token-creation', 'tokenRequests/list', 'No admin user'],
  ] as const) {
    let requests = 0;
    const calls = `**/rpc/admin/${procedure}*`;
    await page.route(calls, (route) => {
      requests += 1;
      const json = { json: { defined: true, code: 'UNAUTHORIZED', status: 401, message: 'UNAUTHORIZED' } };
      return route.fulfill({ status: 401, json });
    });
    await visit(page, path);
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
    expect(requests).toBe(1);
    await page.unroute(calls);
  }

  // Any other failure of the candidates is tried three times more.
  let requests = 0;
  await page.route('**/rpc/admin/candidates/list*', (route) => {
    requests += 1;
    return route.fulfill({ status: 503, json: {} });
  });
  await visit(page, '/admin/votes');
  await expect(page.getByRole('alert').filter({ hasText: 'Error al cargar candidatos:' })).toBeVisible({
    timeout: 20_000,
  });
  expect(requests).toBe(4);
});

test('an address with invalid filters links to the whole list, and one past the last page redirects to the last page', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(400, 404);
  await signInAsAdmin(page);
  await visit(page, '/admin/projects?status=nonsense&sort=nonsense');
  await expect(page.getByRole('alert')).toContainText('que esta lista no admite');
  await page.getByRole('button', { name: 'Ver la lista entera' }).click();
  await expect(page).toHaveURL(/\/admin\/projects$/);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await visit(page, '/admin/projects?page=999999999');
  await expect(page).toHaveURL(/page=2$/);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  // What no other attempt can find leads to the search for people.
  for (const [path, title] of [
    ['/admin/people/not-an-id', 'Esa cuenta no existe'],
    ['/admin/people/11111111-1111-4111-8111-111111111111', 'Esa cuenta no existe'],
    ['/admin/mailbox', 'Falta el correo'],
  ] as const) {
    await visit(page, path);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Buscar a una persona' })).toHaveAttribute('href', '/admin/people');
  }
});

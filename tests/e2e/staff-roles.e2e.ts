import type { Browser, Page } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectNotice,
  listening,
  otherBrowser,
  type Person,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

const key = () => Date.now().toString(36);
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Administración' }).getByRole('link');

/** Gives a member staff roles on the screen of roles. */
async function assign(page: Page, member: Person, roles: string[]) {
  await visit(page, `/admin/users?q=${encodeURIComponent(member.username)}`);
  await page.getByLabel('Rol a asignar').selectOption('admin');
  const choice = page.getByRole('group', { name: 'Qué puede en la administración' });
  // Owner until something else is chosen, which drops it.
  await expect(choice.getByRole('checkbox', { name: 'Propietario' })).toBeChecked();
  for (const role of roles) await choice.getByRole('checkbox', { name: role }).check();
  await expect(choice.getByRole('checkbox', { name: 'Propietario' })).not.toBeChecked();
  const found = row(page, member.username);
  await found.getByRole('button', { name: /Asignar/ }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    `${member.username} pasa a ser Administrador: ${roles.join(' y ')}.`,
  );
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cambiar el rol' }).click();
  await expectNotice(page, 'Rol Asignado');
  for (const role of roles) await expect(found.getByText(role, { exact: true })).toBeVisible();
}

async function tabOf(browser: Browser, { email, password }: Person, path: string) {
  const page = await (await otherBrowser(browser)).newPage();
  expect((await page.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(200);
  return { page, response: await visit(page, path) };
}

test('an owner assigns the roles editor and finance, and each sees their own screens, and on others whose they are', async ({
  page,
  browser,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403);
  const editor = await signUp(request, { username: `Editora ${key()}` });
  await request.post('/api/auth/sign-out', { data: {} });
  const finance = await signUp(request, { username: `Cuentas ${key()}` });
  await request.post('/api/auth/sign-out', { data: {} });
  await signInAsAdmin(page);
  await assign(page, editor, ['Editor']);
  expect(await a11yViolations(page)).toEqual([]);
  await assign(page, finance, ['Soporte', 'Finanzas']);

  const theirs = await tabOf(browser, editor, '/admin');
  await expect(menuOf(theirs.page)).toHaveText([
    'Dashboard',
    'Estadísticas',
    'Proyectos',
    'Proyectos NEXT',
    'Votación',
    'Creadores verificados',
    'Noticias',
    'Páginas del sitio',
    'Imágenes',
  ]);
  await expect(theirs.page.locator('.admin-tile')).toHaveCount(4);
  await expect(theirs.page.locator('[data-inbox]')).toHaveCount(0);
  expect((await visit(theirs.page, '/admin/money'))?.status()).toBe(403);
  await expect(theirs.page.getByRole('heading', { level: 1 })).toHaveText('Dinero: no es parte de tus funciones');
  await expect(
    theirs.page.getByText('Esta pantalla la abre quien tiene la función Propietario o Finanzas.'),
  ).toBeVisible();
  await expect(theirs.page.getByText('Tú tienes: Editor.')).toBeVisible();
  expect(await a11yViolations(theirs.page)).toEqual([]);
  await visit(theirs.page, '/en/admin/people/11111111-1111-4111-8111-111111111111');
  await expect(theirs.page.getByText('This screen is open to the staff role Owner or Support.')).toBeVisible();
  // What the editor may do works: the candidates are theirs, the reset of votes is not.
  expect((await visit(theirs.page, '/admin/votes'))?.status()).toBe(200);
  await expect(theirs.page.getByRole('button', { name: /^Editar / }).first()).toBeVisible();
  await expect(theirs.page.getByRole('button', { name: /^Reiniciar votos/ })).toHaveCount(0);
  // Nobody raises themselves, whatever they send.
  const me = (await (await theirs.page.request.get('/api/me')).json()) as { id: string };
  const raise = await theirs.page.request.put(`/api/admin/roles/${me.id}`, {
    data: { role: 'admin', staffRoles: ['owner'] },
  });
  expect(raise.status()).toBe(403);
  expect(await raise.json()).toMatchObject({ code: 'STAFF_ROLE_NEEDED', data: { roles: ['owner'] } });

  const counting = await tabOf(browser, finance, '/admin/money');
  expect(counting.response?.status()).toBe(200);
  await expect(counting.page.getByRole('heading', { level: 1, name: 'Dinero' })).toBeVisible();
  for (const name of ['Bandeja', 'Personas', 'Creación de tokens', 'Devoluciones'])
    await expect(menuOf(counting.page).filter({ hasText: name })).toBeVisible();
  for (const name of ['Noticias', 'Ajustes', 'Roles', 'Auditoría', 'Redes'])
    await expect(menuOf(counting.page).filter({ hasText: name })).toHaveCount(0);
  // The owner limits the role meanwhile: the open screen closes at once, without an action there.
  await listening(counting.page);
  await assign(page, finance, ['Moderación']);
  await expect(counting.page.getByRole('heading', { level: 1 })).toHaveText('Dinero: no es parte de tus funciones');
  await expect(menuOf(counting.page).filter({ hasText: 'Foro' })).toBeVisible();
  await Promise.all([theirs.page.context().close(), counting.page.context().close()]);
});

test('a moderator finds no link on the forum screen that is forbidden to the role', async ({
  page,
  browser,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(401);
  const moderator = await signUp(request, { username: `Modera ${key()}` });
  await request.post('/api/auth/sign-out', { data: {} });
  await signInAsAdmin(page);
  await assign(page, moderator, ['Moderación']);
  const theirs = await tabOf(browser, moderator, '/admin');
  const refused: string[] = [];
  theirs.page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  await visit(theirs.page, '/admin/forum');
  await expect(theirs.page.getByRole('heading', { name: 'Moderación', exact: true })).toBeVisible();
  await expect(theirs.page.getByRole('button', { name: /^Ocultar: / }).first()).toBeVisible();
  await expect(theirs.page.getByRole('alert')).toHaveCount(0);
  const links = await theirs.page.getByRole('main').getByRole('link').all();
  for (const address of new Set(await Promise.all(links.map((link) => link.getAttribute('href')))))
    expect((await theirs.page.request.get(address ?? '')).status(), address ?? '').toBe(200);
  expect(refused).toEqual([]);
  await theirs.page.context().close();
});

test('support sees the actions on accounts of staff that are only for owners disabled, with the reason', async ({
  page,
  browser,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(401);
  const support = await signUp(request, { username: `Ayuda ${key()}` });
  await request.post('/api/auth/sign-out', { data: {} });
  await signInAsAdmin(page);
  await assign(page, support, ['Soporte']);
  const why = 'Es parte del equipo: solo un propietario puede hacer esto.';
  const theirs = await tabOf(browser, support, '/admin/complete-users?q=admin@florka.test');
  await row(theirs.page, 'admin@florka.test').getByRole('button', { name: /^Más/ }).click();
  for (const name of [/^Enviar enlace/, /^Bloquear/]) {
    const item = theirs.page.getByRole('menuitem', { name });
    await expect(item).toBeDisabled();
    await expect(item).toContainText(why);
  }
  await theirs.page.keyboard.press('Escape');
  // They may still help with a member's account and with their own.
  await visit(theirs.page, `/admin/complete-users?q=${support.email}`);
  await row(theirs.page, support.email).getByRole('button', { name: /^Más/ }).click();
  await expect(theirs.page.getByRole('menuitem', { name: /^Enviar enlace/ })).toBeEnabled();
  await theirs.page.keyboard.press('Escape');
  // They approve requests, but others publish the token: no link leads to a list that is closed to them.
  const name = `Zarpazo ${key()}`;
  const sent = await request.post('/api/submissions', {
    data: {
      projectName: name,
      symbol: 'ZARP',
      description: 'Un zarpazo.',
      submitterName: name,
      submitterEmail: 'zarpa@florka.test',
      resemblanceAccepted: true,
    },
  });
  expect(await sent.json()).toMatchObject({ id: expect.any(String) });
  await visit(theirs.page, `/admin/submissions?q=${encodeURIComponent(name)}`);
  await theirs.page.getByRole('button', { name: /^Ver la solicitud/ }).click();
  const dialog = theirs.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Crear proyecto NEXT' }).click();
  await theirs.page.getByRole('alertdialog').getByRole('button', { name: 'Aprobar y crear' }).click();
  await expect(dialog.getByText(`El proyecto ${name} ya está creado:`)).toBeVisible();
  await expect(dialog.getByRole('link', { name: /proyecto/ })).toHaveCount(0);
  await theirs.page.context().close();
});

for (const width of [360, 768, 1280])
  test(`the roles and a forbidden screen fit ${width} pixels`, async ({ page, browser, request, pageErrors }) => {
    pageErrors.expectStatus(401, 403);
    const editor = await signUp(request, { username: `Ancho ${key()}` });
    await request.post('/api/auth/sign-out', { data: {} });
    await page.setViewportSize({ width, height: 800 });
    await signInAsAdmin(page);
    await assign(page, editor, ['Editor', 'Moderación']);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const theirs = await tabOf(browser, editor, '/admin/settings');
    await theirs.page.setViewportSize({ width, height: 800 });
    await expect(theirs.page.getByText('la función Propietario.')).toBeVisible();
    expect(await theirs.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await theirs.page.context().close();
  });

test('a name in the list of roles links to the person, and the search for people to accounts and roles', async ({
  page,
}) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/people');
  const screens = page.getByRole('list', { name: 'Tres pantallas con las mismas personas' });
  await expect(screens.getByRole('link', { name: 'Usuarios' })).toHaveAttribute('href', '/admin/complete-users');
  await screens.getByRole('link', { name: 'Roles' }).click();
  await page.locator('tbody tr').first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/admin\/people\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('region', { name: 'Cuenta', exact: true })).toBeVisible();
});

import { createHmac } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import type { Page } from '@playwright/test';
import { TIMING } from '#contract/limits.ts';
import {
  a11yViolations,
  expect,
  expectNotice,
  notice,
  OwnServer,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

/** An authenticator app. */
function totp(secret: string, ahead = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac('sha1', base32.decode(secret)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

const fill = async (page: Page, email: string, password: string) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
};

test('only admins have access to the back office [A-DASH-01] [AMB-22] [A-LOGIN-01..03] [A-LOGIN-05..07] [A-LOGIN-14] [APP-22] [ERR-44..46]', async ({
  page,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403);
  for (const path of ['/admin', '/admin/networks', '/en/admin', '/admin/nothing-here']) {
    const answer = await visit(page, path);
    expect(answer?.status()).toBe(403);
    expect(answer?.headers()['cache-control']).toBe('private, no-store');
  }
  await visit(page, '/admin/audit');
  await expect(page.getByRole('heading', { level: 1, name: 'Acceso Denegado' })).toBeVisible();
  expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
  expect(await a11yViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Ir al acceso de administradores' }).click();
  await expect(page.getByRole('heading', { name: 'Panel de Administración' })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  expect(await page.getByRole('link', { name: /Regístrate como usuario/ }).getAttribute('href')).toBe('/auth');

  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
  await expectNotice(page, 'Campos requeridos', 'Por favor ingresa email y contraseña');
  await fill(page, 'nobody', 'x');
  await expectNotice(page, 'Email inválido', 'Por favor ingresa un email válido');
  await fill(page, 'nobody@florka.test', 'wrong-password');
  await expectNotice(page, 'Login Error');
  // A response without a session.
  await page.route('**/rpc/auth/signIn', (route) => route.fulfill({ json: { json: null } }), { times: 1 });
  await fill(page, 'nobody@florka.test', 'wrong-password');
  await expectNotice(page, 'Login Error', 'Login failed - no user returned');
  const member = await signUp(request);
  await fill(page, member.email, member.password);
  await expectNotice(page, 'Login Error', 'This account is not authorized for admin access');
  expect(await (await page.request.get('/api/me')).json()).toBeNull();
});

test('visitors load no scripts of the back office, and its screens fit a phone', async ({ page, pageErrors }) => {
  pageErrors.expectStatus(401);
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text().catch(() => ''));
  });
  for (const path of ['/', '/forum', '/auth']) await visit(page, path);
  expect((await Promise.all(scripts)).filter((script) => /admin-table|admin-side|admin-login/.test(script))).toEqual(
    [],
  );

  await signInAsAdmin(page);
  await page.setViewportSize({ width: 360, height: 800 });
  for (const [path, heading] of [
    ['/admin', 'Dashboard'],
    ['/admin/inbox', 'Bandeja'],
    ['/admin/audit', 'Auditoría'],
    ['/admin/networks', 'Redes blockchain'],
    ['/admin/projects', 'Proyectos'],
  ] as const) {
    const answer = await visit(page, path);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    expect(await a11yViolations(page)).toEqual([]);
  }
  // The menu on a phone.
  await page.getByRole('button', { name: 'Abrir menú de administración' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Redes', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Redes blockchain/ })).toBeVisible();
});

test.describe('on a server that requires a second factor of its staff', () => {
  const server = new OwnServer();
  test.beforeAll(() => server.start());
  test.afterAll(() => server.end());
  const at = (path: string) => server.url + path;

  test('an admin signs in for the first time, edits networks, resolves a conflict, and finds the changes in the audit log [A-LOGIN-04] [A-LOGIN-08] [A-LOGIN-09] [A-LOGIN-11] [A-NET-01..06] [A-NET-08..10] [ERR-47..49] [ERR-121..123]', async ({
    page,
    pageErrors,
  }) => {
    test.setTimeout(90_000);
    pageErrors.expectStatus(400, 401, 403, 409, 500);
    // As the first admin of an installation whose operator chose no password.
    const database = await server.database();
    await database.query(`update accounts set initial_until = now() + interval '3 days'`);
    await database.end();
    await page.clock.install();
    await visit(page, at('/admin-login'));
    await fill(page, 'admin@florka.test', 'admin-password');
    await expectNotice(page, 'Admin Login Successful', 'Welcome admin@florka.test');
    await expect(page).toHaveURL(at('/admin'));
    await expect(page.getByRole('heading', { name: 'Protege tu acceso' })).toBeVisible();
    expect((await page.request.get(at('/api/admin/networks'))).status()).toBe(403);
    expect(await a11yViolations(page)).toEqual([]);
    // There is no menu yet, in which a phone would find the languages.
    const size = page.viewportSize() as { width: number; height: number };
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(page.getByRole('banner').getByRole('link', { name: 'English', exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.setViewportSize(size);
    // First a password of their own.
    await expect(page.getByText('El programa generó tu contraseña, y caduca')).toBeVisible();
    await expect(page.getByText('Mínimo 12 caracteres: es una cuenta del equipo.')).toBeVisible();
    const choose = async (next: string) => {
      await page.getByLabel('Contraseña actual').fill('admin-password');
      await page.getByLabel('Contraseña nueva').fill(next);
      await page.getByRole('button', { name: 'Cambiar contraseña' }).click();
    };
    await choose('admin-password');
    await expect(page.getByText('La generó el programa. Elige otra.')).toBeVisible();
    expect(await a11yViolations(page)).toEqual([]);
    const own = 'of-my-own-choice';
    await choose(own);
    await expectNotice(page, 'Contraseña cambiada', 'Las demás sesiones se han cerrado.');
    await expect(page.getByRole('heading', { name: 'Protege tu acceso' })).toBeFocused();
    await page.getByLabel('Tu contraseña').fill(own);
    await page.getByRole('button', { name: 'Activar' }).click();
    const secret = (await page.locator('.copyable').getAttribute('title')) ?? '';
    await page.getByLabel(/Código de 6 cifras/).fill(totp(secret));
    await page.getByRole('button', { name: 'Confirmar' }).click();
    const codes = page.locator('[data-recovery-codes] li');
    await expect(codes).toHaveCount(10);
    // The session is read again periodically. What is shown only once stays until it is dismissed.
    const read = page.waitForResponse((response) => response.url().includes('/admin/session'));
    await page.clock.fastForward(TIMING.sessionCheck);
    await (await read).finished();
    await page.clock.runFor(1_000);
    await expect(codes).toHaveCount(10);
    await expect(page.getByText('Ya puedes entrar.', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'Entrar en la administración' }).click();
    await expect(page.getByRole('main')).toBeFocused();

    // The dashboard shows its figures and charts.
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    for (const label of ['Total Users', 'Projects', 'Total Votes', 'News Articles', 'Online Now'])
      await expect(page.locator('dl').getByText(label, { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Publication Requests' })).toHaveAttribute(
      'href',
      '/admin/submissions',
    );
    await expect(page.getByRole('table', { name: 'Votos' })).toBeAttached();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    expect(await a11yViolations(page)).toEqual([]);

    // Networks
    await page.getByRole('link', { name: 'Redes', exact: true }).click();
    await expect(page.getByText('4 redes')).toBeVisible();
    const form = page.getByRole('form', { name: 'Nueva red' });
    await expect(form.getByLabel('Símbolo')).toHaveAttribute('maxlength', '10');
    await expect(form.getByRole('checkbox', { name: 'Activa' })).toBeChecked();
    await form.getByRole('button', { name: 'Crear' }).click();
    await expect(form.getByText('El símbolo es requerido')).toBeVisible();
    await expect(form.getByText('El nombre es requerido')).toBeVisible();
    await expect(form.getByLabel('Nombre')).toBeFocused();
    await form.getByLabel('Nombre').fill('solana');
    await form.getByLabel('Símbolo').fill('NEW');
    await form.getByRole('button', { name: 'Crear' }).click();
    await expect(form.getByText('Ya hay una red con ese nombre.')).toBeVisible();
    await expect(form.getByLabel('Nombre')).toHaveValue('solana');
    await form.getByLabel('Nombre').fill('Base');
    await form.getByRole('button', { name: 'Crear' }).click();
    await expectNotice(page, 'Red creada');
    const row = page.getByRole('row').filter({ hasText: 'Base' });
    await expect(row.getByText('Activa', { exact: true })).toBeVisible();
    const publicly = async () =>
      ((await (await page.request.get(at('/api/networks'))).json()) as { name: string }[]).map(({ name }) => name);
    expect(await publicly()).toContain('Base');
    await page.getByRole('button', { name: 'Desactivar Base' }).click();
    await expect(row.getByText('Inactiva', { exact: true })).toBeVisible();
    expect(await publicly()).not.toContain('Base');
    await notice(page).getByRole('button', { name: 'Deshacer' }).click();
    await expect(row.getByText('Activa', { exact: true })).toBeVisible();
    expect(await publicly()).toContain('Base');

    await page.getByRole('button', { name: 'Editar Base' }).click();
    const edit = page.getByRole('form', { name: 'Editar Base' });
    await expect(edit.getByRole('button', { name: 'Cancelar' })).toBeVisible();
    await edit.getByLabel('Nombre').fill('Mine');
    // Somebody else saves first.
    const listed = (await (await page.request.get(at('/api/admin/networks?q=base'))).json()) as {
      rows: { id: string; version: number }[];
    };
    const network = listed.rows[0];
    const theirs = { version: network?.version, name: 'Theirs', symbol: 'BSE', isActive: true };
    const saved = await page.request.put(at(`/api/admin/networks/${network?.id}`), { data: theirs });
    expect(saved.status()).toBe(200);
    await edit.getByRole('button', { name: 'Actualizar' }).click();
    const conflict = page.getByRole('alertdialog', { name: 'Otra persona guardó antes' });
    await expect(conflict.getByText(/^florka cambió este registro/)).toBeVisible();
    // Both changed the name: a choice is required. Only the other one changed the symbol: it stays.
    await expect(conflict.getByRole('group')).toHaveCount(1);
    const nameChoice = conflict.getByRole('group', { name: 'Nombre' });
    await expect(nameChoice.getByRole('radio', { name: 'Guardado ahora Theirs' })).toBeVisible();
    await expect(conflict.getByRole('region', { name: 'Se queda lo que ya está guardado' })).toContainText('BSE');
    await conflict.getByRole('button', { name: 'Guardar' }).click();
    await expect(nameChoice.getByText('Elige uno de los dos.')).toBeVisible();
    expect(await a11yViolations(page)).toEqual([]);
    await nameChoice.getByRole('radio', { name: 'Lo tuyo Mine' }).check();
    await conflict.getByRole('button', { name: 'Guardar' }).click();
    await expectNotice(page, 'Red actualizada');
    await expect(page.getByRole('row').filter({ hasText: 'Mine' })).toContainText('BSE');

    // Deleting needs a confirmation, then a step-up; the site follows; the trash restores it.
    await page.route(
      '**/rpc/admin/networks/remove',
      (route) => route.fulfill({ status: 403, json: { json: { code: 'STEP_UP_NEEDED', status: 403 } } }),
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Eliminar Mine' }).click();
    const question = page.getByRole('alertdialog', { name: 'Confirmar Eliminación' });
    await expect(question.getByText('Esta acción no se puede deshacer.')).toBeVisible();
    await question.getByRole('button', { name: 'Eliminar' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirma que eres tú' });
    await proof.getByRole('textbox').fill('000000');
    await proof.getByRole('button', { name: 'Confirmar' }).click();
    await expect(proof.getByText('El código no es correcto o ya se ha usado.')).toBeVisible();
    await proof.getByRole('textbox').fill(totp(secret, 1));
    await proof.getByRole('button', { name: 'Confirmar' }).click();
    await expectNotice(page, 'Red eliminada');
    expect(await publicly()).not.toContain('Mine');
    await page.getByText('Papelera', { exact: true }).click();
    await expect(page).toHaveURL(/shelf=trash/);
    await page.getByRole('button', { name: 'Restaurar Mine' }).click();
    await expectNotice(page, 'Red restaurada');
    await expect(page.getByText('La papelera está vacía')).toBeVisible();
    // Two choices before the address is updated: neither is lost.
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('input[name=shelf]')?.click();
      document.querySelector<HTMLElement>('th button')?.click();
    });
    await expect(page).toHaveURL(/networks\?sort=name$/);
    await page.evaluate(() => {
      for (const one of ['trash', 'live'])
        [...document.querySelectorAll('label')]
          .find((label) => label.textContent === (one === 'trash' ? 'Papelera' : 'Activos'))
          ?.click();
      document.querySelector<HTMLElement>('th button')?.click();
    });
    await expect(page).toHaveURL(/networks\?sort=-name$/);

    // The record's own history, and the log.
    await visit(page, at('/admin/audit?resourceType=network'));
    const entries = page.getByRole('listitem').filter({ hasText: 'Red cambiada' });
    await expect(entries.filter({ hasText: 'Theirs' }).filter({ hasText: 'Mine' })).toHaveCount(1);
    await expect(page.getByRole('listitem').filter({ hasText: 'Red eliminada' })).toHaveCount(1);
    await page.getByLabel('Acto').selectOption('Red creada');
    await expect(page).toHaveURL(/action=network\.created/);
    await expect(page.getByRole('listitem').filter({ hasText: 'Red creada' }).filter({ hasText: 'Base' })).toHaveCount(
      1,
    );
    expect(await a11yViolations(page)).toEqual([]);

    await page.route('**/rpc/auth/signOut', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expectNotice(page, 'Logout Error', 'Algo ha fallado. Inténtalo de nuevo.');
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expectNotice(page, 'Logged Out', 'You have been logged out successfully');
    await expect(page.getByRole('heading', { name: 'Panel de Administración' })).toBeVisible();
  });
});

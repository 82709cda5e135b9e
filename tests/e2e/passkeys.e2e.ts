import type { Page } from '@playwright/test';
import { a11yViolations, expect, expectNotice, OwnServer, test } from './support.ts';

const PASSWORD = 'una-clave-larga';

const ready = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-hydrated', 'yes');
async function open(page: Page, address: string) {
  await page.goto(address);
  await ready(page);
}
async function signOut(page: Page) {
  expect((await page.request.post('/api/auth/sign-out', { data: {} })).status()).toBe(200);
  await open(page, '/auth');
}

/** Adds a virtual authenticator, which always verifies its user, to the page's browser. */
async function addAuthenticator(page: Page) {
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a passkey is added, signs in without a password, completes the second step, and is renamed and removed', async ({
  page,
  database,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403);
  await addAuthenticator(page);
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  const email = `llave${process.pid}@florka.test`;
  await open(page, '/auth');
  const made = await page.request.post('/api/auth/sign-up', { data: { email, password: PASSWORD } });
  const { id } = (await made.json()) as { id: string };
  await database.query('update users set email_verified = true where id = $1', [id]);
  await open(page, '/account');
  const part = page.getByRole('region', { name: 'Llaves de acceso' });
  await expect(part.getByText('Todavía no tienes ninguna.')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  const before = scripts.length;
  await part.getByLabel('Nombre de la llave').fill('Portátil');
  await part.getByRole('button', { name: 'Añadir una llave' }).click();
  await expect(part.getByRole('heading', { name: 'Tus códigos de recuperación' })).toBeVisible();
  // The library for passkeys is loaded on first use.
  expect(scripts.length).toBeGreaterThan(before);
  await expect(part.locator('[data-recovery-codes] li')).toHaveCount(10);
  await part.getByRole('button', { name: 'Ya los he guardado' }).click();
  await expect(part.getByText('Portátil')).toBeVisible();
  await expect(part.getByText('Sin usar todavía')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);

  await signOut(page);
  await page.getByRole('button', { name: 'Entrar con una llave de acceso' }).click();
  await expect(page).toHaveURL(/\/$/);
  expect(await (await page.request.get('/api/me')).json()).toMatchObject({ id });

  await signOut(page);
  await page.getByLabel('Correo electrónico').first().fill(email);
  await page.getByLabel('Contraseña').first().fill(PASSWORD);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).last().click();
  const step = page.getByRole('form', { name: 'Segundo paso' });
  await expect(step).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await step.getByRole('button', { name: 'Usar una llave de acceso' }).click();
  await expect(page).toHaveURL(/\/$/);
  expect(await (await page.request.get('/api/me')).json()).toMatchObject({ id });

  await open(page, '/account');
  await expect(part.getByText(/Último uso/)).toBeVisible();
  await part.getByRole('button', { name: 'Renombrar Portátil' }).click();
  const renamed = part.getByLabel('Nombre de la llave').first();
  await renamed.fill('Llavero');
  // A refusal leaves what was typed.
  pageErrors.expectStatus(500);
  await page.route('**/rpc/account/passkeys/rename', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await part.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'No se pudo guardar');
  await expect(renamed).toHaveValue('Llavero');
  await part.getByRole('button', { name: 'Guardar' }).click();
  await expect(part.getByText('Llavero')).toBeVisible();

  // Session and password are not enough to add an app to it.
  await database.query(`update sessions set proved_at = now() - interval '11 minutes' where user_id = $1`, [id]);
  const app = page.getByRole('region', { name: 'Verificación en dos pasos' });
  const begin = async () => {
    await app.getByLabel('Tu contraseña').fill(PASSWORD);
    await app.getByRole('button', { name: 'Activar' }).click();
  };
  await begin();
  await app
    .getByRole('form', { name: 'Confirma primero que eres tú' })
    .getByRole('button', { name: 'Usar una llave de acceso' })
    .click();
  await begin();
  await expect(app.getByLabel('Código de 6 cifras de la aplicación')).toBeFocused();
  await app.getByRole('button', { name: 'Cancelar' }).click();

  // Nor to change the mailbox: what is typed stays, and is sent once the step-up is done.
  await database.query(`update sessions set proved_at = now() - interval '11 minutes' where user_id = $1`, [id]);
  const change = page.getByRole('form', { name: 'Cambiar correo' });
  const first = page.getByRole('form', { name: 'Confirma primero que eres tú' });
  await change.getByLabel('Correo nuevo').fill(`new-${email}`);
  await change.getByLabel('Tu contraseña').fill(PASSWORD);
  await change.getByRole('button', { name: 'Enviar enlace' }).click();
  await expect(change).toBeHidden();
  expect(await a11yViolations(page)).toEqual([]);
  await first.getByRole('button', { name: 'Cancelar' }).click();
  await expect(change.getByLabel('Correo nuevo')).toHaveValue(`new-${email}`);
  await change.getByRole('button', { name: 'Enviar enlace' }).click();
  await first.getByRole('button', { name: 'Usar una llave de acceso' }).click();
  await expect(page.getByText(`Falta confirmar new-${email}`)).toBeVisible();

  // An open screen is not enough to remove one.
  await database.query(`update sessions set proved_at = now() - interval '11 minutes' where user_id = $1`, [id]);
  const proof = part.getByRole('form', { name: 'Confirma primero que eres tú' });
  const added = part.getByLabel('Nombre de la llave');
  await added.fill('Móvil');
  await part.getByRole('button', { name: 'Añadir una llave' }).click();
  await proof.getByRole('button', { name: 'Cancelar' }).click();
  await expect(added).toHaveValue('Móvil');
  await part.getByRole('button', { name: 'Quitar Llavero' }).click();
  await expect(proof.locator('input')).toBeFocused();
  expect(await a11yViolations(page)).toEqual([]);
  await proof.getByRole('button', { name: 'Usar una llave de acceso' }).click();
  await expect(part.getByText('Todavía no tienes ninguna.')).toBeVisible();

  await signOut(page);
  expect((await page.request.post('/api/auth/sign-in', { data: { email, password: PASSWORD } })).status()).toBe(200);
});

test('the sign-in pages of members and admins offer a passkey', async ({ page, pageErrors }) => {
  pageErrors.expectStatus(401, 403);
  await open(page, '/en/auth');
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await open(page, '/admin-login');
  await expect(page.getByRole('button', { name: 'Entrar con una llave de acceso' })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
});

test.describe('on a server that requires a second factor of its staff', () => {
  const server = new OwnServer();
  test.beforeAll(() => server.start());
  test.afterAll(() => server.end());
  const at = (path: string) => server.url + path;

  test('one of two admins adds a passkey before the administration opens, and signs in with it', async ({
    page,
    request,
    pageErrors,
  }) => {
    pageErrors.expectStatus(401, 403);
    const made = await request.post(at('/api/auth/sign-up'), {
      data: { email: 'colega@florka.test', password: PASSWORD },
    });
    const database = await server.database();
    await database.query('insert into admin_profiles (id) values ($1)', [((await made.json()) as { id: string }).id]);
    await database.end();
    await addAuthenticator(page);
    const data = { email: 'admin@florka.test', password: 'admin-password' };
    expect((await page.request.post(at('/api/auth/sign-in'), { data })).status()).toBe(200);
    const status = async () => (await page.request.get(at('/api/admin/networks'))).status();
    await open(page, at('/admin'));
    await expect(page.getByRole('heading', { name: 'Protege tu acceso' })).toBeVisible();
    expect(await status()).toBe(403);
    const part = page.getByRole('region', { name: 'Llaves de acceso' });
    await expect(part.getByText('aquí el equipo necesita una llave de acceso')).toBeVisible();
    expect(await a11yViolations(page)).toEqual([]);
    await part.getByLabel('Nombre de la llave').fill('Portátil');
    await part.getByRole('button', { name: 'Añadir una llave' }).click();
    await expect(part.locator('[data-recovery-codes] li')).toHaveCount(10);
    expect(await status()).toBe(200);
    await page.getByRole('button', { name: 'Entrar en la administración' }).click();
    const dashboard = page.getByRole('heading', { level: 1, name: 'Dashboard' });
    await expect(dashboard).toBeVisible();
    expect((await page.request.post(at('/api/auth/sign-out'), { data: {} })).status()).toBe(200);
    await open(page, at('/admin-login'));
    await page.getByRole('button', { name: 'Entrar con una llave de acceso' }).click();
    await expect(dashboard).toBeVisible();
  });
});

import { createHash, randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, expectNotice, notice, otherBrowser, signUp, test, visit } from './support.ts';

const signInForm = (page: Page) => page.getByRole('form', { name: 'Iniciar Sesión' });
const signUpForm = (page: Page) => page.getByRole('form', { name: 'Registrarse' });

async function openSignUp(page: Page) {
  await visit(page, '/auth');
  await page.getByRole('tab', { name: 'Registrarse' }).click();
  return signUpForm(page);
}

/** Holds the responses of a procedure until released. */
async function hold(page: Page, procedure: string): Promise<() => void> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/rpc/${procedure}*`, async (route) => {
    await gate;
    await route.continue();
  });
  return release;
}

/** The page still shows its reader as a member, because it has not read the session since that ended. */
async function keepBelieving(page: Page): Promise<void> {
  const me = await (await page.request.get('/api/me')).json();
  await page.route('**/rpc/auth/me*', (route) => route.fulfill({ json: { json: me } }));
}

test('the sign-in page has both forms with all their fields [APP-21] [AUTH-01..08] [AUTH-15..16]', async ({ page }) => {
  await visit(page, '/auth');
  await expect(page.getByRole('tab', { name: 'Iniciar Sesión' })).toHaveAttribute('aria-selected', 'true');
  await expect(signInForm(page).getByLabel('Correo electrónico')).toBeVisible();
  await expect(signInForm(page).getByLabel('Contraseña')).toHaveAttribute('type', 'password');
  await page.getByRole('tab', { name: 'Registrarse' }).click();
  await expect(signUpForm(page).getByLabel('Correo electrónico')).toBeVisible();
  await expect(signUpForm(page).getByLabel('Nombre de usuario (opcional)')).toBeVisible();
  await expect(signUpForm(page).getByLabel('Contraseña')).toHaveAttribute('type', 'password');
  await expect(
    signUpForm(page).getByRole('checkbox', { name: 'Quiero solicitar ser moderador del foro' }),
  ).toBeVisible();
  await expect(page.getByText('¿Necesitas ayuda? Contacta al administrador')).toBeVisible();
  await page.getByRole('link', { name: 'Volver al inicio' }).click();
  await expect(page).toHaveURL('/');
});

test('the forms send nothing when the e-mail or the password is empty [AUTH-19] [AMB-150]', async ({ page }) => {
  let requests = 0;
  await page.route('**/rpc/auth/sign*', (route) => {
    requests++;
    return route.continue();
  });
  await visit(page, '/auth');
  const form = signInForm(page);
  await form.getByRole('button').click();
  await form.getByLabel('Correo electrónico').fill('ana@florka.test');
  await form.getByRole('button').click();
  const join = await openSignUp(page);
  await join.getByRole('button').click();
  await join.getByLabel('Contraseña').fill('una-clave-larga');
  await join.getByRole('button').click();
  await expect(notice(page)).toHaveCount(0);
  expect(requests).toBe(0);
});

test('a member signs in, sees the form busy meanwhile, and signs out again [AUTH-09] [AUTH-17] [AUTH-23] [AUTH-25] [HDR-08..11] [ERR-05] [ERR-08] [ERR-10]', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(500);
  const elsewhere = await otherBrowser(browser);
  const person = await signUp(elsewhere.request);
  await elsewhere.close();
  await visit(page, '/auth');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/auth');
  const release = await hold(page, 'auth/signIn');
  const form = signInForm(page);
  await form.getByLabel('Correo electrónico').fill(person.email.toUpperCase());
  await form.getByLabel('Contraseña').fill(person.password);
  await form.getByRole('button').click();
  await expect(form.getByRole('button')).toHaveText('Iniciando sesión...');
  release();
  await expectNotice(page, '¡Bienvenido!', 'Has iniciado sesión correctamente.');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('banner').getByText(person.email).filter({ visible: true })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toHaveCount(0);
  const leave = page.getByRole('banner').getByRole('button', { name: 'Salir' });
  await page.route('**/rpc/auth/signOut', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
  await leave.click();
  await expectNotice(page, 'Error al cerrar sesión', 'Algo ha fallado. Inténtalo de nuevo.');
  await leave.click();
  await expectNotice(page, 'Sesión cerrada');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeVisible();
});

test('a wrong password and an unknown e-mail get the same error [ERR-01] [ERR-02] [AMB-156]', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(401);
  const elsewhere = await otherBrowser(browser);
  const { email } = await signUp(elsewhere.request);
  await elsewhere.close();
  await visit(page, '/auth');
  const form = signInForm(page);
  for (const address of [email, 'nobody@florka.test']) {
    await form.getByLabel('Correo electrónico').fill(address);
    await form.getByLabel('Contraseña').fill('not-the-password');
    const answer = page.waitForResponse(/rpc\/auth\/signIn/);
    await form.getByRole('button').click();
    expect((await answer).status()).toBe(401);
    await expectNotice(page, 'Error de inicio de sesión', 'El correo o la contraseña no son correctos.');
    await expect(notice(page)).toHaveAttribute('data-type', 'error');
  }
});

test('a failure of the server at sign-in is reported [ERR-03]', async ({ page, pageErrors }) => {
  pageErrors.expectStatus(500);
  await visit(page, '/auth');
  await page.route('**/rpc/auth/signIn*', (route) =>
    route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500 } } }),
  );
  const form = signInForm(page);
  await form.getByLabel('Correo electrónico').fill('ana@florka.test');
  await form.getByLabel('Contraseña').fill('una-clave-larga');
  await form.getByRole('button').click();
  await expectNotice(page, 'Error inesperado', 'Algo ha fallado. Inténtalo de nuevo.');
});

test('a visitor signs up with a moderator request, and sees the form busy meanwhile [AUTH-08] [AUTH-10] [AUTH-18] [ERR-09]', async ({
  page,
}) => {
  const form = await openSignUp(page);
  const release = await hold(page, 'auth/signUp');
  await form.getByLabel('Correo electrónico').fill(`marta-${Date.now()}@florka.test`);
  await form.getByLabel('Contraseña').fill('kzu4ra');
  await form.getByRole('checkbox').check();
  await form.getByRole('button').click();
  await expect(form.getByRole('button')).toHaveText('Registrando...');
  release();
  await expectNotice(page, '¡Registro exitoso!', 'Tu cuenta ha sido creada. Ya puedes acceder al foro.');
  await expect(page).toHaveURL('/');
  expect(await (await page.request.get('/api/me')).json()).toMatchObject({
    role: 'user',
    moderatorRequestStatus: 'pending',
    // The name that the form suggested.
    username: expect.stringMatching(/^user_marta-\d+_[0-9a-z]{4}$/),
  });
});

test('a short password and a taken username are refused beside the field and in a notice [AUTH-07] [ERR-04] [AMB-151..152]', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  const elsewhere = await otherBrowser(browser);
  const { username } = await signUp(elsewhere.request, { username: `Nombre ${Date.now() % 1e6}` });
  await elsewhere.close();
  const form = await openSignUp(page);
  const password = form.getByLabel('Contraseña');
  await form.getByLabel('Correo electrónico').fill(`short-${Date.now()}@florka.test`);
  await password.fill('12345');
  await form.getByRole('button').click();
  await expectNotice(page, 'Error de registro', 'La contraseña debe tener al menos 6 caracteres.');
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expect(password).toBeFocused();
  await password.fill('kzu4ra');
  await form.getByLabel('Nombre de usuario').fill(username.toUpperCase());
  await form.getByRole('button').click();
  await expectNotice(page, 'Error de registro', 'Ese nombre de usuario ya está en uso. Elige otro.');
  await expect(form.getByLabel('Nombre de usuario')).toBeFocused();
  await expect(page).toHaveURL('/auth');
});

test('a member sees the two linking forms, which refuse what is not theirs and link what is [AUTH-11..14] [AUTH-20] [ERR-06..07] [ERR-11] [AMB-147] [AMB-150]', async ({
  page,
  database,
  pageErrors,
}) => {
  pageErrors.expectStatus(403);
  const { email } = await signUp(page.request);
  await visit(page, '/auth');
  await expect(page.getByRole('heading', { name: 'Vincular Perfil Existente' })).toHaveCount(2);
  const admin = page.getByRole('form', { name: /Administrador$/ });
  const forum = page.getByRole('form', { name: /Usuario del Foro$/ });
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/rpc/auth/link')) requests++;
  });
  await admin.getByRole('button').click();
  await forum.getByRole('button').click();
  await admin.getByRole('textbox').fill(email);
  await admin.getByRole('button').click();
  await expectNotice(page, 'Error vinculando perfil de admin');
  await forum.getByRole('textbox').fill('11111111-1111-4111-8111-111111111111');
  await forum.getByRole('button').click();
  await expectNotice(page, 'Error vinculando perfil del foro');
  expect(requests).toBe(2);
  await expect(page).toHaveURL('/auth');

  // A profile of the earlier site with this address.
  await database.query('update users set email_verified = true where email = $1', [email]);
  const { rows } = await database.query<{ id: string }>(
    `insert into forum_users (username, wallet_address, migration_status, legacy_email)
     values ($1, $1, 'pending', $2) returning id`,
    [`vieja-${Date.now()}`, email],
  );
  await forum.getByRole('textbox').fill(rows[0]?.id ?? '');
  await forum.getByRole('button').click();
  await expectNotice(page, '¡Perfil vinculado!');
  await expect(page).toHaveURL('/forum');

  // And an invitation to be an admin.
  await database.query('insert into admin_users (email) values ($1)', [email]);
  await visit(page, '/auth');
  await admin.getByRole('textbox').fill(email);
  await admin.getByRole('button').click();
  await expect(page).toHaveURL('/admin');
  // The notice is still visible in the layout of the back office.
  await expectNotice(page, '¡Perfil vinculado!');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('a link request without a session is refused as unauthenticated [AUTH-21]', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expectStatus(401);
  await signUp(page.request);
  await visit(page, '/auth');
  const admin = page.getByRole('form', { name: /Administrador$/ });
  await admin.getByRole('textbox').fill('ana@florka.test');
  await keepBelieving(page);
  await context.clearCookies();
  await admin.getByRole('button').click();
  await expectNotice(page, 'Error vinculando perfil de admin', 'No hay usuario autenticado');
});

test('a vote after the end of the session is refused with the reason [ERR-38] [AMB-116]', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expectStatus(401);
  await signUp(page.request);
  await visit(page, '/vote');
  const vote = page
    .getByRole('main')
    .getByRole('button', { name: /^Votar por/ })
    .first();
  await expect(page.getByText(/Sesión iniciada como/)).toBeVisible();
  await keepBelieving(page);
  await context.clearCookies();
  await vote.click();
  await expectNotice(page, 'Error al votar', 'Debes estar autenticado para votar');
});

test('the sign-in form also works before its scripts are loaded, and puts no input into an address', async ({
  browser,
}) => {
  const context = await otherBrowser(browser);
  const person = await signUp(context.request);
  await context.clearCookies();
  const page = await context.newPage();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.route('**/assets/*.js', () => {});
  await page.goto('/auth', { waitUntil: 'commit' });
  const form = signInForm(page);
  const send = async (password: string) => {
    await form.getByLabel('Correo').fill(person.email);
    await form.getByLabel('Contraseña').fill(password);
    await form.getByRole('button', { name: 'Iniciar Sesión' }).click();
  };
  await send('not-this-one');
  await expect(page.getByRole('alert')).toHaveText('El correo o la contraseña no son correctos.');
  await expect(page).toHaveURL('/auth?failed=INVALID_CREDENTIALS');
  await send(person.password);
  await expect(page).toHaveURL('/');
  expect(await (await page.request.get('/api/me')).json()).toMatchObject({ id: person.id });
  expect(addresses.filter((address) => /password|correo|%40|@/.test(address))).toEqual([]);
  await context.close();
});

test('an e-mail typed for a code or a link is kept when the form changes', async ({ page }) => {
  await visit(page, '/auth');
  const byCode = page.getByRole('button', { name: 'Entrar con un código de un solo uso' });
  const typed = page.getByRole('tabpanel', { name: 'Iniciar Sesión' }).getByLabel('Correo electrónico');
  await byCode.click();
  await typed.fill('quien@florka.test');
  await page.getByRole('button', { name: 'Volver a la contraseña' }).click();
  await expect(signInForm(page).getByLabel('Correo electrónico')).toHaveValue('quien@florka.test');
  await byCode.click();
  await typed.fill('otra@florka.test');
  await page.getByRole('button', { name: 'Enviar código' }).click();
  await page.getByRole('button', { name: 'Pedir otro código' }).click();
  await expect(typed).toHaveValue('otra@florka.test');

  await visit(page, '/admin-login');
  const staff = page.getByRole('form').getByRole('textbox').first();
  await staff.fill('equipo@florka.test');
  await page.getByRole('button', { name: '¿Olvidaste tu contraseña?' }).click();
  await expect(staff).toHaveValue('equipo@florka.test');
  await staff.fill('otro@florka.test');
  await page.getByRole('button', { name: 'Volver a la contraseña' }).click();
  await expect(staff).toHaveValue('otro@florka.test');
});

test('setting the password of another account by its link keeps this browser signed in, and a refused password gets the focus', async ({
  page,
  browser,
  database,
  pageErrors,
}) => {
  pageErrors.expectStatus(400);
  const elsewhere = await otherBrowser(browser);
  const owner = await signUp(elsewhere.request);
  await elsewhere.close();
  const me = await signUp(page.request);
  const token = randomBytes(32).toString('base64url');
  await database.query(
    `insert into account_tokens (user_id, purpose, token_hash, email, expires_at)
     values ($1, 'reset_password', $2, $3, now() + interval '15 minutes')`,
    [owner.id, createHash('sha256').update(token).digest(), owner.email],
  );
  await visit(page, `/en/reset#token=${token}`);
  // The link works in the other language, too.
  await page.getByRole('link', { name: 'Español', exact: true }).click();
  const password = page.getByRole('textbox', { name: 'Contraseña nueva' });
  const save = page.getByRole('button', { name: 'Guardar contraseña' });
  await password.fill('12345678');
  await save.click();
  await expect(page.getByText('Es de las primeras que alguien probaría. Elige otra.')).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill('una-clave-nueva-y-larga');
  await save.click();
  await expect(page.getByRole('heading', { name: 'Contraseña cambiada' })).toBeVisible();
  await expect(page.getByRole('banner').getByText(me.email).filter({ visible: true })).toBeVisible();
});

test('a confirmation link that is used again shows that the e-mail is confirmed', async ({
  page,
  database,
  pageErrors,
}) => {
  pageErrors.expectStatus(400);
  const me = await signUp(page.request);
  const token = randomBytes(32).toString('base64url');
  await database.query(
    `insert into account_tokens (user_id, purpose, token_hash, email, expires_at)
     values ($1, 'verify_email', $2, $3, now() + interval '1 day')`,
    [me.id, createHash('sha256').update(token).digest(), me.email],
  );
  await visit(page, `/verify#token=${token}`);
  await expect(page.getByRole('heading', { name: 'Correo confirmado' })).toBeVisible();
  await page.goto('about:blank');
  await visit(page, `/verify#token=${token}`);
  await expect(page.getByRole('heading', { name: 'Este enlace ya no vale' })).toBeVisible();
  await expect(page.getByText(`${me.email} ya está confirmado en tu cuenta.`)).toBeVisible();
});

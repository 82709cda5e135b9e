import path from 'node:path';
import type { Locator } from '@playwright/test';
import { TOTP } from 'otpauth';
import { PNG } from './images.ts';
import { mailTo } from './mails.ts';
import {
  expect,
  expectNotice,
  loseAnswers,
  notice,
  otherBrowser,
  rankingOf,
  rowOf,
  signInAsAdmin,
  test,
  visit,
  votesOf,
} from './support.ts';
import { fill, goToPayment, next, saved, wizardScenarios } from './wizard.ts';

wizardScenarios();
test.beforeEach(({ pageErrors }) => {
  pageErrors.expectLoss('ERR_CONNECTION_RESET');
  pageErrors.expectStatus(400, 401, 403, 409, 410);
});

test('a vote and its withdrawal are shown as stored if their answers are lost', async ({ page, context, member }) => {
  await member(context);
  const name = (await rankingOf(page.request))[2]?.tokenName ?? '';
  await visit(page, '/vote');
  const row = rowOf(page, name);
  const vote = row.getByRole('button', { name: `Votar por ${name}` });
  const voted = row.getByRole('button', { name: `Ya has votado por ${name} hoy` });
  await expect(vote).toBeVisible();
  await loseAnswers(page, 'voting/cast');
  await vote.click();
  await expectNotice(page, '¡Voto registrado!');
  await expect(voted).toBeVisible();
  const counted = await votesOf(page, name).innerText();
  await loseAnswers(page, 'voting/withdraw');
  await row.getByRole('button', { name: `Eliminar voto por ${name}` }).click();
  await expectNotice(page, 'Voto eliminado');
  await expect(vote).toBeVisible();
  await expect(votesOf(page, name)).not.toHaveText(counted);

  // The second response is lost too: the notice follows the server's state.
  await loseAnswers(page, 'voting/cast', 2);
  await vote.click();
  await expectNotice(page, '¡Voto registrado!');
  await expect(voted).toBeVisible();
  await expect(votesOf(page, name)).toHaveText(counted);
});

test('a post and a comment are published once and leave an empty form if their answers are lost', async ({
  page,
  context,
  member,
  database,
}) => {
  const me = await member(context);
  const title = `Sin respuesta ${me.username}`;
  const count = async (table: 'forum_posts' | 'forum_comments', content: string) =>
    (await database.query(`select 1 from ${table} where content = $1`, [content])).rowCount;
  await visit(page, '/forum');
  await page.getByLabel('Título').fill(title);
  await page.getByLabel('Contenido').fill(`Texto de ${title}`);
  // Both responses of the first click are lost: the second click reads the stored state.
  await loseAnswers(page, 'forum/create', 2);
  await page.getByRole('button', { name: 'Publicar Post' }).click();
  await expectNotice(page, 'Error al crear post');
  await page.getByRole('button', { name: 'Publicar Post' }).click();
  await expectNotice(page, '¡Post creado!');
  await expect(page.getByLabel('Título')).toHaveValue('');
  const post = page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) });
  await expect(post).toBeVisible();
  expect(await count('forum_posts', `Texto de ${title}`)).toBe(1);

  await post.getByRole('button', { name: `Comentar «${title}»` }).click();
  const box = post.getByRole('textbox');
  await box.fill(`Comentario de ${title}`);
  await loseAnswers(page, 'forum/comment');
  await box.press('Control+Enter');
  await expectNotice(page, 'Comment posted!');
  await expect(box).toHaveValue('');
  await expect(post.getByText(`Comentario de ${title}`)).toHaveCount(1);
  expect(await count('forum_comments', `Comentario de ${title}`)).toBe(1);

  await loseAnswers(page, 'forum/react');
  const heart = post.getByRole('button', { name: /^Me encanta/ });
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await expect
    .poll(async () => (await database.query('select 1 from post_reactions where user_id = $1', [me.id])).rowCount)
    .toBe(1);
  await expect(notice(page).filter({ hasText: 'Action Failed' })).toHaveCount(0);
});

test('a sign-up and a change of password are completed if their answers are lost', async ({ page, browser }) => {
  const email = `lost-${Date.now().toString(36)}@florka.test`;
  await visit(page, '/auth');
  await page.getByRole('tab', { name: 'Registrarse' }).click();
  const form = page.getByRole('form', { name: 'Registrarse' });
  await form.getByLabel('Correo electrónico').fill(email);
  await form.getByLabel('Contraseña').fill('a-good-password');
  await loseAnswers(page, 'auth/signUp');
  await form.getByRole('button', { name: 'Registrarse' }).click();
  await expectNotice(page, '¡Registro exitoso!');
  await expect(page).toHaveURL(/\/$/);

  await visit(page, '/account');
  const change = page.getByRole('form', { name: 'Contraseña', exact: true });
  await change.getByLabel('Contraseña actual').fill('a-good-password');
  await change.getByLabel('Contraseña nueva').fill('another-good-password');
  await loseAnswers(page, 'account/changePassword');
  await change.getByRole('button', { name: 'Cambiar contraseña' }).click();
  await expectNotice(page, 'Contraseña cambiada');
  await expect(page.getByText(email, { exact: true })).toBeVisible();
  const elsewhere = await otherBrowser(browser);
  const signIn = await elsewhere.request.post('/api/auth/sign-in', {
    data: { email, password: 'another-good-password' },
  });
  expect(signIn.status()).toBe(200);
  await elsewhere.close();
});

test('a second factor is not shown as off, nor its codes as saved, if the answer is lost', async ({
  page,
  browser,
  context,
  member,
  database,
}) => {
  const me = await member(context);
  await database.query('update users set email_verified = true where id = $1', [me.id]);
  await visit(page, '/account');
  const form = page.getByRole('form', { name: 'Verificación en dos pasos' });
  await form.getByLabel('Tu contraseña').fill(me.password);
  await form.getByRole('button', { name: 'Activar' }).click();
  const secret = (label: string | null) => /[A-Z2-7]{32}/.exec(label ?? '')?.[0] ?? '';
  const copy: Locator = form.getByRole('button', { name: /Copiar la clave/ });
  const code = new TOTP({ secret: secret(await copy.getAttribute('aria-label')) || secret(await copy.textContent()) });
  await form.getByLabel('Código de 6 cifras').fill(code.generate());
  await loseAnswers(page, 'account/confirmSecondFactor');
  await form.getByRole('button', { name: 'Confirmar' }).click();
  // The session's new token was in that answer: after a new sign-in the page shows the stored state.
  await expect(notice(page)).toContainText('Puede que la verificación ya esté activada');
  await expect(page.getByRole('heading', { name: 'Inicia sesión para ver tu cuenta' })).toBeVisible();
  const elsewhere = await otherBrowser(browser);
  const data = { email: me.email, password: me.password };
  const signIn = await elsewhere.request.post('/api/auth/sign-in', { data });
  expect(await signIn.json()).toMatchObject({ code: 'SECOND_FACTOR_NEEDED' });
  await elsewhere.close();
});

test('a deleted account is reported as deleted if the answer is lost', async ({ page, context, member, database }) => {
  const me = await member(context);
  await visit(page, '/account');
  await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Tu contraseña').fill(me.password);
  await loseAnswers(page, 'account/remove');
  await dialog.getByRole('button', { name: 'Eliminar para siempre' }).click();
  await expectNotice(page, 'Cuenta eliminada');
  expect((await database.query('select 1 from users where id = $1', [me.id])).rowCount).toBe(0);
});

test('a created payment is shown and not reported as failed if the answer is lost', async ({ page }) => {
  await visit(page, '/create');
  await fill(page);
  await goToPayment(page);
  await loseAnswers(page, 'tokenRequests/pay', 2);
  await page.getByRole('button', { name: 'Crear pago' }).click();
  await expect(page.getByText('Esperando pago', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /Abrir la página de pago/ })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Payment Creation Failed' })).toHaveCount(0);
});

test('a new draft is stored only once if the answer is lost', async ({ page, database }) => {
  await visit(page, '/create');
  const name = await fill(page);
  await loseAnswers(page, 'tokenRequests/create', 2);
  await next(page).click();
  await saved(page);
  const drafts = await database.query(
    "select 1 from token_creation_submissions where token_data ->> 'tokenName' = $1",
    [name],
  );
  expect(drafts.rowCount).toBe(1);
});

test('a saved token and a sign-out are shown as stored if their answers are lost', async ({
  page,
  context,
  member,
  database,
}) => {
  const me = await member(context);
  const { tokenSlug } = (await rankingOf(page.request))[0] ?? {};
  await visit(page, `/token/${tokenSlug}/candidate`);
  const save = page.getByRole('main').getByRole('button', { name: /^Guardar/ });
  await expect(save).toHaveAttribute('aria-pressed', 'false');
  await loseAnswers(page, 'saved/set');
  await save.click();
  await expect
    .poll(async () => (await database.query('select 1 from saved_tokens where user_id = $1', [me.id])).rowCount)
    .toBe(1);
  await expect(page.getByRole('main').locator('[aria-pressed="true"]').first()).toBeVisible();
  await expect(notice(page).filter({ hasText: 'Error' })).toHaveCount(0);

  await loseAnswers(page, 'auth/signOut');
  await page.getByRole('banner').getByRole('button', { name: 'Salir' }).click();
  await expectNotice(page, 'Sesión cerrada');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeVisible();
});

test('a confirmed e-mail and a new password are not reported as refused if their answers are lost', async ({
  page,
  context,
  member,
  site,
}) => {
  const me = await member(context);
  const pathIn = (mail: string) => /\/(?:verify|reset)#token=[\w-]+/.exec(mail)?.[0] ?? '';
  const confirm = pathIn(await mailTo(path.join(site.data, 'outbox'), me.email, /Confirma tu correo/));
  await loseAnswers(page, 'account/verifyEmail');
  await visit(page, confirm);
  await expect(page.getByRole('heading', { name: 'Puede que tu correo ya esté confirmado' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Ir a mi cuenta' }).click();
  await expect(page.getByRole('heading', { name: 'Inicia sesión para ver tu cuenta' })).toBeVisible();

  await page.request.post('/api/auth/password-reset', { data: { email: me.email, locale: 'es' } });
  const reset = pathIn(await mailTo(path.join(site.data, 'outbox'), me.email, /contraseña/));
  await visit(page, reset);
  await page.getByRole('textbox', { name: 'Contraseña nueva' }).fill('chosen-without-an-answer');
  await loseAnswers(page, 'account/resetPassword');
  await page.getByRole('button', { name: 'Guardar contraseña' }).click();
  await expect(page.getByRole('heading', { name: 'Puede que tu contraseña ya esté cambiada' })).toBeVisible();
  const data = { email: me.email, password: 'chosen-without-an-answer' };
  expect((await page.request.post('/api/auth/sign-in', { data })).status()).toBe(200);
  await visit(page, '/account');
  await expect(page.getByRole('region', { name: 'Correo', exact: true }).getByText('Verificado')).toBeVisible();
});

test('a requested mail is not reported as failed if the answer is lost', async ({ page, context, member }) => {
  await member(context);
  await visit(page, '/account');
  const mayHaveGone = async () => {
    await expectNotice(
      page,
      'No ha llegado la respuesta',
      'Puede que el correo ya vaya de camino: mira tu buzón antes de pedir otro.',
    );
    await expect(notice(page).filter({ hasText: 'No se pudo' })).toHaveCount(0);
  };
  await loseAnswers(page, 'account/sendVerification');
  await page.getByRole('button', { name: 'Enviar confirmación' }).click();
  await mayHaveGone();
  await loseAnswers(page, 'account/requestPasswordReset');
  await page.getByRole('button', { name: /Enviarme un enlace/ }).click();
  await mayHaveGone();
});

test('a requested change of the e-mail is reported as requested if the answer is lost', async ({
  page,
  context,
  member,
}) => {
  const me = await member(context);
  await visit(page, '/account');
  const next = `next-${me.username}@florka.test`;
  const change = page.getByRole('form', { name: 'Cambiar correo' });
  await change.getByLabel('Correo nuevo').fill(next);
  await change.getByLabel('Tu contraseña').fill(me.password);
  await loseAnswers(page, 'account/changeEmail');
  await change.getByRole('button', { name: 'Enviar enlace' }).click();
  await expectNotice(page, 'Enlace enviado');
  await expect(page.getByText(`Falta confirmar ${next}`)).toBeVisible();
});

test('an action of the back office is not reported as failed if the answer is lost', async ({ page, database }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/networks');
  const form = page.getByRole('form', { name: 'Nueva red' });
  await form.getByLabel('Nombre').fill('Lapacho');
  await form.getByLabel('Símbolo').fill('LAP');
  await loseAnswers(page, 'admin/networks/create');
  await form.getByRole('button', { name: 'Crear' }).click();
  const unanswered = [
    'No ha llegado la respuesta',
    'Puede que se haya hecho: compruébalo antes de repetirlo.',
  ] as const;
  await expectNotice(page, ...unanswered);
  expect((await database.query("select 1 from blockchain_networks where symbol = 'LAP'")).rowCount).toBe(1);

  // An action of one click: its list is read again and displays the stored state.
  await page.reload();
  await loseAnswers(page, 'admin/networks/update');
  await page.getByRole('button', { name: 'Desactivar Lapacho' }).click();
  await expectNotice(page, ...unanswered);
  await expect
    .poll(async () => (await database.query("select is_active from blockchain_networks where symbol = 'LAP'")).rows[0])
    .toMatchObject({ is_active: false });
});

test('a linked old profile and a replaced order link are reported as done if their answers are lost', async ({
  page,
  context,
  member,
  database,
}) => {
  const me = await member(context);
  await database.query('update users set email_verified = true where id = $1', [me.id]);
  const { rows } = await database.query<{ id: string }>(
    `insert into forum_users (username, wallet_address, migration_status, legacy_email)
     values ($1, 'wallet-' || $1, 'pending', $2) returning id`,
    [`Titiritera ${me.username}`, me.email],
  );
  await visit(page, '/auth');
  const form = page.getByRole('form', { name: /Vincular Perfil Existente/ }).last();
  await form.getByRole('textbox').fill(rows[0]?.id ?? '');
  await loseAnswers(page, 'auth/linkForumUser');
  await form.getByRole('button').click();
  await expectNotice(page, '¡Perfil vinculado!');
  await expect(page).toHaveURL(/\/forum$/);

  await visit(page, '/create');
  await fill(page);
  await goToPayment(page);
  await page.getByRole('button', { name: 'Crear pago' }).click();
  await page.getByRole('link', { name: 'Ver el pedido' }).first().click();
  await page.getByRole('button', { name: 'Cambiar el enlace' }).click();
  await loseAnswers(page, 'tokenRequests/replaceLink');
  await page.getByRole('dialog').getByRole('button', { name: 'Cambiarlo' }).click();
  await expectNotice(page, 'Enlace cambiado');
  await expect(page.getByText('Se cambió por otro. El nuevo está en el último correo del pedido.')).toBeVisible();
});

test('an uploaded image is in the form if one answer is lost, and otherwise has to be uploaded again, without a reported failure', async ({
  page,
  context,
  member,
}) => {
  await member(context);
  await visit(page, '/forum');
  const form = page.getByRole('form', { name: 'Crear Nuevo Post' });
  await form.getByLabel('Título').fill('Con imagen');
  await form.getByRole('button', { name: 'Categoría, etiquetas, imágenes' }).click();
  const loseUploads = (times: number) =>
    page.route(
      '**/uploads?*',
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times },
    );
  const pick = () =>
    form.locator('input[type=file]').first().setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
  await loseUploads(2);
  await pick();
  await expectNotice(page, 'No ha llegado la respuesta', 'La imagen no está en el formulario: súbela otra vez.');
  await expect(form.getByText('La imagen no está en el formulario: súbela otra vez.')).toBeVisible();
  await loseUploads(1);
  await pick();
  await expectNotice(page, 'Imagen subida exitosamente');
  await expect(form.getByLabel('Qué muestra la imagen')).toBeVisible();
  await loseAnswers(page, 'media/remove', 2);
  await form.getByRole('button', { name: 'Quitar imagen' }).click();
  await expect(form.getByLabel('Qué muestra la imagen')).toHaveCount(0);
  await expect(notice(page).filter({ hasText: 'Error al eliminar imagen' })).toHaveCount(0);
});

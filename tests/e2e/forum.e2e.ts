import type { BrowserContext, Locator, Page } from '@playwright/test';
import type pg from 'pg';
import {
  a11yViolations,
  expect,
  expectNotice,
  listening,
  notice,
  otherBrowser,
  type Person,
  signUp,
  test,
  visit,
  watch,
} from './support.ts';

// Two screens and long scenarios.
test.describe.configure({ timeout: 120_000 });

let database: pg.Client;
test.beforeAll(async ({ site }) => {
  database = await site.database();
});
test.afterAll(() => database.end());

let serial = 0;
const words = () => `Prueba ${Date.now().toString(36)}${++serial}`;

/** Signs somebody up in a browser; not new any more, so that the longer pauses of the first day are over. */
async function member(context: BrowserContext, role: 'user' | 'moderator' = 'user'): Promise<Person> {
  const person = await signUp(context.request);
  await database.query(`update users set created_at = now() - interval '2 days' where id = $1`, [person.id]);
  await database.query('update user_roles set role = $2 where user_id = $1', [person.id, role]);
  return person;
}
/** A post as it is in the database, without the author's pauses; screens are told. */
async function seed(author: Person, over: { title?: string; content?: string; ago?: string; notify?: boolean } = {}) {
  const { rows } = await database.query<{ id: string }>(
    `insert into forum_posts (title, content, forum_user_id, created_at)
     values ($1, $2, (select id from forum_users where new_auth_user_id = $3), now() - $4::interval) returning id`,
    [over.title ?? words(), over.content ?? 'Palabras.', author.id, over.ago ?? '0 s'],
  );
  const postId = rows[0]?.id ?? '';
  if (over.notify !== false)
    await database.query(`select pg_notify('live', $1)`, [JSON.stringify({ type: 'post.created', postId })]);
  return postId;
}
const note = (page: Page, title: string): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const reaction = (post: Locator, name: string) => post.getByRole('button', { name: new RegExp(`^${name}: `) });
const sendButton = (post: Locator) => post.getByRole('button', { name: 'Comentar', exact: true });
/** Opens the box for a comment, which is not there before. */
async function commentBox(post: Locator): Promise<Locator> {
  const box = post.getByRole('textbox');
  await expect(box).toHaveCount(0);
  await post.getByRole('button', { name: /^Comentar «/ }).click();
  await expect(box).toBeFocused();
  return box;
}
const newPost = (page: Page) => page.getByRole('form', { name: 'Crear Nuevo Post' });
const panel = (page: Page) => page.getByRole('region', { name: 'Usuarios en línea ahora' });
const dialog = (page: Page) => page.getByRole('alertdialog');
/** What a moderator says of a text that somebody else wrote. */
async function sayWhy(page: Page) {
  await dialog(page).getByLabel('Norma').selectOption('spam');
  await dialog(page).getByLabel('Motivo').fill('Publicidad');
}
async function open(page: Page, path = '/forum') {
  await visit(page, path);
  await listening(page);
}
async function write(page: Page, title: string, content: string) {
  await newPost(page).getByLabel('Título').fill(title);
  await newPost(page).getByLabel('Contenido').fill(content);
}

test('visitors read everything and are asked in [FORUM-01] [FORUM-03] [FORUM-09..12] [FORUM-33..34] [SEC-01] [SEC-03] [AMB-133] [AMB-140]', async ({
  page,
  request,
}) => {
  const document = await (await request.get('/forum')).text();
  const { items } = (await (await request.get('/api/forum/posts')).json()) as { items: { title: string }[] };
  for (const { title } of items.slice(0, 5)) expect(document).toContain(title.replaceAll('"', '&quot;'));
  expect(document).not.toMatch(/@(florka\.test|demo\.florka)/);
  await open(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Foro de la Comunidad');
  await expect(page.getByRole('main').getByRole('link', { name: 'Iniciar sesión', exact: true })).toHaveAttribute(
    'href',
    '/auth',
  );
  const first = note(page, items[0]?.title ?? '');
  await expect(first.getByRole('link', { name: 'Inicia sesión para comentar o reaccionar' })).toHaveAttribute(
    'href',
    '/auth',
  );
  await expect(first.locator('time').first()).toHaveAttribute('title', /UTC|GMT|hora/);
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  await expect(page.locator('[aria-pressed]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Eliminar|Editar/ })).toHaveCount(0);
  await expect(page.getByText('Tu estado')).toHaveCount(0);
  await expect(panel(page)).toHaveCSS('max-height', '256px');
  await expect(panel(page)).toHaveCSS('overflow-y', 'auto');
});

test('two browsers: post, pill, comment, react, edit, delete, moderate, all of it live [FORUM-04..08] [FORUM-11..20] [FORUM-28] [FORUM-30] [FORUM-47..48] [ERR-25] [ERR-28] [ERR-30] [ERR-32] [SEC-04..05] [SEC-07..08] [AMB-139]', async ({
  page,
  context,
  browser,
}) => {
  test.setTimeout(180_000);
  const ana = await member(context);
  const there = await otherBrowser(browser);
  const thereErrors = watch(there);
  await member(there);
  const screen = await there.newPage();
  await open(screen);
  await open(page);

  // Ana writes; her own note is there at once, elsewhere nothing moves and a pill says so.
  const title = words();
  const publish = newPost(page).getByRole('button', { name: 'Publicar Post' });
  await expect(publish).toBeDisabled();
  await write(page, title, ' ');
  await expect(publish).toBeDisabled();
  await write(page, ' ', 'Hola, feria.');
  await expect(publish).toBeDisabled();
  await write(page, title, 'Hola, feria.');
  await expect(publish).toBeEnabled();
  await expect(newPost(page).getByText('12/2000 caracteres')).toBeVisible();
  let release = () => {};
  await page.route('**/rpc/forum/create', async (route) => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await route.continue();
  });
  const topBefore = await screen.locator('#posts article').first().boundingBox();
  await newPost(page).locator('button[type=submit]').click();
  await expect(newPost(page).locator('button[type=submit]')).toHaveText('Publicando...');
  await expect(newPost(page).locator('button[type=submit]')).toBeDisabled();
  release();
  await expectNotice(page, '¡Post creado!');
  await expect(page.locator('#posts article').first()).toContainText(title);
  await expect(page.getByRole('button', { name: /nueva/ })).toHaveCount(0);
  await expect(newPost(page).getByLabel('Título')).toHaveValue('');

  const pill = screen.getByRole('button', { name: '1 nueva' });
  await expect(pill).toBeVisible();
  await expect(note(screen, title)).toHaveCount(0);
  expect(await screen.locator('#posts article').first().boundingBox()).toEqual(topBefore);
  await pill.click();
  await expect(note(screen, title)).toBeVisible();
  await expect(pill).toHaveCount(0);
  await expect(note(screen, title)).toContainText(ana.username);
  await expect(note(screen, title)).toContainText(ana.id.slice(0, 8));
  await expect(note(screen, title).getByRole('button', { name: /Eliminar|Editar/ })).toHaveCount(0);

  // Elsewhere somebody reacts and comments; Ana sees it without doing anything.
  await expect(note(screen, title).locator('[aria-pressed]')).toHaveText([/👍/, /❤/, /😂/, /😮/, /😢/, /😠/]);
  await reaction(note(screen, title), 'Me gusta').click();
  await expect(reaction(note(screen, title), 'Me gusta')).toHaveAttribute('aria-pressed', 'true');
  await expect(reaction(note(page, title), 'Me gusta')).toHaveAccessibleName('Me gusta: 1');
  await expect(reaction(note(page, title), 'Me gusta')).toHaveAttribute('aria-pressed', 'false');
  const box = await commentBox(note(screen, title));
  await expect(box).toHaveAttribute('rows', '3');
  expect(
    await box.evaluate((area) => area.clientHeight / Number.parseFloat(getComputedStyle(area).lineHeight)),
  ).toBeGreaterThan(3);
  await expect(sendButton(note(screen, title))).toBeDisabled();
  await box.fill('   ');
  await expect(sendButton(note(screen, title))).toBeDisabled();
  await box.fill('Un comentario');
  await sendButton(note(screen, title)).click();
  await expectNotice(screen, 'Comment posted!', 'Your comment was added successfully');
  await expect(box).toHaveValue('');
  await expect(note(page, title)).toContainText('Un comentario');
  await expect(note(page, title)).toContainText('1 comentario');

  // Ana edits her note; it changes elsewhere in its place.
  await note(page, title).getByRole('button', { name: 'Editar el post' }).click();
  await expect(page.locator('#posts').getByLabel('Título')).toBeFocused();
  await page.locator('#posts').getByLabel('Contenido').fill('Hola, feria. Editado.');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(note(screen, title)).toContainText('Hola, feria. Editado.');
  await expect(note(screen, title)).toContainText('editado');

  // The other one takes the comment back: its place stays.
  await note(screen, title).getByRole('button', { name: 'Eliminar el comentario' }).click();
  await expect(dialog(screen)).toContainText('¿Estás seguro que deseas eliminar este comentario?');
  await expect(dialog(screen).getByRole('button', { name: 'Cancelar' })).toBeFocused();
  await screen.keyboard.press('Escape');
  await expect(dialog(screen)).toHaveCount(0);
  await note(screen, title).getByRole('button', { name: 'Eliminar el comentario' }).click();
  await dialog(screen).getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(screen, 'Comentario eliminado');
  await expect(screen.locator('#posts')).toBeFocused();
  await expect(note(page, title)).toContainText('Eliminado por su autor');
  await expect(note(page, title)).not.toContainText('Un comentario');
  await expect(note(page, title)).not.toContainText('Sin comentarios todavía');

  // A moderator takes the note away, everywhere.
  const office = await otherBrowser(browser);
  await member(office, 'moderator');
  const desktop = await office.newPage();
  await open(desktop);
  await expect(desktop.getByText('Moderador', { exact: true })).toBeVisible();
  await note(desktop, title).getByRole('button', { name: 'Eliminar el post' }).click();
  await expect(dialog(desktop)).toContainText('Are you sure you want to delete this post?');
  await sayWhy(desktop);
  await dialog(desktop).getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(desktop, 'Post Deleted');
  await expect(desktop.locator('#posts')).toBeFocused();
  for (const each of [desktop, page, screen]) await expect(note(each, title)).toHaveCount(0);
  expect(thereErrors.seen).toEqual([]);
  await there.close();
  await office.close();
});

test('a moderator without a second factor reads why an act is closed, and where to set it up', async ({
  page,
  context,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(403);
  const there = await otherBrowser(browser);
  const title = words();
  await seed(await member(there), { title });
  await member(context, 'moderator');
  await open(page);
  // The shared server asks no second factor of its staff.
  await page.route('**/rpc/forum/deletePost', (route) =>
    route.fulfill({ status: 403, json: { json: { code: 'SECOND_FACTOR_REQUIRED', status: 403 } } }),
  );
  await note(page, title).getByRole('button', { name: 'Eliminar el post' }).click();
  await sayWhy(page);
  await dialog(page).getByRole('button', { name: 'Eliminar' }).click();
  await expect(dialog(page)).toContainText('quien modera necesita la verificación en dos pasos');
  await expect(page.getByText('Delete Failed')).toHaveCount(0);
  expect(await a11yViolations(page, '[role=alertdialog]')).toEqual([]);
  await dialog(page).getByRole('link', { name: 'Activarla en mi cuenta' }).click();
  await expect(page.getByRole('heading', { name: 'Verificación en dos pasos' })).toBeVisible();
  await there.close();
});

test('what I read stays where it is: several posts wait, one of them deleted meanwhile is not counted', async ({
  page,
  browser,
}) => {
  const there = await otherBrowser(browser);
  const author = await member(there);
  await open(page);
  await page.locator('#posts article').nth(8).scrollIntoViewIfNeeded();
  const before = await page.locator('#posts article').nth(8).boundingBox();
  const titles = [words(), words(), words()];
  const ids = [];
  for (const title of titles) ids.push(await seed(author, { title }));
  await expect(page.getByRole('button', { name: '3 nuevas' })).toBeInViewport();
  expect((await there.request.delete(`/api/forum/posts/${ids[1]}`)).status()).toBe(200);
  await expect(page.getByRole('button', { name: '2 nuevas' })).toBeVisible();
  expect(await page.locator('#posts article').nth(8).boundingBox()).toEqual(before);
  await page.getByRole('button', { name: '2 nuevas' }).click();
  await expect(page.locator('#posts article').first()).toContainText(titles[2] ?? '');
  await expect(page.locator('#posts article').nth(1)).toContainText(titles[0] ?? '');
  await expect(page.locator('#posts')).toBeFocused();
  await there.close();
});

test('the stream breaks: what was missed waits behind the pill too', async ({ page, context, browser, pageErrors }) => {
  pageErrors.expectStatus(503);
  const there = await otherBrowser(browser);
  const author = await member(there);
  await open(page);
  const firstBefore = await page.locator('#posts article').first().getByRole('heading').first().textContent();
  await context.setOffline(true);
  await page.reload().catch(() => {});
  await context.setOffline(false);
  await open(page);
  await page.route('**/live', (route) => route.abort());
  await seed(author, { notify: false });
  // As after a gap: everything on screen is read again.
  await page.evaluate(() =>
    new BroadcastChannel('florka-live').postMessage({
      kind: 'sync',
      sync: { serverTime: new Date().toISOString(), changedAt: {} },
      first: false,
      fresh: false,
    }),
  );
  await expect(page.getByRole('button', { name: '1 nueva' })).toBeVisible();
  await expect(page.locator('#posts article').first()).toContainText(firstBefore ?? '');
  pageErrors.seen.splice(0);
  await there.close();
});

test('however fast somebody clicks, one request is on its way and the last wish stays [FORUM-47] [ERR-27]', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expectStatus(500);
  const title = words();
  await seed(await member(context), { title });
  await open(page);
  const sent: boolean[] = [];
  let release = () => {};
  let gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/rpc/forum/react', async (route) => {
    sent.push((route.request().postDataJSON() as { json: { on: boolean } }).json.on);
    await gate;
    await route.continue();
  });
  const love = reaction(note(page, title), 'Me encanta');
  for (let i = 0; i < 4; i++) await love.click();
  await expect(love).toHaveAttribute('aria-pressed', 'false');
  await expect(love).toHaveAccessibleName('Me encanta: 0');
  expect(sent).toEqual([true]);
  release();
  await expect.poll(() => sent).toEqual([true, false]);
  gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await expect
    .poll(() =>
      database
        .query('select 1 from post_reactions r join forum_posts p on p.id = r.post_id where p.title = $1', [title])
        .then(({ rowCount }) => rowCount),
    )
    .toBe(0);
  sent.length = 0;
  for (let i = 0; i < 5; i++) await love.click();
  const answered = page.waitForResponse('**/rpc/forum/react');
  release();
  await answered;
  await expect(love).toHaveAccessibleName('Me encanta: 1');
  // A request of the page's own, after which another reaction that the answer had caused would be known.
  await page.evaluate(() => fetch('/api/me'));
  expect(sent).toEqual([true]);
  await expect(love).toHaveAttribute('aria-pressed', 'true');

  // A failure puts the truth back.
  await page.unroute('**/rpc/forum/react');
  await page.route('**/rpc/forum/react', (route) =>
    route.fulfill({
      status: 500,
      json: { json: { defined: false, code: 'INTERNAL_SERVER_ERROR', status: 500, message: '' } },
    }),
  );
  await love.click();
  await expectNotice(page, 'Action Failed', 'Failed to update reaction. Please try again.');
  await expect(love).toHaveAttribute('aria-pressed', 'true');
  await expect(love).toHaveAccessibleName('Me encanta: 1');
});

test('a draft outlives failure, reload and an ended session [FORUM-25] [FORUM-29] [ERR-24] [ERR-26]', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expectStatus(400, 401, 500);
  const ana = await member(context);
  await open(page);
  const title = words();
  await write(page, title, 'Muchas palabras que nadie quiere perder');

  await page.route('**/rpc/forum/create', (route) =>
    route.fulfill({
      status: 500,
      json: { json: { defined: false, code: 'INTERNAL_SERVER_ERROR', status: 500, message: '' } },
    }),
  );
  await newPost(page).locator('button[type=submit]').click();
  await expectNotice(page, 'Error al crear post', 'No se pudo crear el post');
  await expect(newPost(page).getByLabel('Título')).toHaveValue(title);
  await page.unroute('**/rpc/forum/create');

  await Promise.all([page.waitForResponse('**/rpc/presence/connect'), page.reload()]);
  await expect(newPost(page).getByLabel('Título')).toHaveValue(title);

  // The session ends elsewhere; the server says so, the words stay.
  const cookies = await context.cookies();
  await context.clearCookies();
  await newPost(page).locator('button[type=submit]').click();
  await expectNotice(page, 'Error al crear post', 'Usuario no autenticado');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeVisible();
  await expect(newPost(page).getByLabel('Contenido')).toHaveValue(/nadie quiere perder/);
  await newPost(page).locator('button[type=submit]').click();
  await expectNotice(page, 'Error al crear post', 'Debes estar autenticado para crear posts');

  await context.addCookies(cookies);
  await newPost(page).getByRole('link').click();
  await open(page);
  await expect(newPost(page).getByLabel('Título')).toHaveValue(title);
  await newPost(page).getByLabel('Contenido').press('Control+Enter');
  await expectNotice(page, '¡Post creado!');
  await page.reload();
  await expect(newPost(page).getByLabel('Título')).toHaveValue('');
  await expect(note(page, title)).toContainText(ana.username);

  // Nothing to read is no post, whatever the browser thinks of it.
  await write(page, '\u200b\u200b', 'x');
  await newPost(page).getByLabel('Contenido').press('Control+Enter');
  await expectNotice(page, 'Error al crear post', 'Por favor completa todos los campos');
});

test('every failure has its words [FORUM-24] [ERR-24] [ERR-29] [ERR-31] [ERR-33] [AMB-135]', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expectStatus(500, 429);
  const title = words();
  const ana = await member(context);
  const id = await seed(ana, { title });
  await database.query(`insert into forum_comments (post_id, user_id, content) values ($1, $2, 'mío')`, [id, ana.id]);
  await database.query('update forum_posts set comment_count = 1 where id = $1', [id]);
  await open(page);
  const fail = {
    status: 500,
    json: { json: { defined: false, code: 'INTERNAL_SERVER_ERROR', status: 500, message: '' } },
  };
  for (const name of ['create', 'comment', 'deletePost', 'deleteComment'])
    await page.route(`**/rpc/forum/${name}`, (route) => route.fulfill(fail));

  await (await commentBox(note(page, title))).fill('Algo');
  await sendButton(note(page, title)).click();
  await expectNotice(page, 'Error al comentar', 'No se pudo publicar el comentario. Inténtalo de nuevo.');
  await expect(note(page, title).getByRole('textbox')).toHaveValue('Algo');

  await note(page, title).getByRole('button', { name: 'Eliminar el comentario' }).click();
  await dialog(page).getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(page, 'Error al eliminar');
  await expect(note(page, title)).toContainText('mío');

  await note(page, title).getByRole('button', { name: 'Eliminar el post' }).click();
  await dialog(page).getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(page, 'Delete Failed', 'Failed to delete the post. Please try again.');
  await expect(note(page, title)).toBeVisible();

  await write(page, words(), 'x');
  await newPost(page).locator('button[type=submit]').click();
  await expectNotice(page, 'Error al crear post');
  await page.unroute('**/rpc/forum/create');
  await newPost(page).locator('button[type=submit]').click();
  await expectNotice(page, '¡Post creado!');
  await write(page, words(), 'x');
  await newPost(page).locator('button[type=submit]').click();
  await expect(notice(page)).toContainText(/Vuelve a intentarlo dentro de \d{1,2} segundos/);

  await page.route('**/rpc/forum/posts', (route) => route.fulfill(fail));
  await page.getByRole('searchbox').fill('nada de nada');
  await page.getByRole('searchbox').press('Enter');
  await expect(page.getByRole('alert').getByText('Error loading posts. Please try again.')).toBeVisible({
    timeout: 15_000,
  });
  await page.unroute('**/rpc/forum/posts');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByText('Nada encontrado')).toBeVisible();
});

test('an empty board says so [FORUM-22..23]', async ({ page }) => {
  await page.route('**/rpc/forum/posts', (route) => route.fulfill({ json: { json: { items: [], nextCursor: null } } }));
  await visit(page, '/vote');
  await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Forum' }).click();
  await expect(page.getByRole('heading', { name: 'No Posts Yet' })).toBeVisible();
  await expect(page.getByText('Be the first to create a post in the forum!')).toBeVisible();
});

test('search finds posts and comments, lives in the address and is left again', async ({ page, context, request }) => {
  const ana = await member(context);
  const key = `zurriburri${Date.now().toString(36)}`;
  const title = words();
  await seed(ana, { title, content: `La ${key} única` });
  for (let i = 1; i <= 20; i++) await seed(ana, { ago: `${500 + i} days`, notify: false });
  await open(page);
  await page.getByRole('searchbox', { name: 'Buscar en el foro' }).fill(key.toUpperCase());
  await page.getByRole('searchbox').press('Enter');
  await expect(page).toHaveURL(`/forum?q=${key.toUpperCase()}`);
  await expect(page.locator('#posts article')).toHaveCount(1);
  await expect(note(page, title)).toBeVisible();
  expect(await (await request.get(`/forum?q=${key}`)).text()).toContain(title);
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue(key.toUpperCase());
  await expect(page.locator('#posts article')).toHaveCount(1);
  await page.getByRole('link', { name: 'Quitar la búsqueda' }).click();
  await expect(page).toHaveURL('/forum');
  await expect(page.locator('#posts > ol > li')).toHaveCount(20);
  await page.goBack();
  await expect(page.locator('#posts article')).toHaveCount(1);
  for (const q of ['%00', '%ED%A0%80', "'%20or%201=1--", '%3Cscript%3Ealert(1)%3C/script%3E', 'a'.repeat(300)])
    expect((await request.get(`/forum?q=${q}`)).status(), q).toBe(200);
});

test('more posts and more comments come on request, none twice; a comment of mine shows all before it [AMB-137]', async ({
  page,
  context,
}) => {
  const ana = await member(context);
  const title = words();
  const id = await seed(ana, { title });
  await database.query(
    `insert into forum_comments (post_id, user_id, content, created_at)
     select $1, $2, 'comentario número ' || i || '.', now() - interval '1 hour' + i * interval '1 second' from generate_series(1, 30) i`,
    [id, ana.id],
  );
  await database.query('update forum_posts set comment_count = 30 where id = $1', [id]);
  for (let i = 1; i <= 30; i++) await seed(ana, { ago: `${300 + i} days` });
  await open(page);
  const comments = note(page, title).locator('ol > li');
  await expect(comments).toHaveCount(3);
  await note(page, title).getByRole('button', { name: 'Ver más comentarios (27)' }).click();
  await expect(comments).toHaveCount(23);
  // A change elsewhere is patched in and leaves the opened comments open.
  await page.request.put(`/api/forum/posts/${id}/reactions/wow`, { data: { on: true } });
  await expect(reaction(note(page, title), 'Me sorprende')).toHaveAccessibleName('Me sorprende: 1');
  await expect(comments).toHaveCount(23);
  await (await commentBox(note(page, title))).fill('El último');
  await sendButton(note(page, title)).click();
  await expect(comments).toHaveCount(31);
  await expect(comments.last()).toContainText('El último');

  await expect(page.locator('#posts > ol > li')).toHaveCount(20);
  await page.getByRole('button', { name: 'Cargar más' }).click();
  await expect(page.locator('#posts > ol > li')).toHaveCount(40);
  const headings = await page.locator('#posts > ol > li > article > div > h2').allTextContents();
  expect(new Set(headings).size).toBe(headings.length);
  await expect(comments).toHaveCount(31);
});

test('the time for changes ends by the clock of the server [AMB-139]', async ({ page, context }) => {
  const title = words();
  await seed(await member(context), { title, ago: '14 minutes 15 seconds' });
  // A computer whose clock is an hour behind.
  await page.clock.install({ time: new Date(Date.now() - 3_600_000) });
  await open(page);
  const edit = note(page, title).getByRole('button', { name: 'Editar el post' });
  await expect(edit).toBeVisible();
  await page.clock.fastForward(60_000);
  await expect(edit).toHaveCount(0);
  await expect(note(page, title).getByRole('button', { name: 'Eliminar el post' })).toBeVisible();
});

test('the status card shows my own data and hears of a decision within seconds, only while it is pending [FORUM-02] [TIME-17] [AMB-37] [AMB-145]', async ({
  page,
  context,
}) => {
  const ana = await member(context);
  await database.query(
    `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`,
    [ana.id],
  );
  let asked = 0;
  await page.route('**/rpc/auth/me', (route) => {
    asked++;
    return route.continue();
  });
  await page.clock.install();
  await open(page);
  const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Tu estado' }) });
  for (const line of [
    ana.username,
    /isAdmin\s*No/,
    /isForumUser\s*Sí/,
    /Rol\s*Usuario/,
    /Solicitud de moderador\s*Pendiente/,
  ])
    await expect(card).toContainText(line);
  for (let i = 0; i < 2; i++) {
    const before = asked;
    await page.clock.runFor(5_100);
    await expect.poll(() => asked).toBeGreaterThan(before);
  }
  await database.query(
    `update user_roles set role = 'moderator', moderator_request_status = 'approved' where user_id = $1`,
    [ana.id],
  );
  await page.clock.runFor(5_100);
  await expect(card).toContainText(/Aprobada/);
  const after = asked;
  for (let i = 0; i < 4; i++) {
    await page.clock.runFor(5_100);
    await page.evaluate(() => fetch('/api/me'));
  }
  // Once at most, as every member asks from time to time.
  expect(asked - after).toBeLessThanOrEqual(1);
});

test('who is here shows from any page, and ends with sign-out and with the closed page [RT-03..06] [RT-13] [TIME-18] [AMB-142]', async ({
  page,
  browser,
}) => {
  await open(page);
  const there = await otherBrowser(browser);
  const ana = await member(there);
  const screen = await there.newPage();
  await visit(screen, '/vote');
  await expect(panel(page)).toContainText(ana.username);
  await expect(panel(page)).toContainText(ana.id.slice(0, 8));
  await expect(panel(page)).not.toContainText('@');
  // A page after the other: never gone in between for long, and gone when the last one closes.
  await Promise.all([screen.waitForResponse('**/rpc/presence/connect'), visit(screen, '/en/forum')]);
  await expect(panel(page)).toContainText(ana.username);
  await screen.close();
  await expect(panel(page)).not.toContainText(ana.username);
  const again = await there.newPage();
  await visit(again, '/');
  await expect(panel(page)).toContainText(ana.username);
  await again.getByRole('banner').getByRole('button', { name: 'Salir' }).click();
  await expect(panel(page)).not.toContainText(ana.username);
  await there.close();
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  '</script><script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  'javascript:alert(1) JaVaScRiPt:alert(1) data:text/html,<script>alert(1)</script> vbscript:msgbox(1)',
  'http://javascript:alert(1) https://a"onmouseover="alert(1) https://user:pass@evil.example/ http://[::1 https://',
  '[x](javascript:alert(1)) <a href="javascript:alert(1)">x</a>',
  '\u2028\u2029</title><style>*{display:none}</style>',
  `${'\u0300'.repeat(300)}${'W'.repeat(900)}`,
  '\u202eesrever \u2067isolate مرحبا',
];

test.describe('hostile words', () => {
  test.afterEach(() => database.query(`delete from forum_posts where title ~ '^Hostil'`));

  test('nothing that people write becomes code or breaks the page [SEC-01]', async ({ page, context, pageErrors }) => {
    await member(context);
    const dialogs: string[] = [];
    page.on('dialog', (shown) => {
      dialogs.push(shown.message());
      void shown.dismiss();
    });
    const ids = [];
    for (const [i, text] of HOSTILE.entries()) {
      await database.query('delete from rate_limits');
      const made = await page.request.post('/api/forum/posts', {
        data: { title: `Hostil ${i} ${text}`.slice(0, 200), content: text },
      });
      expect(made.status(), text).toBe(200);
      const { id } = (await made.json()) as { id: string };
      ids.push(id);
      expect((await page.request.post(`/api/forum/posts/${id}/comments`, { data: { content: text } })).status()).toBe(
        200,
      );
    }
    for (const path of ['/forum', '/en/forum', `/forum?q=${encodeURIComponent('<script>alert(1)</script>')}`]) {
      await page.setViewportSize({ width: 320, height: 800 });
      await open(page, path);
      const hrefs = await page
        .locator('#posts a')
        .evaluateAll((links) => links.map((a) => (a as HTMLAnchorElement).href));
      for (const href of hrefs) expect(href).toMatch(/^https?:\/\//);
      expect(hrefs.filter((href) => href.includes('evil.example') || href.includes('javascript'))).toEqual([]);
      expect(await page.locator('#posts :is(script, style, img, iframe)').count()).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    }
    const link = words();
    await database.query('delete from rate_limits');
    const made = await page.request.post('/api/forum/posts', {
      data: { title: link, content: 'Mira (https://example.com/a_(b)?c=1&d=2). Fin' },
    });
    expect(made.status()).toBe(200);
    await open(page);
    const address = note(page, link).getByRole('link', { name: 'example.com' });
    await expect(address).toHaveAttribute('href', 'https://example.com/a_(b)?c=1&d=2');
    await expect(address).toHaveAttribute('rel', 'nofollow ugc noopener');
    await expect(address).toHaveAttribute('target', '_blank');
    expect(dialogs).toEqual([]);
    expect(pageErrors.seen).toEqual([]);
  });
});

test('on a phone a post of the board shows its comments on request, in one line with the way to sign in', async ({
  page,
  context,
  browser,
}) => {
  const ana = await member(context);
  const title = words();
  const postId = await seed(ana, { title, notify: false });
  await database.query(
    `insert into forum_comments (post_id, user_id, content, created_at)
     select $1, $2, content, now() + n * interval '1 ms'
     from unnest(array['Primera.', 'Segunda.', 'Tercera.']) with ordinality as c (content, n)`,
    [postId, ana.id],
  );
  await database.query('update forum_posts set comment_count = 3 where id = $1', [postId]);
  await database.query(`select pg_notify('live', $1)`, [JSON.stringify({ type: 'post.created', postId })]);
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page);
  const post = note(page, title);
  await expect(post.getByText('Primera.')).toBeHidden();
  await post.getByRole('button', { name: 'Ver comentarios (3)' }).click();
  await expect(post.getByText('Tercera.')).toBeVisible();
  await expect(post.getByRole('article').first()).toBeFocused();
  await expect(post.getByRole('button', { name: /^Ver (más )?comentarios/ })).toHaveCount(0);
  // The page about the post, and a wide screen, leave nothing out.
  await open(page, `/forum/${postId}`);
  await expect(note(page, title).getByText('Tercera.')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page);
  await expect(note(page, title).getByText('Tercera.')).toBeVisible();

  // A visitor is asked in beside the comments, and the board of twelve posts stays readable.
  const there = await otherBrowser(browser, { viewport: { width: 360, height: 800 } });
  const visitor = await there.newPage();
  await open(visitor);
  const ask = note(visitor, title).getByRole('link', { name: 'Inicia sesión para comentar o reaccionar' });
  const show = note(visitor, title).getByRole('button', { name: 'Ver comentarios (3)' });
  const [link, button] = [await ask.boundingBox(), await show.boundingBox()];
  if (!link || !button) throw new Error('the line lacks a part');
  expect(Math.abs(link.y + link.height / 2 - button.y - button.height / 2)).toBeLessThan(2);
  const posts = visitor.locator('#posts > ol > li');
  const sum = async () =>
    (await posts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))).reduce((a, b) => a + b, 0);
  expect((await sum()) / (await posts.count())).toBeLessThan(600);
  await there.close();
});

test('is usable with assistive technology and on small screens', async ({ page, context }) => {
  for (const who of ['visitor', 'member'] as const) {
    const title = words();
    if (who === 'member') await seed(await member(context, 'moderator'), { title });
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      if (who === 'member') await expect(reaction(note(page, title), 'Me gusta')).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const small = await page.locator('main :is(button, input, textarea):visible').evaluateAll((controls) =>
        controls
          .map((control) => ({
            name: control.ariaLabel ?? control.textContent,
            box: control.getBoundingClientRect(),
          }))
          .filter(({ box }) => box.height < 40 || box.width < 36)
          .map(({ name, box }) => `${name} ${box.width}x${box.height}`),
      );
      expect(small).toEqual([]);
    }
    expect(await a11yViolations(page)).toEqual([]);
  }
  // By keyboard alone.
  await page.locator('[aria-pressed]').first().focus();
  await page.keyboard.press('Space');
  await expect(page.locator('[aria-pressed]').first()).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Eliminar el post' }).first().focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  expect(await a11yViolations(page, '[role=alertdialog]')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Eliminar el post' }).first()).toBeFocused();
});

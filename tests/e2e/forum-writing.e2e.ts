import {
  commentBox,
  dialog,
  fillRemovalReason,
  newPost,
  note,
  notifyOfPost,
  open,
  reaction,
  sendButton,
  test,
  words,
  write,
} from './forum-board.ts';
import {
  a11yViolations,
  changeAnswers,
  expect,
  expectAfterRetries,
  expectNotice,
  notice,
  otherBrowser,
  visit,
} from './support.ts';

// Two screens and long scenarios.
test.describe.configure({ timeout: 120_000 });

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

test('a moderator without a second factor sees why an action is refused, and a link to set it up', async ({
  page,
  context,
  browser,
  pageErrors,
  member,
  seed,
  database,
}) => {
  pageErrors.expectStatus(403);
  const there = await otherBrowser(browser);
  const title = words();
  const postId = await seed(await member(there), { title });
  await member(context, { role: 'moderator' });
  await open(page);
  // The shared server requires no second factor of its staff.
  await page.route('**/rpc/forum/deletePost', (route) =>
    route.fulfill({ status: 403, json: { json: { code: 'SECOND_FACTOR_REQUIRED', status: 403 } } }),
  );
  await note(page, title).getByRole('button', { name: 'Eliminar el post' }).click();
  await fillRemovalReason(page);
  await dialog(page).getByRole('button', { name: 'Eliminar' }).click();
  await expect(dialog(page)).toContainText('quien modera necesita la verificación en dos pasos');
  await expect(page.getByText('Delete Failed')).toHaveCount(0);
  expect(await a11yViolations(page, '[role=alertdialog]')).toEqual([]);
  await dialog(page).getByRole('link', { name: 'Activarla en mi cuenta' }).click();
  // The link leads to the form that turns it on, far down on a long page.
  await expect(page.getByRole('heading', { name: 'Verificación en dos pasos' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Verificación en dos pasos' })).toBeInViewport();
  // A session that is known to lack it: before the rule and the reason are chosen.
  const endMissing = await changeAnswers(page, '**/rpc/auth/me', (me) => ({
    ...me,
    staffMissing: 'SECOND_FACTOR_REQUIRED',
  }));
  await open(page);
  await note(page, title).getByRole('button', { name: 'Eliminar el post' }).click();
  await expect(dialog(page)).toContainText('quien modera necesita la verificación en dos pasos');
  await expect(dialog(page).getByLabel('Norma')).toHaveCount(0);
  await expect(dialog(page).getByRole('button', { name: 'Eliminar' })).toHaveCount(0);
  endMissing();
  // The same about categories, earlier versions, and the texts that wait; each names its own requirement.
  const refuse = (procedure: string, code: string) =>
    page.route(`**/rpc/forum/${procedure}*`, (route) =>
      route.fulfill({ status: 403, json: { json: { code, status: 403 } } }),
    );
  await refuse('relabel', 'SECOND_FACTOR_REQUIRED');
  await refuse('history', 'PASSWORD_INITIAL');
  await refuse('reviewQueue', 'SECOND_FACTOR_REQUIRED');
  await database.query('update forum_posts set edited_at = now() where id = $1', [postId]);
  await notifyOfPost(database, postId);
  await open(page);
  const shown = page.getByRole('dialog');
  await note(page, title)
    .getByRole('button', { name: /^Cambiar categoría/ })
    .click();
  await shown.getByRole('button', { name: 'Guardar' }).click();
  await expect(shown).toContainText('Con textos de otras personas');
  await expect(shown.getByRole('link')).toHaveAttribute('href', '/account#second-factor');
  await shown.getByRole('button', { name: 'Cancelar' }).click();
  await note(page, title)
    .getByRole('button', { name: /^Versiones anteriores/ })
    .click();
  await expect(shown).toContainText('Falta una contraseña tuya');
  await expect(shown).not.toContainText('dos pasos');
  await expect(shown.getByRole('link')).toHaveAttribute('href', '/account#password');
  await visit(page, '/moderation');
  await expect(page.getByRole('alert')).toContainText('quien modera necesita la verificación en dos pasos');
  await expect(page.getByRole('link', { name: 'Activarla en mi cuenta' })).toHaveAttribute(
    'href',
    '/account#second-factor',
  );
  await there.close();
});

test('fast clicks on a reaction send one request at a time, and the last choice wins [FORUM-47] [ERR-27]', async ({
  page,
  context,
  pageErrors,
  member,
  seed,
  database,
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
  // A later request of the page: another reaction caused by the answer would have been sent before it.
  await page.evaluate(() => fetch('/api/me'));
  expect(sent).toEqual([true]);
  await expect(love).toHaveAttribute('aria-pressed', 'true');

  // After a failure the stored state is displayed again.
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

test('the draft of a post survives a failure, a reload and an ended session [FORUM-25] [FORUM-29] [ERR-24] [ERR-26]', async ({
  page,
  context,
  pageErrors,
  member,
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

  // The session ends elsewhere; the server refuses, the input stays.
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

  // A post of invisible characters is refused, although the browser accepts it.
  await write(page, '\u200b\u200b', 'x');
  await newPost(page).getByLabel('Contenido').press('Control+Enter');
  await expectNotice(page, 'Error al crear post', 'Por favor completa todos los campos');
});

test('each failure in the forum has its own message [FORUM-24] [ERR-24] [ERR-29] [ERR-31] [ERR-33] [AMB-135]', async ({
  page,
  context,
  pageErrors,
  member,
  seed,
  database,
}) => {
  pageErrors.expectStatus(500, 429);
  const title = words();
  const ana = await member(context);
  const id = await seed(ana, { title });
  await database.query(`insert into forum_comments (post_id, user_id, content) values ($1, $2, 'mío')`, [id, ana.id]);
  await database.query('update forum_posts set comment_count = 1 where id = $1', [id]);
  await notifyOfPost(database, id);
  await page.clock.install();
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
  await expectAfterRetries(page, page.getByRole('alert').getByText('Error loading posts. Please try again.'));
  await page.unroute('**/rpc/forum/posts');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByText('Nada encontrado')).toBeVisible();
});

test('the time limit for edits follows the clock of the server [AMB-139]', async ({ page, context, member, seed }) => {
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

test.describe('hostile input', () => {
  test.afterEach(({ database }) => database.query(`delete from forum_posts where title ~ '^Hostil'`));

  test('no text of members becomes code or breaks the page [SEC-01]', async ({
    page,
    context,
    pageErrors,
    member,
    database,
  }) => {
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
      // Images that members uploaded, of other scenarios, are ours.
      expect(await page.locator('#posts :is(script, style, img:not([src^="/media/"]), iframe)').count()).toBe(0);
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

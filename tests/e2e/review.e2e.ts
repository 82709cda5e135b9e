import type { Page } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectNotice,
  otherBrowser,
  type Person,
  signInAsAdmin,
  test,
  visit,
  watch,
} from './support.ts';

/** Turns the review of first texts on or off in the back office, and waits until pages are answered by it. */
async function setReviews(adminPage: Page, state: 'on' | 'off') {
  await visit(adminPage, '/admin/settings');
  const part = adminPage.getByRole('region', { name: 'Foro', exact: true });
  await part.getByLabel('Revisar los primeros textos y enlaces').selectOption(state);
  await part.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(adminPage, 'Ajustes guardados');
  await expect
    .poll(async () => (await adminPage.request.get('/en/moderation')).text())
    .toContain(state === 'on' ? 'This rule is in force' : 'This rule is off at present');
}

/** No overflow and no accessibility violation, on a phone and on a wide screen. */
async function expectFits(page: Page) {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await a11yViolations(page)).toEqual([]);
  }
}

test('first texts wait for a moderator, who publishes one and declines one, and its author appeals once and an admin decides', async ({
  page,
  browser,
  member,
}) => {
  const otherContext = await otherBrowser(browser);
  const adminPage = await otherContext.newPage();
  await signInAsAdmin(adminPage);
  await setReviews(adminPage, 'on');

  const ana: Person = await member(page.context(), { username: `Nueva ${Date.now().toString(36)}` });
  const title = `Primera ${Date.now()}`;
  // The first read of her waiting texts is answered before she publishes, and its answer arrives after that.
  let release = () => {};
  const published = new Promise<void>((resolve) => {
    release = resolve;
  });
  const early = page.waitForRequest('**/rpc/forum/myReview*');
  await page.route(
    '**/rpc/forum/myReview*',
    async (route) => {
      const response = await route.fetch();
      await published;
      // Aborted meanwhile by the page.
      await route.fulfill({ response }).catch(() => {});
    },
    { times: 1 },
  );
  await visit(page, '/forum');
  await early;
  await page.getByLabel('Título').fill(title);
  await page.getByLabel('Contenido').fill('Hola desde la caseta 9');
  await page.getByRole('button', { name: 'Publicar Post' }).click();
  await expectNotice(page, 'Tu texto espera una revisión');
  release();
  const waiting = page.getByRole('region', { name: 'Esperan una revisión' });
  await expect(waiting).toContainText(title);
  await expect(waiting).toContainText('Es uno de tus primeros textos');
  await expectFits(page);
  // Her second text is a comment with a link.
  const { items } = (await (await page.request.get('/api/forum/posts')).json()) as {
    items: { id: string; title: string; commentCount: number }[];
  };
  // The first page of its comments has to have room for the new one; other scenarios comment on their own posts, the newest ones.
  const post = items.findLast(({ commentCount }) => commentCount <= 5);
  if (!post) throw new Error('no post with few comments');
  const words = `Mirad https://example.org/${Date.now()}/una-direccion-tan-larga-que-no-cabe-en-un-telefono`;
  const second = await page.request.post(`/api/forum/posts/${post.id}/comments`, { data: { content: words } });
  expect(second.status()).toBe(200);

  // Nobody else sees either: not on the board, not under the post, not in a search.
  const there = await otherBrowser(browser);
  const errors = watch(there);
  const moderator = await member(there, { role: 'moderator' });
  for (const path of ['/forum', `/forum/${post.id}`, `/search?q=${encodeURIComponent(title)}`]) {
    const others = await (await there.request.get(path)).text();
    expect(others).not.toContain('Hola desde la caseta 9');
    expect(others).not.toContain(words);
  }
  const screen = await there.newPage();
  await visit(screen, '/moderation');
  await expect(screen.getByText('Esta regla está en vigor.')).toBeVisible();
  const first = screen.getByRole('article').filter({ hasText: 'Hola desde la caseta 9' });
  const comment = screen.getByRole('article').filter({ hasText: words });
  await expect(first).toContainText(`${ana.username}, nivel 0`);
  await expect(comment).toContainText(`En «${post.title}»`);
  await expectFits(screen);
  await visit(adminPage, '/admin/inbox?source=review');
  await expect(adminPage.getByRole('article', { name: title })).toContainText('uno de sus primeros textos');

  // In the list of all texts they wait too, and a long address breaks within its card on a phone.
  await visit(adminPage, '/admin/forum?what=comment');
  const listed = adminPage.getByRole('row').filter({ hasText: words });
  await expect(listed).toContainText('Espera una revisión');
  for (const width of [360, 768, 1280]) {
    await adminPage.setViewportSize({ width, height: 900 });
    const frame = adminPage.locator('.admin-table-frame');
    await expect.poll(() => frame.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  }

  // One is published.
  await first.getByRole('button', { name: `Publicar «${title}»` }).click();
  await expectNotice(screen, 'Texto publicado');
  await expect(first).toHaveCount(0);
  expect(await (await there.request.get('/api/forum/posts')).text()).toContain(title);

  // The other is declined, by a rule and with a reason; the log below shows it at once.
  const publicLog = screen
    .locator('section')
    .filter({ has: screen.getByRole('heading', { name: 'Registro público' }) });
  const logged = publicLog.getByText(/^Comentario rechazado en la revisión/);
  const count = await logged.count();
  await comment.getByRole('button', { name: `Rechazar «${post.title}»` }).click();
  const decline = comment.getByRole('button', { name: `Rechazar «${post.title}»` });
  await expect(decline).toBeDisabled();
  await comment.getByLabel('Norma').selectOption('spam');
  await expect(decline).toBeDisabled();
  await comment.getByLabel('Motivo').fill('Es publicidad');
  expect(await a11yViolations(screen)).toEqual([]);
  await decline.click();
  await expectNotice(screen, 'Texto rechazado; su autor sabe por qué');
  await expect(comment).toHaveCount(0);
  await expect(logged).toHaveCount(count + 1);

  // A level that staff sets, and takes back; the choice follows what it is.
  await screen.getByLabel('Nombre de usuario').fill(ana.username);
  await screen.getByRole('button', { name: 'Ver', exact: true }).click();
  await expect(screen.getByRole('heading', { name: `${ana.username}: nivel 0` })).toBeVisible();
  const choice = screen.getByRole('combobox', { name: 'Nuevo nivel' });
  await choice.selectOption('2');
  await screen.getByLabel('Motivo').fill('La conocemos');
  await screen.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(screen, 'Nivel guardado');
  await expect(screen.getByRole('heading', { name: `${ana.username}: nivel 2` })).toBeVisible();
  await expectFits(screen);
  await screen.getByLabel('Motivo').fill('Era otra persona');
  await screen.getByRole('button', { name: 'Deshacer el último cambio' }).click();
  await expect(screen.getByRole('heading', { name: `${ana.username}: nivel 0` })).toBeVisible();
  await expect(choice).toHaveValue('0');

  // She is notified of both, and appeals, once.
  await visit(page, '/notifications');
  await expect(page.getByRole('link', { name: `Un texto tuyo en «${title}» está publicado` })).toBeVisible();
  await page.getByRole('link', { name: /no ha publicado un texto tuyo en «/ }).click();
  const mine = page.getByRole('article', { name: post.title });
  await expect(mine).toContainText(words);
  await expect(mine).toContainText('No publicado');
  await expect(mine).toContainText('Publicidad o texto repetido');
  await expect(mine).toContainText('Es publicidad');
  await mine.getByLabel('¿Por qué no es justo?').fill('Es mi propia página');
  await mine.getByRole('button', { name: 'Recurrir' }).click();
  await expectNotice(page, 'Recurso enviado');
  await expect(mine.getByRole('button', { name: 'Recurrir' })).toHaveCount(0);
  await expectFits(page);

  // Somebody else decides.
  await visit(adminPage, '/admin/inbox?source=appeal');
  const item = adminPage.getByRole('article', { name: post.title });
  await item.getByRole('button', { name: /^Leer y decidir/ }).click();
  const dialog = adminPage.getByRole('dialog', { name: 'Recurso contra una retirada' });
  await expect(dialog).toContainText('Es mi propia página');
  await expect(dialog).toContainText(`Lo retiró ${moderator.username}.`);
  await dialog.getByLabel('Respuesta para su autor').fill('Tienes razón');
  await dialog.getByRole('button', { name: 'Volver a mostrarlo' }).click();
  await expectNotice(adminPage, 'Recurso aceptado');
  await visit(page, '/moderation');
  await expect(mine).toContainText('Recurso aceptado: el rechazo queda anulado');
  await expect(mine).toContainText('Tienes razón');
  expect(await (await there.request.get(`/api/forum/posts/${post.id}/comments`)).text()).toContain(words);

  // The public log of moderation contains neither names nor texts.
  const log = await (await there.request.get('/en/moderation')).text();
  expect(log).toContain('Comment declined in the review by a moderator');
  expect(log).toContain('Appeal accepted: the refusal is undone');
  for (const secret of [ana.username, moderator.username, post.title, words, 'Es publicidad'])
    expect(log).not.toContain(secret);

  await setReviews(adminPage, 'off');
  expect(errors.seen).toEqual([]);
  await there.close();
  await otherContext.close();
});

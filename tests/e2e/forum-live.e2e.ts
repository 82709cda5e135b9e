import {
  commentBox,
  dialog,
  fillRemovalReason,
  newPost,
  note,
  open,
  panel,
  reaction,
  sendButton,
  test,
  words,
  write,
} from './forum-board.ts';
import { expect, expectNotice, otherBrowser, visit, watch } from './support.ts';

// Two screens and long scenarios.
test.describe.configure({ timeout: 120_000 });

test('posts, comments, reactions, edits, deletions and removals appear live in another browser [FORUM-04..08] [FORUM-11..20] [FORUM-28] [FORUM-30] [FORUM-47..48] [ERR-25] [ERR-28] [ERR-30] [ERR-32] [SEC-04..05] [SEC-07..08] [AMB-139]', async ({
  page,
  context,
  browser,
  member,
}) => {
  test.setTimeout(180_000);
  const ana = await member(context);
  const there = await otherBrowser(browser);
  const thereErrors = watch(there);
  await member(there);
  const screen = await there.newPage();
  await open(screen);
  await open(page);

  // Ana writes; her own note is there at once, elsewhere nothing moves and a pill announces it.
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
  const released = Promise.withResolvers<void>();
  await page.route('**/rpc/forum/create', async (route) => {
    await released.promise;
    await route.continue();
  });
  const topBefore = await screen.locator('#posts article').first().boundingBox();
  await newPost(page).locator('button[type=submit]').click();
  await expect(newPost(page).locator('button[type=submit]')).toHaveText('Publicando...');
  await expect(newPost(page).locator('button[type=submit]')).toBeDisabled();
  released.resolve();
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
  const otherContext = await otherBrowser(browser);
  await member(otherContext, { role: 'moderator' });
  const desktop = await otherContext.newPage();
  await open(desktop);
  await expect(desktop.getByText('Moderador', { exact: true })).toBeVisible();
  await note(desktop, title).getByRole('button', { name: 'Eliminar el post' }).click();
  await expect(dialog(desktop)).toContainText('Are you sure you want to delete this post?');
  await fillRemovalReason(desktop);
  await dialog(desktop).getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(desktop, 'Post Deleted');
  await expect(desktop.locator('#posts')).toBeFocused();
  for (const each of [desktop, page, screen]) await expect(note(each, title)).toHaveCount(0);
  expect(thereErrors.seen).toEqual([]);
  await there.close();
  await otherContext.close();
});

test('new posts wait behind a button without moving the page, and one that is deleted meanwhile is not counted', async ({
  page,
  browser,
  member,
  seed,
}) => {
  const there = await otherBrowser(browser);
  const author = await member(there);
  await open(page);
  // A post: comments are articles too, and collapsed ones have no place on the screen.
  const read = page
    .locator('#posts')
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { level: 2 }) })
    .nth(8);
  const title = (await read.getByRole('heading', { level: 2 }).textContent()) ?? '';
  await read.scrollIntoViewIfNeeded();
  const before = await note(page, title).boundingBox();
  const titles = [words(), words(), words()];
  const ids = [];
  for (const each of titles) ids.push(await seed(author, { title: each }));
  await expect(page.getByRole('button', { name: '3 nuevas' })).toBeInViewport();
  expect((await there.request.delete(`/api/forum/posts/${ids[1]}`)).status()).toBe(200);
  await expect(page.getByRole('button', { name: '2 nuevas' })).toBeVisible();
  expect(await note(page, title).boundingBox()).toEqual(before);
  await page.getByRole('button', { name: '2 nuevas' }).click();
  await expect(page.locator('#posts article').first()).toContainText(titles[2] ?? '');
  await expect(page.locator('#posts article').nth(1)).toContainText(titles[0] ?? '');
  await expect(page.locator('#posts')).toBeFocused();
  await there.close();
});

test('posts missed while the live stream was interrupted wait behind the button too', async ({
  page,
  context,
  browser,
  pageErrors,
  member,
  seed,
}) => {
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
  // As after missed events: everything on screen is read again.
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

test('the status card shows the member’s own data, and is polled only while a moderator request is pending [FORUM-02] [TIME-17] [AMB-37] [AMB-145]', async ({
  page,
  context,
  member,
  database,
}) => {
  const ana = await member(context);
  await database.query(
    `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`,
    [ana.id],
  );
  let requests = 0;
  await page.route('**/rpc/auth/me', (route) => {
    requests++;
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
    const before = requests;
    await page.clock.runFor(5_100);
    await expect.poll(() => requests).toBeGreaterThan(before);
  }
  await database.query(
    `update user_roles set role = 'moderator', moderator_request_status = 'approved' where user_id = $1`,
    [ana.id],
  );
  await page.clock.runFor(5_100);
  await expect(card).toContainText(/Aprobada/);
  const after = requests;
  for (let i = 0; i < 4; i++) {
    await page.clock.runFor(5_100);
    await page.evaluate(() => fetch('/api/me'));
  }
  // Once at most, because every member polls from time to time.
  expect(requests - after).toBeLessThanOrEqual(1);
});

test('a member is shown as online from any page, until sign-out or until the last page closes [RT-03..06] [RT-13] [TIME-18] [AMB-142]', async ({
  page,
  browser,
  member,
}) => {
  await open(page);
  const there = await otherBrowser(browser);
  const ana = await member(there);
  const screen = await there.newPage();
  await visit(screen, '/vote');
  await expect(panel(page)).toContainText(ana.username);
  await expect(panel(page)).toContainText(ana.id.slice(0, 8));
  await expect(panel(page)).not.toContainText('@');
  // Pages one after the other: the member is absent only briefly between them, and after the last one closes.
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

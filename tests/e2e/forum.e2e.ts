import {
  commentBox,
  dialog,
  note,
  notifyOfPost,
  open,
  panel,
  reaction,
  sendButton,
  test,
  words,
} from './forum-board.ts';
import { a11yViolations, expect, otherBrowser, visit } from './support.ts';

// Two screens and long scenarios.
test.describe.configure({ timeout: 120_000 });

test('visitors read everything and are invited to sign in [FORUM-01] [FORUM-03] [FORUM-09..12] [FORUM-33..34] [SEC-01] [SEC-03] [AMB-133] [AMB-140]', async ({
  page,
  request,
  browser,
  member,
  seed,
}) => {
  // Other scenarios insert posts directly into the database; the event of this one invalidates the cached pages.
  const there = await otherBrowser(browser);
  const announced = words();
  await seed(await member(there), { title: announced });
  await there.close();
  const read = async () => (await request.get('/forum')).text();
  await expect.poll(read).toContain(announced);
  const document = await read();
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
  const ask = first.getByRole('link', { name: 'Inicia sesión para comentar o reaccionar' });
  await expect(ask).toHaveAttribute('href', '/auth');
  expect(await ask.innerText()).toBe('Inicia sesión para comentar o reaccionar');
  await expect(first.locator('time').first()).toHaveAttribute('title', /UTC|GMT|hora/);
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  await expect(page.locator('[aria-pressed]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Eliminar|Editar/ })).toHaveCount(0);
  await expect(page.getByText('Tu estado')).toHaveCount(0);
  await expect(panel(page)).toHaveCSS('max-height', '256px');
  await expect(panel(page)).toHaveCSS('overflow-y', 'auto');
});

test('an empty forum says so [FORUM-22..23]', async ({ page }) => {
  await page.route('**/rpc/forum/posts', (route) => route.fulfill({ json: { json: { items: [], nextCursor: null } } }));
  await visit(page, '/vote');
  await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Forum' }).click();
  await expect(page.getByRole('heading', { name: 'No Posts Yet' })).toBeVisible();
  await expect(page.getByText('Be the first to create a post in the forum!')).toBeVisible();
});

test('the search of the forum finds posts and comments, is in the address and can be cleared', async ({
  page,
  context,
  request,
  member,
  seed,
  database,
}) => {
  const ana = await member(context);
  const key = `zurriburri${Date.now().toString(36)}`;
  const title = words();
  await seed(ana, { title, content: `La ${key} única` });
  // A post with other words, and the key in its comment only.
  const commented = words();
  const id = await seed(ana, { title: commented, notify: false });
  await database.query('insert into forum_comments (post_id, user_id, content) values ($1, $2, $3)', [
    id,
    ana.id,
    `También aquí: ${key} otra vez`,
  ]);
  await database.query('update forum_posts set comment_count = 1 where id = $1', [id]);
  await notifyOfPost(database, id);
  for (let i = 1; i <= 20; i++) await seed(ana, { ago: `${500 + i} days`, notify: false });
  const found = page.locator('#posts > ol > li');
  await open(page);
  await page.getByRole('searchbox', { name: 'Buscar en el foro' }).fill(key.toUpperCase());
  await page.getByRole('searchbox').press('Enter');
  await expect(page).toHaveURL(`/forum?q=${key.toUpperCase()}`);
  await expect(found).toHaveCount(2);
  await expect(note(page, title)).toBeVisible();
  await expect(note(page, commented).getByText(key)).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeFocused();
  const document = await (await request.get(`/forum?q=${key}`)).text();
  for (const one of [title, commented]) expect(document).toContain(one);
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue(key.toUpperCase());
  await expect(found).toHaveCount(2);
  await page.getByRole('link', { name: 'Quitar la búsqueda' }).click();
  await expect(page).toHaveURL('/forum');
  await expect(found).toHaveCount(20);
  await page.goBack();
  await expect(found).toHaveCount(2);
  for (const q of ['%00', '%ED%A0%80', "'%20or%201=1--", '%3Cscript%3Ealert(1)%3C/script%3E', 'a'.repeat(300)])
    expect((await request.get(`/forum?q=${q}`)).status(), q).toBe(200);
});

test('more posts and comments are loaded on request, each once, and an own new comment shows all before it [AMB-137]', async ({
  page,
  context,
  member,
  seed,
  database,
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
  await notifyOfPost(database, id);
  for (let i = 1; i <= 30; i++) await seed(ana, { ago: `${300 + i} days` });
  await open(page);
  const comments = note(page, title).locator('ol > li');
  await expect(comments).toHaveCount(3);
  await note(page, title).getByRole('button', { name: 'Ver más comentarios (29)' }).click();
  await expect(comments).toHaveCount(23);
  await expect(note(page, title).getByRole('button', { name: 'Ver más comentarios (7)' })).toBeVisible();
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

test('a post in the list shows its comments on request, on a phone beside the link to sign in', async ({
  page,
  context,
  browser,
  member,
  seed,
  database,
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
  await notifyOfPost(database, postId);
  await page.setViewportSize({ width: 360, height: 800 });
  await open(page);
  const post = note(page, title);
  await expect(post.getByText('Primera.')).toBeHidden();
  await post.getByRole('button', { name: 'Ver comentarios (3)' }).click();
  await expect(post.getByText('Tercera.')).toBeVisible();
  await expect(post.getByRole('article').first()).toBeFocused();
  await expect(post.getByRole('button', { name: /^Ver (más )?comentarios/ })).toHaveCount(0);
  // The page of the post has all comments.
  await open(page, `/forum/${postId}`);
  await expect(note(page, title).getByText('Tercera.')).toBeVisible();
  // On a wide screen a long thread starts with its first comment; one click shows the others and moves the focus there.
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page);
  await expect(note(page, title).getByText('Primera.')).toBeVisible();
  await expect(note(page, title).getByText('Segunda.')).toBeHidden();
  await note(page, title).getByRole('button', { name: 'Ver más comentarios (2)' }).click();
  await expect(note(page, title).getByText('Tercera.')).toBeVisible();
  await expect(note(page, title).getByRole('article').nth(1)).toBeFocused();
  await expect(note(page, title).getByRole('button', { name: /^Ver (más )?comentarios/ })).toHaveCount(0);

  // A visitor is invited to sign in beside the comments, and the board of twelve posts stays readable.
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

test('the forum is accessible and fits small screens', async ({ page, context, member, seed }) => {
  for (const who of ['visitor', 'member'] as const) {
    const title = words();
    if (who === 'member') await seed(await member(context, { role: 'moderator' }), { title });
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await open(page);
      if (who === 'member') await expect(reaction(note(page, title), 'Me gusta')).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const small = await page.locator('main :is(button, input, textarea):visible').evaluateAll((controls) =>
        controls
          // Not those that were replaced since they were found.
          .filter((control) => control.checkVisibility())
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

test('the page of a post has its title, and shows a deletion in an old search result, on an open page, and to its author', async ({
  page,
  context,
  browser,
  pageErrors,
  member,
  seed,
}) => {
  pageErrors.expectStatus(404);
  const ana = await member(context);
  const there = await otherBrowser(browser);
  const ben = await member(there);
  const gone = page.getByRole('heading', { level: 1, name: 'Esta nota ya no está' });
  const key = `mirlo${Date.now().toString(36)}`;
  const found = await seed(ben, { title: `${key} ${words()}` });
  await visit(page, `/search?q=${key}`);
  const hit = page.getByRole('main').getByRole('link', { name: new RegExp(key) });
  await expect(hit).toBeVisible();
  expect((await there.request.delete(`/api/forum/posts/${found}`)).status()).toBe(200);
  await hit.click();
  await expect(gone).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);

  const title = words();
  const read = await seed(ben, { title });
  await open(page, `/forum/${read}`);
  await expect(page).toHaveTitle(new RegExp(`^${title} · `));
  expect((await there.request.delete(`/api/forum/posts/${read}`)).status()).toBe(200);
  await expect(gone).toBeVisible();
  await expect(page).not.toHaveTitle(new RegExp(title));
  await there.close();

  const own = words();
  await open(page, `/forum/${await seed(ana, { title: own })}`);
  await page.getByRole('button', { name: `Eliminar el post «${own}»` }).click();
  await dialog(page).getByRole('button', { name: 'Eliminar', exact: true }).click();
  await expect(gone).toBeVisible();
  await expect(page.locator('#posts')).toBeFocused();
});

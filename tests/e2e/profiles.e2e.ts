import type { BrowserContext, Page } from '@playwright/test';
import { a11yViolations, expect, expectNotice, listening, otherBrowser, test, visit, watch } from './support.ts';

test.describe.configure({ timeout: 120_000 });

const name = (of: string) => `${of}${Date.now().toString(36)}`;
const fits = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

test('a member decides what the public page shows', async ({ page, browser, member }) => {
  const ana = name('Ana');
  await member(page.context(), { username: ana });
  const visitor = await (await otherBrowser(browser)).newPage();
  const missing = await visitor.goto(`/member/${ana}`);
  expect(missing?.status()).toBe(404);
  await expect(visitor.getByRole('heading', { name: 'Aquí no hay nadie' })).toBeVisible();
  expect(await a11yViolations(visitor)).toEqual([]);

  await visit(page, '/account');
  const part = page.getByRole('region', { name: 'Página pública' });
  await part.getByLabel('Tener una página aunque no haya escrito nada').check();
  await part.getByLabel('Mostrar los tokens que sigo').check();
  await part.getByRole('link', { name: 'Mi página' }).click();
  await expect(page).toHaveURL(new RegExp(`/member/${ana}$`));
  await expect(page.getByRole('heading', { level: 1, name: ana })).toBeVisible();
  await expect(page.getByText('Por ahora no sigue a ningún token.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Decidir qué se muestra' })).toBeVisible();

  await visit(visitor, `/member/${ana}`);
  await expect(visitor.getByRole('heading', { level: 2, name: 'Sigue a' })).toBeVisible();
  await expect(visitor.getByText('Vota desde')).toHaveCount(0);
  await expect(visitor.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  expect(await a11yViolations(visitor)).toEqual([]);
  await visitor.setViewportSize({ width: 360, height: 740 });
  expect(await fits(visitor)).toBe(true);
});

test('a member mutes another one, then blocks and unblocks them, and gets no notifications of the muted member', async ({
  page,
  browser,
  member,
  database,
}) => {
  const [ana, troll] = [name('Ana'), name('Troll')];
  await member(page.context(), { username: ana });
  const other = await otherBrowser(browser);
  const errors = watch(other);
  const second = await other.newPage();
  await member(other, { username: troll });
  const { json } = await second.request
    .post('/api/forum/posts', { data: { title: 'Ruido', content: `@${ana} mira esto` } })
    .then(async (answer) => ({ json: (await answer.json()) as { id: string } }));
  await visit(page, '/notifications');
  await expect(page.getByText(troll).first()).toBeVisible();

  await visit(page, `/forum/${json.id}`);
  await page.getByRole('link', { name: troll }).click();
  await expect(page.getByRole('heading', { level: 1, name: troll })).toBeVisible();
  const menu = page.getByRole('button', { name: `Silenciar o bloquear a ${troll}` });
  await menu.first().click();
  await page.getByRole('menuitem', { name: 'Silenciar' }).click();
  await expectNotice(page, `Has silenciado a ${troll}`);
  const collapsed = page.getByText(`Un texto de ${troll}, a quien has silenciado.`);
  await expect(collapsed).toBeVisible();
  await expect(page.getByText(`@${ana} mira esto`)).toHaveCount(0);
  expect(await a11yViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Ver el texto' }).click();
  await expect(page.getByText(`@${ana} mira esto`)).toBeVisible();

  const unread = () =>
    database.query(
      `select 1 from notifications n join users u on u.id = n.user_id join forum_users f on f.new_auth_user_id = u.id where f.username = $1`,
      [ana],
    );
  const before = (await unread()).rowCount;
  // Notifications of the earlier post are hidden too.
  await visit(page, '/notifications');
  await expect(page.getByRole('heading', { name: 'Ningún aviso todavía' })).toBeVisible();
  await expect(page.getByText(troll)).toHaveCount(0);
  await database.query('delete from rate_limits');
  const again = await second.request.post('/api/forum/posts', {
    data: { title: 'Más ruido', content: `@${ana} otra vez` },
  });
  expect(again.status()).toBe(200);
  expect((await unread()).rowCount).toBe(before);

  // On the board a muted note is collapsed, a blocked one is not there.
  await visit(page, '/forum');
  await expect(collapsed.first()).toBeVisible();
  // A search result is collapsed too.
  await visit(page, '/search?q=Ruido');
  await expect(collapsed.first()).toBeVisible();
  await expect(page.getByText('mira esto')).toHaveCount(0);
  // Its title is not shown below the person's name either.
  await visit(page, `/search?q=${troll}`);
  await expect(page.getByRole('region', { name: 'Personas' }).getByRole('link')).toContainText(troll);
  await expect(page.getByText('Más ruido')).toHaveCount(0);
  await visit(second, '/forum');
  await visit(page, `/member/${troll}`);
  await menu.first().click();
  await page.getByRole('menuitem', { name: 'Bloquear' }).click();
  await expectNotice(page, `Has bloqueado a ${troll}`);
  await visit(page, '/forum');
  await expect(page.getByRole('article').first()).toBeVisible();
  // Both are online, but the list of online members leaves the blocked one out.
  await expect(page.getByText(ana).first()).toBeVisible();
  await expect(page.getByText(troll)).toHaveCount(0);
  // A new note of the blocked member is not counted among the new ones; one of somebody else is.
  await listening(page);
  const writes = async (context: BrowserContext) => {
    await database.query('delete from rate_limits');
    const sent = await context.request.post('/api/forum/posts', { data: { title: name('Nota'), content: 'Hola' } });
    expect(sent.status()).toBe(200);
  };
  const third = await otherBrowser(browser);
  await member(third);
  await writes(other);
  await writes(third);
  await expect(page.getByRole('button', { name: '1 nueva', exact: true })).toBeVisible();
  await page.reload();
  await third.close();
  // A page that only the blocked member wrote has further ones: it does not say that there is nothing.
  const word = name('Eco');
  await database.query(
    `insert into forum_posts (title, content, forum_user_id, created_at)
     select $2, 'Nota ' || n, u.id, now() - interval '9 days' from forum_users u, generate_series(1, 21) n where u.username = $1`,
    [troll, word],
  );
  await visit(page, `/forum?q=${word}`);
  const more = page.getByRole('button', { name: 'Cargar más', exact: true });
  await expect(more).toBeVisible();
  await expect(page.getByText(troll)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Nada encontrado' })).toHaveCount(0);
  await more.click();
  await expect(page.getByRole('heading', { name: 'Nada encontrado' })).toBeVisible();
  await visit(page, `/search?q=${troll}`);
  await expect(page.getByRole('region', { name: 'Personas' })).toContainText(
    'No se muestra 1 resultado de personas que has bloqueado.',
  );
  await expect(page.getByRole('link', { name: troll })).toHaveCount(0);
  expect(await a11yViolations(page)).toEqual([]);
  await visit(page, `/forum/${json.id}`);
  await expect(page.getByText('Un texto de alguien a quien has bloqueado.')).toBeVisible();

  await visit(page, '/account');
  const part = page.getByRole('region', { name: 'Personas silenciadas y bloqueadas' });
  await expect(part.getByText('Bloqueada', { exact: true })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await fits(page)).toBe(true);
  await part.getByRole('button', { name: `Volver a ver a ${troll}` }).click();
  await expect(part.getByText('No has silenciado ni bloqueado a nadie.')).toBeVisible();
  await visit(page, `/forum/${json.id}`);
  await expect(page.getByText(`@${ana} mira esto`)).toBeVisible();
  expect(errors.seen).toEqual([]);
});

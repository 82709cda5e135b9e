import type { Page } from '@playwright/test';
import { PNG } from './images.ts';
import {
  a11yViolations,
  expect,
  expectNotice,
  listening,
  notice,
  otherBrowser,
  rankingOf,
  test,
  visit,
  watch,
} from './support.ts';

// Two people, and images that are re-encoded.
test.describe.configure({ timeout: 120_000 });

const note = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

test('two people discuss a token on its page, and the forum shows the same posts', async ({
  page,
  browser,
  member,
}) => {
  const [token] = await rankingOf(page.request);
  const path = `/token/${token?.tokenSlug}/candidate`;
  // Its beginning is typed below, and no other scenario has members with it. With a space it is mentioned in quotes.
  const name = `C${Date.now().toString(36).slice(-5)} harla`;
  await member(page.context(), { username: name });
  const title = `Charla ${Date.now().toString(36)}`;
  await visit(page, path);
  await expect(page.getByRole('heading', { name: `Conversación sobre ${token?.tokenName}` })).toBeVisible();
  await listening(page);
  const other = await otherBrowser(browser);
  const errors = watch(other);
  const second = await other.newPage();
  const eva = await member(other);
  await visit(second, path);
  await listening(second);

  const form = page.getByRole('form', { name: 'Crear Nuevo Post' });
  await form.getByLabel('Título').fill(title);
  await form.getByLabel('Contenido').fill('¿Quién ha leído el contrato?');
  await form.getByRole('button', { name: 'Categoría, etiquetas, imágenes' }).click();
  await expect(form.getByLabel('Categoría')).toHaveValue('tokens');
  await form.getByLabel('Etiquetas').fill('contrato, #Lectura');
  await form.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
  await expect(form.getByLabel('Qué muestra la imagen')).toBeVisible();
  await form.getByLabel('Qué muestra la imagen').fill('Un cuadrado');

  // The tab is closed and another one opened: everything that was written is there.
  const again = await page.context().newPage();
  await visit(again, path);
  const draft = again.getByRole('form', { name: 'Crear Nuevo Post' });
  await expect(draft.getByLabel('Título')).toHaveValue(title);
  await expect(draft.getByLabel('Etiquetas')).toHaveValue('contrato, #Lectura');
  await expect(draft.getByLabel('Qué muestra la imagen')).toHaveValue('Un cuadrado');

  await form.getByRole('button', { name: 'Publicar Post' }).click();
  await expectNotice(page, '¡Post creado!');
  // The other tab does not offer to publish it once more.
  await expect(draft.getByLabel('Título')).toHaveValue('');
  await again.close();
  const mine = note(page, title);
  await expect(mine.getByRole('link', { name: '#contrato' })).toBeVisible();
  await expect(mine.getByRole('img', { name: 'Un cuadrado' })).toBeVisible();

  // The other one is notified, opens it, mentions by the beginning of a name, and answers.
  await second.getByRole('button', { name: '1 nueva' }).click();
  const theirs = note(second, title);
  await theirs.getByRole('button', { name: /^Comentar «/ }).click();
  await theirs.getByRole('textbox').pressSequentially(`Yo, @${name.slice(0, 6).toLowerCase()}`);
  await expect(second.getByRole('option', { name })).toBeVisible();
  // A busy machine draws its next frame after the next keys.
  await second.evaluate(() => {
    const draw = globalThis.requestAnimationFrame.bind(globalThis);
    globalThis.requestAnimationFrame = (work) => draw(() => setTimeout(() => work(performance.now()), 20));
  });
  await second.keyboard.press('Enter');
  await second.keyboard.type('dos veces');
  await expect(theirs.getByRole('textbox')).toHaveValue(`Yo, @"${name}" dos veces`);
  await theirs.getByRole('button', { name: 'Comentar', exact: true }).click();
  await expectNotice(second, 'Comment posted!');

  await expect(mine.getByText(`Yo, @"${name}" dos veces`)).toBeVisible();
  const notified = await page.request.get('/api/notifications');
  expect(((await notified.json()) as { items: { kind: string }[] }).items.map(({ kind }) => kind)).toContain(
    'mentions',
  );
  await mine.getByRole('button', { name: `Responder al comentario de ${eva.username}` }).click();
  await mine.getByRole('textbox').fill('Gracias por leer.');
  // A closed tab loses neither the answer nor what it answers.
  await page.reload();
  await mine.getByRole('button', { name: /^Seguir con el borrador/ }).click();
  await expect(mine.getByRole('textbox')).toHaveValue('Gracias por leer.');
  await expect(mine.getByText(`En respuesta a ${eva.username}`)).toBeVisible();
  await mine.getByRole('button', { name: 'Comentar', exact: true }).click();
  await expect(mine.locator('blockquote')).toContainText(`Yo, @"${name}" dos veces`);
  await expect(theirs.locator('blockquote')).toContainText(`Yo, @"${name}" dos veces`);
  expect(await a11yViolations(page)).toEqual([]);

  await visit(second, '/forum?tag=lectura');
  await expect(note(second, title).getByRole('link', { name: `Sobre ${token?.tokenName}` })).toBeVisible();
  expect(await a11yViolations(second)).toEqual([]);
  await second.setViewportSize({ width: 360, height: 740 });
  expect(await a11yViolations(second)).toEqual([]);
  expect(await second.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(errors.seen).toEqual([]);
});

test('a moderator reads the earlier versions of an edited post', async ({ page, browser, member, database }) => {
  const author = await otherBrowser(browser);
  const person = await member(author);
  const { rows } = await database.query<{ id: string }>(
    `insert into forum_posts (title, content, forum_user_id, edited_at)
     values ($1, 'Después', (select id from forum_users where new_auth_user_id = $2), now()) returning id`,
    [`Antes y después ${Date.now().toString(36)}`, person.id],
  );
  const id = rows[0]?.id ?? '';
  await database.query(
    `insert into forum_edits (post_id, title, content, replaced_at) values ($1, 'Antes', 'Lo que ya no dice', now())`,
    [id],
  );
  await member(page.context(), { role: 'moderator' });
  await visit(page, `/forum/${id}`);
  await page.getByRole('button', { name: /^Versiones anteriores de/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Versiones anteriores' });
  await expect(dialog.getByText('Lo que ya no dice')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
});

test('on a phone a moderator sees whole names, and dates right below them, beside up to four actions', async ({
  page,
  browser,
  member,
  database,
}) => {
  const author = await otherBrowser(browser);
  // Fits beside the picture, not beside actions.
  const { id: person } = await member(author, { username: `Maximiliana${Date.now().toString(36)}` });
  const { rows } = await database.query<{ id: string }>(
    `insert into forum_posts (title, content, forum_user_id, edited_at)
     values ($1, 'Algo', (select id from forum_users where new_auth_user_id = $2), now()) returning id`,
    [`Nombres largos ${Date.now().toString(36)}`, person],
  );
  const id = rows[0]?.id ?? '';
  await database.query(`insert into forum_comments (post_id, user_id, content) values ($1, $2, 'De acuerdo')`, [
    id,
    person,
  ]);
  await member(page.context(), { role: 'moderator' });
  await page.setViewportSize({ width: 360, height: 740 });
  await visit(page, `/forum/${id}`);
  await expect(page.getByRole('button', { name: /^Versiones anteriores de/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Eliminar/ })).toHaveCount(2);
  const heads = await page.locator('article a[href*="/member/Maximiliana"]').evaluateAll((names) =>
    names.map((name) => {
      const head = name.closest('.flex-1');
      const bottom = head?.querySelector('.figures')?.getBoundingClientRect().bottom ?? 0;
      return {
        nameHeight: name.getBoundingClientRect().height,
        dateBelow: (head?.querySelector('time')?.getBoundingClientRect().top ?? Number.NaN) - bottom,
      };
    }),
  );
  expect(heads).toHaveLength(2);
  for (const { nameHeight, dateBelow } of heads) {
    expect(nameHeight).toBeLessThan(30);
    expect(dateBelow).toBeLessThan(10);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(await a11yViolations(page)).toEqual([]);
});

test('the author of a post changes its category and tags, another reader sees it live, and an hour later only staff can', async ({
  page,
  browser,
  member,
  database,
}) => {
  await member(page.context());
  const title = `Archivo ${Date.now().toString(36)}`;
  const made = await page.request.post('/api/forum/posts', { data: { title, content: 'Algo', tags: ['viejo'] } });
  const { id } = (await made.json()) as { id: string };
  const other = await otherBrowser(browser);
  const second = await other.newPage();
  await member(other, { role: 'moderator' });
  await visit(second, '/forum');
  await listening(second);

  await visit(page, `/forum/${id}`);
  await page.getByRole('button', { name: `Cambiar categoría y etiquetas de «${title}»` }).click();
  const dialog = page.getByRole('dialog', { name: 'Categoría y etiquetas' });
  await dialog.getByLabel('Categoría').selectOption('ideas');
  await dialog.getByLabel('Etiquetas').fill('nuevo, a');
  await expect(dialog.getByText('Como mucho 5 etiquetas')).toBeVisible();
  await dialog.getByLabel('Etiquetas').fill('nuevo');
  expect(await a11yViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(dialog).toBeHidden();
  await expect(note(page, title).getByRole('link', { name: '#nuevo' })).toBeVisible();
  await expect(note(second, title).getByRole('link', { name: '#nuevo' })).toBeVisible();

  // An hour later only staff may change them.
  await database.query("update forum_posts set created_at = created_at - interval '1 hour' where id = $1", [id]);
  await page.reload();
  await expect(page.getByRole('button', { name: /^Eliminar/ }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Cambiar categoría/ })).toHaveCount(0);
  await visit(second, `/en/forum/${id}`);
  await second.getByRole('button', { name: `Change category and tags of “${title}”` }).click();
  await second.getByRole('dialog').getByLabel('Category').selectOption('help');
  await second.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(second.getByRole('dialog')).toBeHidden();
  await expect(note(second, title).getByRole('link', { name: 'Help' })).toBeVisible();
  await other.close();
});

test('the ticket of a vote is not shown on the page of another token', async ({ page, member }) => {
  const [first, second] = await rankingOf(page.request);
  await member(page.context());
  const cast = await page.request.post(`/api/candidates/${second?.id}/votes`, { data: {} });
  expect(cast.ok(), await cast.text()).toBe(true);
  await visit(page, `/token/${second?.tokenSlug}/candidate`);
  // Within the site, as by a link: both pages are in the cache afterwards.
  await page.evaluate((path) => {
    window.history.pushState(null, '', path);
    window.history.pushState(null, '', '/vote');
    window.history.back();
  }, `/token/${first?.tokenSlug}/candidate`);
  const heading = (name = '') => page.getByRole('heading', { level: 1, name });
  await expect(heading(first?.tokenName)).toBeVisible();
  await page
    .getByRole('button', { name: /^Votar por/ })
    .first()
    .click();
  const ticket = page.getByRole('region', { name: 'Tu ticket' });
  await expect(ticket).toContainText(first?.tokenName ?? '');
  await page.goBack();
  await expect(heading(second?.tokenName)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Ver mi ticket/ })).toBeVisible();
  await expect(ticket).toHaveCount(0);
});

test('a vote creates a ticket with its own address, and the race shows the round', async ({
  page,
  browser,
  member,
}) => {
  const [token] = await rankingOf(page.request);
  await member(page.context());
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, `/token/${token?.tokenSlug}/candidate`);
  await page
    .getByRole('button', { name: /^Votar por/ })
    .first()
    .click();
  const ticket = page.getByRole('region', { name: 'Tu ticket' });
  await expect(ticket).toContainText(token?.tokenName ?? '');
  await expect(ticket).toContainText('Puesto 1.º');
  // Other notices of the vote do not cover the ticket's buttons. A notice stays for as long as the pointer is over it.
  await expectNotice(page, '¡Voto registrado!');
  await notice(page).hover();
  const [noticeBox, torn] = [await notice(page).boundingBox(), await ticket.boundingBox()];
  if (!noticeBox || !torn) throw new Error('notice or ticket is not there');
  expect(noticeBox.y + noticeBox.height).toBeLessThanOrEqual(torn.y);
  await page.mouse.move(0, 400);
  await page.setViewportSize({ width: 1280, height: 720 });
  // Its height follows its text, not the puppet of the hero.
  expect((await ticket.boundingBox())?.height).toBeLessThan(260);
  // Closed by mistake, it opens again, also after the page was loaded again.
  const again = page.getByRole('button', { name: /^Ver mi ticket/ });
  await ticket.getByRole('button', { name: 'Cerrar el ticket' }).click();
  await expect(ticket).toBeHidden();
  await expect(again).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(ticket).toContainText('Voto n.º');
  await expect(ticket).toBeFocused();
  await page.reload();
  await again.click();
  await expect(ticket).toContainText(token?.tokenName ?? '');
  expect(await a11yViolations(page)).toEqual([]);
  await ticket.getByRole('button', { name: 'Guardar y compartir' }).click();
  const link = ticket.getByRole('link', { name: 'Abrir el ticket' });
  const address = (await link.getAttribute('href')) ?? '';
  const guest = await otherBrowser(browser);
  await guest.grantPermissions(['clipboard-read', 'clipboard-write']);
  const reader = await guest.newPage();
  await visit(reader, address);
  await expect(reader.getByRole('heading', { level: 2, name: token?.tokenName ?? '' })).toBeVisible();
  await expect(reader.getByText('El voto cuenta')).toBeVisible();
  // The open page shows the proof once it is there.
  await expect(reader.getByText('Está en el libro público de votos, bajo una firma.')).toBeVisible({ timeout: 30_000 });
  expect(await a11yViolations(reader)).toEqual([]);
  await reader.getByRole('button', { name: 'Compartir' }).click();
  await expectNotice(reader, 'Enlace copiado');
  expect(await reader.evaluate(() => navigator.clipboard.readText())).toBe(reader.url());
  await visit(reader, '/ticket/00000000-0000-4000-8000-000000000000').catch(() => {});
  await expect(reader.getByRole('heading', { name: 'Este ticket no existe' })).toBeVisible();
  // Also when it is reached within the site: there is nothing to try again.
  await visit(reader, '/vote');
  await reader.evaluate(() => {
    window.history.pushState(null, '', '/ticket/00000000-0000-4000-8000-000000000001');
    window.history.pushState(null, '', '/vote/race');
    window.history.back();
  });
  await expect(reader.getByRole('heading', { level: 1, name: 'Este ticket no existe' })).toBeVisible();
  await expect(reader.getByRole('button', { name: 'Reintentar' })).toHaveCount(0);

  await visit(reader, '/vote/race');
  const slider = reader.getByRole('slider', { name: 'Día' });
  await slider.focus();
  const today = reader.getByRole('list', { name: /hoy, hasta ahora/ });
  await expect(today.getByRole('listitem').first()).toContainText(token?.tokenName ?? '');
  await reader.keyboard.press('Home');
  await expect(today).toHaveCount(0);
  for (const width of [360, 1280]) {
    await reader.setViewportSize({ width, height: 800 });
    expect(await a11yViolations(reader)).toEqual([]);
    expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

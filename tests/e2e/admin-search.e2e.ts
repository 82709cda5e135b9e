import { addUnplacedMoney } from './orders.ts';
import {
  a11yViolations,
  expect,
  expectAfterRetries,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

test('the search of the back office finds screens, tasks and people by keyboard, and the menu shows the number of inbox items', async ({
  page,
  browser,
}) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/audit');
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const member = await signUp(context.request);
  await context.close();
  // Closed, it returns the focus to what had it.
  const back = page.getByRole('link', { name: 'Volver al Dashboard' });
  await back.focus();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(back).toBeFocused();
  // Typed without a pause.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('noticias');
  const dialog = page.getByRole('dialog', { name: 'Buscar en la administración' });
  const box = dialog.getByRole('searchbox');
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('noticias');
  await expect(dialog.getByRole('region', { name: 'Pantallas' }).getByRole('link', { name: 'Noticias' })).toBeVisible();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(await a11yViolations(page)).toEqual([]);
  // A task is found by a term that is not the name of a screen.
  await box.fill('soporte');
  const task = dialog.getByRole('region', { name: 'Tareas' }).getByRole('link', { name: 'Cambiar el buzón de ayuda' });
  await expect(task).toHaveAttribute('href', '/admin/settings#site');
  await box.fill('correo de prueba');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/settings#mail$/);
  await expect(page.getByRole('region', { name: 'Correo', exact: true })).toBeInViewport();
  await page.keyboard.press('Control+k');
  // The sticky bar of a scrolled page stays at the top below a dialog.
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await expect(box).toBeFocused();
  expect(await page.locator('.admin-bar').boundingBox()).toMatchObject({ y: 0 });
  await box.fill('nadie se llama así');
  await expect(dialog.getByText('Nada coincide con «nadie se llama así».')).toBeVisible();
  await box.fill(member.email);
  const found = dialog.getByRole('region', { name: 'Personas' }).getByRole('link');
  await expect(found).toContainText(member.email);
  await page.keyboard.press('ArrowDown');
  await expect(found).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/people\/[0-9a-f-]{36}$/);
  await expect(dialog).toBeHidden();
  const inbox = page.getByRole('navigation', { name: 'Administración' }).getByRole('link', { name: /^Bandeja/ });
  const counts = (await (await page.request.get('/api/admin/inbox/counts')).json()) as Record<string, number>;
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  if (all > 0) await expect(inbox).toContainText(String(all));
  else await expect(inbox).toHaveText('Bandeja');
});

test('a failed search of the back office is reported', async ({ page, pageErrors }) => {
  pageErrors.expectStatus(500);
  await signInAsAdmin(page);
  await page.route('**/rpc/admin/find', (route) =>
    route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500 } } }),
  );
  await page.clock.install();
  await visit(page, '/admin/audit');
  await page.getByRole('button', { name: 'Buscar en la administración' }).click();
  await page.getByRole('searchbox').fill('algo');
  await expectAfterRetries(page, page.getByText('No se pudo buscar', { exact: false }));
});

test('two admins with the same form open see each other’s names within seconds, until one closes the form or the tab', async ({
  page,
  browser,
}) => {
  // An open form sends a request every 5 seconds.
  const NEXT_REQUEST = 6_000;
  await page.clock.install();
  await signInAsAdmin(page);
  await visit(page, '/admin/news');
  const title = `Nota de dos ${Date.now().toString(36)}`;
  const made = await page.request.post('/api/admin/news', { data: { title, content: 'Texto', isActive: false } });
  expect(made.ok()).toBe(true);
  const mine = (await (await page.request.get('/api/me')).json()) as { username: string };
  const otherContext = await otherBrowser(browser);
  const colleague = await signUp(otherContext.request);
  const raised = await page.request.put(`/api/admin/roles/${colleague.id}`, { data: { role: 'admin' } });
  expect(raised.ok()).toBe(true);
  const theirs = await otherContext.newPage();

  await visit(page, `/admin/news?q=${encodeURIComponent(title)}`);
  const reported = page.waitForResponse('**/rpc/admin/editorial/editing');
  await page.getByRole('button', { name: `Editar ${title}` }).click();
  expect((await reported).ok()).toBe(true);
  const shown = page.getByText('lo tiene abierto para editar desde', { exact: false });
  await expect(shown).toHaveCount(0);

  await visit(theirs, `/admin/news?q=${encodeURIComponent(title)}`);
  await theirs.getByRole('button', { name: `Editar ${title}` }).click();
  await expect(theirs.getByText('lo tiene abierto para editar desde', { exact: false })).toContainText(mine.username);
  await page.clock.runFor(NEXT_REQUEST);
  await expect(shown).toContainText(colleague.username);
  expect(await a11yViolations(page)).toEqual([]);

  const closed = theirs.waitForResponse('**/rpc/admin/editorial/editing');
  await theirs.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click();
  expect((await closed).ok()).toBe(true);
  await page.clock.runFor(NEXT_REQUEST);
  await expect(shown).toHaveCount(0);

  // A tab that is closed with the form open is no editor any more either.
  await theirs.getByRole('button', { name: `Editar ${title}` }).click();
  await expect(theirs.getByText('lo tiene abierto para editar desde', { exact: false })).toBeVisible();
  await page.clock.runFor(NEXT_REQUEST);
  await expect(shown).toContainText(colleague.username);
  await theirs.goto('about:blank');
  await page.clock.runFor(NEXT_REQUEST);
  await expect(shown).toHaveCount(0);
  await page.request.put(`/api/admin/roles/${colleague.id}`, { data: { role: 'user' } });
  await otherContext.close();
});

test('a saved view and a hidden column are still stored on the next visit', async ({ page }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/news?status=inactive');
  await page.getByRole('button', { name: 'Vistas y columnas' }).click();
  const dialog = page.getByRole('dialog', { name: 'Vistas y columnas' });
  await dialog.getByRole('button', { name: 'Guardar vista' }).click();
  await expect(dialog.getByText('Escribe un nombre.')).toBeVisible();
  await dialog.getByLabel('Nombre de lo que se ve ahora').fill('Sin publicar');
  await dialog.getByRole('button', { name: 'Guardar vista' }).click();
  await expect(dialog.getByRole('button', { name: 'Sin publicar', exact: true })).toBeVisible();
  await dialog.getByLabel('Autor').uncheck();
  await expect(dialog.getByLabel('Autor')).not.toBeChecked();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(await a11yViolations(page)).toEqual([]);
  await visit(page, '/admin/news');
  await expect(page.getByRole('columnheader', { name: 'Título' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Autor' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Vistas y columnas' }).click();
  await dialog.getByRole('button', { name: 'Sin publicar', exact: true }).click();
  await expect(page).toHaveURL(/status=inactive/);
  await page.getByRole('button', { name: 'Vistas y columnas' }).click();
  await dialog.getByLabel('Autor').check();
  await dialog.getByRole('button', { name: 'Quitar la vista Sin publicar' }).click();
  await expect(dialog.getByText('Todavía no hay ninguna', { exact: false })).toBeVisible();
});

test('the search opens unplaced money, an e-mail without an account, a network and a comment each on its screen', async ({
  page,
  browser,
  database,
}) => {
  const word = `Ajolote${Date.now().toString(36)}`;
  const context = await otherBrowser(browser);
  const member = await signUp(context.request);
  await context.close();
  await addUnplacedMoney(database, word);
  await database.query(
    `insert into forum_comments (post_id, user_id, content)
     select p.id, u.id, $1 from users u, (select id from forum_posts where not is_hidden limit 1) p where u.email = $2`,
    [`Comentario ${word}`, member.email],
  );
  await database.query(
    `insert into token_creation_submissions (petitioner_email, token_data, edit_secret_hash) values ($1, $2, $3)`,
    [`${word.toLowerCase()}@florka.test`, '{}', Buffer.from(word)],
  );
  await signInAsAdmin(page);
  await visit(page, '/admin/audit');
  await expect(page.getByRole('button', { name: 'Buscar en la administración' })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Buscar en la administración' });
  const find = async (terms: string, kind: string) => {
    await page.keyboard.press('Control+k');
    await dialog.getByRole('searchbox').fill(terms);
    const hits = dialog.getByRole('region', { name: kind });
    await expect(hits).toBeVisible();
    return hits.getByRole('link').first();
  };
  await (await find(`${word.toLowerCase()}@flo`, 'Correos sin cuenta')).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${word.toLowerCase()}@florka.test`);
  await (await find(word, 'Comentarios del foro')).click();
  await expect(page.getByText(`Comentario ${word}`)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Moderación' }).getByRole('row')).toHaveCount(2);
  await (await find('polyg', 'Redes')).click();
  await expect(page).toHaveURL(/\/admin\/networks\?q=/);
  await (await find(word, 'Con ese nombre')).click();
  const deposit = page.getByRole('article').filter({ hasText: word });
  await expect(deposit).toBeFocused();
  await database.query('delete from unplaced_payments where provider_payment_id = $1', [word]);
});

import type { Page } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectAfterRetries,
  expectNotice,
  notice,
  otherBrowser,
  rankingOf,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

const narrow = { width: 360, height: 780 };
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
/** Address, heading, procedure that reads the list, and the message of a failed read. */
const SCREENS = [
  ['/admin/news', 'Gestión de Noticias', 'news/list', 'Error al cargar noticias:'],
  ['/admin/votes', 'Sistema de Votación', 'candidates/list', 'Error al cargar candidatos:'],
  ['/admin/votes/rounds', 'Historial de rondas', 'rounds/list', 'Error al cargar rondas:'],
] as const;

test('the screens of news and voting are for admins only, and report a failed read [A-NEWS-01] [A-VOTE-01] [ERR-96]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(403, 503);
  await signUp(page.request);
  for (const [path] of SCREENS) expect((await visit(page, path))?.status()).toBe(403);
  await expect(page.getByRole('heading', { name: 'Acceso Denegado' })).toBeVisible();

  await signInAsAdmin(page);
  await page.clock.install();
  for (const [path, , procedure, failed] of SCREENS) {
    const pattern = `**/rpc/admin/${procedure}*`;
    const failure = page.getByRole('alert').filter({ hasText: failed });
    await page.route(pattern, (route) => route.fulfill({ status: 503, json: {} }));
    await visit(page, path);
    await expectAfterRetries(page, failure);
    await page.unroute(pattern);
    await page.getByRole('button', { name: 'Reintentar' }).first().click();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expect(failure).toHaveCount(0);
  }
});

test('the screens of news and voting fit a phone and are accessible', async ({ page }) => {
  await signInAsAdmin(page);
  await page.setViewportSize(narrow);
  for (const [path, heading] of SCREENS) {
    await visit(page, path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    await expect(page.getByRole('link', { name: /^Volver a/ })).toBeVisible();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await a11yViolations(page)).toEqual([]);
  }
});

test('a news item is written from a template, published, edited, deleted and restored [A-NEWS-02..19] [A-NEWS-21..24] [APP-41] [APP-43] [AMB-165] [AMB-168]', async ({
  page,
  database,
  pageErrors,
}) => {
  // An image that no longer exists.
  pageErrors.expectStatus(404);
  test.setTimeout(120_000);
  const title = `Feria ${Date.now().toString(36)}`;
  await signInAsAdmin(page);
  await visit(page, '/admin/news');
  await expect(page.getByRole('link', { name: 'Volver al Dashboard' })).toHaveAttribute('href', '/admin');
  const again = page.waitForResponse('**/rpc/admin/news/list*');
  await page.getByRole('button', { name: 'Actualizar' }).click();
  await again;
  await expect(page.getByText('En vivo')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/\d+ noticias/);
  await expect
    .poll(async () => (await page.getByRole('columnheader').allInnerTexts()).filter(Boolean))
    .toEqual(['Título', 'Autor', 'Publicación', 'Estado', 'Acciones']);
  const quick = page.getByRole('region', { name: 'Creador Rápido de Noticias' });
  await expect(quick.getByRole('button')).toHaveText(['Novedad del sitio', 'Lanzamiento', 'Votación']);
  await page.getByRole('button', { name: 'Nueva Noticia' }).click();
  await expect(page.getByRole('dialog').getByLabel('Título')).toHaveValue('');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // A sample fills the form and publishes nothing.
  await page.getByRole('button', { name: 'Votación', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Nueva Noticia' });
  await expect(form.getByLabel('Título')).toHaveValue('Resultado de la ronda de votación');
  await expect(form.getByLabel('Autor')).toHaveValue('Admin');
  await form.getByLabel('Título').fill(' ');
  await form.getByLabel('Contenido').fill('');
  await form.getByRole('button', { name: 'Crear' }).click();
  await expect(form.getByText('El título es requerido')).toBeVisible();
  await expect(form.getByText('El contenido es requerido')).toBeVisible();
  await form.getByLabel('Título').fill(title);
  await form.getByLabel('Contenido').fill('Abrimos **hoy** en [la plaza](https://example.org/plaza). <b>No</b>');
  const preview = form.getByRole('region', { name: 'Vista previa' });
  await expect(preview.locator('strong', { hasText: 'hoy' })).toBeVisible();
  await expect(preview.getByRole('link', { name: /la plaza/ })).toHaveAttribute('href', 'https://example.org/plaza');
  await expect(preview.getByText('<b>No</b>')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Crear' }).click();
  await expectNotice(page, 'Noticia creada');

  await expect(rowOf(page, title).getByRole('cell', { name: 'Activa', exact: true })).toBeVisible();
  const unseen = { title: `${title} sin publicar`, content: 'Un borrador.' };
  expect((await page.request.post('/api/admin/news', { data: unseen })).status()).toBe(200);
  await page.getByRole('button', { name: 'Actualizar' }).click();
  const draft = rowOf(page, unseen.title);
  for (const words of ['Admin', 'Sin fecha', 'Inactiva'])
    await expect(draft.getByRole('cell', { name: words, exact: true })).toBeVisible();

  // Times are in Spanish notation; images that cannot be loaded are hidden, and can still be removed.
  const lost = `/media/${'0'.repeat(32)}.webp`;
  await database.query('update news set image_url = $1 where title = $2', [lost, unseen.title]);
  await page.getByRole('button', { name: `Ver ${unseen.title}` }).click();
  const shown = page.getByRole('dialog');
  await expect(shown.getByRole('definition').filter({ hasText: ' a las ' }).first()).toHaveText(
    /^\d{1,2} (ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic) \d{4} a las \d\d:\d\d$/,
  );
  await expect(shown.locator('img')).toHaveCount(1);
  await expect(shown.locator('img')).toBeHidden();
  await shown.getByRole('button', { name: 'Cerrar' }).click();
  await page.getByRole('button', { name: `Editar ${unseen.title}`, exact: true }).click();
  await expect(shown.getByRole('button', { name: 'Quitar imagen' })).toBeVisible();
  await expect(shown.getByRole('img', { name: 'Vista previa de la imagen' })).toHaveCount(0);
  await shown.getByRole('button', { name: 'Cancelar' }).click();

  const visitor = await page.context().newPage();
  await visit(visitor, '/news');
  await expect(visitor.getByRole('heading', { name: title })).toBeVisible();

  await page.getByRole('button', { name: `Editar ${title}`, exact: true }).click();
  const editor = page.getByRole('dialog', { name: 'Editar Noticia' });
  await editor.getByLabel('Título').fill(`${title} II`);
  await editor.getByRole('button', { name: 'Actualizar' }).click();
  await expectNotice(page, 'Noticia actualizada');
  await expect(visitor.getByRole('heading', { name: `${title} II` })).toBeVisible();

  await page.getByRole('button', { name: `Ver ${title} II` }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Ver en el sitio' })).toBeVisible();
  await expect(page.getByRole('dialog').locator('strong', { hasText: 'hoy' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cerrar' }).click();

  await page.getByRole('button', { name: `Eliminar ${title} II` }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirmar Eliminación' });
  await expect(question).toContainText('¿Estás seguro de que quieres eliminar esta noticia?');
  await expect(question).toContainText('Esta acción no se puede deshacer.');
  await question.getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(page, 'Noticia eliminada');
  await expect(visitor.getByRole('heading', { name: `${title} II` })).toHaveCount(0);
  await page.getByText('Papelera', { exact: true }).click();
  await page.getByRole('button', { name: `Restaurar ${title} II` }).click();
  await expectNotice(page, 'Noticia restaurada');
  // It is public again immediately; its notice undoes that.
  await notice(page).getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(page, 'Noticia eliminada');
  await expect(page.getByRole('button', { name: `Restaurar ${title} II` })).toBeVisible();
});

test('a candidate is created and voted for, its votes are reset and restored, and it is deactivated and deleted [A-VOTE-01..12] [A-VOTE-18..20] [ERR-98..101] [AMB-121] [AMB-125]', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  const name = `Noria ${Date.now().toString(36)}`;
  await signInAsAdmin(page);
  await visit(page, '/admin/votes');
  await expect(page.getByRole('link', { name: 'Volver al Dashboard' })).toHaveAttribute('href', '/admin');
  await expect
    .poll(async () => (await page.getByRole('columnheader').allInnerTexts()).filter(Boolean))
    .toEqual(['Token', 'Símbolo', 'Total de votos', 'Orden', 'Activo', 'Acciones']);
  await page.getByRole('button', { name: 'Nuevo Candidato' }).click();
  const form = page.getByRole('dialog', { name: 'Crear Candidato' });
  for (const way of ['Subir archivo', 'URL manual']) await expect(form.getByText(way, { exact: true })).toBeVisible();
  await form.getByRole('button', { name: 'Crear' }).click();
  await expect(form.getByText('El nombre del token es requerido')).toBeVisible();
  await expect(form.getByText('El símbolo del token es requerido')).toBeVisible();
  await form.getByLabel('Nombre del token').fill(name);
  await form.getByLabel('Símbolo').fill('nor');
  await expect(form.getByLabel('Símbolo')).toHaveAttribute('maxlength', '10');
  expect(await a11yViolations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Crear' }).click();
  await expectNotice(page, 'Candidato creado');

  await page.getByRole('searchbox', { name: 'Token, símbolo o dirección' }).fill(name);
  const row = rowOf(page, name);
  await expect(row.getByRole('cell', { name: 'NOR', exact: true })).toBeVisible();
  const reset = row.getByRole('button', { name: `Reiniciar votos de ${name}` });
  await expect(reset).toBeDisabled();

  await row.getByRole('button', { name: `Editar ${name}` }).click();
  const editor = page.getByRole('dialog', { name: 'Editar Candidato' });
  await editor.getByLabel('Orden').fill('41');
  // Not stored as 250.
  await editor.getByLabel('Capitalización (USD)').fill('250.000');
  await editor.getByRole('button', { name: 'Actualizar' }).click();
  await expect(editor.getByText('Escribe un número sin separar los miles, o déjalo vacío.')).toBeVisible();
  await expect(editor.getByLabel('Capitalización (USD)')).toBeFocused();
  await editor.getByLabel('Capitalización (USD)').fill('1,234');
  await editor.getByRole('button', { name: 'Actualizar' }).click();
  await expectNotice(page, 'Candidato actualizado');
  await expect(row.getByRole('cell', { name: '41', exact: true })).toBeVisible();
  // The stored value is accepted unchanged.
  await row.getByRole('button', { name: `Editar ${name}` }).click();
  await expect(editor.getByLabel('Capitalización (USD)')).toHaveValue('1,234');
  await editor.getByLabel('Notas internas').fill('Con cifras');
  await editor.getByRole('button', { name: 'Actualizar' }).click();
  await expectNotice(page, 'Candidato actualizado');
  await expect(row.getByRole('cell', { name: '41', exact: true })).toBeVisible();

  // A vote elsewhere shows here at once.
  const voter = await otherBrowser(browser);
  await signUp(voter.request);
  const id = (await rankingOf(voter.request)).find(({ tokenName }) => tokenName === name)?.id;
  expect((await voter.request.post(`/api/candidates/${id}/votes`, { data: {} })).status()).toBe(200);
  await expect(row).toContainText('+1 hoy');
  await reset.click();
  const question = page.getByRole('alertdialog', { name: 'Confirmar Reinicio de Votos' });
  await expect(question).toContainText('Esta acción no se puede deshacer.');
  // Removing votes requires a reason.
  await question.getByRole('button', { name: 'Reiniciar votos' }).click();
  await expect(question.getByLabel('Motivo')).toHaveAccessibleDescription(/Escribe el motivo/);
  await expect(notice(page)).toHaveCount(0);
  await question.getByLabel('Motivo').fill('Prueba');
  // What was typed is not lost by Escape or the button beside it.
  const discard = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' });
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => question.getByRole('button', { name: 'Cancelar' }).click(),
  ]) {
    await leave();
    await discard.getByRole('button', { name: 'Seguir editando' }).click();
    await expect(discard).toHaveCount(0);
    await expect(question.getByLabel('Motivo')).toHaveValue('Prueba');
  }
  await question.getByRole('button', { name: 'Reiniciar votos' }).click();
  await expectNotice(page, 'Votos reiniciados');
  await expect(reset).toBeDisabled();
  // The notice offers to undo the change.
  await notice(page).getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(page, 'Votos recuperados', 'Volvió 1 voto.');
  await expect(reset).toBeEnabled();
  // A notice stays for as long as the pointer is over it.
  await page.mouse.move(0, 0);
  await expect(notice(page)).toHaveCount(0);
  await reset.click();
  await question.getByLabel('Motivo').fill('Otra vez');
  await question.getByRole('button', { name: 'Reiniciar votos' }).click();
  await expect(reset).toBeDisabled();
  await row.getByRole('button', { name: `Recuperar 1 voto de ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Recuperar votos' }).click();
  await expectNotice(page, 'Votos recuperados');
  await expect(row).toContainText('+1 hoy');

  await row.getByRole('switch').click();
  await expectNotice(page, 'Candidato actualizado');
  await expect(row.getByRole('switch')).not.toBeChecked();
  await notice(page).getByRole('button', { name: 'Deshacer' }).click();
  await expect(row.getByRole('switch')).toBeChecked();
  await page.mouse.move(0, 0);
  await row.getByRole('switch').click();
  await expect(row.getByRole('switch')).not.toBeChecked();
  expect((await rankingOf(voter.request)).map(({ tokenName }) => tokenName)).not.toContain(name);
  await row.getByRole('button', { name: `Eliminar ${name}` }).click();
  await page
    .getByRole('alertdialog', { name: 'Confirmar Eliminación' })
    .getByRole('button', { name: 'Eliminar' })
    .click();
  await expectNotice(page, 'Candidato eliminado');
  await expect(page.getByText('No se encontró nada con estos filtros')).toBeVisible();
  await voter.close();
});

import { expect, expectNotice, held, notice, signInAsAdmin, test, visit } from './support.ts';

test('leaving unsaved settings by link, search or history needs a confirmation, while an anchor or a saved form does not', async ({
  page,
}) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/networks');
  await page.getByRole('navigation').getByRole('link', { name: 'Ajustes', exact: true }).click();
  const rounds = page.getByRole('region', { name: 'Calendario de rondas', exact: true });
  const mail = page.getByRole('region', { name: 'Correo', exact: true });
  const days = rounds.getByLabel('Días de cada ronda');
  const question = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' });
  const stay = async () => {
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Seguir editando' }).click();
    await expect(question).toHaveCount(0);
    await expect(page).toHaveURL(/\/admin\/settings(#mail)?$/);
    await expect(days).toHaveValue('13');
    await expect(mail.getByLabel('Remitente')).toHaveValue('Feria <feria@florka.test>');
  };
  await days.fill('13');
  await mail.getByLabel('Remitente').fill('Feria <feria@florka.test>');
  // Another part of this page is no other page.
  await page.getByRole('link', { name: 'Correo', exact: true }).first().click();
  await expect(page).toHaveURL(/\/admin\/settings#mail$/);
  await expect(question).toHaveCount(0);

  await page.getByRole('navigation').getByRole('link', { name: 'Redes', exact: true }).click();
  await stay();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('searchbox').fill('Redes');
  await page.keyboard.press('Enter');
  await stay();
  // The anchor is one entry of the history, the page before is the next one.
  await page.evaluate(() => history.go(-2));
  await stay();

  // With one form saved the other one still needs a confirmation; with both saved none is needed.
  await mail.getByRole('button', { name: 'Deshacer cambios' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Redes', exact: true }).click();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await rounds.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Ajustes guardados');
  await page.getByRole('navigation').getByRole('link', { name: 'Redes', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/networks$/);
  await expect(question).toHaveCount(0);

  await visit(page, '/admin/settings');
  await days.fill('');
  await rounds.getByRole('button', { name: 'Guardar' }).click();
  await expect(days).toHaveValue('');
  await expect(rounds.getByText('sin guardar')).toHaveCount(0);

  await visit(page, '/en/admin/settings');
  await page.getByLabel('Days of each round').fill('14');
  await page.getByRole('navigation').getByRole('link', { name: 'Networks', exact: true }).click();
  const englishQuestion = page.getByRole('alertdialog', { name: 'Discard the changes?' });
  await expect(englishQuestion).toBeVisible();
  await englishQuestion.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/en\/admin\/networks$/);
  await expect(page.getByLabel('Days of each round')).toHaveCount(0);
  await page.goBack();
  await expect(page.getByLabel('Days of each round')).toHaveValue('');
});

test('leaving the tab of token creation with unsaved input needs a confirmation', async ({ page }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/token-creation?tab=create');
  const id = page.getByLabel('ID de la solicitud');
  const question = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' });
  const networks = page.getByRole('tab', { name: 'Redes' });
  await id.fill('5b6c5a3e');
  await networks.click();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(question).toHaveCount(0);
  await expect(id).toHaveValue('5b6c5a3e');
  await expect(networks).toHaveAttribute('aria-selected', 'false');
  await networks.click();
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expect(page).toHaveURL(/\?tab=networks$/);
  await page.getByRole('tab', { name: 'Creación' }).click();
  await expect(question).toHaveCount(0);
  await expect(id).toHaveValue('');
});

test('closing a form that is being saved needs a confirmation, and a failed save keeps the input', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(503);
  await signInAsAdmin(page);
  const title = `Faro ${Date.now().toString(36)}`;
  const made = await page.request.post('/api/admin/news', { data: { title, content: 'Texto', isActive: false } });
  expect(made.ok(), await made.text()).toBe(true);
  await visit(page, `/admin/news?q=${encodeURIComponent(title)}`);
  const question = page.getByRole('alertdialog', { name: '¿Descartar los cambios?' });
  const editor = page.getByRole('dialog', { name: 'Editar Noticia' });
  const content = editor.getByLabel('Contenido', { exact: true });

  // Refused while the question is open.
  let refuse = () => {};
  const refused = new Promise<void>((done) => {
    refuse = done;
  });
  await page.route(
    '**/rpc/admin/news/update',
    async (route) => {
      await refused;
      await route.fulfill({ status: 503, json: {} });
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: `Editar ${title}` }).click();
  await content.fill('Un texto largo');
  await editor.getByRole('button', { name: 'Actualizar' }).click();
  await page.keyboard.press('Escape');
  await expect(question).toBeVisible();
  refuse();
  await expect(notice(page).getByText('Error al actualizar noticia')).toBeVisible();
  await question.getByRole('button', { name: 'Seguir editando' }).click();
  await expect(content).toHaveValue('Un texto largo');

  // Saved while the question is open: no confirmation is needed any more.
  const release = await held(page, 'news/update');
  await editor.getByRole('button', { name: 'Actualizar' }).click();
  await editor.getByRole('button', { name: 'Cancelar' }).click();
  await expect(question).toBeVisible();
  release();
  await expectNotice(page, 'Noticia actualizada');
  await expect(question).toHaveCount(0);
  await expect(editor).toHaveCount(0);
});

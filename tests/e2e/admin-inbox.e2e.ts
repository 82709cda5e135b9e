import type { APIRequestContext } from '@playwright/test';
import { addUnplacedMoney } from './orders.ts';
import {
  a11yViolations,
  expect,
  expectNotice,
  listening,
  notice,
  otherBrowser,
  runJob,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

/** Writes a post as a new member, and reports it as another one. @returns its id */
async function reported(request: APIRequestContext, title: string): Promise<string> {
  await signUp(request);
  const made = await request.post('/api/forum/posts', { data: { title, content: 'Demasiado bueno.' } });
  const { id } = (await made.json()) as { id: string };
  await signUp(request);
  const report = await request.post('/api/forum/reports', { data: { what: 'post', id, reason: 'scam' } });
  expect(report.ok()).toBe(true);
  return id;
}

test('a moderator of the team takes an item and releases it from the notice, and closes a report only after a confirmation', async ({
  page,
  request,
  browser,
}) => {
  const key = Date.now().toString(36);
  const title = `Denunciado ${key}`;
  await reported(request, title);
  const moderator = await signUp(request, { username: `Turno ${key}` });
  await signInAsAdmin(page);
  const given = await page.request.put(`/api/admin/roles/${moderator.id}`, {
    data: { role: 'admin', staffRoles: ['moderator'] },
  });
  expect(given.ok()).toBe(true);

  const theirs = await (await otherBrowser(browser)).newPage();
  const answers: number[] = [];
  theirs.on('response', (response) => answers.push(response.status()));
  const { email, password } = moderator;
  expect((await theirs.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(200);
  await visit(theirs, '/admin/inbox?source=report');
  await theirs.getByRole('button', { name: `Tomar: ${title}` }).click();
  await expectNotice(theirs, 'Es tuyo');
  await notice(theirs).getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(theirs, 'Queda libre');
  await expect(theirs.getByRole('button', { name: `Tomar: ${title}` })).toBeVisible();

  await theirs.getByRole('button', { name: `Mantener: ${title}` }).click();
  const question = theirs.getByRole('alertdialog', { name: '¿Mantener este texto?' });
  await expect(question).toContainText('sus denuncias quedan cerradas');
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(theirs.getByRole('article', { name: title })).toBeVisible();
  await visit(theirs, `/admin/forum?shelf=reported&q=${encodeURIComponent(title)}`);
  await theirs.getByRole('button', { name: `Mantener: ${title}` }).click();
  await theirs.getByRole('alertdialog').getByRole('button', { name: 'Mantener' }).click();
  await expectNotice(theirs, 'El texto se mantiene');
  await expect(theirs.getByRole('row').filter({ hasText: title })).toHaveCount(0);
  // No request was sent for data that the role may not read.
  expect(answers.filter((status) => status >= 400)).toEqual([]);
  await theirs.context().close();
});

test('a reported post returns to the inbox when its removal is undone', async ({ page, request }) => {
  const title = `Otra vez ${Date.now().toString(36)}`;
  await reported(request, title);
  await signInAsAdmin(page);
  await visit(page, '/admin/inbox?source=report');
  const item = page.getByRole('article', { name: title });
  await item.getByRole('button', { name: /^Ocultar/ }).click();
  const question = page.getByRole('alertdialog', { name: '¿Ocultar este texto?' });
  await question.getByLabel('Norma').selectOption('scam');
  await question.getByLabel('Motivo').fill('Promete lo que no hay');
  await question.getByRole('button', { name: 'Ocultar' }).click();
  await expectNotice(page, 'Texto ocultado');
  await expect(item).toHaveCount(0);
  await notice(page).getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(page, 'Texto restaurado');
  await expect(item).toBeVisible();
});

test('a decision about an inbox item keeps its input when a colleague resolves the item meanwhile', async ({
  page,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(404);
  const title = `A la vez ${Date.now().toString(36)}`;
  const id = await reported(request, title);
  await signInAsAdmin(page);
  await page.clock.install();
  await visit(page, '/admin/inbox?source=report');
  await page.getByRole('button', { name: `Ocultar: ${title}` }).click();
  const question = page.getByRole('alertdialog', { name: '¿Ocultar este texto?' });
  await question.getByLabel('Norma').selectOption('scam');
  await question.getByLabel('Motivo').fill('Promete lo que no hay');
  const settled = await page.request.post(`/api/admin/inbox/report/${id}/resolve`, { data: { decision: 'kept' } });
  expect(settled.ok()).toBe(true);
  const again = page.waitForResponse('**/rpc/admin/inbox/list*');
  await page.clock.fastForward(31_000);
  await again;
  await expect(question.getByLabel('Motivo')).toHaveValue('Promete lo que no hay');
  await question.getByRole('button', { name: 'Ocultar' }).click();
  await expectNotice(page, 'No se pudo resolver');
  await expect(page.getByRole('article', { name: title })).toHaveCount(0);
});

test('a decision about unplaced money keeps its input when a colleague resolves it meanwhile, and saving shows the conflict', async ({
  page,
  database,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  const id = `deposito-${Date.now().toString(36)}`;
  await addUnplacedMoney(database, id);
  await signInAsAdmin(page);
  await page.clock.install();
  await visit(page, '/admin/token-creation');
  const entry = page.getByRole('article', { name: id });
  await entry.getByRole('button', { name: 'Resuelto fuera' }).click();
  const form = page.getByRole('dialog', { name: 'Resuelto fuera' });
  await form.getByLabel('Motivo').fill('Se devolvió en su panel');
  await database.query(
    `update unplaced_payments set settled_at = now(), reason = 'Ya devuelto', version = version + 1
     where provider_payment_id = $1`,
    [id],
  );
  await page.clock.fastForward(31_000);
  await expect(page.locator('article').filter({ hasText: id })).toHaveCount(0);
  await expect(form.getByLabel('Motivo')).toHaveValue('Se devolvió en su panel');
  await form.getByRole('button', { name: 'Quitar de la lista' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Otra persona guardó antes' })).toContainText('Ya devuelto');
  await database.query('delete from unplaced_payments where provider_payment_id = $1', [id]);
});

test('on a phone the filters of the inbox are collapsed, and their button shows how many are active', async ({
  page,
}) => {
  await signInAsAdmin(page);
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, '/admin/inbox?mine=no');
  const filters = page.getByRole('button', { name: 'Filtros' });
  await expect(filters).toHaveText('Filtros1');
  await expect(page.getByRole('radio', { name: 'Lo mío' })).toHaveCount(0);
  await filters.click();
  await expect(page.getByRole('radio', { name: 'Lo mío' })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(filters).toHaveCount(0);
  await expect(page.getByRole('radio', { name: 'Lo mío' })).toBeVisible();
});

test('failed jobs are retried or discarded; support is notified of its own overdue work and does not see failed jobs', async ({
  page,
  request,
  browser,
  database,
}) => {
  const reason = `connect ECONNREFUSED ${'a_long_name_of_a_host_'.repeat(6)}.example.org:465`;
  for (const name of ['notify-launches', 'check-proofs'])
    await database.query(
      `insert into jobs.job (name, data, state, output, created_on, completed_on)
       values ($1, '{}', 'failed', $2, now() - interval '31 hours', now() - interval '30 hours')`,
      [name, { message: reason }],
    );
  await signInAsAdmin(page);
  const [again, givenUp] = ['Avisos de lanzamientos', 'Revisión de creadores verificados'];
  const item = (name: string) => page.getByRole('article', { name }).filter({ hasText: reason });
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await visit(page, '/admin/inbox?source=job');
    await expect(item(again)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(await a11yViolations(page)).toEqual([]);
  await item(again)
    .getByRole('button', { name: `Intentar de nuevo: ${again}` })
    .click();
  await expectNotice(page, 'La tarea se intenta de nuevo');
  await expect(item(again)).toHaveCount(0);
  await item(givenUp)
    .getByRole('button', { name: `Descartar: ${givenUp}` })
    .click();
  const question = page.getByRole('alertdialog', { name: '¿Descartar esta tarea?' });
  await expect(question).toContainText('lo que debía hacer no se hará');
  await question.getByRole('button', { name: 'Descartar' }).click();
  await expectNotice(page, 'Tarea descartada');
  await expect(item(givenUp)).toHaveCount(0);

  const support = await signUp(request, { username: `Soporte ${Date.now().toString(36)}` });
  const given = await page.request.put(`/api/admin/roles/${support.id}`, {
    data: { role: 'admin', staffRoles: ['support'] },
  });
  expect(given.ok()).toBe(true);
  const mark = `Kiosco ${Date.now().toString(36)}`;
  await database.query(
    `insert into project_submissions (submitter_name, submitter_email, project_data, created_at)
     values ('Inés', 'ines@florka.test', json_build_object('projectName', $1::text), now() - interval '7 days')`,
    [mark],
  );
  const theirs = await otherBrowser(browser);
  const { email, password } = support;
  expect((await theirs.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(200);
  const screen = await theirs.newPage();
  await visit(screen, '/en');
  await listening(screen);
  await runJob(database, 'notify-staff');
  await screen
    .getByRole('banner')
    .getByRole('link', { name: /^Notifications: \d+ unread$/ })
    .click();
  await screen.getByRole('link', { name: /of the inbox (is|are) past/ }).click();
  await expect(screen).toHaveURL('/en/admin/inbox');
  await expect(screen.getByRole('article', { name: mark })).toBeVisible();
  await expect(screen.getByText('Failed job')).toHaveCount(0);
  await theirs.close();
});

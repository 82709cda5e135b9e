import type { Page } from '@playwright/test';
import {
  a11yViolations,
  expect,
  expectNotice,
  notice,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

/** Neither wider than a phone nor with an accessibility violation, there and on a desktop. */
async function expectFits(page: Page): Promise<void> {
  // A notice under the mouse stays.
  await page.mouse.move(0, 0);
  await expect(notice(page)).toHaveCount(0);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    // An element half below the bar would be measured as too small.
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await a11yViolations(page)).toEqual([]);
  }
}

test('a person is found by name, gets staff notes, and is notified when an admin views their account', async ({
  page,
  browser,
}) => {
  const context = await otherBrowser(browser);
  const person = await signUp(context.request);
  await signInAsAdmin(page);
  await visit(page, '/admin/people');
  await expect(page.getByText('¿A quién buscas?')).toBeVisible();
  const box = page.getByLabel('Nombre, correo o número', { exact: false });
  await box.fill('FL-0000000000');
  await box.press('Enter');
  await expect(page.getByText('Nadie con ese nombre o número')).toBeVisible();
  await expect(box).toBeFocused();
  // An order without a mailbox is found among the orders.
  await expect(page.getByRole('link', { name: 'Buscarlo en los pedidos' })).toHaveAttribute(
    'href',
    '/admin/token-creation?q=FL-0000000000',
  );
  await box.fill(person.username);
  await box.press('Enter');
  await page.getByRole('link', { name: person.username }).click();
  await expect(page.getByRole('heading', { level: 1, name: person.username })).toBeVisible();
  await expect(page.getByText('Sin pedidos.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Correos enviados' })).toContainText('Confirmar el correo');
  await page.getByLabel('Nota nueva').fill('Llamó por su pedido.');
  await page.getByRole('button', { name: 'Añadir nota' }).click();
  await expectNotice(page, 'Nota añadida');
  await expect(page.getByText('Llamó por su pedido.')).toBeVisible();
  // Notes have no trash: removing one needs a confirmation.
  await page.getByLabel('Nota nueva').fill('En la ficha equivocada.');
  await page.getByRole('button', { name: 'Añadir nota' }).click();
  await page.getByRole('button', { name: 'Quitar la nota «En la ficha equivocada.»' }).click();
  const removal = page.getByRole('alertdialog', { name: '¿Quitar esta nota?' });
  await expect(removal).toContainText('En la ficha equivocada.');
  await expect(removal).toContainText('Esta acción no se puede deshacer.');
  await removal.getByRole('button', { name: 'Quitar' }).click();
  await expectNotice(page, 'Nota quitada');
  await expect(page.getByText('En la ficha equivocada.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Ver lo que ve' }).click();
  const question = page.getByRole('alertdialog', { name: 'Qué ve esta persona' });
  await question.getByRole('button', { name: 'Ver y avisarle' }).click();
  await question.getByLabel('Motivo', { exact: false }).fill('Preguntó por sus avisos');
  await question.getByRole('button', { name: 'Ver y avisarle' }).click();
  const seen = page.getByRole('dialog', { name: 'Qué ve esta persona' });
  await expect(seen.getByText('Avisos (1 sin leer)')).toBeVisible();
  await seen.getByRole('button', { name: 'Cerrar', exact: true }).first().click();
  const theirs = await context.newPage();
  await theirs.goto(new URL('/notifications', page.url()).href);
  await expect(theirs.getByText('El equipo ha mirado lo que ves', { exact: false })).toBeVisible();
  await expectFits(page);
  await context.close();
});

test('a role selected on the page of one person is not selected on the page of another', async ({ page, request }) => {
  const [first, second] = [await signUp(request), await signUp(request)];
  await signInAsAdmin(page);
  await visit(page, `/admin/people/${first.id}`);
  const role = page.getByLabel('Rol a asignar');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await expect(role).toHaveValue('user');
  // Within the site, as by a link: both pages are in the cache afterwards.
  await page.evaluate((path) => {
    window.history.pushState(null, '', path);
    window.history.pushState(null, '', '/admin');
    window.history.back();
  }, `/admin/people/${second.id}`);
  await expect(heading(second.username)).toBeVisible();
  await expect(role).toHaveValue('user');
  await page.goBack();
  await expect(heading(first.username)).toBeVisible();
  await role.selectOption('moderator');
  await page.goForward();
  await expect(heading(second.username)).toBeVisible();
  await expect(role).toHaveValue('user');
});

test('an account is approved, edited and made moderator on the page of its person, where older notes are loaded on request', async ({
  page,
  browser,
  database,
}) => {
  const context = await otherBrowser(browser);
  const person = await signUp(context.request);
  await database.query(
    `insert into staff_notes (user_id, text, created_at)
     select id, 'Nota ' || n || '.', now() - n * interval '1 hour' from users, generate_series(1, 65) n where email = $1`,
    [person.email],
  );
  await database.query(
    `insert into linked_wallets (user_id, family, address)
     select id, 'evm', '0x52908400098527886E0F7030069857D2E4169EE7' from users where email = $1`,
    [person.email],
  );
  // A name that no line of a phone can hold.
  const draft = { tokenName: 'Superdesoxirribonucleicofotovoltaicaotorrinolaringologicamente', tokenSymbol: 'LARGO' };
  expect((await context.request.post('/api/token-requests', { data: { data: draft } })).ok()).toBe(true);
  await signInAsAdmin(page);
  await visit(page, `/admin/people?q=${person.username}`);
  await page.getByRole('link', { name: person.username }).click();
  await expect(page.getByRole('region', { name: 'Wallets vinculadas' })).toContainText('0x52908400…E4169EE7');

  const notes = page.getByRole('region', { name: 'Notas del equipo' });
  await expect(notes.getByRole('listitem')).toHaveCount(30);
  const more = notes.getByRole('button', { name: 'Ver más: Notas del equipo' });
  await more.click();
  await expect(notes.getByRole('listitem')).toHaveCount(60);
  await expect(notes.getByRole('listitem').filter({ hasText: 'Nota 31.' })).toBeFocused();
  await more.click();
  await expect(notes.getByRole('listitem')).toHaveCount(65);
  await expect(more).toHaveCount(0);

  const account = page.getByRole('region', { name: 'Cuenta', exact: true });
  await expect(account).toContainText('Pendiente');
  await account.getByRole('button', { name: 'Aprobar' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Aprobar' }).click();
  await expect(account).toContainText('Aprobado');

  await account.getByRole('button', { name: 'Editar' }).click();
  const form = page.getByRole('dialog', { name: `Editar a ${person.email}` });
  await form.getByLabel('Nombre de usuario').fill(`${person.username}x`);
  await form.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `${person.username}x` })).toBeVisible();

  await account.getByLabel('Rol a asignar').selectOption('Moderador');
  await account.getByRole('button', { name: `Asignar Moderador a ${person.username}x` }).click();
  await expect(account.locator('dl')).toContainText('Moderador');
  await expectNotice(page, 'Rol Asignado');
  await notice(page).filter({ hasText: 'Rol Asignado' }).getByRole('button', { name: 'Deshacer' }).click();
  await expect(account.locator('dl')).toContainText('Usuario');
  // The rights of an admin are confirmed first.
  await account.getByLabel('Rol a asignar').selectOption('Administrador');
  await account.getByRole('checkbox', { name: 'Soporte' }).check();
  await account.getByRole('button', { name: `Asignar Administrador: Soporte a ${person.username}x` }).click();
  await expect(page.getByRole('alertdialog')).toContainText(`${person.username}x pasa a ser Administrador: Soporte.`);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar' }).click();
  await expectFits(page);
  await context.close();
});

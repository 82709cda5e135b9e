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

test('a person is found by name, noted about, and told when somebody looks at what they see', async ({
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
  await context.close();
});

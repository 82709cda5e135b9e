import { a11yViolations, expect, otherBrowser, signInAsAdmin, test, visit } from './support.ts';

const SELECT_ALL = 'Seleccionar toda la página';

test('several publication requests are marked and rejected at once, and an undo restores the status of each', async ({
  page,
  browser,
  baseURL,
}) => {
  const key = `Lote ${Date.now().toString(36)}`;
  const elsewhere = await otherBrowser(browser);
  for (const name of ['uno', 'dos', 'tres']) {
    const sent = await elsewhere.request.post(`${baseURL}/api/submissions`, {
      data: {
        projectName: `${key} ${name}`,
        symbol: 'LOT',
        resemblanceAccepted: true,
        description: 'Una de varias.',
        submitterName: `${key} ${name}`,
        submitterEmail: `${name}-${Date.now()}@florka.test`,
      },
    });
    expect(sent.status()).toBe(200);
  }
  await elsewhere.close();
  await signInAsAdmin(page);
  await visit(page, `/admin/submissions?q=${encodeURIComponent(key)}`);
  const row = (name: string) =>
    page
      .getByRole('row')
      .filter({ hasText: `${key} ${name}` })
      .first();
  await expect(row('tres')).toContainText('Nueva');
  await page.getByRole('checkbox', { name: SELECT_ALL }).first().check();
  // By the keyboard: the buttons of the selection are in the order of the page.
  await page.getByRole('button', { name: 'Marcar como revisadas' }).focus();
  await page.keyboard.press('Enter');
  const report = page.getByRole('dialog', { name: 'Resultado' });
  await expect(report.getByText('3 de 3 hechos')).toBeVisible();
  await report.getByRole('button', { name: 'Cerrar' }).click();
  await expect(row('uno')).toContainText('Revisada');

  // A colleague answers one while the question is open.
  await page.getByRole('checkbox', { name: SELECT_ALL }).first().check();
  await page.getByRole('button', { name: 'Rechazar', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Rechazar solicitudes' });
  await expect(question.getByText('el correo, no', { exact: false })).toBeVisible();
  const { rows } = (await (
    await page.request.get(`/api/admin/submissions?q=${encodeURIComponent(`${key} uno`)}`)
  ).json()) as { rows: { id: string; version: number }[] };
  const [first] = rows;
  const answered = await page.request.put(`/api/admin/submissions/${first?.id}`, {
    data: { version: first?.version, status: 'approved', adminNotes: '' },
  });
  expect(answered.ok()).toBe(true);
  await question.getByRole('button', { name: 'Rechazar' }).click();
  await expect(report.getByText('2 de 3 hechos')).toBeVisible();
  await expect(report.getByRole('listitem').filter({ hasText: `${key} uno` })).toContainText(
    /Lo cambió .+ mientras tanto/,
  );
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await a11yViolations(page)).toEqual([]);
  }
  await report.getByRole('button', { name: 'Deshacer' }).click();
  await expect(report.getByText('Deshecho: 2 de 2')).toBeVisible();
  await report.getByRole('button', { name: 'Cerrar' }).click();
  await expect(row('dos')).toContainText('Revisada');
  await expect(row('uno')).toContainText('Aprobada');
});

test('several vote clusters are voided at once with one reason, and an undo opens them again', async ({
  page,
  database,
}) => {
  await database.query(
    `insert into vote_review_clusters (round_id, signal, key, found_at, grown_at)
     select id, 'lockstep', gen_random_uuid()::text, now(), now() from voting_rounds, generate_series(1, 2) where status = 'open'`,
  );
  await signInAsAdmin(page);
  await visit(page, '/en/admin/vote-review?signal=lockstep');
  const choices = page.getByRole('checkbox', { name: /^Select Lockstep/ });
  await expect(choices).toHaveCount(2);
  const decide = async () => {
    for (const choice of await choices.all()) await choice.check();
    await page.getByRole('button', { name: 'Void the votes' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('2 clusters chosen');
    await question.getByRole('textbox').fill('A farm of accounts');
    await question.getByRole('button', { name: 'Void' }).click();
    await expect(page.getByRole('dialog', { name: 'Result' }).getByText('2 of 2 done')).toBeVisible();
  };
  await decide();
  const report = page.getByRole('dialog', { name: 'Result' });
  expect(await a11yViolations(page)).toEqual([]);
  await report.getByRole('button', { name: 'Undo' }).click();
  await expect(report.getByText('Undone: 2 of 2')).toBeVisible();
  await report.getByRole('button', { name: 'Close' }).click();
  await expect(choices).toHaveCount(2);
  await decide();
  await report.getByRole('button', { name: 'Close' }).click();
  await expect(choices).toHaveCount(0);
});

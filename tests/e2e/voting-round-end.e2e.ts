// The end of a round, on a server of its own: it is moved, and the round is closed early.
import { type Candidate, expect, expectNotice, OwnServer, test, visit } from './support.ts';

const server = new OwnServer({ ADMIN_SECOND_FACTOR: 'off' });
test.beforeAll(() => server.start());
test.afterAll(() => server.end());

test('the end of the round is typed in the date format of the page’s language', async ({ page }) => {
  const data = { email: 'admin@florka.test', password: 'admin-password' };
  expect((await page.request.post(`${server.url}/api/auth/sign-in`, { data })).status()).toBe(200);
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  const typed = (at: Date, month: 'first' | 'second') => {
    const parts = [at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'));
    return `${(month === 'first' ? parts : parts.reverse()).join('/')}/${at.getFullYear()} 12:30`;
  };
  for (const [language, opener, label, save, done, month] of [
    ['', 'Mover el cierre', 'Cierre de la ronda (tu hora local)', 'Guardar', 'Cierre actualizado', 'second'],
    ['/en', 'Move the end', 'End of the round (your local time)', 'Save', 'End updated', 'first'],
  ] as const) {
    const at = days(language ? 6 : 5);
    await visit(page, `${server.url}${language}/admin/votes`);
    await page.getByRole('button', { name: opener }).click();
    const dialog = page.getByRole('dialog', { name: opener });
    const field = dialog.getByLabel(label);
    await expect(field).toHaveValue(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/);
    await field.fill('mañana');
    await dialog.getByRole('button', { name: save, exact: true }).click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await field.fill(typed(at, month));
    await dialog.getByRole('button', { name: save, exact: true }).click();
    await expectNotice(page, done);
    const round = (await (await page.request.get(`${server.url}/api/admin/rounds/current`)).json()) as {
      round: { closesAt: string };
    };
    const noon = new Date(at.getFullYear(), at.getMonth(), at.getDate(), 12, 30);
    expect(round.round.closesAt).toBe(noon.toISOString());
  }
});

test('an end of the round that a colleague moves while the form is open is not overwritten', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  const data = { email: 'admin@florka.test', password: 'admin-password' };
  expect((await page.request.post(`${server.url}/api/auth/sign-in`, { data })).status()).toBe(200);
  const current = async () => {
    const answer = await page.request.get(`${server.url}/api/admin/rounds/current`);
    return ((await answer.json()) as { round: { id: string; closesAt: string } }).round;
  };
  await visit(page, `${server.url}/admin/votes`);
  await page.getByRole('button', { name: 'Mover el cierre' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mover el cierre' });
  await dialog.getByLabel('Cierre de la ronda (tu hora local)').fill('31/12/2099 12:30');
  const { id, closesAt: seenClosesAt } = await current();
  const closesAt = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const moved = await page.request.put(`${server.url}/api/admin/rounds/${id}`, { data: { seenClosesAt, closesAt } });
  expect(moved.ok(), await moved.text()).toBe(true);
  // The page behind the dialog shows the new end.
  await expect(page.locator(`time[datetime="${closesAt}"]`)).toBeAttached({ timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expectNotice(page, 'Error al mover el cierre');
  await expect(dialog.getByLabel('Cierre de la ronda (tu hora local)')).toHaveValue('31/12/2099 12:30');
  expect((await current()).closesAt).toBe(closesAt);
});

test('a round is closed early after step-up, and its winner is graduated to NEXT once, with the final result [A-NEXT-18] [AMB-108] [AMB-212]', async ({
  page,
  request,
  pageErrors,
}) => {
  test.setTimeout(120_000);
  pageErrors.expectStatus(403, 409);
  const data = { email: 'admin@florka.test', password: 'admin-password' };
  expect((await page.request.post(`${server.url}/api/auth/sign-in`, { data })).status()).toBe(200);
  const database = await server.database();
  await database.query(`update sessions set proved_at = now() - interval '11 minutes'`);
  await database.end();
  // A round that ends while votes from before the ledger are still being entered gets no signed result.
  await expect
    .poll(async () => (await page.request.get(`${server.url}/ledger/checkpoint`)).status(), { timeout: 60_000 })
    .toBe(200);
  const answer = await page.request.get(`${server.url}/api/candidates?limit=100`);
  const frozen = ((await answer.json()) as { items: Candidate[] }).items;
  await visit(page, `${server.url}/admin/votes`);
  const panel = page.getByRole('region', { name: /^Ronda \d+$/ });
  const number = Number((await panel.getByRole('heading', { level: 2 }).innerText()).replace(/\D/g, ''));
  const winner = (await panel.getByRole('listitem').first().locator('[dir=auto]').innerText()).trim();

  // Before its time the round closes only with a typed word and a reason that everybody reads [AMB-212].
  await page.getByRole('button', { name: 'Cerrar antes de tiempo' }).click();
  const early = page.getByRole('alertdialog', { name: 'Cerrar antes de tiempo' });
  await expect(early).toContainText(`¿Cerrar la ronda ${number} ahora?`);
  await early.getByRole('textbox').first().fill('Fallo en la lista de candidatos');
  await expect(early.getByRole('button', { name: 'Cerrar antes de tiempo' })).toBeDisabled();
  await early.getByLabel('Escribe «CERRAR» para confirmar').fill('CERRAR');
  await early.getByRole('button', { name: 'Cerrar antes de tiempo' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirma que eres tú' });
  await proof.getByLabel('Tu contraseña').fill('admin-password');
  await proof.getByRole('button', { name: 'Confirmar' }).click();
  await expectNotice(page, 'Ronda cerrada');
  await expect(page.getByRole('heading', { level: 2, name: `Ronda ${number + 1}` })).toBeVisible();
  const visitor = await page.context().newPage();
  await visit(visitor, `${server.url}/vote`);
  const result = visitor.getByRole('region', { name: `Resultado de la ronda ${number}` });
  await expect(result).toContainText('Motivo: Fallo en la lista de candidatos');
  await expect(result.getByRole('listitem').first()).toContainText(winner);

  // Votes of the next round change no result: neither the page's, nor the ledger's signed one, nor what is graduated.
  const voter = { email: `voter-${Date.now()}@florka.test`, password: 'a-good-password' };
  expect((await request.post(`${server.url}/api/auth/sign-up`, { data: voter })).status()).toBe(200);
  const [first, second] = frozen;
  const cast = (id = '') => request.post(`${server.url}/api/candidates/${id}/votes`, { data: {} });
  expect((await cast(second?.id)).status()).toBe(200);
  const refused = await cast(first?.id);
  expect([refused.status(), await refused.json()]).toMatchObject([409, { code: 'ROUND_ENDED' }]);
  const shown = frozen.slice(0, await result.getByRole('listitem').count());
  await visitor.reload();
  for (const [i, { tokenName, totalVotes }] of shown.entries())
    await expect(result.getByRole('listitem').nth(i)).toContainText(
      new RegExp(`${tokenName}.* ${totalVotes.toLocaleString('es', { useGrouping: 'min2' })} voto`),
    );
  await visitor.close();
  const signed = () => page.request.get(`${server.url}/ledger/results/round/${number}`);
  await expect.poll(async () => (await signed()).status(), { timeout: 60_000 }).toBe(200);
  const statement = await (await signed()).text();
  const rows = [...statement.matchAll(/^\d+ ([0-9a-f-]{36}) (\d+) /gm)].map(([, id, votes]) => [id, Number(votes)]);
  expect(rows).toEqual(frozen.map(({ id, totalVotes }) => [id, totalVotes]));
  const log = await page.context().newPage();
  await visit(log, `${server.url}/admin/audit?action=round.closed_early`);
  await expect(log.getByRole('listitem').filter({ hasText: 'Ronda cerrada antes de tiempo' })).toContainText(
    'Fallo en la lista de candidatos',
  );
  await log.close();

  // A second tab still shows the winner when the first one graduates it.
  const late = await page.context().newPage();
  await late.route('**/live', (route) => route.abort());
  await visit(late, `${server.url}/admin/votes`);
  await late.getByRole('button', { name: 'Graduar ganador' }).click();
  await expect(late.getByRole('alertdialog', { name: 'Graduar ganador' })).toBeVisible();
  // A tab without its stream reads at intervals, and would learn of the graduation on a slow machine.
  await late.route('**/rpc/**', (route) => {
    if (route.request().url().includes('promoteWinner')) return route.fallback();
  });

  await page.getByRole('button', { name: 'Graduar ganador' }).click();
  const question = page.getByRole('alertdialog', { name: 'Graduar ganador' });
  await expect(question).toContainText(
    new RegExp(`¿Graduar a ${winner}, ganador de la ronda ${number} con ${first?.totalVotes} voto`),
  );
  await expect(question).toContainText('Es definitivo: no se puede deshacer.');
  await expect(question.getByRole('button', { name: 'Graduar ganador' })).toBeDisabled();
  await question.getByLabel('Escribe «GRADUAR» para confirmar').fill('GRADUAR');
  await question.getByRole('button', { name: 'Graduar ganador' }).click();
  await expectNotice(page, 'Ganador graduado', `${winner} ya está en NEXT.`);
  await expect(page.getByRole('row').filter({ hasText: winner })).toContainText(`Ganó la ronda ${number}`);

  await late.getByLabel('Escribe «GRADUAR» para confirmar').fill('GRADUAR');
  await late.getByRole('alertdialog').getByRole('button', { name: 'Graduar ganador' }).click();
  await expectNotice(late, 'Error al graduar ganador', 'La ronda cambió mientras tanto: mira quién va primero ahora.');

  await page.getByRole('link', { name: 'Historial de rondas' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: `Ronda ${number}` })
    .getByRole('link', { name: winner })
    .click();
  await expect(page.getByRole('heading', { name: winner }).first()).toBeVisible();
  const { items } = (await (await page.request.get(`${server.url}/api/next-projects?limit=100`)).json()) as {
    items: { tokenName: string; isVotingWinner: boolean }[];
  };
  expect(items.filter((one) => one.tokenName === winner && one.isVotingWinner)).toHaveLength(1);
});

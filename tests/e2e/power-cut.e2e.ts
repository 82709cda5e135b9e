import {
  expect,
  expectNotice,
  listening,
  OwnServer,
  otherBrowser,
  placeOf,
  rankingOf,
  ready,
  rowOf,
  signUp,
  test,
  visit,
  votesOf,
  watch,
} from './support.ts';

// From nothing, as a new installation starts.
const server = new OwnServer({}, { empty: true });
test.use({ baseURL: server.url });
test.beforeAll(() => server.start());
test.afterAll(() => server.end());

/** A candidate, the one before it, and how many votes it lacks until one more passes it. */
function closestRace(ranking: Awaited<ReturnType<typeof rankingOf>>) {
  return ranking
    .slice(1)
    .map((candidate, i) => {
      const rival = ranking[i] as typeof candidate;
      const gap = rival.totalVotes - candidate.totalVotes;
      // With equal totals the earlier one is ahead: one vote more is needed to pass it.
      return { candidate, rival, lacking: gap, place: i + 1 };
    })
    .filter(({ lacking }) => lacking >= 0)
    .toSorted((a, b) => a.lacking - b.lacking)[0];
}

test('a visitor signs up and votes, and a power cut of the server does not undo the vote [VOTE-01..07] [VOTE-10..15] [AUTH-18] [ERR-09] [ERR-34] [ERR-37] [ERR-39] [HDR-08..11]', async ({
  page,
  context,
  browser,
  request,
  pageErrors,
}) => {
  test.setTimeout(90_000);
  const race = closestRace(await rankingOf(request));
  if (!race) throw new Error('no race in the demo content');
  const { candidate, rival, place } = race;
  const name = candidate.tokenName;
  const before = candidate.totalVotes + race.lacking;
  const number = (value: number) => new Intl.NumberFormat('es-ES', { useGrouping: 'always' } as never).format(value);
  const database = await server.database();
  for (let i = 0; i < race.lacking; i++) {
    const friend = await otherBrowser(browser, { baseURL: server.url });
    const { id } = await signUp(friend.request);
    // Eight accounts that vote within three seconds of their sign-up would be put under review, at any moment from then on.
    await database.query(`update users set created_at = now() - interval '2 days' where id = $1`, [id]);
    expect((await friend.request.post(`/api/candidates/${candidate.id}/votes`)).status()).toBe(200);
    await friend.close();
  }
  await database.end();

  // A second browser, which only reads.
  const elsewhere = await otherBrowser(browser, { baseURL: server.url });
  const elsewhereErrors = watch(elsewhere);
  const screen = await elsewhere.newPage();
  await visit(screen, '/vote');
  await listening(screen);
  await expect(votesOf(screen, name)).toHaveText(number(before));
  await expect(placeOf(screen, name)).toHaveText(String(place + 1));
  await expect(placeOf(screen, rival.tokenName)).toHaveText(String(place));

  // A visitor wants to vote and has to sign in.
  await visit(page, '/');
  await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Vote' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Vota por el próximo lanzamiento' })).toBeVisible();
  await expect(page.getByText('Inicia sesión para votar por tus candidatos favoritos.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' })).toHaveAttribute('href', '/auth');
  await rowOf(page, name)
    .getByRole('button', { name: `Votar por ${name}` })
    .click();
  await expectNotice(page, 'Sesión requerida', 'Debes iniciar sesión para votar');
  await expect(page).toHaveURL('/auth');

  // Signs up by hand.
  await page.getByRole('tab', { name: 'Registrarse' }).click();
  const form = page.getByRole('form', { name: 'Registrarse' });
  await form.getByLabel('Correo electrónico').fill('Ana@Florka.Test');
  await form.getByLabel('Nombre de usuario').fill('Ana la Maga');
  await form.getByLabel('Contraseña').fill('una-clave-larga');
  await form.getByRole('button', { name: 'Registrarse' }).click();
  await expectNotice(page, '¡Registro exitoso!', 'Tu cuenta ha sido creada. Ya puedes acceder al foro.');
  await expect(page).toHaveURL('/vote');
  await expect(rowOf(page, name).getByRole('button', { name: `Votar por ${name}` })).toBeFocused();
  const header = page.getByRole('banner');
  await expect(header.getByText('ana@florka.test').filter({ visible: true })).toBeVisible();
  await expect(header.getByRole('button', { name: 'Salir' })).toBeVisible();
  await expect(header.getByRole('link', { name: 'Get Started' })).toHaveCount(0);

  // Another device of hers, whose page was opened before the vote and does not know of it.
  const otherDevice = await otherBrowser(browser, { baseURL: server.url, storageState: await context.storageState() });
  const tab = await otherDevice.newPage();
  await visit(tab, '/vote');
  await expect(tab.getByText('Sesión iniciada como ana@florka.test. ¡Tus votos cuentan!')).toBeVisible();
  const voteInTab = rowOf(tab, name).getByRole('button', { name: `Votar por ${name}` });
  await expect(voteInTab).toBeVisible();
  // It must not learn of the vote by another request.
  await tab.route('**/rpc/voting/mine*', (route) => route.fulfill({ json: { json: [] } }));

  // The vote is seen elsewhere without a reload.
  await rowOf(page, name)
    .getByRole('button', { name: `Votar por ${name}` })
    .click();
  await expect(votesOf(screen, name)).toHaveText(number(before + 1));
  await expect(placeOf(screen, name)).toHaveText(String(place));
  await expect(placeOf(screen, rival.tokenName)).toHaveText(String(place + 1));
  await expectNotice(page, '¡Voto registrado!');
  const voted = rowOf(page, name).getByRole('button', { name: `Ya has votado por ${name} hoy` });
  await expect(voted).toBeDisabled();

  // The other device tries the same.
  pageErrors.expectStatus(409);
  await voteInTab.click();
  await expectNotice(
    tab,
    'Ya has votado',
    'Ya has votado por este candidato hoy. Solo puedes votar una vez por día por candidato.',
  );
  await expect(votesOf(screen, name)).toHaveText(number(before + 1));
  await otherDevice.close();

  // Takes it back, and votes again.
  await rowOf(page, name)
    .getByRole('button', { name: `Eliminar voto por ${name}` })
    .click();
  await expectNotice(page, 'Voto eliminado');
  await expect(votesOf(screen, name)).toHaveText(number(before));
  await rowOf(page, name)
    .getByRole('button', { name: `Votar por ${name}` })
    .click();
  await expect(votesOf(screen, name)).toHaveText(number(before + 1));

  // The server is killed. Open screens report it, and recover by themselves.
  const quiet = pageErrors.seen.length + elsewhereErrors.seen.length;
  expect(quiet).toBe(0);
  await server.kill();
  await expect(screen.getByText('Reconectando')).toBeVisible();
  await server.start();
  await listening(screen);
  await expect(screen.getByText('En vivo')).toBeVisible();
  await expect(votesOf(screen, name)).toHaveText(number(before + 1));
  // Lost connections, and a server that is not ready yet, are all that the console had to report meanwhile.
  const outage = /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)|status of 503/;
  for (const list of [pageErrors.seen, elsewhereErrors.seen])
    expect(list.splice(0).filter((entry) => !outage.test(entry))).toEqual([]);

  await page.reload();
  await ready(page);
  await expect(page.getByRole('banner').getByText('ana@florka.test').filter({ visible: true })).toBeVisible();
  await expect(voted).toBeDisabled();
  await expect(votesOf(page, name)).toHaveText(number(before + 1));
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page).toHaveURL(`/token/${candidate.tokenSlug}/candidate`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await elsewhere.close();
});

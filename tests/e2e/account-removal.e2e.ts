import { expect, listening, otherBrowser, rankingOf, test, visit, votesOf, watch } from './support.ts';

test('a deleted account disappears at once from its other browser, its public page, its posts and the vote counts [AMB-149]', async ({
  page,
  browser,
  member,
  database,
}) => {
  const name = `Adiós ${Date.now().toString(36)}`;
  const me = await member(page.context(), { username: name });
  const [candidate] = await rankingOf(page.request);
  const made = await page.request.post('/api/forum/posts', {
    data: { title: `De ${name}`, content: 'Esto se queda.' },
  });
  const { id } = (await made.json()) as { id: string };
  expect((await page.request.post(`/api/candidates/${candidate?.id}/votes`, { data: {} })).status()).toBe(200);

  const phone = await otherBrowser(browser);
  const phoneErrors = watch(phone);
  // Requests that were under way when the session ended.
  phoneErrors.expectStatus(401);
  const { email, password } = me;
  expect((await phone.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(200);
  const theirs = await phone.newPage();
  await visit(theirs, '/account');
  await listening(theirs);
  const visitors = await otherBrowser(browser);
  const errors = watch(visitors);
  errors.expectStatus(404);
  const [post, profile, ranking] = await Promise.all([visitors.newPage(), visitors.newPage(), visitors.newPage()]);
  await visit(post, `/forum/${id}`);
  await visit(profile, `/member/${encodeURIComponent(name)}`);
  await visit(ranking, '/vote');
  for (const screen of [post, profile, ranking]) await listening(screen);
  const votes = async () => {
    const { rows } = await database.query<{ n: number }>(
      'select total_votes as n from voting_candidates where id = $1',
      [candidate?.id],
    );
    return rows[0]?.n ?? 0;
  };
  const before = await votes();

  await visit(page, '/account');
  await page.getByRole('button', { name: 'Eliminar mi cuenta' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByLabel('Tu contraseña').fill(password);
  await question.getByRole('button', { name: 'Eliminar para siempre' }).click();
  await expect(page.getByText('Cuenta eliminada')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeVisible();

  await expect(theirs.getByText('Inicia sesión para ver tu cuenta')).toBeVisible();
  await expect(theirs.getByText(name)).toHaveCount(0);
  await expect(post.getByRole('article').getByText('Cuenta eliminada').first()).toBeVisible();
  await expect(post.getByText('Esto se queda.')).toBeVisible();
  await expect(profile.getByRole('heading', { name: 'Aquí no hay nadie' })).toBeVisible();
  expect(await votes()).toBe(before - 1);
  const shown = new Intl.NumberFormat('es', { useGrouping: 'always' }).format(before - 1);
  await expect(votesOf(ranking, candidate?.tokenName ?? '')).toContainText(shown);
  for (const path of ['/forum', `/forum/${id}`, `/search?q=${encodeURIComponent(name)}`])
    expect(await (await visitors.request.get(path)).text(), path).not.toContain(`/member/${encodeURIComponent(name)}`);
  expect((await phone.request.post('/api/auth/sign-in', { data: { email, password } })).status()).toBe(401);
  expect([...errors.seen, ...phoneErrors.seen]).toEqual([]);
});

import type { Locator } from '@playwright/test';
import { a11yViolations, expect, expectNotice, rankingOf, signUp, test, visit } from './support.ts';

test('the page of a candidate shows all its data [APP-20] [CAND-08..19] [CAND-21] [CAND-41] [ERR-37]', async ({
  page,
  request,
}) => {
  const [candidate] = await rankingOf(request);
  if (!candidate) throw new Error('no candidate');
  const token = (await (await request.get(`/api/tokens/${candidate.tokenSlug}`)).json()) as Record<string, string>;
  const votes = (value: number) => new Intl.NumberFormat('es-ES').format(value);
  await visit(page, `/token/${candidate.tokenSlug}/candidate`);
  const head = page.getByRole('main');
  await expect(head.getByRole('heading', { level: 1 })).toHaveText(candidate.tokenName);
  await expect(head.getByText(`$${token['tokenSymbol']}`, { exact: true })).toBeVisible();
  await expect(head.getByText(token['description'] ?? '').first()).toBeVisible();
  await expect(head.locator('.token-image').first()).toBeVisible();
  // The whole address can be copied, also where it is shortened.
  expect(token['contractAddress']).toMatch(/.{20,}/);
  await expect(
    head.getByRole('button', { name: `Copiar la dirección del contrato ${token['contractAddress']}` }),
  ).toBeVisible();
  const figure = (of: Locator, label: string) => of.locator('dl > div').filter({ hasText: label }).first();
  for (const label of ['Current Price', 'Market Cap', '24h Volume', 'Holders', 'Max Supply'])
    await expect(figure(head, label).locator('dd').first()).toHaveText(/^\$?\d/);
  await expect(figure(head, 'Total Votes').locator('dd').first()).toHaveText(votes(candidate.totalVotes));
  const performance = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Voting Performance' }) });
  await expect(figure(performance, 'Total Votes').locator('dd').first()).toHaveText(votes(candidate.totalVotes));
  await expect(figure(performance, 'Votes Today').locator('dd').first()).toHaveText(votes(Number(token['votesToday'])));
  await expect(performance.getByRole('table', { name: /últimos 30 días/ }).getByRole('row')).toHaveCount(31);
  const overview = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Token Overview' }) });
  await expect(overview.getByRole('heading', { name: 'About This Token' })).toBeVisible();
  const [paragraph = ''] = (token['descriptionFull'] ?? '').split('\n');
  expect(paragraph).not.toBe('');
  await expect(overview).toContainText(paragraph);
});

test('the page of a token shows that it is loading, omits sections without content, and has placeholders for image and texts [APP-42] [CAND-02] [CAND-08] [CAND-11] [CAND-12] [CAND-20] [CAND-22..23] [CAND-33] [AMB-77..78]', async ({
  page,
  request,
}) => {
  const [candidate] = await rankingOf(request);
  if (!candidate) throw new Error('no candidate');
  await visit(page, '/vote');
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/rpc/tokens/find*', async (route) => {
    await gate;
    const response = await route.fetch();
    const { json } = (await response.json()) as { json: Record<string, unknown> };
    const bare = Object.fromEntries(
      Object.entries(json).map(([key, value]) =>
        ['kind', 'id', 'tokenName', 'tokenSymbol', 'tokenSlug', 'createdAt', 'serverTime'].includes(key)
          ? [key, value]
          : [key, typeof value === 'number' && /votes/i.test(key) ? 0 : null],
      ),
    );
    await route.fulfill({ response, json: { json: bare } });
  });
  await page.getByRole('link', { name: candidate.tokenName, exact: true }).click();
  const main = page.getByRole('main');
  await expect(main.getByText('Cargando token...')).toBeAttached();
  await expect(main.locator('.skeleton').first()).toBeVisible();
  release();
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(candidate.tokenName);
  await expect(main.locator('.skeleton')).toHaveCount(0);
  await expect(main.locator('.token-image svg').first()).toBeVisible();
  await expect(main.getByRole('button', { name: /contrato/ })).toHaveCount(0);
  await expect(main.getByText('Este proyecto todavía no ha contado su historia.')).toBeVisible();
  for (const title of ['Voting Performance', 'Token Overview', 'Community & Links'])
    await expect(main.getByRole('heading', { name: title })).toHaveCount(0);
  await expect(main.getByText('$0.00')).toHaveCount(3);
  await expect(main.getByText('N/A')).toHaveCount(2);
});

test('the links of a token open their own addresses in a new tab [CAND-23..27] [AMB-73..74]', async ({
  page,
  request,
}) => {
  const ranking = await rankingOf(request);
  const urls = ['websiteUrl', 'twitterUrl', 'telegramUrl', 'discordUrl'] as const;
  const labels = ['Official Website', 'Twitter / X', 'Telegram', 'Discord'];
  const led = new Set<string>();
  for (const { tokenSlug } of ranking.slice(0, 6)) {
    const token = (await (await request.get(`/api/tokens/${tokenSlug}`)).json()) as Record<string, string | null>;
    await visit(page, `/token/${tokenSlug}/candidate`);
    for (const [i, key] of urls.entries()) {
      const link = page.getByRole('main').getByRole('link', { name: new RegExp(`^${labels[i]}`) });
      if (!token[key]) {
        await expect(link).toHaveCount(0);
        continue;
      }
      led.add(key);
      await expect(link).toHaveAttribute('href', token[key]);
      await expect(link).toHaveAttribute('target', '_blank');
      await expect(link).toHaveAttribute('rel', /noopener/);
    }
  }
  expect([...led].sort()).toEqual([...urls].sort());
});

for (const path of [
  '/token/no-such-token/candidate',
  '/token/11111111-1111-4111-8111-111111111111',
  '/token/%00',
  '/token/%3Cscript%3E',
])
  test(`${path} is answered with the not-found page and its status [CAND-03..06] [CAND-38]`, async ({
    page,
    pageErrors,
  }) => {
    pageErrors.expectStatus(404);
    const response = await visit(page, path);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Candidato no encontrado' })).toBeVisible();
    await expect(page.getByText('El candidato que buscas no existe o ha sido desactivado.')).toBeVisible();
    await page.getByRole('link', { name: 'Volver a Votaciones' }).click();
    await expect(page).toHaveURL('/vote');
  });

test('a token that cannot be loaded shows the not-found page [CAND-06] [CAND-39] [TIME-12] [TIME-36] [AMB-75]', async ({
  page,
  request,
  pageErrors,
}) => {
  pageErrors.expectStatus(500);
  const [candidate] = await rankingOf(request);
  let requests = 0;
  await visit(page, '/vote');
  await page.route('**/rpc/tokens/find*', (route) => {
    requests++;
    return route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500 } } });
  });
  await page.getByRole('link', { name: candidate?.tokenName ?? '', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Candidato no encontrado' })).toBeVisible();
  expect(requests).toBe(2);
  expect(await a11yViolations(page)).toEqual([]);
});

test('the back button leads to the previous page, otherwise to the list of the token [CAND-07] [AMB-76]', async ({
  page,
  request,
}) => {
  const [candidate] = await rankingOf(request);
  const [project] = (await (await request.get('/api/projects/podium')).json()) as { tokenSlug: string }[];
  const back = page.getByRole('button', { name: 'Volver' });
  await visit(page, `/token/${candidate?.tokenSlug}/candidate`);
  await back.click();
  await expect(page).toHaveURL('/vote');
  await visit(page, `/token/${project?.tokenSlug}`);
  await back.click();
  await expect(page).toHaveURL('/');
  const { items } = (await (await request.get('/api/next-projects')).json()) as { items: { id: string }[] };
  await visit(page, `/token/${items[0]?.id}`);
  await back.click();
  await expect(page).toHaveURL('/next');
  await visit(page, '/?tab=new');
  await page.getByRole('main').getByRole('article').last().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/token\//);
  await back.click();
  await expect(page).toHaveURL('/?tab=new');
});

test('a NEXT project has a page with its launch [AMB-69] [AMB-102]', async ({ page, request }) => {
  const { items } = (await (await request.get('/api/next-projects')).json()) as {
    items: { id: string; tokenName: string }[];
  };
  await visit(page, `/token/${items[0]?.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(items[0]?.tokenName ?? '');
  await expect(page.getByText('Fecha de lanzamiento')).toBeVisible();
});

test('other spellings of a token’s address redirect to its slug', async ({ request }) => {
  const [candidate] = await rankingOf(request);
  const slug = candidate?.tokenSlug ?? '';
  for (const [spelling, path] of [
    [`/token/${candidate?.id}`, `/token/${slug}`],
    [`/en/token/${candidate?.id}/candidate`, `/en/token/${slug}/candidate`],
    [`/Token//${slug.toUpperCase()}/`, `/token/${slug}`],
  ]) {
    const answer = await request.get(spelling ?? '', { maxRedirects: 0 });
    expect([answer.status(), answer.headers()['location']]).toEqual([308, path]);
  }
});

test('sharing copies the address if the device has no share dialog [CAND-28]', async ({ page, context, request }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  const [candidate] = await rankingOf(request);
  await visit(page, `/token/${candidate?.tokenSlug}/candidate`);
  await page.getByRole('button', { name: 'Compartir' }).click();
  await expectNotice(page, 'Enlace copiado');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

test("sharing uses the device's own dialog, and closing it reports no failure [CAND-28]", async ({ page, request }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', {
      value: async (data: ShareData) => {
        document.documentElement.dataset['shared'] = data.url ?? '';
        throw new DOMException('closed', 'AbortError');
      },
    });
  });
  const [candidate] = await rankingOf(request);
  await visit(page, `/token/${candidate?.tokenSlug}/candidate`);
  await page.getByRole('button', { name: 'Compartir' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-shared', page.url());
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
});

test('tokens can be saved without an account, and the list is moved to the account at sign-in [CAND-29] [AMB-72]', async ({
  page,
  request,
}) => {
  const ranking = await rankingOf(request);
  const name = ranking[2]?.tokenName ?? '';
  await visit(page, `/token/${ranking[2]?.tokenSlug}/candidate`);
  const save = page.getByRole('button', { name: 'Guardar' });
  await expect(save).toHaveAttribute('aria-pressed', 'false');
  await save.click();
  await expect(page.getByRole('button', { name: 'Guardado' })).toHaveAttribute('aria-pressed', 'true');
  await visit(page, '/saved');
  await expect(page.getByRole('heading', { name })).toBeVisible();

  await expect(page.getByText('Se guardan en este navegador; al iniciar sesión viajan contigo.')).toBeVisible();

  // The saved tokens are merged at sign-in, whatever page follows.
  const merged = page.waitForResponse(/rpc\/saved\/merge/);
  await signUp(page.request);
  await visit(page, '/news');
  await merged;
  await expect.poll(() => page.evaluate(() => localStorage.getItem('florka.saved'))).toBeNull();
  await visit(page, '/saved');
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByText('Están en tu cuenta: los ves en cualquier navegador en el que entres.')).toBeVisible();
  await expect(page.getByText('Se guardan en este navegador')).toHaveCount(0);
  expect(await (await page.request.get('/api/saved')).json()).toEqual([{ kind: 'candidate', id: ranking[2]?.id }]);

  await page.getByRole('button', { name: `Quitar ${name} de guardados` }).click();
  await expect(page.getByText('Todavía no has guardado ningún token.')).toBeVisible();
});

test('a candidate that a visitor saved is still listed once it is a NEXT project, and can be removed', async ({
  page,
  request,
}) => {
  const [first] = await rankingOf(request);
  await visit(page, `/token/${first?.tokenSlug}/candidate`);
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('button', { name: 'Guardado' })).toHaveAttribute('aria-pressed', 'true');
  // The answer for a graduated candidate. Tests of the server cover the real one; here it would end a round of the shared server.
  const next = {
    kind: 'next',
    id: '0197b0f0-0000-7000-8000-000000000001',
    candidateId: first?.id,
    tokenName: 'Graduado',
  };
  const token = { ...next, tokenSymbol: 'GRA', tokenSlug: null, description: null, imageUrl: null };
  await page.route('**/rpc/saved/resolve*', (route) => route.fulfill({ json: { json: [token] } }));
  await visit(page, '/saved');
  await expect(page.getByRole('link', { name: 'Graduado' })).toHaveAttribute('href', `/token/${next.id}`);
  await page.getByRole('button', { name: 'Quitar Graduado de guardados' }).click();
  await expect(page.getByText('Todavía no has guardado ningún token.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('florka.saved'))).toBeNull();
});

test('voting on the page of a candidate changes its figures at once', async ({ page }) => {
  await signUp(page.request);
  const ranking = await rankingOf(page.request);
  const candidate = ranking[4];
  if (!candidate) throw new Error('too few candidates');
  await visit(page, `/token/${candidate.tokenSlug}/candidate`);
  const total = page
    .getByRole('main')
    .locator('.stat, dl > div, div')
    .filter({ hasText: /^Total Votes/ })
    .first();
  await expect(total).toContainText(new Intl.NumberFormat('es-ES').format(candidate.totalVotes));
  await page.getByRole('button', { name: `Votar por ${candidate.tokenName}` }).click();
  await expectNotice(page, '¡Voto registrado!');
  await expect(total).toContainText(new Intl.NumberFormat('es-ES').format(candidate.totalVotes + 1));
});

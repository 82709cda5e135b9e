import {
  a11yViolations,
  expect,
  expectAfterRetries,
  expectNotice,
  heldRequest,
  otherBrowser,
  rankingOf,
  ready,
  rowOf,
  signUp,
  test,
  visit,
  votesOf,
} from './support.ts';

// The code of the toasts loads four seconds after the page; a network failure before that must not prevent them.
test('a vote that cannot be sent is reported at once and not shown as counted', async ({ page, pageErrors }) => {
  pageErrors.expectLoss('ERR_INTERNET_DISCONNECTED');
  pageErrors.expectLoss('Failed to fetch');
  await signUp(page.request);
  const name = (await rankingOf(page.request))[0]?.tokenName ?? '';
  await page.clock.install();
  await visit(page, '/vote');
  const vote = rowOf(page, name).getByRole('button', { name: `Votar por ${name}` });
  await expect(vote).toBeVisible();
  const counted = await votesOf(page, name).innerText();
  await page.context().setOffline(true);
  await vote.click();
  const notice = page.getByRole('alert').filter({ hasText: 'Error al votar' });
  await expect(async () => {
    await page.clock.runFor(500);
    await expect(notice).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(votesOf(page, name)).toHaveText(counted);
  await expect(vote).toBeEnabled();
  await page.getByRole('button', { name: 'Quitar aviso' }).click();
  await expect(notice).toHaveCount(0);
});

test('the notice of a vote is fully opaque while it moves in', async ({ page }) => {
  await signUp(page.request);
  const name = (await rankingOf(page.request))[2]?.tokenName ?? '';
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await visit(page, '/vote');
  await page.evaluate(() => {
    const opacities: number[] = [];
    Object.assign(globalThis, { opacities });
    const look = () => {
      const toast = document.querySelector('[data-sonner-toast]');
      if (toast) opacities.push(Number(getComputedStyle(toast).opacity));
      if (opacities.length < 30) requestAnimationFrame(look);
    };
    look();
  });
  await rowOf(page, name)
    .getByRole('button', { name: `Votar por ${name}` })
    .click();
  await expectNotice(page, '¡Voto registrado!');
  const opacitiesOf = () => page.evaluate(() => (globalThis as unknown as { opacities: number[] }).opacities);
  await expect.poll(async () => (await opacitiesOf()).length).toBe(30);
  expect(Math.min(...(await opacitiesOf()))).toBe(1);
});

test('a vote and its withdrawal appear in the member’s other tabs, and a double click causes no error', async ({
  page,
  context,
}) => {
  await signUp(page.request);
  const name = (await rankingOf(page.request))[1]?.tokenName ?? '';
  const other = await context.newPage();
  await visit(other, '/vote');
  await visit(page, '/vote');
  const buttons = (tab: typeof page) => ({
    vote: rowOf(tab, name).getByRole('button', { name: `Votar por ${name}` }),
    voted: rowOf(tab, name).getByRole('button', { name: `Ya has votado por ${name} hoy` }),
  });
  await expect(buttons(other).vote).toBeVisible();
  await buttons(page).vote.evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expectNotice(page, '¡Voto registrado!');
  await expect(buttons(other).voted).toBeVisible();
  await expect(page.getByText('Ya has votado', { exact: true })).toHaveCount(0);
  await rowOf(page, name)
    .getByRole('button', { name: `Eliminar voto por ${name}` })
    .click();
  await expect(buttons(page).vote).toBeVisible();
  await expect(buttons(other).vote).toBeVisible();
});

test('a vote cast before the earlier votes of the day are loaded leaves those marked', async ({ page }) => {
  await signUp(page.request);
  const [first, second] = await rankingOf(page.request);
  const cast = await page.request.post(`/api/candidates/${first?.id}/votes`, { data: {} });
  expect(cast.ok(), await cast.text()).toBe(true);
  const release = await heldRequest(page, '**/rpc/voting/mine');
  await visit(page, '/vote');
  await rowOf(page, second?.tokenName ?? '')
    .getByRole('button', { name: `Votar por ${second?.tokenName}` })
    .click();
  await expectNotice(page, '¡Voto registrado!');
  release();
  for (const one of [first, second])
    await expect(
      rowOf(page, one?.tokenName ?? '').getByRole('button', { name: `Ya has votado por ${one?.tokenName} hoy` }),
    ).toBeVisible();
});

test('a visitor who wants to vote returns to the candidate after signing in, and a plain sign-in leads to home [VOTE-10] [AUTH-17]', async ({
  page,
  browser,
  pageErrors,
}) => {
  // Clicked before the session is known, the request is sent, and refused.
  pageErrors.expectStatus(401);
  const elsewhere = await otherBrowser(browser);
  const person = await signUp(elsewhere.request);
  await elsewhere.close();
  const signIn = async () => {
    const form = page.getByRole('form', { name: 'Iniciar Sesión' });
    await form.getByLabel('Correo electrónico').fill(person.email);
    await form.getByLabel('Contraseña').fill(person.password);
    await form.getByRole('button').click();
    await expectNotice(page, '¡Bienvenido!');
  };
  await page.setViewportSize({ width: 390, height: 700 });
  const last = (await rankingOf(page.request)).at(-1);
  const name = last?.tokenName ?? '';
  await visit(page, '/vote');
  const vote = rowOf(page, name).getByRole('button', { name: `Votar por ${name}` });
  await vote.click();
  await expect(page).toHaveURL('/auth');
  await page.reload();
  await ready(page);
  await signIn();
  await expect(page).toHaveURL('/vote');
  await expect(vote).toBeFocused();
  await expect(vote).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expectNotice(page, '¡Voto registrado!');
  // The focus is set only once, not again after a reload.
  await page.reload();
  await ready(page);
  await expect(rowOf(page, name).getByRole('button', { name: `Ya has votado por ${name} hoy` })).not.toBeFocused();

  await page.context().clearCookies();
  await visit(page, `/token/${last?.tokenSlug}/candidate`);
  await page.getByRole('button', { name: `Votar por ${name}` }).click();
  await expect(page).toHaveURL('/auth');
  await signIn();
  await expect(page).toHaveURL(`/token/${last?.tokenSlug}/candidate`);
  await expect(page.getByRole('button', { name: `Ya has votado por ${name} hoy` })).toBeFocused();

  await page.context().clearCookies();
  await visit(page, '/auth');
  await signIn();
  await expect(page).toHaveURL('/');
});

test('a vote can be cast and withdrawn with the keyboard alone', async ({ page }) => {
  await signUp(page.request);
  const [, , candidate] = await rankingOf(page.request);
  const name = candidate?.tokenName ?? '';
  await visit(page, '/vote');
  await expect(page.getByText(/Sesión iniciada como/)).toBeVisible();
  const vote = rowOf(page, name).getByRole('button', { name: `Votar por ${name}` });
  const voted = rowOf(page, name).getByRole('button', { name: `Ya has votado por ${name} hoy` });
  const withdraw = rowOf(page, name).getByRole('button', { name: `Eliminar voto por ${name}` });
  for (let i = 0; i < 60 && !(await vote.evaluate((button) => button === document.activeElement)); i++)
    await page.keyboard.press('Tab');
  await expect(vote).toBeFocused();
  const outline = await vote.evaluate((button) => getComputedStyle(button).outlineStyle);
  expect(outline).not.toBe('none');
  await page.keyboard.press('Enter');
  await expectNotice(page, '¡Voto registrado!');
  await expect(voted).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(withdraw).toBeFocused();
  await page.keyboard.press('Space');
  await expectNotice(page, 'Voto eliminado');
  await expect(vote).toBeFocused();
});

test('a ranking that cannot be read and an empty one are reported [VOTE-08..09]', async ({ page, pageErrors }) => {
  pageErrors.expectStatus(500);
  await page.clock.install();
  await visit(page, '/auth');
  let answer: 'failure' | 'nothing' = 'failure';
  await page.route('**/rpc/voting/ranking*', (route) =>
    answer === 'failure'
      ? route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500 } } })
      : route.fulfill({ json: { json: { items: [], total: 0, round: null, serverTime: new Date().toISOString() } } }),
  );
  await page.getByRole('banner').getByRole('link', { name: 'Vote', exact: true }).click();
  await expectAfterRetries(page, page.getByText('Error al cargar candidatos'));
  expect(await a11yViolations(page)).toEqual([]);
  answer = 'nothing';
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByText('No hay candidatos disponibles')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
});

test('the ranking stays if its further candidates cannot be read', async ({ page, pageErrors, request }) => {
  pageErrors.expectStatus(500);
  const [first] = await rankingOf(request);
  await page.clock.install();
  await visit(page, '/auth');
  let isFailing = false;
  await page.route('**/rpc/voting/ranking*', async (route) => {
    if (isFailing)
      return route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500 } } });
    const response = await route.fetch();
    const { json } = (await response.json()) as { json: { items: object[] } };
    await route.fulfill({ response, json: { json: { ...json, total: json.items.length + 1 } } });
  });
  await page.getByRole('banner').getByRole('link', { name: 'Vote', exact: true }).click();
  const row = rowOf(page, first?.tokenName ?? '');
  await expect(row).toBeVisible();
  const more = page.getByRole('button', { name: 'Ver más candidatos' });
  isFailing = true;
  await more.click();
  await expectAfterRetries(page, page.getByText('Error al cargar candidatos'));
  await expect(row).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  isFailing = false;
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(more).toBeVisible();
  await expect(page.getByText('Error al cargar candidatos')).toHaveCount(0);
});

test('a failed vote shows the reason, and its count is reverted [ERR-36] [ERR-40..41] [VOTE-12]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(409, 429, 500);
  await signUp(page.request);
  const [first] = await rankingOf(page.request);
  const name = first?.tokenName ?? '';
  await visit(page, '/vote');
  await expect(page.getByText(/Sesión iniciada como/)).toBeVisible();
  const vote = rowOf(page, name).getByRole('button', { name: `Votar por ${name}` });
  const before = await rowOf(page, name).locator('.rank-votes').innerText();
  await page.route('**/rpc/voting/cast*', (route) =>
    route.fulfill({
      status: 429,
      json: { json: { defined: true, code: 'RATE_LIMITED', status: 429, message: '', data: { retryAfter: 9 } } },
    }),
  );
  await vote.click();
  await expectNotice(page, 'Error al votar', 'Demasiados intentos. Vuelve a intentarlo dentro de 9 segundos.');
  await expect(vote).toBeVisible();
  await expect(rowOf(page, name).locator('.rank-votes')).toHaveText(before, { useInnerText: true });
  await page.unroute('**/rpc/voting/cast*');
  await vote.click();
  await expectNotice(page, '¡Voto registrado!');
  const withdraw = rowOf(page, name).getByRole('button', { name: `Eliminar voto por ${name}` });
  await page.route('**/rpc/voting/withdraw*', (route) =>
    route.fulfill({ status: 500, json: { json: { code: 'INTERNAL_SERVER_ERROR', status: 500 } } }),
  );
  await withdraw.click();
  await expectNotice(page, 'Error al eliminar voto');
  await page.unroute('**/rpc/voting/withdraw*');
  // Withdrawn elsewhere between the click and its arrival: if it were earlier, this page would receive the event and offer the vote again.
  await page.route('**/rpc/voting/withdraw*', async (route) => {
    await page.request.delete(`/api/candidates/${first?.id}/votes`);
    await route.continue();
  });
  await withdraw.click();
  await expectNotice(page, 'No hay voto para eliminar', 'No tienes un voto registrado para este candidato hoy.');
});

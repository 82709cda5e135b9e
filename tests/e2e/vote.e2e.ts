import {
  expect,
  expectNotice,
  otherBrowser,
  rankingOf,
  ready,
  rowOf,
  signUp,
  test,
  visit,
  votesOf,
} from './support.ts';

// The code of the toasts loads four seconds after the page; a network that fails before must not silence them.
test('an action that cannot be sent says so at once, and a vote is not left counted', async ({ page, pageErrors }) => {
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

test('a vote and its withdrawal show in the member’s other tabs; a double click keeps the first answer', async ({
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

test('a visitor who wants to vote comes back to it after signing in; a plain sign-in ends at home [VOTE-10] [AUTH-17]', async ({
  page,
  browser,
  pageErrors,
}) => {
  // Clicked before it is known who is here, the server is asked, and refuses.
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
  // It happens once.
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

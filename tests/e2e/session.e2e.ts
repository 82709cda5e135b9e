import {
  expect,
  expectAfterRetries,
  heldRequest,
  listening,
  notice,
  otherBrowser,
  rankingOf,
  rowOf,
  signUp,
  test,
  visit,
} from './support.ts';

test('a session that is revoked elsewhere ends at once in every tab [AUTH-25] [AMB-142] [AMB-149]', async ({
  browser,
  page,
  pageErrors,
}) => {
  // A tab may send one more request of the member before it is notified.
  pageErrors.expectStatus(401);
  const me = await signUp(page.request);
  const desktop = await otherBrowser(browser);
  const data = { email: me.email, password: me.password };
  expect((await desktop.request.post('/api/auth/sign-in', { data })).status()).toBe(200);
  const invitation = (screen: typeof page) => screen.getByRole('heading', { name: '¡Únete a la conversación!' });
  const online = async () =>
    JSON.stringify(await (await desktop.request.get('/api/forum-user-management/online-users')).json());
  const revoke = async () =>
    expect((await desktop.request.post('/api/account/sessions/revoke-others')).status()).toBe(200);

  await visit(page, '/forum');
  const second = await page.context().newPage();
  await visit(second, '/forum');
  await listening(page);
  await listening(second);
  await expect.poll(online).toContain(me.username);
  await expect(invitation(page)).toHaveCount(0);
  await revoke();
  for (const tab of [page, second]) await expect(invitation(tab)).toBeVisible();
  expect(await online()).not.toContain(me.username);
  await second.close();

  // Signed in again without a new page: the stream belongs to the new session.
  await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
  await page.getByLabel('Correo').fill(me.email);
  await page.getByLabel('Contraseña').fill(me.password);
  await page.getByRole('main').getByRole('button', { name: 'Iniciar Sesión' }).click();
  // Back to where they signed in from.
  await expect(page).toHaveURL('/forum');
  await listening(page);
  await expect.poll(online).toContain(me.username);
  await expect(invitation(page)).toHaveCount(0);
  await revoke();
  await expect(invitation(page)).toBeVisible();
  await desktop.close();
});

test('an open page of a member sends a heartbeat every half minute, with an id of its own [RT-04] [RT-05] [RT-12] [TIME-18]', async ({
  page,
}) => {
  await signUp(page.request);
  const calls: [what: string, tab: string][] = [];
  page.on('request', (request) => {
    const what = /rpc\/presence\/(connect|heartbeat)/.exec(request.url())?.[1];
    if (what) calls.push([what, (request.postDataJSON() as { json: { sessionId: string } }).json.sessionId]);
  });
  await page.clock.install();
  const connected = page.waitForResponse('**/rpc/presence/connect');
  await visit(page, '/vote');
  await connected;
  await page.clock.runFor(29_000);
  await page.evaluate(() => fetch('/api/me'));
  expect(calls.map(([what]) => what)).toEqual(['connect']);
  await page.clock.runFor(1_500);
  await expect.poll(() => calls.map(([what]) => what)).toEqual(['connect', 'heartbeat']);
  await page.clock.runFor(30_000);
  await expect.poll(() => calls.map(([what]) => what)).toEqual(['connect', 'heartbeat', 'heartbeat']);
  const tabs = new Set(calls.map(([, tab]) => tab));
  expect(tabs.size).toBe(1);
  await Promise.all([page.waitForResponse('**/rpc/presence/connect'), visit(page, '/vote')]);
  expect(tabs).not.toContain(calls.at(-1)?.[1]);
});

test('a part of the account page that cannot be read reports that, and can be read again', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(500);
  await signUp(page.request);
  await page.clock.install();
  const reads = /\/rpc\/account\/(sessions|passkeys\/list)/;
  await page.route(reads, (route) => route.fulfill({ status: 500, json: {} }));
  await visit(page, '/account');
  const sessions = page.getByRole('region', { name: 'Sesiones', exact: true });
  const parts = [sessions, page.getByRole('region', { name: 'Llaves de acceso', exact: true })];
  for (const part of parts)
    await expectAfterRetries(page, part.getByText('Algo ha fallado. Inténtalo de nuevo.', { exact: true }));
  await page.unroute(reads);
  for (const part of parts) {
    await part.getByRole('button', { name: 'Reintentar' }).click();
    await expect(part.getByRole('alert')).toHaveCount(0);
  }
  await expect(sessions.getByText('Este navegador', { exact: true })).toBeVisible();
});

test('a member whose request to be hidden failed is not shown as hidden', async ({ page, pageErrors }) => {
  pageErrors.expectLoss('ERR_FAILED');
  await signUp(page.request);
  await visit(page, '/account');
  const hidden = page.getByRole('region', { name: 'Presencia', exact: true }).getByRole('checkbox');
  await expect(hidden).not.toBeChecked();
  await page.route('**/rpc/account/**', (route) => route.abort());
  await hidden.click();
  await expect(notice(page)).toBeVisible();
  await expect(hidden).not.toBeChecked();
});

test('a closed dialog returns the focus to its button', async ({ page }) => {
  await signUp(page.request);
  await visit(page, '/account');
  const button = page.getByRole('button', { name: 'Eliminar mi cuenta' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('a voter with an unconfirmed e-mail sees that beside the button, with a link [AMB-10]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(403);
  await signUp(page.request);
  const [candidate] = await rankingOf(page.request);
  const name = candidate?.tokenName ?? '';
  const json = { json: { defined: true, code: 'UNCONFIRMED', status: 403, message: 'UNCONFIRMED' } };
  await page.route('**/rpc/voting/cast', (route) => route.fulfill({ status: 403, json }));
  await visit(page, '/vote');
  await rowOf(page, name)
    .getByRole('button', { name: `Votar por ${name}` })
    .click();
  await expect(rowOf(page, name).getByRole('status')).toContainText('Para votar aquí, confirma antes tu correo');
  await expect(rowOf(page, name).getByRole('button', { name: `Votar por ${name}` })).toBeVisible();
  await rowOf(page, name).getByRole('link', { name: 'Confirmar mi correo' }).click();
  await expect(page).toHaveURL('/account');
});

test('a sign-out cancels the pending presence request, so that it is not refused [AUTH-25]', async ({ page }) => {
  await signUp(page.request);
  const release = await heldRequest(page, '**/rpc/presence/connect*');
  const connecting = page.waitForRequest('**/rpc/presence/connect*');
  await visit(page, '/forum');
  await connecting;
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().includes('/rpc/presence/connect'));
  await page.getByRole('banner').getByRole('button', { name: 'Salir' }).click();
  await cancelled;
  release();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeVisible();
});

test('a member who signs in after another one without a reload sees none of their data [AMB-142]', async ({
  browser,
  page,
}) => {
  const other = await otherBrowser(browser);
  const next = await signUp(other.request);
  const muted = await signUp(other.request);
  await other.close();
  await signUp(page.request);
  const restricted = await page.request.post('/rpc/profiles/restrict', {
    data: { json: { name: muted.username, level: 'mute' } },
  });
  expect(restricted.status()).toBe(200);
  await visit(page, '/account');
  await expect(page.getByRole('link', { name: muted.username })).toBeVisible();
  await page.getByRole('banner').getByRole('button', { name: 'Salir' }).click();
  await expect(page).toHaveURL('/');
  await page.getByRole('banner').getByRole('link', { name: 'Get Started' }).click();
  const form = page.getByRole('form', { name: 'Iniciar Sesión' });
  await form.getByLabel('Correo electrónico').fill(next.email);
  await form.getByLabel('Contraseña').fill(next.password);
  await form.getByRole('button').click();
  // Before the answer arrives the page shows what is stored in this browser.
  const release = await heldRequest(page, '**/rpc/profiles/restrictions*', 5);
  await page.getByRole('banner').getByRole('link', { name: next.email }).click();
  await expect(page.getByRole('heading', { name: 'Personas silenciadas y bloqueadas' })).toBeVisible();
  await expect(page.getByRole('link', { name: muted.username })).toHaveCount(0);
  release();
  await expect(page.getByText('No has silenciado')).toBeVisible();
});

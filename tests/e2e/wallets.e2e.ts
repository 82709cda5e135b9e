import type { Page } from '@playwright/test';
import { a11yViolations, expect, expectNotice, loseAnswers, signUp, test, visit } from './support.ts';
import { walletScripts, withEvmWallet, withSolanaWallet } from './wallet-pages.ts';

const WIDTHS = [360, 768, 1280];

/** No overflow and no accessibility violation at any width. */
async function fits(page: Page) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await a11yViolations(page)).toEqual([]);
  }
}
async function signOut(page: Page) {
  expect((await page.request.post('/api/auth/sign-out', { data: {} })).status()).toBe(200);
  await visit(page, '/auth');
}
const idOf = async (page: Page) => ((await (await page.request.get('/api/me')).json()) as { id?: string } | null)?.id;

test('an EVM wallet is linked after step-up, signs in, still requires the second factor, and is removed', async ({
  page,
  database,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403, 409);
  const wallet = await withEvmWallet(page);
  const scripts = walletScripts(page);
  const ana = await signUp(page.request);
  await visit(page, '/account');
  const part = page.getByRole('region', { name: 'Wallets' });
  await expect(part.getByText('Confirma primero tu correo.')).toBeVisible();
  await database.query('update users set email_verified = true where id = $1', [ana.id]);
  await visit(page, '/account');
  await expect(part.getByText('Todavía no tienes ninguna.')).toBeVisible();
  expect(await scripts()).toEqual([]);

  await part.getByRole('button', { name: 'Vincular una wallet' }).click();
  const choose = part.getByRole('button', { name: 'Vincular Cartera de prueba' });
  await expect(choose).toBeFocused();
  expect(await scripts()).toHaveLength(1);
  await wallet.set({ chain: 5 });
  await choose.click();
  await expect(part.getByRole('alert')).toHaveText(/^Tu wallet está en otra red/);
  await wallet.set({ chain: 137, declines: true });
  await choose.click();
  await expect(part.getByRole('alert')).toHaveText('No has firmado el texto en la wallet.');
  await fits(page);
  await wallet.set({ declines: false });
  // The change needs a step-up.
  await database.query(`update sessions set proved_at = now() - interval '11 minutes' where user_id = $1`, [ana.id]);
  await choose.click();
  await part.getByLabel('Tu contraseña').fill('a-good-password');
  // The answer gets lost, and with it the session's new token: after a new sign-in the page shows the stored state.
  pageErrors.expectLoss('ERR_CONNECTION_RESET');
  await loseAnswers(page, 'account/wallets/link');
  await part.getByRole('button', { name: 'Confirmar' }).click();
  await expectNotice(page, 'No ha llegado la respuesta');
  await expect(page.getByRole('heading', { name: 'Inicia sesión para ver tu cuenta' })).toBeVisible();
  const data = { email: ana.email, password: ana.password };
  expect((await page.request.post('/api/auth/sign-in', { data })).status()).toBe(200);
  await visit(page, '/account');
  await expect(part.getByText(wallet.address)).toBeVisible();
  await expect(part.getByText('Sin usar todavía')).toBeVisible();
  await fits(page);
  await part.getByRole('button', { name: 'Vincular una wallet' }).click();
  await choose.click();
  await expect(part.getByRole('alert')).toHaveText('Esa wallet ya está vinculada a tu cuenta.');

  await signOut(page);
  const way = page.getByRole('button', { name: 'Entrar con una wallet' });
  await expect(way).toBeVisible();
  await way.click();
  const signIn = page.getByRole('button', { name: 'Entrar con Cartera de prueba' });
  await expect(signIn).toBeFocused();
  await fits(page);
  await wallet.set({ declines: true });
  await signIn.click();
  await expect(page.getByRole('alert')).toHaveText('No has firmado el texto en la wallet.');
  await wallet.set({ declines: false });
  await signIn.click();
  await expect(page).toHaveURL(/\/$/);
  expect(await idOf(page)).toBe(ana.id);

  // With a second factor the wallet is the first of two steps.
  await database.query(
    `insert into passkeys (user_id, credential_id, public_key, name) values ($1, $2, '\\x00', 'Portátil')`,
    [ana.id, `key-of-${ana.id}`],
  );
  await signOut(page);
  await way.click();
  await signIn.click();
  await expect(page.getByRole('form', { name: 'Segundo paso' })).toBeVisible();
  expect(await idOf(page)).toBeUndefined();
  await database.query('delete from passkeys where user_id = $1', [ana.id]);

  // A wallet alone does not sign staff in.
  await database.query(`update user_roles set role = 'moderator' where user_id = $1`, [ana.id]);
  await visit(page, '/auth');
  await way.click();
  await signIn.click();
  await expect(page.getByRole('alert')).toHaveText(/^Las cuentas del equipo no entran solo con una wallet/);
  await database.query(`update user_roles set role = 'user' where user_id = $1`, [ana.id]);
  await signIn.click();
  await expect(page).toHaveURL(/\/$/);

  await visit(page, '/account');
  await expect(part.getByText(/Último uso/)).toBeVisible();
  await part.getByRole('button', { name: `Quitar ${wallet.address}` }).click();
  await part.getByLabel('Tu contraseña').fill('a-good-password');
  await part.getByRole('button', { name: 'Confirmar' }).click();
  await expectNotice(page, 'Wallet quitada');
  await signOut(page);
  await way.click();
  await signIn.click();
  await expect(page.getByRole('alert')).toHaveText(/^Esta wallet no abre ninguna cuenta/);
});

test('a Solana wallet signs in, and a browser without a wallet says so', async ({
  page,
  browser,
  database,
  pageErrors,
}) => {
  pageErrors.expectStatus(401, 403);
  const wallet = await withSolanaWallet(page);
  const ana = await signUp(page.request);
  await database.query('update users set email_verified = true where id = $1', [ana.id]);
  await visit(page, '/en/account');
  const part = page.getByRole('region', { name: 'Wallets' });
  await part.getByRole('button', { name: 'Link a wallet' }).click();
  await part.getByRole('button', { name: 'Link Sol de prueba' }).click();
  await expect(part.getByText(wallet.address)).toBeVisible();
  await signOut(page);
  await visit(page, '/en/auth');
  await page.getByRole('button', { name: 'Sign in with a wallet' }).click();
  await page.getByRole('button', { name: 'Sign in with Sol de prueba' }).click();
  await expect(page).toHaveURL(/\/en\/?$/);
  expect(await idOf(page)).toBe(ana.id);

  const bare = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage();
  const scripts = walletScripts(bare);
  await visit(bare, '/auth');
  const way = bare.getByRole('button', { name: 'Entrar con una wallet' });
  await expect(way).toBeVisible();
  expect(await scripts()).toEqual([]);
  await way.click();
  await expect(bare.getByRole('alert')).toHaveText(/^No hay ninguna wallet en este navegador/);
  expect(await scripts()).toHaveLength(1);
  await expect(bare.getByRole('button', { name: 'Buscar otra vez' })).toBeVisible();
  await fits(bare);
  await bare.getByRole('button', { name: 'Volver a la contraseña' }).click();
  await expect(bare.getByLabel('Contraseña').first()).toBeVisible();
  await bare.context().close();
});

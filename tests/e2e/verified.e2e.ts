import type { Page } from '@playwright/test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import {
  a11yViolations,
  expect,
  expectNotice,
  loseAnswers,
  otherBrowser,
  rowOf,
  signInAsAdmin,
  signUp,
  test,
  visit,
  watch,
} from './support.ts';
import { walletScripts } from './wallet-pages.ts';

/** Puts a wallet into the page that announces itself (EIP-6963) and signs with a real key. @returns its address. */
async function withWallet(page: Page): Promise<string> {
  const account = privateKeyToAccount(generatePrivateKey());
  await page.exposeFunction('signWithTestKey', (raw: `0x${string}`) => account.signMessage({ message: { raw } }));
  await page.addInitScript((address) => {
    const provider = {
      async request({ method, params }: { method: string; params?: unknown[] }) {
        if (method === 'eth_requestAccounts') return [address.toLowerCase()];
        if (method !== 'personal_sign') throw new Error(`no ${method}`);
        return (window as never as { signWithTestKey: (raw: unknown) => Promise<string> }).signWithTestKey(params?.[0]);
      },
    };
    window.addEventListener('eip6963:requestProvider', () => {
      const detail = { info: { uuid: 'test', name: 'Cartera de prueba' }, provider };
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    });
  }, account.address);
  return account.address;
}

test('a creator verifies a token by its wallet, gets the mark and loses it with a change, and an admin revokes a proof', async ({
  page,
  browser,
  database,
  pageErrors,
}) => {
  // The check that finds nothing.
  pageErrors.expectStatus(422);
  const address = await withWallet(page);
  const ana = await signUp(page.request);
  const sql = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await database.query(text, values)).rows as T[];
  const [request] = await sql<{ id: string }>(
    `insert into token_creation_submissions (user_id, edit_secret_hash) values ($1, '\\x00') returning id`,
    [ana.id],
  );
  const requestId = request?.id ?? '';
  const contract = await createdToken({ sql } as never, requestId, { network: 'ethereum', owner: address });
  const name = `Luna verificada ${Date.now().toString(36)}`;
  const [made] = await sql<{ id: string; token_slug: string }>(
    `insert into voting_candidates (token_name, token_symbol, token_slug, contract_address, network)
     values ($1, 'LUNV', 'luna-' || gen_random_uuid(), $2, 'ethereum') returning id, token_slug`,
    [name, contract.address],
  );
  const id = made?.id ?? '';
  await sql('insert into showcased_tokens (request_id, candidate_id, showcased_at) values ($1, $2, now())', [
    requestId,
    id,
  ]);

  const scripts = walletScripts(page);
  await visit(page, `/token/${made?.token_slug}`);
  await page.getByRole('link', { name: '¿Es tu token? Verifica que respondes por él' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Verificar un token' })).toBeVisible();
  const sign = page.getByRole('button', { name: 'Firmar con mi wallet' });
  await expect(sign).toBeVisible();
  await expect(page.getByText('no nombra una web con un dominio propio').first()).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  // No code of wallets is loaded before it is needed.
  expect(await scripts()).toEqual([]);
  // The code of wallets does not arrive.
  pageErrors.expectLoss('ERR_FAILED');
  await page.route('**/assets/*.js', (route) => route.abort());
  await sign.click();
  await expect(page.getByText('No hay conexión con el servidor. Inténtalo de nuevo.')).toBeVisible();
  await page.unroute('**/assets/*.js');
  // Its answer is lost: the proof shows that it arrived.
  pageErrors.expectLoss('ERR_CONNECTION_RESET');
  await loseAnswers(page, 'ownership/proveWallet');
  await sign.click();
  await expectNotice(page, 'Verificado');
  await expect(page.getByText('La wallet no ha firmado.')).toHaveCount(0);
  await expect(page.getByText('No hay conexión con el servidor.', { exact: false })).toHaveCount(0);
  expect(await scripts()).toHaveLength(1);
  await expect(page.getByText('Vale', { exact: true })).toBeVisible();

  // Everybody sees which proof it is.
  const visitors = await otherBrowser(browser);
  const errors = watch(visitors);
  const there = await visitors.newPage();
  await visit(there, '/vote');
  const mark = (within: Page) =>
    rowOf(within, name).getByRole('img', { name: /^Creador verificado: firma con la wallet 0x/ });
  await expect(mark(there)).toBeVisible();
  await visit(there, `/token/${made?.token_slug}`);
  const fact = there.locator('dl > div').filter({ hasText: 'Su creador firma con la wallet' });
  await expect(fact).toBeVisible();
  expect(await a11yViolations(there)).toEqual([]);
  // The proof has room beside its source.
  await there.setViewportSize({ width: 768, height: 900 });
  expect((await fact.locator('dd').first().boundingBox())?.width ?? 0).toBeGreaterThan(200);

  // A link is added directly in the database: the mark is removed.
  await sql(`update voting_candidates set website_url = 'https://creator.invalid' where id = $1`, [id]);
  await visit(page, `/creator/candidate/${id}`);
  await expect(
    page.getByText('Terminó porque cambió el nombre, el símbolo, la imagen, un enlace o el contrato.'),
  ).toBeVisible();
  await loseAnswers(page, 'ownership/start');
  await page.getByRole('button', { name: 'Empezar' }).first().click();
  await expect(page.getByText('_florka.creator.invalid', { exact: true })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  // The response is lost, and the state of the proof does not show whether the check ran.
  await loseAnswers(page, 'ownership/check');
  await page.getByRole('button', { name: 'Comprobar ahora' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No ha llegado la respuesta' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByText('No se ha verificado')).toHaveCount(0);
  await page.getByRole('button', { name: 'Comprobar ahora' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'No se ha verificado' })).toBeVisible({ timeout: 20_000 });
  expect(await a11yViolations(page)).toEqual([]);

  const adminPage = await (await otherBrowser(browser)).newPage();
  await signInAsAdmin(adminPage);
  await visit(adminPage, '/admin/verified?state=pending');
  await expect(adminPage.getByRole('row').filter({ hasText: name })).toBeVisible();
  for (const width of [768, 1280]) {
    await adminPage.setViewportSize({ width, height: 900 });
    // The label fits on one line.
    expect(
      (await adminPage.getByText('Registro DNS', { exact: true }).last().boundingBox())?.height ?? 99,
    ).toBeLessThan(32);
  }
  // What is refused stays, with the focus on it and the reason beside it.
  const begin = adminPage.getByRole('form', { name: 'Empezar por un creador' });
  await begin.getByRole('textbox').fill('no-such-token');
  await begin.getByRole('button').click();
  await expect(begin.getByRole('textbox')).toBeFocused();
  await expect(begin.getByRole('textbox')).toHaveValue('no-such-token');
  await expect(begin.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
  await adminPage.getByRole('button', { name: `Retirar la prueba de ${name}` }).click();
  const question = adminPage.getByRole('alertdialog');
  await question.getByRole('textbox').fill('La web no es suya.');
  await question.getByRole('button', { name: 'Retirar', exact: true }).click();
  await expectNotice(adminPage, 'Prueba retirada');
  expect(await a11yViolations(adminPage)).toEqual([]);
  await visit(page, `/creator/candidate/${id}`);
  await expect(page.getByText('El equipo la retiró.')).toBeVisible();
  expect(errors.seen).toEqual([]);
});

test('a valid proof is given up only after a confirmation, and a failed copy shows the text instead', async ({
  page,
  database,
}) => {
  const ana = await signUp(page.request);
  const { rows } = await database.query<{ id: string }>(
    `insert into projects (token_name, token_symbol, token_slug, token_address, website_url, status, submitted_by_user_id)
     values ('Luna que deja', 'LUND', 'luna-' || gen_random_uuid(), gen_random_uuid(), 'https://leaves.invalid', 'approved', $1) returning id`,
    [ana.id],
  );
  const id = rows[0]?.id ?? '';
  await database.query(
    `insert into ownership_proofs (project_id, method, subject, token, state, started_at, started_by, proven_at, checked_at,
       next_check_at, expires_at)
     values ($1, 'file', 'leaves.invalid', 'x', 'valid', now(), $2, now(), now(), now() + interval '1 day', now() + interval '90 days')`,
    [id, ana.id],
  );
  await visit(page, `/creator/project/${id}`);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }));
  await page.getByRole('button', { name: 'Copiar: Contenido' }).click();
  await expectNotice(page, 'El navegador no deja copiar: selecciona este texto', 'florka-verification=x');

  const giveUp = page.getByRole('button', { name: 'Renunciar' });
  const question = page.getByRole('alertdialog', { name: '¿Renunciar a esta prueba?' });
  await giveUp.click();
  expect(await a11yViolations(page)).toEqual([]);
  await question.getByRole('button', { name: 'Conservarla' }).click();
  await expect(question).toBeHidden();
  await expect(giveUp).toBeFocused();
  await expect(page.getByText('Vale', { exact: true })).toBeVisible();
  await giveUp.click();
  await question.getByRole('button', { name: 'Renunciar' }).click();
  await expectNotice(page, 'Prueba retirada');
  await expect(page.getByText('Renunciaste a ella.')).toBeVisible();

  // A proof by wallet as well, even if the owner of the contract is no longer known.
  await database.query(
    `insert into ownership_proofs (project_id, method, subject, token, state, signature, started_at, started_by, proven_at, checked_at,
       next_check_at, expires_at)
     values ($1, 'wallet', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'x', 'valid', '0x00', now(), $2, now(), now(), now() + interval '1 day',
       now() + interval '90 days')`,
    [id, ana.id],
  );
  await page.reload();
  await expect(page.getByText('Vale', { exact: true })).toBeVisible();
  await giveUp.click();
  await question.getByRole('button', { name: 'Renunciar' }).click();
  await expectNotice(page, 'Prueba retirada');
  await expect(page.getByText('Renunciaste a ella.')).toHaveCount(2);

  // One that does not hold yet ends at once.
  await page.getByRole('button', { name: 'Empezar' }).first().click();
  await giveUp.click();
  await expect(page.getByRole('button', { name: 'Empezar' })).toHaveCount(2);
});

import path from 'node:path';
import { ANVIL_KEYS, anvil, startAnvil } from '#tests/support/chains/chains.ts';
import { startSigner } from '#tests/support/chains/signer.ts';
import { deliver, itemOf, withdrawAndRefund } from './deliverables.ts';
import { mailTo } from './mails.ts';
import {
  a11yViolations,
  expect,
  expectNotice,
  loseAnswers,
  notice,
  OwnServer,
  otherBrowser,
  ready,
  runJob,
  signInAsAdmin,
  test,
  visit,
} from './support.ts';
import { createPayment, fill, goToPayment, next, play, WALLET } from './wizard.ts';

test.describe.configure({ timeout: 180_000 });
test.skip(!anvil.available, anvil.note);

/** Result of a read-only call of a contract. */
async function ask(rpc: string, to: string, call: string): Promise<string> {
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to, data: call }, 'latest'] }),
  });
  return ((await response.json()) as { result: string }).result;
}

test(`a guest orders and pays a token, which is created on a chain and published, and every other sold item is delivered or refunded${anvil.note} [A-TOKEN-21..25] [AMB-187] [AMB-100] [ERR-117]`, async ({
  browser,
}) => {
  const site = new OwnServer({ ADMIN_SECOND_FACTOR: 'off' });
  const [chain] = await Promise.all([startAnvil({ chainId: 31_337 }), site.start()]);
  const signer = startSigner({
    DATA_DIR: site.data,
    SIGNER_ETHEREUM_RPC_URL: chain.url,
    SIGNER_ETHEREUM_KEY: ANVIL_KEYS[0],
    SIGNER_ETHEREUM_CHAIN_ID: '31337',
    SIGNER_ETHEREUM_CONFIRMATIONS: '1',
    SIGNER_ETHEREUM_EXPLORER_URL: 'https://explorer.test',
  });
  try {
    // A guest fills in the wizard and pays.
    const customer = await otherBrowser(browser, { baseURL: site.url });
    const page = await customer.newPage();
    await visit(page, '/create');
    const name = await fill(page, { name: 'Ajolote de plata' });
    await expect(next(page)).toBeEnabled();
    await goToPayment(page, 'Básico');
    const tab = await createPayment(page);
    await play(tab, 'Pagar todo');
    const mine = page.getByRole('link', { name: 'Ver mi pedido' });
    await expect(mine).toBeVisible({ timeout: 40_000 });
    await mine.click();
    await ready(page);
    await expect(page.getByRole('heading', { level: 2, name: 'Pago recibido' })).toBeVisible();
    const order = page.url();

    // An admin sees it waiting, opens it, and creates the token.
    const staff = await otherBrowser(browser, { baseURL: site.url });
    const desktop = await staff.newPage();
    await signInAsAdmin(desktop);
    await signer.says('Signer is ready');
    await visit(desktop, '/admin/token-creation');
    await desktop.getByRole('row').filter({ hasText: name }).getByRole('button', { name: /^Ver/ }).click();
    await desktop.getByRole('dialog').getByRole('button', { name: 'Crear el token' }).click();
    await expect(desktop.getByRole('region', { name: 'Redes' }).getByRole('listitem').nth(1)).toContainText('Lista', {
      timeout: 40_000,
    });
    await desktop.getByLabel('Suministro total').fill('1000000');
    await desktop.getByRole('button', { name: 'Create Token' }).click();

    // The token is created only after the payer confirmed exactly these data, here on a phone.
    const callout = desktop.getByRole('alert').filter({ hasText: 'Quien pagó tiene que confirmar estos datos' });
    await callout.getByRole('button', { name: 'Preguntar a quien pagó' }).click();
    await expect(callout).toContainText('Se lo hemos preguntado');
    await page.setViewportSize({ width: 360, height: 740 });
    const summary = page.getByRole('region', { name: 'Resumen de tu token' });
    await expect(summary).toContainText('Espera tu respuesta', { timeout: 30_000 });
    for (const text of [name, WALLET, '1.000.000', 'Ethereum', 'Nadie', 'Huella de todo el resumen'])
      await expect(summary).toContainText(text);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await a11yViolations(page)).toEqual([]);
    // The response is lost: the notice follows the stored state.
    await loseAnswers(page, 'tokenRequests/answerProposal');
    await summary.getByRole('button', { name: 'Confirmar estos datos' }).click();
    await expectNotice(page, 'Datos confirmados');
    await expect(summary).toContainText('Has confirmado estos datos');

    await desktop.getByRole('button', { name: 'Create Token' }).click();
    const sure = desktop.getByRole('alertdialog');
    await expect(sure.getByRole('figure')).toContainText('1.000.000 AJO');
    await expect(sure.getByRole('figure')).toContainText(WALLET);
    await sure.getByLabel('Escribe «AJO» para confirmar').fill('AJO');
    await sure.getByRole('button', { name: 'Create Token' }).click();
    await expect(notice(desktop).filter({ hasText: `${name} (AJO) en Ethereum` })).toContainText(
      'Token creado exitosamente',
      {
        timeout: 40_000,
      },
    );
    const part = desktop.getByRole('region', { name: 'Su token en la cadena' });
    await expect(part).toContainText('Nadie, para siempre');
    await expect(desktop.getByRole('button', { name: 'Create Token' })).toBeDisabled();
    expect(await a11yViolations(desktop)).toEqual([]);
    const link = part.getByRole('link', { name: 'Ver en el explorador' }).first();
    const address = /0x[0-9a-fA-F]{40}/.exec((await link.getAttribute('href')) ?? '')?.[0] ?? '';

    // The chain has the same data.
    expect(BigInt(await ask(chain.url, address, '0x18160ddd'))).toBe(1_000_000n * 10n ** 18n);
    const owned = await ask(chain.url, address, `0x70a08231${WALLET.slice(2).toLowerCase().padStart(64, '0')}`);
    expect(BigInt(owned)).toBe(1_000_000n * 10n ** 18n);

    // The customer's page follows by itself.
    await expect(page.getByRole('heading', { level: 2, name: 'Tu token está creado' })).toBeVisible({
      timeout: 30_000,
    });
    await expect(page.getByRole('link', { name: /Verlo en el explorador/ })).toHaveAttribute(
      'href',
      new RegExp(`^https://explorer\\.test/.*${address}`),
    );
    expect(await a11yViolations(page)).toEqual([]);

    // The created token is published as a project.
    await part.getByRole('button', { name: 'Publicar como proyecto' }).click();
    const question = desktop.getByRole('alertdialog', { name: 'Publicar como proyecto' });
    await expect(question).toContainText('Sale en la portada al momento');
    await question.getByRole('button', { name: 'Publicar' }).click();
    await expectNotice(desktop, 'Proyecto publicado', name);
    const shown = await part.getByRole('link', { name: 'Ver la página' }).getAttribute('href');
    await visit(page, shown ?? '');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
    await expect(page.getByRole('link', { name: /Ver la transacción|transacción/i }).first()).toHaveAttribute(
      'href',
      /^https:\/\/explorer\.test\//,
    );
    expect(await a11yViolations(page)).toEqual([]);
    const metadata = await page.request.get(`/token-metadata/${await requestOf(desktop)}.json`);
    expect(await metadata.json()).toMatchObject({ name, symbol: 'AJO', description: 'Un token de lago.' });
    await expect(page.getByText('Están en el contrato.')).toBeVisible();

    // What else was sold is delivered with evidence, and one item withdrawn with money back: the payer sees each step on the phone.
    await visit(page, order);
    // Its number is on the page twice, whole and shortened, once the order was read.
    await expect(page.getByRole('main')).toContainText(/FL-[0-9A-Z]{10}/);
    const orderId = /FL-[0-9A-Z]{10}/.exec((await page.getByRole('main').textContent()) ?? '')?.[0] ?? '';
    // A job of each minute follows the signer.
    const database = await site.database();
    await runJob(database, 'watch-deliverables');
    await database.end();
    for (const item of ['Token único', 'Suministro configurable'])
      await expect(itemOf(page, item)).toContainText('Hecho el', { timeout: 20_000 });
    await visit(desktop, `/admin/deliverables?q=${orderId}`);
    for (const [i, item] of ['1 semana en portada', 'Soporte básico', 'Documentación'].entries()) {
      const evidence = `https://docs.example.org/${orderId}/${i}`;
      await deliver(desktop, item, evidence);
      await expect(itemOf(page, item)).toContainText('Hecho el', { timeout: 20_000 });
      await expect(itemOf(page, item).getByRole('link')).toHaveAttribute('href', evidence);
    }
    await withdrawAndRefund(desktop, page, {
      item: 'Integración con tus redes sociales',
      amount: '0,01',
      // It was paid in a coin of Tron.
      address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      transaction: 'c'.repeat(64),
      code: async () =>
        /\b(\d{8})\b/.exec(
          await mailTo(path.join(site.data, 'outbox'), 'ana@florka.test', /Código para tu devolución/),
        )?.[1] ?? '',
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await a11yViolations(page)).toEqual([]);
  } finally {
    await signer.stop();
    await Promise.all([site.end(), chain.stop()]);
  }
});

/** The request that the form is about. */
const requestOf = (desktop: import('@playwright/test').Page) => desktop.getByLabel('ID de la solicitud').inputValue();

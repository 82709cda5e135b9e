import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import sharp from 'sharp';
import { a11yViolations, expect, expectNotice, otherBrowser, ready, signUp, test, visit } from './support.ts';

interface Ordered {
  path: string;
  id: string;
  key: string;
  number: string;
}

/** A request that waits for its payment, made as the wizard makes it. */
async function order(request: APIRequestContext, over: object = {}): Promise<Ordered> {
  const made = await request.post('/api/token-requests', {
    data: {
      data: {
        tokenName: 'Ajolote de Xochimilco',
        tokenSymbol: 'AJO',
        description: 'Un token de lago.',
        ownerWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        selectedNetwork: 'ethereum',
        petitionerEmail: 'ana@florka.test',
        petitionerTelegram: '@ana',
        ...over,
      },
    },
  });
  const { id, secret, orderKey } = (await made.json()) as { id: string; secret: string; orderKey: string };
  const paid = await request.post(`/api/token-requests/${id}/payment`, {
    data: { secret, plan: 'basic', locale: 'es', resemblanceAccepted: true },
  });
  const { orderId } = (await paid.json()) as { orderId: string };
  return { path: `/order/${id}#${orderKey}`, id, key: orderKey, number: orderId };
}

/** Opens the payment page from the order and presses a button of the simulation there. */
async function play(page: Page, context: BrowserContext, link: string, action: string): Promise<Page> {
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: link }).click();
  const simulation = await opened;
  await expect(simulation.getByText('no se mueve dinero').first()).toBeVisible();
  await simulation.getByRole('button', { name: action, exact: true }).click();
  return simulation;
}
const says = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible({ timeout: 20_000 });

test('an order is paid in two parts, and its page is updated by itself [AMB-16] [AMB-53]', async ({
  page,
  context,
  request,
}) => {
  const one = await order(request);
  await visit(page, one.path);
  await says(page, 'Esperando tu pago');
  await expect(page.getByText('SIMULACIÓN: nada de esto es dinero de verdad.')).toBeVisible();
  await expect(page.getByText('Todavía no ha llegado ninguno.')).toBeVisible();
  await expect(page.getByText('Suministro configurable')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Check Status' }).click();
  await expect(page.getByText('Current status: waiting')).toBeVisible();

  const simulation = await play(page, context, 'Ir a pagar', 'Pagar una parte (40 %)');
  await page.bringToFront();
  await says(page, 'Pago parcial: falta una parte');
  await expect(page.getByText('Recibido: 600,00 USD de 1.500,00 USD')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copiar el importe 900' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Pagar el resto' })).toBeVisible();
  const part = page.locator('[data-print]');
  await expect(page.getByRole('listitem').getByText('600 USDT en la red Tron', { exact: true })).toBeVisible();
  await expect(part.getByText('600 USDT en la red Tron', { exact: true })).toBeVisible();
  await expect(part.getByRole('heading', { name: 'Recibo de un pago parcial' })).toBeVisible();
  await expect(part.getByText('El pedido no está pagado del todo.')).toBeVisible();
  await expect(part.getByText('900,00 USD', { exact: true })).toBeVisible();
  // Nobody set a help mailbox: no answer to a mail would reach anybody.
  await expect(page.getByText('Este sitio no tiene un correo de ayuda.')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);

  await simulation.getByRole('button', { name: 'Completar lo que falta' }).click();
  await page.bringToFront();
  await says(page, 'Pago recibido');
  const receipt = page.locator('[data-print]');
  await expect(receipt.getByText(one.number)).toBeVisible();
  await expect(receipt.getByText('1.500,00 USD').first()).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Creando tu token' })).toHaveAttribute(
    'aria-current',
    'step',
  );
  await expect(page.getByRole('button', { name: 'Check Status' })).toBeHidden();
  expect(await a11yViolations(page)).toEqual([]);

  // The printed page contains only the receipt.
  await page.emulateMedia({ media: 'print' });
  await expect(receipt.getByRole('heading', { name: 'Recibo' })).toBeVisible();
  for (const gone of ['Tu pedido', 'Qué recibirás', 'En qué punto está'])
    await expect(page.getByRole('heading', { name: gone })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Vote' })).toBeHidden();
});

test('a partial payment in two coins shows the missing amount in dollars only', async ({ page, request }) => {
  const one = await order(request);
  const read = async () =>
    (await (await request.post(`/api/orders/${one.id}`, { data: { key: one.key, check: true } })).json()) as {
      payment: { paymentUrl: string };
      deposits: { status: string }[];
    };
  const { paymentUrl } = (await read()).payment;
  const coins = ['btc', 'eth'];
  for (const [before, currency] of coins.entries()) {
    const form = { action: 'pay_part', currency };
    await request.post(new URL(paymentUrl).pathname, { form, maxRedirects: 0 });
    await expect
      .poll(async () => (await read()).deposits.filter(({ status }) => status === 'partially_paid').length, {
        timeout: 30_000,
      })
      .toBe(before + 1);
  }
  await visit(page, one.path);
  await says(page, 'Pago parcial: falta una parte');
  await expect(page.getByText('Recibido: 1.200,00 USD de 1.500,00 USD')).toBeVisible();
  await expect(page.getByText('Faltan 300,00 USD.', { exact: true })).toBeVisible();
  await expect(page.getByText('envía solo lo que falta')).toBeVisible();
  await expect(page.getByText('Envía exactamente')).toBeHidden();
  const receipt = page.locator('[data-print]');
  await expect(receipt.getByText(/ BTC \+ .* ETH| ETH.* \+ .* BTC/)).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
});

test('the order shows the image that was uploaded for its token', async ({ page, request }) => {
  await page.goto('/');
  await signUp(page.request);
  const image = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#2266aa' } })
    .png()
    .toBuffer();
  const uploaded = await page.request.post('/uploads?bucket=token-images', {
    data: image,
    headers: { 'content-type': 'image/png' },
  });
  const { url } = (await uploaded.json()) as { url: string };
  const one = await order(page.request, { imageUrl: url });
  expect((await request.get(url)).status()).toBe(200);
  await visit(page, one.path);
  await says(page, 'Esperando tu pago');
  await expect(page.getByRole('main').locator(`img[src="${url}"]`)).toBeVisible();
});

test('an expired order is detected and renewed, and paid without its page being open [AMB-19]', async ({
  page,
  context,
  request,
}) => {
  const one = await order(request);
  await visit(page, one.path);
  await says(page, 'Esperando tu pago');
  // The provider sends no callback for this.
  const simulation = await play(page, context, 'Ir a pagar', 'Dejar vencer');
  await page.bringToFront();
  await expect(async () => {
    await page.getByRole('button', { name: 'Check Status' }).click();
    await expect(page.getByRole('heading', { name: 'El plazo para pagar ha terminado' })).toBeVisible({
      timeout: 2_000,
    });
  }).toPass({ timeout: 25_000 });
  await page.getByRole('button', { name: 'Empezar de nuevo' }).click();
  await expectNotice(page, 'Nuevo pago preparado');
  await says(page, 'Esperando tu pago');
  await expect(page.getByText(one.number)).toBeHidden();
  await simulation.close();

  const other = await play(page, context, 'Ir a pagar', 'Pagar de más (125 %)');
  // The tab is closed before anything happens; the order progresses by callbacks alone.
  await page.goto('about:blank');
  await expect(other.getByText('finished')).toBeVisible({ timeout: 20_000 });
  await other.getByRole('link', { name: 'Volver al pedido' }).click();
  await ready(other);
  await says(other, 'Pagado de más');
  // The way back carries the provider's number and no key; this device knows the key.
  await expect(other).toHaveURL(new RegExp(`/order/${one.id}$`));
  await expect(other.getByText(/ USDT en la red Tron/).first()).toBeVisible();
});

test('a wrong private link shows the same page as one that never existed', async ({ page, request, pageErrors }) => {
  pageErrors.expectStatus(404, 400);
  const one = await order(request);
  const texts: string[] = [];
  for (const path of [
    `/order/${one.id}#${one.key.slice(1)}x`,
    `/order/${crypto.randomUUID()}#${one.key}`,
    `/order/${one.id}`,
    '/order/nonsense#x',
  ]) {
    await page.goto('about:blank');
    await visit(page, path);
    const alert = page.getByRole('alert').filter({ hasText: 'No encontramos este pedido' });
    // Links of notifications have no key: their member is signed in, or is asked to sign in.
    await expect(alert).toContainText('entra en tu cuenta, si hiciste el pedido con ella');
    await expect(alert).toBeVisible();
    texts.push(await page.getByRole('main').innerText());
  }
  expect([...new Set(texts)]).toEqual([texts[0]]);
  await expect(page.getByText('Ajolote de Xochimilco')).toBeHidden();
});

test('a member finds the orders on the account page, and a lost network is reported [AMB-65]', async ({
  page,
  context,
  request,
  pageErrors,
}) => {
  await page.goto('/');
  await signUp(page.request);
  const one = await order(page.request);
  await visit(page, '/account');
  const own = page.getByRole('region', { name: 'Mis pedidos' });
  await expect(own.getByText('Pendiente de pago')).toBeVisible();
  await own.getByRole('link', { name: /Ajolote de Xochimilco/ }).click();
  await says(page, 'Esperando tu pago');
  await expect(page).toHaveURL(new RegExp(`${one.id}#${one.key}$`));
  // Without a session there are no orders.
  expect((await request.get('/api/token-requests/mine')).status()).toBe(401);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Check Status' }).click();
  await expect(page.getByRole('status').getByText('No hay conexión con el servidor.')).toBeVisible();
  // Immediately, also when the code of notices can no longer be loaded; and the page stays.
  await expect(page.getByText('Status Check Failed', { exact: true }).first()).toBeVisible();
  await says(page, 'Esperando tu pago');
  await expect(page.getByText('Sin conexión: lo que ves puede haber cambiado.')).toBeVisible({ timeout: 15_000 });
  await context.setOffline(false);
  // The router reports that it could not read the links of the page.
  expect(
    pageErrors.seen.filter((line) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch manifest patches/.test(line)),
  ).toEqual([]);
  pageErrors.seen.splice(0);
  await page.getByRole('button', { name: 'Check Status' }).click();
  await expect(page.getByText('Current status: waiting')).toBeVisible();
});

test('the address in a notification opens the order for its signed-in member, also after its link was replaced', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(404, 410);
  const ana = await signUp(page.request);
  const one = await order(page.request);
  const address = `/order/${one.id}`;
  const elsewhere = await otherBrowser(browser);
  const phone = await elsewhere.newPage();
  const missing = phone.getByRole('heading', { name: 'No encontramos este pedido' });
  await visit(phone, address);
  await expect(missing).toBeVisible();
  await signUp(elsewhere.request);
  await visit(phone, address);
  await expect(missing).toBeVisible();
  await elsewhere.request.post('/api/auth/sign-out', { data: {} });
  const signedIn = await elsewhere.request.post('/api/auth/sign-in', {
    data: { email: ana.email, password: ana.password },
  });
  expect(signedIn.status()).toBe(200);
  await visit(phone, address);
  await says(phone, 'Esperando tu pago');
  expect(await a11yViolations(phone)).toEqual([]);

  const replaced = await page.request.post(`/api/orders/${one.id}/link`, { data: { key: one.key, locale: 'es' } });
  expect(replaced.status()).toBe(200);
  await visit(phone, `/en${address}`);
  await says(phone, 'Waiting for your payment');
  // A link with the former key says that it has ended.
  await visit(phone, one.path);
  await expect(phone.getByRole('alert')).toContainText('Este enlace');
  await elsewhere.close();
});

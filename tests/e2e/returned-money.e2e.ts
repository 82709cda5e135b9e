// Money that the payment provider gives back by itself while a refund of it is open.
import path from 'node:path';
import { type Browser, type Page, request as requests } from '@playwright/test';
import { mailTo } from './mails.ts';
import { a11yViolations, expect, otherBrowser, signInAsAdmin, signUp, test, visit } from './support.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

interface Scene {
  page: Page;
  browser: Browser;
  baseURL: string | undefined;
  site: { data: string };
  database: { query: <T>(text: string, values?: unknown[]) => Promise<{ rows: T[] }> };
}

/** A paid order whose refund waits to be sent, its payer's page on a phone, and an admin's page. */
async function readyRefund({ page, browser, baseURL, site, database }: Scene) {
  const outbox = path.join(site.data, 'outbox');
  const email = `vuelta-${Date.now().toString(36)}@florka.test`;
  const from = await requests.newContext({
    ...(baseURL ? { baseURL } : {}),
    extraHTTPHeaders: { 'x-forwarded-for': `12.${Date.now() % 250}.4.7` },
  });
  const data = {
    tokenName: 'Ajolote devuelto',
    tokenSymbol: 'AJD',
    description: 'Un token de lago.',
    ownerWalletAddress: WALLET,
    selectedNetwork: 'ethereum',
    petitionerEmail: email,
    petitionerTelegram: '@ana',
  };
  const made = await from.post('/api/token-requests', { data: { data } });
  const { id, secret, orderKey } = (await made.json()) as { id: string; secret: string; orderKey: string };
  const paying = await from.post(`/api/token-requests/${id}/payment`, {
    data: { secret, plan: 'basic', locale: 'es', resemblanceAccepted: true },
  });
  const { paymentUrl, orderId } = (await paying.json()) as { paymentUrl: string; orderId: string };
  const provider = (action: string) =>
    from.post(new URL(paymentUrl).pathname, { form: { action, currency: 'eth' }, maxRedirects: 0 });
  await provider('pay_all');

  const phone = await (await otherBrowser(browser, { viewport: { width: 360, height: 780 } })).newPage();
  await visit(phone, `/order/${id}#${orderKey}`);
  await expect(phone.getByRole('heading', { level: 2, name: 'Pago recibido' })).toBeVisible({ timeout: 30_000 });

  await signInAsAdmin(page);
  const { rows } = await database.query<{ id: string; amount: string }>(
    'select id, trim_scale(actually_paid)::text as amount from payments where order_id = $1',
    [orderId],
  );
  const opened = await page.request.post('/api/admin/refunds', {
    data: { paymentId: rows[0]?.id, asset: 'eth', amount: rows[0]?.amount, reason: 'No llegó a hacerse.' },
  });
  expect(opened.status()).toBe(200);
  const refund = phone.getByRole('region', { name: /^Devolución RF-/ });
  await refund.getByLabel('Tu dirección para ETH').fill(WALLET);
  await refund.getByRole('button', { name: 'Enviar el código' }).click();
  const code = /\b(\d{8})\b/.exec(await mailTo(outbox, email, /Código para tu devolución/))?.[1] ?? '';
  await refund.getByLabel('Código del correo').fill(code);
  await refund.getByRole('button', { name: 'Confirmar la dirección' }).click();
  await expect(refund).toContainText('El equipo hace el envío a mano.');
  await provider('mute');
  return { orderId, outbox, email, provider, phone, refund };
}

test('claiming a refund checks with the provider first, which has returned the money, and the payer sees why nothing is sent', async ({
  page,
  browser,
  baseURL,
  site,
  database,
  pageErrors,
}) => {
  // The claim is refused.
  pageErrors.expectStatus(409);
  const { orderId, outbox, email, provider, phone, refund } = await readyRefund({
    page,
    browser,
    baseURL,
    site,
    database,
  });
  // The provider gives it back, and its callback gets lost.
  await provider('refund');
  await database.query("update payments set tried_at = tried_at - interval '1 minute' where order_id = $1", [orderId]);
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, `/admin/refunds?q=${orderId}`);
  await expect(page.getByText(WALLET)).toBeHidden();
  await page.getByRole('button', { name: /^Pagar la devolución: RF-/ }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'La voy a pagar ahora' }).click();
  await expect(form.getByRole('alert')).toContainText('esta devolución queda retirada. No la envíes.');
  await expect(form.getByText(WALLET)).toBeHidden();
  await expect(form.getByRole('button', { name: 'Anotar y avisar' })).toBeHidden();
  expect(await a11yViolations(page)).toEqual([]);
  await expect(refund).toContainText('ha devuelto dinero de este pago por su cuenta', { timeout: 20_000 });
  await expect(refund.getByText('Va a')).toBeHidden();
  expect(await a11yViolations(phone)).toEqual([]);
  expect(await mailTo(outbox, email, /ya devolvió dinero/)).toContain('no se envía otra vez');
});

test('a claimed refund shows its address to one person, and a warning on the open screen when the provider returns the money', async ({
  page,
  browser,
  baseURL,
  site,
  database,
}) => {
  const { orderId, provider, phone, refund } = await readyRefund({ page, browser, baseURL, site, database });
  const { rows } = await database.query<{ number: string }>(
    'select r.number from refund_cases r join payments p on p.id = r.payment_id where p.order_id = $1',
    [orderId],
  );
  const number = rows[0]?.number ?? '';
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, `/admin/refunds?q=${orderId}`);
  await page.getByRole('button', { name: /^Pagar la devolución: RF-/ }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'La voy a pagar ahora' }).click();
  await expect(form.getByText(WALLET, { exact: true })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await expect(refund).toContainText('Alguien del equipo la está enviando ahora.', { timeout: 20_000 });
  await expect(refund.getByRole('button', { name: 'Usar otra dirección' })).toBeHidden();
  expect(await a11yViolations(phone)).toEqual([]);

  // Another admin sees who pays it, and neither its address nor a way to claim it.
  const otherContext = await otherBrowser(browser);
  const colleague = await signUp(otherContext.request);
  expect((await page.request.put(`/api/admin/roles/${colleague.id}`, { data: { role: 'admin' } })).ok()).toBe(true);
  const read = await otherContext.request.get(`/api/admin/refunds?q=${orderId}`);
  expect(((await read.json()) as { rows: { number: string }[] }).rows).toMatchObject([{ number }]);
  expect(await read.text()).not.toContain(WALLET);
  const other = await otherContext.newPage();
  await visit(other, `/admin/refunds?q=${orderId}`);
  await other.getByRole('button', { name: /^Pagar la devolución: RF-/ }).click();
  const theirs = other.getByRole('dialog');
  await expect(theirs.getByRole('alert')).toContainText('la está pagando. Solo esa persona puede anotarla o soltarla');
  await expect(theirs.getByRole('button', { name: 'La voy a pagar ahora' })).toHaveCount(0);
  await expect(other.getByText(WALLET)).toHaveCount(0);
  await otherContext.close();

  // The callback of the provider arrives while the dialog is open.
  await provider('unmute');
  await provider('refund');
  await expect(form.getByRole('alert')).toContainText('No la envíes: el proveedor de pagos ya devolvió dinero.', {
    timeout: 20_000,
  });
  await expect(form.getByText(WALLET, { exact: true })).toBeHidden();
  expect(await a11yViolations(page)).toEqual([]);
  expect(await mailTo(path.join(site.data, 'outbox'), 'admin@florka.test', new RegExp(number))).toContain(
    'no la envíes',
  );
  const inbox = await page.context().newPage();
  await visit(inbox, '/admin/inbox?source=refund');
  await expect(inbox.getByRole('article', { name: number })).toContainText('No enviar: el proveedor devolvió dinero');
  await inbox.close();

  await form.getByRole('button', { name: 'No se ha pagado' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByLabel('Motivo').fill('El monedero seguía cerrado.');
  await sure.getByRole('button', { name: 'No se ha pagado' }).click();
  await expect(form.getByRole('alert')).toContainText('esta devolución queda retirada. No la envíes.');
  await expect(refund).toContainText('ha devuelto dinero de este pago por su cuenta', { timeout: 20_000 });
});

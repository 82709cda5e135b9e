// Money that the payment provider gives back by itself while a refund of it is open.
import path from 'node:path';
import { request as requests } from '@playwright/test';
import { mailTo } from './mails.ts';
import { a11yViolations, expect, otherBrowser, signInAsAdmin, test, visit } from './support.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test('the form of a refund asks the provider first, and says that nothing is to be sent; its payer reads why', async ({
  page,
  browser,
  baseURL,
  site,
  database,
}) => {
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

  // The provider gives it back, and its callback gets lost.
  await provider('mute');
  await provider('refund');
  await database.query("update payments set tried_at = tried_at - interval '1 minute' where order_id = $1", [orderId]);
  await page.setViewportSize({ width: 360, height: 780 });
  await visit(page, '/admin/refunds');
  await page
    .getByRole('button', { name: /^Anotar el envío: RF-/ })
    .first()
    .click();
  const form = page.getByRole('dialog');
  await expect(form.getByRole('status')).toContainText('esta devolución queda retirada. No la envíes.');
  await expect(form.getByText(WALLET)).toBeHidden();
  await expect(form.getByRole('button', { name: 'Anotar y avisar' })).toBeHidden();
  expect(await a11yViolations(page)).toEqual([]);
  await expect(refund).toContainText('ha devuelto dinero de este pago por su cuenta', { timeout: 20_000 });
  await expect(refund.getByText('Va a')).toBeHidden();
  expect(await a11yViolations(phone)).toEqual([]);
  expect(await mailTo(outbox, email, /ya devolvió dinero/)).toContain('no se envía otra vez');
});

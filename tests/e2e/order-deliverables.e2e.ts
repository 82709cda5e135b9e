import path from 'node:path';
import { type Page, request as requests } from '@playwright/test';
import { mailTo } from './mails.ts';
import { orderOf } from './orders.ts';
import {
  a11yViolations,
  expect,
  expectNotice,
  loseAnswers,
  otherBrowser,
  signInAsAdmin,
  test,
  visit,
} from './support.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const narrow = { width: 360, height: 780 };
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

test('one item of a paid plan is delivered with evidence, another withdrawn and refunded, and the payer sees each step on a phone [AMB-215]', async ({
  page,
  browser,
  baseURL,
  site,
  pageErrors,
}) => {
  test.setTimeout(150_000);
  // Evidence and a transaction that do not fit are refused.
  pageErrors.expectStatus(422);
  const outbox = path.join(site.data, 'outbox');
  const email = `promesa-${Date.now().toString(36)}@florka.test`;
  const from = await requests.newContext({
    ...(baseURL ? { baseURL } : {}),
    extraHTTPHeaders: { 'x-forwarded-for': `12.${Date.now() % 250}.3.7` },
  });
  const name = 'Ajolote prometido de la gran cooperativa interoceánica del sur';
  const order = await orderOf(from, { name, email });
  await order.pay();

  const phone = await (await otherBrowser(browser, { viewport: narrow })).newPage();
  await visit(phone, order.path);
  await expect(phone.getByRole('heading', { level: 2, name: 'Pago recibido' })).toBeVisible({ timeout: 30_000 });
  const promised = phone.getByRole('listitem').filter({ hasText: 'Integración con tus redes sociales' });
  await expect(promised).toContainText('Prometido para 14 días tras crear el token');
  await expect(phone.locator('[data-print]').getByText('Si algo no se entrega')).toBeVisible();
  expect(await overflow(phone)).toBe(0);
  expect(await a11yViolations(phone)).toEqual([]);

  // The team delivers one item with evidence.
  await signInAsAdmin(page);
  await visit(page, `/admin/deliverables?q=${order.orderId}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Entregas');
  for (const width of [360, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    const hidden = await page
      .getByText(name)
      .first()
      .evaluate((cell) => cell.scrollWidth - cell.clientWidth);
    expect(hidden).toBeLessThanOrEqual(0);
  }
  await page.getByRole('button', { name: 'Marcar como entregado: Documentación' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Prueba', { exact: true }).fill('http://docs.example.org');
  await form.getByRole('button', { name: 'Entregar y avisar' }).click();
  await expect(form.getByText('Escribe una dirección https completa')).toBeVisible();
  await form.getByLabel('Prueba', { exact: true }).fill(`https://docs.example.org/${order.orderId}`);
  await form.getByRole('button', { name: 'Entregar y avisar' }).click();
  await expectNotice(page, 'Marcado como entregado');
  const done = phone.getByRole('listitem').filter({ hasText: 'Documentación' });
  await expect(done).toContainText('Hecho el', { timeout: 20_000 });
  await expect(done.getByRole('link')).toHaveAttribute('href', `https://docs.example.org/${order.orderId}`);
  expect(await mailTo(outbox, email, /^(\[SIMULACIÓN\] )?Entregado/)).toContain('docs.example.org');

  // Another one is withdrawn, with money back.
  await page.getByRole('button', { name: 'Retirar: Integración con tus redes sociales' }).click();
  await form.getByLabel('Motivo para quien pagó').fill('La red cerró su API.');
  await form.getByLabel('Importe').fill('999999');
  await form.getByRole('button', { name: 'Retirar y avisar' }).click();
  await expect(form.getByText('Es más de lo que llegó')).toBeVisible();
  await form.getByLabel('Importe').fill('0,01');
  await form.getByRole('button', { name: 'Retirar y avisar' }).click();
  await expectNotice(page, 'Entrega retirada');

  const refund = phone.getByRole('region', { name: /^Devolución RF-/ });
  await expect(refund).toContainText('0,01 ETH en la red Ethereum', { timeout: 20_000 });
  await expect(refund).toContainText('La red cerró su API.');
  await refund.getByLabel('Tu dirección para ETH').fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
  await refund.getByRole('button', { name: 'Enviar el código' }).click();
  await expect(refund.getByText('No es una dirección de esta red')).toBeVisible();
  await refund.getByLabel('Tu dirección para ETH').fill(WALLET);
  expect(await a11yViolations(phone)).toEqual([]);
  // The responses are lost: the notice reports success, and only one mail is sent.
  await loseAnswers(phone, 'refunds/setAddress');
  await refund.getByRole('button', { name: 'Enviar el código' }).click();
  await expectNotice(phone, 'Código enviado a tu correo');
  const code = /\b(\d{8})\b/.exec(await mailTo(outbox, email, /Código para tu devolución/))?.[1] ?? '';
  await refund.getByLabel('Código del correo').fill(code === '00000000' ? '00000001' : '00000000');
  await refund.getByRole('button', { name: 'Confirmar la dirección' }).click();
  await expect(refund.getByText('No es el código. Quedan 4 intentos.')).toBeVisible();
  await refund.getByLabel('Código del correo').fill(code);
  await loseAnswers(phone, 'refunds/confirmAddress');
  await refund.getByRole('button', { name: 'Confirmar la dirección' }).click();
  await expect(refund).toContainText('El equipo hace el envío a mano.');

  // It waits in the inbox, and is noted with its transaction.
  await visit(page, '/admin/inbox?source=refund');
  await page
    .getByRole('link', { name: /Ver la devolución: RF-/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Pagar la devolución: RF-/ }).click();
  await expect(form).not.toContainText(WALLET);
  await form.getByRole('button', { name: 'La voy a pagar ahora' }).click();
  await expect(form).toContainText(WALLET);
  await form.getByLabel('Transacción', { exact: true }).fill('a'.repeat(64));
  await form.getByRole('button', { name: 'Anotar y avisar' }).click();
  await expect(form.getByText('No tiene la forma de una transacción')).toBeVisible();
  await form.getByLabel('Transacción', { exact: true }).fill(`0x${'a'.repeat(64)}`);
  await form.getByRole('button', { name: 'Anotar y avisar' }).click();
  await expectNotice(page, 'Devolución anotada');
  await expect(refund).toContainText('El equipo dice que la ha enviado.', { timeout: 20_000 });
  await expect(refund).toContainText('Dirección confirmada por correo');
  // A part of the money: what was paid, what went back, and what is left.
  const money = phone.getByRole('region', { name: 'Dinero de este pago' });
  await expect(money).toContainText('Pagado1.500,00 USDDevuelto30,00 USDQueda1.470,00 USD', { timeout: 20_000 });
  expect(await overflow(phone)).toBe(0);
  expect(await a11yViolations(phone)).toEqual([]);

  await visit(page, `/admin/token-creation?q=${order.orderId}`);
  await expect(page.getByRole('row', { name: /Ajolote prometido/ })).toContainText(
    'Devuelto 30,00 USD · queda 1.470,00 USD',
  );
  for (const width of [360, 768, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const screen of ['/admin/deliverables?state=all', '/admin/refunds', '/admin/deliverable-terms']) {
      await visit(page, screen);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await overflow(page), `${screen} at ${width}`).toBe(0);
    }
  }
  expect(await a11yViolations(page)).toEqual([]);
});

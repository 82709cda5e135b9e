import { randomBytes } from 'node:crypto';
import { a11yViolations, expect, expectNotice, otherBrowser, signInAsAdmin, test, visit } from './support.ts';

test('a buyer without an account is found by e-mail and order number, and a mail is sent to them again', async ({
  page,
  browser,
}) => {
  const address = `guest-${randomBytes(4).toString('hex')}@florka.test`;
  const buyer = await otherBrowser(browser);
  const made = await buyer.request.post('/api/token-requests', {
    data: {
      data: {
        tokenName: 'Ajolote sin cuenta',
        tokenSymbol: 'ASC',
        description: 'Un token de lago.',
        ownerWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        selectedNetwork: 'ethereum',
        petitionerEmail: address,
        petitionerTelegram: '@ana',
      },
    },
  });
  const { id, secret } = (await made.json()) as { id: string; secret: string };
  const paid = await buyer.request.post(`/api/token-requests/${id}/payment`, {
    data: { secret, plan: 'basic', locale: 'es', resemblanceAccepted: true },
  });
  const { orderId } = (await paid.json()) as { orderId: string };

  await signInAsAdmin(page);
  await visit(page, '/admin/people');
  const box = page.getByLabel('Nombre, correo o número', { exact: false });
  for (const query of [orderId, address]) {
    await box.fill(query);
    await box.press('Enter');
    await expect(page.getByRole('region', { name: 'Correos sin cuenta' }).getByRole('link')).toContainText(address);
  }
  await page.getByRole('link', { name: address }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(address);
  await expect(page.getByRole('navigation', { name: 'Administración' }).locator('[aria-current]')).toHaveText(
    'Personas',
  );
  await expect(page.getByRole('region', { name: 'Pedidos y pagos' })).toContainText(orderId);
  const mails = page.getByRole('region', { name: 'Correos enviados' });
  // A job delivers the mail, some time after it was queued.
  await expect(async () => {
    await page.reload();
    // Scenarios have no mail server.
    await expect(mails.getByText('guardado como archivo')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await mails.getByRole('button', { name: `Reenviar: Pedido abierto ${orderId}` }).click();
  const question = page.getByRole('alertdialog', { name: '¿Reenviar este correo?' });
  await expect(question).toContainText(address);
  await question.getByRole('button', { name: 'Reenviar' }).click();
  await expectNotice(page, 'Correo en cola');
  await expect(mails.getByText('Pedido abierto')).toHaveCount(2);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await a11yViolations(page)).toEqual([]);
  }
  // The order leads to the same page, and a mailbox that nothing names says so.
  await visit(page, `/admin/token-creation?request=${id}`);
  await page.getByRole('link', { name: 'Todo de esta persona: pedidos y correos' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(address);
  await visit(page, '/en/admin/mailbox?address=nobody-at-all%40florka.test');
  await expect(page.getByText('Nothing with this mailbox')).toBeVisible();
  await buyer.close();
});

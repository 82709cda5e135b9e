// Deliverables: actions of the staff, and what the payer's page displays.
import type { Page } from '@playwright/test';
import { expect, expectNotice } from './support.ts';

/** An item of the plan, on the page of its order. */
export const itemOf = (payer: Page, name: string) => payer.getByRole('listitem').filter({ hasText: name });

/** Marks an item as delivered in the list of deliverables. @param evidence an address. */
export async function deliver(staff: Page, name: string, evidence: string): Promise<void> {
  await staff.getByRole('button', { name: `Marcar como entregado: ${name}` }).click();
  const form = staff.getByRole('dialog');
  await form.getByLabel('Prueba', { exact: true }).fill(evidence);
  await form.getByRole('button', { name: 'Entregar y avisar' }).click();
  await expectNotice(staff, 'Marcado como entregado');
  await expect(form).toBeHidden();
}

interface Withdrawn {
  item: string;
  /** In the coin of the payment, in the notation of the form. */
  amount: string;
  address: string;
  transaction: string;
  /** The code that was mailed to the payer. */
  code: () => Promise<string>;
}

/** Withdraws an item with money back, until it was sent; its payer enters the address, and sees each step. */
export async function withdrawAndRefund(staff: Page, payer: Page, about: Withdrawn): Promise<void> {
  const form = staff.getByRole('dialog');
  await staff.getByRole('button', { name: `Retirar: ${about.item}` }).click();
  await form.getByLabel('Motivo para quien pagó').fill('La red cerró su API.');
  await form.getByLabel('Importe').fill(about.amount);
  await form.getByRole('button', { name: 'Retirar y avisar' }).click();
  await expectNotice(staff, 'Entrega retirada');
  await expect(itemOf(payer, about.item)).toContainText('Retirado', { timeout: 20_000 });
  const refund = payer.getByRole('region', { name: /^Devolución RF-/ });
  await expect(refund).toContainText(about.amount);
  await refund.getByLabel(/^Tu dirección para/).fill(about.address);
  await refund.getByRole('button', { name: 'Enviar el código' }).click();
  await refund.getByLabel('Código del correo').fill(await about.code());
  await refund.getByRole('button', { name: 'Confirmar la dirección' }).click();
  await expect(refund).toContainText('El equipo hace el envío a mano.');
  await staff.goto('/admin/inbox?source=refund');
  await staff
    .getByRole('link', { name: /Ver la devolución: RF-/ })
    .first()
    .click();
  await staff.getByRole('button', { name: /^Pagar la devolución: RF-/ }).click();
  await expect(form).not.toContainText(about.address);
  await form.getByRole('button', { name: 'La voy a pagar ahora' }).click();
  await expect(form).toContainText(about.address);
  await form.getByLabel('Transacción', { exact: true }).fill(about.transaction);
  await form.getByRole('button', { name: 'Anotar y avisar' }).click();
  await expectNotice(staff, 'Devolución anotada');
  await expect(refund).toContainText('El equipo dice que la ha enviado.', { timeout: 20_000 });
}

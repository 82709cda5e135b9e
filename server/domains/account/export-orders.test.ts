import { expect, it, vi } from 'vitest';
import { app, paid } from '#tests/fixtures/token-orders.ts';

vi.mock('./min-duration.ts', () => ({ withMinDuration: (work: () => Promise<unknown>) => work() }));

const exportOf = async (person: Parameters<typeof app.as>[0]) =>
  (await app.as(person).account.export()) as Record<'payments' | 'refunds' | 'deliverables', Record<string, unknown>[]>;

it('payments, refunds and deliverables of own orders are exported, those of others are not', async () => {
  const [ana, ben] = [await app.member(), await app.member()];
  const { id } = await paid();
  await paid();
  await app.sql('update token_creation_submissions set user_id = $1 where id = $2', [ana.id, id]);
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  await app.sql(
    `insert into refund_cases (number, submission_id, payment_id, cause, reason, asset, decimals, amount, state, address, address_at,
       confirmed_at, simulation)
     select 'RF-EXPORT', submission_id, id, 'cancelled', 'para el pagador', 'eth', 18, 5, 'ready', $2, $3, $3, true
     from payments where submission_id = $1`,
    [id, address, app.now.toISOString()],
  );
  const { payments, refunds, deliverables } = await exportOf(ana);
  expect(payments).toEqual([
    expect.objectContaining({
      submission_id: id,
      plan: 'basic',
      actually_paid: expect.anything(),
      pay_currency: expect.anything(),
    }),
  ]);
  expect(deliverables.length).toBeGreaterThan(0);
  expect(deliverables.every((one) => one['submission_id'] === id)).toBe(true);
  // The address is shortened until the refund is sent, as on the order's page.
  expect(refunds).toEqual([expect.objectContaining({ number: 'RF-EXPORT', amount: 5, address: '0x5290…9EE7' })]);
  expect(await exportOf(ben)).toMatchObject({ payments: [], refunds: [], deliverables: [] });
});

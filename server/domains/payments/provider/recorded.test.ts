import { afterAll, describe, expect, it } from 'vitest';
import { nowPayments } from '#server/providers/payments/nowpayments.ts';
import { PROVIDER_STATUSES } from '#server/providers/payments/port.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { callbackProcessor } from '#tests/support/payments/callback-processor.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { readRecorded } from '#tests/support/payments/recorded.ts';
import { startEmulator } from '../../../../emulator/emulator.ts';

const keys = { apiKey: 'key-of-the-simulation', ipnSecret: 'secret-of-the-simulation' };
const emulator = await startEmulator({ ...keys, pageBase: 'http://florka.test/sandbox', pace: 0, retryDelay: 1 });
afterAll(() => emulator.close());
const app = await startTestApp({
  payments: nowPayments({ ...keys, baseUrl: `${emulator.origin}/v1`, simulation: true }),
  emulator: async () => emulator.origin,
});
const files = readRecorded();

let serial = 0;
async function order() {
  app.pass(1_500);
  const api = app.as(null, { address: `10.70.${++serial}.1` });
  const data = { ...COMPLETE, petitionerEmail: `rec${serial}@florka.test` };
  const { id, secret, orderKey } = await api.tokenRequests.create({ data });
  const { paymentUrl, priceAmount } = await api.tokenRequests.pay({ id, secret, plan: 'basic', locale: 'es' });
  expect(priceAmount).toBe(1_500);
  return {
    id,
    invoiceId: Number(paymentUrl.split('/').at(-1)),
    read: async () => (await api.tokenRequests.order({ id, key: orderKey })).payment,
    check: () => {
      app.pass(11_000);
      return api.tokenRequests.check({ id, secret });
    },
  };
}
const processCallbacks = callbackProcessor(app);

describe('callbacks and answers in the form of the provider’s documentation', () => {
  it('are at least twenty, with every documented status and at least one other', () => {
    expect(files.length).toBeGreaterThanOrEqual(20);
    const statuses = new Set(files.map(({ answer }) => String(answer['payment_status'])));
    for (const status of PROVIDER_STATUSES) expect(statuses).toContain(status);
    expect([...statuses].some((status) => !(PROVIDER_STATUSES as readonly string[]).includes(status))).toBe(true);
  });

  it.each(files)('$name: $about', async (recorded) => {
    const one = await order();
    const id = await emulator.replay(one.invoiceId, recorded);
    // Received, verified and parsed; then fetched from the provider itself.
    expect(await processCallbacks()).toBe(recorded.callback ? 1 : 0);
    if (!recorded.callback) await one.check();
    const payment = await one.read();
    expect({ state: payment?.state, confirmed: payment?.confirmed }).toEqual({
      state: recorded.expected.state,
      confirmed: recorded.expected.confirmed,
    });
    // Another poll does not change the state, and the known facts contain the deposit.
    await one.check();
    expect((await one.read())?.state).toBe(recorded.expected.state);
    const known = await app.sql<{ n: number }>(
      `select count(*)::int as n from payments where submission_id = $1 and ledger::text like '%' || $2 || '%'`,
      [one.id, String(id)],
    );
    expect(known[0]?.n).toBe(1);
  });

  it('with another signature are refused, and nothing of them is stored', async () => {
    const before = await app.sql('select count(*) as n from payment_events');
    for (const { callback } of files) {
      if (!callback) continue;
      const answer = await app.http('/webhooks/nowpayments', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-nowpayments-sig': 'a'.repeat(128) },
        body: JSON.stringify(callback),
      });
      expect(answer.status).toBe(401);
    }
    expect(await app.sql('select count(*) as n from payment_events')).toEqual(before);
  });
});

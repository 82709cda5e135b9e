import http from 'node:http';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { nowPayments } from '#server/providers/payments/nowpayments.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { callbackProcessor } from '#tests/support/payments/callback-processor.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { startEmulator } from '../../../../emulator/emulator.ts';
import type { Action } from '../../../../emulator/payers.ts';

const keys = { apiKey: 'key-of-the-simulation', ipnSecret: 'secret-of-the-simulation' };
let clock = () => Date.parse('2026-03-10T12:00:00Z');
const emulator = await startEmulator({
  ...keys,
  pageBase: 'http://florka.test/sandbox',
  pace: 0,
  retryDelay: 1,
  now: () => clock(),
});
afterAll(() => emulator.close());
const app = await startTestApp({
  payments: nowPayments({ ...keys, baseUrl: `${emulator.origin}/v1`, simulation: true }),
  emulator: async () => emulator.origin,
});
clock = () => app.now.getTime();

let serial = 0;
async function order(locale: 'es' | 'en' = 'es') {
  app.pass(1_500);
  serial++;
  const api = app.as(null, { address: `10.8.${serial % 250}.1` });
  const email = `sim${serial}@florka.test`;
  const { id, secret, orderKey } = await api.tokenRequests.create({ data: { ...COMPLETE, petitionerEmail: email } });
  const payment = await api.tokenRequests.pay({ id, secret, plan: 'basic', locale });
  return {
    api,
    id,
    secret,
    email,
    payment,
    invoiceId: Number(payment.paymentUrl.split('/').at(-1)),
    state: async () => (await api.tokenRequests.order({ id, key: orderKey })).payment?.state,
    check: async () => {
      app.pass(11_000);
      return api.tokenRequests.check({ id, secret });
    },
  };
}
const processCallbacks = callbackProcessor(app);

/** The raw path, which fetch would normalize. */
const rawStatus = (target: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { port } = new URL(app.origin);
    const request = http.get({ host: '127.0.0.1', port, path: target, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });

describe('the payment emulator over HTTP', () => {
  it('marks mode, payment, page and mail as a simulation', async () => {
    expect(await app.as().tokenRequests.paymentMode()).toEqual({ available: true, simulation: true, currency: 'usd' });
    const one = await order();
    expect(one.payment).toMatchObject({
      simulation: true,
      paymentUrl: `http://florka.test/sandbox/pay/${one.invoiceId}`,
    });
    const page = await app.http(`/sandbox/pay/${one.invoiceId}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html.match(/SIMULACIÓN/g)?.length).toBeGreaterThan(2);
    expect(html).toContain(one.payment.orderId);
    const mail = (await app.deliverMails()).find(({ to }) => to === one.email);
    expect(mail?.subject).toMatch(/^\[SIMULACIÓN\]/);
    expect(mail?.text).toContain('no se mueve dinero');
  });

  it('shows its page in the language of the payer', async () => {
    const { invoiceId } = await order('en');
    const html = await (await app.http(`/sandbox/pay/${invoiceId}`)).text();
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('>Pay all of it</button>');
    expect(html).not.toMatch(/Pagar|Pedido|Moneda/);
  });

  it('completes a payment from its page by callbacks alone, and refuses cross-site forms', async () => {
    const one = await order();
    const target = `/sandbox/pay/${one.invoiceId}`;
    const press = (action: string, headers: Record<string, string> = {}) =>
      app.http(target, {
        method: 'POST',
        body: new URLSearchParams({ action, currency: 'sol' }),
        headers,
      });
    expect((await press('pay_all', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const answer = await press('pay_all');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `http://florka.test${target}`]);
    await emulator.idle();
    expect(await processCallbacks()).toBe(4);
    expect(await one.state()).toBe('paid');
    const { payment } = await one.check();
    expect(payment).toMatchObject({ payCurrency: 'sol', actuallyPaid: 10, providerStatus: 'finished' });
    expect(await (await app.http(target)).text()).toContain(`/order/${one.id}?NP_id=`);
  });

  it('exposes only its payment pages publicly, never its API', async () => {
    for (const path of [
      '/sandbox/',
      '/sandbox/../v1/status',
      '/sandbox/%2e%2e/v1/status',
      '/sandbox/v1/status',
      '/sandbox/pay/1',
    ])
      expect(await rawStatus(path), path).toBe(404);
    expect((await app.http('/sandbox/pay/1', { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(`${emulator.origin}/v1/invoice`, { method: 'POST', body: '{}' })).status).toBe(403);
  });

  it.each<[Action[], string]>([
    [['pay_all'], 'paid'],
    [['pay_part'], 'partially_paid'],
    [['pay_part', 'top_up'], 'paid'],
    [['pay_more'], 'overpaid'],
    [['late'], 'paid_late'],
    [['fail'], 'failed'],
    [['expire'], 'expired'],
    [['pay_all', 'refund'], 'refunded'],
    [['wrong_asset'], 'under_review'],
    [['wrong_asset', 'pay_all'], 'paid'],
    [['pay_all', 'duplicate', 'reorder'], 'paid'],
    [['fail', 'pay_all'], 'paid'],
  ])('takes an order by %j to %s', async (actions, state) => {
    const one = await order();
    for (const action of actions) {
      await emulator.apply(one.invoiceId, action);
      await processCallbacks();
    }
    await one.check();
    expect(await one.state()).toBe(state);
  });

  it('has its payment found by the reconciliation when every callback was lost', async () => {
    const one = await order();
    await emulator.apply(one.invoiceId, 'mute');
    await emulator.apply(one.invoiceId, 'pay_all');
    expect(await processCallbacks()).toBe(0);
    expect(await one.state()).toBe('awaiting');
    app.pass(61_000);
    await app.services.payments.reconcile();
    expect(await one.state()).toBe('paid');
  });

  it('keeps at most 50 payments per invoice', async () => {
    const one = await order();
    for (let i = 0; i < 60; i++) await emulator.apply(one.invoiceId, 'fail');
    expect(emulator.payments(one.invoiceId)).toHaveLength(50);
  });

  const ACTIONS: Action[] = [
    'choose',
    'pay_all',
    'pay_part',
    'top_up',
    'pay_more',
    'fail',
    'expire',
    'wrong_asset',
    'duplicate',
    'reorder',
    'mute',
    'unmute',
    'refund',
  ];

  it('agrees with the state of the order after any of 50 schedules', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.constantFrom('callbacks', 'check', 'both', 'nothing')), {
          minLength: 1,
          maxLength: 6,
        }),
        async (schedule) => {
          const one = await order();
          for (const [action, then] of schedule) {
            await emulator.apply(one.invoiceId, action);
            await Promise.all([
              then === 'callbacks' || then === 'both' ? processCallbacks() : null,
              then === 'check' || then === 'both' ? one.check() : null,
            ]);
          }
          await one.check();
          const truth = emulator.payments(one.invoiceId);
          const own = truth.filter((payment) => payment.parent_payment_id === null);
          const full = own.filter(
            (payment) => payment.payment_status === 'finished' && payment.actually_paid >= payment.pay_amount,
          );
          const has = (status: string) => own.some((payment) => payment.payment_status === status);
          const state = await one.state();
          if (full.length > 0) expect(['paid', 'overpaid']).toContain(state);
          else if (has('partially_paid')) expect(state).toBe('partially_paid');
          // A deposit of another coin is still held: it needs a review.
          else if (truth.some((payment) => payment.parent_payment_id !== null)) expect(state).toBe('under_review');
          else if (has('refunded')) expect(state).toBe('refunded');
          else expect(['awaiting', 'failed', 'expired', 'under_review']).toContain(state);
          // An order that was never paid in full has no receipt.
          const receipts = await app.sql("select 1 from mails where template = 'orderPaid' and to_address = $1", [
            one.email,
          ]);
          const ever = own.some((payment) => payment.sent.some((body) => body.includes('"finished"')));
          expect(receipts.length).toBeLessThanOrEqual(ever ? 1 : 0);
          if (full.length > 0) expect(receipts).toHaveLength(1);
        },
      ),
      { numRuns: 50 },
    );
  });
});

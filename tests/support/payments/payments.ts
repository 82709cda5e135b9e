// A site with a payment provider in memory, and orders that are about to be paid.
import { afterEach } from 'vitest';
import type { Plan } from '#contract/domains/payments.ts';
import { PLANS } from '#contract/limits.ts';
import type { PaymentService } from '#server/domains/payments/payments.port.ts';
import { whyNotDeliver } from '#server/domains/payments/proof/delivery-check.service.ts';
import type { Deposit, ProviderStatus } from '#server/providers/payments/port.ts';
import type { Services } from '#server/services.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import type { TestAppOptions } from '#tests/support/app/test-parts.ts';
import { COMPLETE } from './complete-draft.ts';
import { fakeProvider } from './fake-provider.ts';

interface Row extends Record<string, unknown> {
  state: string;
  attention: string[];
  received_usd: string;
}

/** Starts the site; the provider is reset after each test. */
export async function paymentRig(options: Omit<TestAppOptions, 'payments'> = {}) {
  let clock = () => 0;
  const fake = fakeProvider(() => clock());
  const app = await startTestApp({ ...options, payments: fake.provider });
  clock = () => app.now.getTime();

  let serial = 0;
  /** Each guest from a network of their own. */
  const guest = (at?: Services) => {
    serial++;
    return app.as(null, { address: `10.${Math.floor(serial / 250)}.${serial % 250}.1`, ...(at ? { at } : {}) });
  };

  afterEach(() => {
    fake.box.trouble = () => 'none';
    fake.box.lie = (deposit) => deposit;
    fake.box.lists = true;
    fake.box.whole = true;
    fake.box.before = async () => {};
  });

  async function draft(over: object = {}) {
    // Below the rate that requires a proof of work.
    app.pass(1_500);
    const api = guest();
    const { id, secret, orderKey } = await api.tokenRequests.create({
      data: { ...COMPLETE, petitionerEmail: `payer${serial}@florka.test`, ...over },
    });
    const pay = (plan: Plan = 'basic', at = api) =>
      at.tokenRequests.pay({ id, secret, plan, locale: 'es', resemblanceAccepted: true });
    return { api, id, secret, orderKey, pay, email: `payer${serial}@florka.test` };
  }

  /** A request with an open payment, and the provider's side of it. */
  async function order(plan: Plan = 'basic') {
    const request = await draft();
    const payment = await request.pay(plan);
    const invoice = fake.invoiceOf(payment.orderId);
    const depositId = fake.newDepositId();
    const due = PLANS[plan].priceUsd * 2;
    const [{ id: paymentId } = { id: '' }] = await app.sql<{ id: string }>(
      'select id from payments where order_id = $1',
      [payment.orderId],
    );
    return {
      ...request,
      payment,
      invoice,
      depositId,
      paymentId,
      move: (status: ProviderStatus, share = 0, over: Partial<Deposit> = {}) =>
        fake.move(invoice, over.paymentId ?? depositId, status, { actuallyPaid: due * share, ...over }),
      state: async () => (await rowOf(paymentId)).state,
      check: async () => {
        app.pass(11_000);
        return (await request.api.tokenRequests.check({ id: request.id, secret: request.secret })).answer;
      },
      read: (check = false) => request.api.tokenRequests.order({ id: request.id, key: request.orderKey, check }),
      request: async () =>
        (
          await app.sql<{ status: string; payment_status: string; payment_id: string; membership_type: string }>(
            'select status, payment_status, payment_id, membership_type from token_creation_submissions where id = $1',
            [request.id],
          )
        )[0],
    };
  }
  const whyNot = (id: string, simulation = false) =>
    app.services.db.transaction((tx) => whyNotDeliver(tx, id, { simulation }));
  async function rowOf(id: string): Promise<Row> {
    const [row] = await app.sql<Row>('select * from payments where id = $1', [id]);
    if (!row) throw new Error('no payment');
    return row;
  }
  const count = async (text: string, values: unknown[] = []) =>
    (await app.sql<{ n: number }>(`select count(*)::int as n from ${text}`, values))[0]?.n ?? -1;

  /** Sends a callback over HTTP. */
  const send = (body: string, signature: string | undefined, headers: Record<string, string> = {}) =>
    app.http('/webhooks/nowpayments', {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        ...(signature === undefined ? {} : { 'x-nowpayments-sig': signature }),
        ...headers,
      },
    });
  /** Processes every stored callback, as the queue would. */
  const processed = new Set<number>();
  async function processCallbacks(service: PaymentService = app.services.payments): Promise<void> {
    for (const { id } of await app.sql<{ id: string }>(
      "select id from payment_events where kind = 'webhook' order by id",
    )) {
      if (processed.has(Number(id))) continue;
      processed.add(Number(id));
      await service.processCallback(Number(id));
    }
  }
  async function callBack(deposit: Deposit): Promise<number> {
    const { body, signature } = fake.callback(deposit);
    const { status } = await send(body, signature);
    await processCallbacks();
    return status;
  }

  return { app, fake, guest, draft, order, whyNot, rowOf, count, send, processCallbacks, callBack };
}

import { describe, expect, it, vi } from 'vitest';
import { LIMITS, PAYMENT_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { app, callBack, count, DAY, draft, fake, guest, order, rowOf, whyNot } from '#tests/fixtures/payments.ts';
import type { PaymentService } from './payments.port.ts';
import { createPaymentService } from './payments.service.ts';

describe('creating a payment', () => {
  it('returns the payment, updates the request, writes its actor into the audit log, and mails the private link once [DATA-39] [PAY-17..18] [PAY-26] [AMB-42]', async () => {
    const request = await draft();
    const payment = await request.pay('standard');
    expect(payment).toMatchObject({
      state: 'awaiting',
      confirmed: false,
      plan: 'standard',
      priceAmount: 3_000,
      priceCurrency: 'usd',
      simulation: false,
      paymentId: null,
      payAddress: null,
      payAmount: null,
      payCurrency: null,
      missingUsd: 3_000,
    });
    expect(payment.orderId).toMatch(/^FL-[0-9A-Z]{10}$/);
    expect(payment.paymentUrl).toMatch(/^https:\/\/pay\.test\//);
    const invoice = fake.invoices.at(-1);
    expect(invoice).toMatchObject({
      orderId: payment.orderId,
      priceUsd: 3_000,
      callbackUrl: `${app.origin}/webhooks/nowpayments`,
      returnUrl: `http://florka.test/order/${request.id}`,
    });
    const [row] = await app.sql('select * from token_creation_submissions where id = $1', [request.id]);
    expect(row).toMatchObject({
      status: 'pending_payment',
      payment_status: 'pending',
      membership_type: 'standard',
      plan_price_usd: 3_000,
      payment_id: invoice?.invoiceId,
    });
    await request.pay('standard');
    const ana = await app.member();
    await request.pay('basic', app.as(ana));
    const mails = (await app.deliverMails()).filter(({ to }) => to === request.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`http://florka.test/order/${request.id}#${request.orderKey}`);
    expect(
      await app.sql(
        `select actor_id, actor_role, after ->> 'plan' as plan from audit_events
         where action = 'payment.created' and after ->> 'requestId' = $1 order by id`,
        [request.id],
      ),
    ).toEqual([
      { actor_id: null, actor_role: 'visitor', plan: 'standard' },
      { actor_id: ana.id, actor_role: 'user', plan: 'basic' },
    ]);
  });

  it('uses the English order page for English payers', async () => {
    const request = await draft();
    await request.api.tokenRequests.pay({ id: request.id, secret: request.secret, plan: 'entry', locale: 'en' });
    expect(fake.invoices.at(-1)?.returnUrl).toBe(`http://florka.test/en/order/${request.id}`);
    const mail = (await app.deliverMails()).find(({ to }) => to === request.email);
    expect(mail?.text).toContain(`http://florka.test/en/order/${request.id}#${request.orderKey}`);
  });

  it.each([
    ['token', { tokenName: ' ' }],
    ['token', { description: '' }],
    ['symbol', { tokenSymbol: 'ñan$du-123' }],
    ['creator', { ownerWalletAddress: '' }],
    ['creator', { petitionerTelegram: '' }],
    ['creator', { petitionerEmail: '' }],
    ['creator', { selectedNetwork: '' }],
    ['email', { petitionerEmail: 'a b@c.de' }],
    ['email', { petitionerEmail: 'ana@florka' }],
    ['network', { selectedNetwork: 'dogechain' }],
    ['wallet', { ownerWalletAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD' }],
    ['wallet', { selectedNetwork: 'solana' }],
  ] as const)('is refused without a valid %s: %j', async (missing, over) => {
    const request = await draft(over);
    const before = fake.invoices.length;
    await expect(request.pay()).rejects.toMatchObject({ code: 'DRAFT_INCOMPLETE', data: { missing } });
    expect(fake.invoices.length).toBe(before);
    expect(await count('payments where submission_id = $1', [request.id])).toBe(0);
  });

  it('is refused for a form that was changed since its payer saw it', async () => {
    const { api, id, secret } = await draft();
    const { version } = await api.tokenRequests.read({ id, secret });
    await api.tokenRequests.save({ id, secret, version, data: { tokenName: 'Otro nombre' } });
    const before = fake.invoices.length;
    const pay = (seen: number) =>
      api.tokenRequests.pay({ id, secret, version: seen, plan: 'basic', locale: 'es', resemblanceAccepted: true });
    await expect(pay(version)).rejects.toMatchObject({ code: 'VERSION_CONFLICT', data: { version: version + 1 } });
    expect(fake.invoices.length).toBe(before);
    expect(await pay(version + 1)).toMatchObject({ plan: 'basic', confirmed: false });
  });

  it('returns one payment to concurrent clicks on two processes, and to later ones', async () => {
    const other = await app.secondProcess();
    const request = await draft();
    const before = fake.invoices.length;
    const there = guest(other);
    const waiting = (clicks: number) =>
      vi.waitUntil(async () => (await app.waiting()) === clicks, { timeout: 10_000, interval: 10 });
    // All five reach the request concurrently, and the provider responds only when each of them has arrived.
    const blocker = await app.sqlClient();
    await blocker.query('begin');
    await blocker.query('select 1 from token_creation_submissions where id = $1 for update', [request.id]);
    fake.box.before = async () => void (await waiting(0));
    const clicks = Promise.all([
      request.pay(),
      request.pay(),
      request.pay('basic', there),
      request.pay('basic', there),
      request.pay(),
    ]);
    await waiting(5);
    await blocker.query('commit');
    await blocker.end();
    const answers = await clicks;
    fake.box.before = async () => {};
    answers.push(await request.pay());
    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1);
    expect(new Set(answers.map(({ paymentUrl }) => paymentUrl)).size).toBe(1);
    expect(fake.invoices.length - before).toBe(1);
    expect(await count('payments where submission_id = $1', [request.id])).toBe(1);
  });

  it('keeps the order number when the provider refuses, fails, or its response is lost', async () => {
    const request = await draft();
    for (const failure of ['refused', 'unknown', 'after'] as const) {
      fake.box.trouble = () => failure;
      await expect(request.pay()).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' });
    }
    fake.box.trouble = () => 'none';
    expect(await app.sql('select status from token_creation_submissions where id = $1', [request.id])).toEqual([
      { status: 'incomplete' },
    ]);
    const payment = await request.pay();
    const invoices = fake.invoices.filter(({ orderId }) => orderId === payment.orderId);
    // The lost one, and the stored one.
    expect(invoices).toHaveLength(2);
    expect(payment.paymentUrl).toBe(`https://pay.test/${invoices[1]?.invoiceId}`);
    // A payment on the lost one counts all the same: the order number is ours.
    const paid = fake.move(invoices[0] as never, fake.newDepositId(), 'finished', { actuallyPaid: 3_000 });
    expect(await callBack(paid)).toBe(200);
    expect((await request.pay()).state).toBe('paid');
  });

  it('continues with the same number after the process ends before it stores the provider’s response', async () => {
    const request = await draft();
    let transactions = 0;
    // The second transaction stores the invoice.
    const dying = new Proxy(app.services.db, {
      get(target, name) {
        if (name !== 'transaction') return Reflect.get(target, name);
        return (work: Parameters<Db['transaction']>[0]) => {
          if (++transactions === 2) throw new Error('killed');
          return target.transaction(work);
        };
      },
    });
    const service = createPaymentService({
      db: dying,
      jobs: app.services.jobs,
      provider: fake.provider,
      requests: { check: async () => ({ manualDays: null }) },
      onOrderChange: async () => {},
      onMoneyReturned: async () => {},
      secret: app.secret,
      publicUrl: 'http://florka.test',
      callbackUrl: () => '',
      now: () => app.now,
    });
    const actor = { id: null, role: 'visitor', ipHash: null, requestId: null } as const;
    const pay = (of: PaymentService) =>
      of.pay({ requestId: request.id, plan: 'basic', locale: 'es', actor, limit: LIMITS.orderRequestDay });
    const before = fake.invoices.length;
    await expect(pay(service)).rejects.toThrow('killed');
    // The lease of the dead process is still active; after its expiry the next one continues with the same number.
    app.pass(31_000);
    const row = await pay(app.services.payments);
    expect(fake.invoices.slice(before).map(({ orderId }) => orderId)).toEqual([row.orderId, row.orderId]);
    expect(await count('payments where submission_id = $1', [request.id])).toBe(1);
  });

  it('creates a new order after a change of plan or an expiry; both are polled, and a replaced one needs a review', async () => {
    const first = await order('entry');
    const other = await first.pay('complete');
    expect(other.orderId).not.toBe(first.payment.orderId);
    expect(other.priceAmount).toBe(5_000);
    expect(await first.request()).toMatchObject({ membership_type: 'complete', status: 'pending_payment' });
    // Paid at the old price after all: the expensive plan is not delivered for it.
    // No callback arrives, and the list of all deposits does not either.
    first.move('finished', 1);
    fake.box.trouble = (call) => (call === 'recent' ? 'unknown' : 'none');
    app.pass(61_000);
    await app.services.payments.reconcile();
    fake.box.trouble = () => 'none';
    expect(await app.sql('select asked_at from payments where submission_id = $1', [first.id])).toEqual([
      { asked_at: app.now },
      { asked_at: app.now },
    ]);
    expect(await rowOf(first.paymentId)).toMatchObject({ state: 'under_review', attention: ['superseded'] });
    expect(await first.request()).toMatchObject({ payment_status: 'pending' });
    expect(await whyNot(first.id)).toBe('not_accepted');

    const second = await order('entry');
    app.pass((PAYMENT_DAYS + 1) * DAY);
    expect(await second.check()).toBe('not_paid');
    expect(await second.state()).toBe('expired');
    expect(await second.request()).toMatchObject({ status: 'pending_payment', payment_status: 'failed' });
    const renewed = await second.pay('entry');
    expect(renewed.orderId).not.toBe(second.payment.orderId);
    expect(await second.request()).toMatchObject({ payment_status: 'pending' });
  });

  it('counts a late payment for an expired order, and flags the new order when it is paid too', async () => {
    const late = await order('entry');
    app.pass((PAYMENT_DAYS + 2) * DAY);
    await late.check();
    const renewed = await late.pay('entry');
    const invoice = fake.invoices.find(({ orderId }) => orderId === renewed.orderId);
    late.move('finished', 1);
    app.pass(7 * 3_600_000);
    await app.services.payments.reconcile();
    expect(await rowOf(late.paymentId)).toMatchObject({ state: 'paid_late', attention: ['late'] });
    expect(await late.request()).toMatchObject({ status: 'completed', payment_status: 'completed' });
    expect((await late.read()).stage).toBe('paid');
    await callBack(fake.move(invoice as never, fake.newDepositId(), 'finished', { actuallyPaid: 100 }));
    const [both] = await app.sql('select attention from payments where order_id = $1', [renewed.orderId]);
    expect(both).toEqual({ attention: ['paid_twice'] });
  });

  it('is unavailable without a provider', async () => {
    const service = createPaymentService({
      db: app.services.db,
      jobs: app.services.jobs,
      provider: null,
      requests: { check: async () => ({ manualDays: null }) },
      onOrderChange: async () => {},
      onMoneyReturned: async () => {},
      secret: app.secret,
      publicUrl: '',
      callbackUrl: () => '',
      now: () => app.now,
    });
    expect(service.mode).toEqual({ available: false, simulation: false });
    const actor = { id: null, role: 'visitor', ipHash: null, requestId: null } as const;
    const { id } = await draft();
    await expect(
      service.pay({ requestId: id, plan: 'basic', locale: 'es', actor, limit: LIMITS.orderRequestDay }),
    ).rejects.toMatchObject({
      code: 'PAYMENT_UNAVAILABLE',
    });
    expect(await service.receive(Buffer.from('{}'), undefined)).toBe('forged');
    expect(await app.as().tokenRequests.paymentMode()).toEqual({ available: true, simulation: false, currency: 'usd' });
  });
});

describe('checking a payment', () => {
  it('returns paid, not paid or unknown [PAY-19]', async () => {
    const one = await order();
    expect(await one.check()).toBe('not_paid');
    fake.box.trouble = () => 'unknown';
    expect(await one.check()).toBe('unknown');
    expect((await one.read(true)).answer).toBe('unknown');
    fake.box.trouble = () => 'none';
    one.move('finished', 1);
    expect(await one.check()).toBe('paid');
    // A paid order stays paid, whatever the state of the provider.
    fake.box.trouble = () => 'unknown';
    expect(await one.check()).toBe('paid');
  });

  it('polls the provider at most every ten seconds, across two processes', async () => {
    const one = await order();
    const other = await app.secondProcess();
    app.pass(11_000);
    const before = fake.box.calls.deposits;
    const there = guest(other);
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 ? one.api : there).tokenRequests.check({ id: one.id, secret: one.secret }),
      ),
    );
    expect(fake.box.calls.deposits - before).toBe(1);
    app.pass(9_000);
    await one.read(true);
    expect(fake.box.calls.deposits - before).toBe(1);
    app.pass(1_100);
    await one.read(true);
    expect(fake.box.calls.deposits - before).toBe(2);
  });

  it('finds a deposit by the id that the payer returns with, and ignores the ids of other orders', async () => {
    fake.box.lists = false;
    const one = await order();
    one.move('finished', 1);
    expect(await one.check()).toBe('unknown');
    app.pass(11_000);
    const { answer } = await one.api.tokenRequests.check({
      id: one.id,
      secret: one.secret,
      providerPaymentId: one.depositId,
    });
    expect(answer).toBe('paid');
    // Another order's paid number has no effect.
    const thief = await order('complete');
    app.pass(11_000);
    await thief.api.tokenRequests.check({ id: thief.id, secret: thief.secret, providerPaymentId: one.depositId });
    expect(await thief.state()).toBe('awaiting');
    expect(await rowOf(thief.paymentId)).toMatchObject({ attention: [], provider_payment_id: null });
    // Nor does one of another shop of the same account.
    const elsewhere = { invoiceId: '9', orderId: 'SHOP-1', priceUsd: 5_000 };
    const foreign = fake.move(elsewhere, fake.newDepositId(), 'finished', { actuallyPaid: 10_000 });
    app.pass(11_000);
    const providerPaymentId = foreign.paymentId;
    await thief.api.tokenRequests.check({ id: thief.id, secret: thief.secret, providerPaymentId });
    expect(await thief.state()).toBe('awaiting');
  });
});

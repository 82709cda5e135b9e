import { describe, expect, it, vi } from 'vitest';
import { LIMITS, PAYMENT_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { signBody } from '#server/providers/payments/signature.ts';
import { paymentRig } from '#tests/support/payments.ts';
import type { PaymentService } from './payments.port.ts';
import { createPaymentService } from './payments.service.ts';
import { settleElsewhere } from './unplaced.service.ts';

const { app, fake, guest, draft, order, whyNot, rowOf, count, send, follow, callBack } = await paymentRig();
const DAY = 86_400_000;

describe('creating a payment', () => {
  it('answers what the payer needs, marks the request, writes down who did it, and mails the private link once [DATA-39] [PAY-17..18] [PAY-26] [AMB-42]', async () => {
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
    await request.pay('basic');
    const mails = (await app.deliverMails()).filter(({ to }) => to === request.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`http://florka.test/order/${request.id}#${request.orderKey}`);
    expect(
      await count("audit_events where action = 'payment.created' and after ->> 'requestId' = $1", [request.id]),
    ).toBe(2);
  });

  it('leads English payers to the English page', async () => {
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
  ] as const)('wants complete data: %s %j', async (missing, over) => {
    const request = await draft(over);
    const before = fake.invoices.length;
    await expect(request.pay()).rejects.toMatchObject({ code: 'DRAFT_INCOMPLETE', data: { missing } });
    expect(fake.invoices.length).toBe(before);
    expect(await count('payments where submission_id = $1', [request.id])).toBe(0);
  });

  it('gives the same payment to a double click, to two processes, and to every later click', async () => {
    const other = await app.secondProcess();
    const request = await draft();
    const before = fake.invoices.length;
    const there = guest(other);
    const waiting = (clicks: number) =>
      vi.waitUntil(async () => (await app.waiting()) === clicks, { timeout: 10_000, interval: 10 });
    // All five come to the request together, and the provider answers only when each of them has been there.
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

  it('keeps its number when the provider refuses, fails or answers into the void', async () => {
    const request = await draft();
    for (const trouble of ['refused', 'unknown', 'after'] as const) {
      fake.box.trouble = () => trouble;
      await expect(request.pay()).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' });
    }
    fake.box.trouble = () => 'none';
    expect(await app.sql('select status from token_creation_submissions where id = $1', [request.id])).toEqual([
      { status: 'incomplete' },
    ]);
    const payment = await request.pay();
    const invoices = fake.invoices.filter(({ orderId }) => orderId === payment.orderId);
    // The lost one, and the one that was saved.
    expect(invoices).toHaveLength(2);
    expect(payment.paymentUrl).toBe(`https://pay.test/${invoices[1]?.invoiceId}`);
    // A payment on the lost one counts all the same: the number is ours.
    const paid = fake.move(invoices[0] as never, fake.newDepositId(), 'finished', { actuallyPaid: 3_000 });
    expect(await callBack(paid)).toBe(200);
    expect((await request.pay()).state).toBe('paid');
  });

  it('survives being killed between the provider’s answer and saving it', async () => {
    const request = await draft();
    let transactions = 0;
    // The second transaction saves the invoice.
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
      followOrder: async () => {},
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
    // The dead process still seems to be at it; after its time the next one goes on with the same number.
    app.pass(31_000);
    const row = await pay(app.services.payments);
    expect(fake.invoices.slice(before).map(({ orderId }) => orderId)).toEqual([row.orderId, row.orderId]);
    expect(await count('payments where submission_id = $1', [request.id])).toBe(1);
  });

  it('makes a new order when the old one ran out or the plan is another, and then watches both', async () => {
    const first = await order('entry');
    const other = await first.pay('complete');
    expect(other.orderId).not.toBe(first.payment.orderId);
    expect(other.priceAmount).toBe(5_000);
    expect(await first.request()).toMatchObject({ membership_type: 'complete', status: 'pending_payment' });
    // Paid at the old price after all: nobody gets the dear plan for it.
    first.move('finished', 1);
    await callBack(fake.truth.get(first.depositId) as Deposit);
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

  it('takes a late payment on an old order, says so, and notices when the new one is paid as well', async () => {
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

  it('lets nobody pay without a provider, and says so', async () => {
    const service = createPaymentService({
      db: app.services.db,
      jobs: app.services.jobs,
      provider: null,
      requests: { check: async () => ({ manualDays: null }) },
      followOrder: async () => {},
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
  it('says paid, not paid, or that nobody knows [PAY-19]', async () => {
    const one = await order();
    expect(await one.check()).toBe('not_paid');
    fake.box.trouble = () => 'unknown';
    expect(await one.check()).toBe('unknown');
    expect((await one.read(true)).answer).toBe('unknown');
    fake.box.trouble = () => 'none';
    one.move('finished', 1);
    expect(await one.check()).toBe('paid');
    // Once paid it stays paid, whatever the provider's state.
    fake.box.trouble = () => 'unknown';
    expect(await one.check()).toBe('paid');
  });

  it('asks at most every ten seconds, over two processes', async () => {
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

  it('finds a payment by the number the payer comes back with, where the account may not list', async () => {
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
    // Somebody else's paid number opens nothing.
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

describe('what is paid', () => {
  it('confirms once, with one receipt, and locks the request [DATA-40] [PAY-20] [PAY-25]', async () => {
    const one = await order();
    for (const [status, share] of [
      ['waiting', 0],
      ['confirming', 1],
      ['confirmed', 1],
      ['sending', 1],
      ['finished', 1],
    ] as const)
      expect(await callBack(one.move(status, share))).toBe(200);
    expect(await one.state()).toBe('paid');
    expect(await one.request()).toEqual({
      status: 'completed',
      payment_status: 'completed',
      payment_id: one.depositId,
      membership_type: 'basic',
    });
    const seen = await one.read();
    expect(seen).toMatchObject({
      stage: 'paid',
      next: 'wait_creation',
      answer: 'paid',
      payment: {
        confirmed: true,
        paymentId: one.depositId,
        providerStatus: 'finished',
        payAmount: 3_000,
        actuallyPaid: 3_000,
        payCurrency: 'eth',
        createdAt: one.payment.createdAt,
        updatedAt: app.now.toISOString(),
      },
      receipt: { number: one.payment.orderId, priceUsd: 1_500, receivedUsd: 1_500, missingUsd: 0 },
    });
    expect(JSON.stringify(seen)).not.toMatch(/payer\d+@|@ana|0x5aAeb/);
    const mails = (await app.deliverMails()).filter(({ to }) => to === one.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      `Tu pedido ${one.payment.orderId}`,
      `Recibo de tu pedido ${one.payment.orderId}`,
    ]);
    expect(await count("audit_events where action = 'payment.changed' and resource_id = $1", [one.paymentId])).toBe(2);
    await expect(
      one.api.tokenRequests.save({ id: one.id, secret: one.secret, version: 2, data: { tokenName: 'X' } }),
    ).rejects.toMatchObject({ code: 'LOCKED' });
    await expect(one.pay('complete')).rejects.toMatchObject({ code: 'LOCKED' });
    expect((await one.pay('basic')).state).toBe('paid');
    expect(await whyNot(one.id)).toBeNull();
  });

  it('confirms a part for the payer, and keeps the operator waiting for the rest [AMB-16]', async () => {
    const one = await order();
    await callBack(one.move('partially_paid', 0.4));
    expect(await one.read()).toMatchObject({
      stage: 'partially_paid',
      next: 'pay_rest',
      // Nothing of it says that the order is paid.
      answer: 'part_paid',
      payment: { state: 'partially_paid', confirmed: false, receivedUsd: 600, missingUsd: 900 },
      receipt: { kind: 'part', receivedUsd: 600, missingUsd: 900 },
    });
    const claim = { id: one.id, secret: one.secret };
    expect(await one.api.tokenRequests.check(claim)).toMatchObject({
      answer: 'part_paid',
      payment: { confirmed: false },
    });
    expect(await one.pay()).toMatchObject({ state: 'partially_paid', confirmed: false });
    expect(await one.api.tokenRequests.read(claim)).toMatchObject({
      locked: true,
      partPayment: { receivedUsd: 600, missingUsd: 900 },
    });
    expect(await one.request()).toMatchObject({ status: 'completed', payment_status: 'completed' });
    expect(await whyNot(one.id)).toBe('not_accepted');
    await callBack(one.move('finished', 1));
    expect(await one.state()).toBe('paid');
    expect(await whyNot(one.id)).toBeNull();
    expect(await one.read()).toMatchObject({ answer: 'paid', payment: { confirmed: true }, receipt: { kind: 'full' } });
    expect(await one.api.tokenRequests.read(claim)).toMatchObject({ partPayment: null });
    const mails = (await app.deliverMails()).filter(({ to }) => to === one.email).slice(1);
    expect(mails.map(({ subject }) => subject)).toEqual([
      `Pago parcial de tu pedido ${one.payment.orderId}`,
      `Recibo de tu pedido ${one.payment.orderId}`,
    ]);
    expect(mails[0]?.text).toContain('600,00 USD de 1.500,00 USD. Faltan 900,00 USD;');
    expect(mails[1]?.text).toContain(': 1.500,00 USD.');
  });

  it('lets an admin accept what is short, with a reason in the audit', async () => {
    const one = await order();
    const admin = await app.member({ role: 'admin' });
    await callBack(one.move('partially_paid', 0.99));
    const actor = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    await app.services.payments.accept(one.paymentId, actor, 'fee of the exchange');
    expect(await one.state()).toBe('partially_paid');
    expect(await whyNot(one.id)).toBeNull();
    // The payer hears that the rest need not be sent, and of no full payment.
    expect(await one.read()).toMatchObject({
      answer: 'paid',
      payment: { confirmed: true },
      receipt: { kind: 'accepted', receivedUsd: 1_485, missingUsd: 15 },
    });
    const mail = (await app.deliverMails()).filter(({ to }) => to === one.email).at(-1);
    expect(mail?.subject).toBe(`Recibo de tu pedido ${one.payment.orderId}`);
    expect(mail?.text).toContain('1.485,00 USD de 1.500,00 USD. No tienes que enviar los 15,00 USD que faltan.');
    expect(
      await app.sql(
        "select actor_id, reason from audit_events where action = 'payment.accepted' and resource_id = $1",
        [one.paymentId],
      ),
    ).toEqual([{ actor_id: admin.id, reason: 'fee of the exchange' }]);
  });

  it('asks for nothing more when the part is accepted, and refuses to accept what is not there', async () => {
    const one = await order();
    const admin = await app.member({ role: 'admin' });
    const actor = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    // Said in advance it would let dust through.
    await expect(app.services.payments.accept(one.paymentId, actor, 'a friend')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      data: { what: 'deposit' },
    });
    await callBack(one.move('partially_paid', 0.4));
    expect(await one.read()).toMatchObject({ accepted: false, next: 'pay_rest', payment: { missingAmount: '1800' } });
    await app.services.payments.accept(one.paymentId, actor, 'agreed');
    expect(await one.read()).toMatchObject({ accepted: true, stage: 'paid', next: 'wait_creation' });
    await callBack(one.move('refunded', 0.4));
    expect(await one.read()).toMatchObject({ accepted: false, stage: 'refunded' });
    expect(await whyNot(one.id)).toBe('unpaid');
    const full = await order();
    await callBack(full.move('finished', 1));
    await expect(app.services.payments.accept(full.paymentId, actor, 'x')).rejects.toMatchObject({
      code: 'ALREADY_DONE',
    });
  });

  it('locks and confirms a request whose odd payment an admin accepts, for the plan that was paid', async () => {
    const one = await order('entry');
    await one.pay('complete');
    await callBack(one.move('finished', 1));
    expect(await whyNot(one.id)).toBe('not_accepted');
    const admin = await app.member({ role: 'admin' });
    const actor = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    await app.services.payments.accept(one.paymentId, actor, 'the cheap plan after all');
    expect(await whyNot(one.id)).toBeNull();
    // What the operator makes is what was paid: not the dear plan that was chosen later.
    expect(await one.request()).toMatchObject({ status: 'completed', membership_type: 'entry' });
    expect(await one.read()).toMatchObject({ stage: 'paid', plan: 'entry', receipt: { priceUsd: 50 } });
    const changed = one.api.tokenRequests.save({
      id: one.id,
      secret: one.secret,
      version: 2,
      data: { ownerWalletAddress: 'another' },
    });
    await expect(changed).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('takes a simulated payment for none where money is real', async () => {
    const one = await order();
    await callBack(one.move('finished', 1));
    await app.sql('update payments set simulation = true where id = $1', [one.paymentId]);
    expect(await whyNot(one.id, true)).toBeNull();
    expect(await whyNot(one.id)).toBe('unpaid');
  });

  it('shows a refund, and lets the payer pay anew', async () => {
    const one = await order();
    await callBack(one.move('finished', 1));
    await callBack(one.move('refunded', 1));
    expect(await one.state()).toBe('refunded');
    expect(await one.request()).toMatchObject({ payment_status: 'failed' });
    expect(await whyNot(one.id)).toBe('unpaid');
    expect((await one.pay()).orderId).not.toBe(one.payment.orderId);
  });

  it('puts repeated and wrong deposits into review, also when they come first', async () => {
    const one = await order();
    const childId = fake.newDepositId();
    const child = one.move('partially_paid', 0.5, {
      paymentId: childId,
      parentId: one.depositId,
      orderId: null,
      invoiceId: null,
    });
    // Nobody knows its parent yet.
    await callBack(child);
    expect(await count('payment_events where payment_id is null and provider_payment_id = $1', [childId])).toBe(1);
    await callBack(one.move('waiting'));
    expect(await one.state()).toBe('awaiting');
    await one.check();
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'under_review', attention: ['repeat_deposit'] });
    expect((await one.read()).stage).toBe('in_review');
  });

  it('keeps asking about the deposit of a callback whose own tries were in vain, where nobody may list', async () => {
    fake.box.lists = false;
    const one = await order();
    const moved = one.move('finished', 1);
    fake.box.trouble = () => 'unknown';
    const { body, signature } = fake.callback(moved);
    expect((await send(body, signature)).status).toBe(200);
    await expect(follow()).rejects.toThrow(/could not be asked/);
    expect(await one.state()).toBe('awaiting');
    // Days later the queue has given up; the reconciliation has not.
    fake.box.trouble = () => 'none';
    app.pass(2 * DAY);
    await app.services.payments.reconcile();
    expect(await one.state()).toBe('paid');
    expect(await whyNot(one.id)).toBeNull();
  });

  it('does not lose a repeated deposit when the question about it fails', async () => {
    fake.box.lists = false;
    const one = await order();
    const childId = fake.newDepositId();
    const child = one.move('partially_paid', 0.5, {
      paymentId: childId,
      parentId: one.depositId,
      orderId: null,
      invoiceId: null,
    });
    await callBack(child);
    await callBack(one.move('waiting'));
    fake.box.trouble = () => 'unknown';
    expect(await one.check()).toBe('unknown');
    fake.box.trouble = () => 'none';
    await one.check();
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'under_review', attention: ['repeat_deposit'] });
    expect(await count('payment_events where payment_id is null and provider_payment_id = $1', [childId])).toBe(0);
  });

  it('keeps a state that nobody knows as one to look at: seen by callback or list, never expired, never dropped', async () => {
    const notified = await order();
    const listed = await order();
    await callBack(notified.move('unknown', 1, { rawStatus: 'verifying' }));
    listed.move('unknown', 0, { rawStatus: 'held_for_review' });
    app.pass(61_000);
    await app.services.payments.reconcile();
    for (const one of [notified, listed]) {
      expect(await rowOf(one.paymentId)).toMatchObject({ state: 'under_review', attention: ['unknown_status'] });
      expect((await one.read()).stage).toBe('in_review');
      expect(await whyNot(one.id)).not.toBeNull();
    }
    app.pass((PAYMENT_DAYS + 1) * DAY);
    await app.services.payments.reconcile();
    for (const one of [notified, listed]) expect(await one.state()).toBe('under_review');
    // A word that we know ends it.
    notified.move('finished', 1);
    await notified.check();
    expect(await rowOf(notified.paymentId)).toMatchObject({ state: 'paid_late' });
  });

  it('calls a person to a part payment and to a refund, until they said what came of it', async () => {
    const short = await order();
    await callBack(short.move('partially_paid', 0.4));
    expect(await rowOf(short.paymentId)).toMatchObject({ attention: ['partially_paid'] });
    await callBack(short.move('finished', 1));
    expect(await rowOf(short.paymentId)).toMatchObject({ state: 'paid', attention: [] });
    await callBack(short.move('refunded', 1));
    expect(await rowOf(short.paymentId)).toMatchObject({ state: 'refunded', attention: ['refunded'] });
    const actor = { id: null, role: 'system', ipHash: null, requestId: null } as const;
    await app.services.db.transaction((tx) => app.services.payments.noteRefund(tx, short.paymentId, actor));
    expect(await rowOf(short.paymentId)).toMatchObject({ state: 'refunded', attention: [] });
  });

  it('keeps money whose order is not here, told or listed, until a person places it or settles it elsewhere', async () => {
    const stranger = (paymentId: string, over: Partial<Deposit> = {}) =>
      fake.move({ invoiceId: `gone-${paymentId}`, orderId: 'FL-AFTERBACKU', priceUsd: 1_500 }, paymentId, 'finished', {
        actuallyPaid: 3_000,
        orderId: 'FL-0BACKUP000',
        ...over,
      });
    const notified = stranger(fake.newDepositId());
    expect(await callBack(notified)).toBe(200);
    const stored = () => app.sql('select provider_payment_id as id from unplaced_payments where settled_at is null');
    // By the callback alone, for an account may not be allowed to list.
    expect(await stored()).toContainEqual({ id: notified.paymentId });
    const listed = stranger(fake.newDepositId());
    const chosen = fake.move(
      { invoiceId: 'gone', orderId: 'FL-0BACKUP001', priceUsd: 50 },
      fake.newDepositId(),
      'waiting',
    );
    const elsewhere = stranger(fake.newDepositId(), { orderId: 'SHOP-17' });
    app.pass(61_000);
    await app.services.payments.reconcile();
    const admin = await app.member({ role: 'admin' });
    const api = app.as(admin).admin;
    const ours = (id: string) => Number(id) >= Number(notified.paymentId);
    const waiting = async () => (await api.unplaced.list()).payments.map(({ id }) => id).filter(ours);
    expect((await waiting()).toSorted()).toEqual(
      [notified, listed, elsewhere].map(({ paymentId }) => paymentId).toSorted(),
    );
    expect((await api.inbox.list({ source: 'unplaced' })).items.filter(({ id }) => ours(id))).toHaveLength(3);
    expect((await api.unplaced.list()).payments.find(({ id }) => ours(id))).toMatchObject({
      orderId: 'FL-0BACKUP000',
      status: 'finished',
      amount: 3_000,
      simulation: false,
    });

    const one = await order();
    const by = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    const service = app.services.payments;
    const put = (orderId: string, reason: string, version = 1) =>
      service.place({ id: notified.paymentId, version, orderId, reason }, by);
    await expect(put('FL-NOBODY0000', 'x')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    fake.box.trouble = () => 'unknown';
    await expect(put(one.payment.orderId, 'x')).rejects.toMatchObject({
      code: 'PAYMENT_UNAVAILABLE',
    });
    fake.box.trouble = () => 'none';
    expect(await put(one.payment.orderId, 'Hecho tras la copia')).toEqual({
      requestId: one.id,
    });
    expect(
      await app.sql(
        `select payment_id from payment_events where provider_payment_id = '${notified.paymentId}' and kind = 'webhook'`,
      ),
    ).toEqual([{ payment_id: one.paymentId }]);
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'under_review', attention: ['wrong_order'] });
    await service.accept(one.paymentId, by, 'Es su pago');
    expect(await one.state()).toBe('paid');
    // A colleague who still has it open reads what was done; whoever sees that it is settled can't settle it again.
    await expect(put('FL-NOBODY0000', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(put(one.payment.orderId, 'x')).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, current: { orderId: one.payment.orderId, reason: 'Hecho tras la copia' } },
    });
    await expect(put(one.payment.orderId, 'x', 2)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    for (const { paymentId } of [listed, elsewhere])
      await settleElsewhere(app.services.db, { id: paymentId, version: 1, reason: 'Devuelto' }, by, app.now);
    expect(await waiting()).toEqual([]);
    // Told again by the list, they stay where they are.
    app.pass(61_000);
    await app.services.payments.reconcile();
    expect(await waiting()).toEqual([]);
    for (const { paymentId } of [notified, listed, chosen, elsewhere]) fake.truth.delete(paymentId);
  });

  it('never counts one deposit for two orders', async () => {
    const [cheap, dear] = [await order('entry'), await order('complete')];
    const paid = cheap.move('finished', 1);
    // Signed, about the dear order, with the cheap one's paid number.
    const { body } = fake.callback(paid);
    const changed = JSON.stringify({ ...JSON.parse(body), order_id: dear.payment.orderId, invoice_id: null });
    expect((await send(changed, signBody(JSON.parse(changed), fake.secret))).status).toBe(200);
    await follow();
    expect(await dear.state()).toBe('awaiting');
    expect(await rowOf(dear.paymentId)).toMatchObject({ attention: [] });
  });

  it.each<[string, (deposit: Deposit) => Deposit, string]>([
    ['a price of one dollar', (deposit) => ({ ...deposit, priceAmount: 1 }), 'under_review'],
    ['euros', (deposit) => ({ ...deposit, priceCurrency: 'eur' }), 'under_review'],
    ['an order that nobody made', (deposit) => ({ ...deposit, orderId: 'FL-ZZZZZZZZZZ' }), 'under_review'],
    ['half of it, called finished', (deposit) => ({ ...deposit, actuallyPaid: 1 }), 'partially_paid'],
  ])('does not complete when the provider says finished and means %s', async (_, lie, state) => {
    const one = await order();
    fake.box.lie = lie;
    await callBack(one.move('finished', 1));
    expect(await one.state()).toBe(state);
    expect(await whyNot(one.id)).toBe('not_accepted');
  });
});

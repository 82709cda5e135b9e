import { describe, expect, it } from 'vitest';
import { app, callBack, count, order, whyNot } from '#tests/fixtures/payments.ts';

describe('the payment service', () => {
  it('confirms a full payment once, with one receipt, and locks the request [DATA-40] [PAY-20] [PAY-25]', async () => {
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

  it('reports a partial payment to its payer, and allows no delivery before the rest arrives [AMB-16]', async () => {
    const one = await order();
    await callBack(one.move('partially_paid', 0.4));
    expect(await one.read()).toMatchObject({
      stage: 'partially_paid',
      next: 'pay_rest',
      // No response claims that the order is paid.
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

  it('lets an admin accept a short payment, with the reason in the audit log', async () => {
    const one = await order();
    const admin = await app.member({ role: 'admin' });
    await callBack(one.move('partially_paid', 0.99));
    const actor = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    await app.services.payments.accept(one.paymentId, actor, 'fee of the exchange');
    expect(await one.state()).toBe('partially_paid');
    expect(await whyNot(one.id)).toBeNull();
    // The payer is notified that the rest is waived, but not of a full payment.
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

  it('requests nothing more once a partial payment is accepted, and refuses an acceptance without money', async () => {
    const one = await order();
    const admin = await app.member({ role: 'admin' });
    const actor = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    // Accepted in advance, any small amount would count.
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

  it('confirms and locks a request for the paid plan when an admin accepts its superseded payment', async () => {
    const one = await order('entry');
    await one.pay('complete');
    await callBack(one.move('finished', 1));
    expect(await whyNot(one.id)).toBe('not_accepted');
    const admin = await app.member({ role: 'admin' });
    const actor = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    await app.services.payments.accept(one.paymentId, actor, 'the cheap plan after all');
    expect(await whyNot(one.id)).toBeNull();
    // The operator delivers what was paid: not the expensive plan that was chosen later.
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

  it('treats a simulated payment as unpaid where money is real', async () => {
    const one = await order();
    await callBack(one.move('finished', 1));
    await app.sql('update payments set simulation = true where id = $1', [one.paymentId]);
    expect(await whyNot(one.id, true)).toBeNull();
    expect(await whyNot(one.id)).toBe('unpaid');
  });

  it('reports a refund, and creates a new order when the payer pays again', async () => {
    const one = await order();
    await callBack(one.move('finished', 1));
    await callBack(one.move('refunded', 1));
    expect(await one.state()).toBe('refunded');
    expect(await one.request()).toMatchObject({ payment_status: 'failed' });
    expect(await whyNot(one.id)).toBe('unpaid');
    expect((await one.pay()).orderId).not.toBe(one.payment.orderId);
  });
});

import { describe, expect, it } from 'vitest';
import type { Deposit } from '#server/providers/payments/port.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, fake, order, callBack } = await paymentRig();

/** An order whose payer changed the plan after the payment was created, and the ids of both payments. */
async function replaced() {
  const one = await order('entry');
  const current = await one.pay('basic');
  const mails = async () => (await app.deliverMails()).filter(({ to }) => to === one.email).slice(1);
  const check = () => one.api.tokenRequests.check({ id: one.id, secret: one.secret, ask: false });
  return { ...one, old: one.payment.orderId, current, mails, known: check };
}

async function change(one: Awaited<ReturnType<typeof order>>) {
  const [{ version } = { version: 0 }] = await app.sql<{ version: number }>(
    'select version from token_creation_submissions where id = $1',
    [one.id],
  );
  const { id, secret } = one;
  await one.api.tokenRequests.save({ id, secret, version, data: { ownerWalletAddress: `0x${'12'.repeat(20)}` } });
}

describe('a token that was changed after its invoice was created', () => {
  it('gets a new invoice that identifies the changed token, and money for the previous one still counts', async () => {
    const one = await order();
    expect((await one.pay()).orderId).toBe(one.payment.orderId);
    await change(one);
    const { orderId } = await one.pay();
    expect(orderId).not.toBe(one.payment.orderId);
    const [before, now] = [one.payment.orderId, orderId].map((id) =>
      fake.invoices.find((invoice) => invoice.orderId === id)?.description?.split(' '),
    );
    expect([before?.length, now?.length]).toEqual([5, 5]);
    expect(now?.at(-1)).not.toBe(before?.at(-1));
    expect((await one.pay()).orderId).toBe(orderId);
    // The previous payment is for the same deal: its money counts.
    await callBack(one.move('finished', 1));
    expect(await one.read()).toMatchObject({ orderId: one.payment.orderId, stage: 'paid' });
  });

  it('can be paid by the previous invoice, which a check polls too when no callback arrives', async () => {
    const one = await order();
    await change(one);
    await one.pay();
    one.move('finished', 1);
    app.pass(11_000);
    const { id, secret } = one;
    expect(await one.api.tokenRequests.check({ id, secret })).toMatchObject({
      answer: 'paid',
      payment: { orderId: one.payment.orderId, state: 'paid' },
    });
  });

  it('gets no second payment while money is on its way', async () => {
    const one = await order();
    await callBack(one.move('confirming', 1));
    await change(one);
    expect((await one.pay()).orderId).toBe(one.payment.orderId);
  });
});

describe('a change of plan', () => {
  it('replaces every earlier order of another plan, not only the latest', async () => {
    const one = await order('entry');
    await change(one);
    const second = await one.pay('entry');
    expect(second.orderId).not.toBe(one.payment.orderId);
    const third = await one.pay('basic');
    // The payer pays in the tab of the first order, which is still open.
    await callBack(one.move('finished', 1));
    expect(await one.state()).toBe('under_review');
    expect(await one.read()).toMatchObject({
      orderId: third.orderId,
      plan: 'basic',
      stage: 'awaiting_payment',
      otherPayments: [{ orderId: one.payment.orderId, state: 'under_review', replaced: true }],
    });
    expect(await one.request()).toMatchObject({ membership_type: 'basic', payment_status: 'pending' });
  });

  it('under an earlier version left older orders open: a job replaces those that were not paid since', async () => {
    const left = async () => {
      const one = await order('entry');
      await change(one);
      await one.pay('entry');
      await one.pay('basic');
      await app.sql(`update payments set ledger = ledger || '{"supersededAt": null}' where id = $1`, [one.paymentId]);
      return one;
    };
    const [open, paid] = [await left(), await left()];
    await callBack(paid.move('finished', 1));
    expect(await paid.state()).toBe('paid');
    expect(await app.services.payments.supersedeMissed()).toBe(1);
    expect(await app.services.payments.supersedeMissed()).toBe(0);
    const audited = await app.sql(`select resource_id from audit_events where action = 'payment.superseded'`);
    expect(audited).toEqual([{ resource_id: open.paymentId }]);
    await callBack(open.move('finished', 1));
    expect(await open.state()).toBe('under_review');
    expect(await paid.state()).toBe('paid');
  });

  it('lets the payer’s check find money for any replaced order when no callback arrives', async () => {
    const one = await order('entry');
    await change(one);
    await one.pay('entry');
    await one.pay('basic');
    one.move('finished', 1);
    app.pass(11_000);
    expect((await one.read(true)).otherPayments).toMatchObject([
      { orderId: one.payment.orderId, state: 'under_review' },
    ]);
  });
});

describe('money for a replaced order', () => {
  it('is shown to its payer and announced by one mail with the next steps [AMB-53]', async () => {
    const one = await replaced();
    expect(await one.read()).toMatchObject({ orderId: one.current.orderId, otherPayments: [] });
    await callBack(one.move('finished', 1));
    const seen = {
      orderId: one.old,
      plan: 'entry',
      priceUsd: 50,
      state: 'under_review',
      replaced: true,
      receivedUsd: 50,
      deposits: [{ amount: 100, currency: 'eth', status: 'finished' }],
    };
    const order = await one.read();
    expect(order).toMatchObject({ orderId: one.current.orderId, stage: 'awaiting_payment', otherPayments: [seen] });
    expect(await one.known()).toMatchObject({ payment: { orderId: one.current.orderId }, otherPayments: [seen] });
    const mails = await one.mails();
    expect(mails.map(({ subject }) => subject)).toEqual([`Una persona debe revisar tu pago ${one.old}`]);
    expect(mails[0]?.text).toContain('Ha llegado dinero (50,00 USD)');
    expect(mails[0]?.text).toContain('Una persona del equipo decide si lo acepta');
    expect(mails[0]?.text).toContain(`/order/${one.id}#${one.orderKey}`);
    // Received again, and updated by the provider without news for the payer: no second mail.
    await callBack(one.move('finished', 1, { updatedAt: app.now.getTime() + 1 }));
    await app.services.payments.reconcile();
    expect(await one.mails()).toHaveLength(1);
    expect(JSON.stringify(order)).not.toMatch(/payer\d+@|@ana|0x5aAeb/);
  });

  it('is shown without a mail while it is on its way', async () => {
    const one = await replaced();
    await callBack(one.move('confirming', 1));
    expect((await one.read()).otherPayments).toMatchObject([{ orderId: one.old, state: 'confirming' }]);
    expect(await one.mails()).toEqual([]);
  });

  it('is found by the payer’s check when no callback arrives', async () => {
    const one = await replaced();
    one.move('finished', 1);
    app.pass(11_000);
    expect((await one.read(true)).otherPayments).toMatchObject([{ orderId: one.old, state: 'under_review' }]);
  });

  it('counts once it is accepted, with a receipt by mail, and is shown as refunded once it is returned', async () => {
    const one = await replaced();
    await callBack(one.move('finished', 1));
    const admin = await app.member({ role: 'admin' });
    const actor = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    await app.services.payments.accept(one.paymentId, actor, 'the cheap plan after all');
    expect(await one.read()).toMatchObject({ orderId: one.old, plan: 'entry', stage: 'paid', otherPayments: [] });
    expect((await one.mails()).map(({ subject }) => subject)).toEqual([
      `Una persona debe revisar tu pago ${one.old}`,
      `Recibo de tu pedido ${one.old}`,
    ]);

    const other = await replaced();
    await callBack(other.move('finished', 1));
    await callBack(other.move('refunded', 1));
    expect((await other.read()).otherPayments).toMatchObject([{ orderId: other.old, state: 'refunded' }]);
  });

  it('that is short and accepted gets a receipt for the received part', async () => {
    const one = await replaced();
    await callBack(one.move('partially_paid', 0.5));
    const admin = await app.member({ role: 'admin' });
    const actor = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    await app.services.payments.accept(one.paymentId, actor, 'agreed');
    expect((await one.read()).receipt).toMatchObject({ kind: 'accepted', receivedUsd: 25, missingUsd: 25 });
    expect((await one.mails()).at(-1)?.text).toContain('25,00 USD de 50,00 USD');
  });

  it('is flagged in the order list of its member', async () => {
    const ana = await app.member();
    const api = app.as(ana);
    const one = await replaced();
    await app.sql('update token_creation_submissions set user_id = $1 where id = $2', [ana.id, one.id]);
    expect(await api.tokenRequests.mine()).toMatchObject([{ stage: 'awaiting_payment', review: false }]);
    await callBack(one.move('finished', 1));
    expect(await api.tokenRequests.mine()).toMatchObject([{ stage: 'awaiting_payment', review: true }]);
  });
});

describe('a repeated deposit', () => {
  it('is announced to its payer by mail', async () => {
    const one = await order('entry');
    const child: Deposit = one.move('finished', 1, {
      paymentId: fake.newDepositId(),
      parentId: one.depositId,
      orderId: null,
    });
    one.move('waiting', 0);
    await callBack(child);
    expect(await one.state()).toBe('under_review');
    const mails = (await app.deliverMails()).filter(({ to }) => to === one.email);
    expect(mails.at(-1)?.subject).toBe(`Una persona debe revisar tu pago ${one.payment.orderId}`);
    expect(mails.at(-1)?.text).toContain('no como esperábamos');
  });
});

import { describe, expect, it } from 'vitest';
import { PAYMENT_DAYS } from '#contract/limits.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { signBody } from '#server/providers/payments/signature.ts';
import {
  app,
  callBack,
  count,
  DAY,
  fake,
  order,
  processCallbacks,
  rowOf,
  send,
  whyNot,
} from '#tests/fixtures/payments.ts';
import { settleElsewhere } from './unplaced.service.ts';

describe('the payment service', () => {
  it('puts a repeated deposit under review, also when it arrives before its parent', async () => {
    const one = await order();
    const childId = fake.newDepositId();
    const child = one.move('partially_paid', 0.5, {
      paymentId: childId,
      parentId: one.depositId,
      orderId: null,
      invoiceId: null,
    });
    // Its parent is not known yet.
    await callBack(child);
    expect(await count('payment_events where payment_id is null and provider_payment_id = $1', [childId])).toBe(1);
    await callBack(one.move('waiting'));
    expect(await one.state()).toBe('awaiting');
    await one.check();
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'under_review', attention: ['repeat_deposit'] });
    expect((await one.read()).stage).toBe('in_review');
  });

  it.each(['failed', 'expired'] as const)('puts money of a deposit that ends as %s under review', async (status) => {
    const one = await order();
    await callBack(one.move(status, 0.5));
    await one.check();
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'under_review', attention: ['ended_with_money'] });
    expect((await one.read()).stage).toBe('in_review');
    const { items } = await app.as(await app.member({ role: 'admin' })).admin.inbox.list({ source: 'payment' });
    expect(items.filter(({ id }) => id === one.id || id === one.paymentId)).toHaveLength(1);
    // Too little money for the provider to credit is no payment.
    const other = await order();
    await callBack(other.move(status, 0.001));
    await other.check();
    expect(await rowOf(other.paymentId)).toMatchObject({ state: status, attention: [] });
    const admin = await app.member({ role: 'admin' });
    const [payment] = (await app.as(admin).admin.tokenRequests.read({ id: other.id })).payments;
    expect(payment).toMatchObject({ acceptable: false });
    await expect(
      app.as(admin).admin.tokenRequests.acceptPayment({ paymentId: other.paymentId, reason: 'x' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND', data: { what: 'deposit' } });
  });

  it('puts money of deposits that ended under an earlier version under review, once, with a mail', async () => {
    const left = async (share: number) => {
      const one = await order();
      await callBack(one.move('failed', share));
      // As an earlier version left it after the end of the watch.
      await app.sql(
        `update payments set state = 'failed', attention = '{}', next_check_at = null, review_notice_at = null where id = $1`,
        [one.paymentId],
      );
      return one;
    };
    const [money, dust] = [await left(0.5), await left(0.001)];
    const mails = async () => (await app.deliverMails()).filter(({ to }) => to === money.email);
    const before = (await mails()).length;
    expect(await app.services.payments.reviewEnded()).toBe(1);
    expect(await app.services.payments.reviewEnded()).toBe(0);
    expect(await rowOf(money.paymentId)).toMatchObject({ state: 'under_review', attention: ['ended_with_money'] });
    expect(await rowOf(dust.paymentId)).toMatchObject({ state: 'failed', attention: [] });
    expect((await money.read()).stage).toBe('in_review');
    expect((await mails()).slice(before).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('revisar tu pago'),
    ]);
    const entries = await app.sql(
      `select before, after ->> 'state' as state from audit_events where action = 'payment.changed' and resource_id = $1
       order by id desc limit 1`,
      [money.paymentId],
    );
    expect(entries).toEqual([{ before: { state: 'failed' }, state: 'under_review' }]);
  });

  it('mails a full receipt, with nothing missing, once the rest in a repeated deposit is accepted', async () => {
    const one = await order();
    await callBack(one.move('partially_paid', 0.4));
    const rest = { paymentId: fake.newDepositId(), parentId: one.depositId, orderId: null, invoiceId: null };
    await callBack(one.move('finished', 0.6, rest));
    await one.check();
    expect(await one.read()).toMatchObject({ payment: { receivedUsd: 600, missingUsd: 900 } });
    const admin = await app.member({ role: 'admin' });
    const actor = { id: admin.id, role: 'admin', ipHash: null, requestId: null } as const;
    await app.services.payments.accept(one.paymentId, actor, 'it is all there');
    expect(await one.read()).toMatchObject({
      stage: 'paid',
      receipt: { kind: 'full', receivedUsd: 1_500, missingUsd: 0 },
    });
    const [listed] = (await app.as(admin).admin.tokenRequests.list({ q: one.payment.orderId })).rows;
    expect(listed).toMatchObject({ receivedUsd: 1_500, missingUsd: 0 });
    const mail = (await app.deliverMails()).filter(({ to }) => to === one.email).at(-1);
    expect(mail?.subject).toBe(`Recibo de tu pedido ${one.payment.orderId}`);
    expect(mail?.text).toContain(': 1.500,00 USD.');
    expect(mail?.text).not.toContain('faltan');
  });

  it('polls for the deposit of a callback whose own attempts failed, also when deposits cannot be listed', async () => {
    fake.box.lists = false;
    const one = await order();
    const moved = one.move('finished', 1);
    fake.box.trouble = () => 'unknown';
    const { body, signature } = fake.callback(moved);
    expect((await send(body, signature)).status).toBe(200);
    await expect(processCallbacks()).rejects.toThrow(/could not be queried/);
    expect(await one.state()).toBe('awaiting');
    // Days later the queue has given up, but the reconciliation has not.
    fake.box.trouble = () => 'none';
    app.pass(2 * DAY);
    await app.services.payments.reconcile();
    expect(await one.state()).toBe('paid');
    expect(await whyNot(one.id)).toBeNull();
  });

  it('keeps a repeated deposit when the request for it fails', async () => {
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

  it('puts a deposit in an unknown state under review, by callback or list, also after its order ended', async () => {
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
    // A recognised status ends it.
    notified.move('finished', 1);
    await notified.check();
    expect(await rowOf(notified.paymentId)).toMatchObject({ state: 'paid_late' });
  });

  it('requires a review of a partial payment until it is full, and of a refund until it is acknowledged', async () => {
    const short = await order();
    await callBack(short.move('partially_paid', 0.4));
    expect(await rowOf(short.paymentId)).toMatchObject({ attention: ['partially_paid'] });
    await callBack(short.move('finished', 1));
    expect(await rowOf(short.paymentId)).toMatchObject({ state: 'paid', attention: [] });
    await callBack(short.move('refunded', 1));
    expect(await rowOf(short.paymentId)).toMatchObject({ state: 'refunded', attention: ['refunded'] });
    const actor = { id: null, role: 'system', ipHash: null, requestId: null } as const;
    await app.services.db.transaction((tx) => app.services.payments.acknowledgeRefund(tx, short.paymentId, actor));
    expect(await rowOf(short.paymentId)).toMatchObject({ state: 'refunded', attention: [] });
  });

  it('keeps the start of a review through polls without news, and moves it when more money arrives', async () => {
    const short = await order();
    await callBack(short.move('partially_paid', 0.4));
    const since = app.now.toISOString();
    const { inbox } = app.as(await app.member({ role: 'admin' })).admin;
    const item = async () => (await inbox.list({ source: 'payment' })).items.find(({ id }) => id === short.paymentId);
    expect(await item()).toMatchObject({ since });
    app.pass(DAY);
    await short.check();
    expect(await rowOf(short.paymentId)).toMatchObject({ asked_at: app.now });
    expect(await item()).toMatchObject({ since });
    // More money, though not enough, is news.
    await callBack(short.move('partially_paid', 0.6));
    expect(await item()).toMatchObject({ since: app.now.toISOString() });
  });

  it('keeps unplaced money from callbacks and lists until an admin places it or settles it elsewhere', async () => {
    const stranger = (paymentId: string, over: Partial<Deposit> = {}) =>
      fake.move({ invoiceId: `gone-${paymentId}`, orderId: 'FL-AFTERBACKU', priceUsd: 1_500 }, paymentId, 'finished', {
        actuallyPaid: 3_000,
        orderId: 'FL-0BACKUP000',
        ...over,
      });
    const notified = stranger(fake.newDepositId());
    expect(await callBack(notified)).toBe(200);
    const stored = () => app.sql('select provider_payment_id as id from unplaced_payments where settled_at is null');
    // By the callback alone, because the account may not be allowed to list deposits.
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
    // The provider, not a colleague, changed the row that another admin has open.
    const moved = stranger(fake.newDepositId());
    expect(await callBack(moved)).toBe(200);
    const status = 'refunded';
    fake.truth.set(moved.paymentId, { ...moved, status, rawStatus: status });
    expect(await callBack({ ...moved, status, rawStatus: status })).toBe(200);
    await expect(
      service.place({ id: moved.paymentId, version: 1, orderId: one.payment.orderId, reason: 'x' }, by),
    ).rejects.toMatchObject({ code: 'VERSION_CONFLICT', data: { version: 2, by: null, byProvider: true } });
    await settleElsewhere(app.services.db, { id: moved.paymentId, version: 2, reason: 'Devuelto' }, by, app.now);
    fake.truth.delete(moved.paymentId);

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
    // A colleague with an outdated version sees what was done; with the current version it can't be settled again.
    await expect(put('FL-NOBODY0000', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(put(one.payment.orderId, 'x')).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, current: { orderId: one.payment.orderId, reason: 'Hecho tras la copia' }, byProvider: false },
    });
    await expect(put(one.payment.orderId, 'x', 2)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    for (const { paymentId } of [listed, elsewhere])
      await settleElsewhere(app.services.db, { id: paymentId, version: 1, reason: 'Devuelto' }, by, app.now);
    expect(await waiting()).toEqual([]);
    // Listed again by the provider, they are not reopened.
    app.pass(61_000);
    await app.services.payments.reconcile();
    expect(await waiting()).toEqual([]);
    for (const { paymentId } of [notified, listed, chosen, elsewhere]) fake.truth.delete(paymentId);
  });

  it('reopens a deposit that was settled elsewhere when more of it arrives', async () => {
    const id = fake.newDepositId();
    const stranger = { invoiceId: `gone-${id}`, orderId: 'FL-0BACKUP002', priceUsd: 1_500 };
    await callBack(fake.move(stranger, id, 'partially_paid', { actuallyPaid: 1_000 }));
    const { id: adminId } = await app.member({ role: 'admin' });
    const by = { id: adminId, role: 'admin', ipHash: null, requestId: null } as const;
    await settleElsewhere(app.services.db, { id, version: 1, reason: 'Devuelto' }, by, app.now);
    const rowsOf = () =>
      app.sql(
        `select settled_at is null as waits, settled_by, reason, version from unplaced_payments
         where provider_payment_id = $1`,
        [id],
      );
    // The same amount in another state is nothing new.
    await callBack(fake.move(stranger, id, 'finished', { actuallyPaid: 1_000 }));
    expect(await rowsOf()).toEqual([{ waits: false, settled_by: adminId, reason: 'Devuelto', version: 3 }]);
    await callBack(fake.move(stranger, id, 'finished', { actuallyPaid: 1_500 }));
    expect(await rowsOf()).toEqual([{ waits: true, settled_by: null, reason: null, version: 4 }]);
    expect(
      await app.sql(`select before from audit_events where action = 'payment.changed' and resource_id = $1`, [id]),
    ).toEqual([{ before: { reason: 'Devuelto' } }]);
    await settleElsewhere(app.services.db, { id, version: 4, reason: 'También' }, by, app.now);
    fake.truth.delete(id);
  });

  /** A repeated deposit whose parent is not known yet, so that it cannot be matched to its order. */
  async function early() {
    const one = await order();
    const id = fake.newDepositId();
    const odd = { paymentId: id, parentId: one.depositId, orderId: null, invoiceId: null };
    await callBack(one.move('partially_paid', 0.5, odd));
    const { id: adminId } = await app.member({ role: 'admin' });
    const by = { id: adminId, role: 'admin', ipHash: null, requestId: null } as const;
    return { one, id, odd, by, other: await order() };
  }

  it('neither places nor settles elsewhere a deposit that belongs to an order by now', async () => {
    const { one, id, by, other } = await early();
    await callBack(one.move('waiting'));
    await one.check();
    expect(await one.state()).toBe('under_review');
    // With the version of the list as it was before.
    const place = app.services.payments.place({ id, version: 1, orderId: other.payment.orderId, reason: 'Suyo' }, by);
    await expect(place).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    await expect(
      settleElsewhere(app.services.db, { id, version: 1, reason: 'Devuelto' }, by, app.now),
    ).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    expect(await other.state()).toBe('awaiting');
  });

  it('leaves a placed deposit on its order, also when its parent turns out to belong to another one', async () => {
    const { one, id, odd, by, other } = await early();
    await app.services.payments.place({ id, version: 1, orderId: other.payment.orderId, reason: 'Suyo' }, by);
    await callBack(one.move('waiting'));
    await callBack(one.move('finished', 0.6, odd));
    expect(await other.state()).toBe('under_review');
    expect(await one.state()).toBe('awaiting');
  });

  it('refuses to place a deposit that the provider returned, or whose own order exists by now', async () => {
    const [one, other] = [await order(), await order()];
    const id = fake.newDepositId();
    const own = 'FL-0BACKUP003';
    const stranger = fake.move({ invoiceId: `gone-${id}`, orderId: own, priceUsd: 1_500 }, id, 'finished', {
      actuallyPaid: 3_000,
    });
    await callBack(stranger);
    const { id: adminId } = await app.member({ role: 'admin' });
    const by = { id: adminId, role: 'admin', ipHash: null, requestId: null } as const;
    const place = () =>
      app.services.payments.place({ id, version: 1, orderId: other.payment.orderId, reason: 'Suyo' }, by);
    fake.truth.set(id, { ...stranger, status: 'refunded' });
    await expect(place()).rejects.toMatchObject({ code: 'NOT_FOUND', data: { what: 'deposit' } });
    fake.truth.set(id, stranger);
    await app.sql('update payments set order_id = $1 where id = $2', [own, one.paymentId]);
    await expect(place()).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    expect([await one.state(), await other.state()]).toEqual(['paid', 'awaiting']);
    expect(await app.sql('select settled_at from unplaced_payments where provider_payment_id = $1', [id])).toEqual([
      { settled_at: null },
    ]);
    fake.truth.delete(id);
  });

  it('never counts one deposit for two orders', async () => {
    const [cheap, dear] = [await order('entry'), await order('complete')];
    const paid = cheap.move('finished', 1);
    // Signed, about the expensive order, with the deposit of the cheap one.
    const { body } = fake.callback(paid);
    const changed = JSON.stringify({ ...JSON.parse(body), order_id: dear.payment.orderId, invoice_id: null });
    expect((await send(changed, signBody(JSON.parse(changed), fake.secret))).status).toBe(200);
    await processCallbacks();
    expect(await dear.state()).toBe('awaiting');
    expect(await rowOf(dear.paymentId)).toMatchObject({ attention: [] });
    // It counts for its own order, also after both are checked.
    expect([await cheap.check(), await dear.check()]).toEqual(['paid', 'not_paid']);
    expect(await rowOf(cheap.paymentId)).toMatchObject({ state: 'paid', provider_payment_id: paid.paymentId });
    expect(await rowOf(dear.paymentId)).toMatchObject({ state: 'awaiting', attention: [], provider_payment_id: null });
  });

  it.each<[string, (deposit: Deposit) => Deposit, string]>([
    ['a price of one dollar', (deposit) => ({ ...deposit, priceAmount: 1 }), 'under_review'],
    ['a price in euros', (deposit) => ({ ...deposit, priceCurrency: 'eur' }), 'under_review'],
    ['the number of an unknown order', (deposit) => ({ ...deposit, orderId: 'FL-ZZZZZZZZZZ' }), 'under_review'],
    ['only a part of the amount', (deposit) => ({ ...deposit, actuallyPaid: 1 }), 'partially_paid'],
  ])('does not complete an order when its finished deposit has %s', async (_, lie, state) => {
    const one = await order();
    fake.box.lie = lie;
    await callBack(one.move('finished', 1));
    const reason = state === 'under_review' ? 'wrong_order' : state;
    expect(await rowOf(one.paymentId)).toMatchObject({ state, attention: [reason] });
    expect(await whyNot(one.id)).toBe('not_accepted');
  });
});

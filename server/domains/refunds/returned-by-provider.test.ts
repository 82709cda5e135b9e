// Money that the provider returned on its own initiative is not refunded again.
import { describe, expect, it } from 'vitest';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { REFUND_ADDRESS, refundRig, SHORT_ADDRESS } from '#tests/support/payments/refund-rig.ts';

const { app, fake, order, rowOf, callBack } = await paymentRig();
const back = app.as(await app.member({ role: 'admin' })).admin;
const NOTE = 'No podremos entregarlo.';

/** An order that was paid twice; the provider returned one of the two deposits. */
async function halfReturned(coin = 'usdttrc20') {
  const request = await order('basic');
  const second = fake.newDepositId();
  request.move('finished', 1, { payCurrency: 'usdttrc20' });
  await request.check();
  request.move('finished', 1, { payCurrency: coin, paymentId: second });
  await request.check();
  request.move('refunded', 1, { payCurrency: coin, paymentId: second });
  await request.check();
  return request;
}

describe('a deposit that the provider returned', () => {
  it('is not refunded again when the request is closed', async () => {
    const { id, read } = await halfReturned();
    await back.tokenRequests.close({ id, as: 'cancelled', note: NOTE });
    expect((await read()).refunds).toMatchObject([{ amount: '3000', state: 'address_needed' }]);
  });

  it('does not prevent closing the request, even in an unsupported coin', async () => {
    const { id, read } = await halfReturned('newcoin');
    await back.tokenRequests.close({ id, as: 'cancelled', note: NOTE });
    expect((await read()).refunds).toMatchObject([{ amount: '3000', asset: 'usdttrc20' }]);
  });

  it('is not available for a new refund', async () => {
    const { paymentId } = await halfReturned();
    const open = (amount: string) => back.refunds.open({ paymentId, asset: 'usdttrc20', amount, reason: 'Devolución' });
    await expect(open('3000.000001')).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'amount' } });
    await open('3000');
    await expect(open('0.000001')).rejects.toMatchObject({ data: { why: 'amount' } });
  });

  it('leaves nothing to refund if it was the only one', async () => {
    const { paymentId, move, check } = await order('basic');
    for (const status of ['finished', 'refunded'] as const) {
      move(status, 1, { payCurrency: 'usdttrc20' });
      await check();
    }
    await expect(
      back.refunds.open({ paymentId, asset: 'usdttrc20', amount: '0.000001', reason: 'Devolución' }),
    ).rejects.toMatchObject({ code: 'REFUND_REFUSED' });
  });
});

const paid = refundRig({ app, fake, order, callBack }, back);

describe('a return by the provider while a refund is open', () => {
  it('withdraws the refund, with a cause that payer and team see', async () => {
    const { open, confirm, claim, giveBack, read, mails, current } = await paid();
    const refund = await confirm(await open('3000'));
    expect(refund.state).toBe('ready');
    await giveBack();
    expect((await read()).refunds).toMatchObject([
      { state: 'withdrawn', withdrawnCause: 'returned', withdrawnReason: '', transaction: null },
    ]);
    const mail = (await mails()).at(-1);
    expect(mail?.subject).toContain(`Devolución ${refund.number} retirada: el proveedor de pagos ya devolvió dinero`);
    expect(mail?.text).not.toContain('Queda por devolver');
    const now = await current(refund.number);
    await expect(claim(now)).rejects.toMatchObject({ code: 'REFUND_CLOSED', data: { state: 'withdrawn' } });
    const [entry] = await app.sql(
      'select action, after from audit_events where resource_id = $1 order by id desc limit 1',
      [refund.id],
    );
    expect(entry).toMatchObject({ action: 'refund.withdrawn', after: { byProvider: true, state: 'withdrawn' } });
  });

  it('leaves a refund of the rest, to the confirmed address', async () => {
    const { open, confirm, send, giveBack, states, read, mails } = await paid(2);
    const refund = await confirm(await open('6000'));
    await giveBack(1);
    expect(await states()).toEqual(expect.arrayContaining(['6000 withdrawn', '3000 ready']));
    const rest = (await read()).refunds.find(({ state }) => state === 'ready');
    expect(rest).toMatchObject({ address: SHORT_ADDRESS, reason: refund.reason });
    expect((await mails()).at(-1)?.text).toContain(`devolución ${rest?.number}, a la dirección que confirmaste`);
    await send({ id: rest?.id ?? '', version: 1 });
    expect(await states()).toEqual(expect.arrayContaining(['6000 withdrawn', '3000 sent']));
    expect((await read()).refunds.find(({ state }) => state === 'sent')).toMatchObject({ address: REFUND_ADDRESS });
  });

  it('leaves a refund of the rest that needs an address, if none was confirmed', async () => {
    const { open, giveBack, read, mails } = await paid(2);
    await open('6000');
    await giveBack(0);
    const rest = (await read()).refunds.find(({ state }) => state === 'address_needed');
    expect(rest).toMatchObject({ amount: '3000', address: null });
    expect((await mails()).at(-1)?.text).toContain(`devolución ${rest?.number}. En la página de tu pedido`);
  });

  it('withdraws the refund of the second deposit, and leaves the first one refundable', async () => {
    const { id, open, giveBack, states } = await paid(2);
    await open('3000');
    await giveBack(1);
    expect(await states()).toEqual(['3000 withdrawn']);
    await back.tokenRequests.close({ id, as: 'cancelled', note: NOTE });
    expect((await states()).toSorted()).toEqual(['3000 address_needed', '3000 withdrawn']);
  });

  it('does not affect a refund that was opened before that money arrived', async () => {
    const { open, giveBack, states, move, check, ids } = await paid();
    await open('3000');
    const later = fake.newDepositId();
    ids.push(later);
    move('finished', 1, { payCurrency: 'usdttrc20', paymentId: later });
    await check();
    await giveBack(1);
    expect(await states()).toEqual(['3000 address_needed']);
  });

  it('is mailed once, however often the provider reports it', async () => {
    const { open, giveBack, states, check, mails } = await paid(2);
    await open('3000');
    await mails();
    await giveBack(1);
    await giveBack(1);
    await check();
    expect(await states()).toEqual(['3000 withdrawn']);
    expect((await mails()).filter(({ subject }) => subject.includes('ya devolvió'))).toHaveLength(1);
  });
});

describe('a refund that was sent before the provider returned the money', () => {
  it('requires a review, which ends with an admin’s note', async () => {
    const { paymentId, open, confirm, send, giveBack, states } = await paid();
    await send(await confirm(await open('3000')));
    expect(await rowOf(paymentId)).toMatchObject({ attention: [] });
    await giveBack();
    expect(await states()).toEqual(['3000 sent']);
    expect(await rowOf(paymentId)).toMatchObject({ attention: ['refunded'] });
    await back.tokenRequests.notePayment({ paymentId, note: 'Salió dos veces; lo pedimos de vuelta.' });
    expect(await rowOf(paymentId)).toMatchObject({ attention: [] });
  });

  it('limits another open refund to the remaining money', async () => {
    const { open, confirm, send, giveBack, states } = await paid(2);
    await send(await confirm(await open('3000')));
    await open('3000');
    await giveBack(0);
    expect((await states()).toSorted()).toEqual(['3000 sent', '3000 withdrawn']);
  });
});

describe('marking an open refund as sent by the provider', () => {
  const markReturned = async (admin: typeof back, { id, version }: { id: string; version: number }) =>
    admin.refunds.send({ id, version, transaction: '', byProvider: true });
  const refused = { code: 'REFUND_REFUSED', data: { why: 'provider' } };

  it('is refused for money that was returned before the refund was opened', async () => {
    const { paymentId, email } = await halfReturned();
    app.pass(1_000);
    const refund = await back.refunds.open({ paymentId, asset: 'usdttrc20', amount: '3000', reason: 'Sobra' });
    await expect(markReturned(back, refund)).rejects.toMatchObject(refused);
    const subjects = (await app.deliverMails()).filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(subjects.at(-1)).toBe(`Devolución ${refund.number}: dinos adónde enviarla`);
    expect(await rowOf(paymentId)).toMatchObject({ attention: ['refunded'] });
  });

  it('requires a return of the whole amount, which counts for one refund only', async () => {
    const { open, move, check, current } = await paid();
    const [whole, part, other] = [await open('1600'), await open('1000'), await open('400')];
    app.pass(1_000);
    const later = fake.newDepositId();
    for (const status of ['finished', 'refunded'] as const) {
      move(status, 0.4, { payCurrency: 'usdttrc20', paymentId: later });
      await check();
    }
    await expect(markReturned(back, whole)).rejects.toMatchObject(refused);
    expect(await markReturned(back, part)).toMatchObject({ state: 'sent', byProvider: true });
    await expect(markReturned(back, other)).rejects.toMatchObject(refused);
    expect(await current(other.number)).toMatchObject({ state: 'address_needed' });
  });

  it('is refused for a return that withdrew another refund', async () => {
    const { open, move, check, states } = await paid(2);
    const older = await open('1000');
    app.pass(1_000);
    const later = fake.newDepositId();
    move('finished', 1, { payCurrency: 'usdttrc20', paymentId: later });
    await check();
    app.pass(1_000);
    await open('3000');
    move('refunded', 1, { payCurrency: 'usdttrc20', paymentId: later });
    await check();
    expect((await states()).toSorted()).toEqual(['1000 address_needed', '3000 withdrawn']);
    await expect(markReturned(back, older)).rejects.toMatchObject(refused);
  });
});

describe('claiming a refund', () => {
  it('is refused for returned money, also if an earlier version left the refund open', async () => {
    const { open, confirm, claim, giveBack, current } = await paid();
    const { number } = await confirm(await open('3000'));
    // As left by the previous version.
    await app.sql('alter table refund_cases disable trigger refund_is_kept');
    await giveBack();
    await app.sql(
      "update refund_cases set state = 'ready', withdrawn_at = null, withdrawn_reason = null, withdrawn_cause = null where number = $1",
      [number],
    );
    await app.sql('alter table refund_cases enable trigger refund_is_kept');
    await expect(claim(await current(number))).rejects.toMatchObject({
      code: 'REFUND_REFUSED',
      data: { why: 'returned' },
    });
  });
});

// What the provider gave back by itself is given back by nobody else.
import { describe, expect, it } from 'vitest';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, fake, order } = await paymentRig();
const back = app.as(await app.member({ role: 'admin' })).admin;
const NOTE = 'No podremos entregarlo.';

/** An order that was paid twice over; the provider gave one of the two deposits back. */
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

describe('a deposit that the provider gave back', () => {
  it('is not given back again by who closes the request', async () => {
    const { id, read } = await halfReturned();
    await back.tokenRequests.close({ id, as: 'cancelled', note: NOTE });
    expect((await read()).refunds).toMatchObject([{ amount: '3000', state: 'address_needed' }]);
  });

  it('is no obstacle to closing, in a coin that we cannot count', async () => {
    const { id, read } = await halfReturned('newcoin');
    await back.tokenRequests.close({ id, as: 'cancelled', note: NOTE });
    expect((await read()).refunds).toMatchObject([{ amount: '3000', asset: 'usdttrc20' }]);
  });

  it('is in no refund that somebody opens', async () => {
    const { paymentId } = await halfReturned();
    const open = (amount: string) => back.refunds.open({ paymentId, asset: 'usdttrc20', amount, reason: 'Devolución' });
    await expect(open('3000.000001')).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'amount' } });
    await open('3000');
    await expect(open('0.000001')).rejects.toMatchObject({ data: { why: 'amount' } });
  });

  it('leaves nothing to be given back where it was all that came', async () => {
    const { paymentId, move, check } = await order('basic');
    for (const status of ['finished', 'refunded'] as const) {
      move(status, 1, { payCurrency: 'usdttrc20' });
      await check();
    }
    await expect(
      back.refunds.open({ paymentId, asset: 'usdttrc20', amount: '0.000001', reason: 'Devolución' }),
    ).rejects.toMatchObject({ code: 'REFUND_REFUSED' });
  });

  it('is once, where a refund was open for it: what is left is what did not go back', async () => {
    const request = await order('basic');
    const second = fake.newDepositId();
    for (const paymentId of [request.depositId, second]) {
      request.move('finished', 1, { payCurrency: 'usdttrc20', paymentId });
      await request.check();
    }
    const open = (amount: string) =>
      back.refunds.open({ paymentId: request.paymentId, asset: 'usdttrc20', amount, reason: 'Pagado dos veces' });
    const { id, version } = await open('3000');
    request.move('refunded', 1, { payCurrency: 'usdttrc20', paymentId: second });
    await request.check();
    await back.refunds.send({ id, version, transaction: '', byProvider: true });
    await back.tokenRequests.close({ id: request.id, as: 'cancelled', note: NOTE });
    expect((await request.read()).refunds.map(({ amount, state }) => [amount, state])).toEqual([
      ['3000', 'address_needed'],
      ['3000', 'sent'],
    ]);
  });
});

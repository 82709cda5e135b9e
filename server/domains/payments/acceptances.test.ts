// What an admin can accept, and the state of an accepted deposit after the provider reports it as failed.
import { describe, expect, it } from 'vitest';
import { PAYMENT_DAYS, PAYMENT_WATCH_DAYS } from '#contract/limits.ts';
import { app, callBack, DAY, order, rowOf, whyNot } from '#tests/fixtures/payments.ts';

/** What an admin who has just signed in does and sees. */
async function staff() {
  const member = await app.member({ role: 'admin' });
  const { tokenRequests } = app.as(member).admin;
  return {
    id: member.id,
    accept: (paymentId: string) => tokenRequests.acceptPayment({ paymentId, reason: 'the chain has it' }),
    shown: async (id: string) => (await tokenRequests.read({ id })).payments[0],
  };
}

describe('an acceptance', () => {
  it('is refused while the money is on its way, and possible once the provider reports it as failed', async () => {
    const one = await order();
    await callBack(one.move('confirming', 1));
    const { accept, shown } = await staff();
    await expect(accept(one.paymentId)).rejects.toMatchObject({ code: 'NOT_FOUND', data: { what: 'deposit' } });
    expect(await shown(one.id)).toMatchObject({ acceptable: false, statement: null });
    await callBack(one.move('failed', 1));
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'under_review', attention: ['ended_with_money'] });
    expect(await shown(one.id)).toMatchObject({ acceptable: true });
    await accept(one.paymentId);
    expect(await one.state()).toBe('paid');
  });

  it('of money that has been on its way for too long counts as paid, even if the provider fails it later', async () => {
    const one = await order();
    await callBack(one.move('sending', 1));
    app.pass((PAYMENT_DAYS + PAYMENT_WATCH_DAYS) * DAY);
    await one.check();
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'confirming', attention: ['ended_with_money'] });
    await (await staff()).accept(one.paymentId);
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'paid', attention: [] });
    expect(await one.read()).toMatchObject({ stage: 'paid', accepted: true, payment: { receivedUsd: 1_500 } });
    expect(await whyNot(one.id)).toBeNull();
    // The person who accepted it knew that the provider had not completed it.
    await callBack(one.move('failed', 1));
    expect(await one.state()).toBe('paid');
  });

  it('of an earlier version does not cover a deposit that the provider reports as failed afterwards', async () => {
    const one = await order();
    await callBack(one.move('confirming', 1));
    const { id: by, accept } = await staff();
    const accepted = { at: app.now.getTime(), by, reason: 'the chain has it', of: [one.depositId] };
    await app.sql('update payments set ledger = ledger || $2::jsonb where id = $1', [
      one.paymentId,
      JSON.stringify({ accepted }),
    ]);
    app.pass(60_000);
    await callBack(one.move('failed', 1));
    const review = { state: 'under_review', attention: ['ended_with_money'], received_usd: '0' };
    expect(await rowOf(one.paymentId)).toMatchObject(review);
    // The state that the earlier version stored, if polling had ended before.
    await app.sql(`update payments set state = 'paid', attention = '{}', next_check_at = null where id = $1`, [
      one.paymentId,
    ]);
    expect(await app.services.payments.reviewEnded()).toBe(1);
    expect(await app.services.payments.reviewEnded()).toBe(0);
    expect(await rowOf(one.paymentId)).toMatchObject(review);
    expect((await one.read()).stage).toBe('in_review');
    await accept(one.paymentId);
    expect(await one.state()).toBe('paid');
  });
});

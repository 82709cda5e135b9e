import { describe, expect, it } from 'vitest';
import { PAYMENT_DAYS } from '#contract/limits.ts';
import { publishChange } from '#server/live/publish.ts';
import { listenTo } from '#tests/support/app/test-app.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, draft, order, callBack } = await paymentRig();
const DAY = 86_400_000;

describe('open screens', () => {
  it('are notified of each stored state of a payment, and not of polls without news', async () => {
    const live = listenTo(app.services);
    const notified = async (work: () => Promise<unknown>) => {
      await live.forget();
      await work();
      await app.services.db.transaction((tx) => publishChange(tx, 'market'));
      await live.changed('market');
      return live.changes('tokenRequests') > 0;
    };
    const request = await draft();
    expect(await notified(() => request.pay('entry'))).toBe(true);
    const one = await order('entry');
    expect(await notified(() => one.check())).toBe(false);
    for (const [status, share, state] of [
      ['confirming', 0.4, 'confirming'],
      ['partially_paid', 0.4, 'partially_paid'],
      // More of the same partial payment: the state is unchanged, the amount is not.
      ['partially_paid', 0.6, 'partially_paid'],
      ['finished', 1, 'paid'],
      ['refunded', 1, 'refunded'],
    ] as const) {
      expect(await notified(() => callBack(one.move(status, share)))).toBe(true);
      expect(await one.state()).toBe(state);
    }
    const late = await order('entry');
    app.pass((PAYMENT_DAYS + 1) * DAY);
    expect(await notified(() => late.check())).toBe(true);
    expect(await late.state()).toBe('expired');
  });

  it('read the stored state without polling the provider', async () => {
    const one = await order('entry');
    one.move('finished', 1);
    app.pass(11_000);
    const read = (ask: boolean) => one.api.tokenRequests.check({ id: one.id, secret: one.secret, ask });
    expect(await read(false)).toMatchObject({ payment: { state: 'awaiting' } });
    expect(await read(true)).toMatchObject({ answer: 'paid', payment: { state: 'paid' } });
    expect(await read(false)).toMatchObject({ answer: 'paid', payment: { state: 'paid' } });
  });
});

// An invoice names its token and cannot be changed: a payment of a token that was changed since is not offered any more.
import { expect, it } from 'vitest';
import { app, callBack, order } from '#tests/fixtures/payments.ts';

/** An open payment, and what its payer can do. */
async function opened() {
  const one = await order('basic');
  const { id, secret, orderKey: key, api } = one;
  const changeToken = async () => {
    const { version } = await api.tokenRequests.read({ id, secret });
    await api.tokenRequests.save({ id, secret, version, data: { ownerWalletAddress: `0x${'12'.repeat(20)}` } });
    app.pass(60_000);
  };
  return {
    ...one,
    changeToken,
    known: () => api.tokenRequests.check({ id, secret, ask: false }),
    renew: (version?: number) => api.tokenRequests.renew({ id, key, version, locale: 'es' }),
  };
}

it('an order reports that its token was changed, and renewing it creates one new payment', async () => {
  const { payment, changeToken, known, read, renew } = await opened();
  expect([await known(), await read()]).toMatchObject([{ tokenChanged: false }, { tokenChanged: false }]);
  expect((await renew()).orderId).toBe(payment.orderId);
  await changeToken();
  expect([await known(), await read()]).toMatchObject([{ tokenChanged: true }, { tokenChanged: true }]);
  const renewed = await renew();
  expect(renewed).toMatchObject({ tokenChanged: false, stage: 'awaiting_payment', payment: { state: 'awaiting' } });
  expect(renewed.orderId).not.toBe(payment.orderId);
  expect((await renew()).orderId).toBe(renewed.orderId);
});

it('renewing is refused for a form that was changed after its payer saw it', async () => {
  const { payment, changeToken, read, renew } = await opened();
  const { formVersion } = await read();
  await changeToken();
  await expect(renew(formVersion)).rejects.toMatchObject({
    code: 'VERSION_CONFLICT',
    data: { version: formVersion + 1 },
  });
  const shown = await read();
  expect(shown).toMatchObject({ orderId: payment.orderId, tokenChanged: true, formVersion: formVersion + 1 });
  expect((await renew(shown.formVersion)).orderId).not.toBe(payment.orderId);
});

it('renewing creates no payment while money for the former token is on its way', async () => {
  const { payment, move, changeToken, known, renew } = await opened();
  await callBack(move('confirming', 1));
  await changeToken();
  expect(await known()).toMatchObject({ tokenChanged: false, payment: { state: 'confirming' } });
  expect((await renew()).orderId).toBe(payment.orderId);
});

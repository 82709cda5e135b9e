import { expect, it } from 'vitest';
import { PLANS } from '#contract/limits.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, order } = await paymentRig();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
const api = back.tokenRequests;

const NOTE = 'Te hemos devuelto 150 USD a la dirección desde la que pagaste.';
/** A request that is paid in full. */
async function paid() {
  const request = await order('basic');
  request.move('finished', 1);
  await request.check();
  return request;
}
const waiting = async (id: string) =>
  (await back.inbox.list({ source: 'request' })).items.some((item) => item.id === id);

it('closes a paid request that gets no token: it waits for nobody, and its payer reads why [AMB-216]', async () => {
  const request = await paid();
  const { id } = request;
  expect(await api.read({ id })).toMatchObject({ closable: true, closure: null, notDeliverable: null });
  expect(await waiting(id)).toBe(true);
  expect((await request.read()).stage).toBe('paid');

  await api.close({ id, as: 'cancelled', note: ` ${NOTE} ` });
  expect(await waiting(id)).toBe(false);
  expect(await api.read({ id })).toMatchObject({
    closable: false,
    closure: { as: 'cancelled', note: NOTE, address: null },
    notDeliverable: 'closed',
  });
  const seen = await request.read();
  expect(seen).toMatchObject({ stage: 'closed', next: 'nothing', closure: { note: NOTE }, deliverBy: null });
  // The payment remains on record.
  expect(seen.receipt).toMatchObject({ receivedUsd: PLANS.basic.priceUsd });
  const mail = (await app.deliverMails()).findLast(
    ({ to, subject }) => to === request.email && subject.startsWith('Tu pedido'),
  );
  expect(mail?.subject).toBe(`Tu pedido ${request.payment.orderId} está cerrado`);
  expect(mail?.text).toContain(NOTE);
  expect((await api.read({ id })).timeline[0]).toMatchObject({ what: 'request.closed', reason: NOTE });
});

it('says where a token is that was delivered by hand, and that the team says so', async () => {
  const { id, read } = await paid();
  await expect(api.close({ id, as: 'delivered', note: 'Hecho' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    data: { issues: [{ path: ['address'] }] },
  });
  // Until then the page shows the promised date.
  expect((await read()).deliverBy).toBe(new Date(app.now.getTime() + 7 * 86_400_000).toISOString());
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  // A sentence, another network's form, a mistyped letter of the checksum.
  for (const wrong of [
    'Enviado por correo',
    'So11111111111111111111111111111111111111112',
    address.replace('5aA', '5AA'),
  ])
    await expect(api.close({ id, as: 'delivered', note: 'Hecho', address: wrong })).rejects.toMatchObject({
      code: 'ADDRESS_INVALID',
    });
  expect((await read()).stage).toBe('paid');
  await api.close({ id, as: 'delivered', note: 'Hecho', address });
  const seen = await read();
  expect(seen).toMatchObject({ stage: 'closed', closure: { as: 'delivered', address } });
  // Nothing was read from a chain.
  expect(seen.token).toEqual({ address: null, transaction: null, explorerUrl: null, source: null });
});

it('can be taken back; closed twice or opened twice it says so', async () => {
  const { id, read, pay } = await paid();
  await expect(api.reopen({ id })).rejects.toMatchObject({ code: 'ALREADY_DONE' });
  await api.close({ id, as: 'cancelled', note: NOTE });
  await expect(api.close({ id, as: 'cancelled', note: NOTE })).rejects.toMatchObject({
    code: 'NOT_CLOSABLE',
    data: { why: 'closed' },
  });
  await expect(pay('basic')).rejects.toMatchObject({ code: 'LOCKED' });
  await api.reopen({ id });
  expect((await read()).stage).toBe('paid');
  expect(await waiting(id)).toBe(true);
});

it('does not close what nobody paid, nor what the signer has begun', async () => {
  const { id } = await order('basic');
  await expect(api.close({ id, as: 'cancelled', note: NOTE })).rejects.toMatchObject({ data: { why: 'unpaid' } });
  expect((await api.read({ id })).closable).toBe(false);

  const begun = await paid();
  await createdToken(app, begun.id, { network: 'ethereum', queued: true });
  await expect(api.close({ id: begun.id, as: 'cancelled', note: NOTE })).rejects.toMatchObject({
    data: { why: 'creating' },
  });
});

it('comes back to the team when money arrives after it was closed', async () => {
  const request = await order('basic');
  request.move('partially_paid', 0.4);
  await request.check();
  await api.close({ id: request.id, as: 'cancelled', note: NOTE });
  expect(await waiting(request.id)).toBe(false);
  request.move('finished', 1);
  await request.check();
  expect(await waiting(request.id)).toBe(true);
});

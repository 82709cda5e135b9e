// Money of an order that the team sent back: the provider does not report it, and for the provider the order stays paid.
import { expect, it } from 'vitest';
import { watchDeliverablesJob } from '#server/jobs/tokens/watch-deliverables.job.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, order } = await paymentRig();
const back = app.as(await app.member({ role: 'admin' })).admin;
let serial = 0;
/** The states of the deliverables of a request, each once. */
const deliverableStatesOf = async (id: string) =>
  (
    await app.sql<{ state: string }>(
      `select distinct concat_ws(' ', state, withdrawn_cause) as state from deliverables where submission_id = $1`,
      [id],
    )
  ).map(({ state }) => state);

/**
 * An order with this share of its price in USDT on Tron, and how the team refunds an amount of it.
 *
 * @param next the plan that its payer chose before the money arrived.
 */
async function paidOrder(share: number, next?: 'standard') {
  const request = await order('basic');
  if (next) await request.pay(next);
  request.move(share < 1 ? 'partially_paid' : 'finished', share, { payCurrency: 'usdttrc20' });
  await request.check();
  await app.deliverMails();
  const rowOf = async () => {
    const { rows } = await back.tokenRequests.list({ q: request.payment.orderId });
    return rows[0];
  };
  const isWaiting = async (source: 'payment' | 'request', id: string) =>
    (await back.inbox.list({ source })).items.some((item) => item.id === id);
  const open = (amount: string) =>
    back.refunds.open({ paymentId: request.paymentId, asset: 'usdttrc20', amount, reason: 'Lo pidió quien pagó' });
  const claim = async ({ id, version }: { id: string; version: number }) => {
    const who = { id: request.id, key: request.orderKey, refundId: id };
    await request.api.refunds.setAddress({ ...who, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' });
    const mail = (await app.deliverMails()).findLast(({ to }) => to === request.email);
    const code = /\b(\d{8})\b/.exec(mail?.text ?? '')?.[1] ?? '';
    await request.api.refunds.confirmAddress({ ...who, code });
    return back.refunds.claim({ id, version: version + 2 });
  };
  const send = async (refund: { id: string; version: number }) => {
    const { id, version } = await claim(refund);
    serial++;
    return back.refunds.send({ id, version, transaction: String(serial).padStart(64, 'a'), byProvider: false });
  };
  return { ...request, rowOf, isWaiting, open, claim, send };
}

it('a refund of a partial payment ends the request for the rest, and the review', async () => {
  const { api, secret, read, rowOf, isWaiting, open, send, id, paymentId } = await paidOrder(0.4);
  const known = () => api.tokenRequests.check({ id, secret, ask: false });
  expect(await read()).toMatchObject({ stage: 'partially_paid', next: 'pay_rest', receipt: { kind: 'part' } });
  expect(await known()).toMatchObject({ sentBack: false, payment: { state: 'partially_paid' } });
  expect(await isWaiting('payment', paymentId)).toBe(true);
  await send(await open('1200'));

  expect(await read()).toMatchObject({ stage: 'refunded', next: 'contact', receipt: null });
  // At the provider it is still partly paid.
  expect(await known()).toMatchObject({ sentBack: true, payment: { state: 'partially_paid' } });
  expect(await rowOf()).toMatchObject({ paymentStage: 'refunded', missingUsd: 0, attention: false });
  expect((await back.tokenRequests.list({ attention: 'yes' })).rows.some((row) => row.id === id)).toBe(false);
  expect(await isWaiting('payment', paymentId)).toBe(false);
  expect(await isWaiting('request', id)).toBe(false);
  const { payments } = await back.tokenRequests.read({ id });
  expect(payments[0]).toMatchObject({ missingUsd: 0, missingAmount: null, attention: [], acceptable: false });
});

it('a partial refund of a partial payment leaves the order partly paid and in need of a review', async () => {
  const { read, rowOf, isWaiting, open, send, paymentId } = await paidOrder(0.4);
  await send(await open('200'));
  expect(await read()).toMatchObject({ stage: 'partially_paid' });
  expect(await rowOf()).toMatchObject({ paymentStage: 'part_paid', attention: true });
  expect(await isWaiting('payment', paymentId)).toBe(true);
});

it('a refund of a paid order in two parts withdraws its deliverables and its delivery with the last part', async () => {
  const { read, rowOf, isWaiting, open, send, id } = await paidOrder(1);
  expect((await back.tokenRequests.read({ id })).notDeliverable).toBeNull();
  expect([(await read()).returned, (await rowOf())?.returned]).toEqual([null, null]);
  await send(await open('1000'));
  expect(await deliverableStatesOf(id)).toEqual(['open']);
  // A part went back: the payer and the team see what was paid, what went back and what is left, wherever the order shows.
  const part = { receivedUsd: 1_500, returnedUsd: 500, remainingUsd: 1_000 };
  const page = await read();
  expect(page).toMatchObject({ stage: 'paid', returned: part, receipt: { kind: 'full', receivedUsd: 1_500 } });
  expect(await rowOf()).toMatchObject({ paymentStage: 'paid', receivedUsd: 1_500, returned: part });
  expect((await back.tokenRequests.read({ id })).payments[0]).toMatchObject({ stage: 'paid', returned: part });
  await send(await open('2000'));
  // An item whose money went back is not reported as late.
  expect(await deliverableStatesOf(id)).toEqual(['withdrawn refunded']);
  expect(await read()).toMatchObject({ stage: 'refunded', next: 'contact', receipt: null });
  expect(await rowOf()).toMatchObject({ returned: { receivedUsd: 1_500, returnedUsd: 1_500, remainingUsd: 0 } });
  expect((await back.tokenRequests.read({ id })).notDeliverable).toBe('unpaid');
  expect((await back.tokenRequests.read({ id })).payments[0]).toMatchObject({ delivers: false });
  expect(await isWaiting('request', id)).toBe(false);
});

it('a refund of all but less than a hundredth, in another coin, counts as a full refund', async () => {
  const { id, api, secret, paymentId, move, check, open, send, read, rowOf, isWaiting } = await paidOrder(1);
  const other = (actuallyPaid: number) =>
    move('partially_paid', 0, { paymentId: '960001', actuallyPaid, payCurrency: 'eth' });
  other(29.99);
  await check();
  expect(await isWaiting('payment', paymentId)).toBe(true);
  await send(await open('3000'));
  expect(await read()).toMatchObject({ stage: 'refunded', next: 'contact', receipt: null, sentBack: true });
  expect(await api.tokenRequests.check({ id, secret, ask: false })).toMatchObject({ sentBack: true });
  expect(await rowOf()).toMatchObject({ paymentStage: 'refunded', attention: false });
  expect((await back.tokenRequests.read({ id })).notDeliverable).toBe('unpaid');
  expect(await deliverableStatesOf(id)).toEqual(['withdrawn refunded']);
  expect(await isWaiting('payment', paymentId)).toBe(false);
  // A larger amount of the other coin needs a review again.
  other(1_200);
  await check();
  expect((await back.tokenRequests.read({ id })).payments[0]).toMatchObject({ attention: ['after_refund'] });
});

it('a claimed refund of all but less than a hundredth, in another coin, prevents delivery', async () => {
  const { id, move, check, open, claim } = await paidOrder(1);
  move('partially_paid', 0, { paymentId: '960003', actuallyPaid: 29.99, payCurrency: 'eth' });
  await check();
  await claim(await open('3000'));
  expect((await back.tokenRequests.read({ id })).notDeliverable).toBe('refund_claimed');
});

it('a refund of all but a hundredth, in another coin, leaves the order paid, and the rest needs a review', async () => {
  const { paymentId, move, check, open, send, read, isWaiting } = await paidOrder(1);
  move('partially_paid', 0, { paymentId: '960002', actuallyPaid: 30, payCurrency: 'eth' });
  await check();
  await send(await open('3000'));
  expect(await read()).toMatchObject({ stage: 'paid', sentBack: false });
  expect(await isWaiting('payment', paymentId)).toBe(true);
});

it('a refund of a replaced payment ends its review, and the new order still waits for its payment', async () => {
  const { api, id, secret, paymentId, read, isWaiting, open, send } = await paidOrder(1, 'standard');
  const flagged = async () => (await back.tokenRequests.list({ attention: 'yes' })).rows.some((row) => row.id === id);
  const seen = async () => [
    (await read()).otherPayments[0]?.state,
    (await api.tokenRequests.check({ id, secret, ask: false })).otherPayments[0]?.state,
    await isWaiting('payment', paymentId),
    await flagged(),
  ];
  expect(await seen()).toEqual(['under_review', 'under_review', true, true]);
  const refund = await open('3000');
  expect(await seen()).toEqual(['under_review', 'under_review', true, true]);
  await send(refund);
  expect(await seen()).toEqual(['refunded', 'refunded', false, false]);
  expect(await read()).toMatchObject({ stage: 'awaiting_payment', plan: 'standard' });
});

it('a partial refund of a paid order is subtracted from the revenue of the day and from the income', async () => {
  const { open, send } = await paidOrder(1);
  const revenue = async () => (await back.dashboard.days({ days: 7 })).at(-1)?.revenueUsd ?? 0;
  const income = async () => (await back.income.list({})).rows[0]?.netCents ?? 0;
  const [day, week] = [await revenue(), await income()];
  await send(await open('1000'));
  expect([(await revenue()) - day, (await income()) - week]).toEqual([-500, -50_000]);
});

it('refunds in fractions of a cent leave nothing after the last one', async () => {
  const { open, send, read } = await paidOrder(1);
  for (const amount of ['1000.001', '999.999001']) await send(await open(amount));
  expect((await read()).returned).toMatchObject({ receivedUsd: 1_500, returnedUsd: 1_000, remainingUsd: 500 });
  await send(await open('999.999999'));
  expect((await read()).returned).toMatchObject({ receivedUsd: 1_500, returnedUsd: 1_500, remainingUsd: 0 });
});

it('a refund of an accepted deposit at another price reduces the revenue by that deposit only', async () => {
  const { paymentId, move, check, open, send } = await paidOrder(1);
  const revenue = async () => (await back.dashboard.days({ days: 7 })).at(-1)?.revenueUsd ?? 0;
  const day = await revenue();
  // A deposit at another price, of 20 dollars.
  move('finished', 0, {
    paymentId: '900001',
    priceAmount: 20,
    payAmount: 40,
    actuallyPaid: 40,
    payCurrency: 'usdttrc20',
  });
  await check();
  expect((await revenue()) - day).toBe(0);
  const actor = { id: (await app.member({ role: 'admin' })).id, role: 'admin', ipHash: null, requestId: null } as const;
  await app.services.payments.accept(paymentId, actor, 'agreed');
  expect((await revenue()) - day).toBe(20);
  await send(await open('40'));
  expect((await revenue()) - day).toBe(0);
});

it('a refund of a repeated deposit leaves the price paid in full, also if an admin accepts it afterwards', async () => {
  const { paymentId, payment, move, check, open, send, read } = await paidOrder(1);
  move('finished', 0, { paymentId: '920001', parentId: '1', actuallyPaid: 3_000, payCurrency: 'usdttrc20' });
  await check();
  const money = async () => {
    const [row] = (await back.payments.list({ q: payment.orderId })).rows;
    return [row?.receivedCents, row?.refundedCents];
  };
  expect(await money()).toEqual([150_000, 0]);
  // Less than all of it: the network's fee was taken off.
  await send(await open('2999'));
  expect(await money()).toEqual([150_000, 0]);
  expect(await read()).toMatchObject({ stage: 'paid', returned: null });
  await back.tokenRequests.acceptPayment({ paymentId, reason: 'Lo repetido ya volvió' });
  expect(await money()).toEqual([300_000, 149_950]);
  await send(await open('3001'));
  expect(await money()).toEqual([300_000, 300_000]);
});

it('a full refund of a repeated deposit ends its review, until more of it arrives', async () => {
  const { id, paymentId, move, check, open, send, read, isWaiting } = await paidOrder(1);
  const repeated = (actuallyPaid: number) =>
    move('finished', 0, { paymentId: '930001', parentId: '1', actuallyPaid, payCurrency: 'usdttrc20' });
  repeated(1_000);
  await check();
  await send(await open('999'));
  expect(await isWaiting('payment', paymentId)).toBe(true);
  await send(await open('1000'));
  expect(await isWaiting('payment', paymentId)).toBe(false);
  const [payment] = (await back.tokenRequests.read({ id })).payments;
  expect(payment).toMatchObject({ stage: 'paid', attention: [], acceptable: false, delivers: true });
  const page = await read();
  expect(page).toMatchObject({ stage: 'paid', sentBack: false, receipt: { receivedUsd: 1_500 } });
  expect(page.deposits.filter(({ sentBack }) => sentBack)).toMatchObject([{ paymentId: '930001', counts: false }]);
  expect(await deliverableStatesOf(id)).toEqual(['open']);
  repeated(1_500);
  await check();
  expect((await back.tokenRequests.read({ id })).payments[0]).toMatchObject({ attention: ['after_refund'] });
});

it('a refund opened before a repeated deposit of the same amount does not end the review of that deposit', async () => {
  const { paymentId, move, check, open, send, isWaiting } = await paidOrder(1);
  const refund = await open('1000');
  app.pass(120_000);
  move('finished', 0, { paymentId: '940001', parentId: '1', actuallyPaid: 1_000, payCurrency: 'usdttrc20' });
  await check();
  await send(refund);
  expect(await isWaiting('payment', paymentId)).toBe(true);
});

it('a refunded order stays refunded when small amounts arrive, and is paid again by a full payment', async () => {
  const { id, move, check, open, send, read, rowOf } = await paidOrder(1);
  await send(await open('3000'));
  const seen = async () => [
    (await read()).stage,
    (await rowOf())?.paymentStage,
    (await back.tokenRequests.read({ id })).notDeliverable,
    ...(await deliverableStatesOf(id)),
  ];
  const refunded = ['refunded', 'refunded', 'unpaid', 'withdrawn refunded'];
  expect(await seen()).toEqual(refunded);
  // A repeated deposit, and another coin chosen on the same page.
  const coin = { payCurrency: 'usdttrc20' };
  move('finished', 0, { ...coin, paymentId: '910001', parentId: '1', actuallyPaid: 0.01 });
  await check();
  expect(await seen()).toEqual(refunded);
  move('partially_paid', 0, { ...coin, paymentId: '910002', actuallyPaid: 0.01 });
  await check();
  expect(await seen()).toEqual(refunded);
  expect((await back.tokenRequests.read({ id })).payments[0]).toMatchObject({ acceptable: true });
  move('finished', 0, { ...coin, paymentId: '910003', actuallyPaid: 3_000 });
  await check();
  expect(await seen()).toEqual(['paid', 'paid', null, 'open']);
});

it('a refunded partial payment that grows is not paid by the refunded money, and needs a review', async () => {
  const { id, paymentId, email, move, check, open, send, read, rowOf, isWaiting } = await paidOrder(0.4);
  await send(await open('1200'));
  const mails = async () => (await app.deliverMails()).filter(({ to }) => to === email).length;
  const before = await mails();
  const seen = async () => [
    (await read()).stage,
    (await rowOf())?.paymentStage,
    (await back.tokenRequests.read({ id })).notDeliverable,
    await isWaiting('payment', paymentId),
  ];
  const coin = { payCurrency: 'usdttrc20' };
  for (const [status, share, why] of [
    ['partially_paid', 0.7, 'not_accepted'],
    ['finished', 1, 'unpaid'],
  ] as const) {
    move(status, share, coin);
    await check();
    expect(await seen()).toEqual(['refunded', 'refunded', why, true]);
  }
  expect(await mails()).toBe(before);
  expect(await deliverableStatesOf(id)).toEqual([]);
  const [payment] = (await back.tokenRequests.read({ id })).payments;
  expect(payment).toMatchObject({ attention: ['after_refund'], acceptable: true, delivers: false });
  await back.tokenRequests.acceptPayment({ paymentId, reason: 'Enough for us' });
  expect(await seen()).toEqual(['paid', 'accepted', null, false]);
  expect(await deliverableStatesOf(id)).toEqual(['open']);
});

/** The job that runs every minute. */
const watch = () => watchDeliverablesJob({}, { services: app.services, log: { info() {} } } as never, {} as never);

it('refunds of an earlier version end deliverables later, once, audited, and without mails about delays', async () => {
  const { id, paymentId, email, open, send, rowOf } = await paidOrder(1);
  await send(await open('3000'));
  const part = await paidOrder(0.4);
  await part.send(await part.open('1200'));
  // As an earlier version left them: the refunds are sent, but deliverables and payments were not updated.
  await app.sql(
    `update deliverables set state = 'open', withdrawn_at = null, withdrawn_cause = null, due_at = '2020-01-01'
     where submission_id = $1`,
    [id],
  );
  await app.sql(`update payments set ledger = ledger - 'sentBack' where id = any($1::uuid[])`, [
    [paymentId, part.paymentId],
  ]);
  await app.sql(`update payments set attention = '{partially_paid}' where id = $1`, [part.paymentId]);
  expect(await part.isWaiting('payment', part.paymentId)).toBe(true);
  const entries = async () =>
    app.sql<{ resource_id: string; after: unknown }>(
      `select resource_id, after from audit_events where action in ('deliverable.withdrawn', 'payment.changed')
       and resource_id = any($1) order by id`,
      [[id, part.paymentId]],
    );
  const before = (await entries()).length;
  await watch();
  expect(await deliverableStatesOf(id)).toEqual(['withdrawn refunded']);
  expect(await part.isWaiting('payment', part.paymentId)).toBe(false);
  const mails = (await app.deliverMails()).filter(({ to }) => to === email || to === part.email);
  expect(mails.filter(({ subject }) => /retraso|late/.test(subject))).toEqual([]);
  expect((await entries()).slice(before)).toEqual([
    { resource_id: id, after: expect.objectContaining({ cause: 'refunded' }) },
    { resource_id: part.paymentId, after: expect.objectContaining({ attention: [] }) },
  ]);
  await watch();
  expect((await entries()).length).toBe(before + 2);
  expect(await rowOf()).toMatchObject({ paymentStage: 'refunded' });
});

it('a refunded order from before deliverables existed gets none', async () => {
  const { id, open, send } = await paidOrder(1);
  await send(await open('3000'));
  await app.sql('delete from deliverables where submission_id = $1', [id]);
  await watch();
  expect(await deliverableStatesOf(id)).toEqual([]);
});

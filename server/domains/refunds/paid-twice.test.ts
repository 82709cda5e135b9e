// A request that was paid twice: after the team refunds one payment, the other one still pays for it.
import { expect, it } from 'vitest';
import { watchDeliverablesJob } from '#server/jobs/tokens/watch-deliverables.job.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, fake, order, callBack } = await paymentRig();
const back = app.as(await app.member({ role: 'admin' })).admin;
let serial = 0;

/** The team sends all money of a payment back. */
async function sendAllBack(
  { id, orderKey, api, email }: Awaited<ReturnType<typeof order>>,
  paymentId: string,
  amount: string,
) {
  const opened = await back.refunds.open({ paymentId, asset: 'usdttrc20', amount, reason: 'Pagado dos veces' });
  const who = { id, key: orderKey, refundId: opened.id };
  await api.refunds.setAddress({ ...who, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' });
  const mail = (await app.deliverMails()).findLast(({ to }) => to === email);
  await api.refunds.confirmAddress({ ...who, code: /\b(\d{8})\b/.exec(mail?.text ?? '')?.[1] ?? '' });
  const claimed = await back.refunds.claim({ id: opened.id, version: opened.version + 2 });
  const transaction = String(++serial).padStart(64, 'b');
  await back.refunds.send({ id: opened.id, version: claimed.version, transaction, byProvider: false });
}

/** A request with two payments in full, and how the team sends all of one of them back. */
async function paidTwice() {
  const first = await order('basic');
  const [{ version } = { version: 0 }] = await app.sql<{ version: number }>(
    'select version from token_creation_submissions where id = $1',
    [first.id],
  );
  const { id, secret } = first;
  // Another token needs another invoice; both are for the same deal, so both count.
  await first.api.tokenRequests.save({ id, secret, version, data: { ownerWalletAddress: `0x${'12'.repeat(20)}` } });
  app.pass(60_000);
  const { orderId } = await first.pay();
  await callBack(first.move('finished', 1, { payCurrency: 'usdttrc20' }));
  await callBack(
    fake.move(fake.invoiceOf(orderId), fake.newDepositId(), 'finished', {
      actuallyPaid: 3_000,
      payCurrency: 'usdttrc20',
    }),
  );
  await app.deliverMails();
  const [{ id: secondId } = { id: '' }] = await app.sql<{ id: string }>('select id from payments where order_id = $1', [
    orderId,
  ]);
  const sendBack = (paymentId: string) => sendAllBack(first, paymentId, '3000');
  const seen = async () => ({
    page: (await first.read()).stage,
    team: (await back.tokenRequests.list({ q: id })).rows[0]?.paymentStage,
    deliverables: await app.sql(
      `select distinct d.state, p.order_id = $2 as first from deliverables d join payments p on p.id = d.payment_id
       where d.submission_id = $1`,
      [id, first.payment.orderId],
    ),
    waits: (await back.inbox.list({ source: 'request' })).items.some((item) => item.id === id),
    notDeliverable: (await back.tokenRequests.read({ id })).notDeliverable,
  });
  const isWaiting = async (paymentId: string) =>
    (await back.inbox.list({ source: 'payment' })).items.some((item) => item.id === paymentId);
  return { id, firstId: first.paymentId, secondId, sendBack, seen, isWaiting };
}
const watch = () => watchDeliverablesJob({}, { services: app.services, log: { info() {} } } as never, {} as never);
const paid = { page: 'paid', team: 'paid', waits: true, notDeliverable: null };

it('after a refund of the first payment, the deliverables are owed for the second', async () => {
  const { firstId, sendBack, seen } = await paidTwice();
  expect(await seen()).toMatchObject({ ...paid, deliverables: [{ state: 'open', first: true }] });
  await sendBack(firstId);
  await watch();
  expect(await seen()).toMatchObject({ ...paid, deliverables: [{ state: 'open', first: false }] });
});

it('after a refund of the second payment, the first one still counts', async () => {
  const { secondId, sendBack, seen, isWaiting } = await paidTwice();
  expect(await isWaiting(secondId)).toBe(true);
  await sendBack(secondId);
  await watch();
  expect(await isWaiting(secondId)).toBe(false);
  expect(await seen()).toMatchObject({ ...paid, deliverables: [{ state: 'open', first: true }] });
});

it('after refunds of both payments, nothing is owed', async () => {
  const { firstId, secondId, sendBack, seen } = await paidTwice();
  await sendBack(secondId);
  await sendBack(firstId);
  await watch();
  expect(await seen()).toMatchObject({ page: 'refunded', team: 'refunded', waits: false, notDeliverable: 'unpaid' });
  expect((await seen()).deliverables).toMatchObject([{ state: 'withdrawn' }]);
});

/** A request whose payer changed the plan and paid both: the team accepted the first, whose deliverables began. */
async function twoPlans() {
  const first = await order('entry');
  app.pass(60_000);
  const { orderId } = await first.pay('basic');
  const payCurrency = 'usdttrc20';
  await callBack(first.move('finished', 1, { payCurrency }));
  await back.tokenRequests.acceptPayment({ paymentId: first.paymentId, reason: 'Vale' });
  await callBack(
    fake.move(fake.invoiceOf(orderId), fake.newDepositId(), 'finished', { actuallyPaid: 3_000, payCurrency }),
  );
  await app.deliverMails();
  const owed = () =>
    app.sql<{ item: string; state: string; evidence: string | null }>(
      `select d.item, d.state, d.evidence from deliverables d join payments p on p.id = d.payment_id
       where d.submission_id = $1 and p.order_id = $2 and d.item <> 'functionalToken' order by d.position`,
      [first.id, orderId],
    );
  return { first, owed, sendFirstBack: () => sendAllBack(first, first.paymentId, '100') };
}
const BASIC = ['uniqueToken', 'configurableSupply', 'spotlightWeek', 'socialIntegration', 'basicSupport', 'docs'];

it('after a refund of the first plan of a delivered token, the other items of the second plan are owed', async () => {
  const { first, owed, sendFirstBack } = await twoPlans();
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  await back.tokenRequests.close({ id: first.id, as: 'delivered', note: 'Hecho', address });
  await sendFirstBack();
  expect(await owed()).toEqual(
    BASIC.map((item) =>
      item === 'uniqueToken' || item === 'configurableSupply'
        ? { item, state: 'delivered', evidence: address }
        : { item, state: 'open', evidence: null },
    ),
  );
});

it('after a refund of the first plan of a cancelled request, the second plan is owed once it is reopened', async () => {
  const { first, owed, sendFirstBack } = await twoPlans();
  await back.tokenRequests.close({ id: first.id, as: 'cancelled', note: 'No', refund: 'none' });
  await sendFirstBack();
  expect((await owed()).filter(({ state }) => state === 'open')).toEqual([]);
  await back.tokenRequests.reopen({ id: first.id });
  await watch();
  expect(await owed()).toEqual(BASIC.map((item) => ({ item, state: 'open', evidence: null })));
});

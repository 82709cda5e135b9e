// A request that was paid twice, of which the team sends one payment back: the other one still pays for it.
import { expect, it } from 'vitest';
import { watchDeliverablesJob } from '#server/jobs/tokens/watch-deliverables.job.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, fake, order, callBack } = await paymentRig();
const back = app.as(await app.member({ role: 'admin' })).admin;
let serial = 0;

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
  const sendBack = async (paymentId: string) => {
    const opened = await back.refunds.open({
      paymentId,
      asset: 'usdttrc20',
      amount: '3000',
      reason: 'Pagado dos veces',
    });
    const who = { id, key: first.orderKey, refundId: opened.id };
    await first.api.refunds.setAddress({ ...who, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' });
    const mail = (await app.deliverMails()).findLast(({ to }) => to === first.email);
    await first.api.refunds.confirmAddress({ ...who, code: /\b(\d{8})\b/.exec(mail?.text ?? '')?.[1] ?? '' });
    const claimed = await back.refunds.claim({ id: opened.id, version: opened.version + 2 });
    const transaction = String(++serial).padStart(64, 'b');
    await back.refunds.send({ id: opened.id, version: claimed.version, transaction, byProvider: false });
  };
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
  return { id, firstId: first.paymentId, secondId, sendBack, seen };
}
const watch = () => watchDeliverablesJob({}, { services: app.services, log: { info() {} } } as never, {} as never);
const paid = { page: 'paid', team: 'paid', waits: true, notDeliverable: null };

it('the first: what was sold is owed for the second', async () => {
  const { firstId, sendBack, seen } = await paidTwice();
  expect(await seen()).toMatchObject({ ...paid, deliverables: [{ state: 'open', first: true }] });
  await sendBack(firstId);
  await watch();
  expect(await seen()).toMatchObject({ ...paid, deliverables: [{ state: 'open', first: false }] });
});

it('the second: the first is the one that counts', async () => {
  const { secondId, sendBack, seen } = await paidTwice();
  await sendBack(secondId);
  await watch();
  expect(await seen()).toMatchObject({ ...paid, deliverables: [{ state: 'open', first: true }] });
});

it('both: nothing is owed', async () => {
  const { firstId, secondId, sendBack, seen } = await paidTwice();
  await sendBack(secondId);
  await sendBack(firstId);
  await watch();
  expect(await seen()).toMatchObject({ page: 'refunded', team: 'refunded', waits: false, notDeliverable: 'unpaid' });
  expect((await seen()).deliverables).toMatchObject([{ state: 'withdrawn' }]);
});

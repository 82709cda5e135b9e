// Each step of an order, caused by its real action: the member who ordered while signed in gets one notification.
import { expect, it } from 'vitest';
import type { NotificationDetail } from '#contract/domains/notifications.ts';
import type { MailTemplate } from '#contract/mail-templates.ts';
import { watchDeliverables } from '#server/domains/deliverables/watch.service.ts';
import { notifyCreated } from '#server/domains/token-creation/notify.service.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { refundRig } from '#tests/support/payments/refund-rig.ts';

const rig = await paymentRig();
const { app } = rig;
const back = app.as(await app.member({ role: 'admin' })).admin;
const context = () => ({ db: app.services.db, jobs: app.services.jobs, secret: app.secret, now: app.now });

/** The mail that is sent along with each notification. */
const MAIL_OF = {
  paid: 'orderPaid',
  short: 'orderShort',
  review: 'orderReview',
  created: 'tokenCreated',
  proposal: 'tokenProposal',
  delivered: 'requestClosed',
  cancelled: 'requestClosed',
  item_done: 'deliverables',
  item_late: 'deliverables',
  item_interrupted: 'deliverables',
  item_withdrawn: 'deliverables',
  refund_opened: 'refund',
  refund_sent: 'refund',
  refund_withdrawn: 'refund',
  refund_returned: 'refund',
  returned: 'orderReturned',
} as const satisfies Record<NotificationDetail<'orders'>, MailTemplate>;

/** The mails about an order, without those that hold a code, in the order of their time. */
const mailsOf = async ({ payment }: { payment: { orderId: string } }) =>
  (
    await app.sql<{ template: string }>(
      `select template from mails where data ->> 'orderId' = $1 and template = any($2)
         and coalesce(data ->> 'news', '') <> 'confirm' order by created_at, id`,
      [payment.orderId, Object.values(MAIL_OF)],
    )
  ).map(({ template }) => template);

/** Gives an order to a member. @returns reads the details of their notifications, sorted, and checks that each was mailed once. */
async function ownerOf(request: { id: string; payment: { orderId: string } }) {
  const owner = await app.member({ verified: true });
  const before = await mailsOf(request);
  await app.sql('update token_creation_submissions set user_id = $2 where id = $1', [request.id, owner.id]);
  return async () => {
    const { items } = await app.as(owner).notifications.list({});
    for (const { kind, title, path } of items)
      expect([kind, title, path]).toEqual(['orders', request.payment.orderId, `/order/${request.id}`]);
    const mails = (await mailsOf(request)).slice(before.length);
    const expected = items.map(({ detail }) => MAIL_OF[detail as keyof typeof MAIL_OF]);
    expect(mails.toSorted()).toEqual(expected.toSorted());
    return items.map(({ detail }) => detail).toSorted();
  };
}
async function ordered() {
  const request = await rig.order('standard');
  return { ...request, news: await ownerOf(request) };
}
async function paid() {
  const request = await ordered();
  request.move('finished', 1);
  await request.check();
  const task = async (item: string) => {
    const { rows } = await back.deliverables.list({ request: request.id, state: 'all', size: 100 });
    const found = rows.find((row) => row.item === item);
    if (!found) throw new Error(`no task ${item}`);
    return found;
  };
  return { ...request, task };
}

it('a partial payment and its completion notify the member once each', async () => {
  const { move, check, news } = await ordered();
  move('partially_paid', 0.4);
  await check();
  expect(await news()).toEqual(['short']);
  move('finished', 1);
  await check();
  await check();
  expect(await news()).toEqual(['paid', 'short']);
});

it('a payment under review notifies the member', async () => {
  const { move, pay, news } = await ordered();
  await pay('basic');
  await rig.callBack(move('finished', 1));
  expect(await news()).toEqual(['review']);
});

it('the creation of the token notifies the member once', async () => {
  const { id, news } = await paid();
  await createdToken(app, id);
  await app.sql('update token_creations set told_at = null where submission_id = $1', [id]);
  await notifyCreated(context());
  await notifyCreated(context());
  expect(await news()).toEqual(['created', 'paid']);
});

it('a summary to be confirmed notifies the member', async () => {
  const { id, news } = await paid();
  await back.tokenRequests.proposeToken({
    requestId: id,
    tokenName: 'Ajolote',
    tokenSymbol: 'AJO',
    ownerWallet: COMPLETE.ownerWalletAddress ?? '',
    confirmation: 'AJO',
    network: 'ethereum',
    totalSupply: '1000000000',
    withoutPicture: true,
  });
  expect(await news()).toEqual(['paid', 'proposal']);
});

it('a manual delivery notifies the member', async () => {
  const { id, news } = await paid();
  await back.tokenRequests.close({ id, as: 'delivered', note: 'Hecho', address: COMPLETE.ownerWalletAddress });
  expect(await news()).toEqual(['delivered', 'paid']);
});

it('a cancellation and its refund notify the member', async () => {
  const { id, move, check, news } = await ordered();
  move('finished', 1, { payCurrency: 'usdttrc20' });
  await check();
  await back.tokenRequests.close({ id, as: 'cancelled', note: 'No se puede' });
  expect(await news()).toEqual(['cancelled', 'paid', 'refund_opened']);
});

it('late, delivered and withdrawn items notify the member once each', async () => {
  const { id, task, news } = await paid();
  app.pass(61_000);
  await app.sql("update deliverables set due_at = $2 where submission_id = $1 and item in ('marketAnalysis', 'docs')", [
    id,
    new Date(app.now.getTime() - 1),
  ]);
  await watchDeliverables(context());
  await watchDeliverables(context());
  expect(await news()).toEqual(['item_late', 'paid']);
  const docs = await task('docs');
  const evidence = { kind: 'url' as const, evidence: `https://docs.example.org/${id}`, note: '' };
  await back.deliverables.deliver({ id: docs.id, version: docs.version, ...evidence });
  const analysis = await task('marketAnalysis');
  const reason = { reason: 'No se puede', refund: 'no' as const };
  await back.deliverables.withdraw({ id: analysis.id, version: analysis.version, ...reason });
  expect(await news()).toEqual(['item_done', 'item_late', 'item_withdrawn', 'paid']);
});

it('a refund notifies the member when it is opened, sent, withdrawn or returned by the provider', async () => {
  const refunded = refundRig(rig, back);
  const sent = await refunded();
  const news = await ownerOf(sent);
  await sent.send(await sent.confirm(await sent.open('1000')));
  expect(await news()).toEqual(['refund_opened', 'refund_sent']);
  const { id, version } = await sent.open('5');
  await back.refunds.withdraw({ id, version, reason: 'Por error' });
  expect(await news()).toEqual(['refund_opened', 'refund_opened', 'refund_sent', 'refund_withdrawn']);

  const returned = await refunded();
  const other = await ownerOf(returned);
  await returned.open('3000');
  await returned.giveBack();
  expect(await other()).toEqual(['refund_opened', 'refund_returned']);
});

it('money returned by the provider without an open refund notifies the member', async () => {
  const refunded = refundRig(rig, back);
  const returned = await refunded(2);
  const news = await ownerOf(returned);
  await returned.giveBack(0);
  await returned.check();
  expect(await news()).toEqual(['returned']);
  await returned.giveBack(1);
  expect(await news()).toEqual(['returned', 'returned']);
  const texts = (await returned.mails()).map(({ text }) => /todo el dinero|una parte del dinero/.exec(text ?? '')?.[0]);
  expect(texts.filter(Boolean).toSorted()).toEqual(['todo el dinero', 'una parte del dinero']);
});

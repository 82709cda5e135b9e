import { expect, it } from 'vitest';
import { DELIVERABLES, type DeliverableItem } from '#contract/domains/deliverables.ts';
import { PLANS } from '#contract/limits.ts';
import { PLAN_ITEM_NAMES } from '#contract/text/plan-items.ts';
import { watchDeliverables } from '#server/domains/deliverables/watch.service.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, fake, order } = await paymentRig();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
const api = back.tokenRequests;

const DAY = 86_400_000;
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

it('a paid request that is cancelled leaves the inbox, and its payer reads the reason [AMB-216]', async () => {
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

it('a request closed as delivered needs a valid address, which its payer sees as the team’s statement', async () => {
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

it('a closing can be reverted; closing or reopening twice is refused', async () => {
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

it('an unpaid request cannot be closed, nor one whose creation has begun', async () => {
  const { id } = await order('basic');
  await expect(api.close({ id, as: 'cancelled', note: NOTE })).rejects.toMatchObject({ data: { why: 'unpaid' } });
  expect((await api.read({ id })).closable).toBe(false);

  const begun = await paid();
  await createdToken(app, begun.id, { network: 'ethereum', queued: true });
  await expect(api.close({ id: begun.id, as: 'cancelled', note: NOTE })).rejects.toMatchObject({
    data: { why: 'creating' },
  });
});

it('a closed request asks its member for no rest of a partial payment', async () => {
  const request = await order('basic');
  const ana = await app.member();
  await app.sql('update token_creation_submissions set user_id = $2 where id = $1', [request.id, ana.id]);
  request.move('partially_paid', 0.4);
  await request.check();
  const mine = async () => (await app.as(ana).tokenRequests.mine())[0];
  expect(await mine()).toMatchObject({ stage: 'partially_paid', partPayment: { missingUsd: 900 } });
  await api.close({ id: request.id, as: 'cancelled', note: NOTE });
  expect(await mine()).toMatchObject({ stage: 'closed', partPayment: null });
});

it('a closed request returns to the inbox when money arrives', async () => {
  const request = await order('basic');
  request.move('partially_paid', 0.4);
  await request.check();
  await api.close({ id: request.id, as: 'cancelled', note: NOTE });
  expect(await waiting(request.id)).toBe(false);
  request.move('finished', 1);
  await request.check();
  expect(await waiting(request.id)).toBe(true);
});

/** A request with 40 % of its price that the team closes, and whose rest arrives a day later. */
async function paidAfterClosing(how: { as: 'cancelled' } | { as: 'delivered'; address: string }) {
  const request = await order('basic');
  request.move('partially_paid', 0.4);
  await request.check();
  await api.close({ ...how, id: request.id, note: NOTE });
  const closedAt = app.now;
  app.pass(DAY);
  request.move('finished', 1);
  await request.check();
  return { ...request, closedAt, paidAt: app.now };
}
const watch = () =>
  watchDeliverables({ db: app.services.db, jobs: app.services.jobs, secret: app.secret, now: app.now });
const itemsOf = (id: string) =>
  app.sql<{ item: DeliverableItem; state: string; done_at: Date | null; evidence: string | null; due_at: Date | null }>(
    'select item, state, done_at, evidence, due_at from deliverables where submission_id = $1 order by position',
    [id],
  );
const lateMailsTo = async (email: string) =>
  (await app.deliverMails()).filter(({ to, subject }) => to === email && subject.startsWith('Vamos con retraso'));

it('a cancelled request gets no deliverables when money arrives, until it is reopened', async () => {
  const { id, email } = await paidAfterClosing({ as: 'cancelled' });
  expect(await itemsOf(id)).toEqual([]);
  app.pass(400 * DAY);
  await watch();
  expect(await itemsOf(id)).toEqual([]);
  expect(await lateMailsTo(email)).toEqual([]);

  await api.reopen({ id });
  await watch();
  expect((await itemsOf(id)).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => 'open'));
});

it('a cancelled request gets no deliverables when its partial payment is accepted', async () => {
  const request = await order('basic');
  request.move('partially_paid', 0.4);
  await request.check();
  await api.close({ id: request.id, as: 'cancelled', note: NOTE });
  await api.acceptPayment({ paymentId: request.paymentId, reason: 'Suficiente' });
  expect(await itemsOf(request.id)).toEqual([]);
});

it('a reopened request gets its deliverables back if it was refunded and paid again before', async () => {
  const request = await paid();
  request.move('refunded', 1);
  await request.check();
  expect(new Set((await itemsOf(request.id)).map(({ state }) => state))).toEqual(new Set(['withdrawn']));
  await app.sql(
    'update token_creation_submissions set closed_at = $2, closed_as = $3, closed_note = $4 where id = $1',
    [request.id, app.now, 'cancelled', NOTE],
  );
  request.move('finished', 1, { paymentId: `${Number(request.depositId) + 700_000}` });
  await request.check();
  expect(new Set((await itemsOf(request.id)).map(({ state }) => state))).toEqual(new Set(['withdrawn']));
  await api.reopen({ id: request.id });
  await watch();
  expect(new Set((await itemsOf(request.id)).map(({ state }) => state))).toEqual(new Set(['open']));
});

it('a token delivered by hand counts as delivered, and never as late, when the rest is paid later', async () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const { id, email, closedAt, paidAt } = await paidAfterClosing({ as: 'delivered', address });
  const items = await itemsOf(id);
  expect(items).toHaveLength(6);
  const handed = items.filter(({ item }) => DELIVERABLES[item].kind === 'token');
  expect(handed.length).toBeGreaterThan(0);
  for (const one of handed) expect(one).toMatchObject({ state: 'delivered', done_at: closedAt, evidence: address });
  const owed = items.filter((one) => !handed.includes(one));
  // Nothing else is due before it was paid.
  for (const { state, due_at } of owed) {
    expect(state).toBe('open');
    expect(due_at?.getTime()).toBeGreaterThan(paidAt.getTime());
  }
  app.pass(400 * DAY);
  await watch();
  const [mail, ...others] = await lateMailsTo(email);
  expect(others).toEqual([]);
  for (const { item } of owed) expect(mail?.text).toContain(PLAN_ITEM_NAMES.es[item]);
  for (const { item } of handed) expect(mail?.text).not.toContain(PLAN_ITEM_NAMES.es[item]);
});

it('a cancelled request causes no mails about delays', async () => {
  const { id, email } = await paid();
  await api.close({ id, as: 'cancelled', note: NOTE, refund: 'none' });
  // As left by an earlier version, which began items after the closing.
  await app.sql(
    `update deliverables set state = 'open', withdrawn_at = null, withdrawn_by = null, withdrawn_cause = null,
       withdrawn_reason = null, due_at = $2 where submission_id = $1`,
    [id, app.now],
  );
  app.pass(DAY);
  await watch();
  expect(await lateMailsTo(email)).toEqual([]);
});

it('a reopened request has no due dates that depend on the token until a token is created', async () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const { id, email } = await paid();
  await api.close({ id, as: 'delivered', note: 'Hecho', address });
  const fromToken = async () => (await itemsOf(id)).filter(({ item }) => DELIVERABLES[item].dueFrom === 'token');
  expect((await fromToken()).every(({ due_at }) => due_at !== null)).toBe(true);
  await api.reopen({ id });
  expect((await fromToken()).map(({ due_at }) => due_at)).toEqual([null, null, null]);
  app.pass(100 * DAY);
  await watch();
  const [mail, ...others] = await lateMailsTo(email);
  expect(others).toEqual([]);
  for (const { item } of await fromToken()) expect(mail?.text).not.toContain(PLAN_ITEM_NAMES.es[item]);
  await createdToken(app, id);
  await watch();
  for (const { item, due_at } of await fromToken())
    expect(due_at).toEqual(new Date(Date.parse('2026-03-01T00:00:00Z') + DELIVERABLES[item].dueDays * DAY));
});

it('a reopened request that was refunded has no open deliverables until it is paid again', async () => {
  const request = await paid();
  const { id } = request;
  const states = async () => new Set((await itemsOf(id)).map(({ state }) => state));
  await api.close({ id, as: 'cancelled', note: NOTE });
  request.move('refunded', 1);
  await request.check();
  await api.reopen({ id });
  expect(await states()).toEqual(new Set(['withdrawn']));
  app.pass(60_000);
  const { orderId } = await request.pay('standard');
  fake.move(fake.invoiceOf(orderId), fake.newDepositId(), 'finished', { actuallyPaid: 6_000 });
  await request.check();
  expect(await itemsOf(id)).toHaveLength(11);
  expect(await states()).toEqual(new Set(['open']));
});

it.each([
  ['refused', true],
  ['mismatch', false],
])('a request can be closed unless its token may exist on the chain: %s', async (problem, isClosable) => {
  const { id } = await paid();
  await createdToken(app, id, { network: 'ethereum', queued: true });
  await app.sql(
    `insert into creation_attempts (creation_id, number, chain_id, signer, transaction, signed, signed_at, outcome)
     select id, 1, '31337', 'deployer', 'tx ' || id, '\\x01', now(), 'refused' from token_creations where submission_id = $1`,
    [id],
  );
  await app.sql("update token_creations set state = 'failed', problem = $2 where submission_id = $1", [id, problem]);
  const closed = api.close({ id, as: 'cancelled', note: NOTE });
  if (isClosable) await closed;
  else await expect(closed).rejects.toMatchObject({ code: 'NOT_CLOSABLE', data: { why: 'creating' } });
  expect((await api.read({ id })).closure === null).toBe(!isClosable);
  if (isClosable)
    await expect(api.retryCreation({ requestId: id })).rejects.toMatchObject({
      code: 'NOT_DELIVERABLE',
      data: { why: 'closed' },
    });
});

it('closing a request takes its stopped creation out of the inbox, and reopening puts it back', async () => {
  const { id } = await paid();
  await createdToken(app, id, { network: 'ethereum', queued: true });
  await app.sql("update token_creations set state = 'held', problem = 'stuck' where submission_id = $1", [id]);
  const isThere = async () => (await back.inbox.list({ source: 'creation' })).items.some((item) => item.id === id);
  expect(await isThere()).toBe(true);
  await api.close({ id, as: 'cancelled', note: NOTE });
  expect(await isThere()).toBe(false);
  await api.reopen({ id });
  expect(await isThere()).toBe(true);
});

it('a stopped creation without signatures is not in the inbox once its money is returned', async () => {
  const request = await paid();
  const { id } = request;
  await createdToken(app, id, { network: 'ethereum', queued: true });
  await app.sql("update token_creations set state = 'held', problem = 'unpaid' where submission_id = $1", [id]);
  request.move('refunded', 1);
  await request.check();
  const { items } = await back.inbox.list({});
  // The payment is in the inbox until the refund is noted.
  expect(items.filter((item) => item.id === id || item.id === request.paymentId).map(({ source }) => source)).toEqual([
    'payment',
  ]);
});

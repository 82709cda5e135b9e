// An admin claims a refund before paying it: one admin at a time sees its address, and a return by the provider halts it.
import { describe, expect, it } from 'vitest';
import { setPaused } from '#server/db/installation.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { REFUND_ADDRESS, refundRig, SHORT_ADDRESS } from '#tests/support/payments/refund-rig.ts';

const { app, fake, order, rowOf, callBack } = await paymentRig();
const ana = await app.member({ role: 'admin' });
const back = app.as(ana).admin;
const bea = await app.member({ role: 'admin' });
const theirs = app.as(bea).admin;
const paid = refundRig({ app, fake, order, callBack }, back);
const MINUTE = 60_000;

/** A refund of 3000 whose address is confirmed. */
async function ready(deposits = 1, amount = '3000') {
  const request = await paid(deposits);
  const refund = await request.confirm(await request.open(amount));
  const now = (admin = back) => request.current(refund.number, admin);
  return { ...request, refund, now };
}

const lastMail = async (to: string) => (await app.deliverMails()).filter((mail) => mail.to === to).at(-1);
const inboxOf = async (number: string) =>
  (await back.inbox.list({ source: 'refund' })).items.find(({ title }) => title === number)?.details[0];

describe('the address of a refund', () => {
  it('is shown in full only to the admin who claimed it, until the refund is sent', async () => {
    const { now, claim, note, read, refund } = await ready();
    expect(await now()).toMatchObject({ address: SHORT_ADDRESS, addressShown: false, claim: null });
    const claimed = await claim(await now());
    expect(claimed).toMatchObject({ address: REFUND_ADDRESS, addressShown: true, claim: { mine: true, over: false } });
    expect(await now()).toMatchObject({ address: REFUND_ADDRESS });
    expect(await now(theirs)).toMatchObject({ address: SHORT_ADDRESS, addressShown: false, claim: { mine: false } });
    // Admins can open the payer's page too.
    expect((await read()).refunds).toMatchObject([{ address: SHORT_ADDRESS, paying: true }]);
    const file = await app.http(`/api/admin/refunds.csv?q=${refund.number}`, { headers: { cookie: bea.cookie } });
    expect(await file.text()).toMatch(new RegExp(`${refund.number}.*${SHORT_ADDRESS}`));
    const before = await app.sql(
      "select after from audit_events where resource_id = $1 and action <> 'refund.claimed'",
      [refund.id],
    );
    expect(JSON.stringify(before)).not.toContain(REFUND_ADDRESS);
    expect(JSON.stringify(before)).toContain(SHORT_ADDRESS);
    await note(claimed);
    expect(await now(theirs)).toMatchObject({ address: REFUND_ADDRESS, addressShown: true, claim: null });
    expect((await read()).refunds).toMatchObject([{ address: REFUND_ADDRESS, paying: false }]);
  });

  it('is hidden again when the claim expires, and shown after a new claim', async () => {
    const { now, claim } = await ready();
    await claim(await now());
    app.pass(30 * MINUTE);
    expect(await now()).toMatchObject({ address: SHORT_ADDRESS, claim: { mine: true, over: true } });
    expect(await claim(await now())).toMatchObject({ address: REFUND_ADDRESS, claim: { over: false } });
  });

  it('is hidden in a withdrawn refund while the rest goes to the same address', async () => {
    const { now, giveBack, read } = await ready(2, '6000');
    await giveBack(1);
    expect(await now()).toMatchObject({ state: 'withdrawn', address: SHORT_ADDRESS });
    expect((await read()).refunds.map(({ address }) => address)).toEqual([SHORT_ADDRESS, SHORT_ADDRESS]);
  });

  it('cannot be changed while the refund is claimed', async () => {
    const { now, claim, release, api, id, orderKey, refund } = await ready();
    const set = () =>
      api.refunds.setAddress({ id, key: orderKey, refundId: refund.id, address: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj' });
    const claimed = await claim(await now());
    await expect(set()).rejects.toMatchObject({ code: 'REFUND_CLOSED', data: { state: 'claimed' } });
    await expect(app.sql("update refund_cases set address = 'x' where id = $1", [refund.id])).rejects.toThrow(/stays/);
    await release(claimed);
    expect(await set()).toMatchObject({ state: 'address_unconfirmed' });
  });
});

describe('a claim', () => {
  it('is required to record a refund as sent, also by the database', async () => {
    const { now, note, refund } = await ready();
    await expect(note(await now())).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'unclaimed' } });
    await expect(
      app.sql("update refund_cases set state = 'sent', transaction = 'a', sent_at = now() where id = $1", [refund.id]),
    ).rejects.toThrow(/claimed before/);
  });

  it('belongs to one admin: another can neither claim, send nor withdraw, and release it once expired', async () => {
    const { now, claim, note, release, id } = await ready();
    await claim(await now());
    const { version, ...seen } = await now(theirs);
    const refused = { code: 'REFUND_CLAIMED', data: { mine: false, by: expect.any(String) } };
    const row = { id: seen.id, version };
    await expect(claim(row, theirs)).rejects.toMatchObject(refused);
    await expect(note(row, theirs)).rejects.toMatchObject(refused);
    await expect(release(row, theirs)).rejects.toMatchObject(refused);
    await expect(theirs.refunds.withdraw({ ...row, reason: 'x' })).rejects.toMatchObject(refused);
    await expect(back.refunds.withdraw({ ...row, reason: 'x' })).rejects.toMatchObject({ data: { mine: true } });
    await expect(theirs.refunds.send({ ...row, transaction: '', byProvider: true })).rejects.toMatchObject(refused);
    await back.tokenRequests.close({ id, as: 'cancelled', note: 'x', refund: 'none' });
    app.pass(30 * MINUTE);
    await expect(claim(row, theirs)).rejects.toMatchObject(refused);
    expect(await release(row, theirs)).toMatchObject({ claim: null, state: 'ready' });
    const taken = await claim(await now(theirs), theirs);
    await expect(note(taken)).rejects.toMatchObject({ code: 'REFUND_CLAIMED' });
    expect(await note(taken, theirs)).toMatchObject({ state: 'sent' });
  });

  it('succeeds once when two admins claim concurrently', async () => {
    const { now, claim } = await ready();
    const seen = await now();
    const done = await Promise.allSettled([claim(seen), claim(seen, theirs), claim(seen), claim(seen, theirs)]);
    const shown = done.filter((one) => one.status === 'fulfilled').map(({ value }) => value.claim?.by);
    expect(shown).toHaveLength(1);
    const rows = await Promise.all([now(), now(theirs)]);
    expect(rows.filter(({ address }) => address === REFUND_ADDRESS)).toHaveLength(1);
  });

  it('lets its admin record the refund as sent after it expired', async () => {
    const { now, claim, note, refund } = await ready();
    await claim(await now());
    app.pass(31 * MINUTE);
    await app.sql("update refund_cases set claim_until = now() - interval '1 minute' where id = $1", [refund.id]);
    expect(await inboxOf(refund.number)).toBe('unresolved');
    expect(await note(await now())).toMatchObject({ state: 'sent' });
    expect(await inboxOf(refund.number)).toBeUndefined();
  });

  it('polls the provider, also just after another poll, and is refused if the money was returned', async () => {
    const { now, claim, giveBackSilently, paymentId } = await ready();
    await back.tokenRequests.checkPayment({ paymentId });
    giveBackSilently();
    await expect(claim(await now())).rejects.toMatchObject({ code: 'REFUND_CLOSED', data: { state: 'withdrawn' } });
    expect(await now()).toMatchObject({ withdrawnCause: 'returned', address: SHORT_ADDRESS });
  });

  it('is refused while the provider does not answer, unless the admin overrides it', async () => {
    const { now, claim, refund } = await ready();
    fake.box.trouble = () => 'unknown';
    app.pass(1_000);
    await expect(claim(await now())).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'unanswered' } });
    expect(await now()).toMatchObject({ claim: null });
    expect(await claim(await now(), back, true)).toMatchObject({ address: REFUND_ADDRESS });
    const [entry] = await app.sql(
      "select after from audit_events where resource_id = $1 and action = 'refund.claimed'",
      [refund.id],
    );
    expect(entry).toMatchObject({ after: { answer: 'unknown', address: REFUND_ADDRESS } });
  });

  it('is refused in a paused installation, which does not poll, although the provider answered before', async () => {
    const { now, claim, giveBackSilently, paymentId } = await ready();
    await back.tokenRequests.checkPayment({ paymentId });
    giveBackSilently();
    await setPaused(app.services.pool, true, app.now);
    await expect(claim(await now())).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'unanswered' } });
    await setPaused(app.services.pool, false, app.now);
    await expect(claim(await now())).rejects.toMatchObject({ code: 'REFUND_CLOSED', data: { state: 'withdrawn' } });
  });

  it('is refused if it needs money that is still on its way, which the provider may fail', async () => {
    const { open, confirm, claim, send, current, move, check } = await paid();
    const later = { payCurrency: 'usdttrc20', paymentId: fake.newDepositId() };
    move('confirming', 1, later);
    await check();
    const [first, second] = [await open('3000'), await open('3000')];
    await send(await confirm(first));
    const rest = await confirm(second);
    await expect(claim(rest)).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'under_way' } });
    move('finished', 1, later);
    expect(await claim(await current(second.number))).toMatchObject({ claim: { mine: true } });
  });

  it('prevents reopening a closed request, which would withdraw the refund', async () => {
    const { id, confirm, claim, read } = await paid();
    await back.tokenRequests.close({ id, as: 'cancelled', note: 'No podremos.' });
    await app.deliverMails();
    const [refund] = (await read()).refunds;
    if (!refund) throw new Error('no refund');
    await claim(await confirm(refund));
    await expect(theirs.tokenRequests.reopen({ id })).rejects.toMatchObject({ code: 'REFUND_CLAIMED' });
  });
});

describe('a return while a refund is claimed', () => {
  it('halts it with warnings in inbox and mail, and withdraws it once the claim is released', async () => {
    const { now, claim, release, giveBack, read, refund, paymentId, email } = await ready();
    await claim(await now());
    await app.deliverMails();
    await giveBack();
    const halted = await now();
    expect(halted).toMatchObject({ state: 'ready', halted: true, address: SHORT_ADDRESS, claim: { mine: true } });
    expect(await inboxOf(refund.number)).toBe('halted');
    const mail = await lastMail(ana.email);
    expect(mail?.subject).toContain(`No envíes la devolución ${refund.number}`);
    expect((await lastMail(email))?.subject).not.toContain('ya devolvió');
    await expect(claim(halted)).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'halted' } });
    await expect(
      back.refunds.send({ id: halted.id, version: halted.version, transaction: '', byProvider: true }),
    ).rejects.toMatchObject({ data: { why: 'halted' } });
    await release(halted);
    expect((await read()).refunds).toMatchObject([{ state: 'withdrawn', withdrawnCause: 'returned' }]);
    expect(await lastMail(email)).toMatchObject({ subject: expect.stringContaining('ya devolvió dinero') });
    expect(await rowOf(paymentId)).toMatchObject({ attention: ['refunded'] });
  });

  it('still requires a review of the payment after the halted refund is recorded as sent', async () => {
    const { now, claim, note, giveBack, states, paymentId } = await ready();
    await claim(await now());
    await giveBack();
    await note(await now());
    expect(await states()).toEqual(['3000 sent']);
    expect(await rowOf(paymentId)).toMatchObject({ attention: ['refunded'] });
  });

  it('of a part leaves a refund of the rest, also after several returns', async () => {
    const { now, claim, release, giveBack, states } = await ready(3, '9000');
    await claim(await now());
    await giveBack(0);
    await giveBack(1);
    await release(await now());
    expect((await states()).toSorted()).toEqual(['3000 ready', '9000 withdrawn']);
  });

  it('of other money does not halt it', async () => {
    const { now, claim, giveBack, open, states } = await ready(2);
    app.pass(1_000);
    const other = await open('3000');
    await claim(await now());
    await giveBack(1);
    expect(await now()).toMatchObject({ halted: false, address: REFUND_ADDRESS });
    expect(other.state).toBe('address_needed');
    expect((await states()).toSorted()).toEqual(['3000 ready', '3000 withdrawn']);
  });

  it('lets another admin release the claim once it expired', async () => {
    const { now, claim, release, giveBack } = await ready();
    await claim(await now());
    await giveBack();
    await expect(release(await now(theirs), theirs)).rejects.toMatchObject({ code: 'REFUND_CLAIMED' });
    app.pass(31 * MINUTE);
    await release(await now(theirs), theirs);
    expect(await now()).toMatchObject({ state: 'withdrawn', withdrawnCause: 'returned' });
  });

  it.each([0, 1, 2, 3, 4, 5])('concurrent with the claim withdraws or halts the refund (%i)', async (round) => {
    const { now, claim, giveBack, paymentId } = await ready();
    const seen = await now();
    const both = round % 2 ? [() => claim(seen), () => giveBack()] : [() => giveBack(), () => claim(seen)];
    await Promise.allSettled(both.map((act) => act()));
    const after = await now();
    // Withdrawn before the address was shown, or halted after.
    expect(after.state === 'withdrawn' ? after.claim === null : after.halted).toBe(true);
    expect(after).toMatchObject({ address: SHORT_ADDRESS, addressShown: false });
    expect(await rowOf(paymentId)).toMatchObject({ attention: ['refunded'] });
  });

  it.each([0, 1, 2, 3])('concurrent with recording it as sent loses neither (%i)', async (round) => {
    const { now, claim, note, giveBack, states, paymentId } = await ready();
    const claimed = await claim(await now());
    const both = round % 2 ? [() => note(claimed), () => giveBack()] : [() => giveBack(), () => note(claimed)];
    const [first, second] = await Promise.allSettled(both.map((act) => act()));
    if ([first, second].some((one) => one?.status === 'rejected')) await note(await now());
    expect(await states()).toEqual(['3000 sent']);
    expect(await rowOf(paymentId)).toMatchObject({ attention: ['refunded'] });
  });
});

// Whoever pays a refund claims it first: one person at a time sees its address, and a return of the provider halts it.
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
  it('is shown to who claimed it, and to nobody else until it was sent', async () => {
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

  it('is hidden again when the time of the claim is over, and shown once it was claimed anew', async () => {
    const { now, claim } = await ready();
    await claim(await now());
    app.pass(30 * MINUTE);
    expect(await now()).toMatchObject({ address: SHORT_ADDRESS, claim: { mine: true, over: true } });
    expect(await claim(await now())).toMatchObject({ address: REFUND_ADDRESS, claim: { over: false } });
  });

  it('is hidden where the rest of a refund goes to the same one', async () => {
    const { now, giveBack, read } = await ready(2, '6000');
    await giveBack(1);
    expect(await now()).toMatchObject({ state: 'withdrawn', address: SHORT_ADDRESS });
    expect((await read()).refunds.map(({ address }) => address)).toEqual([SHORT_ADDRESS, SHORT_ADDRESS]);
  });

  it('stays while somebody pays to it', async () => {
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
  it('is needed to record that a refund was sent, also in the database', async () => {
    const { now, note, refund } = await ready();
    await expect(note(await now())).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'unclaimed' } });
    await expect(
      app.sql("update refund_cases set state = 'sent', transaction = 'a', sent_at = now() where id = $1", [refund.id]),
    ).rejects.toThrow(/claimed before/);
  });

  it('is of one person: the other can neither claim, send, withdraw nor release it before its time is over', async () => {
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

  it('of two at once is of one', async () => {
    const { now, claim } = await ready();
    const seen = await now();
    const done = await Promise.allSettled([claim(seen), claim(seen, theirs), claim(seen), claim(seen, theirs)]);
    const shown = done.filter((one) => one.status === 'fulfilled').map(({ value }) => value.claim?.by);
    expect(shown).toHaveLength(1);
    const rows = await Promise.all([now(), now(theirs)]);
    expect(rows.filter(({ address }) => address === REFUND_ADDRESS)).toHaveLength(1);
  });

  it('can still be recorded as sent after its time, by the same person', async () => {
    const { now, claim, note, refund } = await ready();
    await claim(await now());
    app.pass(31 * MINUTE);
    await app.sql("update refund_cases set claim_until = now() - interval '1 minute' where id = $1", [refund.id]);
    expect(await inboxOf(refund.number)).toBe('unresolved');
    expect(await note(await now())).toMatchObject({ state: 'sent' });
    expect(await inboxOf(refund.number)).toBeUndefined();
  });

  it('asks the provider, also when it was asked a moment ago: what went back meanwhile is not claimed', async () => {
    const { now, claim, giveBackSilently, paymentId } = await ready();
    await back.tokenRequests.checkPayment({ paymentId });
    giveBackSilently();
    await expect(claim(await now())).rejects.toMatchObject({ code: 'REFUND_CLOSED', data: { state: 'withdrawn' } });
    expect(await now()).toMatchObject({ withdrawnCause: 'returned', address: SHORT_ADDRESS });
  });

  it('is refused while the provider does not answer, unless a person decides it', async () => {
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

  it('is refused in a paused copy, which asks nobody, although the provider had answered before', async () => {
    const { now, claim, giveBackSilently, paymentId } = await ready();
    await back.tokenRequests.checkPayment({ paymentId });
    giveBackSilently();
    await setPaused(app.services.pool, true, app.now);
    await expect(claim(await now())).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'unanswered' } });
    await setPaused(app.services.pool, false, app.now);
    await expect(claim(await now())).rejects.toMatchObject({ code: 'REFUND_CLOSED', data: { state: 'withdrawn' } });
  });

  it('is refused while some of the money is on its way, which the provider may still fail', async () => {
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

  it('keeps a closed request from being opened again, which would withdraw the refund', async () => {
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
  it('halts it: address away, alarm in the inbox and by mail; not paid, it is withdrawn', async () => {
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

  it('is recorded as sent where it was paid before: the payment still calls a person', async () => {
    const { now, claim, note, giveBack, states, paymentId } = await ready();
    await claim(await now());
    await giveBack();
    await note(await now());
    expect(await states()).toEqual(['3000 sent']);
    expect(await rowOf(paymentId)).toMatchObject({ attention: ['refunded'] });
  });

  it('of a part leaves the rest, by one return after another', async () => {
    const { now, claim, release, giveBack, states } = await ready(3, '9000');
    await claim(await now());
    await giveBack(0);
    await giveBack(1);
    await release(await now());
    expect((await states()).toSorted()).toEqual(['3000 ready', '9000 withdrawn']);
  });

  it('of other money leaves it', async () => {
    const { now, claim, giveBack, open, states } = await ready(2);
    app.pass(1_000);
    const other = await open('3000');
    await claim(await now());
    await giveBack(1);
    expect(await now()).toMatchObject({ halted: false, address: REFUND_ADDRESS });
    expect(other.state).toBe('address_needed');
    expect((await states()).toSorted()).toEqual(['3000 ready', '3000 withdrawn']);
  });

  it('can be released by a colleague once the claim is over', async () => {
    const { now, claim, release, giveBack } = await ready();
    await claim(await now());
    await giveBack();
    await expect(release(await now(theirs), theirs)).rejects.toMatchObject({ code: 'REFUND_CLAIMED' });
    app.pass(31 * MINUTE);
    await release(await now(theirs), theirs);
    expect(await now()).toMatchObject({ state: 'withdrawn', withdrawnCause: 'returned' });
  });

  it.each([0, 1, 2, 3, 4, 5])('at the moment of the claim is either first (%i)', async (round) => {
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

  it.each([0, 1, 2, 3])('at the moment at which it is recorded as sent loses neither (%i)', async (round) => {
    const { now, claim, note, giveBack, states, paymentId } = await ready();
    const claimed = await claim(await now());
    const both = round % 2 ? [() => note(claimed), () => giveBack()] : [() => giveBack(), () => note(claimed)];
    const [first, second] = await Promise.allSettled(both.map((act) => act()));
    if ([first, second].some((one) => one?.status === 'rejected')) await note(await now());
    expect(await states()).toEqual(['3000 sent']);
    expect(await rowOf(paymentId)).toMatchObject({ attention: ['refunded'] });
  });
});

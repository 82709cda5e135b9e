// A full refund that an admin claims while the token is ordered: either the token is created or the money is sent.
import { expect, it } from 'vitest';
import { admin, api, app, auditActions, creatorOf, insertRefund, ordered, run } from '#tests/fixtures/token-creator.ts';
import { fakeChain } from '#tests/support/chains/fake-chain.ts';
import { CREATOR_TIMING } from './step.policy.ts';

const back = app.as(admin).admin.refunds;
/** A refund of this share of a request's received money, with a confirmed address, and the team's actions on it. */
async function ready(requestId: string, share = 1) {
  const number = await insertRefund(requestId, share, 'ready');
  const row = async () => {
    const found = (await back.list({ request: requestId, sort: 'createdAt' })).rows.find(
      (one) => one.number === number,
    );
    if (!found) throw new Error('no refund');
    return { id: found.id, version: found.version };
  };
  return {
    claim: async () => back.claim({ ...(await row()), unanswered: true }),
    release: async () => back.release({ ...(await row()), reason: 'Not paid' }),
  };
}

it('a claimed full refund stops a creation without signatures, and prevents a retry until its release', async () => {
  const fair = fakeChain('nonces');
  fair.world.enoughFor = 0;
  const one = await ordered();
  await run(creatorOf(fair), fair, 5);
  expect(await one.creation()).toMatchObject({ state: 'working', problem: 'low_balance' });
  const refund = await ready(one.id);
  await refund.claim();
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'refund_claimed', stage: 'stopped' });
  expect(await auditActions(one.id)).toEqual(['token.ordered', 'token.held']);

  fair.world.enoughFor = 1;
  await run(creatorOf(fair), fair);
  expect(fair.world.signed).toEqual([]);
  const refused = { code: 'NOT_DELIVERABLE', data: { why: 'refund_claimed' } };
  await expect(api.retryCreation({ requestId: one.id })).rejects.toMatchObject(refused);
  await expect(api.createToken(one.input)).rejects.toMatchObject(refused);
  expect((await api.read({ id: one.id })).notDeliverable).toBe('refund_claimed');

  await refund.release();
  expect((await api.read({ id: one.id })).notDeliverable).toBe(null);
  await api.retryCreation({ requestId: one.id });
  await run(creatorOf(fair), fair);
  expect((await one.creation()).state).toBe('completed');
});

it('a full refund claimed while the signer signs stops the creation, and the signature is not stored', async () => {
  const fair = fakeChain('nonces');
  const one = await ordered();
  const refund = await ready(one.id);
  const { sign } = fair.chain;
  fair.chain.sign = async (...args) => {
    const signed = await sign(...args);
    await refund.claim();
    return signed;
  };
  await run(creatorOf(fair), fair, 10);
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'refund_claimed', attempts: [] });
  expect(fair.world.calls).not.toContain('send');
});

it('a full refund cannot be claimed while the signed token is on its way, but once it exists', async () => {
  const fair = fakeChain('nonces');
  const one = await ordered();
  const refund = await ready(one.id);
  await run(creatorOf(fair), fair, 1);
  expect(await one.creation()).toMatchObject({ state: 'working', attempts: [{ number: 1 }] });
  await expect(refund.claim()).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'creating' } });
  await run(creatorOf(fair), fair);
  expect((await one.creation()).state).toBe('completed');
  await refund.claim();
});

it('a full refund cannot be claimed while a transaction of a held creation may still land', async () => {
  const fair = fakeChain('nonces');
  fair.world.mining = false;
  const one = await ordered();
  const refund = await ready(one.id);
  const creator = creatorOf(fair);
  await run(creator, fair, 1);
  app.pass(CREATOR_TIMING.timeoutMs + 60_000);
  await run(creator, fair, 5);
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'stuck', attempts: [{ number: 1 }] });
  await expect(refund.claim()).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'creating' } });
  // Once fees fall, the transaction lands.
  fair.world.mining = true;
  await run(creator, fair, 400);
  expect((await one.creation()).state).toBe('completed');
});

it('a full refund can be claimed a day after all signed transactions expired, and after a mismatch', async () => {
  const fair = fakeChain('expiry');
  fair.world.mining = false;
  const one = await ordered();
  const refund = await ready(one.id);
  const creator = creatorOf(fair);
  await run(creator, fair, 1);
  app.pass(CREATOR_TIMING.timeoutMs + 60_000);
  await run(creator, fair, 5);
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'stuck' });
  await expect(refund.claim()).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'creating' } });
  app.pass(25 * 3_600_000);
  await refund.claim();

  const other = await ordered();
  const whole = await ready(other.id);
  await run(creatorOf(fakeChain('nonces')), fakeChain('nonces'), 1);
  await app.sql("update token_creations set state = 'failed', problem = 'mismatch' where submission_id = $1", [
    other.id,
  ]);
  await whole.claim();
});

it('a claimed partial refund does not stop the creation', async () => {
  const fair = fakeChain('nonces');
  const one = await ordered();
  await (await ready(one.id, 0.5)).claim();
  await run(creatorOf(fair), fair);
  expect((await one.creation()).state).toBe('completed');
});

it('claimed partial refunds that add up to the whole payment stop the creation', async () => {
  const one = await ordered();
  await (await ready(one.id, 0.5)).claim();
  expect((await one.creation()).state).toBe('queued');
  await (await ready(one.id, 0.5)).claim();
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'refund_claimed' });
});

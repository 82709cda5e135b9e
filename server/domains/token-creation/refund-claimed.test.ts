// A refund of all that was paid, which a person claims to pay it while the token is ordered: either the token or the money goes out.
import { expect, it } from 'vitest';
import { admin, api, app, auditActions, creatorOf, insertRefund, ordered, run } from '#tests/fixtures/token-creator.ts';
import { fakeChain } from '#tests/support/chains/fake-chain.ts';
import { CREATOR_TIMING } from './step.policy.ts';

const back = app.as(admin).admin.refunds;
/** A refund of this share of what arrived for a request, whose payer confirmed an address, and what the team does with it. */
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

it('stops a creation of which nothing is signed, and refuses to order it again until the refund is released', async () => {
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

it('stores no signature of a creation that it stopped while the signer signed', async () => {
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

it('is not claimed while the signed token is on its way, and is when it exists', async () => {
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

it('is not claimed either while what was signed may still land, although the creation is held', async () => {
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
  // Fees fall, and it lands.
  fair.world.mining = true;
  await run(creator, fair, 400);
  expect((await one.creation()).state).toBe('completed');
});

it('is claimed once all that was signed expired a day ago, and where the chain made another token', async () => {
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

it('of a part leaves the creation as it is', async () => {
  const fair = fakeChain('nonces');
  const one = await ordered();
  await (await ready(one.id, 0.5)).claim();
  await run(creatorOf(fair), fair);
  expect((await one.creation()).state).toBe('completed');
});

it('is whole also when parts of it are claimed one by one', async () => {
  const one = await ordered();
  await (await ready(one.id, 0.5)).claim();
  expect((await one.creation()).state).toBe('queued');
  await (await ready(one.id, 0.5)).claim();
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'refund_claimed' });
});

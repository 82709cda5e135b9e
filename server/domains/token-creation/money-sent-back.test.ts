// An order whose money the team sends back after its token was ordered: for the payment provider it stays paid.
import { expect, it } from 'vitest';
import { api, creatorOf, insertRefund, ordered, run } from '#tests/fixtures/token-creator.ts';
import { fakeChain } from '#tests/support/chains/fake-chain.ts';

it('an order that is refunded while it waits for the signer creates no token', async () => {
  const fair = fakeChain('nonces');
  fair.world.enoughFor = 0;
  const one = await ordered();
  await run(creatorOf(fair), fair, 5);
  expect(await one.creation()).toMatchObject({ state: 'working', problem: 'low_balance' });
  await insertRefund(one.id, 1, 'sent');
  expect((await api.read({ id: one.id })).notDeliverable).toBe('unpaid');
  fair.world.enoughFor = 1;
  await run(creatorOf(fair), fair);
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'unpaid', attempts: [] });
  expect(fair.world.signed).toEqual([]);
});

it('an order that is refunded while the signer signs creates no token', async () => {
  const fair = fakeChain('nonces');
  const one = await ordered();
  const { sign } = fair.chain;
  fair.chain.sign = async (...args) => {
    const signed = await sign(...args);
    await insertRefund(one.id, 1, 'sent');
    return signed;
  };
  await run(creatorOf(fair), fair, 10);
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'unpaid', attempts: [] });
  expect(fair.world.calls).not.toContain('send');
});

it('an order that is partly refunded creates its token', async () => {
  const fair = fakeChain('nonces');
  const one = await ordered();
  await insertRefund(one.id, 0.5, 'sent');
  await run(creatorOf(fair), fair);
  expect((await one.creation()).state).toBe('completed');
});

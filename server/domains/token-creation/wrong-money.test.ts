// Real tokens are only created for real money, and tokens on test chains only for simulated money.
import { expect, it } from 'vitest';
import { app, creatorOf, fake, ordered, run } from '#tests/fixtures/token-creator.ts';
import { fakeChain } from '#tests/support/chains/fake-chain.ts';

const HELD = { state: 'held', problem: 'wrong_money', correctable: true, attempts: [] };

it('a simulated payment creates no token on a production chain', async () => {
  const fair = fakeChain('nonces');
  fair.world.production = true;
  const one = await ordered();
  await run(creatorOf(fair), fair, 10);
  expect(fair.world.signed).toEqual([]);
  expect(await one.creation()).toMatchObject(HELD);
});

it('a real payment creates no token on a test chain, but one on a production chain', async () => {
  const paid = async () => {
    const one = await ordered();
    for (const table of ['payments', 'token_creations'])
      await app.sql(`update ${table} set simulation = false where submission_id = $1`, [one.id]);
    return one;
  };
  const [test, production] = [fakeChain('nonces'), fakeChain('nonces')];
  production.world.production = true;
  const refused = await paid();
  await run(creatorOf(test, { provider: fake.provider }), test, 10);
  expect(test.world.signed).toEqual([]);
  expect(await refused.creation()).toMatchObject(HELD);
  const created = await paid();
  await run(creatorOf(production, { provider: fake.provider }), production);
  expect(await created.creation()).toMatchObject({ state: 'completed', simulation: false });
  expect(production.world.signed).toHaveLength(1);
});

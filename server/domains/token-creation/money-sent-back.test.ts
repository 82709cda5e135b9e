// An order whose money the team sends back after its token was ordered: for the payment provider it stays paid.
import { expect, it } from 'vitest';
import { api, app, creatorOf, ordered, run } from '#tests/fixtures/token-creator.ts';
import { fakeChain } from '#tests/support/chains/fake-chain.ts';

let serial = 0;
/** A refund of this share of what arrived for a request, as it stands once it was sent. */
const sendBack = (requestId: string, share: number) =>
  app.sql(
    `insert into refund_cases (number, submission_id, payment_id, cause, reason, asset, decimals, amount, state, address, address_at,
       confirmed_at, transaction, sent_at, simulation)
     select $2, p.submission_id, p.id, 'payment', 'Asked for it', lower(d.value ->> 'payCurrency'), 18,
       trunc((d.value ->> 'actuallyPaid')::numeric * $3 * 1e18), 'sent', '0x0', now(), now(), $2 || '-tx', now(), p.simulation
     from payments p, jsonb_each(p.ledger -> 'deposits') d where p.submission_id = $1`,
    [requestId, `RF-back-${++serial}`, share],
  );

it('makes no token, however long it had waited for the signer', async () => {
  const fair = fakeChain('nonces');
  fair.world.enoughFor = 0;
  const one = await ordered();
  await run(creatorOf(fair), fair, 5);
  expect(await one.creation()).toMatchObject({ state: 'working', problem: 'low_balance' });
  await sendBack(one.id, 1);
  expect((await api.read({ id: one.id })).notDeliverable).toBe('unpaid');
  fair.world.enoughFor = 1;
  await run(creatorOf(fair), fair);
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'unpaid', attempts: [] });
  expect(fair.world.signed).toEqual([]);
});

it('makes no token when it is sent while the signer signs', async () => {
  const fair = fakeChain('nonces');
  const one = await ordered();
  const { sign } = fair.chain;
  fair.chain.sign = async (...args) => {
    const signed = await sign(...args);
    await sendBack(one.id, 1);
    return signed;
  };
  await run(creatorOf(fair), fair, 10);
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'unpaid', attempts: [] });
  expect(fair.world.calls).not.toContain('send');
});

it('keeps its token when a part went back only', async () => {
  const fair = fakeChain('nonces');
  const one = await ordered();
  await sendBack(one.id, 0.5);
  await run(creatorOf(fair), fair);
  expect((await one.creation()).state).toBe('completed');
});

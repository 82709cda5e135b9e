// The time that an order waited for its signature does not count towards the time limit of the sent transaction.
import { expect, it } from 'vitest';
import { app, creatorOf, ordered, run } from '#tests/fixtures/token-creator.ts';
import { fakeChain } from '#tests/support/chains/fake-chain.ts';
import { CREATOR_TIMING } from './step.policy.ts';

const LONG = CREATOR_TIMING.timeoutMs + 60_000;

it('an order is not held as stuck when it is signed the day after the cap was reached', async () => {
  app.setNow('2026-05-20T10:00:00.000Z');
  const fair = fakeChain('expiry', 'polygon');
  const [first, second] = [await ordered('polygon'), await ordered('polygon')];
  const creator = creatorOf(fair, { cap: 1 });
  await run(creator, fair, 60);
  const waiting = (await first.creation()).state === 'completed' ? second : first;
  expect(await waiting.creation()).toMatchObject({ state: 'working', problem: 'cap_reached' });
  app.setNow('2026-05-21T00:00:01.000Z');
  fair.world.mining = false;
  await run(creator, fair, 3);
  expect(await waiting.creation()).toMatchObject({ state: 'working', problem: null, attempts: [{ number: 1 }] });
  fair.world.mining = true;
  await run(creator, fair, 60);
  expect((await waiting.creation()).state).toBe('completed');
});

it('an order is not held as stuck when it is signed after an hour without a signer', async () => {
  const fair = fakeChain('expiry');
  const one = await ordered();
  app.pass(LONG * 2);
  fair.world.mining = false;
  const creator = creatorOf(fair);
  await run(creator, fair, 3);
  expect(await one.creation()).toMatchObject({ state: 'working', problem: null });
  // The sent transaction has its own half hour to land.
  app.pass(LONG);
  await run(creator, fair, 10);
  expect(await one.creation()).toMatchObject({ state: 'held', problem: 'stuck' });
});

it('an order completes with the existing token if the database has no transaction of it', async () => {
  const fair = fakeChain('nonces');
  const one = await ordered();
  await run(creatorOf(fair), fair);
  expect((await one.creation()).state).toBe('completed');
  // As after the restore of a backup that was made before it was signed.
  await app.sql(`do $$ begin
    set local session_replication_role = replica;
    delete from creation_attempts; delete from creation_nonces; delete from creation_deposits;
    update token_creations set state = 'queued', stage = 'queued', address = null, address_page = null, transaction = null,
      transaction_page = null, facts = null, completed_at = null, next_try_at = '${app.now.toISOString()}' where submission_id = '${one.id}';
  end $$`);
  await run(creatorOf(fair), fair);
  expect(await one.creation()).toMatchObject({ state: 'completed' });
  expect(fair.world.signed).toHaveLength(1);
});

import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CrashPoint } from '#server/lib/crash-point.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import { adminKey } from '#tests/support/admin-key.ts';
import { asPaidFor } from '#tests/support/as-paid-for.ts';
import { COMPLETE } from '#tests/support/complete-draft.ts';
import { type Call, type FakeChain, fakeChain } from '#tests/support/fake-chain.ts';
import { fakeProvider } from '#tests/support/fake-provider.ts';
import { payerConfirms } from '#tests/support/payer-confirms.ts';
import { freshMemory } from '#tests/support/signer-memory.ts';
import { startTestApp } from '#tests/support/test-app.ts';
import { notifyCreated } from './notify.service.ts';
import type { SignerMemory } from './signer-memory.service.ts';
import { hashOf, type Snapshot } from './snapshot.policy.ts';
import { PACE } from './step.policy.ts';
import { createTokenCreator, type TokenCreator } from './token-creator.service.ts';

let clock = () => 0;
const fake = fakeProvider(() => clock());
const app = await startTestApp({ payments: { ...fake.provider, simulation: true } });
clock = () => app.now.getTime();
/** The signer's own role. */
const signerDb = app.signerDb();
const admin = await app.member({ role: 'admin' });
const api = app.as(admin).admin.tokenRequests;

const LOG = { info: () => {}, warn: () => {}, error: () => {} };
/** Ends a maker as a kill would: nothing of it catches this. */
class Killed extends Error {
  readonly code = '57P01';
}

interface Options {
  cap?: number;
  crash?: (point: CrashPoint) => void;
  provider?: PaymentProvider | null;
  adminKeys?: string[];
  memory?: SignerMemory;
}
const creatorOf = (
  { chain }: FakeChain,
  { cap = 1_000, crash, provider = null, adminKeys = [], memory = freshMemory() }: Options = {},
): TokenCreator =>
  createTokenCreator({
    db: signerDb,
    chain,
    dailyCap: cap,
    provider,
    adminKeys,
    memory,
    now: () => app.now,
    log: LOG,
    ...(crash ? { crash } : {}),
  });

/** What other tests left is nobody's business. */
const clear = () => app.sql("update token_creations set next_try_at = null where state <> 'completed'");
beforeEach(clear);

let serial = 0;
/** A paid request of which somebody ordered the token. */
async function ordered(network: 'ethereum' | 'solana' | 'binance' | 'polygon' = 'ethereum') {
  app.pass(1_500);
  await app.worker(network);
  const guest = app.as(null, { address: `10.6.${++serial % 250}.${1 + Math.floor(serial / 250)}` });
  const { id, secret, orderKey } = await guest.tokenRequests.create({ data: COMPLETE });
  const { orderId } = await guest.tokenRequests.pay({ id, secret, plan: 'entry', locale: 'es' });
  const invoice = fake.invoices.findLast((one) => one.orderId === orderId);
  if (!invoice) throw new Error('no invoice');
  const depositId = fake.newDepositId();
  const see = async (status: 'finished' | 'refunded') => {
    fake.move(invoice, depositId, status, { actuallyPaid: 100 });
    app.pass(11_000);
    await guest.tokenRequests.check({ id, secret });
  };
  await see('finished');
  await app.sql('update sessions set proved_at = $2 where user_id = $1', [admin.id, app.now]);
  const input = {
    requestId: id,
    tokenName: 'Ajolote',
    tokenSymbol: 'AJO',
    confirmation: 'AJO',
    network,
    totalSupply: '1000',
    ownerWallet:
      network === 'solana' ? '4Nd1mYQFk8xq6w1J9nRzJ4qgJd6vY2m3t9pS5rW8aBcD' : (COMPLETE.ownerWalletAddress ?? ''),
  };
  await asPaidFor(app, input);
  await payerConfirms(app, api, input);
  await api.createToken(input);
  const creation = async () => {
    const { creation: one } = await api.read({ id });
    if (!one) throw new Error('no creation');
    return one;
  };
  const order = () => guest.tokenRequests.order({ id, key: orderKey });
  return {
    id,
    input,
    see,
    creation,
    order,
    lie: (deposit: object) => fake.move(invoice, depositId, 'finished', deposit),
  };
}
type Ordered = Awaited<ReturnType<typeof ordered>>;

/** Works, and lets time and blocks go by, until nothing is due within the hour. */
async function run(creator: TokenCreator, { world }: FakeChain, rounds = 60): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    const wait = await creator.work();
    if (wait === null || wait > 3_600_000) return;
    app.pass(Math.max(wait, 1_000));
    world.block();
  }
}
const acts = async (id: string) =>
  (
    await app.sql<{ action: string }>(
      `select action from audit_events where action like 'token.%' and resource_id = $1
         and action not in ('token.proposed', 'token.confirmed') order by id`,
      [id],
    )
  ).map(({ action }) => action);

describe.each(['nonces', 'expiry'] as const)('a token on a chain with %s', (kind) => {
  it('is signed once, sent, read back and only then reported', async () => {
    const fair = fakeChain(kind);
    const one = await ordered();
    const creator = creatorOf(fair);
    await creator.heartbeat();
    fair.world.trouble = (call) => (call === 'read' ? 'unreachable' : null);
    await run(creator, fair, 12);
    expect(fair.world.tokens.size).toBe(1);
    expect(await one.creation()).toMatchObject({
      state: 'working',
      stage: 'reading',
      problem: 'unreachable',
      address: null,
    });
    expect((await one.order()).stage).toBe('creating');
    fair.world.trouble = () => null;
    await run(creator, fair);
    const made = await one.creation();
    const [address = '', transaction = ''] = [...fair.world.tokens][0] ?? [];
    expect(made).toMatchObject({
      state: 'completed',
      stage: 'completed',
      problem: null,
      address,
      addressUrl: `https://explorer.test/a/${address}`,
      transaction,
      transactionUrl: `https://explorer.test/t/${transaction}`,
      attempts: [{ number: 1, transaction, outcome: 'landed' }],
      facts: { name: 'Ajolote', symbol: 'AJO', mintAuthority: null, metadataLocked: true },
      retryable: false,
    });
    expect(fair.world.signed).toHaveLength(1);
    expect(await acts(one.id)).toEqual(['token.ordered', 'token.signed', 'token.created']);
    expect(await one.order()).toMatchObject({ stage: 'created', token: { address, transaction } });
  });

  it('is one, however the signer dies, the node fails and transactions get lost', { timeout: 60_000 }, async () => {
    const points: CrashPoint[] = [
      'before_claim',
      'after_claim',
      'before_sign',
      'after_sign_saved',
      'after_send_before_mark',
      'before_complete',
      'after_complete',
    ];
    const calls: Call[] = ['probe', 'prepare', 'look', 'sign', 'send', 'read'];
    const event = fc.oneof(
      fc.record({ do: fc.constant('crash' as const), at: fc.constantFrom(...points) }),
      fc.record({
        do: fc.constant('fail' as const),
        call: fc.constantFrom(...calls),
        after: fc.boolean(),
        times: fc.integer({ min: 1, max: 3 }),
      }),
      fc.record({ do: fc.constant('drop' as const) }),
      fc.record({ do: fc.constant('stop mining' as const), blocks: fc.integer({ min: 1, max: 15 }) }),
      fc.record({ do: fc.constant('stuck' as const) }),
      fc.record({ do: fc.constant('two signers' as const) }),
      fc.record({ do: fc.constant('work' as const), rounds: fc.integer({ min: 1, max: 4 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 8 }), async (events) => {
        await clear();
        const fair = fakeChain(kind);
        const { world } = fair;
        const one = await ordered();
        let crashAt: CrashPoint | null = null;
        const alive = () =>
          creatorOf(fair, {
            crash(point) {
              if (point !== crashAt) return;
              crashAt = null;
              throw new Killed(`killed ${point}`);
            },
          });
        let creator = alive();
        const iteration = async () => {
          try {
            await creator.work();
          } catch (error) {
            if (!(error instanceof Killed)) throw error;
            creator = alive();
          }
          app.pass(2_500);
          world.block();
        };
        for (const what of events) {
          if (what.do === 'crash') crashAt = what.at;
          if (what.do === 'fail') {
            let left = what.times;
            world.trouble = (call) =>
              call === what.call && left-- > 0 ? (what.after ? 'after' : 'unreachable') : null;
          }
          if (what.do === 'drop') world.drop();
          if (what.do === 'stuck') {
            world.stuck = true;
            app.pass(PACE.replace);
          }
          if (what.do === 'stop mining') {
            world.mining = false;
            await iteration();
            world.block(what.blocks);
            world.mining = true;
          }
          // The lock is broken: both believe that the worker is theirs.
          if (what.do === 'two signers') await Promise.allSettled([iteration(), alive().work()]);
          for (let i = 0; i < (what.do === 'work' ? what.rounds : 1); i++) await iteration();
          const now = await one.creation();
          if (now.state === 'completed') expect(world.reads).toContain(now.address);
          else expect(now.address).toBeNull();
        }
        crashAt = null;
        world.trouble = () => null;
        world.stuck = false;
        if ((await one.creation()).retryable) {
          await app.worker('ethereum');
          await app.sql('update sessions set proved_at = $2 where user_id = $1', [admin.id, app.now]);
          await api.retryCreation({ requestId: one.id });
        }
        await run(creator, fair);
        const made = await one.creation();
        expect(made.state).toBe('completed');
        expect([...world.tokens]).toEqual([[made.address, made.transaction]]);
        expect(world.blind).toEqual([]);
        // Every signature that the chain may ever see was stored before.
        const sent = [...world.all.values()].filter(({ state }) => state !== 'signed').map(({ hash }) => hash);
        expect(made.attempts.map(({ transaction }) => transaction)).toEqual(expect.arrayContaining(sent));
        expect((await acts(one.id)).filter((act) => act === 'token.created')).toHaveLength(1);
      }),
      { numRuns: 12 },
    );
  });
});

describe('before it signs, the maker', () => {
  const stopped = async (one: Ordered, fair: FakeChain, options?: Options) => {
    await run(creatorOf(fair, options), fair, 10);
    expect(fair.world.signed).toEqual([]);
    const { state, problem, correctable } = await one.creation();
    return { state, problem, correctable };
  };

  it('looks at the payment once more: what went back makes no token', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    await one.see('refunded');
    expect(await stopped(one, fair)).toEqual({ state: 'held', problem: 'unpaid', correctable: true });
    expect(await acts(one.id)).toEqual(['token.ordered', 'token.held']);
  });

  it('keeps no plan that somebody put in the place of its own while it signed', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    const { sign } = fair.chain;
    let swaps = 0;
    fair.chain.sign = async (plan, ...rest) => {
      const signed = await sign(plan, ...rest);
      if (swaps++ === 0)
        await app.services.db.execute(
          `update token_creations set plan = '{"address": "0xother"}' where submission_id = '${one.id}'`,
        );
      return signed;
    };
    await run(creatorOf(fair), fair);
    const made = await one.creation();
    expect([made.state, made.attempts.length, swaps]).toEqual(['completed', 1, 2]);
    expect([...fair.world.tokens.keys()]).toEqual([made.address]);
    expect(made.address).not.toBe('0xother');
  });

  it('lets one deposit pay for one token, whatever the rows say, and counts the day by itself as well', async () => {
    const memory = freshMemory();
    const fair = fakeChain('nonces');
    const provider = { ...fake.provider, simulation: true };
    const first = await ordered();
    await run(creatorOf(fair, { provider, memory }), fair);
    expect((await first.creation()).state).toBe('completed');
    const [spent] = await app.sql<{ deposit_id: string }>(
      'select deposit_id from creation_deposits d join token_creations c on c.id = d.creation_id where c.submission_id = $1',
      [first.id],
    );
    const second = await ordered();
    // The provider now says the same of the second request's order with the first one's deposit.
    const [own] = await app.sql<{ order_id: string; id: string }>(
      `update payments set ledger = jsonb_set(ledger, '{deposits}', jsonb_build_object($2::text,
         (select value || jsonb_build_object('paymentId', $2::text) from jsonb_each(ledger -> 'deposits') limit 1)))
       where submission_id = $1 returning order_id, id`,
      [second.id, spent?.deposit_id],
    );
    const old = fake.truth.get(spent?.deposit_id ?? '');
    if (!old || !own) throw new Error('no deposit');
    const led = { ...old, orderId: own.order_id, description: `Florka entry ${own.order_id} ${second.id}` };
    fake.truth.set(old.paymentId, led);
    const other = fakeChain('nonces');
    expect(await stopped(second, other, { provider, memory })).toMatchObject({ problem: 'payment_elsewhere' });
    // Another machine, which remembers nothing: the database's own rows hold.
    await app.worker('ethereum');
    await app.sql('update sessions set proved_at = $2 where user_id = $1', [admin.id, app.now]);
    await api.retryCreation({ requestId: second.id });
    await run(creatorOf(other, { provider }), other, 10);
    expect(await second.creation()).toMatchObject({ state: 'held', problem: 'payment_elsewhere', attempts: [] });
    fake.truth.set(old.paymentId, old);

    const third = await ordered('polygon');
    memory.spend({
      network: 'polygon',
      requestId: 'x',
      deposits: [],
      day: app.now.toISOString().slice(0, 10),
      cap: 9,
    });
    const full = fakeChain('nonces', 'polygon');
    await creatorOf(full, { memory, cap: 1 }).work();
    expect(await third.creation()).toMatchObject({ problem: 'cap_reached', attempts: [] });
  });

  it('signs for a short payment with a signature of a key that it knows, and not by what the database says', async () => {
    const provider = { ...fake.provider, simulation: true };
    const one = await ordered();
    one.lie({ status: 'partially_paid', actuallyPaid: 40 });
    const [row] = await app.sql<{ id: string }>(
      `update payments set ledger = jsonb_set(ledger, '{accepted}', jsonb_build_object('at', 1, 'by', $2::text, 'reason', 'Enough', 'of', '[]'::jsonb))
       where submission_id = $1 returning id`,
      [one.id, admin.id],
    );
    const key = adminKey();
    const fair = fakeChain('nonces');
    expect(await stopped(one, fair, { provider, adminKeys: [key.publicKey] })).toMatchObject({
      state: 'held',
      problem: 'acceptance_unsigned',
    });
    const statement = (await api.read({ id: one.id })).payments[0]?.statement ?? '';
    await app.sql('update sessions set proved_at = $2 where user_id = $1', [admin.id, app.now]);
    await expect(
      api.addAcceptance({ paymentId: row?.id ?? '', signed: adminKey().signed(statement).replace('eth', 'btc') }),
    ).rejects.toMatchObject({ code: 'ACCEPTANCE_REFUSED', data: { why: 'signature' } });
    const signed = key.signed(statement.replace('"amount":"100"', '"amount":"40"'));
    await api.addAcceptance({ paymentId: row?.id ?? '', signed });
    await expect(api.addAcceptance({ paymentId: row?.id ?? '', signed })).rejects.toMatchObject({
      code: 'ALREADY_DONE',
    });
    const retry = async () => {
      await app.worker('ethereum');
      await app.sql('update sessions set proved_at = $2 where user_id = $1', [admin.id, app.now]);
      await api.retryCreation({ requestId: one.id });
    };
    await retry();
    expect(await stopped(one, fair, { provider, adminKeys: [adminKey().publicKey] })).toMatchObject({
      problem: 'acceptance_unsigned',
    });
    await retry();
    await run(creatorOf(fair, { provider, adminKeys: [key.publicKey] }), fair);
    expect((await one.creation()).state).toBe('completed');
  });

  it('signs nothing of real money without the provider, nor with an audit log that it has not seen', async () => {
    const memory = freshMemory();
    memory.noteAudit({ id: 1, hash: 'ab'.repeat(32) });
    const one = await ordered();
    expect(await stopped(one, fakeChain('nonces'), { memory })).toMatchObject({ problem: 'audit_changed' });
    const real = await ordered();
    await app.sql('update payments set simulation = false where submission_id = $1', [real.id]);
    await app.sql('update token_creations set simulation = false where submission_id = $1', [real.id]);
    expect(await stopped(real, fakeChain('nonces'))).toMatchObject({ problem: 'payment_unknown' });
  });

  it('looks at it in the very transaction that stores the signature', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    const { sign } = fair.chain;
    fair.chain.sign = async (...searchTerms) => {
      const signed = await sign(...searchTerms);
      await one.see('refunded');
      return signed;
    };
    await run(creatorOf(fair), fair, 10);
    expect(await one.creation()).toMatchObject({ state: 'held', problem: 'unpaid', attempts: [] });
    expect(fair.world.calls).not.toContain('send');
  });

  it('asks the provider itself, and believes no ledger that it does not confirm', async () => {
    const provider = { ...fake.provider, simulation: true };
    const fair = fakeChain('nonces');
    const honest = await ordered();
    await run(creatorOf(fair, { provider }), fair);
    expect((await honest.creation()).state).toBe('completed');

    const forged = await ordered();
    const none = { ...provider, deposit: async () => null };
    expect(await stopped(forged, fakeChain('nonces'), { provider: none })).toMatchObject({
      state: 'held',
      problem: 'payment_withdrawn',
    });
    const dear = await ordered();
    const waiting: PaymentProvider = {
      ...provider,
      deposit: async (id) => {
        const deposit = await provider.deposit(id);
        return deposit && { ...deposit, status: 'waiting', actuallyPaid: 0 };
      },
    };
    expect(await stopped(dear, fakeChain('nonces'), { provider: waiting })).toMatchObject({
      problem: 'payment_withdrawn',
    });
    const silent = await ordered();
    fake.box.trouble = (call) => (call === 'deposit' ? 'unknown' : 'none');
    expect(await stopped(silent, fakeChain('nonces'), { provider })).toMatchObject({ problem: 'payment_unknown' });
    fake.box.trouble = () => 'none';
  });

  it('compares the order with its hash, and the hash with the audit log', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    const thief = { ...one.input, ownerWallet: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', description: '' };
    const [row] = await app.sql<{ snapshot: Snapshot }>(
      'select snapshot from token_creations where submission_id = $1',
      [one.id],
    );
    const snapshot = { ...(row?.snapshot as Snapshot), owner: thief.ownerWallet };
    // The database itself takes nothing that the payer did not confirm.
    const swap = (what: string, values: unknown[]) =>
      app.sql(`update token_creations set ${what} where submission_id = $1`, [one.id, ...values]);
    await expect(swap('snapshot = $2', [snapshot])).rejects.toMatchObject({ code: '23001' });
    await expect(swap('snapshot = $2, snapshot_hash = $3', [snapshot, hashOf(snapshot)])).rejects.toMatchObject({
      code: '23001',
    });
    // Where its rules are off: the hash, and the entries of the audit log.
    const forced = async (what: string, values: unknown[]) => {
      await app.sql('alter table token_creations disable trigger token_creation_confirmed');
      await swap(what, values);
      await app.sql('alter table token_creations enable trigger token_creation_confirmed');
    };
    await forced('snapshot = $2', [snapshot]);
    expect(await stopped(one, fair)).toMatchObject({ state: 'held', problem: 'snapshot_changed' });
    // With a hash that fits, too.
    await forced("snapshot_hash = $2, state = 'queued', stage = 'queued', problem = null, next_try_at = $3", [
      hashOf(snapshot),
      app.now,
    ]);
    expect(await stopped(one, fair)).toMatchObject({ state: 'held', problem: 'snapshot_changed' });
  });

  it('signs nothing that its payer did not confirm before it was ordered, whatever else fits', async () => {
    const fair = fakeChain('nonces');
    const forced = async (table: string, trigger: string, work: () => Promise<unknown>) => {
      await app.sql(`alter table ${table} disable trigger ${trigger}`);
      await work();
      await app.sql(`alter table ${table} enable trigger ${trigger}`);
    };
    // The yes is gone, or there never was one; the hashes and what was ordered are as they were.
    const taken = await ordered();
    await forced('token_proposals', 'token_proposal_frozen', () =>
      app.sql("update token_proposals set state = 'open', answered_at = null where submission_id = $1", [taken.id]),
    );
    expect(await stopped(taken, fair)).toMatchObject({ state: 'held', problem: 'snapshot_changed' });
    const nameless = await ordered();
    await forced('token_creations', 'token_creation_confirmed', () =>
      app.sql('update token_creations set proposal_id = null where submission_id = $1', [nameless.id]),
    );
    expect(await stopped(nameless, fair)).toMatchObject({ state: 'held', problem: 'snapshot_changed' });
    // What wallets would read is not what was hashed.
    const renamed = await ordered();
    await forced('token_creations', 'token_creation_confirmed', () =>
      app.sql(`update token_creations set metadata = metadata || '{"description":"x"}' where submission_id = $1`, [
        renamed.id,
      ]),
    );
    expect(await stopped(renamed, fair)).toMatchObject({ state: 'held', problem: 'snapshot_changed' });
    expect(fair.world.signed).toEqual([]);
  });

  it('makes real tokens for real money only, and the other way round', async () => {
    const fair = fakeChain('nonces');
    fair.world.production = true;
    const one = await ordered();
    expect(await stopped(one, fair)).toEqual({ state: 'held', problem: 'wrong_money', correctable: true });
  });

  it.each(['owner_is_program', 'owner_invalid', 'name_invalid'] as const)(
    'gives an order back that fails: %s',
    async (why) => {
      const fair = fakeChain('nonces');
      fair.world.trouble = (call) => (call === 'prepare' ? why : null);
      const one = await ordered();
      expect(await stopped(one, fair)).toEqual({ state: 'failed', problem: why, correctable: true });
    },
  );

  it('waits for balance, however long, and goes on by itself', async () => {
    const fair = fakeChain('nonces');
    fair.world.enoughFor = 0;
    const one = await ordered();
    expect(await stopped(one, fair)).toMatchObject({ state: 'working', problem: 'low_balance' });
    app.pass(5 * 3_600_000);
    expect(await stopped(one, fair)).toMatchObject({ problem: 'low_balance' });
    fair.world.enoughFor = 1;
    await run(creatorOf(fair), fair);
    expect((await one.creation()).state).toBe('completed');
  });

  it('keeps the day’s cap, and goes on the next day', async () => {
    app.setNow('2026-03-20T10:00:00.000Z');
    const fair = fakeChain('nonces', 'binance');
    const all = [await ordered('binance'), await ordered('binance'), await ordered('binance')];
    await run(creatorOf(fair, { cap: 2 }), fair, 60);
    const states = async () => Promise.all(all.map(async (one) => (await one.creation()).state));
    expect((await states()).toSorted()).toEqual(['completed', 'completed', 'working']);
    expect(fair.world.signed).toHaveLength(2);
    app.setNow('2026-03-21T00:00:01.000Z');
    await run(creatorOf(fair, { cap: 2 }), fair);
    expect(await states()).toEqual(['completed', 'completed', 'completed']);
  });
});

describe('two signers at once', () => {
  it('share the day’s cap, also when one signs while the other does', async () => {
    app.setNow('2026-04-02T10:00:00.000Z');
    const fair = fakeChain('nonces', 'solana');
    const [one, two] = [await ordered('solana'), await ordered('solana')];
    const { sign } = fair.chain;
    let nested = false;
    fair.chain.sign = async (...searchTerms) => {
      const signed = await sign(...searchTerms);
      if (!nested) {
        nested = true;
        await app.sql('update token_creations set next_try_at = $2 where submission_id = $1', [
          one.id,
          new Date(app.now.getTime() + 60_000),
        ]);
        await creatorOf(fair, { cap: 1 }).work();
      }
      return signed;
    };
    await creatorOf(fair, { cap: 1 }).work();
    expect(fair.world.signed).toHaveLength(2);
    const attempts = async ({ creation }: Ordered) => (await creation()).attempts.length;
    expect([await attempts(one), await attempts(two)]).toEqual([0, 1]);
    expect((await one.creation()).problem).toBe('cap_reached');
  });
});

describe('a creation under way', () => {
  it('waits for a person when nobody answers for too long, and then goes on with the same bytes', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    fair.world.mining = false;
    const creator = creatorOf(fair);
    await run(creator, fair, 3);
    fair.world.trouble = () => 'unreachable';
    app.pass(PACE.patience);
    await run(creator, fair, 3);
    expect(await one.creation()).toMatchObject({
      state: 'held',
      problem: 'unreachable',
      stage: 'stopped',
      retryable: true,
    });
    expect(fair.world.signed).toHaveLength(1);
    // It is still looked after, without signing.
    fair.world.trouble = () => null;
    fair.world.drop();
    fair.world.mining = true;
    app.pass(PACE.heldLook);
    await run(creator, fair);
    expect((await one.creation()).state).toBe('completed');
    expect(fair.world.signed).toHaveLength(1);
  });

  it('is replaced with a higher fee in its own place when it is stuck', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    fair.world.mining = false;
    fair.world.stuck = true;
    const creator = creatorOf(fair);
    await run(creator, fair, 30);
    expect(fair.world.signed.length).toBeGreaterThan(1);
    const nonces = await app.sql<{ nonce: string }>(
      'select distinct a.nonce from creation_attempts a join token_creations c on c.id = a.creation_id where c.submission_id = $1',
      [one.id],
    );
    expect(nonces).toHaveLength(1);
    fair.world.stuck = false;
    fair.world.mining = true;
    await run(creator, fair);
    expect((await one.creation()).attempts.map(({ outcome }) => outcome).toSorted()).toEqual(
      [...Array<string>(fair.world.signed.length - 1).fill('lost'), 'landed'].toSorted(),
    );
    expect(fair.world.blind).toEqual([]);
  });

  it('is signed a few times only before a person is asked', async () => {
    const fair = fakeChain('expiry');
    const one = await ordered();
    const creator = creatorOf(fair);
    fair.world.mining = false;
    for (let i = 0; i < 40; i++) {
      await creator.work();
      app.pass(30_000);
      fair.world.block(11);
    }
    expect(await one.creation()).toMatchObject({ state: 'held', problem: 'stuck' });
    expect(fair.world.signed).toHaveLength(8);
    expect(fair.world.blind).toEqual([]);
    fair.world.mining = true;
    await app.worker('ethereum');
    await app.sql('update sessions set proved_at = $2 where user_id = $1', [admin.id, app.now]);
    await api.retryCreation({ requestId: one.id });
    await run(creator, fair);
    expect((await one.creation()).state).toBe('completed');
  });

  it('fails when the chain refuses it, and never counts as made when another thing stands there', async () => {
    const fair = fakeChain('nonces');
    const refused = await ordered();
    const creator = creatorOf(fair);
    const { look } = fair.chain;
    fair.chain.look = async (plan, attempts) => {
      if (attempts.length > 0) fair.world.refuses = 'reverted';
      return look(plan, attempts);
    };
    await run(creator, fair);
    expect(await refused.creation()).toMatchObject({
      state: 'failed',
      problem: 'refused',
      detail: 'reverted',
      correctable: false,
      attempts: [{ outcome: 'refused' }],
    });
    const other = fakeChain('nonces');
    const differs = await ordered();
    other.world.trouble = (call) => (call === 'read' ? 'mismatch' : null);
    await run(creatorOf(other), other);
    expect(await differs.creation()).toMatchObject({ state: 'failed', problem: 'mismatch', address: null });
  });

  it('shares the nonces of a key with others, each of its own', async () => {
    const fair = fakeChain('nonces', 'polygon');
    const all = [];
    for (let i = 0; i < 4; i++) all.push(await ordered('polygon'));
    fair.world.mining = false;
    const creator = creatorOf(fair);
    await run(creator, fair, 3);
    expect(fair.world.signed).toHaveLength(4);
    const { rows } = {
      rows: await app.sql<{ nonce: string }>("select nonce from creation_nonces where signer like '%polygon'"),
    };
    expect(rows.map(({ nonce }) => nonce).toSorted()).toEqual(['0', '1', '2', '3']);
    fair.world.mining = true;
    await run(creator, fair);
    for (const one of all) expect((await one.creation()).state).toBe('completed');
    expect(fair.world.tokens.size).toBe(4);
  });
});

describe('the customer', () => {
  it('hears once that the token is there, with its address and the explorer’s page', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    const notify = () =>
      notifyCreated({ db: app.services.db, jobs: app.services.jobs, secret: app.secret, now: app.now });
    const creator = creatorOf(fair);
    await run(creator, fair, 3);
    await app.sql("update token_creations set told_at = now() where state = 'completed' and told_at is null");
    expect(await notify()).toBe(0);
    const mails = async () => {
      const { address } = await one.creation();
      return (await app.deliverMails()).filter(({ text }) => text.includes(address ?? '(none)'));
    };
    expect(await mails()).toEqual([]);
    await run(creator, fair);
    const notified = await Promise.all([notify(), notify()]);
    expect(notified.toSorted()).toEqual([0, 1]);
    expect(await notify()).toBe(0);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    const { address } = await one.creation();
    expect(mail?.to).toBe(COMPLETE.petitionerEmail);
    expect(mail?.subject).toBe('[SIMULACIÓN] Tu token Ajolote (AJO) ya existe');
    expect(mail?.text).toContain(`https://explorer.test/a/${address}`);
    expect(mail?.text).toContain('no tiene valor');
    expect(mail?.text).toContain(`Wallet que recibió el suministro: ${one.input.ownerWallet}`);
    expect(mail?.text).toMatch(new RegExp(`/order/${one.id}#[\\w-]{43}`));
    expect(mail?.html).toContain(address);
  });
});

describe('the word of the signer', () => {
  it('says what can be made, and why not', async () => {
    const fair = fakeChain('nonces', 'solana');
    const creator = creatorOf(fair, { cap: 7 });
    const worker = async () => (await api.chains()).find(({ network }) => network === 'solana');
    await creator.heartbeat();
    expect(await worker()).toMatchObject({
      why: null,
      chainId: expect.stringMatching(/^nonces-/),
      production: false,
      deployer: 'deployer-of-solana',
      coin: 'COIN',
      enoughFor: 100,
      dailyCap: 7,
      usedToday: 0,
    });
    fair.world.trouble = () => 'unreachable';
    await creator.heartbeat();
    expect(await worker()).toMatchObject({ why: 'unreachable', deployer: 'deployer-of-solana' });
    fair.world.trouble = () => 'wrong_chain';
    await creator.heartbeat();
    expect(await worker()).toMatchObject({ why: 'wrong_chain' });
    fair.world.trouble = () => null;
    fair.world.enoughFor = 0;
    await creator.heartbeat();
    expect(await worker()).toMatchObject({ why: 'low_balance' });
    fair.world.enoughFor = 3;
    fair.world.production = true;
    await creator.heartbeat();
    expect(await worker()).toMatchObject({ why: 'wrong_money' });
  });
});

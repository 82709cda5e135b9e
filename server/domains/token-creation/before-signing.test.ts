import { describe, expect, it } from 'vitest';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import type { PaymentProvider } from '#server/providers/payments/port.ts';
import {
  admin,
  api,
  app,
  auditActions,
  creatorOf,
  fake,
  type Options,
  ordered,
  run,
} from '#tests/fixtures/token-creator.ts';
import { adminKey } from '#tests/support/app/admin-key.ts';
import { type FakeChain, fakeChain } from '#tests/support/chains/fake-chain.ts';
import { freshMemory } from '#tests/support/chains/signer-memory.ts';
import { confirmedSummary } from '#tests/support/payments/confirmed-summary.ts';
import { hashOf, type Snapshot } from './snapshot.policy.ts';

type Ordered = Awaited<ReturnType<typeof ordered>>;

describe('before it signs, the token creator', () => {
  const stopped = async (one: Ordered, fair: FakeChain, options?: Options) => {
    await run(creatorOf(fair, options), fair, 10);
    expect(fair.world.signed).toEqual([]);
    const { state, problem, correctable } = await one.creation();
    return { state, problem, correctable };
  };

  it('checks the payment again, and creates no token for refunded money', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    await one.see('refunded');
    expect(await stopped(one, fair)).toEqual({ state: 'held', problem: 'unpaid', correctable: true });
    expect(await auditActions(one.id)).toEqual(['token.ordered', 'token.held']);
  });

  it('discards a plan that was replaced in the database while it signed', async () => {
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

  it('accepts a deposit for one token only, and counts the daily cap in its own memory too', async () => {
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
    // The provider now reports the first one's deposit for the second request's order.
    const [own] = await app.sql<{ order_id: string; id: string }>(
      `update payments set ledger = jsonb_set(ledger, '{deposits}', jsonb_build_object($2::text,
         (select value || jsonb_build_object('paymentId', $2::text) from jsonb_each(ledger -> 'deposits') limit 1)))
       where submission_id = $1 returning order_id, id`,
      [second.id, spent?.deposit_id],
    );
    const old = fake.truth.get(spent?.deposit_id ?? '');
    if (!old || !own) throw new Error('no deposit');
    const agreed = old.description?.split(' ').at(-1);
    const led = { ...old, orderId: own.order_id, description: `Florka entry ${own.order_id} ${second.id} ${agreed}` };
    fake.truth.set(old.paymentId, led);
    const other = fakeChain('nonces');
    expect(await stopped(second, other, { provider, memory })).toMatchObject({ problem: 'payment_elsewhere' });
    // Another machine without a signer memory: the rows of the database still protect.
    await app.worker('ethereum');
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
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

  it('fetches thirty deposits at most, however many the row of a payment names', async () => {
    const fetched = new Set<string>();
    const provider: PaymentProvider = {
      ...fake.provider,
      simulation: true,
      deposit: async (id) => {
        fetched.add(id);
        return null;
      },
    };
    const one = await ordered();
    await app.sql(
      `update payments set ledger = jsonb_set(ledger, '{deposits}', (
         select jsonb_object_agg('many-' || n, d.value || jsonb_build_object('paymentId', 'many-' || n))
         from generate_series(1, 40) n, (select value from jsonb_each(ledger -> 'deposits') limit 1) d))
       where submission_id = $1`,
      [one.id],
    );
    expect(await stopped(one, fakeChain('nonces'), { provider })).toMatchObject({ state: 'held' });
    expect(fetched.size).toBe(30);
  });

  it('signs for a short payment only with an acceptance of a known key, not by a row of the database', async () => {
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
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
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
      await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
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

  it('creates no token for another owner than the paid one, unless a signed acceptance names that owner', async () => {
    const provider = { ...fake.provider, simulation: true };
    const one = await ordered();
    const owner = `0x${'ab'.repeat(20)}`;
    // Everything that the site's role can write: the request, a payer's confirmation of another summary, and the order with both
    // audit entries.
    await app.sql(
      "update token_creation_submissions set token_data = token_data || jsonb_build_object('ownerWalletAddress', $2::text) where id = $1",
      [one.id, owner],
    );
    const { proposalId, snapshot, metadata } = await confirmedSummary(app, one.id, { owner });
    const hash = hashOf(snapshot);
    await app.sql(
      'update token_creations set snapshot = $2, snapshot_hash = $3, metadata = $4, proposal_id = $5 where submission_id = $1',
      [one.id, snapshot, hash, metadata, proposalId],
    );
    for (const action of ['token.confirmed', 'token.ordered'])
      await app.sql(
        `insert into audit_events (actor_role, action, resource_type, resource_id, after)
         values ('admin', $2, 'token_request', $1, jsonb_build_object('snapshotHash', $3::text))`,
        [one.id, action, hash.toString('hex')],
      );
    const key = adminKey();
    const fair = fakeChain('nonces');
    const options = { provider, adminKeys: [key.publicKey] };
    expect(await stopped(one, fair, options)).toMatchObject({ state: 'held', problem: 'acceptance_unsigned' });

    const retry = async () => {
      await app.worker('ethereum');
      await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
      await api.retryCreation({ requestId: one.id });
    };
    const [payment] = (await api.read({ id: one.id })).payments;
    const statement = payment?.statement ?? '';
    expect(JSON.parse(statement)).toMatchObject({ token: { network: 'ethereum', owner: checksummed(owner) } });
    // A statement signed for the paid owner is not valid for another one.
    const paidFor = statement.replace(checksummed(owner), one.input.ownerWallet);
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    await api.addAcceptance({ paymentId: payment?.id ?? '', signed: key.signed(paidFor) });
    await retry();
    expect(await stopped(one, fair, options)).toMatchObject({ problem: 'acceptance_unsigned' });
    await api.addAcceptance({ paymentId: payment?.id ?? '', signed: key.signed(statement) });
    await retry();
    await run(creatorOf(fair, options), fair);
    expect(await one.creation()).toMatchObject({ state: 'completed' });
  });

  it('signs nothing for real money without the provider, nor if the audit log differs from its memory', async () => {
    const memory = freshMemory();
    memory.rememberAuditEntry({ id: 1, hash: 'ab'.repeat(32) });
    const one = await ordered();
    expect(await stopped(one, fakeChain('nonces'), { memory })).toMatchObject({ problem: 'audit_changed' });
    const real = await ordered();
    await app.sql('update payments set simulation = false where submission_id = $1', [real.id]);
    await app.sql('update token_creations set simulation = false where submission_id = $1', [real.id]);
    expect(await stopped(real, fakeChain('nonces'))).toMatchObject({ problem: 'payment_unknown' });
  });

  it('checks the payment in the same transaction that stores the signature', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    const { sign } = fair.chain;
    fair.chain.sign = async (...args) => {
      const signed = await sign(...args);
      await one.see('refunded');
      return signed;
    };
    await run(creatorOf(fair), fair, 10);
    expect(await one.creation()).toMatchObject({ state: 'held', problem: 'unpaid', attempts: [] });
    expect(fair.world.calls).not.toContain('send');
  });

  it('fetches the deposits itself, and rejects stored facts that the provider does not confirm', async () => {
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
    // The database itself accepts nothing that the payer did not confirm.
    const swap = (what: string, values: unknown[]) =>
      app.sql(`update token_creations set ${what} where submission_id = $1`, [one.id, ...values]);
    await expect(swap('snapshot = $2', [snapshot])).rejects.toMatchObject({ code: '23001' });
    await expect(swap('snapshot = $2, snapshot_hash = $3', [snapshot, hashOf(snapshot)])).rejects.toMatchObject({
      code: '23001',
    });
    // With its triggers disabled: the hash, and the entries of the audit log protect.
    const forced = async (what: string, values: unknown[]) => {
      await app.sql('alter table token_creations disable trigger token_creation_confirmed');
      await swap(what, values);
      await app.sql('alter table token_creations enable trigger token_creation_confirmed');
    };
    await forced('snapshot = $2', [snapshot]);
    expect(await stopped(one, fair)).toMatchObject({ state: 'held', problem: 'snapshot_changed' });
    // Also with a matching hash.
    await forced("snapshot_hash = $2, state = 'queued', stage = 'queued', problem = null, next_try_at = $3", [
      hashOf(snapshot),
      app.now,
    ]);
    expect(await stopped(one, fair)).toMatchObject({ state: 'held', problem: 'snapshot_changed' });
  });

  it('signs nothing without its payer’s confirmation, nor with other metadata than the confirmed', async () => {
    const fair = fakeChain('nonces');
    const forced = async (table: string, trigger: string, work: () => Promise<unknown>) => {
      await app.sql(`alter table ${table} disable trigger ${trigger}`);
      await work();
      await app.sql(`alter table ${table} enable trigger ${trigger}`);
    };
    // The confirmation was deleted, or never existed; the hashes and the order are unchanged.
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
    // The metadata for wallets does not match its hash.
    const renamed = await ordered();
    await forced('token_creations', 'token_creation_confirmed', () =>
      app.sql(`update token_creations set metadata = metadata || '{"description":"x"}' where submission_id = $1`, [
        renamed.id,
      ]),
    );
    expect(await stopped(renamed, fair)).toMatchObject({ state: 'held', problem: 'snapshot_changed' });
    expect(fair.world.signed).toEqual([]);
  });

  it.each(['owner_is_program', 'owner_invalid', 'name_invalid'] as const)(
    'fails an order that can be corrected: %s',
    async (why) => {
      const fair = fakeChain('nonces');
      fair.world.trouble = (call) => (call === 'prepare' ? why : null);
      const one = await ordered();
      expect(await stopped(one, fair)).toEqual({ state: 'failed', problem: why, correctable: true });
    },
  );

  it('waits for balance without a time limit, and continues by itself', async () => {
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

  it('respects the daily cap, and continues the next day', async () => {
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

describe('two concurrent signers', () => {
  it('share the daily cap, also when one signs while the other does', async () => {
    app.setNow('2026-04-02T10:00:00.000Z');
    const fair = fakeChain('nonces', 'solana');
    const [one, two] = [await ordered('solana'), await ordered('solana')];
    const { sign } = fair.chain;
    let nested = false;
    fair.chain.sign = async (...args) => {
      const signed = await sign(...args);
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CrashPoint } from '#server/lib/process/crash-point.ts';
import { admin, api, app, auditActions, clear, creatorOf, ordered, run } from '#tests/fixtures/token-creator.ts';
import { type Call, fakeChain } from '#tests/support/chains/fake-chain.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { notifyCreated } from './notify.service.ts';
import { CREATOR_TIMING } from './step.policy.ts';

/** Ends a token creator like a killed process: its code does not catch this error. */
class Killed extends Error {
  readonly code = '57P01';
}

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
    expect(await auditActions(one.id)).toEqual(['token.ordered', 'token.signed', 'token.created']);
    expect(await one.order()).toMatchObject({ stage: 'created', token: { address, transaction } });
  });

  it('is created once, however signers crash, nodes fail and transactions get lost', { timeout: 60_000 }, async () => {
    const points: CrashPoint[] = [
      'before_claim',
      'after_claim',
      'before_sign',
      'after_sign_saved',
      'after_send_before_mark',
      'before_complete',
      'after_complete',
    ];
    const calls: Call[] = ['probe', 'prepare', 'observe', 'sign', 'send', 'read'];
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
            app.pass(CREATOR_TIMING.replace);
          }
          if (what.do === 'stop mining') {
            world.mining = false;
            await iteration();
            world.block(what.blocks);
            world.mining = true;
          }
          // The lock is lost: both signers run as its holder.
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
          await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
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
        expect((await auditActions(one.id)).filter((action) => action === 'token.created')).toHaveLength(1);
      }),
      { numRuns: 12 },
    );
  });
});

describe('a creation under way', () => {
  it('is held when the node does not answer for too long, and then continues with the same bytes', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    fair.world.mining = false;
    const creator = creatorOf(fair);
    await run(creator, fair, 3);
    fair.world.trouble = () => 'unreachable';
    app.pass(CREATOR_TIMING.timeoutMs);
    await run(creator, fair, 3);
    expect(await one.creation()).toMatchObject({
      state: 'held',
      problem: 'unreachable',
      stage: 'stopped',
      retryable: true,
    });
    expect(fair.world.signed).toHaveLength(1);
    // It is still polled, without signing.
    fair.world.trouble = () => null;
    fair.world.drop();
    fair.world.mining = true;
    app.pass(CREATOR_TIMING.heldPoll);
    await run(creator, fair);
    expect((await one.creation()).state).toBe('completed');
    expect(fair.world.signed).toHaveLength(1);
  });

  it('signs a replacement of its latest stuck transaction, at the same nonce', async () => {
    const fair = fakeChain('nonces');
    const one = await ordered();
    fair.world.mining = false;
    fair.world.stuck = true;
    const { sign } = fair.chain;
    const replaced: (string | undefined)[] = [];
    fair.chain.sign = (plan, order, options) => {
      replaced.push(options.replaces?.transaction);
      return sign(plan, order, options);
    };
    const creator = creatorOf(fair);
    await run(creator, fair, 30);
    expect(fair.world.signed.length).toBeGreaterThan(1);
    // The chain offers more for it than for the transaction that it replaces: see the tests of providers/chains.
    expect(replaced).toEqual([undefined, ...fair.world.signed.slice(0, -1)]);
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

  it('is held after eight signatures without a landed transaction', async () => {
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
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    await api.retryCreation({ requestId: one.id });
    await run(creator, fair);
    expect((await one.creation()).state).toBe('completed');
  });

  it('fails when the chain refuses it, and when the token that is read back does not match', async () => {
    const fair = fakeChain('nonces');
    const refused = await ordered();
    const creator = creatorOf(fair);
    const { observe } = fair.chain;
    fair.chain.observe = async (plan, attempts) => {
      if (attempts.length > 0) fair.world.refuses = 'reverted';
      return observe(plan, attempts);
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

  it('gets its own nonce of a shared key', async () => {
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

describe('a raised daily cap', () => {
  it('lets creations that wait for the next day continue at the start of the signer', async () => {
    app.setNow('2026-08-20T10:00:00.000Z');
    const fair = fakeChain('nonces', 'binance');
    const all = [await ordered('binance'), await ordered('binance'), await ordered('binance')];
    await run(creatorOf(fair, { cap: 1 }), fair);
    const states = async () =>
      (await Promise.all(all.map((one) => one.creation()))).map(({ state, problem }) => problem ?? state).toSorted();
    expect(await states()).toEqual(['cap_reached', 'cap_reached', 'completed']);
    const creator = creatorOf(fair, { cap: 2 });
    await run(creator, fair);
    expect(await states()).toEqual(['cap_reached', 'completed', 'completed']);
    // The raised cap is applied once at the start, not in each round.
    const [{ at } = { at: null }] = await app.sql<{ at: Date }>(
      "select next_try_at as at from token_creations where problem = 'cap_reached'",
    );
    expect(at).toEqual(new Date('2026-08-21T00:00:00.000Z'));
    expect(app.now.toISOString()).toMatch(/^2026-08-20/);
  });
});

describe('the customer', () => {
  it('is notified once of the created token, with its address and its page at the explorer', async () => {
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

describe('the report of the signer', () => {
  it('states whether tokens can be created, or why not', async () => {
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

  it('of a standby is written only once the active process has stopped reporting', async () => {
    const fair = fakeChain('nonces', 'polygon');
    const worker = async () => (await api.chains()).find(({ network }) => network === 'polygon');
    await creatorOf(fair).heartbeat();
    expect(await worker()).toMatchObject({ why: null });
    const other = fakeChain('nonces', 'polygon');
    other.world.trouble = () => 'wrong_chain';
    app.pass(1_000);
    const standby = creatorOf(other);
    expect(await standby.heartbeat('standby')).toBeNull();
    expect(await worker()).toMatchObject({ why: null });
    await app.sql("update signer_workers set seen_at = now() - interval '61 seconds' where network = 'polygon'");
    await standby.heartbeat('standby');
    expect(await worker()).toMatchObject({ why: 'wrong_chain' });
    other.world.trouble = () => 'unreachable';
    await standby.heartbeat('standby');
    expect(await worker(), 'its own report is replaced at once').toMatchObject({ why: 'unreachable' });
  });
});

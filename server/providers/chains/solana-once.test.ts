import { describe, expect, test } from 'vitest';
import { quick } from '#tests/fixtures/solana-clock.ts';
import { net } from '#tests/fixtures/solana-net.ts';
import { surfnet } from '#tests/support/chains/chains.ts';
import {
  create,
  drive,
  landedAt,
  NOTHING,
  open,
  openBehindProxy,
  pause,
  problemOf,
  someOrder,
} from '#tests/support/chains/solana-rig.ts';
import { SOLANA_MAINNET } from './solana.ts';

describe.skipIf(!surfnet.available)(`Tokens on Solana${surfnet.note}`, () => {
  describe('exactly once', () => {
    test('one request has one address, with any node, and another on another cluster', async () => {
      const order = await someOrder();
      const plan = await (await open(net)).prepare(order);
      expect(await (await open(net)).prepare({ ...order, requestId: order.requestId.toUpperCase() })).toEqual(plan);
      const { proxy, chain: elsewhere } = await openBehindProxy(net);
      proxy.fault('getGenesisHash', { kind: 'result', value: SOLANA_MAINNET });
      expect((await elsewhere.prepare(order)).address).not.toBe(plan.address);
      expect((await (await open(net)).prepare(await someOrder())).address).not.toBe(plan.address);
    });

    test('accepted and held back: pending, sent again, included late; one attempt', async () => {
      const { proxy, chain } = await openBehindProxy(net);
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const attempt = await chain.sign(plan, order, NOTHING);
      proxy.fault('sendTransaction', { kind: 'keep' });
      await chain.send(attempt);
      await chain.send(attempt);
      for (let i = 0; i < 3; i++)
        expect(await chain.observe(plan, [attempt])).toEqual({
          kind: 'pending',
          transaction: attempt.transaction,
          stuck: false,
        });
      expect(proxy.held()).toHaveLength(2);
      proxy.clear();
      await proxy.release();
      expect(await chain.observe(plan, [attempt])).toMatchObject({ kind: 'created', transaction: attempt.transaction });
      // Sending an included transaction succeeds.
      await chain.send(attempt);
      expect(await landedAt(net, plan.address)).toEqual([attempt.transaction]);
    });

    test('dropped: nothing is signed until the blockhash expired, and a later arrival is refused', async () => {
      const { proxy, chain } = await openBehindProxy(quick);
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const first = await chain.sign(plan, order, NOTHING);
      const keep = proxy.fault('sendTransaction', { kind: 'keep' });
      await chain.send(first);
      keep();
      const heightAt = async () =>
        (await quick.rpc<{ blockHeight: number }>('getEpochInfo', { commitment: 'finalized' })).blockHeight;
      const until = Number(first.validUntil);
      for (;;) {
        const before = await heightAt();
        const sight = await chain.observe(plan, [first]);
        const after = await heightAt();
        if (after <= until) expect(sight).toMatchObject({ kind: 'pending' });
        if (before > until + 60) expect(sight).toEqual({ kind: 'open' });
        if (sight.kind === 'open') {
          expect(after).toBeGreaterThan(until + 32);
          break;
        }
        await pause(20);
      }
      // Its loss is not reported as final, but another attempt can be signed.
      expect(await problemOf(chain.send(first))).toBe('unreachable');
      const { sight, attempts } = await drive(chain, plan, order, [first]);
      expect(attempts).toHaveLength(2);
      expect(sight.transaction).toBe(attempts[1]?.transaction);
      await proxy.release();
      expect(await landedAt(quick, plan.address)).toEqual([attempts[1]?.transaction]);
      expect(await chain.read(plan, order, null)).toMatchObject({ transaction: attempts[1]?.transaction });
    });

    test('accepted, and the response is lost: it is found', async () => {
      const { proxy, chain } = await openBehindProxy(net);
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const attempt = await chain.sign(plan, order, NOTHING);
      proxy.fault('sendTransaction', { kind: 'lose' }, 1);
      expect(await problemOf(chain.send(attempt))).toBe('unreachable');
      expect(await chain.observe(plan, [attempt])).toMatchObject({ kind: 'created', settled: true });
    });

    test('the list of attempts is lost: the same mint is found, and read', async () => {
      const order = await someOrder();
      const { chain, plan, attempts } = await create(net, order);
      expect(await chain.prepare(order)).toEqual(plan);
      expect(await chain.observe(plan, [])).toEqual({ kind: 'created', transaction: null, settled: true });
      expect(await chain.read(plan, order, null)).toMatchObject({ transaction: attempts[0]?.transaction });
      expect(await problemOf(chain.sign(plan, order, NOTHING))).toBe('unreachable');
    });

    test('two attempts for one order: the chain accepts one', async () => {
      const chain = await open(quick);
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const first = await chain.sign(plan, order, NOTHING);
      await pause(40);
      const second = await chain.sign(plan, order, NOTHING);
      expect(second.transaction).not.toBe(first.transaction);
      await chain.send(second);
      expect(await problemOf(chain.send(first))).toBe('unreachable');
      expect(await chain.observe(plan, [first, second])).toMatchObject({
        kind: 'created',
        transaction: second.transaction,
      });
      expect(await landedAt(quick, plan.address)).toEqual([second.transaction]);
      expect(await chain.read(plan, order, first.transaction)).toMatchObject({
        transaction: second.transaction,
        ownerReceived: '1000000000000000',
      });
    });

    test('four independent drivers create one token', async () => {
      const order = await someOrder();
      const drivers = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const chain = await open(quick);
          return { chain, plan: await chain.prepare(order) };
        }),
      );
      const ends = await Promise.all(drivers.map(({ chain, plan }) => drive(chain, plan, order)));
      expect(new Set(drivers.map(({ plan }) => plan.address)).size).toBe(1);
      const [one] = drivers;
      const landed = await landedAt(quick, one?.plan.address ?? '');
      expect(landed).toHaveLength(1);
      for (const [i, { chain, plan }] of drivers.entries())
        expect(await chain.read(plan, order, ends[i]?.sight.transaction ?? null)).toMatchObject({
          transaction: landed[0],
          supply: '1000000000000000',
        });
    });

    test('another seed or another cluster than planned: nothing is signed', async () => {
      const order = await someOrder();
      const plan = await (await open(net)).prepare(order);
      const reseeded = await open(net, { mintSeed: 'ab'.repeat(32) });
      expect(await problemOf(reseeded.sign(plan, order, NOTHING))).toBe('wrong_seed');
      const { proxy, chain: elsewhere } = await openBehindProxy(net);
      proxy.fault('getGenesisHash', { kind: 'result', value: SOLANA_MAINNET });
      for (const work of [
        () => elsewhere.observe(plan, []),
        () => elsewhere.sign(plan, order, NOTHING),
        () => elsewhere.read(plan, order, null),
      ])
        expect(await problemOf(work())).toBe('wrong_chain');
      expect(await problemOf((await open(net)).sign(plan, await someOrder(), NOTHING))).toBe('wrong_seed');
      const otherOwner = { ...order, owner: (await someOrder()).owner };
      expect(await problemOf((await open(net)).sign(plan, otherOwner, NOTHING))).toBe('mismatch');
    });
  });
});

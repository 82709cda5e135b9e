// Tokens on real EVM chains, with trouble in between. What is asked after each: how many tokens are there?
import { inspect } from 'node:util';
import { bytesToHex, parseTransaction } from 'viem';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anvil } from '#tests/support/chains.ts';
import {
  DEPLOYER,
  drive,
  type Journal,
  KEY,
  land,
  nonceOf,
  OWNER,
  order,
  planned,
  problem,
  push,
  rig,
  round,
  tokensOf,
  transact,
  UNITS,
} from '#tests/support/evm-rig.ts';
import { type Fault, startRpcProxy } from '#tests/support/rpc-proxy.ts';
import { type EvmOptions, evmChain } from './evm.ts';
import type { Attempt, TokenOrder } from './port.ts';

describe.skipIf(!anvil.available)(`Tokens on EVM chains${anvil.note}`, () => {
  describe.each([
    ['ethereum', 1, 'ETH', true],
    ['binance', 56, 'BNB', true],
    ['polygon', 137, 'POL', true],
    ['ethereum', 31337, 'ETH', false],
  ] as const)('%s, chain %i', (network, chainId, coin, production) => {
    test('A-TOKEN-31: a token is made, read back, and found by a process that knows nothing but the plan', async () => {
      const { node, start } = await rig({ chainId });
      const chain = start();
      expect(chain.network).toBe(network);
      const before = await chain.probe();
      expect(before).toMatchObject({
        chainId: String(chainId),
        production,
        deployer: DEPLOYER,
        coin,
        balance: '10000',
      });
      expect(before.enoughFor).toBeGreaterThan(100_000);

      const token = order({ name: 'Демо 🚀 ñandú', symbol: 'ДЕМО' });
      const journal = await planned(chain, token);
      expect(await chain.look(journal.plan, [])).toEqual({ kind: 'open' });
      const sight = await drive(chain, token, journal);
      const transaction = journal.attempts[0]?.transaction;
      expect(sight).toEqual({ kind: 'created', transaction, settled: true });
      const facts = await chain.read(journal.plan, token, sight.transaction);
      expect(facts).toEqual({
        name: token.name,
        symbol: token.symbol,
        decimals: 18,
        supply: String(token.supply * UNITS),
        ownerReceived: String(token.supply * UNITS),
        mintAuthority: null,
        freezeAuthority: null,
        metadataLocked: true,
        transaction,
        block: '1',
        at: expect.stringMatching(/^20.*Z$/),
      });
      expect(await tokensOf(node, OWNER)).toEqual([journal.plan.address.toLowerCase()]);

      // What it costs is what was said, give or take the fee of that block.
      const spent = 10_000 - Number((await chain.probe()).balance);
      expect(spent / Number(before.cost)).toBeGreaterThan(0.8);
      expect(spent / Number(before.cost)).toBeLessThan(1.25);

      expect(await drive(start(), token, journal)).toEqual(sight);
      expect(await nonceOf(node)).toBe(1);
    });
  });

  describe('killed in between', () => {
    test('after it was sent: the same bytes wait, and are known', async () => {
      const { node, start } = await rig({ mining: 'by hand' });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      for (let i = 0; i < 3; i++)
        expect(await round(start(), token, journal)).toMatchObject({ kind: 'pending', stuck: false });
      await node.mine();
      await drive(start(), token, journal);
      expect(journal.attempts).toHaveLength(1);
      expect(await nonceOf(node)).toBe(1);
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test('after it was signed, before it was sent', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      journal.add(await start().sign(journal.plan, token, { nonceFrom: 0n }));
      expect(proxy.count('eth_sendRawTransaction')).toBe(0);
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending', stuck: false });
      await drive(start(), token, journal);
      expect(journal.attempts).toHaveLength(1);
      expect(await nonceOf(node)).toBe(1);
    });

    test('and the pool forgot it: it is sent again, not signed again', async () => {
      const { node, start } = await rig({ mining: 'by hand' });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      await node.drop(journal.attempts[0]?.transaction as string);
      await node.mine(5);
      expect(await round(start(), token, journal)).toMatchObject({ kind: 'pending' });
      await node.mine();
      await drive(start(), token, journal);
      expect(journal.attempts).toHaveLength(1);
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test('and everything that was written down is lost: the same token is found', async () => {
      const { node, start } = await rig({ mining: 'by hand' });
      const token = order();
      await round(start(), token, await planned(start(), token));
      const journal = await planned(start(), token);
      await drive(start(), token, journal, () => node.mine());
      expect(await tokensOf(node, OWNER)).toEqual([journal.plan.address.toLowerCase()]);
      expect(await nonceOf(node)).toBe(1);
      // Also when it is older than the plan, with the transaction that made it.
      expect(await start().look(await start().prepare(token), [])).toEqual({
        kind: 'created',
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        settled: true,
      });
    });

    test('and in another process the token was finished meanwhile: signing is refused', async () => {
      const { node, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      await drive(start(), token, journal);
      await expect(start().sign(journal.plan, token, { nonceFrom: 1n })).rejects.toThrow('there already');
      expect(await nonceOf(node)).toBe(1);
    });
  });

  describe('the way to the chain', () => {
    test('it is taken and lands late', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      proxy.fault('eth_sendRawTransaction', { kind: 'keep' });
      for (let i = 0; i < 3; i++) await round(start(), token, journal);
      expect(proxy.held()).toHaveLength(3);
      expect(await tokensOf(node, OWNER)).toEqual([]);
      proxy.clear();
      await proxy.release();
      await drive(start(), token, journal);
      expect(journal.attempts).toHaveLength(1);
      expect(await nonceOf(node)).toBe(1);
    });

    test('it is taken and dropped', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      proxy.fault('eth_sendRawTransaction', { kind: 'keep' }, 3);
      for (let i = 0; i < 3; i++) await round(start(), token, journal);
      proxy.drop();
      await drive(start(), token, journal);
      expect(journal.attempts).toHaveLength(1);
      expect(await nonceOf(node)).toBe(1);
    });

    test('the answer to sending gets lost after it took effect, and before; sending is not asked twice by itself', async () => {
      const { node, proxy, start } = await rig();
      for (const kind of ['lose', 'cut'] as const) {
        const token = order();
        const journal = await planned(start(), token);
        const before = proxy.count('eth_sendRawTransaction');
        proxy.fault('eth_sendRawTransaction', { kind });
        expect(await round(start(), token, journal)).toBeUndefined();
        expect(proxy.count('eth_sendRawTransaction')).toBe(before + 1);
        proxy.clear();
        await drive(start(), token, journal);
        expect(journal.attempts).toHaveLength(1);
      }
      expect(await nonceOf(node)).toBe(2);
    });

    test.each<[string, Fault]>([
      ['breaks', { kind: 'cut' }],
      ['is answered with HTML', { kind: 'http', status: 200, body: '<html>Sign in to the wifi</html>' }],
      ['is answered with nothing', { kind: 'result', value: null }],
      ['is refused', { kind: 'error', message: 'header not found' }],
    ])('each question in turn %s: one token', async (_, fault) => {
      const { node, proxy, start } = await rig();
      for (let broken = 1; broken <= 16; broken++) {
        const token = order();
        const journal = await planned(start(), token);
        let calls = 0;
        const undo = proxy.fault('*', () => (++calls === broken ? fault : undefined));
        await drive(start(), token, journal);
        undo();
        expect(calls).toBeGreaterThanOrEqual(16);
        expect(await tokensOf(node, OWNER), `call ${broken}`).toHaveLength(broken);
      }
      expect(await nonceOf(node)).toBe(16);
    });

    test('answers to another question are none', async () => {
      const { proxy, start } = await rig();
      for (const content of [{ result: '0x7a69' }, { error: { code: -32601, message: 'no such method' } }]) {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 999, ...content });
        proxy.fault('eth_chainId', { kind: 'http', status: 200, body }, 1);
        await expect(start().probe()).rejects.toThrow('makes no sense (eth_chainId)');
      }
    });

    test('answers about another transaction are none', async () => {
      const { proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const other = `0x${'1'.repeat(64)}`;
      proxy.fault('eth_sendRawTransaction', { kind: 'change', to: () => other }, 1);
      expect(await round(start(), token, journal)).toBeUndefined();
      await drive(start(), token, journal);
      proxy.fault('eth_getTransactionReceipt', {
        kind: 'change',
        to: (receipt: object) => ({ ...receipt, transactionHash: other }),
      });
      await expect(start().look(journal.plan, journal.attempts)).rejects.toEqual(problem('unreachable'));
    });

    test('questions are asked again when nobody answers, three times in all', async () => {
      const { proxy, start } = await rig();
      proxy.fault('eth_chainId', { kind: 'cut' }, 2);
      await start().probe();
      proxy.fault('eth_chainId', { kind: 'http', status: 502 });
      await expect(start().probe()).rejects.toEqual(problem('unreachable'));
      expect(proxy.count('eth_chainId')).toBe(3 + 3);
    });

    test('a node that does not answer is left after the patience, also in the middle of a body', async () => {
      const { proxy, start } = await rig();
      const journal = await planned(start(), order());
      proxy.fault('eth_getCode', { kind: 'hold' });
      const begin = performance.now();
      await expect(start({ patience: 150 }).look(journal.plan, [])).rejects.toThrow('eth_getCode (timeout)');
      expect(performance.now() - begin).toBeLessThan(5_000);
      expect(proxy.count('eth_getCode')).toBe(2);
    });

    test('redirects are not followed, and long answers not read', async () => {
      const { proxy, start } = await rig();
      const elsewhere = await startRpcProxy(proxy.url);
      onTestFinished(elsewhere.stop);
      proxy.fault('eth_chainId', { kind: 'http', status: 307, headers: { location: elsewhere.url } });
      await expect(start().probe()).rejects.toEqual(problem('unreachable'));
      expect(elsewhere.calls).toEqual([]);
      proxy.clear();
      proxy.fault('eth_getCode', { kind: 'change', to: () => `0x${'00'.repeat(3_000_000)}` });
      await expect(start().probe()).rejects.toThrow('eth_getCode (too long)');
    });
  });

  describe('nonces and fees', () => {
    test('a nonce that another transaction used: signed anew, but only once that is settled', async () => {
      const { node, start } = await rig({ mining: 'by hand', options: { confirmations: 3 } });
      const token = order();
      const journal = await planned(start(), token);
      journal.add(await start().sign(journal.plan, token, { nonceFrom: 0n }));
      await push(node, await transact(node, KEY));
      // Its fee is too low now as well; a higher one would not help.
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x2540be400');
      await node.mine();
      // The node refuses our bytes now; a reorganisation could let them land all the same.
      for (let i = 0; i < 2; i++) {
        expect(await start().look(journal.plan, journal.attempts)).toEqual({
          kind: 'pending',
          transaction: journal.attempts[0]?.transaction,
          stuck: false,
        });
        await expect(start().send(journal.attempts[0] as Attempt)).rejects.toThrow('nonce is used already');
        await node.mine();
      }
      expect(await start().look(journal.plan, journal.attempts)).toEqual({ kind: 'open' });
      await drive(start(), token, journal, () => node.mine());
      expect(journal.attempts.map(({ nonce }) => nonce)).toEqual([0n, 1n]);
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test("'nonce too low' is fine when these very bytes landed", async () => {
      const { start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      await drive(start(), token, journal);
      await start().send(journal.attempts[0] as Attempt);
      await start().send(journal.attempts[0] as Attempt);
    });

    test('a node that counts too low: no nonce of a stored attempt is taken again', async () => {
      const { proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      proxy.fault('eth_getTransactionCount', { kind: 'result', value: '0x0' });
      expect((await start().sign(journal.plan, token, { nonceFrom: 7n })).nonce).toBe(7n);
    });

    test('a node that counts too high says nothing is under way: what it knows of still counts', async () => {
      const { node, proxy, start } = await rig({ mining: 'by hand' });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      proxy.fault('eth_getTransactionCount', { kind: 'result', value: '0x63' });
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending', stuck: false });
      proxy.clear();
      await node.mine();
      await drive(start(), token, journal);
      expect(journal.attempts).toHaveLength(1);
    });

    test('a nonce that a node invented leaves a gap: the missing one is taken, one token', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const undo = proxy.fault('eth_getTransactionCount', { kind: 'result', value: '0x9' });
      await round(start(), token, journal);
      undo();
      expect(journal.attempts[0]?.nonce).toBe(9n);
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending', stuck: true });
      await drive(start(), token, journal);
      expect(journal.attempts.map(({ nonce }) => nonce)).toEqual([9n, 0n]);
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test('a fee that became too low is replaced at the same nonce with an eighth more', async () => {
      const { node, start } = await rig({ mining: 'by hand' });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x2540be400');
      await node.mine();
      const sight = await start().look(journal.plan, journal.attempts);
      expect(sight).toMatchObject({ kind: 'pending', stuck: true });
      await round(start(), token, journal);
      const [first, second] = journal.attempts.map(({ signed }) => parseTransaction(bytesToHex(signed)));
      expect(second?.nonce ?? 0).toBe(first?.nonce ?? 0);
      expect(second?.data).toBe(first?.data);
      expect((second?.maxFeePerGas ?? 0n) * 8n).toBeGreaterThanOrEqual((first?.maxFeePerGas ?? 0n) * 9n);
      expect((second?.maxPriorityFeePerGas ?? 0n) * 8n).toBeGreaterThanOrEqual(
        (first?.maxPriorityFeePerGas ?? 0n) * 9n,
      );
      await node.mine();
      const made = await drive(start(), token, journal);
      expect(made.transaction).toBe(journal.attempts[1]?.transaction);
      expect(await nonceOf(node)).toBe(1);
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test('of a replaced pair the first one lands after all', async () => {
      const { node, proxy, start } = await rig({ mining: 'by hand' });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x2540be400');
      await node.mine();
      proxy.fault('eth_sendRawTransaction', { kind: 'keep' });
      await round(start(), token, journal);
      proxy.drop();
      expect(journal.attempts).toHaveLength(2);
      // Some other node kept it, and fees fell.
      await node.drop(journal.attempts[0]?.transaction as string);
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x1');
      await node.mine();
      await push(node, journal.attempts[0] as Attempt);
      await node.mine();
      const made = await drive(start(), token, journal);
      expect(made.transaction).toBe(journal.attempts[0]?.transaction);
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test('no more than the limit is paid for gas: the offer waits, and is not called stuck', async () => {
      const feeMost = 5n * 10n ** 9n;
      const { node, start } = await rig({ mining: 'by hand', options: { feeMost } });
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x2540be400');
      await node.mine();
      const token = order();
      const journal = await planned(start(), token);
      journal.add(await start().sign(journal.plan, token, { nonceFrom: 0n }));
      const [attempt] = journal.attempts as [Attempt];
      expect(parseTransaction(bytesToHex(attempt.signed)).maxFeePerGas).toBe(feeMost);
      expect(await start().look(journal.plan, [attempt])).toMatchObject({ kind: 'pending', stuck: false });
      await expect(start().sign(journal.plan, token, { nonceFrom: 1n, replaces: attempt })).rejects.toThrow('limit');
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
      await node.mine();
      await drive(start(), token, journal, () => node.mine());
      expect(journal.attempts).toHaveLength(1);
    });

    test('chains without a base fee are paid by price, and a price is raised as well', async () => {
      const { node, start } = await rig({ chainId: 56, mining: 'by hand', args: ['--hardfork', 'berlin'] });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      const [first] = journal.attempts as [Attempt];
      const { gasPrice = 0n } = parseTransaction(bytesToHex(first.signed));
      expect(gasPrice).toBeGreaterThan(0n);
      const next = await start().sign(journal.plan, token, { nonceFrom: 1n, replaces: first });
      expect(next.nonce).toBe(0n);
      expect((parseTransaction(bytesToHex(next.signed)).gasPrice ?? 0n) * 8n).toBeGreaterThanOrEqual(gasPrice * 9n);
      journal.add(next);
      await start().send(next);
      await node.mine();
      expect((await drive(start(), token, journal)).transaction).toBe(next.transaction);
    });

    test('what waits behind the creation of another token keeps its nonce', async () => {
      const { start } = await rig({ mining: 'by hand' });
      const tokens = [order(), order()];
      const journals = [];
      for (const [i, token] of tokens.entries()) {
        const journal = await planned(start(), token);
        journal.add(await start().sign(journal.plan, token, { nonceFrom: BigInt(i) }));
        await start().send(journal.attempts[0] as Attempt);
        journals.push(journal);
      }
      const [token, journal] = [tokens[1] as TokenOrder, journals[1] as Journal];
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending', stuck: false });
      const replaces = journal.attempts[0] as Attempt;
      expect((await start().sign(journal.plan, token, { nonceFrom: 2n, replaces })).nonce).toBe(1n);
    });

    test('the nonce of a replaced attempt that is used meanwhile is not taken twice', async () => {
      const { node, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const replaces = await start().sign(journal.plan, token, { nonceFrom: 0n });
      await land(node, await transact(node, KEY));
      await expect(start().sign(journal.plan, token, { nonceFrom: 1n, replaces })).rejects.toThrow('look again');
    });

    test('gas as a node invents it: too little is made up for, beyond measure nothing is signed', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const undo = proxy.fault('eth_estimateGas', { kind: 'result', value: '0x5f5e100' });
      await expect(start().sign(journal.plan, token, { nonceFrom: 0n })).rejects.toEqual(problem('unreachable'));
      undo();
      proxy.fault('eth_estimateGas', { kind: 'result', value: '0x5208' });
      await drive(start(), token, journal);
      expect(await nonceOf(node)).toBe(1);
    });

    test('a node that knows no tips is asked for the price', async () => {
      const { proxy, start } = await rig();
      const usual = await start().probe();
      proxy.fault('eth_maxPriorityFeePerGas', { kind: 'error', code: -32601, message: 'Method not found' });
      expect(Number((await start().probe()).cost)).toBeCloseTo(Number(usual.cost), 3);
      proxy.fault('eth_maxPriorityFeePerGas', { kind: 'error', code: -32000, message: 'busy' });
      await expect(start().probe()).rejects.toEqual(problem('unreachable'));
    });

    test('coins that are gone when it is sent are missed by their name, and it lands once they are back', async () => {
      const { node, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      journal.add(await start().sign(journal.plan, token, { nonceFrom: 0n }));
      await node.setBalance(DEPLOYER, 10n ** 12n);
      await expect(start().send(journal.attempts[0] as Attempt)).rejects.toEqual(problem('low_balance'));
      await node.setBalance(DEPLOYER, 10n ** 18n);
      await drive(start(), token, journal);
      expect(journal.attempts).toHaveLength(1);
    });

    test('a deployer without coins signs nothing, and says so before', async () => {
      const { node, start } = await rig();
      await node.setBalance(DEPLOYER, 10n ** 12n);
      expect(await start().probe()).toMatchObject({ balance: '0.000001', enoughFor: 0 });
      const token = order();
      const journal = await planned(start(), token);
      await expect(start().sign(journal.plan, token, { nonceFrom: 0n })).rejects.toEqual(problem('low_balance'));
    });

    test('what the probe calls enough for two is enough for two, and not for many more', async () => {
      const { node, start } = await rig();
      const one = BigInt(Math.round(Number((await start().probe()).cost) * 1e18));
      let balance = one;
      for (; (await start().probe()).enoughFor !== 2; balance += one / 4n) await node.setBalance(DEPLOYER, balance);
      for (let i = 0; i < 2; i++) {
        const token = order();
        await drive(start(), token, await planned(start(), token));
      }
      expect((await start().probe()).enoughFor).toBeLessThanOrEqual(1);
    });
  });
});

test('configurations that make no sense are refused', () => {
  const good: EvmOptions = { network: 'ethereum', chainId: 1, rpcUrl: 'http://127.0.0.1:1', key: KEY };
  const chain = evmChain({ ...good, key: `  ${KEY.slice(2).toUpperCase()}\n` });
  expect(chain.pageOf({ address: OWNER })).toBeNull();
  const pages = evmChain({
    ...good,
    explorer: { address: 'https://scan.test/token/{address}', transaction: 'https://scan.test/tx/{transaction}' },
  });
  expect(pages.pageOf({ address: OWNER })).toBe(`https://scan.test/token/${OWNER}`);
  expect(pages.pageOf({ transaction: '0x12' })).toBe('https://scan.test/tx/0x12');
  for (const over of [
    { chainId: 56 },
    // Real coins, and none of our networks.
    { chainId: 8453 },
    { network: 'binance', chainId: 1 },
    { confirmations: 0 },
    { confirmations: 101 },
    { confirmations: 1.5 },
    { key: '' },
    { key: '0x12' },
    { key: `0x${'0'.repeat(64)}` },
    { rpcUrl: 'ws://127.0.0.1' },
    { rpcUrl: '127.0.0.1:8545' },
  ] as Partial<EvmOptions>[])
    expect(() => evmChain({ ...good, ...over }), inspect(over)).toThrow(RangeError);
});

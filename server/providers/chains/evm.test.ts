// Tokens on real EVM chains, with failures in between. After each one the number of existing tokens is checked.
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anvil } from '#tests/support/chains/chains.ts';
import {
  DEPLOYER,
  drive,
  KEY,
  nonceOf,
  OWNER,
  order,
  planned,
  problem,
  rig,
  round,
  tokensOf,
  UNITS,
} from '#tests/support/chains/evm-rig.ts';
import { type Fault, startRpcProxy } from '#tests/support/chains/rpc-proxy.ts';
import { type EvmOptions, evmChain } from './evm.ts';

describe.skipIf(!anvil.available)(`Tokens on EVM chains${anvil.note}`, () => {
  describe.each([
    ['ethereum', 1, 'ETH', true],
    ['binance', 56, 'BNB', true],
    ['polygon', 137, 'POL', true],
    ['ethereum', 31337, 'ETH', false],
  ] as const)('%s, chain %i', (network, chainId, coin, production) => {
    test('A-TOKEN-31: a token is created, read back, and found by a process with only the plan', async () => {
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
      expect(await chain.observe(journal.plan, [])).toEqual({ kind: 'open' });
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

      // The cost is as estimated, except for the base fee of that block.
      const spent = 10_000 - Number((await chain.probe()).balance);
      expect(spent / Number(before.cost)).toBeGreaterThan(0.8);
      expect(spent / Number(before.cost)).toBeLessThan(1.25);

      expect(await drive(start(), token, journal)).toEqual(sight);
      expect(await nonceOf(node)).toBe(1);
    });
  });

  describe('killed in between', () => {
    test('after sending: the same bytes are pending, and found', async () => {
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

    test('after signing: the stored bytes are sent', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      journal.add(await start().sign(journal.plan, token, { nonceFrom: 0n }));
      expect(proxy.count('eth_sendRawTransaction')).toBe(0);
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending', stuck: false });
      await drive(start(), token, journal);
      expect(journal.attempts).toHaveLength(1);
      expect(await nonceOf(node)).toBe(1);
    });

    test('and the pool dropped it: it is sent again, not signed again', async () => {
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

    test('and all stored data are lost: the same token is found', async () => {
      const { node, start } = await rig({ mining: 'by hand' });
      const token = order();
      await round(start(), token, await planned(start(), token));
      const journal = await planned(start(), token);
      await drive(start(), token, journal, () => node.mine());
      expect(await tokensOf(node, OWNER)).toEqual([journal.plan.address.toLowerCase()]);
      expect(await nonceOf(node)).toBe(1);
      // Also when it is older than the plan, with the transaction that made it.
      expect(await start().observe(await start().prepare(token), [])).toEqual({
        kind: 'created',
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        settled: true,
      });
    });

    test('and another process created the token meanwhile: signing is refused', async () => {
      const { node, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      await drive(start(), token, journal);
      await expect(start().sign(journal.plan, token, { nonceFrom: 1n })).rejects.toThrow('exists already');
      expect(await nonceOf(node)).toBe(1);
    });
  });

  describe('the connection to the node', () => {
    test('a transaction that is accepted and included late creates one token', async () => {
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

    test('a transaction that is accepted and dropped is sent again, not signed again', async () => {
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

    test('sending is not retried automatically if its response is lost, before or after its effect', async () => {
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
    ])('if each request in turn %s, one token is created', async (_, fault) => {
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

    test('responses to another request are invalid', async () => {
      const { proxy, start } = await rig();
      for (const content of [{ result: '0x7a69' }, { error: { code: -32601, message: 'no such method' } }]) {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 999, ...content });
        proxy.fault('eth_chainId', { kind: 'http', status: 200, body }, 1);
        await expect(start().probe()).rejects.toThrow('response is invalid (eth_chainId)');
      }
    });

    test('responses about another transaction are invalid', async () => {
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
      await expect(start().observe(journal.plan, journal.attempts)).rejects.toEqual(problem('unreachable'));
    });

    test('requests without a response are sent three times in total', async () => {
      const { proxy, start } = await rig();
      proxy.fault('eth_chainId', { kind: 'cut' }, 2);
      await start().probe();
      proxy.fault('eth_chainId', { kind: 'http', status: 502 });
      await expect(start().probe()).rejects.toEqual(problem('unreachable'));
      expect(proxy.count('eth_chainId')).toBe(3 + 3);
    });

    test('a node that does not respond times out, also within a body', async () => {
      const { proxy, start } = await rig();
      const journal = await planned(start(), order());
      proxy.fault('eth_getCode', { kind: 'hold' });
      await expect(start({ timeoutMs: 150 }).observe(journal.plan, [])).rejects.toThrow('eth_getCode (timeout)');
      expect(proxy.count('eth_getCode')).toBe(2);
    });

    test('redirects are not followed, and long responses are not read', async () => {
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
});

test('invalid configurations are refused', () => {
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
    // Chains with real coins that are not one of our networks.
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

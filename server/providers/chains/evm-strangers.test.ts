// Tokens on real EVM chains with attackers who take over, spoil or imitate them, and with nodes that return false data.
import { bytesToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { anvil } from '#tests/support/chains/chains.ts';
import {
  codeOf,
  drive,
  FOREIGN_KEY,
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
} from '#tests/support/chains/evm-rig.ts';
import { callDataOf, DEPLOYMENT_PROXY, type EvmPlan } from './evm-token.ts';

describe.skipIf(!anvil.available)(`Tokens on EVM chains${anvil.note}`, () => {
  describe('attackers and reorganisations', () => {
    test('another account sends the same call first: the owner has the token, at no cost', async () => {
      const { node, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const front = await transact(node, FOREIGN_KEY, {
        to: DEPLOYMENT_PROXY,
        data: callDataOf(journal.plan as EvmPlan),
      });
      await land(node, front);
      const sight = await drive(start(), token, journal);
      expect(sight).toEqual({ kind: 'created', transaction: front.transaction, settled: true });
      expect(await start().read(journal.plan, token, sight.transaction)).toMatchObject({
        ownerReceived: String(token.supply * UNITS),
        transaction: front.transaction,
      });
      expect(journal.attempts).toHaveLength(0);
      expect(await nonceOf(node)).toBe(0);
    });

    test('the same after ours was signed: ours fails, there is one token', async () => {
      const { node, start } = await rig({ mining: 'by hand' });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      const data = callDataOf(journal.plan as EvmPlan);
      const front = await transact(node, FOREIGN_KEY, { to: DEPLOYMENT_PROXY, data, tip: 9n * 10n ** 9n });
      await push(node, front);
      await node.mine();
      expect(await drive(start(), token, journal)).toMatchObject({ transaction: front.transaction });
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test('the creating transaction is unknown: the token exists nevertheless', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      await land(
        node,
        await transact(node, FOREIGN_KEY, { to: DEPLOYMENT_PROXY, data: callDataOf(journal.plan as EvmPlan) }),
      );
      proxy.fault('eth_getLogs', { kind: 'error', code: -32005, message: 'query exceeds max block range' });
      expect(await drive(start(), token, journal)).toEqual({ kind: 'created', transaction: null, settled: true });
      expect(await start().read(journal.plan, token, null)).toMatchObject({
        ownerReceived: String(token.supply * UNITS),
        transaction: null,
        block: null,
        at: null,
      });
    });

    test('the node is on another chain: nothing is planned, observed, signed or read', async () => {
      const { node, proxy, start } = await rig({ chainId: 1 });
      const token = order();
      const journal = await planned(start(), token);
      proxy.fault('eth_chainId', { kind: 'result', value: '0x38' });
      const chain = start();
      await expect(chain.probe()).rejects.toEqual(problem('wrong_chain'));
      await expect(chain.prepare(token)).rejects.toEqual(problem('wrong_chain'));
      await expect(chain.observe(journal.plan, [])).rejects.toEqual(problem('wrong_chain'));
      await expect(chain.sign(journal.plan, token, { nonceFrom: 0n })).rejects.toEqual(problem('wrong_chain'));
      await expect(chain.read(journal.plan, token, null)).rejects.toEqual(problem('wrong_chain'));
      proxy.clear();
      // The plan belongs to another chain than the signer's.
      await expect(start().observe({ ...journal.plan, chainId: '56' }, [])).rejects.toEqual(problem('wrong_chain'));
      expect(proxy.count('eth_sendRawTransaction')).toBe(0);
      expect(await nonceOf(node)).toBe(0);
    });

    test('a chain without the deployment proxy, or with other code at its address, is unsupported', async () => {
      const { node, start } = await rig({ args: ['--disable-default-create2-deployer'] });
      const token = order();
      for (const code of ['0x', '0x6001600155']) {
        await node.rpc('anvil_setCode', DEPLOYMENT_PROXY, code);
        await expect(start().probe()).rejects.toEqual(problem('unsupported'));
        const journal = await planned(start(), token);
        await expect(start().sign(journal.plan, token, { nonceFrom: 0n })).rejects.toEqual(problem('unsupported'));
      }
    });

    test('a creation counts with enough confirmations; after an earlier reorganisation the same bytes are sent', async () => {
      const { node, start } = await rig({ mining: 'by hand', options: { confirmations: 3 } });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      await node.mine();
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'created', settled: false });
      await node.mine();
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'created', settled: false });
      await node.rpc('anvil_reorg', 2, []);
      expect(await codeOf(node, journal.plan.address)).toBe('0x');
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending' });
      await round(start(), token, journal);
      await node.mine(3);
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'created', settled: true });
      expect(journal.attempts).toHaveLength(1);
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test('a reorganisation deeper than the confirmations, with our nonce used by another transaction: same address', async () => {
      const { node, start } = await rig({ mining: 'by hand', options: { confirmations: 2 } });
      await node.mine(3);
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      await node.mine(3);
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'created', settled: true });
      const stored = bytesToHex((await transact(node, KEY, { nonce: 0 })).signed);
      await node.rpc('anvil_reorg', 3, [[stored, 0]]);
      expect(await codeOf(node, journal.plan.address)).toBe('0x');
      expect(await nonceOf(node)).toBe(1);
      expect(await start().observe(journal.plan, journal.attempts)).toEqual({ kind: 'open' });
      await drive(start(), token, journal, () => node.mine());
      expect(journal.attempts.map(({ nonce }) => nonce)).toEqual([0n, 1n]);
      expect(await tokensOf(node, OWNER)).toEqual([journal.plan.address.toLowerCase()]);
    });

    test('an included attempt that failed is repeated if the chain would accept it, three times at most', async () => {
      const { node, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const data = callDataOf(journal.plan as EvmPlan);
      for (let failures = 1; failures <= 3; failures++) {
        // Too little gas: the proxy reverts.
        const poor = await transact(node, KEY, { to: DEPLOYMENT_PROXY, data, gas: 300_000n });
        journal.add(poor);
        await land(node, poor);
        expect(await start().observe(journal.plan, journal.attempts)).toEqual(
          failures < 3
            ? { kind: 'open' }
            : { kind: 'refused', transaction: poor.transaction, reason: expect.stringContaining('again and again') },
        );
      }
    });

    test('a failed attempt that would revert again is refused at once', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const data = callDataOf(journal.plan as EvmPlan);
      const poor = await transact(node, KEY, { to: DEPLOYMENT_PROXY, data, gas: 300_000n });
      journal.add(poor);
      await land(node, poor);
      proxy.fault('eth_estimateGas', { kind: 'error', code: 3, message: 'execution reverted' });
      expect(await start().observe(journal.plan, journal.attempts)).toEqual({
        kind: 'refused',
        transaction: poor.transaction,
        reason: 'The chain reverts the creation',
      });
    });

    test('an included creation without a token is reported as unreachable, and nothing is signed', async () => {
      const { proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      await drive(start(), token, journal);
      proxy.fault('eth_getCode', { kind: 'result', value: '0x' });
      await expect(start().observe(journal.plan, journal.attempts)).rejects.toEqual(problem('unreachable'));
    });

    test('answers of a node with a wrong height are not used', async () => {
      const { node, proxy, start } = await rig({ mining: 'by hand', options: { confirmations: 3 } });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      await node.mine();
      proxy.fault('eth_getBlockByNumber', { kind: 'change', to: (block: object) => ({ ...block, number: '0xffff' }) });
      await expect(start().observe(journal.plan, journal.attempts)).rejects.toEqual(problem('unreachable'));
      await expect(start().sign(journal.plan, token, { nonceFrom: 1n })).rejects.toEqual(problem('unreachable'));
      proxy.clear();
      proxy.fault('eth_getBlockByNumber', { kind: 'change', to: (block: object) => ({ ...block, number: '0x0' }) });
      // The node is behind: its data are older, and the attempt can still be included.
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending' });
    });
  });
});

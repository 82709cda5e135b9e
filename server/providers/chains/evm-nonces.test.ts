// Nonces and fees on real EVM chains. After each failure the number of existing tokens is checked.
import { bytesToHex, parseTransaction } from 'viem';
import { describe, expect, test } from 'vitest';
import { anvil } from '#tests/support/chains/chains.ts';
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
} from '#tests/support/chains/evm-rig.ts';
import type { Attempt, TokenOrder } from './port.ts';

describe.skipIf(!anvil.available)(`Tokens on EVM chains${anvil.note}`, () => {
  describe('nonces and fees', () => {
    test('a nonce used by another transaction: signed again only once that is settled', async () => {
      const { node, start } = await rig({ mining: 'by hand', options: { confirmations: 3 } });
      const token = order();
      const journal = await planned(start(), token);
      journal.add(await start().sign(journal.plan, token, { nonceFrom: 0n }));
      await push(node, await transact(node, KEY));
      // Its fee is too low now as well; a higher one would not help.
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x2540be400');
      await node.mine();
      // The node refuses the bytes now, but a reorganisation could still include them.
      for (let i = 0; i < 2; i++) {
        expect(await start().observe(journal.plan, journal.attempts)).toEqual({
          kind: 'pending',
          transaction: journal.attempts[0]?.transaction,
          stuck: false,
        });
        await expect(start().send(journal.attempts[0] as Attempt)).rejects.toThrow('nonce is used already');
        await node.mine();
      }
      expect(await start().observe(journal.plan, journal.attempts)).toEqual({ kind: 'open' });
      await drive(start(), token, journal, () => node.mine());
      expect(journal.attempts.map(({ nonce }) => nonce)).toEqual([0n, 1n]);
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test("'nonce too low' is no error when the same bytes were included", async () => {
      const { start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      await drive(start(), token, journal);
      await start().send(journal.attempts[0] as Attempt);
      await start().send(journal.attempts[0] as Attempt);
    });

    test('a node with too low a count: no nonce of a stored attempt is used again', async () => {
      const { proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      proxy.fault('eth_getTransactionCount', { kind: 'result', value: '0x0' });
      expect((await start().sign(journal.plan, token, { nonceFrom: 7n })).nonce).toBe(7n);
    });

    test('a node with too high a count: attempts that it has still count', async () => {
      const { node, proxy, start } = await rig({ mining: 'by hand' });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      proxy.fault('eth_getTransactionCount', { kind: 'result', value: '0x63' });
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending', stuck: false });
      proxy.clear();
      await node.mine();
      await drive(start(), token, journal);
      expect(journal.attempts).toHaveLength(1);
    });

    test('a wrong nonce leaves a gap: the missing nonce is used, one token', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const undo = proxy.fault('eth_getTransactionCount', { kind: 'result', value: '0x9' });
      await round(start(), token, journal);
      undo();
      expect(journal.attempts[0]?.nonce).toBe(9n);
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending', stuck: true });
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
      const sight = await start().observe(journal.plan, journal.attempts);
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

    test('the replaced attempt is included after all', async () => {
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
      // Another node still has it, and the base fee fell.
      await node.drop(journal.attempts[0]?.transaction as string);
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x1');
      await node.mine();
      await push(node, journal.attempts[0] as Attempt);
      await node.mine();
      const made = await drive(start(), token, journal);
      expect(made.transaction).toBe(journal.attempts[0]?.transaction);
      expect(await tokensOf(node, OWNER)).toHaveLength(1);
    });

    test('gas never costs more than the limit: the offer waits, and is not reported as stuck', async () => {
      const maxFee = 5n * 10n ** 9n;
      const { node, start } = await rig({ mining: 'by hand', options: { maxFee } });
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x2540be400');
      await node.mine();
      const token = order();
      const journal = await planned(start(), token);
      journal.add(await start().sign(journal.plan, token, { nonceFrom: 0n }));
      const [attempt] = journal.attempts as [Attempt];
      expect(parseTransaction(bytesToHex(attempt.signed)).maxFeePerGas).toBe(maxFee);
      expect(await start().observe(journal.plan, [attempt])).toMatchObject({ kind: 'pending', stuck: false });
      await expect(start().sign(journal.plan, token, { nonceFrom: 1n, replaces: attempt })).rejects.toThrow('limit');
      await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
      await node.mine();
      await drive(start(), token, journal, () => node.mine());
      expect(journal.attempts).toHaveLength(1);
    });

    test('chains without a base fee use a gas price, which is raised as well', async () => {
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

    test('an attempt that waits behind the creation of another token keeps its nonce', async () => {
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
      expect(await start().observe(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending', stuck: false });
      const replaces = journal.attempts[0] as Attempt;
      expect((await start().sign(journal.plan, token, { nonceFrom: 2n, replaces })).nonce).toBe(1n);
    });

    test('the nonce of a replaced attempt that was used meanwhile is not used twice', async () => {
      const { node, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const replaces = await start().sign(journal.plan, token, { nonceFrom: 0n });
      await land(node, await transact(node, KEY));
      await expect(start().sign(journal.plan, token, { nonceFrom: 1n, replaces })).rejects.toThrow(
        'The nonce of that attempt is used already',
      );
    });

    test('wrong gas estimates: too low ones are raised, with too high ones nothing is signed', async () => {
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

    test('without tips the gas price is read', async () => {
      const { proxy, start } = await rig();
      const usual = await start().probe();
      proxy.fault('eth_maxPriorityFeePerGas', { kind: 'error', code: -32601, message: 'Method not found' });
      expect(Number((await start().probe()).cost)).toBeCloseTo(Number(usual.cost), 3);
      proxy.fault('eth_maxPriorityFeePerGas', { kind: 'error', code: -32000, message: 'busy' });
      await expect(start().probe()).rejects.toEqual(problem('unreachable'));
    });

    test('missing coins at sending are reported as such, and it is included once they are back', async () => {
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

    test('a deployer without coins signs nothing, and reports that before', async () => {
      const { node, start } = await rig();
      await node.setBalance(DEPLOYER, 10n ** 12n);
      expect(await start().probe()).toMatchObject({ balance: '0.000001', enoughFor: 0 });
      const token = order();
      const journal = await planned(start(), token);
      await expect(start().sign(journal.plan, token, { nonceFrom: 0n })).rejects.toEqual(problem('low_balance'));
    });

    test('a balance reported as enough for two tokens is enough for two, and not for many more', async () => {
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

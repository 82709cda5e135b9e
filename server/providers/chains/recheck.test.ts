// Created tokens, read again on real local chains, with changes that no transaction could make.
import { inspect } from 'node:util';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { describe, expect, onTestFinished, test } from 'vitest';
import { anvil, startSurfnet, surfnet } from '#tests/support/chains/chains.ts';
import { drive, order, planned, problem, rig, UNITS } from '#tests/support/chains/evm-rig.ts';
import { create, someOrder } from '#tests/support/chains/solana-rig.ts';

/** The difference in the error; undefined if nothing was thrown. */
const differs = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error) => error.differs ?? inspect(error),
  );
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

describe.skipIf(!anvil.available)(`An EVM token that is read again${anvil.note}`, () => {
  test.each([1, 56, 137])('chain %i: is unchanged, and every planted change is detected', async (chainId) => {
    const { node, start, proxy } = await rig({ chainId });
    const chain = start();
    const token = order();
    const { plan, ...journal } = await made(chain, token);
    const { block } = await chain.read(plan, token, journal.transaction);
    await node.mine(3);
    expect(await start().recheck(plan, token, block)).toEqual({
      supply: String(token.supply * UNITS),
      block: String(Number(block) + 3),
    });
    const short = (text: string) =>
      `0x${Buffer.from(text).toString('hex').padEnd(62, '0')}${(text.length * 2).toString(16).padStart(2, '0')}`;
    // Slots of OpenZeppelin's ERC20: whole supply, name, symbol.
    for (const [slot, value, what] of [
      [2n, word(token.supply * UNITS + 1n), 'supply'],
      [3n, short('Other'), 'name'],
      [4n, short('OTH'), 'symbol'],
    ] as const) {
      const before = await node.rpc<string>('eth_getStorageAt', plan.address, word(slot), 'latest');
      await node.rpc('anvil_setStorageAt', plan.address, word(slot), value);
      expect(await differs(start().recheck(plan, token, block))).toBe(what);
      await node.rpc('anvil_setStorageAt', plan.address, word(slot), before);
    }
    const code = await node.rpc<string>('eth_getCode', plan.address, 'latest');
    await node.rpc('anvil_setCode', plan.address, `${code}00`);
    expect(await differs(start().recheck(plan, token, block))).toBe('code');
    await node.rpc('anvil_setCode', plan.address, '0x');
    expect(await differs(start().recheck(plan, token, block))).toBe('gone');
    // A node that is behind the block of the creation does not have the token.
    await expect(start().recheck(plan, token, String(Number(block) + 100))).rejects.toEqual(problem('unreachable'));
    await expect(start().recheck(plan, token, null)).rejects.toEqual(problem('unreachable'));
    await node.rpc('anvil_setCode', plan.address, code);
    expect(await differs(start().recheck(plan, token, block))).toBeUndefined();
    await proxy.stop();
    await expect(start().recheck(plan, token, block)).rejects.toEqual(problem('unreachable'));
  });
});

/** A token on the chain, with its plan and transaction. */
async function made(chain: Parameters<typeof planned>[0], token: ReturnType<typeof order>) {
  const journal = await planned(chain, token);
  const { transaction } = await drive(chain, token, journal);
  return { plan: journal.plan, transaction };
}

describe.skipIf(!surfnet.available)(`A token on Solana that is read again${surfnet.note}`, () => {
  test('is unchanged, also with less supply; every planted change is detected', async () => {
    const net = startSurfnet();
    onTestFinished(() => net.stop());
    const token = await someOrder();
    const { chain, plan, facts } = await create(net, token);
    const { value } = await net.rpc<{ value: { data: [string] } }>('getAccountInfo', plan.address, {
      encoding: 'base64',
    });
    const original = Buffer.from(value.data[0], 'base64');
    const write = (data: Buffer, owner: string = TOKEN_2022_PROGRAM_ADDRESS) =>
      net.rpc('surfnet_setAccount', plan.address, { lamports: 9_000_000, owner, data: data.toString('hex') });
    const changed = (at: number, ...bytes: number[]) => {
      const copy = Buffer.from(original);
      copy.set(bytes, at);
      return copy;
    };
    expect(await chain.recheck(plan, token, facts.block)).toMatchObject({ supply: facts.supply });
    const [pointer, metadata] = [166, 166 + 4 + 64];
    for (const [bytes, what] of [
      [changed(0, 1), 'mint_authority'],
      [changed(42, 0xff), 'supply'],
      [changed(44, 9), 'decimals'],
      [changed(46, 1), 'freeze_authority'],
      [changed(pointer + 4, 7), 'metadata'],
      [changed(metadata + 4, 7), 'metadata_authority'],
      [original.subarray(0, 120), 'code'],
    ] as const) {
      await write(Buffer.from(bytes));
      expect(await differs(chain.recheck(plan, token, facts.block))).toBe(what);
    }
    await write(original, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
    expect(await differs(chain.recheck(plan, token, facts.block))).toBe('code');
    // Holders can burn tokens.
    const burnt = Buffer.from(original);
    burnt.writeBigUInt64LE(5n, 36);
    await write(burnt);
    expect(await chain.recheck(plan, token, facts.block)).toMatchObject({ supply: '5' });
  });
});

// Reading back a token on Solana.
import { inspect } from 'node:util';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import {
  findAssociatedTokenPda,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022';
import { describe, expect, test } from 'vitest';
import { net } from '#tests/fixtures/solana-net.ts';
import { surfnet } from '#tests/support/chains/chains.ts';
import {
  create,
  drive,
  open,
  openBehindProxy,
  problemOf,
  someOrder,
  transact,
} from '#tests/support/chains/solana-rig.ts';
import type { TokenOrder } from './port.ts';

describe.skipIf(!surfnet.available)(`Tokens on Solana${surfnet.note}`, () => {
  describe('reading back', () => {
    test('the received amount is read from the creation if the owner moved or burned tokens since', async () => {
      const owner = await generateKeyPairSigner();
      net.fund(owner.address, 1_000_000_000);
      const order = await someOrder({ owner: owner.address, supply: 100n });
      const { proxy, chain } = await openBehindProxy(net);
      const plan = await chain.prepare(order);
      const { attempts } = await drive(chain, plan, order);
      const transaction = attempts[0]?.transaction ?? '';
      const mint = plan.address as Address;
      const account = plan['account'] as Address;
      const friend = await generateKeyPairSigner();
      const [theirs] = await findAssociatedTokenPda({
        owner: friend.address,
        mint,
        tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
      });
      await transact(net, owner, [
        getCreateAssociatedTokenIdempotentInstruction({
          payer: owner,
          ata: theirs,
          owner: friend.address,
          mint,
          tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
        }),
        getTransferCheckedInstruction({
          source: account,
          mint,
          destination: theirs,
          authority: owner,
          amount: 70_000_000n,
          decimals: 6,
        }),
      ]);
      const received = { ownerReceived: '100000000', transaction };
      expect(await chain.read(plan, order, transaction)).toMatchObject({ ...received, supply: '100000000' });
      expect(await chain.read(plan, order, null)).toMatchObject(received);
      await transact(net, owner, [getBurnInstruction({ account, mint, authority: owner, amount: 30_000_000n })]);
      expect(await chain.read(plan, order, transaction)).toMatchObject({ ...received, supply: '70000000' });
      await transact(net, owner, [getCloseAccountInstruction({ account, destination: owner.address, owner })]);
      expect(await chain.read(plan, order, null)).toMatchObject({ ...received, supply: '70000000' });

      // Without history the received amount is not reported.
      proxy.fault('getTransaction', { kind: 'result', value: null });
      expect(await problemOf(chain.read(plan, order, transaction))).toBe('unreachable');
    });

    test('the received amount is read from the balance if the node has no history', async () => {
      const order = await someOrder();
      const { plan, attempts } = await create(net, order);
      const { proxy, chain } = await openBehindProxy(net);
      proxy.fault('getTransaction', { kind: 'result', value: null });
      proxy.fault('getSignaturesForAddress', { kind: 'result', value: [] });
      expect(await chain.read(plan, order, attempts[0]?.transaction ?? null)).toMatchObject({
        ownerReceived: '1000000000000000',
        transaction: attempts[0]?.transaction,
        block: null,
        at: null,
      });
      // A failed transaction moved nothing, whatever balances its response contains.
      proxy.fault('getTransaction', {
        kind: 'change',
        to: (found: { meta: object }) => ({
          ...found,
          meta: {
            ...found.meta,
            err: 'AccountInUse',
            postTokenBalances: [{ mint: plan.address, owner: order.owner, uiTokenAmount: { amount: '1' } }],
          },
        }),
      });
      expect(await chain.read(plan, order, attempts[0]?.transaction ?? null)).toMatchObject({
        ownerReceived: '1000000000000000',
      });
    });

    test('the time of the block is read if the chain provides it', async () => {
      const order = await someOrder();
      const { plan, attempts } = await create(net, order);
      const { proxy, chain } = await openBehindProxy(net);
      proxy.fault('getTransaction', {
        kind: 'change',
        to: (found: object) => ({ ...found, blockTime: 1_763_719_200 }),
      });
      expect(await chain.read(plan, order, null)).toMatchObject({ at: '2025-11-21T10:00:00.000Z' });
      // No search if the transaction is known.
      const before = proxy.count('getSignaturesForAddress');
      await chain.read(plan, order, attempts[0]?.transaction ?? null);
      expect(proxy.count('getSignaturesForAddress')).toBe(before);
    });

    test('every difference from the order is a mismatch', async () => {
      const order = await someOrder();
      const { chain, plan } = await create(net, order);
      const orders: Partial<TokenOrder>[] = [
        { name: 'Florka Tes7' },
        { symbol: 'FLRX' },
        { supply: order.supply - 1n },
        { supply: order.supply + 1n },
        { metadataUrl: 'https://florka.example/t/other.json' },
        { owner: (await someOrder()).owner },
      ];
      for (const over of orders)
        expect(await problemOf(chain.read(plan, { ...order, ...over }, null)), inspect(over)).toBe('mismatch');
      await chain.read(plan, order, null);
    });

    test('every forbidden authority and extension is a mismatch', async () => {
      const order = await someOrder();
      const { chain, plan } = await create(net, order);
      const account = async (address: string) => {
        const { value } = await net.rpc<{ value: { data: [string] } }>('getAccountInfo', address, {
          encoding: 'base64',
        });
        return Buffer.from(value.data[0], 'base64');
      };
      const original = await account(plan.address);
      const write = (data: Buffer, owner: string = TOKEN_2022_PROGRAM_ADDRESS) =>
        net.rpc('surfnet_setAccount', plan.address, { lamports: 9_000_000, owner, data: data.toString('hex') });
      const changed = (at: number, ...bytes: number[]) => {
        const copy = Buffer.from(original);
        copy.set(bytes, at);
        return copy;
      };
      /** Changes the first byte of an address. */
      const other = (at: number) => changed(at, (original[at] ?? 0) ^ 0xff);
      const pointer = 166;
      const metadata = pointer + 4 + 64;
      const forgeries: Record<string, Buffer> = {
        'mint authority': changed(0, 1),
        supply: changed(36, 0xff),
        decimals: changed(44, 9),
        'not a mint yet': changed(45, 0),
        'freeze authority': changed(46, 1),
        'pointer authority': changed(pointer + 4, 7),
        'metadata elsewhere': other(pointer + 4 + 32),
        'another extension': changed(pointer, 3),
        'metadata authority': changed(metadata + 4, 7),
        'metadata of another mint': other(metadata + 4 + 32),
        'less bytes': original.subarray(0, 120),
        'no extension': original.subarray(0, 82),
      };
      for (const [name, data] of Object.entries(forgeries)) {
        await write(data);
        expect(await problemOf(chain.read(plan, order, null)), name).toBe('mismatch');
      }
      await write(original, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
      expect(await problemOf(chain.read(plan, order, null))).toBe('mismatch');
      expect(await problemOf(chain.observe(plan, []))).toBe('mismatch');
      await write(original);
      await chain.read(plan, order, null);
    });

    test('a supply that another account received, all or a part of it, is a mismatch', async () => {
      const order = await someOrder();
      const { owner: other } = await someOrder();
      const { plan, attempts } = await create(net, order);
      const { proxy, chain } = await openBehindProxy(net);
      const transaction = attempts[0]?.transaction ?? null;
      const received = (owner: string, amount: bigint) => ({
        mint: plan.address,
        owner,
        uiTokenAmount: { amount: String(amount) },
      });
      const all = 1_000_000_000_000_000n;
      for (const [balances, result] of [
        [[received(order.owner, all)], 'read'],
        [[received(other, all)], 'mismatch'],
        [[received(order.owner, all - 1n), received(other, 1n)], 'mismatch'],
      ] as const) {
        proxy.fault('getTransaction', {
          kind: 'change',
          to: (found: { meta: object }) => ({ ...found, meta: { ...found.meta, postTokenBalances: balances } }),
        });
        const reading = chain.read(plan, order, transaction);
        if (result === 'read') expect(await reading).toMatchObject({ ownerReceived: String(all) });
        else expect(await problemOf(reading)).toBe(result);
      }
    });

    test('a token that is not visible yet is reported as unreachable', async () => {
      const chain = await open(net);
      const order = await someOrder();
      expect(await problemOf(chain.read(await chain.prepare(order), order, null))).toBe('unreachable');
    });

    test('pages of the explorer follow its configured templates', async () => {
      const explorer = {
        address: 'https://explorer.example/token/{address}?cluster=devnet',
        transaction: 'https://explorer.example/tx/{transaction}?cluster=devnet',
      };
      const chain = await open(net, { explorer });
      expect(chain.pageOf({ address: 'abc' })).toBe('https://explorer.example/token/abc?cluster=devnet');
      expect(chain.pageOf({ transaction: 'a/b' })).toBe('https://explorer.example/tx/a%2Fb?cluster=devnet');
      expect((await open(net)).pageOf({ address: 'abc' })).toBeNull();
    });
  });
});

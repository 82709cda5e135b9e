// The deployer's balance on Solana, and the cost of tokens there.
import { type Address, createKeyPairSignerFromBytes, getBase58Decoder } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { describe, expect, test } from 'vitest';
import { net } from '#tests/fixtures/solana-net.ts';
import { surfnet } from '#tests/support/chains/chains.ts';
import type { Fault } from '#tests/support/chains/rpc-proxy.ts';
import {
  create,
  drive,
  NOTHING,
  open,
  openBehindProxy,
  priceOf,
  problemOf,
  someOrder,
  transact,
} from '#tests/support/chains/solana-rig.ts';
import { SOLANA_MAINNET } from './solana.ts';

describe.skipIf(!surfnet.available)(`Tokens on Solana${surfnet.note}`, () => {
  describe('money', () => {
    test('balance, cost of a token, and the number of tokens that the balance covers are reported', async () => {
      const chain = await open(net);
      const probe = await chain.probe();
      expect(probe).toMatchObject({ production: false, deployer: net.payer, coin: 'SOL' });
      expect(probe.chainId).toBe(await net.rpc('getGenesisHash'));
      const { value } = await net.rpc<{ value: number }>('getBalance', net.payer);
      expect(Math.round(Number(probe.balance) * 1e9)).toBe(value);
      expect(probe.enoughFor).toBe(Math.floor((value - 890_880) / Math.round(Number(probe.cost) * 1e9)));

      // The most expensive order costs the estimate, to the lamport.
      await create(
        net,
        await someOrder({ name: 'n'.repeat(32), symbol: 's'.repeat(10), metadataUrl: `https://${'u'.repeat(192)}` }),
      );
      const after = await net.rpc<{ value: number }>('getBalance', net.payer);
      expect(value - after.value).toBe(Math.round(Number(probe.cost) * 1e9));
    });

    test('mainnet is reported as a chain with real money', async () => {
      const { proxy, chain } = await openBehindProxy(net);
      proxy.fault('getGenesisHash', { kind: 'result', value: SOLANA_MAINNET });
      expect(await chain.probe()).toMatchObject({ production: true, chainId: SOLANA_MAINNET });
    });

    test('another chain than the configured one is refused by every call', async () => {
      const chain = await open(net, { genesis: SOLANA_MAINNET });
      const order = await someOrder();
      const { plan, attempts } = await create(net, order);
      const [attempt] = attempts;
      if (!attempt) throw new Error('no attempt');
      for (const work of [
        () => chain.probe(),
        () => chain.prepare(order),
        () => chain.observe(plan, []),
        () => chain.sign(plan, order, NOTHING),
        () => chain.send(attempt),
        () => chain.read(plan, order, null),
      ])
        expect(await problemOf(work())).toBe('wrong_chain');
      await (await open(net, { genesis: await net.rpc<string>('getGenesisHash') })).probe();
      // An unknown cluster that is not on this machine.
      const unknown = await open(net, { rpcUrl: net.url.replace('127.0.0.1', '0.0.0.0') });
      expect(await problemOf(unknown.probe())).toBe('wrong_chain');
    });

    test('a chain without the token program is unsupported', async () => {
      const { proxy, chain } = await openBehindProxy(net);
      proxy.fault('getAccountInfo', ({ params }) =>
        params[0] === TOKEN_2022_PROGRAM_ADDRESS
          ? { kind: 'change', to: (found: object) => ({ ...found, value: null }) }
          : undefined,
      );
      expect(await problemOf(chain.probe())).toBe('unsupported');
      expect(await problemOf(chain.prepare(await someOrder()))).toBe('unsupported');
    });

    test('a balance one lamport too low is refused before signing, and the exact amount suffices', async () => {
      const secret = await deployer();
      const key = JSON.stringify([...secret]);
      const { address } = await createKeyPairSignerFromBytes(secret);
      const chain = await open(net, { key });
      const order = await someOrder();
      const plan = await chain.prepare(order);
      expect(await problemOf(chain.sign(plan, order, NOTHING))).toBe('low_balance');
      const rent = async (bytes: number) => net.rpc<number>('getMinimumBalanceForRentExemption', bytes);
      // 234 bytes, the length of the texts, and their overhead: 12 for name, symbol and address, 4 for more, 68.
      const texts = order.name.length + order.symbol.length + order.metadataUrl.length;
      const mint = 234 + 4 + 64 + 12 + texts + 4;
      const exact = (await rent(mint)) + (await rent(170)) + (await rent(0)) + 10_000 + 1_200;
      net.fund(address, exact - 1);
      expect(await chain.probe()).toMatchObject({ enoughFor: 0 });
      expect(await problemOf(chain.sign(plan, order, NOTHING))).toBe('low_balance');
      const dearest = Math.round(Number((await chain.probe()).cost) * 1e9);
      for (const [holds, enoughFor] of [
        [dearest, 0],
        [dearest + (await rent(0)), 1],
        [2 * dearest + (await rent(0)) - 1, 1],
        [2 * dearest + (await rent(0)), 2],
      ] as const) {
        net.fund(address, holds);
        expect(await chain.probe()).toMatchObject({ enoughFor });
      }
      net.fund(address, exact);
      await drive(chain, plan, order);
      expect(await net.rpc('getBalance', address)).toMatchObject({ value: await rent(0) });
    });

    test('a balance that decreases between signing and sending is reported, until it is restored', async () => {
      const secret = await deployer();
      const signer = await createKeyPairSignerFromBytes(secret);
      net.fund(signer.address, 20_000_000);
      const chain = await open(net, { key: getBase58Decoder().decode(secret) });
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const attempt = await chain.sign(plan, order, NOTHING);
      const away = getTransferSolInstruction({
        source: signer,
        destination: net.payer as Address,
        amount: 19_000_000n,
      });
      await transact(net, signer, [away]);
      expect(await problemOf(chain.send(attempt))).toBe('low_balance');
      net.fund(signer.address, 20_000_000);
      await chain.send(attempt);
      expect(await chain.observe(plan, [attempt])).toMatchObject({ kind: 'created' });
    });

    test('the priority fee follows the market within limits; rents and blockhash lifetimes of the node are limited', async () => {
      const { proxy, chain } = await openBehindProxy(net);
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const priceIn = async () => {
        const one = await someOrder();
        return priceOf(await chain.sign(await chain.prepare(one), one, NOTHING));
      };
      const fees = (...prices: number[]): Fault => ({
        kind: 'result',
        value: prices.map((prioritizationFee, slot) => ({ slot, prioritizationFee })),
      });
      const prices: [Fault, bigint][] = [
        [fees(), 10_000n],
        [fees(0, 0, 0, 5), 10_000n],
        [fees(1, 70_000, 50_000, 60_000), 70_000n],
        [fees(9e12, 9e12, 9e12, 9e12), 2_000_000n],
        [{ kind: 'error', code: -32601, message: 'Method not found' }, 10_000n],
      ];
      for (const [fault, price] of prices) {
        proxy.fault('getRecentPrioritizationFees', fault);
        expect(await priceIn()).toBe(price);
      }
      // The price of an attempt that was not included may have been too low.
      const offers: bigint[] = [];
      for (let i = 0; i < 12; i++) offers.push(priceOf(await chain.sign(plan, order, NOTHING)));
      expect(offers.slice(0, 6)).toEqual([10_000n, 40_000n, 160_000n, 640_000n, 2_000_000n, 2_000_000n]);
      expect(offers.at(-1)).toBe(2_000_000n);
      const undo = proxy.fault('getMinimumBalanceForRentExemption', { kind: 'change', to: (rent: number) => rent * 3 });
      expect(await problemOf(chain.sign(plan, order, NOTHING))).toBe('unreachable');
      undo();
      for (const life of [-1_000, 100_000]) {
        proxy.fault(
          'getLatestBlockhash',
          {
            kind: 'change',
            to: ({ context, value }: { context: object; value: { lastValidBlockHeight: number } }) => ({
              context,
              value: { ...value, lastValidBlockHeight: Math.max(0, value.lastValidBlockHeight + life) },
            }),
          },
          1,
        );
        expect(await problemOf(chain.sign(plan, order, NOTHING)), String(life)).toBe('unreachable');
      }
    });

    async function deployer(): Promise<Uint8Array> {
      const { generateKeyPairSync } = await import('node:crypto');
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
      return Uint8Array.from([...secret, ...publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
    }
  });
});

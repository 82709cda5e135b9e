// What the adapter makes of Solana nodes that lie or fail, of its money, and of what it reads back.
import { inspect } from 'node:util';
import { type Address, createKeyPairSignerFromBytes, generateKeyPairSigner, getBase58Decoder } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SurfnetChain, startSurfnet, surfnet } from '#tests/support/chains.ts';
import type { Fault } from '#tests/support/rpc-proxy.ts';
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
} from '#tests/support/solana-rig.ts';
import type { Attempt, ChainError, TokenOrder } from './port.ts';
import { SOLANA_MAINNET, type SolanaOptions } from './solana.ts';

describe.skipIf(!surfnet.available)(`Tokens on Solana${surfnet.note}`, () => {
  /** A block for each transaction. */
  let net: SurfnetChain;
  beforeAll(() => {
    net = startSurfnet();
  });
  afterAll(() => {
    net.stop();
  });

  describe('nodes that lie or fail', () => {
    /** An order whose only attempt was never sent: every lie can make it look lost. */
    async function underWay(more: Partial<SolanaOptions> = {}) {
      const { proxy, chain } = await openBehindProxy(net, more);
      const order = await someOrder();
      const plan = await chain.prepare(order);
      const attempt = await chain.sign(plan, order, NOTHING);
      return { proxy, chain, order, plan, attempt };
    }
    const ranOut: Fault = { kind: 'change', to: (epoch: object) => ({ ...epoch, blockHeight: 10_000 }) };
    const dead: Fault = { kind: 'change', to: (answer: object) => ({ ...answer, value: false }) };

    test('open only when height, statuses, account and blockhash all say so', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      proxy.fault('getEpochInfo', ranOut);
      // The height alone is a lie: the blockhash lives.
      expect(await problemOf(chain.look(plan, [attempt]))).toBe('unreachable');
      proxy.fault('isBlockhashValid', dead);
      expect(await chain.look(plan, [attempt])).toEqual({ kind: 'open' });
      const order = proxy.calls.slice(-7).map(({ method }) => method);
      expect(order).toEqual([
        'getGenesisHash',
        'getEpochInfo',
        'getSignatureStatuses',
        'getAccountInfo',
        'isBlockhashValid',
        'getEpochInfo',
        'getGenesisHash',
      ]);
      expect(proxy.calls.at(-6)?.params[0]).toEqual({ commitment: 'finalized' });
      expect(proxy.calls.at(-5)?.params[1]).toEqual({ searchTransactionHistory: true });
    });

    test('the margin: the last block in which it may land, and 32 more', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      const height = (blockHeight: number): Fault => ({
        kind: 'change',
        to: (epoch: object) => ({ ...epoch, blockHeight }),
      });
      proxy.fault('isBlockhashValid', dead);
      const until = Number(attempt.validUntil);
      for (const [at, kind] of [
        [until, 'pending'],
        [until + 32, 'pending'],
        [until + 33, 'open'],
      ] as const) {
        proxy.fault('getEpochInfo', height(at));
        expect((await chain.look(plan, [attempt])).kind, String(at)).toBe(kind);
      }
      // A node tells about 256 at once.
      expect((await chain.look(plan, Array<Attempt>(300).fill(attempt))).kind).toBe('open');
      expect(proxy.calls.findLast(({ method }) => method === 'getSignatureStatuses')?.params[0]).toHaveLength(256);
      // One attempt that may still land is enough.
      const endless = { ...attempt, validUntil: null };
      expect((await chain.look(plan, [endless, attempt])).kind).toBe('pending');
      expect((await chain.look(plan, [{ ...attempt, validUntil: BigInt(until) + 1n }, attempt])).kind).toBe('pending');
    });

    test('a height that goes backwards, in one look or between two', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      proxy.fault('isBlockhashValid', dead);
      const lower: Fault = { kind: 'change', to: (epoch: object) => ({ ...epoch, blockHeight: 9_000 }) };
      let asked = 0;
      const undo = proxy.fault('getEpochInfo', () => (asked++ === 0 ? ranOut : lower));
      expect(await problemOf(chain.look(plan, [attempt]))).toBe('unreachable');
      undo();
      const stop = proxy.fault('getEpochInfo', ranOut);
      expect(await chain.look(plan, [attempt])).toEqual({ kind: 'open' });
      stop();
      proxy.fault('getEpochInfo', lower);
      expect(await problemOf(chain.look(plan, [attempt]))).toBe('unreachable');
      // From there on it goes forward again.
      expect(await chain.look(plan, [attempt])).toEqual({ kind: 'open' });
    });

    test('a node behind the height that it told', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      proxy.fault('getEpochInfo', ranOut);
      proxy.fault('isBlockhashValid', dead);
      const behind: Fault = { kind: 'change', to: (answer: object) => ({ ...answer, context: { slot: 1 } }) };
      for (const method of ['getAccountInfo', 'getSignatureStatuses']) {
        const undo = proxy.fault(method, behind);
        expect(await problemOf(chain.look(plan, [attempt])), method).toBe('unreachable');
        undo();
      }
      expect(await chain.look(plan, [attempt])).toEqual({ kind: 'open' });
    });

    test('another chain answers in the middle of a look', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      proxy.fault('getEpochInfo', ranOut);
      proxy.fault('isBlockhashValid', dead);
      let asked = 0;
      proxy.fault('getGenesisHash', () => (asked++ === 0 ? undefined : { kind: 'result', value: SOLANA_MAINNET }));
      expect(await problemOf(chain.look(plan, [attempt]))).toBe('wrong_chain');
    });

    test('a status without its token, and statuses of failures', async () => {
      const { proxy, chain, plan, attempt } = await underWay();
      const status = (over: object): Fault => ({
        kind: 'change',
        to: (answer: { value: object[] }) => ({
          ...answer,
          value: answer.value.map(() => ({ slot: 1, err: null, confirmationStatus: 'finalized', ...over })),
        }),
      });
      const look = async (fault: Fault, attempts = [attempt]) => {
        const undo = proxy.fault('getSignatureStatuses', fault);
        const sight = await chain.look(plan, attempts).catch((error: ChainError) => ({ kind: error.problem }));
        undo();
        return sight;
      };
      expect(await look(status({}))).toEqual({ kind: 'unreachable' });
      expect((await look(status({ confirmationStatus: 'processed' }))).kind).toBe('pending');
      expect((await look(status({ confirmationStatus: null }))).kind).toBe('pending');
      // It landed after the account was asked for.
      expect((await look(status({ slot: 1_000_000 }))).kind).toBe('pending');

      const poor = { err: { InstructionError: [6, { Custom: 1 }] } };
      expect((await look(status({ ...poor, confirmationStatus: 'processed' }))).kind).toBe('pending');
      expect(await look(status(poor))).toEqual({ kind: 'open' });
      expect(await look(status({ err: { InstructionError: [2, { Custom: 0 }] } }))).toEqual({ kind: 'open' });
      expect(await look(status({ err: { InsufficientFundsForRent: { account_index: 0 } } }))).toEqual({ kind: 'open' });
      expect(await look(status(poor), [attempt, attempt, attempt])).toMatchObject({ kind: 'refused' });
      expect(await look(status({ err: { InstructionError: [5, 'InvalidInstructionData'] } }))).toEqual({
        kind: 'refused',
        transaction: attempt.transaction,
        reason: 'instruction 5: InvalidInstructionData',
      });
      expect(await look({ kind: 'change', to: (answer: object) => ({ ...answer, value: [] }) })).toEqual({
        kind: 'unreachable',
      });
    });

    test('every answer that is none: nothing is known, and nothing is signed', async () => {
      const { proxy, chain, order, plan, attempt } = await underWay({ patience: 300 });
      proxy.fault('getEpochInfo', ranOut);
      proxy.fault('isBlockhashValid', dead);
      const json = { 'content-type': 'application/json' };
      const answers: Record<string, Fault> = {
        'a page of HTML': { kind: 'http', status: 502, body: '<html>Bad gateway</html>' },
        'a page that says all is well': { kind: 'http', status: 200, body: '<html>Welcome</html>' },
        'too many requests': { kind: 'http', status: 429, body: '{"jsonrpc":"2.0","id":1,"result":null}' },
        'somewhere else': { kind: 'http', status: 307, headers: { location: net.url } },
        nothing: { kind: 'http', status: 200 },
        'half an answer': { kind: 'http', status: 200, headers: json, body: '{"jsonrpc":"2.0","id":1,"resu' },
        'an answer to another question': { kind: 'http', status: 200, body: '{"jsonrpc":"2.0","id":0,"result":null}' },
        'an endless answer': { kind: 'http', status: 200, body: ' '.repeat(1_200_000) },
        'another shape': { kind: 'result', value: { context: { slot: -1 }, value: [[[]]] } },
        null: { kind: 'result', value: null },
        'a refusal': { kind: 'error', code: -32005, message: 'Node is behind by 42 slots' },
        'a missing method': { kind: 'error', code: -32601, message: 'Method not found' },
        'a broken connection': { kind: 'cut' },
        silence: { kind: 'hold' },
      };
      const methods = ['getGenesisHash', 'getEpochInfo', 'getSignatureStatuses', 'getAccountInfo', 'isBlockhashValid'];
      for (const [name, fault] of Object.entries(answers))
        for (const method of methods) {
          if (name === 'silence' && method !== 'getSignatureStatuses') continue;
          const undo = proxy.fault(method, fault);
          expect(await problemOf(chain.look(plan, [attempt])), `${method}: ${name}`).toBe('unreachable');
          undo();
        }
      const otherAnswer = JSON.stringify({ jsonrpc: '2.0', id: 0, result: plan['genesis'] });
      proxy.fault('getGenesisHash', { kind: 'http', status: 200, body: otherAnswer }, 1);
      expect(await problemOf(chain.look(plan, [attempt]))).toBe('unreachable');
      for (const method of ['getBalance', 'getLatestBlockhash', 'getMinimumBalanceForRentExemption']) {
        const undo = proxy.fault(method, { kind: 'result', value: {} });
        expect(await problemOf(chain.sign(plan, order, NOTHING)), method).toBe('unreachable');
        undo();
      }
      proxy.drop();
      expect(await chain.look(plan, [attempt])).toEqual({ kind: 'open' });
    });

    test('sending: what the node says decides what is done, never that it is final', async () => {
      const { proxy, chain, attempt } = await underWay();
      const send = async (fault: Fault) => {
        proxy.fault('sendTransaction', fault, 1);
        return problemOf(chain.send(attempt));
      };
      const preflight = (err: unknown): Fault => ({ kind: 'error', code: -32002, message: 'failed', data: { err } });
      expect(await send(preflight('BlockhashNotFound'))).toBe('unreachable');
      expect(await send(preflight({ InstructionError: [2, { Custom: 0 }] }))).toBe('unreachable');
      expect(await send(preflight('InsufficientFundsForFee'))).toBe('low_balance');
      expect(await send(preflight('AccountNotFound'))).toBe('low_balance');
      expect(await send(preflight({ InstructionError: [6, { Custom: 1 }] }))).toBe('low_balance');
      expect(await send(preflight({ InstructionError: [3, 'InvalidInstructionData'] }))).toBe('unsupported');
      expect(await send(preflight('AlreadyProcessed'))).toContain('no problem');
      const inWords = 'Error processing Instruction 6: custom program error: 0x1';
      expect(await send({ kind: 'error', code: -32002, message: inWords })).toBe('low_balance');
      expect(await send({ kind: 'error', code: -32003, message: 'Transaction signature verification failure' })).toBe(
        'unreachable',
      );
      // Another transaction than ours.
      expect(await send({ kind: 'result', value: '5'.repeat(88) })).toBe('unreachable');
      expect(await problemOf(chain.send({ ...attempt, transaction: '5'.repeat(88) }))).toBe('mismatch');
      expect(await problemOf(chain.send({ ...attempt, signed: Uint8Array.of(1, 2, 3) }))).toBe('mismatch');
      await chain.send(attempt);
      expect(proxy.calls.at(-1)?.params[1]).toEqual({
        encoding: 'base64',
        preflightCommitment: 'confirmed',
        maxRetries: 0,
      });
    });
  });

  describe('money', () => {
    test('what the key holds, what a token costs, and how many it is enough for', async () => {
      const chain = await open(net);
      const probe = await chain.probe();
      expect(probe).toMatchObject({ production: false, deployer: net.payer, coin: 'SOL' });
      expect(probe.chainId).toBe(await net.rpc('getGenesisHash'));
      const { value } = await net.rpc<{ value: number }>('getBalance', net.payer);
      expect(Math.round(Number(probe.balance) * 1e9)).toBe(value);
      expect(probe.enoughFor).toBe(Math.floor((value - 890_880) / Math.round(Number(probe.cost) * 1e9)));

      // The dearest order costs what was told, to the lamport.
      await create(
        net,
        await someOrder({ name: 'n'.repeat(32), symbol: 's'.repeat(10), metadataUrl: `https://${'u'.repeat(192)}` }),
      );
      const after = await net.rpc<{ value: number }>('getBalance', net.payer);
      expect(value - after.value).toBe(Math.round(Number(probe.cost) * 1e9));
    });

    test('real money is on one chain only', async () => {
      const { proxy, chain } = await openBehindProxy(net);
      proxy.fault('getGenesisHash', { kind: 'result', value: SOLANA_MAINNET });
      expect(await chain.probe()).toMatchObject({ production: true, chainId: SOLANA_MAINNET });
    });

    test('another chain than the configured one', async () => {
      const chain = await open(net, { genesis: SOLANA_MAINNET });
      const order = await someOrder();
      const { plan, attempts } = await create(net, order);
      const [attempt] = attempts;
      if (!attempt) throw new Error('no attempt');
      for (const work of [
        () => chain.probe(),
        () => chain.prepare(order),
        () => chain.look(plan, []),
        () => chain.sign(plan, order, NOTHING),
        () => chain.send(attempt),
        () => chain.read(plan, order, null),
      ])
        expect(await problemOf(work())).toBe('wrong_chain');
      await (await open(net, { genesis: await net.rpc<string>('getGenesisHash') })).probe();
      // Nobody knows what it is worth, and it does not say that it is of this machine.
      const unknown = await open(net, { rpcUrl: net.url.replace('127.0.0.1', '0.0.0.0') });
      expect(await problemOf(unknown.probe())).toBe('wrong_chain');
    });

    test('a chain without the token program', async () => {
      const { proxy, chain } = await openBehindProxy(net);
      proxy.fault('getAccountInfo', ({ params }) =>
        params[0] === TOKEN_2022_PROGRAM_ADDRESS
          ? { kind: 'change', to: (found: object) => ({ ...found, value: null }) }
          : undefined,
      );
      expect(await problemOf(chain.probe())).toBe('unsupported');
      expect(await problemOf(chain.prepare(await someOrder()))).toBe('unsupported');
    });

    test('a lamport too little is refused before it is signed, the exact amount is enough', async () => {
      const secret = await deployer();
      const key = JSON.stringify([...secret]);
      const { address } = await createKeyPairSignerFromBytes(secret);
      const chain = await open(net, { key });
      const order = await someOrder();
      const plan = await chain.prepare(order);
      expect(await problemOf(chain.sign(plan, order, NOTHING))).toBe('low_balance');
      const rent = async (bytes: number) => net.rpc<number>('getMinimumBalanceForRentExemption', bytes);
      // 234 bytes, the length of the texts, and what surrounds them: 12 for name, symbol and address, 4 for more, 68.
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

    test('money that goes between signing and sending', async () => {
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
      expect(await chain.look(plan, [attempt])).toMatchObject({ kind: 'created' });
    });

    test('the price for a place in a block follows the market, within limits; the node sets no rents and lives of its own', async () => {
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
      // An attempt that did not land was too cheap, perhaps.
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

  describe('reading back', () => {
    test('the owner moved, burned and closed before it was read: what was received is in the creation', async () => {
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

      // Without history nothing is claimed.
      proxy.fault('getTransaction', { kind: 'result', value: null });
      expect(await problemOf(chain.read(plan, order, transaction))).toBe('unreachable');
    });

    test('a node without history: the balance itself is enough', async () => {
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
      // A transaction that failed moved nothing, whatever balances are told with it.
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

    test('the time of the block, where the chain tells', async () => {
      const order = await someOrder();
      const { plan, attempts } = await create(net, order);
      const { proxy, chain } = await openBehindProxy(net);
      proxy.fault('getTransaction', {
        kind: 'change',
        to: (found: object) => ({ ...found, blockTime: 1_763_719_200 }),
      });
      expect(await chain.read(plan, order, null)).toMatchObject({ at: '2025-11-21T10:00:00.000Z' });
      // Nobody searches for what is known.
      const before = proxy.count('getSignaturesForAddress');
      await chain.read(plan, order, attempts[0]?.transaction ?? null);
      expect(proxy.count('getSignaturesForAddress')).toBe(before);
    });

    test('anything else than ordered is a mismatch', async () => {
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

    test('every authority, extension and receiver that must not be', async () => {
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
      /** Whatever the address began with, it begins with something else. */
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
      expect(await problemOf(chain.look(plan, []))).toBe('mismatch');
      await write(original);
      await chain.read(plan, order, null);
    });

    test('not there yet', async () => {
      const chain = await open(net);
      const order = await someOrder();
      expect(await problemOf(chain.read(await chain.prepare(order), order, null))).toBe('unreachable');
    });

    test('pages of the explorer', async () => {
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

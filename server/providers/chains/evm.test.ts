// Tokens on real EVM chains, with trouble in between. What is asked after each: how many tokens are there?
import { inspect } from 'node:util';
import { bytesToHex, getCreate2Address, type Hex, hexToBytes, keccak256, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ANVIL_ACCOUNTS, ANVIL_KEYS, type Anvil, anvil, type Mining, startAnvil } from '#tests/support/chains.ts';
import { type Fault, type RpcProxy, startRpcProxy } from '#tests/support/rpc-proxy.ts';
import { type EvmOptions, evmChain } from './evm.ts';
import { callDataOf, DEPLOYMENT_PROXY, type EvmPlan, TRANSFER_TOPIC, ZERO_TOPIC } from './evm-token.ts';
import type { Attempt, Chain, Plan, Sight, TokenOrder } from './port.ts';

const [KEY, FOREIGN_KEY] = ANVIL_KEYS;
const [DEPLOYER, FOREIGNER, OWNER] = ANVIL_ACCOUNTS;
const UNITS = 10n ** 18n;

// A busy machine is slow, and no failure.
vi.setConfig({ testTimeout: 60_000 });

let serial = 0;
const order = (over: Partial<TokenOrder> = {}): TokenOrder => ({
  requestId: `abcdef00-0000-4000-8000-${String(++serial).padStart(12, '0')}`,
  name: 'Demo',
  symbol: 'DEMO',
  supply: 1_000_000_000n,
  owner: OWNER,
  metadataUrl: 'https://florka.test/t/1.json',
  ...over,
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Rig {
  node: Anvil;
  proxy: RpcProxy;
  /** A process of the signer: nothing but its configuration. */
  start(over?: Partial<EvmOptions>): Chain;
}

/** A chain with the proxy in front. Confirmations 1 unless said otherwise. */
async function rig(
  setup: { chainId?: number; mining?: Mining; args?: string[]; options?: Partial<EvmOptions> } = {},
): Promise<Rig> {
  const chainId = setup.chainId ?? 31337;
  const node = await startAnvil({
    chainId,
    ...(setup.mining ? { mining: setup.mining } : {}),
    ...(setup.args ? { args: setup.args } : {}),
  });
  ends.push(node.stop);
  const proxy = await startRpcProxy(node.url);
  ends.push(proxy.stop);
  const network = ({ 56: 'binance', 137: 'polygon' } as const)[chainId] ?? 'ethereum';
  const start = (over: Partial<EvmOptions> = {}) =>
    evmChain({ network, chainId, rpcUrl: proxy.url, key: KEY, confirmations: 1, ...setup.options, ...over });
  return { node, proxy, start };
}

/** What the database keeps: texts only, written before anything is sent. */
class Journal {
  #plan = '';
  readonly #attempts: string[] = [];
  set plan(plan: Plan) {
    this.#plan = JSON.stringify(plan);
  }
  get plan(): Plan {
    return JSON.parse(this.#plan);
  }
  add({ transaction, signed, nonce }: Attempt): void {
    this.#attempts.push(JSON.stringify({ transaction, signed: bytesToHex(signed), nonce: String(nonce) }));
  }
  get attempts(): Attempt[] {
    return this.#attempts.map((text) => {
      const { transaction, signed, nonce } = JSON.parse(text);
      return { transaction, signed: hexToBytes(signed), nonce: BigInt(nonce), validUntil: null };
    });
  }
  get nonceFrom(): bigint {
    return this.attempts.reduce((from, { nonce }) => ((nonce ?? 0n) >= from ? (nonce ?? 0n) + 1n : from), 0n);
  }
}

async function planned(chain: Chain, token: TokenOrder): Promise<Journal> {
  const journal = new Journal();
  journal.plan = await chain.prepare(token);
  return journal;
}

/** One round of the maker: look, sign when that is safe, send. What the chain can't tell leaves everything as it is. */
async function round(chain: Chain, token: TokenOrder, journal: Journal): Promise<Sight | undefined> {
  try {
    const sight = await chain.look(journal.plan, journal.attempts);
    if (sight.kind === 'created' || sight.kind === 'refused') return sight;
    const held = sight.kind === 'pending' && journal.attempts.find((one) => one.transaction === sight.transaction);
    if (sight.kind === 'open' || sight.stuck) {
      const { nonceFrom } = journal;
      journal.add(await chain.sign(journal.plan, token, { nonceFrom, ...(held ? { replaces: held } : {}) }));
      await chain.send(journal.attempts.at(-1) as Attempt);
    } else if (held) await chain.send(held);
    return sight;
  } catch (error) {
    expect(error).toMatchObject({
      name: expect.stringMatching(/^(ChainError|NodeRefusal|NoAnswer)$/),
      problem: 'unreachable',
    });
    return undefined;
  }
}

/** Rounds until the token is there and settled. */
async function drive(chain: Chain, token: TokenOrder, journal: Journal, between = async (): Promise<unknown> => null) {
  const end = performance.now() + 20_000;
  while (performance.now() < end) {
    const sight = await round(chain, token, journal);
    if (sight?.kind === 'created' && sight.settled) return sight;
    await between();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('no token after all rounds');
}

/** Addresses of all tokens that were ever made for an owner, as events tell. */
async function tokensOf(node: Anvil, owner: string): Promise<string[]> {
  const logs = await node.rpc<{ address: string }[]>('eth_getLogs', {
    fromBlock: '0x0',
    topics: [TRANSFER_TOPIC, ZERO_TOPIC, `0x${owner.slice(2).toLowerCase().padStart(64, '0')}`],
  });
  return logs.map((log) => log.address);
}
const nonceOf = async (node: Anvil, account = DEPLOYER as string) =>
  Number(await node.rpc('eth_getTransactionCount', account, 'latest'));
const codeOf = (node: Anvil, address: string) => node.rpc<string>('eth_getCode', address, 'latest');

/** A transaction of somebody, or of another program that has the deployer's key. */
async function transact(
  node: Anvil,
  key: Hex,
  over: { to?: Hex; data?: Hex; nonce?: number; gas?: bigint; maxFeePerGas?: bigint; tip?: bigint } = {},
): Promise<Attempt> {
  const account = privateKeyToAccount(key);
  const nonce = over.nonce ?? (await nonceOf(node, account.address));
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: Number(await node.rpc('eth_chainId')),
    nonce,
    to: over.to ?? FOREIGNER,
    data: over.data ?? '0x',
    gas: over.gas ?? 1_000_000n,
    maxFeePerGas: over.maxFeePerGas ?? 10n ** 11n,
    maxPriorityFeePerGas: over.tip ?? 10n ** 9n,
  });
  return { transaction: keccak256(raw), signed: hexToBytes(raw), nonce: BigInt(nonce), validUntil: null };
}
const push = (node: Anvil, attempt: Attempt) => node.rpc('eth_sendRawTransaction', bytesToHex(attempt.signed));
/** The same on a chain that mines at once, which takes a moment. */
async function land(node: Anvil, attempt: Attempt): Promise<void> {
  await push(node, attempt);
  await expect.poll(() => node.rpc('eth_getTransactionReceipt', attempt.transaction), { interval: 2 }).toBeTruthy();
}

const problem = (name: string) => expect.objectContaining({ problem: name });

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
        to: (receipt) => ({ ...receipt, transactionHash: other }),
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
      ends.push(elsewhere.stop);
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

  describe('others, and the chain itself', () => {
    test('somebody else sends the same bytes first: the owner has the token, and we pay nothing', async () => {
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

    test('and after ours was signed: ours fails, the token is there once', async () => {
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

    test('nobody tells who made it: it is there all the same', async () => {
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

    test('another chain answers: nothing is planned, looked at, signed or read', async () => {
      const { node, proxy, start } = await rig({ chainId: 1 });
      const token = order();
      const journal = await planned(start(), token);
      proxy.fault('eth_chainId', { kind: 'result', value: '0x38' });
      const chain = start();
      await expect(chain.probe()).rejects.toEqual(problem('wrong_chain'));
      await expect(chain.prepare(token)).rejects.toEqual(problem('wrong_chain'));
      await expect(chain.look(journal.plan, [])).rejects.toEqual(problem('wrong_chain'));
      await expect(chain.sign(journal.plan, token, { nonceFrom: 0n })).rejects.toEqual(problem('wrong_chain'));
      await expect(chain.read(journal.plan, token, null)).rejects.toEqual(problem('wrong_chain'));
      proxy.clear();
      // The plan belongs to another chain than the signer that got it.
      await expect(start().look({ ...journal.plan, chainId: '56' }, [])).rejects.toEqual(problem('wrong_chain'));
      expect(proxy.count('eth_sendRawTransaction')).toBe(0);
      expect(await nonceOf(node)).toBe(0);
    });

    test('the deployment proxy is missing, or is something else', async () => {
      const { node, start } = await rig({ args: ['--disable-default-create2-deployer'] });
      const token = order();
      for (const code of ['0x', '0x6001600155']) {
        await node.rpc('anvil_setCode', DEPLOYMENT_PROXY, code);
        await expect(start().probe()).rejects.toEqual(problem('unsupported'));
        const journal = await planned(start(), token);
        await expect(start().sign(journal.plan, token, { nonceFrom: 0n })).rejects.toEqual(problem('unsupported'));
      }
    });

    test('a creation counts once enough blocks stand on it; a reorganisation before that is healed by the same bytes', async () => {
      const { node, start } = await rig({ mining: 'by hand', options: { confirmations: 3 } });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      await node.mine();
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'created', settled: false });
      await node.mine();
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'created', settled: false });
      await node.rpc('anvil_reorg', 2, []);
      expect(await codeOf(node, journal.plan.address)).toBe('0x');
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending' });
      await round(start(), token, journal);
      await node.mine(3);
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'created', settled: true });
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
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'created', settled: true });
      const stored = bytesToHex((await transact(node, KEY, { nonce: 0 })).signed);
      await node.rpc('anvil_reorg', 3, [[stored, 0]]);
      expect(await codeOf(node, journal.plan.address)).toBe('0x');
      expect(await nonceOf(node)).toBe(1);
      expect(await start().look(journal.plan, journal.attempts)).toEqual({ kind: 'open' });
      await drive(start(), token, journal, () => node.mine());
      expect(journal.attempts.map(({ nonce }) => nonce)).toEqual([0n, 1n]);
      expect(await tokensOf(node, OWNER)).toEqual([journal.plan.address.toLowerCase()]);
    });

    test('an attempt that landed and failed is repeated when the chain would take it, three times at most', async () => {
      const { node, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const data = callDataOf(journal.plan as EvmPlan);
      for (let failures = 1; failures <= 3; failures++) {
        // Too little gas: the proxy reverts.
        const poor = await transact(node, KEY, { to: DEPLOYMENT_PROXY, data, gas: 300_000n });
        journal.add(poor);
        await land(node, poor);
        expect(await start().look(journal.plan, journal.attempts)).toEqual(
          failures < 3
            ? { kind: 'open' }
            : { kind: 'refused', transaction: poor.transaction, reason: expect.stringContaining('again and again') },
        );
      }
    });

    test('one that the chain would revert again is refused at once', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const data = callDataOf(journal.plan as EvmPlan);
      const poor = await transact(node, KEY, { to: DEPLOYMENT_PROXY, data, gas: 300_000n });
      journal.add(poor);
      await land(node, poor);
      proxy.fault('eth_estimateGas', { kind: 'error', code: 3, message: 'execution reverted' });
      expect(await start().look(journal.plan, journal.attempts)).toEqual({
        kind: 'refused',
        transaction: poor.transaction,
        reason: 'The chain reverts the creation',
      });
    });

    test('a landed creation without a token is a contradiction, not a reason to sign', async () => {
      const { proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      await drive(start(), token, journal);
      proxy.fault('eth_getCode', { kind: 'result', value: '0x' });
      await expect(start().look(journal.plan, journal.attempts)).rejects.toEqual(problem('unreachable'));
    });

    test('a node that lies about its height says nothing that counts', async () => {
      const { node, proxy, start } = await rig({ mining: 'by hand', options: { confirmations: 3 } });
      const token = order();
      const journal = await planned(start(), token);
      await round(start(), token, journal);
      await node.mine();
      proxy.fault('eth_getBlockByNumber', { kind: 'change', to: (block) => ({ ...block, number: '0xffff' }) });
      await expect(start().look(journal.plan, journal.attempts)).rejects.toEqual(problem('unreachable'));
      await expect(start().sign(journal.plan, token, { nonceFrom: 1n })).rejects.toEqual(problem('unreachable'));
      proxy.clear();
      proxy.fault('eth_getBlockByNumber', { kind: 'change', to: (block) => ({ ...block, number: '0x0' }) });
      // It is behind: what it knows is older, and the attempt may still land.
      expect(await start().look(journal.plan, journal.attempts)).toMatchObject({ kind: 'pending' });
    });
  });

  describe('what is read back', () => {
    test('facts that differ from the order are refused, one by one', async () => {
      const { node, proxy, start } = await rig();
      const token = order();
      const journal = await planned(start(), token);
      const { transaction } = await drive(start(), token, journal);
      const other = order({ name: 'Other', symbol: 'OTHER', supply: 5n });
      const otherJournal = await planned(start(), other);
      await drive(start(), other, otherJournal);
      const read = () => start().read(journal.plan, token, transaction);
      await read();

      // Each answer in turn comes from another token.
      for (const [selector, what] of [
        ['0x06fdde03', 'name'],
        ['0x95d89b41', 'symbol'],
        ['0x18160ddd', 'supply'],
      ] as const) {
        const wrong = await node.rpc('eth_call', { to: otherJournal.plan.address, data: selector }, 'latest');
        const undo = proxy.fault('eth_call', ({ params }) =>
          params[0].data === selector ? { kind: 'result', value: wrong } : undefined,
        );
        await expect(read(), what).rejects.toThrow(`another ${what}`);
        await expect(read(), what).rejects.toEqual(problem('mismatch'));
        undo();
      }
      // biome-ignore lint/suspicious/noExplicitAny: answers of the chain
      const changes: [string, (result: any) => unknown, string][] = [
        ['eth_getCode', (code: string) => `${code}00`, 'another code'],
        [
          'eth_call',
          (data: string) => (data.length === 66 && BigInt(data) === 18n ? `0x${'6'.padStart(64, '0')}` : data),
          'decimals',
        ],
        ['eth_getTransactionReceipt', (receipt: object) => ({ ...receipt, logs: [] }), 'another creation'],
        [
          'eth_getTransactionReceipt',
          (receipt: { logs: object[] }) => ({
            ...receipt,
            logs: receipt.logs.map((log) => ({ ...log, address: FOREIGNER })),
          }),
          'another creation',
        ],
        [
          'eth_getTransactionReceipt',
          (receipt: { logs: { topics: string[] }[] }) => ({
            ...receipt,
            logs: receipt.logs.map((log) => ({
              ...log,
              topics: [...log.topics.slice(0, 2), `0x${'1'.padStart(64, '0')}`],
            })),
          }),
          'another owner',
        ],
        [
          'eth_getTransactionReceipt',
          (receipt: { logs: object[] }) => ({
            ...receipt,
            logs: receipt.logs.map((log) => ({ ...log, data: `0x${'1'.padStart(64, '0')}` })),
          }),
          'another share',
        ],
        ['eth_getTransactionReceipt', (receipt: object) => ({ ...receipt, status: '0x0' }), 'failed'],
      ];
      for (const [method, to, words] of changes) {
        const undo = proxy.fault(method, { kind: 'change', to });
        await expect(read(), words).rejects.toThrow(words);
        await expect(read(), words).rejects.toEqual(problem('mismatch'));
        undo();
      }
      // Of a creation that is in no block any more nothing is known.
      proxy.fault('eth_getTransactionReceipt', {
        kind: 'change',
        to: (receipt) => ({ ...receipt, blockHash: `0x${'1'.repeat(64)}` }),
      });
      await expect(read()).rejects.toEqual(problem('unreachable'));
    });

    test('a plan that was changed in storage is neither signed nor read', async () => {
      const { start } = await rig();
      const token = order();
      const chain = start();
      const plan = (await chain.prepare(token)) as EvmPlan;
      const forged = (await chain.prepare({ ...token, owner: FOREIGNER })) as EvmPlan;
      const evil: Hex = `0x6000${plan.initCode.slice(6)}`;
      const evilAddress = getCreate2Address({ from: DEPLOYMENT_PROXY, salt: plan.salt, bytecode: evil });
      for (const [what, changed] of [
        ['another owner', forged],
        ['another address', { ...plan, address: FOREIGNER }],
        ['another request', { ...plan, salt: `0x${'1'.repeat(64)}` }],
        ['a whole plan of another request', await chain.prepare({ ...token, requestId: order().requestId })],
        ['another contract', { ...plan, initCode: evil }],
        ['another contract at its address', { ...plan, initCode: evil, address: evilAddress }],
        ['no contract', { ...plan, initCode: '0x' }],
      ] as const) {
        await expect(chain.sign(changed, token, { nonceFrom: 0n }), what).rejects.toEqual(problem('mismatch'));
        await expect(chain.read(changed, token, null), what).rejects.toEqual(problem('mismatch'));
      }
      for (const changed of [
        { ...token, supply: 2n },
        { ...token, name: 'Else' },
        { ...token, symbol: 'ELSE' },
      ])
        await expect(chain.sign(plan, changed, { nonceFrom: 0n })).rejects.toEqual(problem('mismatch'));
    });
  });

  describe('orders', () => {
    test('the least and the most of everything becomes a token', async () => {
      const { start } = await rig();
      const most = (2n ** 256n - 1n) / UNITS;
      for (const over of [
        { name: 'A', symbol: 'A', supply: 1n },
        { supply: 2n ** 53n - 1n },
        { name: 'Ω'.repeat(16), symbol: '🚀🚀ab', supply: most },
        { owner: OWNER.toLowerCase() },
        { owner: `0x${OWNER.slice(2).toUpperCase()}` },
      ]) {
        const token = order(over);
        const journal = await planned(start(), token);
        const { transaction } = await drive(start(), token, journal);
        expect(await start().read(journal.plan, token, transaction)).toMatchObject({
          name: token.name,
          symbol: token.symbol,
          ownerReceived: String(token.supply * UNITS),
        });
      }
    });

    test('what can become no token is refused before anything is derived', async () => {
      const { node, proxy, start } = await rig();
      const chain = start();
      const made = order();
      const journal = await planned(chain, made);
      await drive(chain, made, journal);
      const flipped = OWNER.replace('C', 'c');
      const cases: [string, Partial<TokenOrder>][] = [
        ['owner_invalid', { owner: flipped }],
        ['owner_invalid', { owner: `0x${'0'.repeat(40)}` }],
        ['owner_invalid', { owner: '0x0000000000000000000000000000000000000001' }],
        ['owner_invalid', { owner: '0x000000000000000000000000000000000000dEaD' }],
        ['owner_invalid', { owner: DEPLOYMENT_PROXY }],
        ['owner_invalid', { owner: DEPLOYER }],
        ['owner_invalid', { owner: OWNER.slice(2) }],
        ['owner_invalid', { owner: ` ${OWNER}` }],
        ['owner_invalid', { owner: OWNER.slice(0, -1) }],
        ['owner_invalid', { owner: 'So11111111111111111111111111111111111111112' }],
        ['owner_invalid', { owner: '' }],
        ['owner_is_program', { owner: journal.plan.address }],
        ['name_invalid', { name: '' }],
        ['name_invalid', { name: 'x'.repeat(33) }],
        ['name_invalid', { name: 'Ω'.repeat(17) }],
        ['name_invalid', { name: 'a\u0000b' }],
        ['name_invalid', { name: '\ud800' }],
        ['symbol_invalid', { symbol: '' }],
        ['symbol_invalid', { symbol: '🚀🚀🚀' }],
        ['symbol_invalid', { symbol: 'a\nb' }],
        ['supply_invalid', { supply: 0n }],
        ['supply_invalid', { supply: -1n }],
        ['supply_invalid', { supply: (2n ** 256n - 1n) / UNITS + 1n }],
      ];
      const sent = proxy.count('eth_sendRawTransaction');
      for (const [name, over] of cases)
        await expect(chain.prepare(order(over)), inspect(over)).rejects.toEqual(problem(name));
      await expect(chain.prepare(order({ requestId: 'r1' }))).rejects.toThrow(RangeError);
      const good = order();
      const plan = await chain.prepare(good);
      await expect(chain.sign(plan, { ...good, supply: 0n }, { nonceFrom: 1n })).rejects.toEqual(
        problem('supply_invalid'),
      );
      expect(proxy.count('eth_sendRawTransaction')).toBe(sent);

      // Contracts that hold tokens for people are owners like others: a multisig, and a key that lends itself code.
      for (const code of ['0x60006000fd', `0xef0100${journal.plan.address.slice(2)}`]) {
        await node.rpc('anvil_setCode', FOREIGNER, code);
        await chain.prepare(order({ owner: FOREIGNER }));
      }
    });

    test('another request, chain, owner or text has another address; the same has the same', async () => {
      const { start } = await rig();
      const { start: elsewhere } = await rig({ chainId: 56 });
      const token = order();
      const { address } = await start().prepare(token);
      expect((await start().prepare({ ...token, requestId: token.requestId.toUpperCase() })).address).toBe(address);
      const others = [
        await elsewhere().prepare(token),
        await start().prepare({ ...token, requestId: order().requestId }),
        await start().prepare({ ...token, owner: FOREIGNER }),
        await start().prepare({ ...token, name: 'Demo2' }),
        await start().prepare({ ...token, symbol: 'DEMO2' }),
        await start().prepare({ ...token, supply: 1n }),
      ];
      expect(new Set([address, ...others.map((plan) => plan.address)]).size).toBe(7);
    });
  });

  describe('secrets', () => {
    test("neither the key nor the node's address shows, whatever happens", async () => {
      const { proxy, start, node } = await rig();
      const secret = 'api-key-of-the-node';
      const port = new URL(proxy.url).port;
      const rpcUrl = `${proxy.url.replace('http://', `http://user:${secret}@`)}/v3/${secret}`;
      const chain = start({ rpcUrl });
      const token = order();
      const journal = await planned(chain, token);
      const seen: unknown[] = [chain, journal.plan, await chain.probe()];
      const catching = async (work: () => Promise<unknown>) => {
        try {
          seen.push(await work());
        } catch (error) {
          seen.push(error, (error as Error).cause, (error as Error).stack);
        }
      };
      const calls = [
        () => chain.probe(),
        () => chain.prepare(token),
        () => chain.look(journal.plan, journal.attempts),
        () => chain.sign(journal.plan, token, { nonceFrom: 0n }),
        () => chain.read(journal.plan, token, null),
        async () => chain.send(await transact(node, FOREIGN_KEY, { nonce: 0 })),
      ];
      const faults: Fault[] = [
        { kind: 'pass' },
        { kind: 'cut' },
        { kind: 'http', status: 401, body: secret },
        { kind: 'http', status: 302, headers: { location: `http://${secret}.test/` } },
        { kind: 'error', message: `project ${secret} at ${rpcUrl} has no access` },
        { kind: 'result', value: secret },
      ];
      for (const fault of faults)
        for (const method of ['*', 'eth_getCode', 'eth_estimateGas', 'eth_sendRawTransaction']) {
          const undo = proxy.fault(method, fault);
          await Promise.all(calls.map(catching));
          undo();
        }
      await catching(async () => start({ key: `${KEY}00` }));
      await catching(async () => start({ key: KEY.slice(0, -1) }));
      await catching(async () => start({ key: `0x${'f'.repeat(64)}` }));
      await catching(async () => start({ rpcUrl: `ftp://${secret}@127.0.0.1:${port}` }));
      await catching(async () => start({ rpcUrl: `${secret}:${port}` }));

      const json = (value: unknown) =>
        JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));
      const text = seen
        .flatMap((one) => [inspect(one, { depth: null, showHidden: true, getters: true }), json(one), String(one)])
        .join('\n');
      expect(seen.length).toBeGreaterThan(100);
      expect(text).not.toContain(KEY.slice(2, 40));
      expect(text).not.toContain(BigInt(KEY).toString());
      expect(text).not.toContain('f'.repeat(60));
      expect(text).not.toContain(secret);
      expect(text).not.toMatch(new RegExp(`\\b${port}\\b`));
    });

    test('a password in the address reaches the node', async () => {
      const { proxy, start } = await rig();
      await start({ rpcUrl: proxy.url.replace('http://', 'http://user:p%40ss@') }).probe();
      expect(proxy.headers.at(-1)?.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
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

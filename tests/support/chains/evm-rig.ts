// A local EVM chain behind a proxy, the signer's adapter, and what the database would store of its attempts.
import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished } from 'vitest';
import { type EvmOptions, evmChain } from '#server/providers/chains/evm.ts';
import { TRANSFER_TOPIC, ZERO_TOPIC } from '#server/providers/chains/evm-token.ts';
import type { Attempt, Chain, Observation, Plan, TokenOrder } from '#server/providers/chains/port.ts';
import { ANVIL_ACCOUNTS, ANVIL_KEYS, type Anvil, type Mining, startAnvil } from './chains.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

export const [KEY, FOREIGN_KEY] = ANVIL_KEYS;
export const [DEPLOYER, FOREIGNER, OWNER] = ANVIL_ACCOUNTS;
export const UNITS = 10n ** 18n;

let serial = 0;
export const order = (over: Partial<TokenOrder> = {}): TokenOrder => ({
  requestId: `abcdef00-0000-4000-8000-${String(++serial).padStart(12, '0')}`,
  name: 'Demo',
  symbol: 'DEMO',
  supply: 1_000_000_000n,
  owner: OWNER,
  metadataUrl: 'https://florka.test/t/1.json',
  ...over,
});

export interface Rig {
  node: Anvil;
  proxy: RpcProxy;
  /** A process of the signer: nothing but its configuration. */
  start(over?: Partial<EvmOptions>): Chain;
}

/** A chain with the proxy in front. Confirmations 1 by default. */
export async function rig(
  setup: { chainId?: number; mining?: Mining; args?: string[]; options?: Partial<EvmOptions> } = {},
): Promise<Rig> {
  const chainId = setup.chainId ?? 31337;
  const node = await startAnvil({
    chainId,
    ...(setup.mining ? { mining: setup.mining } : {}),
    ...(setup.args ? { args: setup.args } : {}),
  });
  onTestFinished(node.stop);
  const proxy = await startRpcProxy(node.url);
  onTestFinished(proxy.stop);
  const network = ({ 56: 'binance', 137: 'polygon' } as const)[chainId] ?? 'ethereum';
  const start = (over: Partial<EvmOptions> = {}) =>
    evmChain({ network, chainId, rpcUrl: proxy.url, key: KEY, confirmations: 1, ...setup.options, ...over });
  return { node, proxy, start };
}

/** What the database stores: texts only, written before a transaction is sent. */
export class Journal {
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

export async function planned(chain: Chain, token: TokenOrder): Promise<Journal> {
  const journal = new Journal();
  journal.plan = await chain.prepare(token);
  return journal;
}

/** One iteration of the token creator: observe, sign when that is safe, send. An unknown state of the chain changes nothing. */
export async function round(chain: Chain, token: TokenOrder, journal: Journal): Promise<Observation | undefined> {
  try {
    const sight = await chain.observe(journal.plan, journal.attempts);
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

/** Runs rounds until the token exists and is settled. */
export async function drive(
  chain: Chain,
  token: TokenOrder,
  journal: Journal,
  between = async (): Promise<unknown> => null,
) {
  const end = performance.now() + 20_000;
  while (performance.now() < end) {
    const sight = await round(chain, token, journal);
    if (sight?.kind === 'created' && sight.settled) return sight;
    await between();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('no token after all rounds');
}

/** Addresses of all tokens that were created for an owner, from events. */
export async function tokensOf(node: Anvil, owner: string): Promise<string[]> {
  const logs = await node.rpc<{ address: string }[]>('eth_getLogs', {
    fromBlock: '0x0',
    topics: [TRANSFER_TOPIC, ZERO_TOPIC, `0x${owner.slice(2).toLowerCase().padStart(64, '0')}`],
  });
  return logs.map((log) => log.address);
}
export const nonceOf = async (node: Anvil, account = DEPLOYER as string) =>
  Number(await node.rpc('eth_getTransactionCount', account, 'latest'));
export const codeOf = (node: Anvil, address: string) => node.rpc<string>('eth_getCode', address, 'latest');

/** Sends a transaction of another account, or of another program with the deployer's key. */
export async function transact(
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
export const push = (node: Anvil, attempt: Attempt) => node.rpc('eth_sendRawTransaction', bytesToHex(attempt.signed));
/** The same, and waits until it is mined. */
export async function land(node: Anvil, attempt: Attempt): Promise<void> {
  await push(node, attempt);
  await expect.poll(() => node.rpc('eth_getTransactionReceipt', attempt.transaction), { interval: 2 }).toBeTruthy();
}

export const problem = (name: string) => expect.objectContaining({ problem: name });

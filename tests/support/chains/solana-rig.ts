// The signer's adapter on local Solana chains, and direct changes of the chain by tests.
import { inspect } from 'node:util';
import {
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { onTestFinished } from 'vitest';
import type { Attempt, Chain, ChainError, Plan, TokenOrder } from '#server/providers/chains/port.ts';
import { type SolanaOptions, solanaChain } from '#server/providers/chains/solana.ts';
import type { SurfnetChain } from './chains.ts';
import { startRpcProxy } from './rpc-proxy.ts';

export const SEED = '5eed'.repeat(16);
export const MAX_SUPPLY = 18_446_744_073_709n;
export const NOTHING = { nonceFrom: 0n };

export const keyOf = (on: SurfnetChain) => JSON.stringify([...on.payerSecretKey]);
export const open = (on: SurfnetChain, more: Partial<SolanaOptions> = {}) =>
  solanaChain({ rpcUrl: on.url, key: keyOf(on), mintSeed: SEED, commitment: 'confirmed', ...more });

/** Opens the adapter with a proxy between it and the chain. */
export async function openBehindProxy(on: SurfnetChain, more: Partial<SolanaOptions> = {}) {
  const proxy = await startRpcProxy(on.url);
  onTestFinished(proxy.stop);
  return { proxy, chain: await open(on, { rpcUrl: proxy.url, ...more }) };
}

export async function someOrder(over: Partial<TokenOrder> = {}): Promise<TokenOrder> {
  return {
    requestId: crypto.randomUUID(),
    name: 'Florka Test',
    symbol: 'FLRK',
    supply: 1_000_000_000n,
    owner: (await generateKeyPairSigner()).address,
    metadataUrl: 'https://florka.example/t/meta.json',
    ...over,
  };
}

/**
 * Observes, signs and sends until the token is settled; attempts are stored before they are sent, as the token creator
 * does.
 */
export async function drive(chain: Chain, plan: Plan, order: TokenOrder, attempts: Attempt[] = [], rounds = 400) {
  for (let round = 0; round < rounds; round++) {
    try {
      const sight = await chain.observe(plan, attempts);
      if (sight.kind === 'refused') throw new Error(`refused: ${sight.reason}`);
      if (sight.kind === 'created' && sight.settled) return { sight, attempts };
      if (sight.kind === 'open') attempts.push(await chain.sign(plan, order, NOTHING));
      const last = attempts.at(-1);
      if (sight.kind !== 'created' && last) await chain.send(last);
    } catch (error) {
      if ((error as ChainError).problem !== 'unreachable') throw error;
    }
    await pause(15);
  }
  throw new Error('the token did not come into being');
}

export async function create(on: SurfnetChain, order: TokenOrder, more: Partial<SolanaOptions> = {}) {
  const chain = await open(on, more);
  const plan = await chain.prepare(order);
  const { sight, attempts } = await drive(chain, plan, order);
  return { chain, plan, attempts, facts: await chain.read(plan, order, sight.transaction) };
}

/** Sends a transaction of another account. */
export async function transact(on: SurfnetChain, signer: KeyPairSigner, instructions: Instruction[]): Promise<string> {
  const { value } = await on.rpc<{ value: { blockhash: Blockhash; lastValidBlockHeight: number } }>(
    'getLatestBlockhash',
  );
  const lifetime = { blockhash: value.blockhash, lastValidBlockHeight: BigInt(value.lastValidBlockHeight) };
  const signed = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(signer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
  return on.rpc('sendTransaction', getBase64EncodedWireTransaction(signed), { encoding: 'base64' });
}

/** Successful transactions at an address. */
export async function landedAt(on: SurfnetChain, address: string): Promise<string[]> {
  const found = await on.rpc<{ signature: string; err: unknown }[]>('getSignaturesForAddress', address);
  return found.filter(({ err }) => !err).map(({ signature }) => signature);
}

export const problemOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => `no problem: ${inspect(value)}`,
    (error: ChainError) => error.problem ?? `no ChainError: ${error}`,
  );

/** Micro-lamports for a compute unit that a signed transaction offers. */
export function priceOf(attempt: Attempt): bigint {
  const { messageBytes } = getTransactionDecoder().decode(attempt.signed);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (!('instructions' in message)) throw new Error('no instructions');
  const offer = message.instructions.map(({ data }) => Buffer.from(data ?? [])).find((data) => data[0] === 3);
  return offer?.readBigUInt64LE(1) ?? 0n;
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

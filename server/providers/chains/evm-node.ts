// Requests to an EVM node, and the schemas of its responses.
import { bytesToHex, type Hex } from 'viem';
import { z } from 'zod';
import type { FeeMarket } from './evm-fees.ts';
import { evmRpc, invalidAnswer, NodeRefusal } from './evm-rpc.ts';
import { TRANSFER_TOPIC, ZERO_TOPIC } from './evm-token.ts';

/** Blocks per event query, as public nodes allow, and the maximum number of queries. */
const SEARCH_BLOCKS = 2_000n;
const MAX_SEARCHES = 10;

const isHex = (text: string): text is Hex => /^0x([0-9a-f]{2})*$/i.test(text);
const bytes = z.string().refine(isHex);
const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase() as Hex);
const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform(BigInt);
const block = z.object({ number: quantity, hash, timestamp: quantity, baseFeePerGas: quantity.nullish() });
const log = z.object({ address: bytes, topics: z.array(hash), data: bytes });
const receipt = z.object({
  transactionHash: hash,
  status: z.enum(['0x0', '0x1']),
  blockNumber: quantity,
  blockHash: hash,
  logs: z.array(log),
});
const known = z.object({ hash, blockNumber: quantity.nullish() });
const found = z.array(log.extend({ transactionHash: hash }));

export type Block = z.infer<typeof block>;
export type Log = z.infer<typeof log>;
export type Receipt = z.infer<typeof receipt>;

const at = (number: bigint): string => `0x${number.toString(16)}`;

/** True when an event is the initial mint of a token, which creates its supply. */
export const isCreation = (token: string, { address, topics }: Log): boolean =>
  address.toLowerCase() === token.toLowerCase() && topics[0] === TRANSFER_TOPIC && topics[1] === ZERO_TOPIC;

/**
 * An EVM node. State is queried at a block number: when several nodes share one address, a node that is behind then returns an
 * error instead of outdated state.
 */
export function evmNode(address: string, timeoutMs: number | undefined) {
  const { read: rpc, send: hand } = evmRpc(address, timeoutMs);

  return {
    chainId: () => rpc('eth_chainId', [], quantity),
    newest: () => rpc('eth_getBlockByNumber', ['latest', false], block),
    block: (number: bigint) => rpc('eth_getBlockByNumber', [at(number), false], block.nullable()),
    code: (account: string, number: bigint) => rpc('eth_getCode', [account, at(number)], bytes),
    balance: (account: string, number: bigint) => rpc('eth_getBalance', [account, at(number)], quantity),
    /** Number of transactions of an account up to a block, which is the next nonce. */
    nonces: (account: string, number: bigint) => rpc('eth_getTransactionCount', [account, at(number)], quantity),
    /** The same including pending transactions without a gap. */
    noncesWaiting: (account: string) => rpc('eth_getTransactionCount', [account, 'pending'], quantity),
    call: (to: string, data: Hex, number: bigint) => rpc('eth_call', [{ to, data }, at(number)], bytes),
    /** Gas estimate of a transaction; refused when it would revert on top of that block. */
    gas: (call: { from: string; to: string; data: Hex }, number: bigint) =>
      rpc('eth_estimateGas', [call, at(number)], quantity),

    /** Receipt of an included transaction; null when it was not included, or the node no longer has it. */
    async receipt(transaction: string): Promise<Receipt | null> {
      const answer = await rpc('eth_getTransactionReceipt', [transaction], receipt.nullable());
      if (answer && answer.transactionHash !== transaction.toLowerCase()) throw invalidAnswer('another receipt');
      return answer;
    },

    /** True when the node has the transaction, included or pending. */
    knows: async (transaction: string) =>
      (await rpc('eth_getTransactionByHash', [transaction], known.nullable())) !== null,

    /** Fees for the block after that one. */
    async market({ baseFeePerGas }: Block): Promise<FeeMarket> {
      const price = () => rpc('eth_gasPrice', [], quantity);
      if (baseFeePerGas === undefined || baseFeePerGas === null) return { baseFee: null, tip: await price() };
      try {
        return { baseFee: baseFeePerGas, tip: await rpc('eth_maxPriorityFeePerGas', [], quantity) };
      } catch (error) {
        if (!(error instanceof NodeRefusal && error.kind === 'no_method')) throw error;
        const whole = await price();
        return { baseFee: baseFeePerGas, tip: whole > baseFeePerGas ? whole - baseFeePerGas : 0n };
      }
    },

    /** The transaction that created a token, searched from about that block on; null when the node can't provide it. */
    async creation(token: string, begin: bigint, end: bigint): Promise<Hex | null> {
      let from = begin > SEARCH_BLOCKS ? begin - SEARCH_BLOCKS : 0n;
      for (let search = 0; search < MAX_SEARCHES && from <= end; search++) {
        const last = from + SEARCH_BLOCKS - 1n;
        const range = { fromBlock: at(from), toBlock: at(last < end ? last : end) };
        try {
          const query = { address: token, topics: [TRANSFER_TOPIC, ZERO_TOPIC], ...range };
          const event = (await rpc('eth_getLogs', [query], found)).find((one) => isCreation(token, one));
          if (event) return event.transactionHash;
        } catch (error) {
          // Many public nodes do not support this query; the token exists nevertheless.
          if (error instanceof NodeRefusal) return null;
          throw error;
        }
        from = last + 1n;
      }
      return null;
    },

    /** Broadcasts signed bytes once. Nodes also refuse transactions that they already have. */
    async send({ transaction, signed }: { transaction: string; signed: Uint8Array }): Promise<void> {
      const answer = await hand('eth_sendRawTransaction', [bytesToHex(signed)], hash);
      if (answer !== transaction.toLowerCase()) throw invalidAnswer('another transaction');
    },
  };
}

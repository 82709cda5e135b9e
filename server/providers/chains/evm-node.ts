// What is asked of an EVM node, and the shapes in which it must answer.
import { bytesToHex, type Hex } from 'viem';
import { z } from 'zod';
import type { FeeMarket } from './evm-fees.ts';
import { evmRpc, invalidAnswer, NodeRefusal } from './evm-rpc.ts';
import { TRANSFER_TOPIC, ZERO_TOPIC } from './evm-token.ts';

/** Blocks of one question for events, as public nodes allow them, and how many questions. */
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

/** Whether an event is the one of a token's making: there is a supply where there was none. */
export const isCreation = (token: string, { address, topics }: Log): boolean =>
  address.toLowerCase() === token.toLowerCase() && topics[0] === TRANSFER_TOPIC && topics[1] === ZERO_TOPIC;

/**
 * An EVM node. What stands somewhere is asked for a block's number: of several nodes behind one address the one that is
 * behind then says so, instead of answering with what was.
 */
export function evmNode(address: string, timeoutMs: number | undefined) {
  const { read: rpc, send: hand } = evmRpc(address, timeoutMs);

  return {
    chainId: () => rpc('eth_chainId', [], quantity),
    newest: () => rpc('eth_getBlockByNumber', ['latest', false], block),
    block: (number: bigint) => rpc('eth_getBlockByNumber', [at(number), false], block.nullable()),
    code: (account: string, number: bigint) => rpc('eth_getCode', [account, at(number)], bytes),
    balance: (account: string, number: bigint) => rpc('eth_getBalance', [account, at(number)], quantity),
    /** Transactions of an account up to a block: also the nonce of the next one. */
    nonces: (account: string, number: bigint) => rpc('eth_getTransactionCount', [account, at(number)], quantity),
    /** The same with those that wait, as far as none is missing between them. */
    noncesWaiting: (account: string) => rpc('eth_getTransactionCount', [account, 'pending'], quantity),
    call: (to: string, data: Hex, number: bigint) => rpc('eth_call', [{ to, data }, at(number)], bytes),
    /** Gas of a transaction; refused when it would be reverted on top of that block. */
    gas: (call: { from: string; to: string; data: Hex }, number: bigint) =>
      rpc('eth_estimateGas', [call, at(number)], quantity),

    /** A transaction that landed; null for one that did not, or that the node forgot. */
    async receipt(transaction: string): Promise<Receipt | null> {
      const answer = await rpc('eth_getTransactionReceipt', [transaction], receipt.nullable());
      if (answer && answer.transactionHash !== transaction.toLowerCase()) throw invalidAnswer('another receipt');
      return answer;
    },

    /** Whether the node knows of a transaction, landed or waiting. */
    knows: async (transaction: string) =>
      (await rpc('eth_getTransactionByHash', [transaction], known.nullable())) !== null,

    /** What a place in a block costs after that one. */
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

    /** The transaction in which a token was made, looked for from about that block on; null when the node can't tell. */
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
          // Many public nodes don't answer this; the token is there all the same.
          if (error instanceof NodeRefusal) return null;
          throw error;
        }
        from = last + 1n;
      }
      return null;
    },

    /** Hands signed bytes over, once. Refused, also when the node knows them already. */
    async send({ transaction, signed }: { transaction: string; signed: Uint8Array }): Promise<void> {
      const answer = await hand('eth_sendRawTransaction', [bytesToHex(signed)], hash);
      if (answer !== transaction.toLowerCase()) throw invalidAnswer('another transaction');
    },
  };
}

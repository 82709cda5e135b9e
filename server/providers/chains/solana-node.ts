// Requests to a Solana node, and the schemas of its responses.
import { z } from 'zod';
import { readFailure } from './solana-failures.ts';
import { invalidAnswer, NodeRefusal, solanaRpc } from './solana-rpc.ts';

/** Solana started in March 2020: an earlier block time is invalid. Seconds. */
const FIRST_BLOCK = 1_583_020_800;
/**
 * Signatures per page of an address's history, the maximum number of pages, and the number of oldest signatures that
 * are returned.
 */
const HISTORY_PAGE = 1_000;
const HISTORY_PAGES = 10;
const HISTORY_OLDEST = 20;

export type Commitment = 'confirmed' | 'finalized';

const count = z.int().nonnegative().transform(BigInt);
const inContext = <T>(value: z.ZodType<T>) => z.object({ context: z.object({ slot: count }), value });
const bytes = z
  .tuple([z.base64(), z.literal('base64')])
  .transform(([text]) => Uint8Array.from(Buffer.from(text, 'base64')));
const account = inContext(
  z.object({ owner: z.string(), lamports: count, executable: z.boolean(), data: bytes }).nullable(),
);
const epoch = z.object({ absoluteSlot: count, blockHeight: count });
const status = z
  .object({
    slot: count,
    err: z.unknown(),
    confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullish(),
  })
  .transform(({ err, slot, confirmationStatus }) => ({
    slot,
    failure: readFailure(err),
    reached: confirmationStatus ?? 'processed',
  }));
const blockhash = inContext(
  z.object({ blockhash: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/), lastValidBlockHeight: count }),
);
const transaction = z.object({
  slot: count,
  blockTime: z.int().nullish(),
  meta: z.object({
    err: z.unknown(),
    postTokenBalances: z.array(
      z.object({
        mint: z.string(),
        owner: z.string().optional(),
        uiTokenAmount: z.object({ amount: z.string().regex(/^\d+$/) }),
      }),
    ),
  }),
});
const history = z.array(z.object({ signature: z.string(), err: z.unknown() }));
const fees = z.array(z.object({ prioritizationFee: count }));

/** Progress of the finalized chain. */
type Progress = z.infer<typeof epoch>;
/** Status of a transaction that the node has. */
export type Status = z.infer<typeof status>;

/**
 * A Solana node.
 *
 * @param settling required commitment of transactions.
 */
export function solanaNode(address: string, settling: Commitment, timeoutMs: number | undefined) {
  const call = solanaRpc(address, timeoutMs);
  /** Greatest block height that this node has returned. */
  let highest = 0n;

  return {
    genesis: () => call('getGenesisHash', [], z.string().min(32).max(44)),

    async progress(): Promise<Progress> {
      const now = await call('getEpochInfo', [{ commitment: 'finalized' }], epoch);
      if (now.blockHeight > highest) highest = now.blockHeight;
      return now;
    },

    /** Throws if the node returned a greater height before: one of the two is wrong. */
    checkForward({ blockHeight }: Progress): void {
      if (blockHeight >= highest) return;
      // Continues from the lower one, so that a single false height does not block everything.
      highest = blockHeight;
      throw invalidAnswer('the height goes backwards');
    },

    account: (of: string, commitment: Commitment) =>
      call('getAccountInfo', [of, { encoding: 'base64', commitment }], account),

    balance: async (of: string) =>
      (await call('getBalance', [of, { commitment: 'confirmed' }], inContext(count))).value,

    /** Minimum lamports of an account of the given size in bytes. */
    async rent(size: number): Promise<bigint> {
      const rent = await call('getMinimumBalanceForRentExemption', [size], count);
      // Lamports in a mint cannot be withdrawn, so the node's value is limited: the rent was always 6,960 per byte.
      if (rent > BigInt(128 + size) * 6_960n * 2n) throw invalidAnswer('the rent is too high');
      return rent;
    },

    /** Micro-lamports per compute unit that three of four recent blocks would have accepted. */
    async unitPrice(payer: string): Promise<bigint> {
      const recent = await call('getRecentPrioritizationFees', [[payer]], fees).catch((error: unknown) => {
        // Not every node has them.
        if (error instanceof NodeRefusal) return [];
        throw error;
      });
      const prices = recent.map((one) => one.prioritizationFee).sort((a, b) => Number(a - b));
      return prices[Math.floor(prices.length * 0.75)] ?? 0n;
    },

    latestBlockhash: async () => (await call('getLatestBlockhash', [{ commitment: 'confirmed' }], blockhash)).value,

    isBlockhashValid: async (hash: string) =>
      (await call('isBlockhashValid', [hash, { commitment: 'confirmed' }], inContext(z.boolean()))).value,

    /** Status of each signature; null if the node does not have it. */
    async statuses(signatures: readonly string[]): Promise<{ slot: bigint; value: (Status | null)[] }> {
      const { context, value } = await call(
        'getSignatureStatuses',
        [signatures, { searchTransactionHistory: true }],
        inContext(z.array(status.nullable()).length(signatures.length)),
      );
      return { slot: context.slot, value };
    },

    /** Returns the signature. The node must not resend the transaction itself: that is decided here. */
    send: (wire: Uint8Array) =>
      call(
        'sendTransaction',
        [Buffer.from(wire).toString('base64'), { encoding: 'base64', preflightCommitment: 'confirmed', maxRetries: 0 }],
        z.string(),
      ),

    /** A successful transaction; null if the node no longer has it. */
    async transaction(signature: string) {
      const found = await call(
        'getTransaction',
        [signature, { encoding: 'json', commitment: settling, maxSupportedTransactionVersion: 0 }],
        transaction.nullable(),
      );
      if (!found || found.meta.err) return null;
      const time = found.blockTime ?? 0;
      return {
        slot: found.slot,
        at: time >= FIRST_BLOCK ? new Date(time * 1000).toISOString() : null,
        balances: found.meta.postTokenBalances,
      };
    },

    /** The oldest successful transactions of an address, oldest first. */
    async history(of: string): Promise<string[]> {
      const found: z.infer<typeof history> = [];
      for (let page = 0; page < HISTORY_PAGES; page++) {
        const before = found.at(-1)?.signature;
        const config = { limit: HISTORY_PAGE, commitment: settling, ...(before ? { before } : {}) };
        const more = await call('getSignaturesForAddress', [of, config], history);
        found.push(...more);
        if (more.length < HISTORY_PAGE) break;
      }
      return found
        .filter(({ err }) => !err)
        .map(({ signature }) => signature)
        .slice(-HISTORY_OLDEST)
        .reverse();
    },
  };
}

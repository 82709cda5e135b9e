import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { voteReason } from './voting.ts';

const voteState = z.enum(['counted', 'under_review', 'void']);

const ledgerState = z.object({
  /** Verifier key of the log; null before the first checkpoint. */
  key: z.string().nullable(),
  /** The newest signed checkpoint, as a note; null before the first. */
  checkpoint: z.string().nullable(),
  size: z.int().nonnegative(),
  /** Base64. */
  root: z.string(),
  publishedAt: z.iso.datetime().nullable(),
  /** Changes of votes that are not in the ledger yet. */
  waiting: z.int().nonnegative(),
  /**
   * Why nothing is signed; null when all is well. `rolled-back`: the database does not continue what was published.
   * `unknown-past`: it published something, and nobody outside of it knows what. `other-key`: the key is another one.
   */
  halted: z.enum(['other-key', 'rolled-back', 'unknown-past']).nullable(),
  witness: z
    .object({
      name: z.string(),
      /** Verifier key of the witness. */
      key: z.string(),
      /** When it last signed, and how large the tree was; null when it never did. */
      signedAt: z.iso.datetime().nullable(),
      size: z.int().nonnegative().nullable(),
      /** It signed within the last ten minutes. */
      recent: z.boolean(),
    })
    .nullable(),
  /** Signed results, the newest first; `of` is `round/<number>` or `day/<date>`. */
  results: z.array(z.string()),
});
export type LedgerState = z.infer<typeof ledgerState>;

const myVotes = z.array(
  z.object({
    id: z.int(),
    candidateId: z.uuid(),
    tokenName: z.string(),
    tokenSymbol: z.string(),
    tokenSlug: z.string(),
    /** UTC day. */
    day: z.iso.date(),
    state: voteState,
    /** Why it does not count; null where it does. */
    reason: voteReason.nullable(),
    /** Number of its newest leaf; null while it waits to be entered. */
    leaf: z.int().nonnegative().nullable(),
    /** That leaf is in a signed checkpoint: there is a receipt. */
    signed: z.boolean(),
  }),
);
export type MyVotes = z.infer<typeof myVotes>;

export const ledger = {
  state: oc
    .route({ method: 'GET', path: '/ledger', tags: ['ledger'], summary: 'State of the public ledger of votes' })
    .output(ledgerState),
  mine: oc
    .route({ method: 'GET', path: '/ledger/mine', tags: ['ledger'], summary: 'My newest votes and their leaves' })
    .output(myVotes),
  /** A proof that the vote is in the ledger (c2sp.org/tlog-proof). */
  receipt: oc
    .route({ method: 'GET', path: '/ledger/receipts/{voteId}', tags: ['ledger'], summary: 'Receipt of my vote' })
    .errors({
      UNAUTHORIZED: errors.UNAUTHORIZED,
      NOT_FOUND: errors.NOT_FOUND,
      RATE_LIMITED: errors.RATE_LIMITED,
    })
    .input(z.strictObject({ voteId: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }))
    .output(z.object({ receipt: z.string() })),
};

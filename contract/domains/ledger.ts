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
  /** Changes of votes that are not yet in the ledger. */
  waiting: z.int().nonnegative(),
  /**
   * Reason why no checkpoint is signed; null when signing works. `rolled-back`: the database does not continue the published
   * log. `unknown-past`: it has published checkpoints, but none is recorded outside of it. `other-key`: the configured key differs
   * from the log's key.
   */
  halted: z.enum(['other-key', 'rolled-back', 'unknown-past']).nullable(),
  witness: z
    .object({
      name: z.string(),
      /** Verifier key of the witness. */
      key: z.string(),
      /** Time of its last signature and the tree's size then; null when it never signed. */
      signedAt: z.iso.datetime().nullable(),
      size: z.int().nonnegative().nullable(),
      /** True when it signed within the last ten minutes. */
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
    /** Reason why the vote is not counted; null when it is counted. */
    reason: voteReason.nullable(),
    /** Index of the leaf with its present state; null until that is entered. */
    leaf: z.int().nonnegative().nullable(),
    /** True when that leaf is in a signed checkpoint, so that a receipt exists. */
    signed: z.boolean(),
  }),
);
export type MyVotes = z.infer<typeof myVotes>;

/** Of the vote after which older ones are listed: its day and its id. Without it, the newest are. */
const olderThan = z
  .strictObject({
    day: z.iso.date().optional(),
    id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
  })
  .default({});

export const ledger = {
  state: oc
    .route({ method: 'GET', path: '/ledger', tags: ['ledger'], summary: 'State of the public ledger of votes' })
    .output(ledgerState),
  /** A page of `RECEIPTS_SHOWN` votes. */
  mine: oc
    .route({
      method: 'GET',
      path: '/ledger/mine',
      tags: ['ledger'],
      summary: 'My votes and their leaves, newest first',
    })
    .input(olderThan)
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

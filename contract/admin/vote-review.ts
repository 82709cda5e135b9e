import { z } from 'zod';
import { errors } from '../errors.ts';
import { requiredText } from '../fields/schemas.ts';
import { REASON_MAX } from '../limits.ts';
import { READABLE } from '../text/clean-text.ts';
import { HOLD_KINDS } from '../vote-signals.ts';
import { bulkAnswer, bulkIds, undoing } from './shared/bulk.ts';
import { adminRead, adminWrite, anyRecord, listInput, pageOf } from './shared/list.ts';

const cluster = z.object({
  id: z.uuid(),
  signal: z.enum(HOLD_KINDS),
  state: z.enum(['open', 'released', 'void']),
  candidateId: z.uuid().nullable(),
  /** Null when the signal is not about a single candidate, or the candidate was deleted. */
  candidateName: z.string().nullable(),
  /** Values for the reason's sentence, by signal. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  votes: z.int().nonnegative(),
  /** Votes of the cluster that are under review now. */
  waiting: z.int().nonnegative(),
  members: z.int().nonnegative(),
  /** Number of distinct networks (an IPv4 address, or the /64 of an IPv6). */
  networks: z.int().nonnegative(),
  /** Median age of the accounts when they voted. Hours. */
  ageHours: z.int(),
  foundAt: z.iso.datetime(),
  grownAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  /** The decision in progress, applied to the votes in batches: no other decision is possible meanwhile. Null when there is none. */
  decision: z
    .object({
      kind: z.enum(['release', 'void', 'undo']),
      /** Number of votes when it began. */
      votes: z.int().nonnegative(),
      /** Number of votes processed. */
      done: z.int().nonnegative(),
      beganAt: z.iso.datetime(),
    })
    .nullable(),
});
export type VoteCluster = z.infer<typeof cluster>;

const clusterVote = z.object({
  /** Id of the vote. */
  id: z.int(),
  memberId: z.uuid(),
  memberName: z.string(),
  candidateName: z.string(),
  at: z.iso.datetime(),
  /** Age of the account when it voted. Seconds. */
  ageSeconds: z.int(),
  /** Prefix of the keyed hash of the nearest network: votes with the same prefix came from it. Null when unknown. */
  network: z.string().nullable(),
  state: z.enum(['counted', 'under_review', 'void']),
  stateReason: z.string().nullable(),
});
export type ClusterVote = z.infer<typeof clusterVote>;

const deciding = { NOT_FOUND: errors.NOT_FOUND, ALREADY_DONE: errors.ALREADY_DONE };
const note = z.string().trim().max(REASON_MAX);
const held = z.object({ cluster, changed: z.int().nonnegative() });
/**
 * `changed` votes so far: the rest of a large cluster follows within seconds, and `cluster.decision` has the progress. `banned` of them are
 * of banned members: they stay void, and the decision applies to them when the ban ends.
 */
const decided = held.extend({ banned: z.int().nonnegative() });

export const adminVoteReview = {
  list: adminRead('/vote-review', 'Clusters of votes that signals found or staff held', ['moderator'])
    .input(
      listInput(['foundAt', 'votes', 'members', 'networks', 'ageHours', 'signal'], {
        signal: z.enum(['all', ...HOLD_KINDS]).default('all'),
        state: z.enum(['open', 'released', 'void', 'all']).default('open'),
        id: z.uuid().optional(),
      }),
    )
    .output(pageOf(cluster)),
  /**
   * Puts the votes of a member in the open round that count now under review, as a cluster of its own. Votes that were in a cluster before
   * keep their decision. ALREADY_DONE when no vote is left.
   */
  hold: adminWrite('POST', '/vote-review/hold', 'Put the votes of a member under review', ['moderator'])
    .errors(deciding)
    .input(z.strictObject({ memberId: z.uuid(), reason: requiredText(1, REASON_MAX) }))
    .output(held),
  /** Counts the cluster's votes that are under review. */
  release: adminWrite('POST', '/vote-review/{id}/release', 'Release the votes of a cluster', ['moderator'])
    .errors(deciding)
    .input(anyRecord.extend({ reason: note.default('') }))
    .output(decided),
  /** They are never counted, unless the decision is undone. */
  void: adminWrite('POST', '/vote-review/{id}/void', 'Void the votes of a cluster', ['moderator'])
    .errors(deciding)
    .input(anyRecord.extend({ reason: requiredText(1, REASON_MAX) }))
    .output(decided),
  /** Puts the votes that the decision changed under review again, except those changed otherwise since. */
  undo: adminWrite('POST', '/vote-review/{id}/undo', 'Take back a decision about a cluster', ['moderator'])
    .errors({ ...deciding, VERSION_CONFLICT: errors.VERSION_CONFLICT })
    // `own`: only the caller's decision, as the undo of a notice.
    .input(anyRecord.extend({ own: undoing }))
    .output(decided),
  /** Several clusters in one request, each in its own transaction; voiding requires a reason. */
  decideMany: adminWrite('POST', '/vote-review/decide', 'Release or void the votes of several clusters, or undo that', [
    'moderator',
  ])
    .input(
      z
        .strictObject({ ids: bulkIds, decision: z.enum(['release', 'void', 'undo']), reason: note.default('') })
        .refine(({ decision, reason }) => decision !== 'void' || READABLE.test(reason), 'Voiding needs a reason'),
    )
    .output(bulkAnswer),
};

/** Mounted as `admin.clusterVotes`: a list of its own, so that it is a file as well. */
export const adminClusterVotes = {
  list: adminRead('/vote-review/{id}/votes', 'The votes of a cluster', ['moderator'])
    .input(listInput(['at', 'memberName'], { id: z.uuid() }))
    .output(pageOf(clusterVote)),
};

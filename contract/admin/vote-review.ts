import { z } from 'zod';
import { errors } from '../errors.ts';
import { REPORT_NOTE_MAX } from '../limits.ts';
import { VOTE_SIGNALS } from '../vote-signals.ts';
import { bulkAnswer, bulkIds } from './shared/bulk.ts';
import { adminRead, adminWrite, anyRecord, listInput, pageOf } from './shared/list.ts';

const cluster = z.object({
  id: z.uuid(),
  signal: z.enum(VOTE_SIGNALS),
  state: z.enum(['open', 'released', 'void']),
  candidateId: z.uuid().nullable(),
  /** Null where the signal is not about one candidate, or it is gone. */
  candidateName: z.string().nullable(),
  /** What the reason in words is made of, by signal. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  votes: z.int().nonnegative(),
  /** Of them, under review now. */
  waiting: z.int().nonnegative(),
  members: z.int().nonnegative(),
  /** Different networks (an IPv4 address, or the /64 of an IPv6). */
  networks: z.int().nonnegative(),
  /** Of the accounts when they voted: the middle one. Hours. */
  ageHours: z.int(),
  foundAt: z.iso.datetime(),
  grownAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  /** What is being carried out, a piece of its votes at a time: nobody decides otherwise meanwhile. Null when nothing is. */
  decision: z
    .object({
      act: z.enum(['release', 'void', 'undo']),
      /** That it was about when it began. */
      votes: z.int().nonnegative(),
      /** Changed by now. */
      done: z.int().nonnegative(),
      beganAt: z.iso.datetime(),
    })
    .nullable(),
});
export type VoteCluster = z.infer<typeof cluster>;

const clusterVote = z.object({
  /** Of the vote. */
  id: z.int(),
  memberId: z.uuid(),
  memberName: z.string(),
  candidateName: z.string(),
  at: z.iso.datetime(),
  /** Of the account when it voted. Seconds. */
  ageSeconds: z.int(),
  /** The beginning of the keyed hash of the nearest network: votes with the same came from there. Null when unknown. */
  network: z.string().nullable(),
  state: z.enum(['counted', 'under_review', 'void']),
  stateReason: z.string().nullable(),
});
export type ClusterVote = z.infer<typeof clusterVote>;

const deciding = { NOT_FOUND: errors.NOT_FOUND, ALREADY_DONE: errors.ALREADY_DONE };
const note = z.string().trim().max(REPORT_NOTE_MAX);
/** `changed` votes so far: the rest of a large cluster follows within seconds, and `cluster.decision` says how far it is. */
const decided = z.object({ cluster, changed: z.int().nonnegative() });

export const adminVoteReview = {
  list: adminRead('/vote-review', 'Clusters of votes that signals found', ['moderator'])
    .input(
      listInput(['foundAt', 'votes', 'members', 'networks', 'ageHours', 'signal'], {
        signal: z.enum(['all', ...VOTE_SIGNALS]).default('all'),
        state: z.enum(['open', 'released', 'void', 'all']).default('open'),
        id: z.uuid().optional(),
      }),
    )
    .output(pageOf(cluster)),
  votes: adminRead('/vote-review/{id}/votes', 'The votes of a cluster', ['moderator'])
    .input(listInput(['at', 'memberName'], { id: z.uuid() }))
    .output(pageOf(clusterVote)),
  /** Counts the votes that wait in it. */
  release: adminWrite('POST', '/vote-review/{id}/release', 'Release the votes of a cluster', ['moderator'])
    .errors(deciding)
    .input(anyRecord.extend({ reason: note.default('') }))
    .output(decided),
  /** They never count, unless that is undone. */
  void: adminWrite('POST', '/vote-review/{id}/void', 'Void the votes of a cluster', ['moderator'])
    .errors(deciding)
    .input(anyRecord.extend({ reason: note.min(1) }))
    .output(decided),
  /** Under review again, those that the decision changed and that nothing else changed since. */
  undo: adminWrite('POST', '/vote-review/{id}/undo', 'Take back a decision about a cluster', ['moderator'])
    .errors(deciding)
    .input(anyRecord)
    .output(decided),
  /** Several clusters at once, each by itself; voiding needs a reason. */
  decideMany: adminWrite('POST', '/vote-review/decide', 'Release or void the votes of several clusters, or undo that', [
    'moderator',
  ])
    .input(
      z
        .strictObject({ ids: bulkIds, decision: z.enum(['release', 'void', 'undo']), reason: note.default('') })
        .refine(({ decision, reason }) => decision !== 'void' || reason !== '', 'Voiding needs a reason'),
    )
    .output(bulkAnswer),
};

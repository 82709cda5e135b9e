import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { dayVotes } from '../fields/schemas.ts';
import { RANKING_MAX, RANKING_PAGE } from '../limits.ts';
import { verifiedBy } from './ownership.ts';

/** When this total was reached, in UTC to the microsecond: of two equal totals the earlier one comes first, null before all. */
const reachedAt = z.string().nullable();

export const candidate = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  tokenSlug: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  orderIndex: z.int(),
  createdAt: z.iso.datetime(),
  totalVotes: z.int().nonnegative(),
  /** Votes of the running UTC day. */
  votesToday: z.int().nonnegative(),
  reachedAt,
  /** Votes of each of the last days, oldest first, today last. */
  trend: z.array(z.int().nonnegative()),
  verified: verifiedBy,
});
export type Candidate = z.infer<typeof candidate>;

export const tally = z.object({
  candidateId: z.uuid(),
  totalVotes: z.int().nonnegative(),
  votesToday: z.int().nonnegative(),
  reachedAt,
});
export type Tally = z.infer<typeof tally>;

export const round = z.object({
  number: z.int().positive(),
  opensAt: z.iso.datetime(),
  closesAt: z.iso.datetime(),
  /** Another round opens when this one ends; else voting pauses. */
  next: z.boolean(),
});
export type Round = z.infer<typeof round>;

/** The round that ended last, as it was certified. */
const lastRound = z.object({
  number: z.int().positive(),
  closedAt: z.iso.datetime(),
  /** When it was to end. */
  closesAt: z.iso.datetime(),
  /** Why it was closed before that; null when it was not. */
  closedEarly: z.string().nullable(),
  /** The first three of the frozen standings, those without votes left out; the first is the winner. */
  standings: z.array(z.object({ tokenName: z.string(), tokenSymbol: z.string(), totalVotes: z.int().positive() })),
  /** Where the winner stands now: its page, as a candidate until it graduates. */
  winnerSlug: z.string().nullable(),
});
export type LastRound = z.infer<typeof lastRound>;

const ranking = z.object({
  items: z.array(candidate),
  /** Active candidates in all. */
  total: z.int().nonnegative(),
  round: round.nullable(),
  lastRound: lastRound.nullable(),
  /** Only members vote who confirmed their mailbox, or whom an admin confirmed; else every account does. */
  confirmedOnly: z.boolean(),
  /** The server's clock, for countdowns. */
  serverTime: z.iso.datetime(),
});
export type Ranking = z.infer<typeof ranking>;

/** Why a vote does not count, in general terms: it looks like bought ones, the account was closed, the team decided. */
export const voteReason = z.enum(['signal', 'banned', 'team']);
export type VoteReason = z.infer<typeof voteReason>;

const uncountedVote = z.object({
  candidateId: z.uuid(),
  tokenName: z.string(),
  tokenSlug: z.string(),
  /** UTC day. */
  day: z.iso.date(),
  state: z.enum(['under_review', 'void']),
  reason: voteReason,
});
export type UncountedVote = z.infer<typeof uncountedVote>;

const target = z.strictObject({
  candidateId: z.uuid(),
  /** Accepted for old callers; anybody but the signed-in member is refused. */
  userId: z.uuid().optional(),
});

export const voting = {
  ranking: oc
    .route({ method: 'GET', path: '/candidates', tags: ['voting'], summary: 'Active candidates, most votes first' })
    .input(z.strictObject({ limit: z.coerce.number().int().min(1).max(RANKING_MAX).default(RANKING_PAGE) }))
    .output(ranking),
  history: oc
    .route({ method: 'GET', path: '/candidates/{candidateId}/history', tags: ['voting'], summary: 'Votes per UTC day' })
    .input(z.strictObject({ candidateId: z.uuid() }))
    .output(z.array(dayVotes)),
  mine: oc
    .route({ method: 'GET', path: '/votes/mine', tags: ['voting'], summary: 'Candidates I voted for today (UTC)' })
    .output(z.array(z.uuid())),
  uncounted: oc
    .route({
      method: 'GET',
      path: '/votes/uncounted',
      tags: ['voting'],
      summary: 'My votes of the open round that do not count, and why',
    })
    .output(z.array(uncountedVote)),
  votedToday: oc
    .route({
      method: 'GET',
      path: '/candidates/{candidateId}/voted-today',
      tags: ['voting'],
      summary: 'Did I vote today?',
    })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED, FORBIDDEN: errors.FORBIDDEN })
    .input(target)
    .output(z.boolean()),
  /** One vote per member, candidate and UTC day. Answers with the new tally. */
  cast: oc
    .route({ method: 'POST', path: '/candidates/{candidateId}/votes', tags: ['voting'], summary: 'Vote' })
    .errors({
      UNAUTHORIZED: errors.UNAUTHORIZED,
      FORBIDDEN: errors.FORBIDDEN,
      NOT_FOUND: errors.NOT_FOUND,
      UNCONFIRMED: errors.UNCONFIRMED,
      ALREADY_VOTED: errors.ALREADY_VOTED,
      ROUND_ENDED: errors.ROUND_ENDED,
      VOTING_PAUSED: errors.VOTING_PAUSED,
      RATE_LIMITED: errors.RATE_LIMITED,
      BUSY: errors.BUSY,
    })
    .input(target)
    .output(tally),
  /** Takes back today's vote; voting again is allowed afterwards. */
  withdraw: oc
    .route({
      method: 'DELETE',
      path: '/candidates/{candidateId}/votes',
      tags: ['voting'],
      summary: "Take back today's vote",
    })
    .errors({
      UNAUTHORIZED: errors.UNAUTHORIZED,
      FORBIDDEN: errors.FORBIDDEN,
      NOT_FOUND: errors.NOT_FOUND,
      NO_VOTE: errors.NO_VOTE,
      ROUND_ENDED: errors.ROUND_ENDED,
      RATE_LIMITED: errors.RATE_LIMITED,
    })
    .input(target)
    .output(tally),
};

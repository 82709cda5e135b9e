import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { dayVotes } from '../fields/schemas.ts';
import { RANKING_MAX, RANKING_PAGE } from '../limits.ts';
import { verifiedBy } from './ownership.ts';

/** Time when this total was reached, in UTC to the microsecond: of two equal totals the earlier one ranks first, and null before all. */
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
  /** Votes of the current UTC day. */
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
  /** True when another round opens at its end; otherwise voting is paused. */
  next: z.boolean(),
});
export type Round = z.infer<typeof round>;

/** The most recently ended round, as certified. */
const lastRound = z.object({
  number: z.int().positive(),
  closedAt: z.iso.datetime(),
  /** Its scheduled end. */
  closesAt: z.iso.datetime(),
  /** Reason for closing it before its end; null when it ended regularly. */
  closedEarly: z.string().nullable(),
  /** The first three of the frozen standings, without candidates that have no votes; the first one is the winner. */
  standings: z.array(z.object({ tokenName: z.string(), tokenSymbol: z.string(), totalVotes: z.int().positive() })),
  /** Slug of the winner's present page, as a candidate until it graduates. */
  winnerSlug: z.string().nullable(),
});
export type LastRound = z.infer<typeof lastRound>;

const ranking = z.object({
  items: z.array(candidate),
  /** Total of active candidates. */
  total: z.int().nonnegative(),
  round: round.nullable(),
  lastRound: lastRound.nullable(),
  /** When true, only members with a verified mailbox, or confirmed by an admin, can vote; otherwise every account can. */
  confirmedOnly: z.boolean(),
  /** The server's time, for countdowns. */
  serverTime: z.iso.datetime(),
});
export type Ranking = z.infer<typeof ranking>;

/** Public category of why a vote is not counted: it resembles bought votes, the account was closed, the team decided. */
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
  /** Accepted for old clients; refused unless it is the signed-in member. */
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
  /** One vote per member, candidate and UTC day. Returns the new tally. */
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
  /** Withdraws today's counted vote; voting again is possible afterwards. */
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
      VOTE_UNCOUNTED: errors.VOTE_UNCOUNTED,
      ROUND_ENDED: errors.ROUND_ENDED,
      VOTING_PAUSED: errors.VOTING_PAUSED,
      RATE_LIMITED: errors.RATE_LIMITED,
    })
    .input(target)
    .output(tally),
};

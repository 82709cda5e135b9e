import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from './errors.ts';
import { dayVotes } from './fields.ts';
import { RANKING_MAX, RANKING_PAGE } from './limits.ts';

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
});
export type Candidate = z.infer<typeof candidate>;

export const tally = z.object({
  candidateId: z.uuid(),
  totalVotes: z.int().nonnegative(),
  votesToday: z.int().nonnegative(),
  reachedAt,
});
export type Tally = z.infer<typeof tally>;

export const round = z.object({ number: z.int().positive(), opensAt: z.iso.datetime(), closesAt: z.iso.datetime() });
export type Round = z.infer<typeof round>;

const ranking = z.object({
  items: z.array(candidate),
  /** Active candidates in all. */
  total: z.int().nonnegative(),
  round: round.nullable(),
  /** The server's clock, for countdowns. */
  serverTime: z.iso.datetime(),
});
export type Ranking = z.infer<typeof ranking>;

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
      RATE_LIMITED: errors.RATE_LIMITED,
    })
    .input(target)
    .output(tally),
};

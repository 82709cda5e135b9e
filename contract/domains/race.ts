import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { RACE_SHOWN } from '../limits.ts';

/** Maximum number of selectable rounds. */
export const RACE_ROUNDS = 24;

const runner = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** Null for a candidate of an ended round that is no longer public. */
  tokenSlug: z.string().nullable(),
  imageUrl: z.string().nullable(),
  /** Votes and place at the end of each day; today's are current values. Equal totals of a past day share a place. */
  totals: z.array(z.int().nonnegative()),
  ranks: z.array(z.int().positive()),
});

const raceDays = z.object({
  /** Number of the round; null while voting is paused and no ended round was requested: then there are no days. */
  round: z.int().positive().nullable(),
  /** True when the round has ended, and the data are those of its end. */
  ended: z.boolean(),
  /** Rounds with a readable race, newest first. */
  rounds: z.array(z.int().positive()).max(RACE_ROUNDS),
  /** UTC days of the round, oldest first; the last one is today or the day of its end. */
  days: z.array(z.iso.date()),
  /** The leading candidates now, or at the round's end, in that order. */
  candidates: z.array(runner).max(RACE_SHOWN),
});
export type Race = z.infer<typeof raceDays>;

const ticket = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  imageUrl: z.string().nullable(),
  candidateId: z.uuid(),
  /** Current slug of the token, a candidate or its successor; null when it is not public. */
  tokenSlug: z.string().nullable(),
  /** UTC day of the vote. */
  day: z.iso.date(),
  /** Position of the vote among the votes of its candidate, and of the candidate in the ranking, when the ticket was saved. */
  number: z.int().positive(),
  rank: z.int().positive(),
  /** Round of the vote; null for a vote from before votes had a round. */
  round: z.int().positive().nullable(),
  keptAt: z.iso.datetime(),
  /** Current state of the vote. */
  state: z.enum(['counted', 'under_review', 'void', 'withdrawn']),
  /** True when the vote is in a signed checkpoint of the vote ledger; null when the vote was withdrawn or reset, or became part of a sum. */
  signed: z.boolean().nullable(),
});
export type VoteTicket = z.infer<typeof ticket>;

/** Final position of a candidate in a round, and its position on each day of it. */
const placing = z.object({
  round: z.int().positive(),
  endedAt: z.iso.datetime(),
  place: z.int().positive(),
  total: z.int().nonnegative(),
  /** Oldest first; empty when it was not among the leading candidates, or the round is older than stored races. */
  days: z.array(z.object({ day: z.iso.date(), rank: z.int().positive() })),
});
export type Placing = z.infer<typeof placing>;

export const race = {
  /** Of the open round, or of an ended one by its number. Rounds that ended before races were stored have none. */
  days: oc
    .route({ method: 'GET', path: '/race', tags: ['voting'], summary: 'A round by day' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ round: z.coerce.number().int().min(1).max(1_000_000).optional() }).default({}))
    .output(raceDays),
  /** Empty for a candidate that is not competing, and while voting is paused. */
  ranks: oc
    .route({ method: 'GET', path: '/candidates/{candidateId}/ranks', tags: ['voting'], summary: 'Places by day' })
    .input(z.strictObject({ candidateId: z.uuid() }))
    .output(z.array(z.object({ day: z.iso.date(), rank: z.int().positive(), total: z.int().nonnegative() }))),
  /** Of the most recently ended rounds, newest first; empty for a candidate that was in none of them. */
  placings: oc
    .route({
      method: 'GET',
      path: '/candidates/{candidateId}/placings',
      tags: ['voting'],
      summary: 'Places in ended rounds',
    })
    .input(z.strictObject({ candidateId: z.uuid() }))
    .output(z.array(placing).max(RACE_ROUNDS)),
  /** Saves the ticket of today's vote; idempotent. */
  keepTicket: oc
    .route({ method: 'POST', path: '/candidates/{candidateId}/ticket', tags: ['voting'], summary: 'Keep my ticket' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED, NO_VOTE: errors.NO_VOTE, RATE_LIMITED: errors.RATE_LIMITED })
    .input(z.strictObject({ candidateId: z.uuid() }))
    .output(z.object({ id: z.uuid() })),
  /** Public by its address; does not reveal the voter. */
  ticket: oc
    .route({ method: 'GET', path: '/tickets/{id}', tags: ['voting'], summary: 'A ticket that was kept' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid() }))
    .output(ticket),
};

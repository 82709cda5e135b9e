import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { RACE_SHOWN } from '../limits.ts';

/** Rounds that can be chosen. */
export const RACE_ROUNDS = 24;

const runner = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** Null for a candidate of an ended round that the public does not see any more. */
  tokenSlug: z.string().nullable(),
  imageUrl: z.string().nullable(),
  /** Votes at the end of each day, and place; today's are those of now. Equal totals of a past day share a place. */
  totals: z.array(z.int().nonnegative()),
  ranks: z.array(z.int().positive()),
});

const raceDays = z.object({
  /** Number of the round; null while voting is paused and no ended one was asked for: then there are no days. */
  round: z.int().positive().nullable(),
  /** The round has ended: this is how it was then. */
  ended: z.boolean(),
  /** Rounds whose race can be read, the newest first. */
  rounds: z.array(z.int().positive()).max(RACE_ROUNDS),
  /** UTC days of the round, oldest first; the last is today or that of its end. */
  days: z.array(z.iso.date()),
  /** The first ones of now, or of its end, in that order. */
  candidates: z.array(runner).max(RACE_SHOWN),
});
export type Race = z.infer<typeof raceDays>;

const ticket = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  imageUrl: z.string().nullable(),
  candidateId: z.uuid(),
  /** Where the token is now, a candidate or what became of it; null when the public does not see it. */
  tokenSlug: z.string().nullable(),
  /** UTC day of the vote. */
  day: z.iso.date(),
  /** Place of the vote among those of its candidate, and of the candidate in the ranking, when the ticket was kept. */
  number: z.int().positive(),
  rank: z.int().positive(),
  round: z.int().positive().nullable(),
  keptAt: z.iso.datetime(),
  /** Of the vote, now. */
  state: z.enum(['counted', 'under_review', 'void', 'withdrawn']),
  /** The vote is in a signed checkpoint of the vote ledger; null: it is older than what is looked through. */
  signed: z.boolean().nullable(),
});
export type VoteTicket = z.infer<typeof ticket>;

/** Where a candidate ended in a round, and where it stood on each of its days. */
const placing = z.object({
  round: z.int().positive(),
  endedAt: z.iso.datetime(),
  place: z.int().positive(),
  total: z.int().nonnegative(),
  /** Oldest first; empty where it was not among the first, or the round ended before its race was kept. */
  days: z.array(z.object({ day: z.iso.date(), rank: z.int().positive() })),
});
export type Placing = z.infer<typeof placing>;

export const race = {
  /** Of the open round, or of an ended one by its number. Of rounds that ended before their race was kept there is none. */
  days: oc
    .route({ method: 'GET', path: '/race', tags: ['voting'], summary: 'A round by day' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ round: z.coerce.number().int().min(1).max(1_000_000).optional() }).default({}))
    .output(raceDays),
  /** Empty for a candidate that is not in the running, and while voting is paused. */
  ranks: oc
    .route({ method: 'GET', path: '/candidates/{candidateId}/ranks', tags: ['voting'], summary: 'Places by day' })
    .input(z.strictObject({ candidateId: z.uuid() }))
    .output(z.array(z.object({ day: z.iso.date(), rank: z.int().positive(), total: z.int().nonnegative() }))),
  /** Of the newest rounds that ended, the newest first; empty for who was in none of them. */
  placings: oc
    .route({
      method: 'GET',
      path: '/candidates/{candidateId}/placings',
      tags: ['voting'],
      summary: 'Places in ended rounds',
    })
    .input(z.strictObject({ candidateId: z.uuid() }))
    .output(z.array(placing).max(RACE_ROUNDS)),
  /** Keeps the ticket of today's vote; twice is once. */
  keepTicket: oc
    .route({ method: 'POST', path: '/candidates/{candidateId}/ticket', tags: ['voting'], summary: 'Keep my ticket' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED, NO_VOTE: errors.NO_VOTE, RATE_LIMITED: errors.RATE_LIMITED })
    .input(z.strictObject({ candidateId: z.uuid() }))
    .output(z.object({ id: z.uuid() })),
  /** For everybody who has its address; it does not say whose vote it is. */
  ticket: oc
    .route({ method: 'GET', path: '/tickets/{id}', tags: ['voting'], summary: 'A ticket that was kept' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid() }))
    .output(ticket),
};

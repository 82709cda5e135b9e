import { oc } from '@orpc/contract';
import { z } from 'zod';
import { figureSource } from './market.ts';
import { verifiedBy } from './ownership.ts';

/**
 * What is known of a launch, beside the clock (AMB-214). 'chain': its token was made here and read back; 'test' says that the chain or the
 * money was of no value. 'team': an admin says that it launched. 'none': neither.
 */
export const launchProof = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('chain'),
    test: z.boolean(),
    transaction: z.string(),
    /** Its page in an explorer, where one is configured. */
    transactionUrl: z.url().nullable(),
    /** Block or slot. */
    block: z.string().nullable(),
  }),
  z.object({ by: z.literal('team') }),
  z.object({ by: z.literal('none') }),
]);
export type LaunchProof = z.infer<typeof launchProof>;

/** One change of an announced hour; null: there was, or is, none. */
export const launchChange = z.object({
  was: z.iso.datetime().nullable(),
  becomes: z.iso.datetime().nullable(),
  at: z.iso.datetime(),
});
export type LaunchChange = z.infer<typeof launchChange>;

export const nextProject = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  status: z.enum(['published', 'launched']),
  orderIndex: z.int(),
  createdAt: z.iso.datetime(),
  isActive: z.boolean(),
  launchDate: z.iso.datetime().nullable(),
  countdownEnd: z.iso.datetime().nullable(),
  proof: launchProof,
  marketCap: z.string(),
  /** Who says so; null: it is not known. */
  marketCapFrom: figureSource.nullable(),
  progressPercentage: z.int(),
  isVotingWinner: z.boolean(),
  verified: verifiedBy,
});
export type NextProject = z.infer<typeof nextProject>;

const page = z.object({
  items: z.array(nextProject),
  total: z.int().nonnegative(),
  /** The server's clock, for countdowns. */
  serverTime: z.iso.datetime(),
});
export type NextProjectPage = z.infer<typeof page>;

const launch = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  description: z.string().nullable(),
  /** The end of its countdown, else its date. */
  startsAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /** Calendars recognise a moved launch by it. */
  updatedAt: z.iso.datetime(),
  /** Changes of its announced hour, newest first; of very many the newest. */
  changes: z.array(launchChange),
});
export type Launch = z.infer<typeof launch>;

export const nextProjects = {
  list: oc
    .route({ method: 'GET', path: '/next-projects', tags: ['next'], summary: 'Upcoming launches' })
    .input(
      z.strictObject({
        offset: z.coerce.number().int().min(0).max(100_000).default(0),
        /** Without it as many as home shows, never leaving a single one for the next page. */
        limit: z.coerce.number().int().min(1).max(100).optional(),
      }),
    )
    .output(page),
  launches: oc
    .route({
      method: 'GET',
      path: '/next-projects/launches',
      tags: ['next'],
      summary: 'Launches that have a time, soonest first; the calendar is made of them',
    })
    .output(z.array(launch)),
};

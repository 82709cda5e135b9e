import { oc } from '@orpc/contract';
import { z } from 'zod';
import { figureSource } from './market.ts';
import { verifiedBy } from './ownership.ts';

/**
 * Evidence of a launch, in addition to the clock (AMB-214). 'chain': its token was created here and read back; 'test' marks a
 * chain or payment without real value. 'team': an admin confirmed the launch. 'none': neither.
 */
export const launchProof = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('chain'),
    test: z.boolean(),
    transaction: z.string(),
    /** Page of the transaction in an explorer, when one is configured. */
    transactionUrl: z.url().nullable(),
    /** Block or slot. */
    block: z.string().nullable(),
  }),
  z.object({ by: z.literal('team') }),
  z.object({ by: z.literal('none') }),
]);
export type LaunchProof = z.infer<typeof launchProof>;

/** A change of the announced launch time; null on a side without an announced time. */
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
  /** Source of the market cap; null when unknown. */
  marketCapFrom: figureSource.nullable(),
  progressPercentage: z.int(),
  isVotingWinner: z.boolean(),
  verified: verifiedBy,
});
export type NextProject = z.infer<typeof nextProject>;

const page = z.object({
  items: z.array(nextProject),
  total: z.int().nonnegative(),
  /** The server's time, for countdowns. */
  serverTime: z.iso.datetime(),
});
export type NextProjectPage = z.infer<typeof page>;

const launch = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  description: z.string().nullable(),
  /** End of its countdown, otherwise its date. */
  startsAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
  /** Lets calendar applications detect a moved launch. */
  updatedAt: z.iso.datetime(),
  /** Changes of its announced time, newest first; limited to the newest ones. */
  changes: z.array(launchChange),
});
export type Launch = z.infer<typeof launch>;

export const nextProjects = {
  list: oc
    .route({ method: 'GET', path: '/next-projects', tags: ['next'], summary: 'Upcoming launches' })
    .input(
      z.strictObject({
        offset: z.coerce.number().int().min(0).max(100_000).default(0),
        /** Default: as many as home shows, adjusted so that the next page never has a single item. */
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

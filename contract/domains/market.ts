import { oc } from '@orpc/contract';
import { z } from 'zod';
import { tokenKind } from '../fields/schemas.ts';

/** 'team': as the project's team entered it; 'demo': invented for the demo; 'chain': read from
 * the chain when we made the token; else the provider that said so. */
export const figureSource = z.enum(['team', 'dexscreener', 'geckoterminal', 'demo', 'chain']);
export type FigureSource = z.infer<typeof figureSource>;

/** Where a figure comes from. */
export const provenance = z.object({
  source: figureSource,
  /** When the provider said so, or the team entered it; null for what was entered before that was noted. */
  at: z.iso.datetime().nullable(),
  /** The provider should have said something newer by now. */
  stale: z.boolean(),
});
export type Provenance = z.infer<typeof provenance>;

export const FIGURES = ['price', 'volume24h', 'marketCap', 'liquidity', 'holders'] as const;
export const figureName = z.enum(FIGURES);
export type FigureName = z.infer<typeof figureName>;

/** The last day, week, month or year. */
export const priceRange = z.enum(['day', 'week', 'month', 'year']);
export type PriceRange = z.infer<typeof priceRange>;

const priceHistory = z.object({
  /** Equal steps, oldest first: the last price of each and when it was, or null where nothing was recorded. */
  points: z.array(z.object({ at: z.iso.datetime(), price: z.number().positive().nullable() })),
  source: figureSource.nullable(),
});
export type PriceHistory = z.infer<typeof priceHistory>;

export const market = {
  prices: oc
    .route({
      method: 'GET',
      path: '/tokens/{kind}/{id}/prices',
      tags: ['tokens'],
      summary: 'Recorded prices of a token in US dollars',
    })
    .input(z.strictObject({ kind: tokenKind, id: z.uuid(), range: priceRange.default('week') }))
    .output(priceHistory),
};

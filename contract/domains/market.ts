import { oc } from '@orpc/contract';
import { z } from 'zod';
import { tokenKind } from '../fields/schemas.ts';

/**
 * 'team': entered by the project's team; 'demo': invented for the demo; 'chain': read from the chain when we created the token;
 * otherwise the provider of the figure.
 */
export const figureSource = z.enum(['team', 'dexscreener', 'geckoterminal', 'demo', 'chain']);
export type FigureSource = z.infer<typeof figureSource>;

/** Source of a figure. */
export const provenance = z.object({
  source: figureSource,
  /** Time of the provider's figure, or of the team's entry; null for entries older than this field. */
  at: z.iso.datetime().nullable(),
  /** True when the provider's figure is older than expected. */
  stale: z.boolean(),
});
export type Provenance = z.infer<typeof provenance>;

export const FIGURES = ['price', 'volume24h', 'marketCap', 'liquidity', 'holders'] as const;
export const figureName = z.enum(FIGURES);
export type FigureName = z.infer<typeof figureName>;

/** Length of the range, ending now. */
export const priceRange = z.enum(['day', 'week', 'month', 'year']);
export type PriceRange = z.infer<typeof priceRange>;

const priceHistory = z.object({
  /** Equal steps, oldest first: the last price of each with its time, or null when no price was recorded. */
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

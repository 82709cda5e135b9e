import { z } from 'zod';
import { figureName, figureSource } from '../domains/market.ts';
import { errors } from '../errors.ts';
import { marketNetwork, tokenKind } from '../fields/schemas.ts';
import { adminRead } from './shared/list.ts';

/** What a form of the back office shows beside the figures that the team enters. */
const marketView = z.object({
  /** This site asks providers at all (MARKET_DATA). */
  enabled: z.boolean(),
  /** Null: no address, or one whose network nobody said. */
  network: marketNetwork.nullable(),
  address: z.string().nullable(),
  /**
   * 'hidden': only what the public sees is asked about; 'waiting': not answered yet; 'unlisted': the provider does not
   * know the token; 'never': invented for the demo.
   */
  state: z.enum(['nowhere', 'hidden', 'never', 'waiting', 'unlisted', 'listed']),
  answeredAt: z.iso.datetime().nullable(),
  /** The provider does not answer; asked again then. */
  pausedUntil: z.iso.datetime().nullable(),
  /** They are what the public sees, instead of the team's. */
  figures: z.array(
    z.object({
      figure: figureName,
      value: z.number().nonnegative(),
      source: figureSource,
      at: z.iso.datetime(),
      stale: z.boolean(),
    }),
  ),
  serverTime: z.iso.datetime(),
});
export type MarketView = z.infer<typeof marketView>;

export const adminMarket = {
  read: adminRead('/market/{kind}/{id}', 'What providers of market data say about a record', ['editor'])
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ kind: tokenKind, id: z.uuid() }))
    .output(marketView),
};

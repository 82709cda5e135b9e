import { z } from 'zod';
import { figureName, figureSource } from '../domains/market.ts';
import { errors } from '../errors.ts';
import { marketNetwork, tokenKind } from '../fields/schemas.ts';
import { adminRead } from './shared/list.ts';

/** Market data of providers, shown in a form of the back office next to the figures that the team enters. */
const marketView = z.object({
  /** True when this site queries providers (MARKET_DATA). */
  enabled: z.boolean(),
  /** Null when the record has no address, or its network is unknown. */
  network: marketNetwork.nullable(),
  address: z.string().nullable(),
  /**
   * 'nowhere': without a network. 'hidden': not queried, because the record is not public. 'never': not queried, because the
   * token is invented for the demo. 'waiting': no response yet. 'unlisted': the provider does not list the token.
   */
  state: z.enum(['nowhere', 'hidden', 'never', 'waiting', 'unlisted', 'listed']),
  answeredAt: z.iso.datetime().nullable(),
  /** Time of the next query after a failure of the provider; null without one. */
  pausedUntil: z.iso.datetime().nullable(),
  /** Figures of providers, which public pages show instead of the team's. */
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

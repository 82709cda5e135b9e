import { z } from 'zod';
import { figureName } from '#contract/domains/market.ts';
import { marketNetwork } from '#contract/fields/schemas.ts';
import { boolean, float8, int4, json, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { marketFigures } from '#server/db/tables/market.ts';

const source = z.enum(marketFigures.source.enumValues);

/** Columns of a view, for which PostgreSQL reports no nullability: a listing has all of them. */
const LISTED = {
  network: oneOf(marketNetwork.options),
  address: text,
  shown: boolean,
  /** Values of providers, by figure; null: none. */
  figures: orNull(json(z.partialRecord(figureName, z.object({ value: z.number(), source, at: z.string() })).parse)),
};
const COLUMNS = `coalesce(l.network, '') as network, coalesce(l.address, '') as address, coalesce(l.shown, false) as shown,
  (select json_object_agg(f.figure, json_build_object('value', f.value::float8, 'source', f.source, 'at', f.at))
   from market_figures f where f.network = l.network and f.address = l.address) as figures`;

/** The token of a record, and since when its prices are recorded. */
export const readListing = statement({
  parameters: { kind: text, id: uuid },
  row: { ...LISTED, since: orNull(timestamptz) },
  text: (at) => `
    select ${COLUMNS},
      (select min(p.at) from market_prices p where p.network = l.network and p.address = l.address) as since
    from market_listings l where l.kind = ${at.kind} and l.id = ${at.id}`,
});

/** The token of a record, and the state of its price fetches; null when none was scheduled. */
export const readListingState = statement({
  parameters: { kind: text, id: uuid },
  row: { ...LISTED, misses: orNull(int4), answeredAt: orNull(timestamptz), never: orNull(boolean) },
  text: (at) => `
    select ${COLUMNS}, a.misses, a.answered_at as "answeredAt", a.next_at = 'infinity' as never from market_listings l
    left join market_asks a on a.network = l.network and a.address = l.address and a.ask = 'prices'
    where l.kind = ${at.kind} and l.id = ${at.id}`,
});

/** The last recorded price of each step of a range, for public tokens. */
export const readPrices = statement({
  parameters: { kind: text, id: uuid, from: timestamptz, to: timestamptz, first: float8, step: float8 },
  row: { step: int4, at: timestamptz, price: float8, source: orNull(oneOf(source.options)) },
  text: (at) => `
    select distinct on (1) floor((coalesce(extract(epoch from p.at), 0) * 1000 - ${at.first}) / ${at.step})::int as step,
      p.at, p.price::float8 as price,
      (select f.source from market_figures f where f.network = p.network and f.address = p.address and f.figure = 'price') as source
    from market_prices p
    where p.at >= ${at.from} and p.at <= ${at.to}
      and (p.network, p.address) = (select l.network, l.address from market_listings l
        where l.kind = ${at.kind} and l.id = ${at.id} and l.shown)
    order by 1, p.at desc`,
});

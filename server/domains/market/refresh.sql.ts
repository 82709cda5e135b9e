import { arrayOf, float8, text, timestamptz } from '#server/db/pg-types.ts';
import { command } from '#server/db/statement.ts';

/** Stores a provider's values of a token, unless newer ones exist. A double has 15 significant digits. */
export const storeFigures = command({
  parameters: {
    network: text,
    address: text,
    figures: arrayOf(text),
    values: arrayOf(float8),
    source: text,
    at: timestamptz,
  },
  text: (at) => `
    insert into market_figures as f (network, address, figure, value, source, at)
    select ${at.network}, ${at.address}, v.figure, v.value::numeric, ${at.source}, ${at.at}
    from unnest(${at.figures}, ${at.values}) v (figure, value)
    on conflict (network, address, figure) do update set value = excluded.value, source = excluded.source, at = excluded.at
    where f.at <= excluded.at`,
});

/** Stores the price of a step of time; the newest one wins. */
export const storePrice = command({
  parameters: { network: text, address: text, begin: timestamptz, price: float8 },
  text: (at) => `
    insert into market_prices (network, address, at, price)
    values (${at.network}, ${at.address}, ${at.begin}, ${at.price}::numeric)
    on conflict (network, address, at) do update set price = excluded.price`,
});

/** Retains one price of each hour, or day: the last one, between two given times. */
const downsampling = (unit: 'hour' | 'day') => ({
  parameters: { from: timestamptz, to: timestamptz },
  text: (at: { from: string; to: string }) => `
    delete from market_prices p where p.at >= ${at.from} and p.at < ${at.to} and (
      select true from market_prices l where l.network = p.network and l.address = p.address and l.at > p.at
        and l.at < date_trunc('${unit}', p.at at time zone 'UTC') at time zone 'UTC' + interval '1 ${unit}' limit 1)`,
});
export const downsampleToHours = command(downsampling('hour'));
export const downsampleToDays = command(downsampling('day'));

export const forgetPricesBefore = command({
  parameters: { before: timestamptz },
  text: (at) => `delete from market_prices where at < ${at.before}`,
});

/** Deletes fetches of tokens that no record has any more. */
export const deleteUnlistedFetches = command({
  parameters: { before: timestamptz },
  text: (at) => `delete from market_asks m where m.next_at < ${at.before} and not exists (
    select 1 from market_listings l where l.network = m.network and l.address = m.address)`,
});

/** Deletes data of tokens that are no longer fetched. */
const deleteUnlisted = (table: 'market_prices' | 'market_figures') => ({
  parameters: {},
  text: () => `delete from ${table} t where not exists (
    select 1 from market_asks m where m.network = t.network and m.address = t.address)`,
});
export const deleteUnfetchedPrices = command(deleteUnlisted('market_prices'));
export const deleteUnfetchedFigures = command(deleteUnlisted('market_figures'));

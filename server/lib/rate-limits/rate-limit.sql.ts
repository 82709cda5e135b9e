import { arrayOf, int4, text, timestamptz } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Counts the hits of one group size, unless a limit of the next smaller size is exceeded. */
function countOf(size: number, now: string): string {
  // The aggregate reads the previous count completely, so rows are locked by size and then by key: two requests never
  // lock the same rows in opposite order.
  const allowed = size === 0 ? 'true' : `(select coalesce(bool_and(hits <= max_hits), false) from counted_${size - 1})`;
  return `taken_${size} as (
      insert into rate_limits as l (key, hits, window_ends)
      select key, 1, ${now} + make_interval(secs => seconds) from requested where size = ${size} and ${allowed} order by key
      on conflict (key) do update set
        hits = case when l.window_ends <= ${now} then 1 else l.hits + 1 end,
        window_ends = case when l.window_ends <= ${now} then excluded.window_ends else l.window_ends end
      returning key, hits, window_ends),
    counted_${size} as (
      select t.key, t.hits, t.window_ends, a.max_hits from taken_${size} t join requested a using (key))`;
}

/**
 * Counts hits of the given number of group sizes, the smallest first; returns the remaining seconds of each exceeded
 * limit.
 */
const consume = (sizes: number) => ({
  parameters: {
    keys: arrayOf(text),
    /** 0 is the smallest group. */
    sizes: arrayOf(int4),
    max: arrayOf(int4),
    seconds: arrayOf(int4),
    now: timestamptz,
  },
  row: { seconds: int4 },
  text: (at: { keys: string; sizes: string; max: string; seconds: string; now: string }) => {
    const all = Array.from({ length: sizes }, (_, size) => size);
    return `
      with requested (key, size, max_hits, seconds) as (
        select * from unnest(${at.keys}, ${at.sizes}, ${at.max}, ${at.seconds})),
      ${all.map((size) => countOf(size, at.now)).join(', ')}
      select coalesce(ceil(extract(epoch from window_ends - ${at.now})), 0)::int as seconds
      from (${all.map((size) => `select * from counted_${size}`).join(' union all ')}) as counted where hits > max_hits`;
  },
});

export const consumeOneSize = statement(consume(1));
export const consumeTwoSizes = statement(consume(2));
export const consumeThreeSizes = statement(consume(3));

/** Current windows of these keys, with their hits and remaining seconds. */
export const readRunning = statement({
  parameters: { keys: arrayOf(text), now: timestamptz },
  row: { key: text, hits: int4, seconds: int4 },
  text: (at) => `
    select key, hits, coalesce(ceil(extract(epoch from window_ends - ${at.now})), 0)::int as seconds
    from rate_limits where window_ends > ${at.now} and key = any(${at.keys})`,
});

/** Subtracts one hit from each of these keys. Rows are locked in key order, as when counting. */
export const returnHits = command({
  parameters: { keys: arrayOf(text), now: timestamptz },
  text: (at) => `
    update rate_limits set hits = hits - 1 where hits > 0 and window_ends > ${at.now}
      and key in (select key from rate_limits where key = any(${at.keys}) order by key for update)`,
});

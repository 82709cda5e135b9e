import { arrayOf, int4, text, timestamptz } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Counts the takes of one size, unless one of the size before refuses. */
function countOf(size: number, now: string): string {
  // The aggregate reads the count before to its end, so rows are locked by size first and then by key: two requests never
  // lock the same ones in opposite order.
  const allowed = size === 0 ? 'true' : `(select coalesce(bool_and(hits <= most), false) from counted_${size - 1})`;
  return `taken_${size} as (
      insert into rate_limits as l (key, hits, window_ends)
      select key, 1, ${now} + make_interval(secs => seconds) from requested where size = ${size} and ${allowed} order by key
      on conflict (key) do update set
        hits = case when l.window_ends <= ${now} then 1 else l.hits + 1 end,
        window_ends = case when l.window_ends <= ${now} then excluded.window_ends else l.window_ends end
      returning key, hits, window_ends),
    counted_${size} as (
      select t.key, t.hits, t.window_ends, a.most from taken_${size} t join requested a using (key))`;
}

/** Counts takes of so many sizes, the smallest first; answers the seconds that each full limit lasts. */
const consume = (sizes: number) => ({
  parameters: {
    keys: arrayOf(text),
    /** 0 is the smallest. */
    sizes: arrayOf(int4),
    most: arrayOf(int4),
    seconds: arrayOf(int4),
    now: timestamptz,
  },
  row: { seconds: int4 },
  text: (at: { keys: string; sizes: string; most: string; seconds: string; now: string }) => {
    const all = Array.from({ length: sizes }, (_, size) => size);
    return `
      with requested (key, size, most, seconds) as (
        select * from unnest(${at.keys}, ${at.sizes}, ${at.most}, ${at.seconds})),
      ${all.map((size) => countOf(size, at.now)).join(', ')}
      select coalesce(ceil(extract(epoch from window_ends - ${at.now})), 0)::int as seconds
      from (${all.map((size) => `select * from counted_${size}`).join(' union all ')}) as counted where hits > most`;
  },
});

export const consumeOneSize = statement(consume(1));
export const consumeTwoSizes = statement(consume(2));
export const consumeThreeSizes = statement(consume(3));

/** Limits of these keys that run, with the seconds that they last. */
export const readRunning = statement({
  parameters: { keys: arrayOf(text), now: timestamptz },
  row: { key: text, hits: int4, seconds: int4 },
  text: (at) => `
    select key, hits, coalesce(ceil(extract(epoch from window_ends - ${at.now})), 0)::int as seconds
    from rate_limits where window_ends > ${at.now} and key = any(${at.keys})`,
});

/** Takes one hit back from each of these keys; locked in the order in which they are counted. */
export const returnHits = command({
  parameters: { keys: arrayOf(text), now: timestamptz },
  text: (at) => `
    update rate_limits set hits = hits - 1 where hits > 0 and window_ends > ${at.now}
      and key in (select key from rate_limits where key = any(${at.keys}) order by key for update)`,
});

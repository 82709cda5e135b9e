import { arrayOf, int8, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * The completed creation with the oldest reading, if it is due: a day after a reading without differences (or after its
 * completion), an hour after a reading that failed or found a difference.
 */
export const readNextDue = statement({
  parameters: { what: text, network: orNull(text), chain: orNull(text), now: timestamptz },
  row: { id: uuid },
  text: (at) => `
    select c.id
    from token_creations c left join lateral (
      select max(r.read_at) as tried, max(r.read_at) filter (where r.outcome = 'same') as same
      from token_readings r where r.creation_id = c.id and r.what = ${at.what}) r on true
    where c.state = 'completed' and (${at.network} is null or c.network = ${at.network})
      and (${at.chain} is null or c.chain_id = ${at.chain})
      and coalesce(r.same, c.completed_at) <= ${at.now} - interval '1 day'
      and coalesce(r.tried, '-infinity') <= ${at.now} - interval '1 hour'
    order by coalesce(r.tried, c.completed_at), c.id limit 1`,
});

/** The two newest answered readings of each kind of one creation. */
export const readNewestReadings = statement({
  parameters: { creation: uuid },
  row: { what: text, outcome: text, differences: arrayOf(text), at: timestamptz, nth: int8 },
  text: (at) => `
    select what, outcome, differences, read_at as at, nth from (
      select r.*, row_number() over (partition by r.what order by r.read_at desc, r.id desc) as nth
      from token_readings r where r.creation_id = ${at.creation} and r.outcome <> 'unanswered') newest
    where nth <= 2 order by what, nth`,
});

import { int4, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command } from '#server/db/statement.ts';
import { placesByDay } from './places-by-day.service.ts';

/** Stores the race of the open round at its end, when no day of it changes any more. */
export const storeRace = command({
  parameters: { round: uuid, end: timestamptz, shown: int4 },
  text: (at) => `
    insert into round_races (round_id, place, candidate_id, token_name, token_symbol, first_day, totals, ranks)
    select ${at.round}, row_number() over (order by (array_agg(rank order by day desc))[1]), id, "tokenName", "tokenSymbol",
      min(day), array_agg(total order by day), array_agg(rank order by day)
    from (${placesByDay(`((${at.end} at time zone 'UTC')::date)`, `p.place <= ${at.shown} and p.day is not null`)}) as places
    group by id, "tokenName", "tokenSymbol"`,
});

// The partitions of the table of votes, by month of the UTC day.
import { boolean, date, int4, orNull, text } from './pg-types.ts';
import { statement } from './statement.ts';

/** A bound of the partition `c`; null when it has none. */
const bound = (which: 'from' | 'to'): string =>
  `(regexp_match(pg_get_expr(c.relpartbound, c.oid), '${which === 'from' ? 'FROM' : 'TO'} \\(''(\\d{4}-\\d\\d-\\d\\d)''\\)'))[1]::date`;

/** True when the role of the connection may create and drop partitions. */
export const readOwnsVotes = statement({
  parameters: {},
  row: { owns: boolean },
  text: () => `
    select coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('votes')), false) as owns`,
});

/** The partitions in their order; `from` is null for the first, `to` for the last one. `leaving`: it is being detached. */
export const readVoteParts = statement({
  parameters: {},
  row: { name: text, from: orNull(date), to: orNull(date), leaving: boolean },
  text: () => `
    select coalesce(c.relname::text, '') as name, ${bound('from')} as "from", ${bound('to')} as "to",
      coalesce(i.inhdetachpending, false) as leaving
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('votes') order by 2 nulls first, 3`,
});

/** The newest day in the last partition; null while it is empty. */
export const readNewestLater = statement({
  parameters: {},
  row: { day: orNull(date) },
  text: () => 'select max(voted_on) as day from votes_later',
});

/** Detached tables that an interrupted run has not dropped. */
export const readFormerVoteParts = statement({
  parameters: {},
  row: { name: text },
  text: () => `
    select coalesce(relname::text, '') as name from pg_class
    where relnamespace = to_regnamespace('public') and relkind = 'r' and not relispartition
      and relname ~ '^votes_(before|later|\\d{4}_\\d\\d(_to_\\d{4}_\\d\\d)?)$' order by 1`,
});

/** Number of whole months, without the current one, that have a partition of their own or one with an end. */
export const readVoteMonthsAhead = statement({
  parameters: {},
  row: { parts: int4, until: orNull(date), months: int4 },
  text: () => `
    select count(*)::int as parts, max(p.upto) as until,
      greatest(0, coalesce((extract(year from age(max(p.upto), n.month)) * 12
        + extract(month from age(max(p.upto), n.month)))::int - 1, 0)) as months
    from (select date_trunc('month', now() at time zone 'UTC')::date as month) n
    left join (select ${bound('to')} as upto from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass('votes')) p on true
    group by n.month`,
});

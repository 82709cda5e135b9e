import { arrayOf, date, int4, int8, text } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Adds counts of days and kinds; in a fixed order, so that concurrent processes can't deadlock. */
export const addPageViews = command({
  parameters: { days: arrayOf(text), kinds: arrayOf(text), views: arrayOf(int8), arrivals: arrayOf(int8) },
  text: (at) => `
    insert into page_views (day, kind, views, arrivals)
    select day::date, kind, views, arrivals
    from unnest(${at.days}, ${at.kinds}, ${at.views}, ${at.arrivals}) as added (day, kind, views, arrivals)
    order by 1, 2
    on conflict (day, kind) do update set views = page_views.views + excluded.views,
      arrivals = page_views.arrivals + excluded.arrivals`,
});

/** The counts of one page of days, newest day first. */
export const readPageViews = statement({
  parameters: { size: int4, skip: int4 },
  row: { day: text, kind: text, views: int8, arrivals: int8 },
  text: (at) => `
    with days as (select day from page_views group by 1 order by 1 desc limit ${at.size} offset ${at.skip})
    select coalesce(to_char(day, 'YYYY-MM-DD'), '') as day, kind, views, arrivals
    from page_views join days using (day) order by day desc, kind`,
});

export const countViewedDays = statement({
  parameters: {},
  row: { days: int4 },
  text: () => 'select count(distinct day)::int as days from page_views',
});

/** Deletes the days before a given one. */
export const dropPageViews = command({
  parameters: { before: date },
  text: (at) => `delete from page_views where day < ${at.before}`,
});

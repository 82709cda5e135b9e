import { date, float8, int4, int8, text, timestamptz } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import type { counterChanges } from '#server/db/tables/counters.ts';

/** The stored counter of each count. */
const COUNTERS = {
  users: 'users',
  projects: 'projects',
  nextProjects: 'next_projects',
  votes: 'votes',
  candidates: 'candidates',
  news: 'news',
  moderators: 'moderators',
  pendingModerators: 'pending_moderators',
  posts: 'posts',
  newSubmissions: 'new_submissions',
} as const satisfies Record<string, (typeof counterChanges.$inferSelect)['counter']>;

/** Counts of the dashboard. All but `online` are sums of stored changes: counting the rows takes 300 ms with 100,000 of each. */
export const readCounts = statement({
  parameters: { onlineSince: timestamptz },
  row: {
    users: int4,
    projects: int4,
    nextProjects: int4,
    votes: int4,
    candidates: int4,
    news: int4,
    moderators: int4,
    pendingModerators: int4,
    posts: int4,
    newSubmissions: int4,
    online: int4,
  },
  text: (at) => `select c.*,
    (select count(distinct user_id)::int from user_connections
       where is_online and last_seen > ${at.onlineSince}) as online
    from (select ${Object.entries(COUNTERS)
      .map(([name, counter]) => `coalesce(sum(amount) filter (where counter = '${counter}'), 0)::int as "${name}"`)
      .join(', ')} from counter_changes) c`,
});

const dayOf = (column: string) => `(${column} at time zone 'UTC')::date`;

/**
 * Payments `p` whose `received_usd` can differ from what is held: earlier versions left out accepted deposits that do not match their order,
 * and the provider does not report what the team sent back. For all others the ledger has the same sum, and is not read.
 */
const IN_LEDGER = `(jsonb_typeof(p.ledger -> 'accepted') = 'object'
    or exists (select 1 from refund_cases c where c.payment_id = p.id and c.state = 'sent'))`;

/** US dollars that are held for a payment `p`, by the money ledger; null when it was not entered yet. */
const NET_USD = `(select sum(e.amount) / 100 from money_transactions t join money_entries e on e.transaction_id = t.id
    where t.payment_id = p.id and e.asset = 'USD' and e.account in ('received', 'refunded'))`;

/**
 * Figures of a range of UTC days, oldest first; zeros for a day without data. Money that was sent back is subtracted from the day on which the order
 * was paid.
 */
export const readDays = statement({
  parameters: { first: date, last: date },
  row: { day: text, votes: int4, signUps: int4, posts: int4, views: int8, arrivals: int8, revenueUsd: float8 },
  text: (at) => {
    const since = `${at.first}::timestamp at time zone 'UTC'`;
    return `
      select coalesce(to_char(d.day, 'YYYY-MM-DD'), '') as day, coalesce(v.n, 0)::int as votes,
        coalesce(u.n, 0)::int as "signUps", coalesce(p.n, 0)::int as posts,
        coalesce(w.views, 0)::bigint as views, coalesce(w.arrivals, 0)::bigint as arrivals, greatest(coalesce(r.usd, 0), 0)::float8 as "revenueUsd"
      from generate_series(${at.first}, ${at.last}, interval '1 day') as d (day)
      left join (select day, sum(votes) as n from candidate_daily_votes where day >= ${at.first} group by 1) v on v.day = d.day
      left join (select ${dayOf('created_at')} as day, count(*) as n from users where created_at >= ${since} group by 1) u on u.day = d.day
      left join (select ${dayOf('created_at')} as day, count(*) as n from forum_posts
        where created_at >= ${since} and not is_hidden group by 1) p on p.day = d.day
      left join (select day, sum(views) as views, sum(arrivals) as arrivals from page_views
        where day >= ${at.first} group by 1) w on w.day = d.day
      left join (select ${dayOf('p.confirmed_at')} as day, sum(case when ${IN_LEDGER} then coalesce(${NET_USD}, p.received_usd) else p.received_usd end) as usd
        from payments p where p.confirmed_at >= ${since} and not p.simulation group by 1) r on r.day = d.day
      order by d.day`;
  },
});

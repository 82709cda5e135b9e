import { sql } from 'drizzle-orm';
import type { DashboardCounts, DayFigures } from '#contract/admin/dashboard.ts';
import { ONLINE_MINUTES } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { countInbox } from './inbox.service.ts';

/** What the dashboard counts, each by its own index. */
export async function dashboardCounts(db: Reader, now: Date): Promise<DashboardCounts> {
  const [{ rows }, inbox] = await Promise.all([
    db.execute<Omit<DashboardCounts, 'inbox' | 'inboxFree' | 'pendingRequests'> & Record<string, unknown>>(sql`select
      (select count(*)::int from forum_users) as users,
      (select count(*)::int from projects where deleted_at is null) as projects,
      (select count(*)::int from next_projects where deleted_at is null) as "nextProjects",
      (select coalesce(sum(total_votes), 0)::int from voting_candidates) as votes,
      (select count(*)::int from voting_candidates where deleted_at is null) as candidates,
      (select count(*)::int from news where is_active and deleted_at is null) as news,
      (select count(distinct user_id)::int from user_connections
         where is_online and last_seen > ${now.toISOString()}::timestamptz - make_interval(mins => ${ONLINE_MINUTES})) as online,
      (select count(*)::int from user_roles where role = 'moderator' and moderator_request_status = 'approved') as moderators,
      (select count(*)::int from user_roles where moderator_request_status = 'pending') as "pendingModerators",
      (select count(*)::int from forum_posts where not is_hidden) as posts,
      (select count(*)::int from project_submissions where status = 'new') as "newSubmissions"`),
    countInbox(db),
  ]);
  const [row] = rows;
  if (!row) throw new Error('no counts');
  return { ...row, pendingRequests: inbox.tokens, inbox: inbox.all, inboxFree: inbox.free };
}

/** Figures of the last UTC days, today included, oldest first; a day without anything has zeros. */
export async function figuresByDay(db: Reader, days: number, now: Date): Promise<DayFigures[]> {
  const today = sql`(${now.toISOString()}::timestamptz at time zone 'UTC')::date`;
  const first = sql`${today} - ${days - 1}::int`;
  const since = sql`(${first})::timestamp at time zone 'UTC'`;
  const dayOf = (column: string) => sql.raw(`(${column} at time zone 'UTC')::date`);
  const { rows } = await db.execute<DayFigures & Record<string, unknown>>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(v.n, 0)::int as votes, coalesce(u.n, 0)::int as "signUps",
      coalesce(p.n, 0)::int as posts, coalesce(r.usd, 0)::float8 as "revenueUsd"
    from generate_series(${first}, ${today}, interval '1 day') as d (day)
    left join (select day, sum(votes) as n from candidate_daily_votes where day >= ${first} group by 1) v on v.day = d.day
    left join (select ${dayOf('created_at')} as day, count(*) as n from users where created_at >= ${since} group by 1) u on u.day = d.day
    left join (select ${dayOf('created_at')} as day, count(*) as n from forum_posts
      where created_at >= ${since} and not is_hidden group by 1) p on p.day = d.day
    left join (select ${dayOf('confirmed_at')} as day, sum(received_usd) as usd from payments
      where confirmed_at >= ${since} and not simulation group by 1) r on r.day = d.day
    order by d.day`);
  return rows;
}

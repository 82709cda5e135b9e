import { arrayOf, boolean, int4, orNull, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { changeMessage } from '#server/live/publish.ts';

/** Heartbeats of many tabs, one element each, in the order of their arrival. */
const HEARTBEATS = {
  members: arrayOf(uuid),
  tabs: arrayOf(uuid),
  /** The session of each heartbeat. */
  sessions: arrayOf(uuid),
  /** The launch that each tab waits for. */
  waits: arrayOf(orNull(uuid)),
  now: timestamptz,
  /** Tabs without a heartbeat since then count as closed. */
  since: timestamptz,
};
type At = Record<keyof typeof HEARTBEATS, string>;

/** The heartbeats by their index; of several for one tab the last is stored. */
const requested = (at: At) => `requested as materialized (
    select user_id, tab_id, session_id, waits_for, index::int as index,
      row_number() over (partition by user_id order by index) as nth,
      row_number() over (partition by user_id, tab_id order by index desc) = 1 as is_last
    from unnest(${at.members}, ${at.tabs}, ${at.sessions}, ${at.waits}) with ordinality
      as t (user_id, tab_id, session_id, waits_for, index)
  )`;

/**
 * Counts heartbeats against the rate limit of their members, and moves the time of tabs that are open and stay open. Within a group the
 * first heartbeats of a member pass, as if they had come one after the other.
 *
 * No session is read or locked: the row of a tab is deleted in the transaction that ends its session. Rows that other transactions have
 * locked are skipped, so that nobody waits for them here.
 *
 * @returns for each heartbeat whether its tab was found, and the seconds to wait if the limit refuses it, else 0.
 */
export const touchTabs = statement({
  prepared: 'touch_tabs',
  parameters: { ...HEARTBEATS, maxHits: int4, seconds: int4 },
  row: { index: int4, touched: boolean, retryAfter: int4 },
  text: (at) => `
  with ${requested(at)}, attempts as materialized (
    select user_id, 'tab:' || user_id as key, count(*)::int as hits from requested group by user_id
  ), counted as (
    insert into rate_limits as l (key, hits, window_ends)
    select key, hits, ${at.now} + make_interval(secs => ${at.seconds}) from attempts order by key
    on conflict (key) do update set
      hits = case when l.window_ends <= ${at.now} then excluded.hits else l.hits + excluded.hits end,
      window_ends = case when l.window_ends <= ${at.now} then excluded.window_ends else l.window_ends end
    returning key, hits, window_ends
  ), limited as materialized (
    select r.index, ceil(extract(epoch from c.window_ends - ${at.now}))::int as retry_after
    from requested r join attempts a on a.user_id = r.user_id join counted c on c.key = a.key
    where c.hits - a.hits + r.nth > ${at.maxHits}
  ), open as materialized (
    select c.user_id, c.session_id as tab_id, r.waits_for
    from requested r join user_connections c on c.user_id = r.user_id and c.session_id = r.tab_id
    where r.is_last and c.auth_session_id = r.session_id and c.is_online and c.last_seen > ${at.since}
      and not exists (select 1 from limited l where l.index = r.index)
    order by c.user_id, c.session_id for no key update of c skip locked
  ), touched as (
    update user_connections c set last_seen = ${at.now}, waits_for = o.waits_for
    from open o where c.user_id = o.user_id and c.session_id = o.tab_id
    returning c.user_id, c.session_id as tab_id
  )
  select coalesce(r.index, 0) as index, t.user_id is not null as touched, coalesce(l.retry_after, 0) as "retryAfter"
  from requested r left join touched t on t.user_id = r.user_id and t.tab_id = r.tab_id
  left join limited l on l.index = r.index`,
});

/**
 * Opens tabs. Locks members, then their sessions, then tabs: the lock order of everything that ends sessions.
 *
 * @param locked how to handle members and sessions that another transaction has locked, usually to end them.
 * @returns for each heartbeat whether its session was found.
 */
const openTabs = (locked: 'skip' | 'wait') => {
  const lock = `for key share${locked === 'skip' ? ' skip locked' : ''}`;
  return {
    parameters: {
      ...HEARTBEATS,
      /** Open tabs of a member; the oldest are dropped. */
      max: int4,
    },
    row: { index: int4, valid: boolean },
    text: (at: At & { max: string }) => `
  with ${requested(at)}, owners as materialized (
    select id from users where id = any(${at.members}) order by id ${lock}
  ), held as materialized (
    select id, user_id from sessions where id = any(${at.sessions}) and user_id in (select id from owners) order by id ${lock}
  ), accepted as materialized (
    select user_id, tab_id, session_id, waits_for from (
      select r.*, row_number() over (partition by r.user_id order by r.index desc) as newness
      from requested r join held h on h.id = r.session_id and h.user_id = r.user_id where r.is_last
    ) as valid where newness <= ${at.max}
  ), online as materialized (
    select distinct user_id from user_connections
    where user_id = any(${at.members}) and is_online and last_seen > ${at.since}
  ), stored as (
    insert into user_connections (user_id, session_id, is_online, connected_at, last_seen, auth_session_id, waits_for)
    select user_id, tab_id, true, ${at.now}, ${at.now}, session_id, waits_for from accepted order by user_id, tab_id
    on conflict (user_id, session_id) do update set is_online = true, last_seen = excluded.last_seen,
      auth_session_id = excluded.auth_session_id, waits_for = excluded.waits_for
  ), others as materialized (
    select c.user_id, c.session_id as tab_id, n.tabs + row_number() over (partition by c.user_id order by c.last_seen desc) as nth
    from user_connections c join (select user_id, count(*) as tabs from accepted group by user_id) n on n.user_id = c.user_id
    where not exists (select 1 from accepted a where a.user_id = c.user_id and a.tab_id = c.session_id)
  ), dropped as (
    delete from user_connections c using others o where o.nth > ${at.max} and c.user_id = o.user_id and c.session_id = o.tab_id
  ), published as materialized (
    select pg_notify('live', '${changeMessage('presence')}') as notification
    where exists (select 1 from accepted where user_id not in (select user_id from online))
  )
  select coalesce(r.index, 0) as index, h.id is not null as valid
  from requested r left join held h on h.id = r.session_id and h.user_id = r.user_id
  cross join (select count(notification) from published) as all_published`,
  };
};

/** Opens many tabs at once, leaving out those whose member or session another transaction has locked. */
export const openUnlockedTabs = statement({ prepared: 'open_tabs', ...openTabs('skip') });

/** Opens tabs after the end of transactions that have locked their members or sessions. */
export const openLockedTabs = statement(openTabs('wait'));

import { sql } from 'drizzle-orm';
import { ONLINE_MINUTES } from '#contract/limits.ts';
import type { OnlineUser } from '#contract/presence.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { publishChange } from '#server/live/publish.ts';

/** Tabs that one member may hold open; older ones give way. */
const TABS = 20;
/** Names in the panel. */
const SHOWN = 100;

const since = (now: Date) => sql`${new Date(now.getTime() - ONLINE_MINUTES * 60_000).toISOString()}::timestamptz`;

/**
 * A tab of a member says it is open; screens are notified of it only when the member was not online before. The tab lasts no longer
 * than the session it is open in. Not audited.
 *
 * @throws UNAUTHORIZED when the session ended a moment ago.
 */
export async function seeTab(
  db: Db,
  { id: userId, sessionId: authSessionId }: Pick<Viewer, 'id' | 'sessionId'>,
  sessionId: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Member before session before tab, as everybody who ends them; held until the tab is written.
    const { rowCount } = await tx.execute(sql`
      with owner as materialized (select id from users where id = ${userId} for key share)
      select 1 from sessions where id = ${authSessionId} and user_id in (select id from owner) for key share`);
    if (!rowCount) fail('UNAUTHORIZED');
    const before = await tx.execute(
      sql`select 1 from user_connections where user_id = ${userId} and is_online and last_seen > ${since(now)} limit 1`,
    );
    await tx.execute(sql`
      insert into user_connections (user_id, session_id, is_online, connected_at, last_seen, auth_session_id)
      values (${userId}, ${sessionId}, true, ${now.toISOString()}, ${now.toISOString()}, ${authSessionId})
      on conflict (user_id, session_id) do update set is_online = true, last_seen = excluded.last_seen,
        auth_session_id = excluded.auth_session_id`);
    await tx.execute(sql`
      delete from user_connections where user_id = ${userId} and session_id in (
        select session_id from user_connections where user_id = ${userId} order by last_seen desc offset ${TABS})`);
    if (before.rows.length === 0) await publishChange(tx, 'presence');
  });
}

/** A tab closes, or all tabs of the member when none is named. */
export async function closeTab(db: Db, userId: string, sessionId: string | undefined, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(sql`update user_connections set is_online = false
      where user_id = ${userId} and is_online ${sessionId ? sql`and session_id = ${sessionId}` : sql``}`);
    // Closed before: no screen has anything to learn.
    if (!rowCount) return;
    const left = await tx.execute(
      sql`select 1 from user_connections where user_id = ${userId} and is_online and last_seen > ${since(now)} limit 1`,
    );
    if (left.rows.length === 0) await publishChange(tx, 'presence');
  });
}

/** Members seen within 5 minutes who do not hide, in the order of their names. */
export async function onlineUsers(db: Reader, now: Date): Promise<{ data: OnlineUser[]; total: number }> {
  const { rows } = await db.execute<{ username: string; short_id: string; last_seen: string; total: number }>(sql`
    select f.username, left(regexp_replace(f.wallet_address, '^user_', ''), 8) as short_id, c.last_seen, count(*) over ()::int as total
    from (
      select user_id, max(last_seen) as last_seen from user_connections
      where is_online and last_seen > ${since(now)} group by user_id
    ) c join forum_users f on f.new_auth_user_id = c.user_id
    where not f.hide_presence order by lower(f.username) limit ${SHOWN}`);
  return {
    data: rows.map((row) => ({
      username: row.username,
      shortId: row.short_id,
      lastSeen: new Date(row.last_seen).toISOString(),
    })),
    total: rows[0]?.total ?? 0,
  };
}

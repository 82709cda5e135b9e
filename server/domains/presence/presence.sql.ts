import { int4, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** A session, locked with its member: member before session before tab, the lock order of everything that ends sessions. */
export const lockOwnSession = statement({
  parameters: { user: uuid, session: uuid },
  row: { id: uuid },
  text: (at) => `
    with owner as materialized (select id from users where id = ${at.user} for key share)
    select id from sessions where id = ${at.session} and user_id in (select id from owner) for key share`,
});

/** Visible members seen since a given time, by name, each with the total number. */
export const readOnline = statement({
  parameters: { since: timestamptz, max: int4 },
  row: { username: text, shortId: text, lastSeen: timestamptz, total: int4 },
  text: (at) => `
    select f.username, left(regexp_replace(f.wallet_address, '^user_', ''), 8) as "shortId", c.last_seen as "lastSeen",
      count(*) over ()::int as total
    from (
      select user_id, max(last_seen) as last_seen from user_connections
      where is_online and last_seen > ${at.since} group by user_id
    ) c join forum_users f on f.new_auth_user_id = c.user_id
    where not f.hide_presence order by lower(f.username) limit ${at.max}`,
});

import { int4, text, timestamptz } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

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

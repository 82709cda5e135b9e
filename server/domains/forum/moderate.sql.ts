import { int4 } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** The four counters of the forum, as one row. */
export const readForumStats = statement({
  parameters: {},
  row: { totalUsers: int4, totalPosts: int4, totalModerators: int4, pendingModeratorRequests: int4 },
  text: () => `select
    (select count(*)::int from forum_users) as "totalUsers",
    (select count(*)::int from forum_posts where not is_hidden) as "totalPosts",
    (select count(*)::int from user_roles where role = 'moderator' and moderator_request_status = 'approved') as "totalModerators",
    (select count(*)::int from user_roles where moderator_request_status = 'pending') as "pendingModeratorRequests"`,
});

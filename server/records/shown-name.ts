import { sql } from 'drizzle-orm';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';

/**
 * How a person is named to staff who may not see mailboxes: by the public name, and where an account has none by the start of its
 * id. Null where the row joins no account. For questions that join `users` and `forumUsers`.
 */
export const SHOWN_NAME = sql`coalesce(${forumUsers.username}, left(${users.id}::text, 8))`.mapWith(orNull(asText));

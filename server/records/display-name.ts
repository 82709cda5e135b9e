import { sql } from 'drizzle-orm';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';

/**
 * Name of a person for staff who may not see e-mail addresses: the public name, or the start of the account's id. Null
 * where the row joins no account. For queries that join `users` and `forumUsers`.
 */
export const DISPLAY_NAME = sql`coalesce(${forumUsers.username}, left(${users.id}::text, 8))`.mapWith(orNull(asText));

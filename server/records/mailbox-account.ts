import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { asText, orNull } from '#server/db/expressions.ts';

/** Id of the account that confirmed a mailbox; null without one. For the columns of records that name a mailbox. */
export const accountOfMailbox = (mailbox: SQLWrapper): SQL<string | null> =>
  sql`(select a.id from users a where a.email = lower(${mailbox}) and a.email_verified)`.mapWith(orNull(asText));

import { and, eq, gt, ne, sql } from 'drizzle-orm';
import type { FormKind } from '#contract/admin/editorial.ts';
import type { Db } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { recordEditors } from '#server/db/tables/records.ts';

/**
 * Seconds after its last heartbeat for which a form counts as open. Forms send one every 5 seconds, in the background the browser
 * lets them send one a minute.
 */
const LEASE_SECONDS = 90;

/**
 * Records that a member has the form of a record open, or closed it.
 *
 * @returns the other members who have it open, the longest first. Uses the clock of the database; the record is not
 *   locked.
 */
export async function recordOpenForm(
  db: Db,
  userId: string,
  { kind, id, open }: { kind: FormKind; id: string; open: boolean },
): Promise<{ others: { name: string; since: string }[] }> {
  const own = and(eq(recordEditors.kind, kind), eq(recordEditors.recordId, id), eq(recordEditors.userId, userId));
  const alive = sql`now() - interval '${sql.raw(String(LEASE_SECONDS))} s'`;
  return db.transaction(async (tx) => {
    if (!open) await tx.delete(recordEditors).where(own);
    else
      await tx
        .insert(recordEditors)
        .values({ kind, recordId: id, userId, since: sql`now()`, seenAt: sql`now()` })
        .onConflictDoUpdate({
          target: [recordEditors.kind, recordEditors.recordId, recordEditors.userId],
          set: {
            seenAt: sql`now()`,
            // After a pause the form counts as newly opened.
            since: sql`case when ${recordEditors.seenAt} > ${alive} then ${recordEditors.since} else now() end`,
          },
        });
    const rows = await tx
      .select({
        name: sql`coalesce(${forumUsers.username}, left(${users.id}::text, 8))`.mapWith(asText),
        since: recordEditors.since,
      })
      .from(recordEditors)
      .innerJoin(users, eq(users.id, recordEditors.userId))
      .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
      .where(
        and(
          eq(recordEditors.kind, kind),
          eq(recordEditors.recordId, id),
          ne(recordEditors.userId, userId),
          gt(recordEditors.seenAt, alive),
        ),
      )
      .orderBy(recordEditors.since);
    return { others: rows.map(({ name, since }) => ({ name, since: since.toISOString() })) };
  });
}

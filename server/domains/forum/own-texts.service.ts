// Who of the team may decide about a text: its author may not, unless nobody else can.
import { and, arrayOverlaps, eq, isNull, lte, notInArray, or, sql } from 'drizzle-orm';
import type { StaffRole } from '#contract/staff.ts';
import type { Reader } from '#server/db/client.ts';
import { adminProfiles, forumUsers, users } from '#server/db/tables/accounts.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { TextRef } from './held-texts.service.ts';

/** Staff roles that answer reports (`admin.inbox.resolveReport`) and decide appeals (`admin.forum.decideAppeal`). */
const DECIDING: StaffRole[] = ['owner', 'moderator'];

/** True when somebody on the team can decide about texts, apart from these accounts and banned ones. */
export async function othersDecide(db: Reader, except: readonly string[]): Promise<boolean> {
  const [other] = await db
    .select({ id: adminProfiles.id })
    .from(adminProfiles)
    .innerJoin(users, eq(users.id, adminProfiles.id))
    .where(
      and(
        notInArray(adminProfiles.id, [...except]),
        arrayOverlaps(adminProfiles.staffRoles, DECIDING),
        or(isNull(users.bannedUntil), lte(users.bannedUntil, sql`now()`)),
      ),
    )
    .limit(1);
  return other !== undefined;
}

async function authorOf(db: Reader, { what, id }: TextRef): Promise<string | null> {
  const [row] =
    what === 'post'
      ? await db
          .select({ id: forumUsers.newAuthUserId })
          .from(forumPosts)
          .innerJoin(forumUsers, eq(forumUsers.id, forumPosts.forumUserId))
          .where(eq(forumPosts.id, id))
      : await db.select({ id: forumComments.userId }).from(forumComments).where(eq(forumComments.id, id));
  return row?.id ?? null;
}

/** Guard of a decision about a text. @throws OWN_TEXT for its author, while somebody else can decide. */
export async function requireAnothersText(db: Reader, me: string | null, text: TextRef): Promise<void> {
  if (me !== null && (await authorOf(db, text)) === me && (await othersDecide(db, [me]))) fail('OWN_TEXT');
}

import { eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { withLockedAdmins } from '#server/domains/account/roles/admins.service.ts';
import type { AccountContext } from '#server/domains/account/second-factor/second-factor.service.ts';
import { withdrawAllVotes } from '#server/domains/voting/votes.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';

/**
 * Deletes a member's account permanently.
 *
 * - Forum: posts and comments remain, without a name; their earlier versions are deleted. The profile row remains as 'Cuenta
 *   eliminada …', without a link.
 * - Votes: all that are stored individually are withdrawn, including those of past days; those that became sums are anonymous, and
 *   remain. A vote belongs to a member (not null, one per member and day), and a total always equals its rows and sums, so both
 *   change in this transaction and all screens receive the new totals. Winners of closed rounds are stored separately and remain.
 * - Reactions are withdrawn with their counters; saved tokens, sessions, codes, and mails to the address are deleted; a claimed
 *   admin invitation is not reactivated.
 * - The audit log retains the actions, under the id alone.
 *
 * @throws LAST_ADMIN for the only admin.
 */
export async function removeAccount(account: AccountContext): Promise<void> {
  const { db, viewer, now } = account;
  await withLockedAdmins(db, async (tx) => {
    const votes = (await removeMember(tx, viewer.id, now)) ?? fail('UNAUTHORIZED');
    await audit(tx, account.actor, {
      action: 'member.removed',
      resourceType: 'member',
      resourceId: viewer.id,
      after: { votes },
    });
  });
}

/**
 * Deletes the account in a transaction that has locked all admins (`withLockedAdmins`); the caller writes the audit entry.
 *
 * @returns the number of withdrawn votes; null when the account does not exist (any more).
 */
export async function removeMember(tx: Tx, id: string, now: Date): Promise<number | null> {
  // Counters before the member's row, in the common lock order.
  await tx.execute(sql`select 1 from voting_candidates where id in (select candidate_id from votes where user_id = ${id})
    order by id for no key update`);
  await tx.execute(sql`select 1 from post_reaction_counts
    where (post_id, emoji_type) in (select post_id, emoji_type from post_reactions where user_id = ${id})
    order by post_id, emoji_type for update`);
  const [member] = await tx.select({ email: users.email }).from(users).where(eq(users.id, id)).for('update');
  if (!member) return null;

  const votes = await withdrawAllVotes(tx, id, now);
  await withdrawReactions(tx, id);
  await tx.execute(sql`delete from forum_edits where post_id in (
      select p.id from forum_posts p join forum_users f on f.id = p.forum_user_id where f.new_auth_user_id = ${id})
    or comment_id in (select c.id from forum_comments c where c.user_id = ${id})`);
  // Texts that were never published are deleted with their author.
  for (const texts of ['forum_posts', 'forum_comments'])
    await tx.execute(sql`delete from ${sql.raw(texts)} where id in (
      select text_id from forum_reviews where author_id = ${id} and state = 'waiting')`);
  await tx.execute(sql`
    update forum_users set username = 'Cuenta eliminada ' || left(replace(gen_random_uuid()::text, '-', ''), 12),
      wallet_address = 'user_' || gen_random_uuid(), new_auth_user_id = null, legacy_email = null, hide_presence = true
    where new_auth_user_id = ${id}`);
  await tx.execute(sql`delete from admin_users where claimed_by = ${id}`);
  await tx.execute(sql`delete from mails where to_address = ${member.email}`);
  await tx.execute(sql`delete from users where id = ${id}`);
  await publishChange(tx, 'forum');
  await publishChange(tx, 'presence');
  return votes;
}

const withdrawReactions = (tx: Tx, userId: string) =>
  tx.execute(sql`
    with gone as (delete from post_reactions where user_id = ${userId} returning post_id, emoji_type)
    update post_reaction_counts c set reactions = c.reactions - 1 from gone g
    where c.post_id = g.post_id and c.emoji_type = g.emoji_type`);

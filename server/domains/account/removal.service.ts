import { and, eq, inArray, notExists, notInArray, or, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { adminUsers, forumUsers, sessions, users } from '#server/db/tables/accounts.ts';
import { forumComments, forumEdits, forumPosts } from '#server/db/tables/forum.ts';
import { mails } from '#server/db/tables/mails.ts';
import { payments } from '#server/db/tables/payments.ts';
import { tokenCreations, tokenProposals } from '#server/db/tables/token-creations.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { forumReviews } from '#server/db/tables/trust.ts';
import { votes, votingCandidates } from '#server/db/tables/voting.ts';
import { withLockedAdmins } from '#server/domains/account/roles/admins.service.ts';
import { staffOf } from '#server/domains/account/roles/staff-accounts.service.ts';
import type { AccountContext } from '#server/domains/account/second-factor/second-factor.service.ts';
import { releaseMedia } from '#server/domains/media/media.service.ts';
import { endProofsOf } from '#server/domains/ownership/ownership.service.ts';
import { withdrawAllVotes } from '#server/domains/voting/votes.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import { REQUEST_MAILS } from '#server/mail/templates.ts';
import { lockReactionCounts, withdrawReactions } from './removal.sql.ts';

/**
 * Deletes a member's account permanently.
 *
 * - Forum: posts and comments remain, without a name; their earlier versions are deleted. The profile row remains as 'Cuenta
 *   eliminada …', without a link.
 * - Votes: all that are stored individually are withdrawn, including those of past days; those that became sums are anonymous, and
 *   remain. A vote belongs to a member (not null, one per member and day), and a total always equals its rows and sums, so both
 *   change in this transaction and all screens receive the new totals. Winners of closed rounds are stored separately and remain.
 * - Proofs of the member's own tokens end, so that no token names the domain or wallet of somebody who left.
 * - Requests for tokens: those that were never ordered are deleted with their images. Those with an order remain, with what was entered.
 * - Reactions are withdrawn with their counters; saved tokens, sessions, codes, and mails to the address are deleted, except the one
 *   that says that the account was deleted; a claimed admin invitation is not reactivated. Mails about orders and requests remain
 *   where the mailbox is unproven: it may be another person's.
 * - The audit log retains the actions, under the id alone.
 *
 * @throws LAST_ADMIN for the only admin. @throws UNAUTHORIZED when it does not exist any more, or its owner ended the session meanwhile.
 */
export async function removeAccount(account: AccountContext): Promise<void> {
  const { db, viewer, now } = account;
  await withLockedAdmins(db, async (tx) => {
    const member = await staffOf(tx, viewer.id);
    const votes = (await removeMember(tx, viewer.id, now, viewer.sessionId)) ?? fail('UNAUTHORIZED');
    if (member) await announceRemoval(tx, account.jobs, member, 'member');
    await audit(tx, account.actor, {
      action: 'member.removed',
      resourceType: 'member',
      resourceId: viewer.id,
      after: { votes },
    });
  });
}

/**
 * Deletes the account in a transaction that has locked all admins (`withLockedAdmins`); the caller announces it, and writes the audit entry.
 * @param sessionId the member's session that requested it, which must still be open.
 * @returns the number of withdrawn votes; null when the account, or the session, does not exist (any more).
 */
export async function removeMember(tx: Tx, id: string, now: Date, sessionId?: string): Promise<number | null> {
  // Counters before the member's row, in the common lock order.
  const voted = tx.select({ id: votes.candidateId }).from(votes).where(eq(votes.userId, id));
  await tx
    .select({ id: votingCandidates.id })
    .from(votingCandidates)
    .where(inArray(votingCandidates.id, voted))
    .orderBy(votingCandidates.id)
    .for('no key update');
  await lockReactionCounts(tx, { member: id });
  // Token requests before the member's row, too: a payment locks its request first.
  const requests = await tx
    .select({ id: tokenCreationSubmissions.id })
    .from(tokenCreationSubmissions)
    .where(eq(tokenCreationSubmissions.userId, id))
    .orderBy(tokenCreationSubmissions.id)
    .for('update');
  const [member] = await tx
    .select({ email: users.email, isProven: users.emailVerified })
    .from(users)
    .where(eq(users.id, id))
    .for('update');
  if (!member) return null;
  // Sessions are only ended under the lock of the member's row, which this transaction has.
  if (sessionId && (await tx.$count(sessions, eq(sessions.id, sessionId))) === 0) return null;

  await endProofsOf(tx, id, now);
  const withdrawn = await withdrawAllVotes(tx, id, now);
  await withdrawReactions(tx, { member: id });
  const posts = tx
    .select({ id: forumPosts.id })
    .from(forumPosts)
    .innerJoin(forumUsers, eq(forumUsers.id, forumPosts.forumUserId))
    .where(eq(forumUsers.newAuthUserId, id));
  const comments = tx.select({ id: forumComments.id }).from(forumComments).where(eq(forumComments.userId, id));
  await tx.delete(forumEdits).where(or(inArray(forumEdits.postId, posts), inArray(forumEdits.commentId, comments)));
  // Texts that were never published are deleted with their author.
  const waiting = tx
    .select({ id: forumReviews.textId })
    .from(forumReviews)
    .where(and(eq(forumReviews.authorId, id), eq(forumReviews.state, 'waiting')));
  for (const texts of [forumPosts, forumComments]) await tx.delete(texts).where(inArray(texts.id, waiting));
  await tx
    .update(forumUsers)
    .set({
      username: sql`'Cuenta eliminada ' || left(replace(gen_random_uuid()::text, '-', ''), 12)`,
      walletAddress: sql`'user_' || gen_random_uuid()`,
      newAuthUserId: null,
      legacyEmail: null,
      hidePresence: true,
    })
    .where(eq(forumUsers.newAuthUserId, id));
  await deleteDrafts(
    tx,
    requests.map((request) => request.id),
    now,
  );
  await tx.delete(adminUsers).where(eq(adminUsers.claimedBy, id));
  const deletable = member.isProven ? undefined : notInArray(mails.template, REQUEST_MAILS);
  await tx.delete(mails).where(and(eq(mails.toAddress, member.email), deletable));
  await tx.delete(users).where(eq(users.id, id));
  await publishChange(tx, 'forum');
  await publishChange(tx, 'presence');
  return withdrawn;
}

/**
 * Mails to a mailbox that its account was deleted; to be called after the deletion, which deletes all other mails to it.
 *
 * @param by who requested the deletion.
 */
export const announceRemoval = (
  tx: Tx,
  jobs: JobQueue,
  { email: to, locale }: { email: string; locale: MailLocale },
  by: 'member' | 'team',
): Promise<string> => queueMail(tx, jobs, { to, locale, template: 'accountRemoved', data: { by } });

/** Deletes those of some locked requests for which nothing was ordered or proposed, and releases their images. */
async function deleteDrafts(tx: Tx, ids: string[], now: Date): Promise<void> {
  const t = tokenCreationSubmissions;
  const without = (table: typeof payments | typeof tokenProposals | typeof tokenCreations) =>
    notExists(tx.select({ one: sql`1` }).from(table).where(eq(table.submissionId, t.id)));
  const deleted = await tx
    .delete(t)
    .where(and(inArray(t.id, ids), without(payments), without(tokenProposals), without(tokenCreations)))
    .returning({ data: t.tokenData });
  for (const { data } of deleted) await releaseMedia(tx, data.imageUrl ?? null, now);
  if (deleted.length > 0) await publishChange(tx, 'tokenRequests');
}

import { inArray } from 'drizzle-orm';
import type { PersonalData } from '#contract/admin/people.ts';
import { SAVED_MAX } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { requireRightsOver } from '#server/domains/account/roles/staff-accounts.service.ts';
import { readUser } from '#server/domains/account/users/list-users.service.ts';
import { countUnread, listNotifications } from '#server/domains/notifications/list.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import { resolveRefs, savedList } from '#server/domains/saved/saved.service.ts';
import { listOwnRequests } from '#server/domains/token-requests/orders.service.ts';
import { uncountedVotesOf } from '#server/domains/voting/own-votes.service.ts';
import { votesOfToday } from '#server/domains/voting/votes.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import type { FixedNow } from '#server/lib/clock.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { Editor } from '#server/records/records.ts';

/** Number of the person's notifications that are shown. */
const MAX_SHOWN = 20;

/**
 * A person's own pages, read through the services that serve them. Read-only: admins can't act as the person. The access is audited
 * with its reason, and the person is notified in their notifications and by mail.
 *
 * @throws NOT_FOUND @throws STAFF_ROLE_NEEDED for a staff member's data, except to an owner.
 */
export async function readPersonalData(
  db: Db,
  services: { jobs: JobQueue; secret: string; fixedNow: FixedNow },
  by: Editor,
  id: string,
  reason: string,
): Promise<PersonalData> {
  const { jobs, secret, fixedNow } = services;
  // Notified first: data is only read after the person's notification was stored.
  await db.transaction(async (tx) => {
    const { email } = await readUser(tx, id);
    await requireRightsOver(tx, by, id);
    await notifyOfSecurity(tx, id, 'viewed', by.now);
    await queueMail(tx, jobs, {
      to: email,
      locale: await memberLocale(tx, { id, email }),
      template: 'accountViewed',
      data: { at: by.now.toISOString() },
    });
    await audit(tx, by.actor, { action: 'member.looked_at', resourceType: 'member', resourceId: id, reason });
  });
  const { items } = await listNotifications(db, secret, id, { limit: MAX_SHOWN });
  const today = await votesOfToday(db, id, fixedNow);
  const candidates =
    today.length === 0
      ? []
      : await db
          .select({ token: votingCandidates.tokenName, slug: votingCandidates.tokenSlug })
          .from(votingCandidates)
          .where(inArray(votingCandidates.id, today));
  const saved = await resolveRefs(db, (await savedList(db, id)).slice(0, SAVED_MAX));
  return {
    notifications: items.map(({ path: _, ...shown }) => shown),
    unread: await countUnread(db, id),
    votedToday: candidates,
    uncounted: (await uncountedVotesOf(db, id)).map(({ tokenName, reason: why, ...vote }) => ({
      tokenName,
      reason: why,
      underReview: vote.state === 'under_review',
    })),
    saved: saved.map(({ tokenName, tokenSymbol }) => ({ name: tokenName, symbol: tokenSymbol })),
    orders: (await listOwnRequests(db, { secret }, id)).map(({ tokenName, plan, stage, createdAt }) => ({
      tokenName,
      plan,
      stage,
      createdAt,
    })),
  };
}

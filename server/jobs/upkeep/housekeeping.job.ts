import { sql } from 'drizzle-orm';
import { forgetPageViews } from '#server/domains/admin/reports/page-views.service.ts';
import { ACTIVE_SESSION } from '#server/domains/auth/sessions/session-life.service.ts';
import { dropRemovalCopies } from '#server/domains/forum/removals.service.ts';
import { downsamplePrices } from '#server/domains/market/refresh.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { readAuditAnchor } from './housekeeping.sql.ts';

/** Deletes expired data; safe to run twice and in several processes at once. */
export const housekeeping: Handler<'housekeeping'> = async (_input, { services: { pool, db, now, settings }, log }) => {
  const removed: Record<string, number> = {};
  const statements = {
    sessions: `delete from sessions where id in (select s.id from sessions s
      left join user_roles r on r.user_id = s.user_id left join admin_profiles a on a.id = s.user_id where not (${ACTIVE_SESSION}))`,
    verifications: 'delete from verifications where expires_at < now()',
    passkeyChallenges: 'delete from passkey_challenges where expires_at < now()',
    walletChallenges: 'delete from wallet_challenges where expires_at < now()',
    tokens: "delete from account_tokens where expires_at < now() - interval '1 day'",
    rateLimits: 'delete from rate_limits where window_ends < now()',
    voteAttempts: 'delete from vote_tries where day_ends < now()',
    mails:
      "delete from mails where status in ('sent', 'expired') and coalesce(sent_at, created_at) < now() - interval '30 days'",
    // Failed mails whose link or code has expired are no longer needed, and may contain former addresses of an account.
    endedMails:
      "update mails set status = 'expired', data = '{}' where status = 'failed' and (data ->> 'until')::timestamptz < now()",
    // Failed jobs stay in the inbox; of recurring ones they are deleted once a later run succeeded, because it did the same work. While
    // none does, the first one stays for all: one a minute would fill the inbox, and be mailed to the team for days.
    jobs: `delete from jobs.job where state in ('completed', 'cancelled') and completed_on < now() - interval '7 days'`,
    repeatedRuns: `delete from jobs.job f where f.state = 'failed' and f.name in (select name from jobs.schedule)
      and exists (select 1 from jobs.job o where o.name = f.name and o.state = 'completed' and o.completed_on > f.completed_on)`,
    furtherFailures: `delete from jobs.job f where f.state = 'failed' and f.name in (select name from jobs.schedule)
      and exists (select 1 from jobs.job o where o.name = f.name and o.state = 'failed' and o.completed_on < f.completed_on)`,
    oldRuns: `delete from jobs.job where state = 'failed' and completed_on < now() - interval '7 days'
      and name in (select name from jobs.schedule)`,
    notifications: `delete from notifications where changed_at < now() - interval '${settings.get('notificationDays')} days'`,
    staffNotices: "delete from staff_notices where notified_at < now() - interval '1 year'",
    editors: "delete from record_editors where seen_at < now() - interval '1 hour'",
    previews: 'delete from record_previews where ends_at < now()',
    telegramCodes: 'delete from telegram_link_codes where expires_at < now()',
    // Replies of the bot; messages of a notification are deleted with it.
    telegramReplies: "delete from telegram_messages where reply is not null and created_at < now() - interval '1 day'",
    connections: "delete from user_connections where last_seen < now() - interval '1 day'",
  };
  const parts = [
    ...Object.entries(statements).map(([what, statement]) => async () => {
      removed[what] = (await db.execute(sql.raw(statement))).rowCount ?? 0;
    }),
    async () => {
      removed['removalCopies'] = await dropRemovalCopies(db, settings.get('removalCopyDays'), now());
    },
    async () => {
      removed['pageViews'] = await forgetPageViews(db, settings.get('pageViewDays'), now());
    },
    async () => {
      removed['prices'] = await downsamplePrices(db, now());
    },
    // The application log is stored elsewhere than the database, so it can prove the hash: `florka audit verify
    // id:hash` compares.
    async () => {
      const [newest] = await readAuditAnchor(pool, {});
      if (newest) log.info(newest, 'newest entry of the audit log');
    },
  ];
  try {
    await runEachSettled(parts, (part) => part());
  } finally {
    log.info({ removed }, 'housekeeping');
  }
};

import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { forgetPageViews } from '#server/domains/admin/reports/page-views.service.ts';
import { ACTIVE_SESSION } from '#server/domains/auth/sessions/session-life.service.ts';
import { dropRemovalCopies } from '#server/domains/forum/removals.service.ts';
import { downsamplePrices } from '#server/domains/market/refresh.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { readAuditAnchor } from './housekeeping.sql.ts';

/** Rows per statement: one statement for all of them may exceed the time limit of a job, and would then remove nothing in any run. */
const BATCH_SIZE = 10_000;
/** Statements per table and run; the next run continues. */
const MAX_BATCHES = 100;

/** Deletes the rows of a table for which an SQL condition holds. @returns their number. */
async function deleteInBatches(db: Db, table: string, condition: string): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    // The condition is repeated: a row that was changed meanwhile is evaluated again.
    const { rowCount } = await db.execute(
      sql.raw(`delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${BATCH_SIZE}))
        and ${condition}`),
    );
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH_SIZE) break;
  }
  return removed;
}

/** Deletes expired data; safe to run twice and in several processes at once. */
export const housekeeping: Handler<'housekeeping'> = async (_input, { services: { pool, db, now, settings }, log }) => {
  const removed: Record<string, number> = {};
  const expired: Record<string, [table: string, condition: string]> = {
    sessions: [
      'sessions',
      `id in (select s.id from sessions s
      left join user_roles r on r.user_id = s.user_id left join admin_profiles a on a.id = s.user_id where not (${ACTIVE_SESSION}))`,
    ],
    verifications: ['verifications', 'expires_at < now()'],
    passkeyChallenges: ['passkey_challenges', 'expires_at < now()'],
    walletChallenges: ['wallet_challenges', 'expires_at < now()'],
    tokens: ['account_tokens', "expires_at < now() - interval '1 day'"],
    rateLimits: ['rate_limits', 'window_ends < now()'],
    voteAttempts: ['vote_tries', 'day_ends < now()'],
    mails: ['mails', "status in ('sent', 'expired') and coalesce(sent_at, created_at) < now() - interval '30 days'"],
    notifications: ['notifications', `changed_at < now() - interval '${settings.get('notificationDays')} days'`],
    staffNotices: ['staff_notices', "notified_at < now() - interval '1 year'"],
    editors: ['record_editors', "seen_at < now() - interval '1 hour'"],
    previews: ['record_previews', 'ends_at < now()'],
    telegramCodes: ['telegram_link_codes', 'expires_at < now()'],
    // Replies of the bot; messages of a notification are deleted with it.
    telegramReplies: ['telegram_messages', "reply is not null and created_at < now() - interval '1 day'"],
    connections: ['user_connections', "last_seen < now() - interval '1 day'"],
  };
  const statements = {
    // Failed mails whose link or code has expired are no longer needed, and may contain former addresses of an account.
    endedMails:
      "update mails set status = 'expired', data = '{}' where status = 'failed' and (data ->> 'until')::timestamptz < now()",
    // Failed jobs stay in the inbox; those of a recurring job are deleted once a later run succeeded, because it did the same work. Until
    // then only the first one is retained: one per minute would fill the inbox, and be mailed to the team for days.
    jobs: `delete from jobs.job where state in ('completed', 'cancelled') and completed_on < now() - interval '7 days'`,
    repeatedRuns: `delete from jobs.job f where f.state = 'failed' and f.name in (select name from jobs.schedule)
      and exists (select 1 from jobs.job o where o.name = f.name and o.state = 'completed' and o.completed_on > f.completed_on)`,
    furtherFailures: `delete from jobs.job f where f.state = 'failed' and f.name in (select name from jobs.schedule)
      and exists (select 1 from jobs.job o where o.name = f.name and o.state = 'failed' and o.completed_on < f.completed_on)`,
    oldRuns: `delete from jobs.job where state = 'failed' and completed_on < now() - interval '7 days'
      and name in (select name from jobs.schedule)`,
  };
  const parts = [
    ...Object.entries(expired).map(([what, [table, condition]]) => async () => {
      removed[what] = await deleteInBatches(db, table, condition);
    }),
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

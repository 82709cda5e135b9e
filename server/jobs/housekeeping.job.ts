import { sql } from 'drizzle-orm';
import { thinPrices } from '#server/domains/market/refresh.service.ts';
import type { Handler } from './handler.ts';

/** Deleting what nobody can use any more; safe to run twice and on several processes at once. */
export const housekeeping: Handler<'housekeeping'> = async (_input, { house: { pool, db, now }, log }) => {
  const removed: Record<string, number> = {};
  for (const [what, statement] of Object.entries({
    sessions: 'delete from sessions where expires_at < now()',
    verifications: 'delete from verifications where expires_at < now()',
    tokens: "delete from account_tokens where expires_at < now() - interval '1 day'",
    rateLimits: 'delete from rate_limits where window_ends < now()',
    voteTries: 'delete from vote_tries where day_ends < now()',
    mails: "delete from mails where status = 'sent' and sent_at < now() - interval '30 days'",
    connections: "delete from user_connections where last_seen < now() - interval '1 day'",
  }))
    removed[what] = (await db.execute(sql.raw(statement))).rowCount ?? 0;
  log.info({ removed }, 'housekeeping');
  // The log leaves this machine in other ways than the database does: `florka audit verify id:hash` compares.
  const { rows } = await pool.query<{ anchor: string }>(
    `select id || ':' || encode(hash, 'hex') as anchor from audit_events order by id desc limit 1`,
  );
  if (rows[0]) log.info({ anchor: rows[0].anchor }, 'newest entry of the audit log');
  log.info({ prices: await thinPrices(db, now()) }, 'recorded prices thinned out');
};

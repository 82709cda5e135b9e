import { sql } from 'drizzle-orm';
import type { TrashedKind } from '#contract/admin/audit-acts.ts';
import type { AuditField } from '#contract/admin/audit-fields.ts';
import { TRASH_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { type Actor, audit } from '#server/lib/audit.ts';

/** The column of a field, under the name of the field. */
const column = (field: AuditField) =>
  `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${field}"`;

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Records of one kind that one run removes; the next run goes on. */
const MOST = 500;

/**
 * Every kind of record with a trash: its table, and what of it the audit keeps. `keep` says what stays: a post under which
 * others still speak, the winner of a round.
 */
const TRASH: Record<TrashedKind, { table: string; show: readonly AuditField[]; keep?: string }> = {
  project: { table: 'projects', show: ['tokenName', 'tokenSymbol', 'tokenAddress'] },
  next_project: { table: 'next_projects', show: ['tokenName', 'tokenSymbol'] },
  news: { table: 'news', show: ['title'] },
  candidate: {
    table: 'voting_candidates',
    show: ['tokenName', 'tokenSymbol', 'totalVotes'],
    keep: 'exists (select 1 from voting_rounds r where r.winner_candidate_id = t.id)',
  },
  network: { table: 'blockchain_networks', show: ['key', 'name', 'symbol'] },
  // Before their posts: one whose comments are gone can go as well.
  comment: { table: 'forum_comments', show: ['postId'] },
  post: {
    table: 'forum_posts',
    show: ['title'],
    keep: 'exists (select 1 from forum_comments c where c.post_id = t.id and not c.is_hidden)',
  },
};

/**
 * Removes for good what lay in the trash for 30 days, each record with an audit entry. Safe to run twice and in two
 * processes: a record is removed by whoever locks it first.
 *
 * @returns how many of each kind.
 */
export async function purgeTrash(db: Db, now: Date): Promise<Record<string, number>> {
  const before = new Date(now.getTime() - TRASH_DAYS * 86_400_000).toISOString();
  const purged: Record<string, number> = {};
  for (const [what, { table, show, keep: reason }] of Object.entries(TRASH) as [
    TrashedKind,
    (typeof TRASH)[TrashedKind],
  ][]) {
    const keep = reason ? sql.raw(`and not ${reason}`) : sql``;
    purged[what] = await db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ id: string } & Record<string, unknown>>(sql`
        delete from ${sql.raw(table)} where id in (
          select t.id from ${sql.raw(table)} t where t.deleted_at <= ${before} ${keep}
          order by t.deleted_at limit ${MOST} for update skip locked)
        returning id, ${sql.raw(show.map(column).join(', '))}`);
      for (const { id, ...shown } of rows)
        await audit(tx, SYSTEM, { action: `${what}.purged`, resourceType: what, resourceId: id, before: shown });
      return rows.length;
    });
  }
  return purged;
}

import { sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { audit } from '#server/lib/audit.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';
import { publish } from '#server/live/publish.ts';
import type { Writer } from './posts.service.ts';

/**
 * Tells the moderators of a post or comment; one report of each member and text.
 *
 * @throws NOT_FOUND when it is not visible, ALREADY_DONE for a second report.
 */
export async function report(
  db: Db,
  { viewer, actor, now }: Writer,
  input: { what: 'post' | 'comment'; id: string; reason: 'spam' | 'scam' | 'abuse' | 'other'; note: string },
): Promise<void> {
  const { what, id, reason } = input;
  const note = cleanText(input.note, 'text') || null;
  await db.transaction(async (tx) => {
    const { rows: seen } = await tx.execute(
      what === 'post'
        ? sql`select 1 from forum_posts where id = ${id} and not is_hidden for key share`
        : sql`select 1 from forum_comments where id = ${id} and not is_hidden for key share`,
    );
    if (seen.length === 0) fail('NOT_FOUND', { what });
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into forum_reports (post_id, comment_id, reporter_id, reason, note, created_at)
      values (${what === 'post' ? id : null}, ${what === 'comment' ? id : null}, ${viewer.id}, ${reason}, ${note}, ${now.toISOString()})
      on conflict do nothing returning id`);
    if (rows.length === 0) fail('ALREADY_DONE');
    await audit(tx, actor, { action: `${what}.reported`, resourceType: what, resourceId: id, after: { reason } });
  });
}

/** Hides a reported text, in the transaction that answers its reports; what is hidden already stays so. */
export async function hideReported(tx: Tx, what: 'post' | 'comment', id: string, by: string, now: Date): Promise<void> {
  const hidden = sql`is_hidden = true, deleted_by = ${by}, deleted_at = ${now.toISOString()}`;
  if (what === 'post') {
    const { rowCount } = await tx.execute(sql`update forum_posts set ${hidden} where id = ${id} and not is_hidden`);
    if (rowCount) await publish(tx, { type: 'post.changed', postId: id });
    return;
  }
  // The post first: everybody who changes its counter locks in this order.
  const { rows: posts } = await tx.execute<{ id: string }>(sql`
    select id from forum_posts where id = (select post_id from forum_comments where id = ${id}) for no key update`);
  const { rowCount } = await tx.execute(sql`update forum_comments set ${hidden} where id = ${id} and not is_hidden`);
  const postId = posts[0]?.id;
  if (!rowCount || !postId) return;
  await tx.execute(sql`update forum_posts set comment_count = comment_count - 1 where id = ${postId}`);
  await publish(tx, { type: 'post.changed', postId });
}

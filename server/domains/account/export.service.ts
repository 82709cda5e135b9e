import { eq, sql } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import { asList, orNull } from '#server/db/expressions.ts';
import { forumUsers } from '#server/db/tables/accounts.ts';
import type { AccountContext } from '#server/domains/account/second-factor/second-factor.service.ts';
import { badgesOfMember } from '#server/domains/profiles/profiles.service.ts';
import { audit } from '#server/lib/audit.ts';
import { checkLimits, consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { EXPORT_QUERIES } from './export.sql.ts';

/**
 * What is stored about a member and what they did, with the badges that follow from it; without notes and reasons of staff.
 *
 * @throws RATE_LIMITED; a failed attempt does not count.
 */
export async function exportAccount(
  { db, viewer, actor, now }: AccountContext,
  limit: Limit,
): Promise<Record<string, unknown>> {
  const limits = [{ key: `export:${viewer.id}`, limit }];
  await checkLimits(db, limits, now);
  // One snapshot for all parts. Nothing is written in it, because a snapshot transaction can't append to the chain of the audit
  // log.
  const data = await db.transaction(
    async (tx) => {
      const parts: Record<string, unknown> = { exportedAt: now.toISOString() };
      for (const [part, query] of Object.entries(EXPORT_QUERIES)) {
        const records = sql`(with m as (select ${viewer.id}::uuid as me)
          ${sql.raw(query.replace(/\bme\b/g, '(select me from m)'))}) part`;
        const [all] = await tx.select({ list: sql`json_agg(row_to_json(part))`.mapWith(orNull(asList)) }).from(records);
        const list = all?.list ?? [];
        parts[part] = part === 'account' || part === 'profile' || part === 'roles' ? (list[0] ?? null) : list;
      }
      const [profile] = await tx
        .select({ id: forumUsers.id })
        .from(forumUsers)
        .where(eq(forumUsers.newAuthUserId, viewer.id));
      parts['badges'] = profile ? await badgesOfMember(tx, { profile: profile.id, member: viewer.id }) : [];
      return parts;
    },
    { work: 'report', snapshot: true },
  );
  await db.transaction(async (tx) => {
    await consumeRateLimits(tx, limits, now);
    await audit(tx, actor, { action: 'account.exported', resourceType: 'member', resourceId: viewer.id });
  });
  return data;
}

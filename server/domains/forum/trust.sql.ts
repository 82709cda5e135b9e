import { APPEAL_DAYS } from '#contract/limits.ts';
import { TRUST } from '#contract/trust.ts';
import { int4, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Figures of a member that the rules of trust evaluate, at a given time. */
export const readTrustFacts = statement({
  parameters: { member: uuid, now: timestamptz },
  row: { days: int4, texts: int4, removals: int4, links: int4, waiting: int4 },
  text: (at) => `select
    coalesce(floor(extract(epoch from ${at.now} - u.created_at) / 86400), 0)::int as days,
    (select count(*)::int from (
      (select 1 from forum_posts p join forum_users f on f.id = p.forum_user_id
        where f.new_auth_user_id = u.id and not p.is_hidden limit ${TRUST.regularTexts})
      union all (select 1 from forum_comments c where c.user_id = u.id and not c.is_hidden limit ${TRUST.regularTexts})
      ) shown) as texts,
    (select count(*)::int from forum_removal_notices n join forum_removals r on r.id = n.removal_id
      where n.author_id = u.id and r.removed_at > ${at.now} - interval '${TRUST.removalDays} days'
        and (r.outcome = 'upheld' or (r.outcome is null and n.appealed_at is null
          and r.removed_at < ${at.now} - interval '${APPEAL_DAYS} days'))) as removals,
    (select count(*)::int from forum_reviews v where v.author_id = u.id and v.links and v.state = 'released') as links,
    (select count(*)::int from forum_reviews v where v.author_id = u.id and v.state = 'waiting') as waiting
  from users u where u.id = ${at.member}`,
});

import { TOKEN_LINKS } from '#contract/fields/links.ts';
import { boolean, date, int4, oneOf, orNull, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { creatorsSql } from '#server/domains/ownership/verified.service.ts';
import { columnOf } from '#server/lib/column-name.ts';

/** Upper limit of each count. */
export const COUNTED_MAX = 1_000;
/** Number of newest posts whose reactions are counted. */
const POSTS_LOOKED_AT = 1_000;

/** The profile of this name with its member's choices; none for removed accounts. */
export const readProfile = statement({
  parameters: { name: text },
  row: {
    id: uuid,
    username: text,
    shortId: text,
    memberId: orNull(uuid),
    staff: boolean,
    showPage: boolean,
    showVotes: boolean,
    showFollows: boolean,
    showCreated: boolean,
  },
  text: (at) => `
    select u.id, u.username, left(regexp_replace(u.wallet_address, '^user_', ''), 8) as "shortId",
      u.new_auth_user_id as "memberId",
      exists (select 1 from user_roles r where r.user_id = u.new_auth_user_id and r.role <> 'user') as staff,
      coalesce(s.show_page, false) as "showPage", coalesce(s.show_votes, false) as "showVotes",
      coalesce(s.show_follows, false) as "showFollows", coalesce(s.show_created, false) as "showCreated"
    from forum_users u left join profile_settings s on s.user_id = u.new_auth_user_id
    where lower(u.username) = lower(${at.name})
      and (u.new_auth_user_id is not null or u.migration_status <> 'completed')`,
});

/** Fields in which a NEXT project must equal the candidate of a proof; the triggers that end a proof compare the same. */
const SUBJECT = ['tokenName', 'tokenSymbol', 'contractAddress', 'network', 'imageUrl', ...TOKEN_LINKS] as const;
const subjectOf = (table: string) => SUBJECT.map((name) => `${table}.${columnOf(name)}`).join(', ');

/**
 * The records of which a member has a current proof of ownership, newest proof first; each once, and not those that staff began to
 * prove for their creators. Of a candidate that graduated it is the NEXT project that it became, while that is the token of the proof.
 */
export const readProven = statement({
  parameters: { member: uuid, max: int4 },
  // A proof has exactly one record, but PostgreSQL reports the expression as nullable.
  row: { kind: oneOf(['project', 'candidate', 'next']), id: orNull(uuid) },
  text: (at) => `
    select case when p.project_id is not null then 'project' when p.next_project_id is not null or launch.id is not null then 'next'
        else 'candidate' end as kind,
      coalesce(launch.id, p.project_id, p.candidate_id, p.next_project_id) as id
    from ownership_proofs p
    left join lateral (
      select n.id from voting_candidates c
      join voting_rounds r on r.winner_candidate_id = c.id join next_projects n on n.voting_round_id = r.id
      where c.id = p.candidate_id and not c.is_active and (${subjectOf('n')}) is not distinct from (${subjectOf('c')})
      order by r.number desc limit 1) launch on true
    where p.started_by = ${at.member} and p.state = 'valid'
      and (${at.member} in (${creatorsSql('p')}) or not exists (select 1 from admin_profiles a where a.id = ${at.member}))
    group by 1, 2
    order by max(p.proven_at) desc, 2 limit ${at.max}`,
});

/** Counts of a member's visible texts, and of reactions to them. */
export const readWriting = statement({
  parameters: { profile: uuid, member: orNull(uuid) },
  row: { posts: int4, comments: int4, reactions: int4 },
  text: (at) => `
    select
      (select count(*)::int from (select 1 from forum_posts where forum_user_id = ${at.profile} and not is_hidden
        limit ${COUNTED_MAX}) shown) as posts,
      (select count(*)::int from (select 1 from forum_comments c where c.user_id = ${at.member} and not c.is_hidden
        and exists (select 1 from forum_posts s where s.id = c.post_id and not s.is_hidden)
        limit ${COUNTED_MAX}) shown) as comments,
      (select count(*)::int from (
        select 1 from (select id from forum_posts where forum_user_id = ${at.profile} and not is_hidden
          order by created_at desc limit ${POSTS_LOOKED_AT}) own
        join post_reactions r on r.post_id = own.id and r.user_id is distinct from ${at.member}
        limit ${COUNTED_MAX}) given) as reactions`,
});

/** The counted votes of a member, as days; and the rounds whose winner got one of them. */
export const readVoting = statement({
  // Prepared, because it covers all partitions and planning takes longer than execution.
  prepared: 'voting_of_profile',
  parameters: { member: uuid },
  row: { since: orNull(date), days: int4, won: int4 },
  text: (at) => `
    select min(v.voted_on) as since, count(distinct v.voted_on)::int as days,
      (select count(*)::int from voting_rounds r where r.status = 'closed' and exists (
        select 1 from votes w where w.user_id = ${at.member} and w.candidate_id = r.winner_candidate_id and w.state = 'counted'
          and (w.round_id = r.id or (w.round_id is null and w.created_at between r.opens_at and r.closed_at)))) as won
    from votes v where v.user_id = ${at.member} and v.state = 'counted'`,
});

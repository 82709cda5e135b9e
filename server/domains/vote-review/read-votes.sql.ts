import { arrayOf, boolean, bytea, int4, int8, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** The next votes of a round by id, with the data about their members that the signals use. */
export const readPageOfVotes = statement({
  prepared: 'page_of_votes',
  parameters: { roundId: uuid, after: int8, max: int4 },
  row: {
    id: int8,
    candidateId: uuid,
    userId: uuid,
    createdAt: timestamptz,
    networks: orNull(arrayOf(bytea)),
    since: timestamptz,
    email: text,
    active: boolean,
    votedBefore: orNull(timestamptz),
  },
  text: (at) => `
    with page as materialized (
      select id, candidate_id, user_id, created_at, networks from votes
      where id > ${at.after} and round_id = ${at.roundId} order by id limit ${at.max}
    ), voters as materialized (
      select u.id, u.created_at as since, u.email,
        exists (select 1 from forum_comments c where c.user_id = u.id)
          or exists (select 1 from forum_users f join forum_posts p on p.forum_user_id = f.id
            where f.new_auth_user_id = u.id)
          or exists (select 1 from token_creation_submissions t where t.user_id = u.id) as active,
        coalesce((select b.created_at from votes b where b.user_id = u.id and b.round_id is distinct from ${at.roundId} limit 1),
          -- Votes of months that became sums are nobody's; the weeks in which somebody voted are kept for the reports.
          (select w.week::timestamp at time zone 'UTC' from voter_weeks w where w.user_id = u.id
            and w.week <= (select max(day) from carried_votes) limit 1)) as voted_before
      from users u where u.id in (select user_id from page)
    )
    select p.id, p.candidate_id as "candidateId", p.user_id as "userId", p.created_at as "createdAt", p.networks, m.since,
      m.email, m.active, m.voted_before as "votedBefore"
    from page p join voters m on m.id = p.user_id order by p.id`,
});

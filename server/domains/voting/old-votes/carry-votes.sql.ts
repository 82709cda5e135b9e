// Votes of old months become sums (ADR 0066).
import { boolean, date, int4, int8, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Conditions that prevent carrying any votes before a day. */
export const readCarryObstacles = statement({
  parameters: { before: date },
  row: { openRound: boolean, ledger: boolean, results: boolean, sums: boolean, notices: boolean, resets: boolean },
  text: (at) => `
    select
      coalesce((select (min(opens_at) at time zone 'UTC')::date < ${at.before} from voting_rounds where status = 'open'), false)
        as "openRound",
      coalesce((select max(filled_at) is null from ledger_log), true) as ledger,
      coalesce((select min(next_day) < ${at.before} from ledger_log), false)
        or coalesce((select count(*) > 0 from ledger_round_ends where stated_at is null), false) as results,
      coalesce((select max(id) from votes where voted_on < ${at.before}), 0)
        > coalesce((select mark from report_marks where name = 'votes'), 0) as sums,
      coalesce((select count(*) > 0 from notified_rounds t join voting_rounds r on r.id = t.round_id
        where t.done_at is null and (r.opens_at at time zone 'UTC')::date < ${at.before}), false) as notices,
      coalesce((select count(*) > 0 from archived_votes a join vote_resets r on r.id = a.reset_id
        where a.voted_on < ${at.before} and r.undone_at is null), false) as resets`,
});

/** Votes before a day, by candidate, generation and day, the oldest days first. */
export const readOldVotes = statement({
  parameters: { before: date },
  row: { candidateId: uuid, generation: int4, day: date, votes: int4 },
  text: (at) => `
    select candidate_id as "candidateId", generation, voted_on as day, count(*)::int as votes from votes
    where voted_on < ${at.before} group by 1, 2, 3 order by 3, 1, 2`,
});

/**
 * Carries some votes of a locked candidate, of one generation and day: counted votes become one row with their ledger leaves, void
 * ones are deleted, and with the votes the links of tickets and clusters to them and the mapping to their leaves. Skipped: votes
 * under review; votes whose entry in the vote ledger differs, is missing or pending; votes voided by a temporary ban; votes with a
 * decision since a given moment, or that may still get one; all votes of a candidate with a reset that the vote ledger still has to
 * enter; votes removed by a reset.
 */
export const carrySome = statement({
  parameters: { candidate: uuid, generation: int4, day: date, decidedBefore: timestamptz, max: int4 },
  row: { gone: int4, counted: int4 },
  text: (at) => `
    with picked as materialized (
      select v.id, v.created_at, v.state, l.seq
      from votes v join voting_candidates c on c.id = v.candidate_id and v.generation = any(c.generations)
      cross join lateral (select seq, entry from ledger_leaves where vote_id = v.id order by seq desc limit 1) l
      where v.candidate_id = ${at.candidate} and v.generation = ${at.generation} and v.voted_on = ${at.day}
        and v.state in ('counted', 'void') and l.entry like '% state=' || v.state || ' cast=%'
        and not exists (select 1 from vote_changes w where w.vote_id = v.id)
        and not exists (select 1 from vote_moves m where m.candidate_id = v.candidate_id)
        and not exists (select 1 from users u where u.id = v.user_id and v.banned_state is not null and u.banned_until < 'infinity')
        and not exists (select 1 from vote_review_votes r join vote_review_clusters k on k.id = r.cluster_id
          where r.vote_id = v.id and (k.state = 'open' or k.decided_at > ${at.decidedBefore}))
      order by v.id limit ${at.max}
    ), carried as (
      insert into carried_votes (candidate_id, generation, day, piece, votes, newest_at, leaves)
      select ${at.candidate}, ${at.generation}, ${at.day},
        (select coalesce(max(piece) + 1, 0) from carried_votes
          where candidate_id = ${at.candidate} and generation = ${at.generation} and day = ${at.day}),
        count(*)::int, max(created_at), array_agg(seq order by seq)
      from picked where state = 'counted' having count(*) > 0
    ), tickets as (
      update vote_tickets t set carried_state = p.state, carried_generation = ${at.generation} from picked p where t.vote_id = p.id
    ), leaves as (
      update ledger_leaves l set vote_id = null from picked p where l.vote_id = p.id
    ), gone as (
      delete from votes v using picked p where v.id = p.id and v.voted_on = ${at.day} returning v.id
    )
    select count(*)::int as gone,
      (select (count(*) filter (where state = 'counted'))::int from picked) as counted from gone`,
});

/** Deletes rows of clusters, from a day and before, whose votes were carried or deleted otherwise. */
export const forgetClusterVotes = command({
  parameters: { day: date, max: int4 },
  text: (at) => `
    delete from vote_review_votes where vote_id in (
      select r.vote_id from vote_review_votes r where r.voted_on = ${at.day}
        and not exists (select 1 from votes v where v.id = r.vote_id and v.voted_on = ${at.day}) limit ${at.max})`,
});

/**
 * Deletes salts that no vote refers to any more: of rounds closed before a day, and of round 0 (votes from before the ledger).
 * @returns the number of deleted salts.
 */
export const forgetSalts = statement({
  parameters: { before: date, max: int4 },
  row: { gone: int4 },
  text: (at) => `
    with gone as (
      delete from ledger_salts s where (s.user_id, s.round) in (
        select o.user_id, o.round from ledger_salts o left join voting_rounds r on r.number = o.round
        where (o.round = 0 or (r.status = 'closed' and r.closed_at <= ${at.before}::timestamp at time zone 'UTC'))
          and not exists (select 1 from votes v where v.user_id = o.user_id and v.round_id is not distinct from r.id)
          and not exists (select 1 from vote_changes w where w.user_id = o.user_id)
        limit ${at.max})
      returning 1
    )
    select count(*)::int as gone from gone`,
});

/** Number of votes before a day that were not carried, by reason. */
export const readWaitingOldVotes = statement({
  parameters: { before: date },
  row: { why: text, votes: int8 },
  text: (at) => `
    select case when not v.generation = any(c.generations) then 'taken by a reset'
        when v.state = 'under_review' then 'under review'
        else 'not settled yet' end as why, count(*) as votes
    from votes v join voting_candidates c on c.id = v.candidate_id where v.voted_on < ${at.before} group by 1 order by 1`,
});

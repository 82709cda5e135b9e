// Queries of the ledger about votes, and of the public and of members about the ledger.
import {
  arrayOf,
  boolean,
  bytea,
  date,
  int4,
  int8,
  oneOf,
  orNull,
  text,
  timestamptz,
  uuid,
} from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

const STATES = ['counted', 'under_review', 'void', 'withdrawn'] as const;
const VOTE_STATES = ['counted', 'under_review', 'void'] as const;

/** To the microsecond of PostgreSQL: rounding must not change the order of ties. */
const exact = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const change = {
  voteId: int8,
  userId: uuid,
  candidateId: uuid,
  /** UTC day. */
  day: date,
  round: int4,
  castAt: timestamptz,
};

/**
 * Votes from before the ledger, by id; `waits` marks those whose change is in the queue, and those removed by a reset that is no
 * longer in it.
 */
export const readOlderVotes = statement({
  parameters: { after: int8, until: int8, max: int4 },
  row: { ...change, state: oneOf(VOTE_STATES), waits: boolean },
  text: (at) => `
    select v.id as "voteId", v.user_id as "userId", v.candidate_id as "candidateId", v.voted_on as day,
      coalesce(r.number, 0) as round, v.created_at as "castAt", v.state,
      coalesce(exists (select 1 from vote_changes w where w.vote_id = v.id and w.vote_id > ${at.after} and w.vote_id <= ${at.until})
        or not v.generation = any(c.generations) and not exists (
          select 1 from vote_moves m where m.candidate_id = v.candidate_id and v.generation = any(m.generations)), false) as waits
    from (select * from votes where id > ${at.after} and id <= ${at.until} order by id limit ${at.max}) v
    join voting_candidates c on c.id = v.candidate_id left join voting_rounds r on r.id = v.round_id
    order by v.id`,
});

/** Removes changes from the queue, in their order. @param until the last of them; null: all. */
export const takeChanges = statement({
  parameters: { until: orNull(int8), max: int4 },
  row: { ...change, state: oneOf(STATES), gone: boolean },
  text: (at) => `
    with taken as (
      delete from vote_changes where id in (
        select id from vote_changes where id <= coalesce(${at.until}, 9223372036854775807) order by id limit ${at.max})
      returning id, vote_id, round_id, candidate_id, user_id, voted_on, state, changed_at, was, gone
    )
    select t.vote_id as "voteId", t.user_id as "userId", t.candidate_id as "candidateId", t.voted_on as day,
      coalesce(r.number, 0) as round, coalesce(v.created_at, t.changed_at) as "castAt", t.state,
      t.gone or (t.state = 'withdrawn' and t.was is null and v.id is null) as gone
    from taken t left join voting_rounds r on r.id = t.round_id left join votes v on v.id = t.vote_id and v.voted_on = t.voted_on
    order by t.id`,
});

/** The first move of whole generations in the queue. */
export const readNextMove = statement({
  parameters: {},
  row: { id: int8, candidateId: uuid, generations: arrayOf(int4), back: boolean, doneTo: int8, carriedTo: int4 },
  text: () => `
    select id, candidate_id as "candidateId", generations, back, done_to as "doneTo", carried_to as "carriedTo" from vote_moves order by id limit 1`,
});

const move = { id: int8, candidateId: uuid, generations: arrayOf(int4), back: boolean };

/**
 * Votes of removed or restored generations, by id, in their state at this position of the queue: later changes are still in the
 * queue, and contain the state before.
 */
export const readMovedVotes = statement({
  parameters: { ...move, after: int8, max: int4 },
  row: { ...change, state: oneOf(STATES), gone: boolean },
  text: (at) => `
    with later as materialized (
      select distinct on (vote_id) vote_id, was from vote_changes
      where ${at.back} and candidate_id = ${at.candidateId} and id > ${at.id} and was is not null order by vote_id, id
    )
    select v.id as "voteId", v.user_id as "userId", v.candidate_id as "candidateId", v.voted_on as day,
      coalesce(r.number, 0) as round, v.created_at as "castAt",
      case when ${at.back} then coalesce(l.was, v.state) else 'withdrawn' end as state, false as gone
    from (
      select * from votes where candidate_id = ${at.candidateId} and generation = any(${at.generations}) and id > ${at.after}
      order by id limit ${at.max}
    ) v left join later l on l.vote_id = v.id left join voting_rounds r on r.id = v.round_id
    order by v.id`,
});

/** The same for votes that were deleted meanwhile; their own withdrawals are later in the queue. */
export const readMovedGone = statement({
  parameters: move,
  row: { ...change, state: oneOf(STATES), gone: boolean },
  text: (at) => `
    select w.vote_id as "voteId", w.user_id as "userId", w.candidate_id as "candidateId", w.voted_on as day,
      coalesce(r.number, 0) as round, w.changed_at as "castAt",
      case when ${at.back} then coalesce(w.was, 'withdrawn') else 'withdrawn' end as state, false as gone
    from (
      select distinct on (vote_id) * from vote_changes
      where candidate_id = ${at.candidateId} and id > ${at.id} and was is not null and generation = any(${at.generations})
      order by vote_id, id
    ) w left join voting_rounds r on r.id = w.round_id
    where not exists (select 1 from votes v where v.id = w.vote_id and v.voted_on = w.voted_on) order by w.vote_id`,
});

/** The next leaves of carried votes of removed or restored generations, with their content. */
export const readCarriedLeaves = statement({
  parameters: { candidateId: uuid, generations: arrayOf(int4), carriedTo: int4 },
  row: { entry: text },
  text: (at) => `
    select l.entry from (
      select leaves from carried_votes where candidate_id = ${at.candidateId} and generation = any(${at.generations})
      order by generation, day, piece offset ${at.carriedTo} limit 1
    ) k cross join lateral unnest(k.leaves) as n (seq) join ledger_leaves l on l.seq = n.seq order by l.seq`,
});

/** The end of a round that has no result yet; `inTime` when the ledger was complete by then. */
export const readRoundEnd = statement({
  parameters: { wholeSince: timestamptz },
  row: { roundId: uuid, number: int4, lastChange: int8, inTime: boolean },
  text: (at) => `
    select e.round_id as "roundId", r.number, e.last_change as "lastChange", e.ended_at >= ${at.wholeSince} as "inTime"
    from ledger_round_ends e join voting_rounds r on r.id = e.round_id
    where e.stated_at is null order by e.last_change, r.number limit 1`,
});

/** True when a UTC day is over, plus some seconds, by the database's clock. */
export const readDayOver = statement({
  parameters: { day: date, seconds: int4 },
  row: { over: boolean },
  text: (at) => `
    select coalesce(clock_timestamp() at time zone 'UTC' > ${at.day} + interval '1 day' + make_interval(secs => ${at.seconds}), false)
      as over`,
});

/** The newest entry of the audit log, when the last anchor is older than this. */
export const readNewestAudit = statement({
  parameters: { anchoredAt: orNull(timestamptz), seconds: int4 },
  row: { id: int8, hash: text },
  text: (at) => `
    select id, encode(hash, 'hex') as hash
    from (select * from audit_events order by id desc limit 1) newest
    where ${at.anchoredAt} is null or clock_timestamp() > ${at.anchoredAt} + make_interval(secs => ${at.seconds})`,
});

/** The last leaf of each of these votes that has any. */
export const readLastLeaves = statement({
  parameters: { voteIds: arrayOf(int8) },
  row: { voteId: int8, entry: text },
  text: (at) => `
    select distinct on (vote_id) coalesce(vote_id, 0) as "voteId", entry from ledger_leaves
    where vote_id = any(${at.voteIds}) order by vote_id, seq desc`,
});

/** The salt of each member and round, in hexadecimal digits; the given one is stored where it is missing and the account exists. */
export const readSalts = statement({
  parameters: { userIds: arrayOf(uuid), rounds: arrayOf(int4), fresh: arrayOf(text) },
  row: { userId: uuid, round: int4, salt: text },
  text: (at) => `
    with wanted as materialized (
      select w.user_id, w.round, decode(w.salt, 'hex') as salt
      from unnest(${at.userIds}, ${at.rounds}, ${at.fresh}) as w (user_id, round, salt)
    ), alive as materialized (
      select id from users where id in (select user_id from wanted) order by id for key share
    ), made as (
      insert into ledger_salts (user_id, round, salt)
      select w.user_id, w.round, w.salt from wanted w join alive a on a.id = w.user_id
      on conflict (user_id, round) do nothing returning user_id, round, salt
    )
    select user_id as "userId", round, encode(salt, 'hex') as salt from made
    union all
    select s.user_id as "userId", s.round, encode(s.salt, 'hex') as salt from ledger_salts s
    join wanted w on w.user_id = s.user_id and w.round = s.round`,
});

/** The given candidates that are not in the ledger yet, in the given order; without a time when they were deleted permanently. */
export const readNewCandidates = statement({
  parameters: { ids: arrayOf(uuid) },
  row: { id: uuid, added: orNull(text) },
  text: (at) => `
    select coalesce(w.id, '00000000-0000-0000-0000-000000000000') as id, ${exact('c.created_at')} as added
    from unnest(${at.ids}) with ordinality as w (id, place) left join voting_candidates c on c.id = w.id
    where not exists (select 1 from ledger_candidates l where l.candidate_id = w.id) order by w.place`,
});

/** The standings that were frozen when a round ended. */
export const readStandings = statement({
  parameters: { roundId: uuid },
  row: { candidate: uuid, votes: int4, reached: orNull(text) },
  text: (at) => `
    select candidate_id as candidate, total_votes as votes, ${exact('reached_at')} as reached from round_standings
    where round_id = ${at.roundId} and total_votes > 0 order by rank`,
});

/** Candidates whose ranking state in the ledger differs from the standings of a round. */
export const readMoved = statement({
  parameters: { roundId: uuid },
  row: { id: uuid, added: text, listed: boolean },
  text: (at) => `
    with standing as (select candidate_id from round_standings where round_id = ${at.roundId})
    select l.candidate_id as id, coalesce(${exact('l.added_at')}, '') as added, s.candidate_id is not null as listed
    from ledger_candidates l left join standing s on s.candidate_id = l.candidate_id
    where l.listed <> (s.candidate_id is not null) order by l.candidate_id`,
});

/** The counted votes for a UTC day in the site's tables, in the signed order. */
export const readDay = statement({
  parameters: { day: date },
  row: { candidate: uuid, votes: int4, reached: orNull(text) },
  text: (at) => `
    select d.candidate_id as candidate, d.votes, ${exact('newest.created_at')} as reached
    from candidate_daily_votes d join voting_candidates c on c.id = d.candidate_id
    left join lateral (
      select max(n.created_at) as created_at from unnest(c.generations) as g cross join lateral (
        select v.created_at from votes v
        where v.candidate_id = d.candidate_id and v.generation = g and v.state = 'counted' and v.voted_on = ${at.day}
          and v.created_at >= ${at.day}::timestamp at time zone 'UTC'
          and v.created_at < (${at.day} + 1)::timestamp at time zone 'UTC'
        order by v.created_at desc limit 1) as n) newest on true
    where d.day = ${at.day} and d.votes > 0
    order by d.votes desc, newest.created_at nulls first, c.created_at, d.candidate_id`,
});

/** The newest checkpoint, with the witnesses' cosignatures of this tree. */
export const readNewestCheckpoint = statement({
  parameters: {},
  row: { size: int8, checkpoint: text, lines: arrayOf(text) },
  text: () => `
    select published_size as size, coalesce(checkpoint, '') as checkpoint,
      array(select line from ledger_cosignatures c where c.size = l.published_size order by witness) as lines
    from ledger_log l where checkpoint is not null`,
});

/** True when a witness has not signed this tree, or not since `before`. */
export const readDue = statement({
  parameters: { witness: text, before: timestamptz },
  row: { size: int8, checkpoint: text, from: int8, due: boolean },
  text: (at) => `
    select l.published_size as size, coalesce(l.checkpoint, '') as checkpoint, coalesce(c.size, 0) as "from",
      coalesce(c.size <> l.published_size or c.signed_at < ${at.before}, true) as due
    from ledger_log l left join ledger_cosignatures c on c.witness = ${at.witness} where l.checkpoint is not null`,
});

/** Waiting changes, counted up to 1,000, and leaves that are not signed yet. */
export const readWaiting = statement({
  parameters: {},
  row: { waiting: int8 },
  text: () => `
    select coalesce((select count(*) from (select 1 from vote_changes limit 1000) w), 0)
      + coalesce((select sum(votes) from vote_moves), 0)::bigint + (size - published_size) as waiting
    from ledger_log`,
});

/** Whether the newest leaf of a vote is in a signed checkpoint; no row for a vote without a leaf. */
export const readVoteSigned = statement({
  parameters: { voteId: int8 },
  row: { signed: boolean },
  text: (at) => `
    select coalesce(seq < (select published_size from ledger_log), false) as signed
    from ledger_leaves where vote_id = ${at.voteId} order by seq desc limit 1`,
});

/**
 * The newest votes of a member, or those older than the one with this day and id, each with its newest leaf; without one while a change
 * of its state waits to be entered.
 */
export const readVotesOf = statement({
  // Prepared, because it covers all partitions and planning takes longer than execution.
  prepared: 'votes_of_member',
  parameters: { userId: uuid, day: orNull(date), id: orNull(int8), max: int4 },
  row: {
    id: int8,
    candidateId: uuid,
    tokenName: text,
    tokenSymbol: text,
    tokenSlug: text,
    day: date,
    state: oneOf(VOTE_STATES),
    reason: orNull(text),
    leaf: orNull(int8),
    signed: boolean,
  },
  text: (at) => `
    select v.id, v.candidate_id as "candidateId", c.token_name as "tokenName", c.token_symbol as "tokenSymbol",
      c.token_slug as "tokenSlug", v.voted_on as day, v.state, v.state_reason as reason, l.seq as leaf,
      coalesce(l.seq < (select published_size from ledger_log), false) as signed
    from (
      select t.* from votes t join voting_candidates p on p.id = t.candidate_id and t.generation = any(p.generations)
      where t.user_id = ${at.userId} and (${at.day} is null or (t.voted_on, t.id) < (${at.day}, ${at.id}))
      order by t.voted_on desc, t.id desc limit ${at.max}
    ) v
    join voting_candidates c on c.id = v.candidate_id
    left join lateral (select seq, entry from ledger_leaves where vote_id = v.id order by seq desc limit 1) l
      on l.entry like '% state=' || v.state || ' cast=%'
    order by v.voted_on desc, v.id desc`,
});

/** Stores leaves, in the same order in each list. `votes`: null for leaves that are not about a vote. */
export const insertLeaves = command({
  parameters: { seqs: arrayOf(int8), entries: arrayOf(text), hashes: arrayOf(bytea), votes: arrayOf(orNull(int8)) },
  text: (at) => `
    insert into ledger_leaves (seq, entry, hash, vote_id)
    select * from unnest(${at.seqs}, ${at.entries}, ${at.hashes}, ${at.votes})`,
});

/** Stores hashes of complete tiles. */
export const insertHashes = command({
  parameters: { levels: arrayOf(int4), indexes: arrayOf(int8), hashes: arrayOf(bytea) },
  text: (at) => `
    insert into ledger_hashes (level, index, hash) select * from unnest(${at.levels}, ${at.indexes}, ${at.hashes})`,
});

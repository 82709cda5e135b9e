import { orNull, text, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';
import { COMPETING_SQL, votesOrder } from '#server/domains/voting/ranking-order.sql.ts';

/** Waits until no other transaction opens a round. */
export const lockOpening = statement({
  parameters: {},
  row: { locked: orNull(text) },
  text: () => `select pg_advisory_xact_lock(hashtext('florka open round'))::text as locked`,
});

/** Stores the order of the candidates as the standings of a round. */
export const storeStandings = command({
  parameters: { round: uuid },
  text: (at) => `
    insert into round_standings (round_id, rank, candidate_id, token_name, token_symbol, total_votes, reached_at)
    select ${at.round}, row_number() over (order by ${votesOrder()}), id, token_name, token_symbol, total_votes, total_reached_at
    from voting_candidates where ${COMPETING_SQL}`,
});

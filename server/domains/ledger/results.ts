// Signed results of rounds and days.
import { sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { fromText, toHex } from '#verify/bytes.ts';
import { formatEntry } from '#verify/entries.ts';
import { formatResult } from '#verify/result.ts';
import { nodeSha256 } from '#verify/sources.ts';
import type { Row } from '#verify/tally.ts';
import { exactMoment, listCandidate } from './changes.ts';
import { type SigningKey, signNote } from './key.ts';
import type { OpenTree } from './tree-store.ts';

interface RawRow extends Record<string, unknown> {
  candidate_id: string;
  votes: number;
  reached: string | null;
}

const rowOf = (row: RawRow): Row => ({
  candidate: row.candidate_id,
  votes: row.votes,
  reached: row.reached,
});

/** The standings that were frozen when a round ended, over all changes up to there. */
export async function stateRound(
  tx: Tx,
  tree: OpenTree,
  { origin, key, roundId, number }: { origin: string; key: SigningKey; roundId: string; number: number },
): Promise<void> {
  const { rows } = await tx.execute<RawRow>(sql`
    select candidate_id, total_votes as votes, ${exactMoment('reached_at')} as reached from round_standings
    where round_id = ${roundId} and total_votes > 0 order by rank`);
  // Who stood for election is said before the result, so that nobody is left out of it in silence.
  const { rows: moved } = await tx.execute<{ id: string; added: string; listed: boolean }>(sql`
    with standing as (select candidate_id from round_standings where round_id = ${roundId})
    select l.candidate_id as id, ${exactMoment('l.added_at')} as added, s.candidate_id is not null as listed
    from ledger_candidates l left join standing s using (candidate_id)
    where l.listed <> (s.candidate_id is not null) order by l.candidate_id`);
  for (const { id, added, listed } of moved) await listCandidate(tx, tree, id, added, listed);
  await state(tx, tree, { origin, key, of: `round/${number}`, rows: rows.map(rowOf) });
}

/** The votes of a UTC day that is over, as the site counts them. */
export async function stateDay(
  tx: Tx,
  tree: OpenTree,
  { origin, key, day }: { origin: string; key: SigningKey; day: string },
): Promise<void> {
  const { rows } = await tx.execute<RawRow>(sql`
    select d.candidate_id, d.votes, ${exactMoment('newest.created_at')} as reached
    from candidate_daily_votes d join voting_candidates c on c.id = d.candidate_id
    left join lateral (
      select v.created_at from votes v
      where v.candidate_id = d.candidate_id and v.state = 'counted' and v.voted_on = ${day}
        and v.created_at >= ${day}::date::timestamp at time zone 'UTC'
        and v.created_at < (${day}::date + 1)::timestamp at time zone 'UTC'
      order by v.created_at desc limit 1) newest on true
    where d.day = ${day} and d.votes > 0
    order by d.votes desc, newest.created_at nulls first, c.created_at, d.candidate_id`);
  if (rows.length > 0) await state(tx, tree, { origin, key, of: `day/${day}`, rows: rows.map(rowOf) });
}

async function state(
  tx: Tx,
  tree: OpenTree,
  { origin, key, of, rows }: { origin: string; key: SigningKey; of: string; rows: Row[] },
): Promise<void> {
  const text = formatResult({ origin, of, size: tree.size, root: tree.root(), rows });
  await tx.execute(sql`
    insert into ledger_results (of, seq, statement) values (${of}, ${tree.size}, ${signNote(origin, key, text)})`);
  tree.append({
    entry: formatEntry({ kind: 'result', seq: tree.size, of, sha256: toHex(nodeSha256(fromText(text))) }),
    voteId: null,
  });
  await tree.save();
}

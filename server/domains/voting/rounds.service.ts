import { sql } from 'drizzle-orm';
import type { ClosedRound, CurrentRound, Standing } from '#contract/admin/voting.ts';
import { MANY_FOUND } from '#contract/limits.ts';
import { eachLink } from '#contract/links.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { audit } from '#server/lib/audit.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { type Present, presentIn } from '#server/lib/clock.ts';
import { fail } from '#server/lib/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { along, iso, isoOrNull, normalizedContains, readPage, type Terms } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { byVotes, IN_THE_RUNNING } from './order.sql.ts';
import { lockOpenRound, lockRound } from './round-ends.service.ts';

type OpenRound = NonNullable<CurrentRound['round']>;

const LEADERS = 3;

async function leadersOf(db: Reader): Promise<Standing[]> {
  const { rows } = await db.execute<Standing & Record<string, unknown>>(sql`
    select id, token_name as "tokenName", token_symbol as "tokenSymbol", image_url as "imageUrl",
      total_votes as "totalVotes", total_reached_at as "reachedAt"
    from voting_candidates where ${IN_THE_RUNNING} and total_votes > 0
    order by ${byVotes()} limit ${LEADERS}`);
  return rows.map((row) => ({ ...row, reachedAt: isoOrNull(row.reachedAt) }));
}

/** The open round, who would win it now, and the winner that waits to graduate. */
export async function readCurrentRound(db: Reader, present: Present): Promise<CurrentRound> {
  const [{ rows }, leaders, winner] = await Promise.all([
    db.execute<Partial<OpenRound> & { now: string }>(sql`
      select p.now, r.id, r.number, r.opens_at as "opensAt", r.closes_at as "closesAt", r.next_days as "nextDays"
      from (select ${presentIn(present)} as now) as p left join voting_rounds r on r.status = 'open'`),
    leadersOf(db),
    waitingWinner(db),
  ]);
  const { now = '', id, number, opensAt, closesAt, nextDays = null } = rows[0] ?? {};
  return {
    round:
      id && number && opensAt && closesAt
        ? { id, number, opensAt: iso(opensAt), closesAt: iso(closesAt), nextDays }
        : null,
    leaders,
    winner,
    serverTime: iso(now),
  };
}

/** Of the winners that were certified and have not graduated, the first. */
async function waitingWinner(db: Reader): Promise<CurrentRound['winner']> {
  const { rows } = await db.execute<
    Standing & { roundId: string; roundNumber: number; closedEarly: string | null } & Record<string, unknown>
  >(sql`
    select r.id as "roundId", r.number as "roundNumber", r.closed_early_reason as "closedEarly", c.id,
      s.token_name as "tokenName", s.token_symbol as "tokenSymbol", c.image_url as "imageUrl",
      s.total_votes as "totalVotes", s.reached_at as "reachedAt"
    from voting_rounds r join voting_candidates c on c.certified_round_id = r.id and c.deleted_at is null
    join round_standings s on s.round_id = r.id and s.candidate_id = c.id
    where r.status = 'closed' order by r.number limit 1`);
  const row = rows[0];
  return row ? { ...row, reachedAt: isoOrNull(row.reachedAt) } : null;
}

/** Closed rounds with their winners and what those became. */
export async function listRounds(
  db: Reader,
  input: { q: string; page: number; size: number; sort: string },
): Promise<{ rows: ClosedRound[]; total: number }> {
  const { rows, total } = await readPage<ClosedRound & Record<string, unknown>>(db, input, {
    columns: sql`r.id, r.number, r.opens_at as "opensAt", r.closes_at as "closesAt", r.closed_at as "closedAt",
      r.winner_candidate_id as "winnerId", coalesce(n.token_name, c.token_name) as "winnerName",
      coalesce(n.token_symbol, c.token_symbol) as "winnerSymbol", r.winner_votes as "winnerVotes",
      n.id as "nextProjectId", r.closed_early_reason as "closedEarly",
      (select coalesce(f.username, u.email) from users u left join forum_users f on f.new_auth_user_id = u.id
       where u.id = r.closed_by) as "closedBy"`,
    from: sql`from voting_rounds r left join voting_candidates c on c.id = r.winner_candidate_id
      left join next_projects n on n.voting_round_id = r.id`,
    where: [sql`r.status = 'closed'`],
    sorts: { number: sql`r.number`, closedAt: sql`r.closed_at` },
    filled: ['number'],
    tie: sql`r.id`,
    id: sql`r.id`,
    searchTerms: roundsWith(input.q),
  });
  return {
    rows: rows.map((row) => ({
      ...row,
      opensAt: iso(row.opensAt),
      closesAt: iso(row.closesAt),
      closedAt: isoOrNull(row.closedAt),
    })),
    total,
  };
}

/** Rounds of this number, or whose winner has these words, also by its name in NEXT; each part by an index of its own. */
function roundsWith(asked: string): Terms | undefined {
  const searchTerms = cleanText(asked, 'line');
  if (!searchTerms) return undefined;
  const candidate = normalizedContains(sql`c.search`, searchTerms);
  const next = normalizedContains(sql`n.search`, searchTerms);
  const numbered = /^#?\d{1,9}$/.test(searchTerms)
    ? sql`r.number = ${Number(searchTerms.replace('#', ''))}`
    : sql`false`;
  const most = sql`limit ${MANY_FOUND + 1}`;
  return {
    ids: sql`(select r.id from voting_rounds r where ${numbered})
      union (select r.id from voting_rounds r where r.winner_candidate_id in
        (select c.id from voting_candidates c where ${candidate} ${most}))
      union (select n.voting_round_id from next_projects n where n.voting_round_id is not null and ${next} ${most})`,
    along: sql`(${numbered} or ${along(candidate)} or ${along(next)})`,
  };
}

/**
 * Moves the end of the open round.
 *
 * @throws NOT_FOUND. @throws ROUND_CHANGED when it was closed or has ended, or somebody else moved its end. @throws NOT_VALID
 * when the new end has passed.
 */
export function setRoundEnd(
  db: Db,
  by: Editor,
  { id, seenClosesAt, closesAt }: { id: string; seenClosesAt: string; closesAt: string },
  present: Present,
): Promise<OpenRound> {
  return db.transaction(async (tx) => {
    const { status: _, ...round } = await lockOpenRound(tx, id);
    const wanted = iso(closesAt);
    if (round.closesAt === wanted) return round;
    if (round.closesAt !== iso(seenClosesAt)) fail('ROUND_CHANGED');
    const { rows } = await tx.execute<{ ahead: boolean; over: boolean }>(sql`
      select ${wanted}::timestamptz > greatest(p.at, ${round.opensAt}::timestamptz) as ahead,
        ${round.closesAt}::timestamptz <= p.at as over from (select ${presentIn(present)} as at) as p`);
    // Votes were refused since then: what has ended is not opened again.
    if (rows[0]?.over) fail('ROUND_CHANGED');
    if (!rows[0]?.ahead) fail('NOT_VALID');
    await tx.execute(sql`update voting_rounds set closes_at = ${wanted} where id = ${id}`);
    await publishChange(tx, 'voting');
    await audit(tx, by.actor, {
      action: 'round.end_moved',
      resourceType: 'round',
      resourceId: id,
      before: { closesAt: round.closesAt },
      after: { closesAt: wanted },
    });
    return { ...round, closesAt: wanted };
  });
}

/**
 * Graduates the certified winner of a closed round: makes it a NEXT project and takes the candidate off the vote, in one
 * transaction.
 *
 * @param seen the round and the winner that the admin saw.
 * @throws NOT_FOUND for an unknown round. @throws ROUND_CHANGED when the round is open, its winner is another one, or has
 * graduated already. @throws NO_WINNER when it has none, or the candidate was deleted.
 */
export function promoteWinner(
  db: Db,
  by: Editor,
  seen: { id: string; candidateId: string },
): Promise<{ nextProjectId: string }> {
  return db.transaction(async (tx) => {
    const round = await lockRound(tx, seen.id);
    if (round.status !== 'closed') fail('ROUND_CHANGED');
    const frozen = await tx.execute<{ winner: string | null }>(
      sql`select winner_candidate_id as winner from voting_rounds where id = ${round.id}`,
    );
    const winnerId = frozen.rows[0]?.winner ?? fail('NO_WINNER');
    if (winnerId !== seen.candidateId) fail('ROUND_CHANGED');
    const waiting = await tx.execute<{ live: boolean }>(sql`
      select deleted_at is null as live from voting_candidates
      where id = ${winnerId} and certified_round_id = ${round.id} for no key update`);
    if (!waiting.rows[0]) fail('ROUND_CHANGED');
    if (!waiting.rows[0].live) fail('NO_WINNER');
    const [candidate] = await tx
      .update(votingCandidates)
      .set({
        isActive: false,
        certifiedRoundId: null,
        version: sql`${votingCandidates.version} + 1`,
        updatedAt: by.now,
      })
      .where(sql`${votingCandidates.id} = ${winnerId}`)
      .returning();
    if (!candidate) return fail('NO_WINNER');
    const [project] = await tx
      .insert(nextProjects)
      .values({
        tokenName: candidate.tokenName,
        tokenSymbol: candidate.tokenSymbol,
        contractAddress: candidate.contractAddress,
        network: candidate.network,
        description: candidate.description,
        descriptionFull: candidate.descriptionFull,
        imageUrl: candidate.imageUrl,
        ...eachLink((link) => candidate[link]),
        price: candidate.price ?? 0,
        ...(candidate.marketCap ? { marketCap: dollars(candidate.marketCap) } : {}),
        status: 'published',
        isVotingWinner: true,
        votingRoundId: round.id,
        createdAt: by.now,
        updatedAt: by.now,
      })
      .returning({ id: nextProjects.id });
    if (!project) throw new Error('no project inserted');

    for (const domain of ['voting', 'nextProjects'] as const) await publishChange(tx, domain);
    // Each record's own history tells its part of it.
    await audit(tx, by.actor, {
      action: 'candidate.graduated',
      resourceType: 'candidate',
      resourceId: winnerId,
      before: { isActive: true },
      after: { isActive: false, round: round.number, nextProjectId: project.id },
    });
    await audit(tx, by.actor, {
      action: 'next_project.created',
      resourceType: 'next_project',
      resourceId: project.id,
      after: { tokenName: candidate.tokenName, tokenSymbol: candidate.tokenSymbol, votingRoundId: round.id },
    });
    return { nextProjectId: project.id };
  });
}

/** As people write a market cap: '$1,234,567'. */
const dollars = (value: number) => `$${new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }).format(value)}`;

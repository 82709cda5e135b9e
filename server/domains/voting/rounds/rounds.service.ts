import { and, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ClosedRound, CurrentRound, Standing } from '#contract/admin/voting.ts';
import { eachLink } from '#contract/fields/links.ts';
import { MANY_FOUND } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asBoolean, asMoment, asText, orNull } from '#server/db/expressions.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { roundStandings, votingCandidates, votingRounds } from '#server/db/tables/voting.ts';
import { moveToSuccessor } from '#server/domains/saved/saved.service.ts';
import { byVotes, COMPETING } from '#server/domains/voting/ranking-order.sql.ts';
import { audit } from '#server/lib/audit.ts';
import { databaseNow, type FixedNow } from '#server/lib/clock.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import {
  iso,
  isoOrNull,
  listRecords,
  normalizedContains,
  type SearchCondition,
  withoutIndex,
} from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { readCalendar } from './calendar.service.ts';
import { lockOpenRound, lockRound } from './round-ends.service.ts';

type OpenRound = NonNullable<CurrentRound['round']>;

const LEADERS = 3;

async function leadersOf(db: Reader): Promise<Standing[]> {
  const { id, tokenName, tokenSymbol, imageUrl, totalVotes, totalReachedAt } = votingCandidates;
  const rows = await db
    .select({ id, tokenName, tokenSymbol, imageUrl, totalVotes, reachedAt: totalReachedAt })
    .from(votingCandidates)
    .where(sql`${COMPETING} and ${totalVotes} > 0`)
    .orderBy(byVotes())
    .limit(LEADERS);
  return rows.map((row) => ({ ...row, reachedAt: isoOrNull(row.reachedAt) }));
}

/** The open round, the candidate that would win it now, and the winner that waits to graduate. */
export async function readCurrentRound(db: Reader, fixedNow: FixedNow): Promise<CurrentRound> {
  const { id, number, opensAt, closesAt, nextDays } = votingRounds;
  const [[row], leaders, winner, calendar] = await Promise.all([
    db
      .select({ now: sql`p.now`.mapWith(asMoment), id, number, opensAt, closesAt, nextDays })
      .from(sql`(select ${databaseNow(fixedNow)} as now) as p`)
      .leftJoin(votingRounds, eq(votingRounds.status, 'open')),
    leadersOf(db),
    waitingWinner(db),
    readCalendar(db),
  ]);
  if (!row) throw new Error('a select of one row without a row');
  return {
    round:
      row.id && row.number && row.opensAt && row.closesAt
        ? {
            id: row.id,
            number: row.number,
            opensAt: iso(row.opensAt),
            closesAt: iso(row.closesAt),
            nextDays: row.nextDays,
          }
        : null,
    leaders,
    winner,
    calendarDays: calendar.days,
    serverTime: iso(row.now),
  };
}

/** The first of the certified winners that have not graduated. */
async function waitingWinner(db: Reader): Promise<CurrentRound['winner']> {
  const [row] = await db
    .select({
      roundId: votingRounds.id,
      roundNumber: votingRounds.number,
      closedEarly: votingRounds.closedEarlyReason,
      id: votingCandidates.id,
      tokenName: roundStandings.tokenName,
      tokenSymbol: roundStandings.tokenSymbol,
      imageUrl: votingCandidates.imageUrl,
      totalVotes: roundStandings.totalVotes,
      reachedAt: roundStandings.reachedAt,
    })
    .from(votingRounds)
    .innerJoin(
      votingCandidates,
      and(eq(votingCandidates.certifiedRoundId, votingRounds.id), isNull(votingCandidates.deletedAt)),
    )
    .innerJoin(
      roundStandings,
      and(eq(roundStandings.roundId, votingRounds.id), eq(roundStandings.candidateId, votingCandidates.id)),
    )
    .where(eq(votingRounds.status, 'closed'))
    .orderBy(votingRounds.number)
    .limit(1);
  return row ? { ...row, reachedAt: isoOrNull(row.reachedAt) } : null;
}

/** Closed rounds with their winners and the NEXT projects that these became. */
export async function listRounds(
  db: Reader,
  input: { q: string; page: number; size: number; sort: string },
): Promise<{ rows: ClosedRound[]; total: number }> {
  const [r, c, n] = [alias(votingRounds, 'r'), alias(votingCandidates, 'c'), alias(nextProjects, 'n')];
  const parts = {
    from: sql`from voting_rounds r left join voting_candidates c on c.id = r.winner_candidate_id
      left join next_projects n on n.voting_round_id = r.id`,
    where: [sql`r.status = 'closed'`],
    sorts: { number: sql`r.number`, closedAt: sql`r.closed_at` },
    notNull: ['number'],
    tieBreaker: sql`r.id`,
    id: sql`r.id`,
    searchTerms: roundsWith(input.q),
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    db
      .select({
        id: r.id,
        number: r.number,
        opensAt: r.opensAt,
        closesAt: r.closesAt,
        closedAt: r.closedAt,
        winnerId: r.winnerCandidateId,
        winnerName: sql`coalesce(n.token_name, c.token_name)`.mapWith(orNull(asText)),
        winnerSymbol: sql`coalesce(n.token_symbol, c.token_symbol)`.mapWith(orNull(asText)),
        winnerVotes: r.winnerVotes,
        nextProjectId: n.id,
        closedEarly: r.closedEarlyReason,
        closedBy: sql`(select coalesce(f.username, left(u.id::text, 8)) from users u
          left join forum_users f on f.new_auth_user_id = u.id where u.id = r.closed_by)`.mapWith(orNull(asText)),
      })
      .from(r)
      .leftJoin(c, eq(c.id, r.winnerCandidateId))
      .leftJoin(n, eq(n.votingRoundId, r.id))
      .where(where)
      .orderBy(orderBy),
  );
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

/** Rounds with this number, or whose winner matches these words, also by its name in NEXT; each part uses its own index. */
function roundsWith(term: string): SearchCondition | undefined {
  const searchTerms = cleanText(term, 'line');
  if (!searchTerms) return undefined;
  const candidate = normalizedContains(sql`c.search`, searchTerms);
  const next = normalizedContains(sql`n.search`, searchTerms);
  const numbered = /^#?\d{1,9}$/.test(searchTerms)
    ? sql`r.number = ${Number(searchTerms.replace('#', ''))}`
    : sql`false`;
  const limit = sql`limit ${MANY_FOUND + 1}`;
  return {
    ids: sql`(select r.id from voting_rounds r where ${numbered})
      union (select r.id from voting_rounds r where r.winner_candidate_id in
        (select c.id from voting_candidates c where ${candidate} ${limit}))
      union (select n.voting_round_id from next_projects n where n.voting_round_id is not null and ${next} ${limit})`,
    condition: sql`(${numbered} or ${withoutIndex(candidate)} or ${withoutIndex(next)})`,
  };
}

/**
 * Moves the end of the open round.
 *
 * @throws NOT_FOUND. @throws ROUND_CHANGED when it was closed or has ended, or its end was moved concurrently. @throws NOT_VALID
 *   when the new end has passed.
 */
export function setRoundEnd(
  db: Db,
  by: Editor,
  { id, seenClosesAt, closesAt }: { id: string; seenClosesAt: string; closesAt: string },
  fixedNow: FixedNow,
): Promise<OpenRound> {
  return db.transaction(async (tx) => {
    const { status: _, ...round } = await lockOpenRound(tx, id);
    const wanted = iso(closesAt);
    if (round.closesAt === wanted) return round;
    if (round.closesAt !== iso(seenClosesAt)) fail('ROUND_CHANGED');
    const [is] = await tx
      .select({
        ahead: sql`${wanted}::timestamptz > greatest(p.at, ${round.opensAt}::timestamptz)`.mapWith(asBoolean),
        over: sql`${round.closesAt}::timestamptz <= p.at`.mapWith(asBoolean),
      })
      .from(sql`(select ${databaseNow(fixedNow)} as at) as p`);
    // Votes were refused since its end, so an ended round can't be reopened.
    if (is?.over) fail('ROUND_CHANGED');
    if (!is?.ahead) fail('NOT_VALID');
    await tx
      .update(votingRounds)
      .set({ closesAt: new Date(wanted) })
      .where(eq(votingRounds.id, id));
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
 * Graduates the certified winner of a closed round: creates a NEXT project, which its followers follow from then on, and removes the
 * candidate from voting, in one transaction.
 *
 * @param seen the round and the winner that the admin saw.
 * @throws NOT_FOUND for an unknown round. @throws ROUND_CHANGED when the round is open, its winner is another one, or has graduated
 *   already. @throws NO_WINNER when it has none, or the candidate was deleted.
 */
export function promoteWinner(
  db: Db,
  by: Editor,
  seen: { id: string; candidateId: string },
): Promise<{ nextProjectId: string }> {
  return db.transaction(async (tx) => {
    const round = await lockRound(tx, seen.id);
    if (round.status !== 'closed') fail('ROUND_CHANGED');
    const [frozen] = await tx
      .select({ winner: votingRounds.winnerCandidateId })
      .from(votingRounds)
      .where(eq(votingRounds.id, round.id));
    const winnerId = frozen?.winner ?? fail('NO_WINNER');
    if (winnerId !== seen.candidateId) fail('ROUND_CHANGED');
    const [waiting] = await tx
      .select({ deletedAt: votingCandidates.deletedAt })
      .from(votingCandidates)
      .where(and(eq(votingCandidates.id, winnerId), eq(votingCandidates.certifiedRoundId, round.id)))
      .for('no key update');
    if (!waiting) fail('ROUND_CHANGED');
    if (waiting.deletedAt !== null) fail('NO_WINNER');
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
    await moveToSuccessor(tx, winnerId, project.id);

    for (const domain of ['voting', 'nextProjects'] as const) await publishChange(tx, domain);
    // Each of the two records has an audit entry of its own.
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

/** Usual notation of a market cap: '$1,234,567'. */
const dollars = (value: number) => `$${new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }).format(value)}`;

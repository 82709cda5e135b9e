import { sql } from 'drizzle-orm';
import type { ClosedRound, CurrentRound, Standing } from '#contract/admin/voting.ts';
import { MANY_FOUND, ROUND_DAYS } from '#contract/limits.ts';
import { eachLink } from '#contract/links.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { votingCandidates, votingRounds } from '#server/db/tables/voting.ts';
import { audit } from '#server/lib/audit.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { along, iso, isoOrNull, normalizedContains, readPage, type Terms } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { byVotes } from './order.sql.ts';

type OpenRound = NonNullable<CurrentRound['round']>;

const LEADERS = 3;

async function leadersOf(db: Reader): Promise<Standing[]> {
  const { rows } = await db.execute<Standing & Record<string, unknown>>(sql`
    select id, token_name as "tokenName", token_symbol as "tokenSymbol", image_url as "imageUrl",
      total_votes as "totalVotes", total_reached_at as "reachedAt"
    from voting_candidates where is_active and deleted_at is null and total_votes > 0
    order by ${byVotes()} limit ${LEADERS}`);
  return rows.map((row) => ({ ...row, reachedAt: isoOrNull(row.reachedAt) }));
}

const openRoundOf = (row: {
  id: string;
  number: number;
  opensAt: string | Date;
  closesAt: string | Date;
}): OpenRound => ({
  id: row.id,
  number: row.number,
  opensAt: iso(row.opensAt),
  closesAt: iso(row.closesAt),
});

/** The open round, and who would win it now. */
export async function readCurrentRound(db: Reader, now: Date): Promise<CurrentRound> {
  const [{ rows }, leaders] = await Promise.all([
    db.execute<OpenRound & Record<string, unknown>>(sql`
      select id, number, opens_at as "opensAt", closes_at as "closesAt" from voting_rounds where status = 'open'`),
    leadersOf(db),
  ]);
  return { round: rows[0] ? openRoundOf(rows[0]) : null, leaders, serverTime: now.toISOString() };
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
      n.id as "nextProjectId",
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

/** The round, locked, if it is still open. @throws NOT_FOUND, ROUND_CHANGED */
async function lockRound(tx: Tx, id: string): Promise<OpenRound> {
  const { rows } = await tx.execute<OpenRound & { status: string } & Record<string, unknown>>(sql`
    select id, number, opens_at as "opensAt", closes_at as "closesAt", status from voting_rounds
    where id = ${id} for update`);
  const row = rows[0] ?? fail('NOT_FOUND', { what: 'round' });
  if (row.status !== 'open') fail('ROUND_CHANGED');
  return openRoundOf(row);
}

/**
 * Moves the end of the open round.
 *
 * @throws NOT_FOUND. @throws ROUND_CHANGED when it was closed, or somebody else moved its end. @throws NOT_VALID when the
 * new end has passed.
 */
export function setRoundEnd(
  db: Db,
  by: Editor,
  { id, seenClosesAt, closesAt }: { id: string; seenClosesAt: string; closesAt: string },
): Promise<OpenRound> {
  return db.transaction(async (tx) => {
    const round = await lockRound(tx, id);
    const wanted = iso(closesAt);
    if (round.closesAt === wanted) return round;
    if (round.closesAt !== iso(seenClosesAt)) fail('ROUND_CHANGED');
    checkEnd(wanted, by.now, round.opensAt);
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

/** @throws NOT_VALID for an end in the past. */
function checkEnd(closesAt: string, now: Date, opensAt: string): void {
  const end = Date.parse(closesAt);
  if (end <= now.getTime() || end <= Date.parse(opensAt)) fail('NOT_VALID');
}

/**
 * Graduates the winner: closes the round, makes its winner a NEXT project, takes the candidate off the ranking and opens
 * the next round; all of it or nothing. Votes wait meanwhile: those of before count, those of after find the candidate
 * taken off, or count for the others.
 *
 * @param seen the round and the winner that the admin saw, and when the next round is to end (else in 15 days).
 * @throws NOT_FOUND for an unknown round. @throws ROUND_CHANGED when it is closed already, or another candidate leads.
 * @throws NO_WINNER when no active candidate has a vote. @throws NOT_VALID when the next round would be over already.
 */
export function promoteWinner(
  db: Db,
  by: Editor,
  seen: { id: string; candidateId: string; nextClosesAt?: string | undefined },
): Promise<{ nextProjectId: string; opened: OpenRound }> {
  const closesAt = iso(seen.nextClosesAt ?? new Date(by.now.getTime() + ROUND_DAYS * 86_400_000));
  return db.transaction(async (tx) => {
    const round = await lockRound(tx, seen.id);
    // In the order of everybody who votes. Behind these locks no total changes, so the leader stays the leader.
    await tx.execute(sql`
      select 1 from voting_candidates where is_active and deleted_at is null order by id for no key update`);
    const standing = await leadersOf(tx);
    const winner = standing[0] ?? fail('NO_WINNER');
    if (winner.id !== seen.candidateId) fail('ROUND_CHANGED');
    checkEnd(closesAt, by.now, by.now.toISOString());

    await tx.execute(sql`
      update voting_rounds set status = 'closed', closed_at = ${by.now.toISOString()}, winner_candidate_id = ${winner.id},
        winner_votes = ${winner.totalVotes}, closed_by = ${by.actor.id}
      where id = ${round.id}`);
    const [candidate] = await tx
      .update(votingCandidates)
      .set({ isActive: false, version: sql`${votingCandidates.version} + 1`, updatedAt: by.now })
      .where(sql`${votingCandidates.id} = ${winner.id}`)
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
    const [opened] = await tx
      .insert(votingRounds)
      .values({
        number: sql`(select max(number) + 1 from voting_rounds)`,
        opensAt: by.now,
        closesAt: new Date(closesAt),
        createdAt: by.now,
      })
      .returning();
    if (!project || !opened) throw new Error('no project or round inserted');

    for (const domain of ['voting', 'nextProjects'] as const) await publishChange(tx, domain);
    // Each record's own history tells its part of it.
    await audit(tx, by.actor, {
      action: 'candidate.graduated',
      resourceType: 'candidate',
      resourceId: winner.id,
      before: { isActive: true },
      after: { isActive: false, round: round.number, nextProjectId: project.id },
    });
    await audit(tx, by.actor, {
      action: 'next_project.created',
      resourceType: 'next_project',
      resourceId: project.id,
      after: { tokenName: candidate.tokenName, tokenSymbol: candidate.tokenSymbol, votingRoundId: round.id },
    });
    await audit(tx, by.actor, {
      action: 'round.closed',
      resourceType: 'round',
      resourceId: round.id,
      before: { status: 'open', closesAt: round.closesAt },
      after: { status: 'closed', winnerId: winner.id, standing, nextProjectId: project.id, opened: opened.number },
    });
    return { nextProjectId: project.id, opened: openRoundOf(opened) };
  });
}

/** As people write a market cap: '$1,234,567'. */
const dollars = (value: number) => `$${new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }).format(value)}`;

import { desc, eq } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { votes, votingRounds } from '#server/db/tables/voting.ts';
import { normalizeMailbox } from '#server/lib/text/mailbox.ts';
import { loadDisposableDomains } from './disposable-domains.ts';
import { readPageOfVotes } from './read-votes.sql.ts';
import type { ReviewMember, ReviewVote } from './review-window.ts';

const DAY = 86_400_000;

/** The open round; null without one. */
export async function openRoundId(db: Reader): Promise<string | null> {
  const [row] = await db.select({ id: votingRounds.id }).from(votingRounds).where(eq(votingRounds.status, 'open'));
  return row?.id ?? null;
}

/** The id before the newest `max` votes; 0 when there are fewer. */
export async function idBefore(db: Reader, max: number): Promise<number> {
  const [row] = await db.select({ id: votes.id }).from(votes).orderBy(desc(votes.id)).offset(max).limit(1);
  return row?.id ?? 0;
}

/** The id of the newest vote of any round; 0 without one. */
export async function newestId(db: Reader): Promise<number> {
  const [row] = await db.select({ id: votes.id }).from(votes).orderBy(desc(votes.id)).limit(1);
  return row?.id ?? 0;
}

/**
 * The next votes of a round by id, with the data about their members that the signals use.
 *
 * @param after the id after which to start.
 */
export async function readVotes(db: Reader, roundId: string, after: number, limit: number): Promise<ReviewVote[]> {
  const rows = await readPageOfVotes(db, { roundId, after, max: limit });
  if (rows.length === 0) return [];
  const isDisposable = await loadDisposableDomains();
  return rows.map((row) => voteOf(row, isDisposable));
}

function voteOf(
  row: Awaited<ReturnType<typeof readPageOfVotes>>[number],
  isDisposable: (domain: string) => boolean,
): ReviewVote {
  const at = row.createdAt.getTime();
  const mailbox = normalizeMailbox(row.email);
  const mailDomain = mailbox.slice(mailbox.lastIndexOf('@') + 1);
  const member: ReviewMember = {
    id: row.userId,
    since: row.since.getTime(),
    mailbox,
    mailDomain,
    disposable: isDisposable(mailDomain),
    active: row.active,
    votedBefore: row.votedBefore?.getTime() ?? null,
  };
  return {
    id: row.id,
    candidateId: row.candidateId,
    member,
    at,
    day: Math.floor(at / DAY),
    networks: (row.networks ?? []).map((network) => network.toString('base64url')),
  };
}

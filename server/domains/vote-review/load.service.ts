import { desc, eq, sql } from 'drizzle-orm';
import type { Reader } from '#server/db/client.ts';
import { votes, votingRounds } from '#server/db/tables/voting.ts';
import { normalizeMailbox } from '#server/lib/mailbox.ts';
import { isDisposableDomain } from './disposable-domains.ts';
import type { ReviewMember, ReviewVote } from './review-window.policy.ts';

const DAY = 86_400_000;

interface VoteRow extends Record<string, unknown> {
  id: string;
  candidate_id: string;
  user_id: string;
  created_at: string | Date;
  networks: Buffer[] | null;
  since: string | Date;
  email: string;
  active: boolean;
  voted_before: string | Date | null;
}

/** The open round; null when none is. */
export async function openRoundId(db: Reader): Promise<string | null> {
  const [row] = await db.select({ id: votingRounds.id }).from(votingRounds).where(eq(votingRounds.status, 'open'));
  return row?.id ?? null;
}

/** The id below the newest `most` votes; 0 when there are fewer. */
export async function idBefore(db: Reader, most: number): Promise<number> {
  const [row] = await db.select({ id: votes.id }).from(votes).orderBy(desc(votes.id)).offset(most).limit(1);
  return row?.id ?? 0;
}

/** The newest vote of any round; 0 without one. */
export async function newestId(db: Reader): Promise<number> {
  const [row] = await db.select({ id: votes.id }).from(votes).orderBy(desc(votes.id)).limit(1);
  return row?.id ?? 0;
}

/**
 * The next votes of a round by id, with what the signals ask about their members.
 *
 * @param after the id to begin behind.
 */
export async function readVotes(db: Reader, roundId: string, after: number, limit: number): Promise<ReviewVote[]> {
  const { rows } = await db.execute<VoteRow>(sql`
    with page as materialized (
      select id, candidate_id, user_id, created_at, networks from votes
      where id > ${after} and round_id = ${roundId} order by id limit ${limit}
    ), voters as materialized (
      select u.id, u.created_at as since, u.email,
        exists (select 1 from forum_comments c where c.user_id = u.id)
          or exists (select 1 from forum_users f join forum_posts p on p.forum_user_id = f.id
            where f.new_auth_user_id = u.id)
          or exists (select 1 from token_creation_submissions t where t.user_id = u.id) as active,
        (select b.created_at from votes b where b.user_id = u.id and b.round_id is distinct from ${roundId} limit 1)
          as voted_before
      from users u where u.id in (select user_id from page)
    )
    select p.id, p.candidate_id, p.user_id, p.created_at, p.networks, m.since, m.email, m.active, m.voted_before
    from page p join voters m on m.id = p.user_id order by p.id`);
  return rows.map(voteOf);
}

function voteOf(row: VoteRow): ReviewVote {
  const at = new Date(row.created_at).getTime();
  const mailbox = normalizeMailbox(row.email);
  const mailDomain = mailbox.slice(mailbox.lastIndexOf('@') + 1);
  const member: ReviewMember = {
    id: row.user_id,
    since: new Date(row.since).getTime(),
    mailbox,
    mailDomain,
    disposable: isDisposableDomain(mailDomain),
    active: row.active,
    votedBefore: row.voted_before === null ? null : new Date(row.voted_before).getTime(),
  };
  return {
    id: Number(row.id),
    candidateId: row.candidate_id,
    member,
    at,
    day: Math.floor(at / DAY),
    networks: (row.networks ?? []).map((network) => network.toString('base64url')),
  };
}

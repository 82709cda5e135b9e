// What members see of their own votes: whether they count, and a general reason when they don't.
import { eq } from 'drizzle-orm';
import type { UncountedVote, VoteReason } from '#contract/domains/voting.ts';
import { RECEIPTS_SHOWN } from '#contract/limits.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { type VoteState, votingCandidates } from '#server/db/tables/voting.ts';
import { notify } from '#server/domains/notifications/notify.service.ts';
import { readUncounted } from './own-votes.sql.ts';

/**
 * The reason for an uncounted vote in the form for its voter. The signal that found it is only shown in the back office: it would
 * reveal how to evade it.
 */
export function generalReason(stateReason: string | null): VoteReason | null {
  if (stateReason === null) return null;
  if (stateReason === 'member_banned') return 'banned';
  return stateReason === 'moderator' || stateReason === 'by_hand' ? 'team' : 'signal';
}

/** Votes of a member in the open round that are not counted, newest first. */
export async function uncountedVotesOf(db: Reader, userId: string): Promise<UncountedVote[]> {
  const rows = await readUncounted(db, { userId, max: RECEIPTS_SHOWN });
  return rows.map((row) => ({ ...row, reason: generalReason(row.reason) ?? 'team' }));
}

const DETAILS = { counted: 'vote_counted', under_review: 'vote_held', void: 'vote_void' } as const;

/** Notifies the voters of a candidate that their votes changed, in the transaction of the change. */
export async function notifyVoters(
  tx: Tx,
  candidateId: string,
  { voters, to, now }: { voters: readonly string[]; to: VoteState; now: Date },
): Promise<void> {
  const [candidate] = await tx
    .select({ name: votingCandidates.tokenName, slug: votingCandidates.tokenSlug })
    .from(votingCandidates)
    .where(eq(votingCandidates.id, candidateId));
  if (!candidate) return;
  await notify(tx, {
    kind: 'rounds',
    detail: DETAILS[to],
    cause: `vote:${candidateId}:${to}:${now.toISOString()}`,
    to: voters.map((id) => ({ id })),
    data: { title: candidate.name, path: '/ledger' },
    now,
  });
}

import { CountByKey } from './count-by-key.ts';
import type { Choices, Finding, ReviewVote } from './review-window.ts';
import { isFresh, isThin } from './thin-accounts.policy.ts';
import { REVIEW } from './thresholds.ts';

/**
 * `impossible_pace` of one member: several consecutive votes faster than a person can click. Members with other activity, or votes
 * in earlier rounds, are exempt: after a stalled connection, the clicks of half a minute arrive at once.
 *
 * @param votes of one member, in order of time.
 */
export function impossiblePace(votes: readonly ReviewVote[]): Finding[] {
  const [first] = votes;
  if (!first || first.member.active || first.member.votedBefore !== null || !isFresh(first)) return [];
  const { between, times } = REVIEW.pace;
  let inRow = 0;
  let max = 0;
  for (let i = 1; i < votes.length; i++) {
    inRow = (votes[i] as ReviewVote).at - (votes[i - 1] as ReviewVote).at < between ? inRow + 1 : 0;
    max = Math.max(max, inRow);
  }
  if (max < times) return [];
  return [
    {
      signal: 'impossible_pace',
      key: first.member.id,
      candidateId: null,
      votes,
      facts: { votes: max + 1, why: 'clicks' },
    },
  ];
}

/**
 * `impossible_pace` of a candidate: many accounts vote for it within three seconds of signing up. A single account is no signal:
 * after a sign-up from the vote button, the page returns with that button focused.
 *
 * @param votes of one candidate, in order of time.
 */
export function votesAtSignUp(votes: readonly ReviewVote[]): Finding[] {
  const { signUp, atOnce, within } = REVIEW.pace;
  const quick = votes.filter(
    ({ at, member }) =>
      !member.active && member.votedBefore === null && at >= member.since && at - member.since < signUp,
  );
  const found = new Set<ReviewVote>();
  /** Members of the votes in the hour that ends with the vote at `to`. */
  const here = new CountByKey();
  for (let to = 0, from = 0, taken = 0; to < quick.length; to++) {
    here.add((quick[to] as ReviewVote).member.id, 1);
    while ((quick[to] as ReviewVote).at - (quick[from] as ReviewVote).at > within)
      here.add((quick[from++] as ReviewVote).member.id, -1);
    if (here.size < atOnce) continue;
    // Each vote is visited once, however many of these hours contain it.
    for (taken = Math.max(taken, from); taken <= to; taken++) found.add(quick[taken] as ReviewVote);
  }
  const [first] = found;
  if (!first) return [];
  return [
    {
      signal: 'impossible_pace',
      key: first.candidateId,
      candidateId: first.candidateId,
      votes: [...found],
      facts: { members: membersIn([...found]), why: 'sign_up' },
    },
  ];
}

/**
 * `regular_pace`: accounts without other activity vote for one candidate at nearly equal intervals, each once. People arrive at
 * random: the standard deviation of their intervals equals the mean (variation 1); a program that waits "20 to 60 seconds" has 0.29.
 * But the votes of one person on successive days are a day apart, so runs with several votes of an account are no sign of a program.
 *
 * @param votes of one candidate, in order of time.
 */
export function regularPace(votes: readonly ReviewVote[], choices: Choices): Finding[] {
  const thin = votes.filter((vote) => isThin(vote, choices));
  const { run, variation } = REVIEW.pace;
  const found = new Set<ReviewVote>();
  for (let to = run; to < thin.length; to++) {
    const part = thin.slice(to - run, to + 1);
    if (variationOf(part) < variation && membersIn(part) === part.length) for (const vote of part) found.add(vote);
  }
  const [first] = found as Set<ReviewVote>;
  if (!first) return [];
  return [
    {
      signal: 'regular_pace',
      key: first.candidateId,
      candidateId: first.candidateId,
      votes: [...found],
      facts: { members: membersIn([...found]), fresh: [...found].filter(isFresh).length },
    },
  ];
}

const membersIn = (votes: readonly ReviewVote[]): number => new Set(votes.map(({ member }) => member.id)).size;

/** Standard deviation of the intervals between votes, divided by their mean. */
function variationOf(votes: readonly ReviewVote[]): number {
  const pauses = votes.slice(1).map((vote, i) => vote.at - (votes[i] as ReviewVote).at);
  const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
  if (mean === 0) return 0;
  return Math.sqrt(pauses.reduce((sum, pause) => sum + (pause - mean) ** 2, 0) / pauses.length) / mean;
}

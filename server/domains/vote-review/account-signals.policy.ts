import { isFresh } from './network-signals.policy.ts';
import { isThin } from './pace-signals.policy.ts';
import type { Choices, Finding, ReviewVote } from './review-window.policy.ts';
import { REVIEW } from './thresholds.ts';

/**
 * `fresh_accounts`: fresh accounts that vote for one candidate only, and that all took nearly the same time from sign-up to
 * vote. Fresh accounts alone are no sign: whoever follows a link of a candidate signs up for it. But people take half a
 * minute or a day, while a program has its waits.
 *
 * @param votes of one candidate, in order of time.
 */
export function freshAccounts(votes: readonly ReviewVote[], choices: Choices): Finding[] {
  const { members, window } = REVIEW.fresh;
  const fresh = votes.filter(
    (vote) => choices.isFirst(vote) && isFresh(vote) && isThin(vote, choices) && vote.at > vote.member.since,
  );
  const found = new Set<ReviewVote>();
  // Windows overlap by half, so that none is cut in two.
  for (let from = 0; from < fresh.length; ) {
    const start = (fresh[from] as ReviewVote).at;
    const part = fresh.filter(({ at }) => at >= start && at < start + window);
    if (part.length >= members) for (const vote of bandIn(part)) found.add(vote);
    const next = fresh.findIndex(({ at }) => at >= start + window / 2);
    if (next <= from) break;
    from = next;
  }
  const [one] = found as Set<ReviewVote>;
  if (!one) return [];
  const ids = new Set([...found].map(({ member }) => member.id));
  return [
    {
      signal: 'fresh_accounts',
      key: one.candidateId,
      candidateId: one.candidateId,
      // What the same accounts vote on later days is held with it.
      votes: votes.filter(({ member }) => ids.has(member.id)),
      facts: { members: ids.size, seconds: Math.round(middle([...found].map(waitOf)) / 1_000) },
    },
  ];
}

const waitOf = ({ at, member }: ReviewVote) => at - member.since;
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The votes whose time since sign-up lies in the fullest band, where it is fuller than people make it; else none. */
function bandIn(part: readonly ReviewVote[]): ReviewVote[] {
  const { band, expected, deviations, members } = REVIEW.fresh;
  const sorted = part.toSorted((a, b) => waitOf(a) - waitOf(b));
  let start = 0;
  let size = 0;
  let from = 0;
  for (const [to, vote] of sorted.entries()) {
    while (waitOf(vote) > band * waitOf(sorted[from] as ReviewVote)) from++;
    if (to - from + 1 <= size) continue;
    start = from;
    size = to - from + 1;
  }
  const best = sorted.slice(start, start + size);
  const chance = expected * part.length;
  const spread = Math.sqrt(chance * (1 - expected));
  return best.length >= members * 0.8 && best.length > chance + deviations * spread ? best : [];
}

/**
 * `dormant_accounts`: accounts that were made together long ago, never voted, and now vote for one candidate only: as they
 * are sold. A community that signed up together voted then, so it is not found.
 *
 * @param votes of one candidate, in order of time.
 */
export function dormantAccounts(votes: readonly ReviewVote[], choices: Choices): Finding[] {
  const dormant = votes
    .filter((vote) => choices.isFirst(vote))
    .filter(
      (vote) => vote.at - vote.member.since > REVIEW.dormant.gap && vote.at - vote.member.since > REVIEW.dormantAfter,
    )
    .filter((vote) => isThin(vote, choices))
    .toSorted((a, b) => a.member.since - b.member.since);
  const ids = new Set<string>();
  let batch: ReviewVote[] = [];
  const close = () => {
    if (batch.length >= REVIEW.dormant.members) for (const { member } of batch) ids.add(member.id);
  };
  for (const vote of dormant) {
    const last = batch.at(-1);
    if (last && vote.member.since - last.member.since > REVIEW.dormant.gap) {
      close();
      batch = [];
    }
    batch.push(vote);
  }
  close();
  const found = votes.filter(({ member }) => ids.has(member.id));
  const [one] = found;
  if (!one) return [];
  return [
    {
      signal: 'dormant_accounts',
      key: one.candidateId,
      candidateId: one.candidateId,
      votes: found,
      facts: { members: ids.size },
    },
  ];
}

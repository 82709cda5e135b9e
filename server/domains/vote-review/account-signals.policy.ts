import type { Choices, Finding, ReviewVote } from './review-window.policy.ts';
import { isFresh, isThin } from './thin-accounts.policy.ts';
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
  const { band, expected, deviations, members, beside } = REVIEW.fresh;
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
  if (best.length < members * 0.8 || best.length <= chance + deviations * spread) return [];
  // However narrow: the times of people thin out to both sides, those of a program end.
  const [first, last] = [waitOf(best[0] as ReviewVote), waitOf(best.at(-1) as ReviewVote)];
  const before = sorted.slice(0, start).filter((vote) => waitOf(vote) >= first / band).length;
  const after = sorted.slice(start + size).filter((vote) => waitOf(vote) <= last * band).length;
  return best.length > beside * Math.max(before, after) ? best : [];
}

/**
 * `dormant_accounts`: accounts from long ago that never voted and now vote for one candidate only. Either they were made together,
 * as they are sold in lots: a community that signed up together voted then, so it is not found. Or, made at any time, they wake up
 * within two hours and are most of who votes for the candidate then, from unrelated networks: people whom a mail or a post reaches vote for several, come
 * over a day, and beside members who voted before; an office that wakes up has one address.
 *
 * @param votes of one candidate, in order of time.
 */
export function dormantAccounts(votes: readonly ReviewVote[], choices: Choices): Finding[] {
  const dormant = votes
    .filter((vote) => vote.at - vote.member.since > REVIEW.dormantAfter)
    .filter((vote) => choices.isFirst(vote) && isThin(vote, choices));
  const ids = new Set([...madeTogether(dormant), ...wokenTogether(dormant, votes)]);
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

/** Members of which several were made within minutes of each other. */
function madeTogether(dormant: readonly ReviewVote[]): Set<string> {
  const ids = new Set<string>();
  let batch: ReviewVote[] = [];
  const close = () => {
    if (batch.length >= REVIEW.dormant.members) for (const { member } of batch) ids.add(member.id);
  };
  for (const vote of dormant.toSorted((a, b) => a.member.since - b.member.since)) {
    const last = batch.at(-1);
    if (last && vote.member.since - last.member.since > REVIEW.dormant.gap) {
      close();
      batch = [];
    }
    batch.push(vote);
  }
  close();
  return ids;
}

/**
 * Members whose first vote is in a window in which nearly all voters of the candidate are like them.
 *
 * @param dormant their first votes; both lists in order of time.
 */
function wokenTogether(dormant: readonly ReviewVote[], votes: readonly ReviewVote[]): Set<string> {
  const { woken, window, share, apart } = REVIEW.dormant;
  const ids = new Set<string>();
  /** Votes of the window by nearest network; an unknown one is nobody else's. */
  const networks = new Map<string, number>();
  const homeOf = ({ networks: [nearest], member }: ReviewVote) => nearest ?? member.id;
  let from = 0;
  let taken = 0;
  // Votes of the candidate from `begin` to `end`, which are members: each votes once a day.
  let begin = 0;
  let end = 0;
  for (const [to, vote] of dormant.entries()) {
    const { at } = vote;
    networks.set(homeOf(vote), (networks.get(homeOf(vote)) ?? 0) + 1);
    while (at - (dormant[from] as ReviewVote).at > window) {
      const home = homeOf(dormant[from++] as ReviewVote);
      const left = (networks.get(home) ?? 1) - 1;
      if (left > 0) networks.set(home, left);
      else networks.delete(home);
    }
    while (at - (votes[begin] as ReviewVote).at > window) begin++;
    while (end < votes.length && (votes[end] as ReviewVote).at <= at) end++;
    const some = to - from + 1;
    if (some < woken || some < share * (end - begin) || networks.size < apart * some) continue;
    for (taken = Math.max(taken, from); taken <= to; taken++) ids.add((dormant[taken] as ReviewVote).member.id);
  }
  return ids;
}

import { CountByKey } from './count-by-key.ts';
import type { Choices, Finding, ReviewVote } from './review-window.ts';
import { isFresh, isThin } from './thin-accounts.policy.ts';
import { REVIEW } from './thresholds.ts';

/** The first vote of an account for the candidate, and the time from sign-up to its first vote for any candidate. */
interface Arrival {
  vote: ReviewVote;
  wait: number;
}

/**
 * `fresh_accounts`: fresh accounts without other activity whose times from sign-up to first vote are nearly equal. Fresh accounts
 * alone are no signal: people who follow a candidate's link sign up for it. But their times range from half a minute to a day,
 * while a program uses fixed delays. Evaluated for several groups, because one can hide another: accounts that vote for this
 * candidate only, within half a day and within three days; of these, those from networks with few of them; and those that vote for
 * one or two other candidates as well. Votes found by network and mailbox signals are excluded.
 *
 * @param votes of one candidate, in order of time.
 */
export function freshAccounts(votes: readonly ReviewVote[], choices: Choices): Finding[] {
  const alone: Arrival[] = votes
    .filter((vote) => choices.isFirst(vote) && isFresh(vote) && isThin(vote, choices) && vote.at > vote.member.since)
    .filter((vote) => !choices.isExplained(vote))
    .map((vote) => ({ vote, wait: vote.at - vote.member.since }));
  const { window, longWindow } = REVIEW.fresh;
  const found = new Set([
    ...bandsOf(alone, window),
    ...bandsOf(alone, longWindow),
    ...bandsOf(alone, window, fromApart),
    ...bandsOf(inCompany(votes, choices), window),
  ]);
  const [one] = found;
  if (!one) return [];
  const { candidateId } = one.vote;
  const ids = new Set([...found].map(({ vote }) => vote.member.id));
  return [
    {
      signal: 'fresh_accounts',
      key: candidateId,
      candidateId,
      // Votes of the same accounts on later days are held too.
      votes: votes.filter(({ member }) => ids.has(member.id)),
      facts: { members: ids.size, seconds: Math.round(middle([...found].map(({ wait }) => wait)) / 1_000) },
    },
  ];
}

const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Accounts that signed up, voted for this candidate and for one or two others in one visit, and did nothing else. */
function inCompany(votes: readonly ReviewVote[], choices: Choices): Arrival[] {
  const { maxOtherCandidates: company, visit } = REVIEW.fresh;
  const members = new Set<string>();
  return votes.flatMap((vote): Arrival[] => {
    const { member } = vote;
    const others = choices.candidatesOf(member) - 1;
    const wait = choices.firstAt(vote) - member.since;
    if (members.has(member.id) || choices.isExplained(vote)) return [];
    if (others < 1 || others > company || member.active || member.votedBefore !== null) return [];
    if (wait <= 0 || vote.at - member.since > visit) return [];
    members.add(member.id);
    return [{ vote, wait }];
  });
}

/** Excludes networks with more than a few accounts, which the network signals cover. */
function fromApart(part: readonly Arrival[]): readonly Arrival[] {
  const widest = ({ vote }: Arrival) => vote.networks.at(-1) ?? vote.member.id;
  const sizes = new Map<string, number>();
  for (const one of part) sizes.set(widest(one), (sizes.get(widest(one)) ?? 0) + 1);
  return part.filter((one) => (sizes.get(widest(one)) ?? 0) <= REVIEW.fresh.maxPerNetwork);
}

/**
 * Accounts whose time is in the densest band of a window, where that is denser than people produce.
 *
 * @param arrivals in order of the votes.
 * @param window maximum distance in time.
 * @param pick filter for the arrivals of a window.
 */
function bandsOf(
  arrivals: readonly Arrival[],
  window: number,
  pick: (part: readonly Arrival[]) => readonly Arrival[] = (part) => part,
): Set<Arrival> {
  const { members } = REVIEW.fresh;
  const found = new Set<Arrival>();
  // Windows overlap by half, so that no group is split.
  for (let from = 0; from < arrivals.length; ) {
    const start = (arrivals[from] as Arrival).vote.at;
    const part = pick(arrivals.filter(({ vote: { at } }) => at >= start && at < start + window));
    if (part.length >= members) for (const one of bandIn(part)) found.add(one);
    const next = arrivals.findIndex(({ vote: { at } }) => at >= start + window / 2);
    if (next <= from) break;
    from = next;
  }
  return found;
}

/** Accounts whose time is in the densest band, if that is denser than people produce; otherwise none. */
function bandIn(part: readonly Arrival[]): Arrival[] {
  const { band, expected, deviations, members, minDensityRatio: beside } = REVIEW.fresh;
  const sorted = part.toSorted((a, b) => a.wait - b.wait);
  let start = 0;
  let size = 0;
  let from = 0;
  for (const [to, { wait }] of sorted.entries()) {
    while (wait > band * (sorted[from] as Arrival).wait) from++;
    if (to - from + 1 <= size) continue;
    start = from;
    size = to - from + 1;
  }
  const best = sorted.slice(start, start + size);
  const chance = expected * part.length;
  const spread = Math.sqrt(chance * (1 - expected));
  if (best.length < members * 0.8 || best.length <= chance + deviations * spread) return [];
  // Even in a narrow band: the times of people thin out on both sides, those of a program end abruptly.
  const [first, last] = [(best[0] as Arrival).wait, (best.at(-1) as Arrival).wait];
  const before = sorted.slice(0, start).filter(({ wait }) => wait >= first / band).length;
  const after = sorted.slice(start + size).filter(({ wait }) => wait <= last * band).length;
  return best.length > beside * Math.max(before, after) ? best : [];
}

/**
 * `dormant_accounts`: accounts that never voted and now vote for one candidate only. Either they were created together, as accounts
 * are sold in lots: a few long ago, or many that waited for hours before the first vote; a community that signed up together voted
 * immediately, so it is not found. Or, created at any time long ago, they vote within two hours and are most of the candidate's
 * voters then, from unrelated networks: people reached by a mail or a post vote for several candidates, over a day, and next to
 * members who voted before; an office has one address.
 *
 * @param votes of one candidate, in order of time.
 */
export function dormantAccounts(votes: readonly ReviewVote[], choices: Choices): Finding[] {
  const dormant = votes
    .filter((vote) => vote.at - vote.member.since > REVIEW.dormantAfter)
    .filter((vote) => choices.isFirst(vote) && isThin(vote, choices));
  const ids = new Set([
    ...madeTogether(dormant),
    ...wokenTogether(dormant, votes),
    ...madeTogetherLately(votes, choices),
  ]);
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

/** Members who signed up within minutes of each other, in groups of the minimum size. */
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
 * Members whose accounts were created within minutes of each other, from unrelated networks, nearly all of which waited for hours
 * before their first vote. People who sign up because of a post vote immediately: such a group is not reported, nor are its few
 * members who came back later.
 */
function madeTogetherLately(votes: readonly ReviewVote[], choices: Choices): Set<string> {
  const { gap, firstVoteDelayMs: late, minCohort: lately, lateShare, apart } = REVIEW.dormant;
  const ids = new Set<string>();
  const isLate = (vote: ReviewVote) => vote.at - vote.member.since > late && isThin(vote, choices);
  const firsts = votes
    .filter((vote) => choices.isFirst(vote) && vote.member.votedBefore === null)
    .toSorted((a, b) => a.member.since - b.member.since);
  for (let from = 0, to = 0; from < firsts.length; from = to) {
    const sinceAt = (index: number) => firsts[index]?.member.since ?? Number.POSITIVE_INFINITY;
    for (to = from + 1; sinceAt(to) - sinceAt(to - 1) <= gap; ) to++;
    const batch = firsts.slice(from, to);
    const found = batch.filter(isLate);
    const networks = new Set(found.map(({ networks: [nearest], member }) => nearest ?? member.id)).size;
    if (found.length < lately || found.length < lateShare * batch.length || networks < apart * found.length) continue;
    for (const { member } of found) ids.add(member.id);
  }
  return ids;
}

/**
 * Members whose first vote is in a window in which nearly all voters of the candidate are dormant accounts.
 *
 * @param dormant their first votes; both lists in order of time.
 */
function wokenTogether(dormant: readonly ReviewVote[], votes: readonly ReviewVote[]): Set<string> {
  const { woken, window, share, apart } = REVIEW.dormant;
  const ids = new Set<string>();
  /** Nearest networks of the window; each unknown network counts as a separate one. */
  const networks = new CountByKey();
  const homeOf = ({ networks: [nearest], member }: ReviewVote) => nearest ?? member.id;
  let from = 0;
  let taken = 0;
  // Members who voted for the candidate from `begin` to `end`; one may have voted twice, before and after midnight.
  const voters = new CountByKey();
  let begin = 0;
  let end = 0;
  for (const [to, vote] of dormant.entries()) {
    const { at } = vote;
    networks.add(homeOf(vote), 1);
    while (at - (dormant[from] as ReviewVote).at > window) networks.add(homeOf(dormant[from++] as ReviewVote), -1);
    while (end < votes.length && (votes[end] as ReviewVote).at <= at)
      voters.add((votes[end++] as ReviewVote).member.id, 1);
    while (at - (votes[begin] as ReviewVote).at > window) voters.add((votes[begin++] as ReviewVote).member.id, -1);
    const some = to - from + 1;
    if (some < woken || some < share * voters.size || networks.size < apart * some) continue;
    for (taken = Math.max(taken, from); taken <= to; taken++) ids.add((dormant[taken] as ReviewVote).member.id);
  }
  return ids;
}

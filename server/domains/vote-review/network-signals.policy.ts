import { CountByKey } from './count-by-key.ts';
import type { Choices, Finding, NetworkSize, ReviewVote } from './review-window.ts';
import { networkKeys } from './review-window.ts';
import { isFresh, isThin } from './thin-accounts.policy.ts';
import { REVIEW } from './thresholds.ts';

const DAY = 86_400_000;

/**
 * `network_burst`: many fresh accounts of one network vote for one candidate within ten minutes, and nearly nobody else of that
 * network votes for it. With older accounts among them, it is an office, a campus or a carrier: then nothing is found.
 *
 * @param votes of one candidate, in order of time.
 * @param choices members who vote for several candidates are not counted.
 */
export function networkBurst(votes: readonly ReviewVote[], choices: Choices): Finding[] {
  const byNetwork = new Map<string, ReviewVote[]>();
  for (const vote of votes)
    for (const key of networkKeys(vote)) {
      const list = byNetwork.get(key);
      if (list) list.push(vote);
      else byNetwork.set(key, [vote]);
    }
  const findings: Finding[] = [];
  for (const [key, list] of byNetwork) {
    const needed = REVIEW.burst.members[key.slice(0, key.indexOf(':')) as NetworkSize];
    if (list.length < needed) continue;
    const found = burstsIn(list, needed, choices);
    if (found.size === 0) continue;
    const [first] = found as Set<ReviewVote>;
    findings.push({
      signal: 'network_burst',
      key: `${first?.candidateId}:${key}`,
      candidateId: first?.candidateId ?? null,
      votes: [...found],
      facts: { members: new Set([...found].map(({ member }) => member.id)).size, size: sizeOf(key) },
    });
  }
  return findings;
}

export const sizeOf = (key: string): NetworkSize => key.slice(0, key.indexOf(':')) as NetworkSize;

/** The fresh votes of every window with enough of them. */
function burstsIn(list: readonly ReviewVote[], needed: number, choices: Choices): Set<ReviewVote> {
  const found = new Set<ReviewVote>();
  let from = 0;
  let taken = 0;
  let fresh = 0;
  // A member may vote twice within ten minutes: before and after midnight.
  const members = new CountByKey();
  const counts = (vote: ReviewVote) => isFresh(vote) && !vote.member.active && choices.candidatesOf(vote.member) === 1;
  const add = (vote: ReviewVote, by: 1 | -1) => {
    if (!counts(vote)) return;
    fresh += by;
    members.add(vote.member.id, by);
  };
  for (const [to, vote] of list.entries()) {
    add(vote, 1);
    while (vote.at - (list[from] as ReviewVote).at > REVIEW.burst.window) add(list[from++] as ReviewVote, -1);
    if (members.size < needed || fresh < REVIEW.burst.share * (to - from + 1)) continue;
    // Each vote is visited once, however many windows contain it.
    for (taken = Math.max(taken, from); taken <= to; taken++) {
      const one = list[taken] as ReviewVote;
      if (counts(one)) found.add(one);
    }
  }
  return found;
}

/**
 * `network_burst` over days: fresh accounts of one network that vote for one candidate only, a few a day, while nearly nobody else
 * of that network votes for anything. A carrier, an office or a campus has other voters.
 *
 * @param key of the network, `<size>:<hash>`.
 * @param votes of that network for any candidate, in order of time.
 * @param since time of the oldest new vote: earlier windows were evaluated when their votes were new.
 */
export function networkDrip(key: string, votes: readonly ReviewVote[], choices: Choices, since: number): Finding[] {
  const { window, share, members } = REVIEW.drip;
  const needed = members[sizeOf(key)];
  if (votes.length < needed) return [];
  const found = new Set<ReviewVote>();
  const newest = (votes.at(-1) as ReviewVote).at;
  // Windows that end at the newest vote, and at every half window before it down to the oldest new one.
  for (let end = newest; end >= since; end -= window / 2) {
    const part = votes.filter(({ at }) => at > end - window && at <= end);
    const all = new Set(part.map(({ member }) => member.id)).size;
    if (all < needed) continue;
    for (const list of Map.groupBy(part, ({ candidateId }) => candidateId).values()) {
      const suspect = list.filter((vote) => isFresh(vote) && isThin(vote, choices));
      const some = new Set(suspect.map(({ member }) => member.id));
      if (some.size < needed || some.size < share * all) continue;
      // Votes of the same accounts on later days are held too.
      for (const vote of list) if (some.has(vote.member.id)) found.add(vote);
    }
  }
  return [...Map.groupBy(found, ({ candidateId }) => candidateId)].map(([candidateId, list]) => ({
    signal: 'network_burst',
    key: `${candidateId}:${key}`,
    candidateId,
    votes: list,
    facts: { members: new Set(list.map(({ member }) => member.id)).size, size: sizeOf(key), days: window / DAY },
  }));
}

/**
 * `network_capacity`: more members of one network vote on one day than an office, a campus or a carrier's shared address explains.
 * The first members up to the limit count; votes of those after them are held, not refused.
 *
 * @param key of the network, `<size>:<hash>`.
 * @param votes of that network for any candidate, in order of time.
 */
export function networkCapacity(key: string, votes: readonly ReviewVote[]): Finding[] {
  const capacity = REVIEW.capacity[sizeOf(key)];
  if (votes.length <= capacity) return [];
  const findings: Finding[] = [];
  for (const [day, list] of Map.groupBy(votes, (vote) => vote.day)) {
    const seen = new Set<string>();
    const over: ReviewVote[] = [];
    const first = new Set<string>();
    for (const vote of list) {
      seen.add(vote.member.id);
      if (first.size < capacity) first.add(vote.member.id);
      if (!first.has(vote.member.id)) over.push(vote);
    }
    if (over.length > 0)
      findings.push({
        signal: 'network_capacity',
        key: `${day}:${key}`,
        candidateId: null,
        votes: over,
        facts: { members: seen.size, most: capacity, size: sizeOf(key) },
      });
  }
  return findings;
}

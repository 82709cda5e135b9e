import type { VoteSignal } from '#contract/vote-signals.ts';
import { ownerDomain } from '#server/lib/text/mailbox.ts';

/** A member as the signals see them. Times in milliseconds since 1970. */
export interface ReviewMember {
  id: string;
  /** Of the account. */
  since: number;
  /** The normalized mailbox (`normalizeMailbox`), and its domain. */
  mailbox: string;
  mailDomain: string;
  /** Whether the domain is one for mail that is thrown away. */
  disposable: boolean;
  /** Whether the member wrote a post or a comment, or began a token request. */
  active: boolean;
  /** When a vote of an earlier round was cast; null for none that is known. */
  votedBefore: number | null;
}

/** A vote of the open round as the signals see it. */
export interface ReviewVote {
  id: number;
  candidateId: string;
  member: ReviewMember;
  at: number;
  /** UTC day, as days since 1970. */
  day: number;
  /** Keyed hashes, nearest first: IPv4 [address, /24], IPv6 [/64, /56, /48]; empty when unknown. */
  networks: readonly string[];
}

/** Votes that one signal found together. */
export interface Finding {
  signal: VoteSignal;
  /** What they have in common, the same in every run: findings with one key are one cluster. */
  key: string;
  candidateId: string | null;
  votes: readonly ReviewVote[];
  /** What the reason in words is made of, by signal (docs/vote-review.md). */
  facts: Readonly<Record<string, number | string>>;
}

/** What members voted for in the window beside the votes that a signal looks at. */
export interface Choices {
  /** For how many candidates. */
  candidatesOf(member: ReviewMember): number;
  /** Whether it is the member's first vote of the round. */
  isFirst(vote: ReviewVote): boolean;
  /** When the member of a vote cast the first one of the round. */
  firstAt(vote: ReviewVote): number;
  /** Whether a signal about networks or mailboxes found it: then it says nothing about those beside it. */
  isExplained(vote: ReviewVote): boolean;
}

/** The votes that share something, each list in order of time. */
type Index = Map<string, ReviewVote[]>;

/** What a run looks at: everything that new votes touched, with the earlier votes beside it. */
export interface Touched {
  /** When the oldest of the new votes was cast. */
  since: number;
  candidates: ReadonlyMap<string, readonly ReviewVote[]>;
  networks: ReadonlyMap<string, readonly ReviewVote[]>;
  mailboxes: ReadonlyMap<string, readonly ReviewVote[]>;
  domains: ReadonlyMap<string, readonly ReviewVote[]>;
  members: ReadonlyMap<string, readonly ReviewVote[]>;
}

/**
 * The newest votes of a round in memory, by candidate, network, mailbox and member, so that a run looks only at what new
 * votes touched. Holds no more than `most` votes: the oldest leave first.
 */
export class ReviewWindow implements Choices {
  readonly #votes = new Map<number, ReviewVote>();
  readonly #members = new Map<string, ReviewMember>();
  readonly #byCandidate: Index = new Map();
  readonly #byNetwork: Index = new Map();
  readonly #byMailbox: Index = new Map();
  readonly #byDomain: Index = new Map();
  readonly #byMember: Index = new Map();
  /** Votes of each member by candidate. */
  readonly #choices = new Map<string, Map<string, number>>();
  readonly #explained = new WeakSet<ReviewVote>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#votes.size;
  }

  has(id: number): boolean {
    return this.#votes.has(id);
  }

  /** The same object for each vote of a member, so that votes can be compared by it; knows the newest of what changes. */
  member(seen: ReviewMember): ReviewMember {
    const known = this.#members.get(seen.id);
    if (known) return Object.assign(known, seen);
    this.#members.set(seen.id, seen);
    return seen;
  }

  /** Takes new votes in and answers with what they touched. Votes that are known already touch nothing. */
  add(found: readonly ReviewVote[]): Touched {
    const added = found.filter((vote) => !this.#votes.has(vote.id));
    let since = Number.POSITIVE_INFINITY;
    for (const vote of added) {
      since = Math.min(since, vote.at);
      const before = this.#byMember.get(vote.member.id)?.find((one) => isSame(one, vote));
      // Taken back and given again: one vote.
      if (before) this.#remove(before);
      this.#votes.set(vote.id, vote);
      for (const [index, key] of this.#keysOf(vote)) insert(index, key, vote);
      this.#choose(vote, 1);
    }
    this.#shrink();
    const pick = (index: Index, keysOf: (vote: ReviewVote) => readonly string[]) =>
      new Map([...new Set(added.flatMap(keysOf))].map((key) => [key, index.get(key) ?? []]));
    return {
      since,
      candidates: pick(this.#byCandidate, ({ candidateId }) => [candidateId]),
      networks: pick(this.#byNetwork, networkKeys),
      mailboxes: pick(this.#byMailbox, ({ member }) => [member.mailbox]),
      domains: pick(this.#byDomain, ({ member }) => [ownerDomain(member.mailDomain)]),
      members: pick(this.#byMember, ({ member }) => [member.id]),
    };
  }

  /** How many candidates a member voted for in the window. */
  candidatesOf({ id }: ReviewMember): number {
    return this.#choices.get(id)?.size ?? 0;
  }

  isFirst(vote: ReviewVote): boolean {
    return this.#byMember.get(vote.member.id)?.[0] === vote;
  }

  isExplained(vote: ReviewVote): boolean {
    return this.#explained.has(vote);
  }

  /** Says that a signal about networks or mailboxes found these. */
  explain(votes: readonly ReviewVote[]): void {
    for (const vote of votes) this.#explained.add(vote);
  }

  firstAt({ member, at }: ReviewVote): number {
    return this.#byMember.get(member.id)?.[0]?.at ?? at;
  }

  #choose({ member, candidateId }: ReviewVote, by: 1 | -1): void {
    const choices = this.#choices.get(member.id) ?? new Map<string, number>();
    this.#choices.set(member.id, choices);
    const votes = (choices.get(candidateId) ?? 0) + by;
    if (votes > 0) choices.set(candidateId, votes);
    else choices.delete(candidateId);
    if (choices.size === 0) this.#choices.delete(member.id);
  }

  #keysOf(vote: ReviewVote): [Index, string][] {
    return [
      [this.#byCandidate, vote.candidateId],
      [this.#byMailbox, vote.member.mailbox],
      [this.#byDomain, ownerDomain(vote.member.mailDomain)],
      [this.#byMember, vote.member.id],
      ...networkKeys(vote).map((key): [Index, string] => [this.#byNetwork, key]),
    ];
  }

  #shrink(): void {
    const over = this.#votes.size - this.#most;
    if (over <= 0) return;
    // In the order in which they came, which is the order of their age but for seconds.
    const oldest = new Set<ReviewVote>();
    for (const vote of this.#votes.values())
      if (oldest.size < over) oldest.add(vote);
      else break;
    // Each list is gone through once, however many of its votes leave.
    const lists = new Map<Index, Set<string>>();
    for (const vote of oldest) {
      this.#votes.delete(vote.id);
      this.#choose(vote, -1);
      for (const [index, key] of this.#keysOf(vote)) {
        const keys = lists.get(index) ?? new Set();
        lists.set(index, keys.add(key));
      }
    }
    for (const [index, keys] of lists)
      for (const key of keys) {
        const left = (index.get(key) ?? []).filter((vote) => !oldest.has(vote));
        if (left.length === 0) index.delete(key);
        else index.set(key, left);
      }
    for (const { member } of oldest) if (!this.#byMember.has(member.id)) this.#members.delete(member.id);
  }

  #remove(vote: ReviewVote): void {
    this.#votes.delete(vote.id);
    this.#choose(vote, -1);
    for (const [index, key] of this.#keysOf(vote)) {
      const list = index.get(key) ?? [];
      const position = list.indexOf(vote);
      if (position >= 0) list.splice(position, 1);
      if (list.length === 0) index.delete(key);
    }
    if (!this.#byMember.has(vote.member.id)) this.#members.delete(vote.member.id);
  }
}

const isSame = (one: ReviewVote, other: ReviewVote) => one.candidateId === other.candidateId && one.day === other.day;

/** The votes from a moment on, of a list in order of time. */
export function votesSince(votes: readonly ReviewVote[], since: number): readonly ReviewVote[] {
  let position = votes.length;
  while (position > 0 && (votes[position - 1] as ReviewVote).at >= since) position--;
  return votes.slice(position);
}

/** Sizes of networks by their place in `networks`. */
export const NETWORK_SIZES = {
  2: ['ipv4', 'ipv4_24'],
  3: ['ipv6_64', 'ipv6_56', 'ipv6_48'],
} as const;
export type NetworkSize = (typeof NETWORK_SIZES)[2 | 3][number];

/** `<size>:<hash>` of each network of a vote; none where the address was unknown. */
export const networkKeys = ({ networks }: Pick<ReviewVote, 'networks'>): string[] => {
  const sizes = NETWORK_SIZES[networks.length as 2 | 3] ?? [];
  return sizes.map((size, place) => `${size}:${networks[place]}`);
};

/** New votes are nearly always the newest: from the end, so a list stays in order of time at little cost. */
function insert(index: Index, key: string, vote: ReviewVote): void {
  const list = index.get(key);
  if (!list) return void index.set(key, [vote]);
  let position = list.length;
  while (position > 0 && (list[position - 1] as ReviewVote).at > vote.at) position--;
  list.splice(position, 0, vote);
}

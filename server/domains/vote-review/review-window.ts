import type { VoteSignal } from '#contract/vote-signals.ts';
import { ownerDomain } from '#server/lib/text/mailbox.ts';

/** Data of a member for the signals. Times in milliseconds since 1970. */
export interface ReviewMember {
  id: string;
  /** Creation of the account. */
  since: number;
  /** The normalized mailbox (`normalizeMailbox`), and its domain. */
  mailbox: string;
  mailDomain: string;
  /** True when the domain offers disposable mailboxes. */
  disposable: boolean;
  /** True when the member wrote a post or a comment, or began a token request. */
  active: boolean;
  /** Time of a vote in an earlier round; null when none is known. */
  votedBefore: number | null;
}

/** Data of a vote of the open round for the signals. */
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
  /** Identifies the cause, equal in every run: findings with the same key belong to one cluster. */
  key: string;
  candidateId: string | null;
  votes: readonly ReviewVote[];
  /** Values for the text of the reason, by signal (docs/vote-review.md). */
  facts: Readonly<Record<string, number | string>>;
}

/** Choices of the members in the window, beyond the votes that a signal evaluates. */
export interface Choices {
  /** Number of candidates that the member voted for. */
  candidatesOf(member: ReviewMember): number;
  /** True when it is the member's first vote in the window. */
  isFirst(vote: ReviewVote): boolean;
  /** Time of the first vote in the window by the member of this vote. */
  firstAt(vote: ReviewVote): number;
  /** True when a network or mailbox signal found the vote: other signals then ignore it. */
  isExplained(vote: ReviewVote): boolean;
}

/** Votes grouped by a shared property, each list in order of time. */
type Index = Map<string, ReviewVote[]>;

/** Input of a run: all groups with new votes, including their earlier votes. */
export interface ChangedGroups {
  /** Time of the oldest new vote. */
  since: number;
  candidates: ReadonlyMap<string, readonly ReviewVote[]>;
  networks: ReadonlyMap<string, readonly ReviewVote[]>;
  mailboxes: ReadonlyMap<string, readonly ReviewVote[]>;
  domains: ReadonlyMap<string, readonly ReviewVote[]>;
  members: ReadonlyMap<string, readonly ReviewVote[]>;
}

/**
 * The newest votes of a round in memory, by candidate, network, mailbox and member, so that a run only evaluates the groups that
 * new votes are in. Holds no more than `max` votes: the oldest are evicted first.
 */
export class ReviewWindow implements Choices {
  readonly #votes = new Map<number, ReviewVote>();
  readonly #members = new Map<string, ReviewMember>();
  readonly #byCandidate: Index = new Map();
  readonly #byNetwork: Index = new Map();
  readonly #byMailbox: Index = new Map();
  readonly #byDomain: Index = new Map();
  readonly #byMember: Index = new Map();
  /** Number of votes of each member per candidate. */
  readonly #choices = new Map<string, Map<string, number>>();
  readonly #explained = new WeakSet<ReviewVote>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#votes.size;
  }

  has(id: number): boolean {
    return this.#votes.has(id);
  }

  /** One shared object for all votes of a member, so that it can be compared by identity; its changing values are the newest. */
  member(seen: ReviewMember): ReviewMember {
    const known = this.#members.get(seen.id);
    if (known) return Object.assign(known, seen);
    this.#members.set(seen.id, seen);
    return seen;
  }

  /** Adds new votes and returns the groups that they are in. Votes that the window already has are ignored. */
  add(found: readonly ReviewVote[]): ChangedGroups {
    const added = found.filter((vote) => !this.#votes.has(vote.id));
    let since = Number.POSITIVE_INFINITY;
    for (const vote of added) {
      since = Math.min(since, vote.at);
      const before = this.#byMember.get(vote.member.id)?.find((one) => isSame(one, vote));
      // A vote that was withdrawn and cast again replaces its earlier entry.
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

  /** Number of candidates that a member voted for in the window. */
  candidatesOf({ id }: ReviewMember): number {
    return this.#choices.get(id)?.size ?? 0;
  }

  isFirst(vote: ReviewVote): boolean {
    return this.#byMember.get(vote.member.id)?.[0] === vote;
  }

  isExplained(vote: ReviewVote): boolean {
    return this.#explained.has(vote);
  }

  /** Marks votes as found by a network or mailbox signal. */
  markExplained(votes: readonly ReviewVote[]): void {
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
    const over = this.#votes.size - this.#max;
    if (over <= 0) return;
    // In the order of insertion, which equals the order of age within seconds.
    const oldest = new Set<ReviewVote>();
    for (const vote of this.#votes.values())
      if (oldest.size < over) oldest.add(vote);
      else break;
    // Each list is filtered once, however many of its votes are evicted.
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

/** The votes from a given time on, of a list in order of time. */
export function votesSince(votes: readonly ReviewVote[], since: number): readonly ReviewVote[] {
  let position = votes.length;
  while (position > 0 && (votes[position - 1] as ReviewVote).at >= since) position--;
  return votes.slice(position);
}

/** Sizes of networks by their index in `networks`. */
export const NETWORK_SIZES = {
  2: ['ipv4', 'ipv4_24'],
  3: ['ipv6_64', 'ipv6_56', 'ipv6_48'],
} as const;
export type NetworkSize = (typeof NETWORK_SIZES)[2 | 3][number];

/** `<size>:<hash>` of each network of a vote; none where the address was unknown. */
export const networkKeys = ({ networks }: Pick<ReviewVote, 'networks'>): string[] => {
  const sizes = NETWORK_SIZES[networks.length as 2 | 3] ?? [];
  return sizes.map((size, index) => `${size}:${networks[index]}`);
};

/** New votes are nearly always the newest: searching from the end keeps a list in order of time at little cost. */
function insert(index: Index, key: string, vote: ReviewVote): void {
  const list = index.get(key);
  if (!list) return void index.set(key, [vote]);
  let position = list.length;
  while (position > 0 && (list[position - 1] as ReviewVote).at > vote.at) position--;
  list.splice(position, 0, vote);
}

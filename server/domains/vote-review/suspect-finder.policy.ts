import { type Finding, type ReviewVote, ReviewWindow } from './review-window.ts';
import { findSuspects } from './signals.policy.ts';

/** A finding without its votes, and the ids of those that are not known to be in a cluster. */
export interface Suspects extends Omit<Finding, 'votes'> {
  voteIds: Float64Array<ArrayBuffer>;
  /** UTC day of the oldest vote, as days since 1970. */
  since: number;
}

/**
 * The window of a round and the findings of its signals, one step at a time. Holds no more than `max` votes. Votes known to be in
 * a cluster are not reported again, so that findings stay proportional to the new votes.
 */
export class SuspectFinder {
  readonly #max: number;
  readonly #window: ReviewWindow;
  #added: ReviewVote[] = [];
  readonly #clustered = new Set<number>();

  constructor(max: number) {
    this.#max = max;
    this.#window = new ReviewWindow(max);
  }

  /** Number of votes in the window, and of those among them that are in a cluster. */
  get size(): { votes: number; placed: number } {
    return { votes: this.#window.size, placed: this.#clustered.size };
  }

  /** Adds new votes; the next evaluation includes them. */
  add(votes: readonly ReviewVote[]): void {
    for (const vote of votes) this.#added.push({ ...vote, member: this.#window.member(vote.member) });
  }

  /** Runs every signal over the votes added since the last evaluation, one step at a time. */
  *detect(): Generator<Suspects[]> {
    const touched = this.#window.add(this.#added);
    this.#added = [];
    if (this.#window.size === this.#max)
      for (const id of this.#clustered) if (!this.#window.has(id)) this.#clustered.delete(id);
    for (const findings of findSuspects(this.#window, touched)) yield findings.flatMap((one) => this.#suspectsOf(one));
  }

  /** Marks votes that are in a cluster or no longer exist. */
  markClustered(voteIds: readonly number[]): void {
    for (const id of voteIds) this.#clustered.add(id);
  }

  #suspectsOf({ votes, ...finding }: Finding): Suspects[] {
    const open = votes.filter(({ id }) => !this.#clustered.has(id));
    if (open.length === 0) return [];
    const since = open.reduce((oldest, { day }) => Math.min(oldest, day), Number.POSITIVE_INFINITY);
    return [{ ...finding, voteIds: Float64Array.from(open, ({ id }) => id), since }];
  }
}

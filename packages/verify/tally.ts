// Counts the votes of the ledger by the published rule: most votes, then the earlier time of the total, then the older
// candidate.
import type { CandidateEntry, Entry, VoteEntry, VoteState } from './entries.ts';

/** A row of a result. */
export interface Row {
  candidate: string;
  votes: number;
  /** Time of the newest counted vote, ISO 8601; in a recount the minute; `null` if unknown. */
  reached: string | null;
}

/** Permitted state transitions. Any other would count a vote twice, or one that was not cast. */
const MAY_FOLLOW: Record<VoteState | 'none', readonly VoteState[]> = {
  none: ['counted', 'under_review', 'void'],
  counted: ['under_review', 'void', 'withdrawn'],
  under_review: ['counted', 'void', 'withdrawn'],
  void: ['counted', 'under_review', 'withdrawn'],
  withdrawn: ['counted', 'under_review', 'void'],
};

/** Counted votes of a candidate, by UTC day and by the minute in which they were cast. */
type Counts = Map<string, Map<string, number>>;

/** False for a date or time in the format of a leaf that does not exist, such as February 30. */
function isReal(text: string): boolean {
  const moment = new Date(text);
  return text >= '0001' && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text.slice(0, 16));
}

/** Order of texts by code units. */
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Processes the leaves in order, and provides the current results at any time. */
export class Tally {
  readonly #states = new Map<string, { state: VoteState; cast: string }>();
  readonly #counts = new Map<string, Counts>();
  /** Counted votes of each round, by candidate. */
  readonly #roundVotes = new Map<number, Map<string, number>>();
  readonly #candidates = new Map<string, CandidateEntry>();
  readonly #days = new Set<string>();
  readonly #rounds = new Set<number>();
  /** Numbers of the rounds whose result is among the leaves. */
  readonly #ended = new Set<number>();

  /** @returns the error of this leaf after the previous ones, or null. */
  add(entry: Entry): string | null {
    if (entry.kind === 'candidate') {
      if (!isReal(entry.added)) return `${entry.added} is no date`;
      const known = this.#candidates.get(entry.candidate);
      if (known && known.added !== entry.added) return `candidate ${entry.candidate} changed its age`;
      if (known?.state === entry.state) return `candidate ${entry.candidate} is ${entry.state} already`;
      this.#candidates.set(entry.candidate, entry);
      return null;
    }
    if (entry.kind === 'result') {
      const [what, name = ''] = entry.of.split('/');
      if (what === 'day' && !isReal(name)) return `${name} is no date`;
      if (what === 'round') this.#ended.add(Number(name));
      return null;
    }
    return entry.kind === 'vote' ? this.#addVote(entry) : null;
  }

  #addVote(vote: VoteEntry): string | null {
    if (!this.#candidates.has(vote.candidate)) return `a vote for a candidate that was never listed`;
    if (!this.#days.has(vote.day) && !isReal(vote.day)) return `${vote.day} is no date`;
    if (!isReal(vote.cast)) return `${vote.cast} is no date`;
    // Votes from before the ledger are of round 0: nothing is known of how their day was determined.
    if (vote.round > 0 && !vote.cast.startsWith(vote.day)) return `a vote of ${vote.cast} cannot be one of ${vote.day}`;
    const key = keyOf(vote);
    const before = this.#states.get(key);
    if (!MAY_FOLLOW[before?.state ?? 'none'].includes(vote.state))
      return `a vote cannot become ${vote.state} after ${before?.state ?? 'nothing'}`;
    if (!before && this.#ended.has(vote.round)) return `a first vote of round ${vote.round} after its result`;
    // Another minute belongs to another vote of that day, for which the first one has to be withdrawn.
    if (before && before.state !== 'withdrawn' && before.cast !== vote.cast)
      return `a vote of ${before.cast} cannot become one of ${vote.cast}`;
    if (before?.state === 'counted') this.#count(vote, before.cast, -1);
    if (vote.state === 'counted') this.#count(vote, vote.cast, 1);
    this.#days.add(vote.day);
    this.#rounds.add(vote.round);
    this.#states.set(key, { state: vote.state, cast: vote.cast });
    return null;
  }

  #count({ round, candidate, day }: VoteEntry, cast: string, by: 1 | -1): void {
    const votes = this.#roundVotes.get(round) ?? new Map<string, number>();
    this.#roundVotes.set(round, votes.set(candidate, (votes.get(candidate) ?? 0) + by));
    const days = this.#counts.get(candidate) ?? new Map<string, Map<string, number>>();
    const minutes = days.get(day) ?? new Map<string, number>();
    const left = (minutes.get(cast) ?? 0) + by;
    if (left === 0) minutes.delete(cast);
    else minutes.set(cast, left);
    days.set(day, minutes);
    this.#counts.set(candidate, days);
  }

  /** Current state of a vote; null if it was never cast. */
  stateOf(vote: Pick<VoteEntry, 'round' | 'voter' | 'candidate' | 'day'>): VoteState | null {
    return this.#states.get(keyOf(vote))?.state ?? null;
  }

  /** Number of votes in each state. */
  get states(): Record<VoteState, number> {
    const found = { counted: 0, under_review: 0, void: 0, withdrawn: 0 };
    for (const { state } of this.#states.values()) found[state]++;
    return found;
  }

  /** UTC days with votes, in order. */
  get days(): string[] {
    return [...this.#days].sort();
  }

  /** Numbers of the rounds with votes, in order. */
  get rounds(): number[] {
    return [...this.#rounds].sort((a, b) => a - b);
  }

  addedOf(candidate: string): string {
    return this.#candidates.get(candidate)?.added ?? '';
  }

  /** The votes of one UTC day of all candidates with votes; `reached` is a minute. */
  day(day: string): Row[] {
    const rows: Row[] = [];
    for (const [candidate, days] of this.#counts) {
      const minutes = days.get(day);
      if (minutes && minutes.size > 0) rows.push({ candidate, ...summed([minutes]) });
    }
    return this.ranked(rows);
  }

  /** All votes of the currently listed candidates with votes; `reached` is a minute. */
  standings(): Row[] {
    const rows: Row[] = [];
    for (const [candidate, days] of this.#counts) {
      if (this.#candidates.get(candidate)?.state !== 'listed') continue;
      const sum = summed([...days.values()]);
      if (sum.votes > 0) rows.push({ candidate, ...sum });
    }
    return this.ranked(rows);
  }

  /** Candidates with counted votes of this round that are not in these rows, most votes first. */
  absentFrom(rows: readonly Row[], round: number): { candidate: string; votes: number }[] {
    const present = new Set(rows.map(({ candidate }) => candidate));
    return [...(this.#roundVotes.get(round) ?? [])]
      .map(([candidate, votes]) => ({ candidate, votes }))
      .filter(({ candidate, votes }) => votes > 0 && !present.has(candidate))
      .sort((a, b) => b.votes - a.votes || byText(a.candidate, b.candidate));
  }

  /** Sorts by the published rule. A total without a time comes before all totals with one. */
  ranked(rows: readonly Row[]): Row[] {
    return [...rows].sort(
      (a, b) =>
        b.votes - a.votes ||
        byText(a.reached ?? '', b.reached ?? '') ||
        byText(this.addedOf(a.candidate), this.addedOf(b.candidate)) ||
        byText(a.candidate, b.candidate),
    );
  }
}

const keyOf = ({ round, voter, candidate, day }: Pick<VoteEntry, 'round' | 'voter' | 'candidate' | 'day'>) =>
  `${round} ${voter} ${candidate} ${day}`;

function summed(days: readonly Map<string, number>[]): { votes: number; reached: string | null } {
  let votes = 0;
  let reached = '';
  for (const minutes of days)
    for (const [minute, count] of minutes) {
      votes += count;
      if (minute > reached) reached = minute;
    }
  return { votes, reached: reached || null };
}

import { describe, expect, it } from 'vitest';
import type { Ranking } from '#contract/domains/voting.ts';
import { afterTallies, startOf } from './hero-moments.ts';

const items = ['a', 'b', 'c', 'd'].map((id, i) => ({ id, tokenName: id.toUpperCase(), totalVotes: 10 - i }));
const start = startOf(items as unknown as Ranking['items']);
const tally = (candidateId: string, totalVotes: number) => ({
  candidateId,
  totalVotes,
  votesToday: 0,
  reachedAt: null,
});
const kindsOf = (moments: ReturnType<typeof startOf>) =>
  moments.gained.map(({ name, votes, total }) => [name, votes, total]);

describe('the last votes on home', () => {
  it('list each candidate that gained votes once, with its newest gain, the latest first', () => {
    const one = afterTallies(start, [tally('b', 11)]);
    expect(kindsOf(one)).toEqual([['B', 2, 11]]);
    const two = afterTallies(one, [tally('a', 11), tally('b', 12)]);
    expect(kindsOf(two)).toEqual([
      ['B', 1, 12],
      ['A', 1, 11],
    ]);
    expect(kindsOf(afterTallies(two, [tally('c', 20), tally('d', 8)]))).toEqual([
      ['D', 1, 8],
      ['C', 12, 20],
      ['B', 1, 12],
    ]);
  });

  it('are unchanged when the same counts arrive twice', () => {
    const one = afterTallies(start, [tally('a', 12)]);
    expect(kindsOf(afterTallies(one, [tally('a', 12)]))).toEqual(kindsOf(one));
  });

  it('omit candidates whose votes decreased, and those that are not in the ranking', () => {
    const one = afterTallies(afterTallies(start, [tally('a', 12)]), [tally('a', 11), tally('x', 99)]);
    expect(kindsOf(one)).toEqual([]);
    // The next gain is counted from the lower total.
    expect(kindsOf(afterTallies(one, [tally('a', 12)]))).toEqual([['A', 1, 12]]);
  });
});

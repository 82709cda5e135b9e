import { describe, expect, it } from 'vitest';
import { VOTE_SIGNALS } from '#contract/vote-signals.ts';
import { makeVotes, simulateVotes } from './simulate.ts';

describe('the simulation of bought votes', () => {
  // The thresholds were tuned on seeds 1 to 8 only (docs/vote-review.md).
  it.each([203, 204])('on seed %i holds 95 %% of bought votes and at most 1 %% of honest ones', (seed) => {
    const { overall, bySignal, byPattern, votes } = simulateVotes(seed);
    expect(votes).toBeGreaterThan(25_000);
    // None of the attacks hides behind the others.
    for (const [pattern, one] of byPattern)
      if (one.bought) expect([pattern, one.held / one.votes >= 0.6]).toEqual([pattern, true]);
    expect(overall.recall).toBeGreaterThanOrEqual(0.95);
    expect(overall.honestHeld).toBeLessThanOrEqual(0.01);
    expect([...byPattern.values()].filter(({ bought }) => bought)).toHaveLength(14);
    expect([...byPattern.values()].filter(({ bought }) => !bought).length).toBe(18);
    expect([...bySignal.keys()].toSorted()).toEqual([...VOTE_SIGNALS].filter((name) => bySignal.has(name)).toSorted());
  });

  it('makes the same population of the same seed, and shows what it does not find', () => {
    const [once, again] = [makeVotes(204), makeVotes(204)];
    expect(again).toEqual(once);
    expect(makeVotes(205).length).not.toBe(once.length);
    // A gap that docs/vote-review.md names: when it closes, the page has to say so.
    const { known } = simulateVotes(204);
    expect(known.votes).toBeGreaterThan(100);
    expect(known.held / known.votes).toBeLessThan(0.5);
  });
});

import { describe, expect, it } from 'vitest';
import { VOTE_SIGNALS } from '#contract/vote-signals.ts';
import { simulateVotes } from './simulate.ts';

describe('the simulation of bought votes', () => {
  // The thresholds were tuned on seeds 1 to 8 only (docs/vote-review.md).
  it.each([201, 202, 203])('holds 95 % of bought votes and at most 1 %% of honest ones on seed %i', (seed) => {
    const { overall, bySignal, byPattern, votes } = simulateVotes(seed);
    expect(votes).toBeGreaterThan(20_000);
    expect(overall.recall).toBeGreaterThanOrEqual(0.95);
    expect(overall.honestHeld).toBeLessThanOrEqual(0.01);
    expect([...byPattern.values()].filter(({ bought }) => bought)).toHaveLength(10);
    expect([...byPattern.values()].filter(({ bought }) => !bought).length).toBeGreaterThanOrEqual(10);
    expect([...bySignal.keys()].toSorted()).toEqual([...VOTE_SIGNALS].filter((name) => bySignal.has(name)).toSorted());
  });

  it('makes the same population of the same seed, and shows what it does not find', () => {
    const [once, again] = [simulateVotes(204), simulateVotes(204)];
    expect(again).toEqual(once);
    expect(simulateVotes(205)).not.toEqual(once);
    // A gap that docs/vote-review.md names: when it closes, the page has to say so.
    expect(once.known.held / once.known.votes).toBeLessThan(0.5);
  });
});

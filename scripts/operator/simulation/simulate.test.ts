import { describe, expect, it, vi } from 'vitest';
import { VOTE_SIGNALS } from '#contract/vote-signals.ts';
import { makeVotes, simulateVotes } from './simulate.ts';

// A population takes seconds, many where others use the machine.
vi.setConfig({ testTimeout: 180_000 });

const simulated = new Map<number, ReturnType<typeof simulateVotes>>();
/** Each seed is simulated once, which takes seconds. */
function simulationOf(seed: number) {
  const figures = simulated.get(seed) ?? simulateVotes(seed);
  simulated.set(seed, figures);
  return figures;
}

describe('the simulation of bought votes', () => {
  // The thresholds were tuned on seeds 1 to 8 only (docs/vote-review.md).
  it.each([203, 204])('on seed %i holds 95 percent of bought votes and at most 1 percent of honest ones', (seed) => {
    const { overall, bySignal, byPattern, votes } = simulationOf(seed);
    expect(votes).toBeGreaterThan(25_000);
    // None of the attacks hides behind the others.
    for (const [pattern, one] of byPattern)
      if (one.bought) expect([pattern, one.held / one.votes >= 0.6]).toEqual([pattern, true]);
    expect(overall.recall).toBeGreaterThanOrEqual(0.95);
    expect(overall.honestHeld).toBeLessThanOrEqual(0.01);
    expect([...byPattern.values()].filter(({ bought }) => bought)).toHaveLength(20);
    expect([...byPattern.values()].filter(({ bought }) => !bought).length).toBe(19);
    expect([...bySignal.keys()].toSorted()).toEqual([...VOTE_SIGNALS].filter((name) => bySignal.has(name)).toSorted());
  });

  it('generates the same votes from the same seed', () => {
    // As texts: they are compared at once, thirty thousand objects one by one.
    const [once, again, other] = [204, 204, 205].map((seed) => JSON.stringify(makeVotes(seed)));
    expect(again === once).toBe(true);
    expect(other === once).toBe(false);
  });

  it('shows the known gaps in which most bought votes are not held', () => {
    // Gaps that docs/vote-review.md names: when one closes, the page has to be updated.
    for (const [pattern, { votes, held }] of simulationOf(204).gaps) {
      expect([pattern, votes > 100]).toEqual([pattern, true]);
      expect([pattern, held / votes < 0.5]).toEqual([pattern, true]);
    }
  });
});

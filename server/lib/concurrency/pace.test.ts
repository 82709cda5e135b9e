import { describe, expect, it } from 'vitest';
import { createPace } from './pace.ts';

/** A clock that only `sleep` advances, with `votes` votes per millisecond. */
function startClock() {
  let at = 5_000;
  let votes = 0;
  const pace = createPace(
    () => at,
    async (ms) => {
      at += ms;
      pace.note(votes * ms);
    },
  );
  return {
    pace,
    vote: (each: number) => {
      votes = each;
    },
    pass: (ms: number) => {
      at += ms;
    },
    /** Duration of the pause after one slice, in milliseconds. */
    async lasts(took: number, share: number): Promise<number> {
      const began = at;
      await pace.yieldToTraffic(took, share);
      return at - began;
    },
  };
}

describe('the throttle of background work', () => {
  it('does not pause while few members vote', async () => {
    const { pace, lasts } = startClock();
    pace.note(99);
    expect(pace.underLoad).toBe(false);
    expect(await lasts(1_000, 0.1)).toBe(0);
  });

  it('pauses for the rest of the time under load, up to a limit', async () => {
    const { pace, lasts, vote } = startClock();
    pace.note(100);
    vote(1);
    expect(pace.underLoad).toBe(true);
    expect(await lasts(100, 0.25)).toBe(300);
    expect(await lasts(100, 1)).toBe(0);
    expect(await lasts(60_000, 0.1)).toBe(5_000);
  });

  it('stops pausing when the load ends', async () => {
    const { pace, lasts, pass } = startClock();
    pace.note(500);
    expect(await lasts(60_000, 0.1)).toBe(2_000);
    expect(pace.underLoad).toBe(false);
    pace.note(500);
    pass(10_000);
    expect(await lasts(1_000, 0.1)).toBe(0);
  });
});

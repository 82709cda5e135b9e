import { describe, expect, it } from 'vitest';
import { createLoadThrottle } from './load-throttle.ts';

/** A clock that only `sleep` advances, with `votes` votes per millisecond. */
function startClock() {
  let at = 5_000;
  let votes = 0;
  const throttle = createLoadThrottle(
    () => at,
    async (ms) => {
      at += ms;
      throttle.recordVotes(votes * ms);
    },
  );
  return {
    throttle,
    vote: (each: number) => {
      votes = each;
    },
    pass: (ms: number) => {
      at += ms;
    },
    /** Duration of the pause after one slice, in milliseconds. */
    async lasts(took: number, share: number): Promise<number> {
      const began = at;
      await throttle.yieldToTraffic(took, share);
      return at - began;
    },
  };
}

describe('the throttle of background work', () => {
  it('does not pause while few members vote', async () => {
    const { throttle, lasts } = startClock();
    throttle.recordVotes(99);
    expect(throttle.underLoad).toBe(false);
    expect(await lasts(1_000, 0.1)).toBe(0);
  });

  it('pauses under load so that the work takes only its share of the time, up to a maximum pause', async () => {
    const { throttle, lasts, vote } = startClock();
    throttle.recordVotes(100);
    vote(1);
    expect(throttle.underLoad).toBe(true);
    expect(await lasts(100, 0.25)).toBe(300);
    expect(await lasts(100, 1)).toBe(0);
    expect(await lasts(60_000, 0.1)).toBe(5_000);
  });

  it('stops pausing when the load ends', async () => {
    const { throttle, lasts, pass } = startClock();
    throttle.recordVotes(500);
    expect(await lasts(60_000, 0.1)).toBe(2_000);
    expect(throttle.underLoad).toBe(false);
    throttle.recordVotes(500);
    pass(10_000);
    expect(await lasts(1_000, 0.1)).toBe(0);
  });
});

import { setTimeout as pause } from 'node:timers/promises';

/** Votes within the current and the previous second from which on the process counts as under load. */
const MIN_VOTES_UNDER_LOAD = 100;
const SECOND_MS = 1_000;
/** Longest sleep before the load is checked again. Milliseconds. */
const STEP_MS = 50;
/** Longest pause after one slice, however long it took. Milliseconds. */
const MAX_PAUSE_MS = 5_000;

/** Slows background work of this process down while it receives many votes. */
export interface LoadThrottle {
  /** Records the arrival of votes. */
  recordVotes(votes: number): void;
  /** True if at least 100 votes arrived within the current and the previous second. */
  readonly underLoad: boolean;
  /**
   * To be called after each slice of background work. Returns at once unless under load; otherwise pauses so that the
   * work takes no more than its share of the time, and returns early when the load ends.
   *
   * @param took duration of the slice, in milliseconds.
   * @param share share of the time, above 0 and at most 1.
   */
  yieldToTraffic(took: number, share: number): Promise<void>;
}

/**
 * @param now a monotonic clock in milliseconds.
 * @param sleep resolves after the given number of milliseconds.
 */
export function createLoadThrottle(
  now: () => number = () => performance.now(),
  sleep: (ms: number) => Promise<unknown> = pause,
): LoadThrottle {
  // Votes of the current second, and of the previous one.
  let second = 0;
  let current = 0;
  let before = 0;

  function nextSlice(): void {
    const at = Math.floor(now() / SECOND_MS);
    if (at === second) return;
    before = at === second + 1 ? current : 0;
    current = 0;
    second = at;
  }

  const underLoad = () => {
    nextSlice();
    return current + before >= MIN_VOTES_UNDER_LOAD;
  };

  return {
    recordVotes(votes) {
      nextSlice();
      current += votes;
    },
    get underLoad() {
      return underLoad();
    },
    async yieldToTraffic(took, share) {
      const until = now() + Math.min(MAX_PAUSE_MS, took * (1 / share - 1));
      for (let left = until - now(); left > 0 && underLoad(); left = until - now())
        await sleep(Math.min(STEP_MS, left));
    },
  };
}

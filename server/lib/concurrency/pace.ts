import { setTimeout as pause } from 'node:timers/promises';

/** So many calls within about a second are a rush. */
const RUSH = 100;
const SECOND_MS = 1_000;
/** Longest sleep before looking again whether the rush is over. Milliseconds. */
const STEP_MS = 50;
/** Longest rest after one slice, whatever it took. Milliseconds. */
const MAX_PAUSE_MS = 5_000;

/** Lets background work of this process make room while many members vote in it. */
export interface LoadThrottle {
  /** Says that so many votes arrived. */
  note(votes: number): void;
  /** Whether many votes arrived within the last second or two. */
  readonly underLoad: boolean;
  /**
   * To be called after each slice of background work. Returns at once while nobody votes, else after a pause, so that the
   * work takes no more than its share of the time; wakes up early when the rush ends.
   *
   * @param took what the slice took, in milliseconds.
   * @param share of the time, above 0 and at most 1.
   */
  yieldToTraffic(took: number, share: number): Promise<void>;
}

/**
 * @param now a clock in milliseconds that only goes on.
 * @param sleep ends after so many milliseconds.
 */
export function createPace(
  now: () => number = () => performance.now(),
  sleep: (ms: number) => Promise<unknown> = pause,
): LoadThrottle {
  // Votes of the second that runs, and of the one before.
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
    return current + before >= RUSH;
  };

  return {
    note(votes) {
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

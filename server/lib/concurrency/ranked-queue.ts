/** Priority of a caller while not all can be served: known ones before strangers. */
export type Rank = 'known' | 'stranger';

export interface RankedQueue {
  /**
   * Runs the work as soon as a slot is free.
   *
   * @throws the error of `overflow` if the queue of this rank is full (rejects), and whatever the work throws.
   */
  run<T>(rank: Rank, work: () => Promise<T>): Promise<T>;
}

/**
 * Limits concurrency with two priorities. Waiting callers of rank 'known' start before strangers; strangers can use at
 * most `strangerSlots` of the slots, and each rank has a queue of its own.
 *
 * @param options.slots concurrent runs.
 * @param options.strangerSlots slots that strangers may use; all of them by default.
 * @param options.queue maximum number of waiting callers of each rank.
 */
export function createRankedQueue(options: {
  slots: number;
  strangerSlots?: number;
  queue: Record<Rank, number>;
  overflow: () => Error;
}): RankedQueue {
  const { slots, strangerSlots = slots, queue } = options;
  const waiting: Record<Rank, (() => void)[]> = { known: [], stranger: [] };
  const running: Record<Rank, number> = { known: 0, stranger: 0 };
  const hasRoom = (rank: Rank) =>
    running.known + running.stranger < slots && (rank === 'known' || running.stranger < strangerSlots);

  function startNext(): void {
    for (const rank of ['known', 'stranger'] as const)
      while (hasRoom(rank)) {
        const start = waiting[rank].shift();
        if (!start) break;
        running[rank]++;
        start();
      }
  }

  return {
    async run(rank, work) {
      if (waiting[rank].length === 0 && hasRoom(rank)) running[rank]++;
      else {
        if (waiting[rank].length >= queue[rank]) throw options.overflow();
        await new Promise<void>((resolve) => waiting[rank].push(resolve));
      }
      try {
        return await work();
      } finally {
        running[rank]--;
        startNext();
      }
    },
  };
}

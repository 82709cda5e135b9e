/** Who goes before whom when not everybody can be served at once. */
export type Rank = 'known' | 'stranger';

export interface RankedQueue {
  /**
   * Runs the work when its turn has come.
   *
   * @throws what `overflow` makes when no more of this rank may wait (of the promise), and what the work throws.
   */
  run<T>(rank: Rank, work: () => Promise<T>): Promise<T>;
}

/**
 * Limits how much runs at once. Whoever is known is served before strangers, and strangers leave some places free: in the
 * work under way for `slots - strangerSlots`, and in the queue, where each rank has places of its own.
 *
 * @param options.slots works under way at once.
 * @param options.strangerSlots of these, the most that strangers may take; all of them when left out.
 * @param options.queue how many of each rank may wait.
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

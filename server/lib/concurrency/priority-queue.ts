/** Priority of a caller while not all can be served: known ones before strangers. */
export type Priority = 'known' | 'stranger';

export interface PriorityQueue {
  /**
   * Runs the work as soon as a slot is free.
   *
   * @throws the error of `overflow` if the queue of this priority is full (rejects), and whatever the work throws.
   */
  run<T>(priority: Priority, work: () => Promise<T>): Promise<T>;
}

/**
 * Limits concurrency with two priorities. Waiting callers of priority 'known' start before strangers; strangers can use at
 * most `strangerSlots` of the slots, and each priority has a queue of its own.
 *
 * @param options.slots concurrent runs.
 * @param options.strangerSlots slots that strangers may use; all of them by default.
 * @param options.queue maximum number of waiting callers of each priority.
 */
export function createPriorityQueue(options: {
  slots: number;
  strangerSlots?: number;
  queue: Record<Priority, number>;
  overflow: () => Error;
}): PriorityQueue {
  const { slots, strangerSlots = slots, queue } = options;
  const waiting: Record<Priority, (() => void)[]> = { known: [], stranger: [] };
  const running: Record<Priority, number> = { known: 0, stranger: 0 };
  const hasRoom = (priority: Priority) =>
    running.known + running.stranger < slots && (priority === 'known' || running.stranger < strangerSlots);

  function startNext(): void {
    for (const priority of ['known', 'stranger'] as const)
      while (hasRoom(priority)) {
        const start = waiting[priority].shift();
        if (!start) break;
        running[priority]++;
        start();
      }
  }

  return {
    async run(priority, work) {
      if (waiting[priority].length === 0 && hasRoom(priority)) running[priority]++;
      else {
        if (waiting[priority].length >= queue[priority]) throw options.overflow();
        await new Promise<void>((resolve) => waiting[priority].push(resolve));
      }
      try {
        return await work();
      } finally {
        running[priority]--;
        startNext();
      }
    },
  };
}

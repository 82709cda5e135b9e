import { hash, verify } from '@node-rs/argon2';
import { createPriorityQueue, type Priority } from '#server/lib/concurrency/priority-queue.ts';
import { failure } from '#server/lib/errors/fail.ts';

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/**
 * Limits of concurrent and waiting hashes: many simultaneous sign-ins must neither occupy the processor, nor fill the queue for
 * members in a known browser.
 */
const queue = createPriorityQueue({
  slots: 2,
  queue: { known: 40, stranger: 40 },
  overflow: () => failure('BUSY', { retryAfter: 2 }),
});

/** @throws BUSY when the queue is full. */
export const hashPassword = (password: string, priority: Priority): Promise<string> =>
  queue.run(priority, () => hash(password.normalize('NFKC'), ARGON));

/** @throws BUSY when the queue is full. */
export const verifyPassword = (wanted: { hash: string; password: string }, priority: Priority): Promise<boolean> =>
  queue.run(priority, () => verify(wanted.hash, wanted.password.normalize('NFKC')));

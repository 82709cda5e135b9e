import { hash, verify } from '@node-rs/argon2';
import { createRankedQueue, type Rank } from '#server/lib/concurrency/ranked-queue.ts';
import { failure } from '#server/lib/errors/fail.ts';

/** OWASP's least for argon2id: 19 MiB, two passes, one lane. */
const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/**
 * Hashes computed at once, and waiting: a flood of sign-ins must not take the processor from everybody else, nor the queue
 * from members in a browser of theirs.
 */
const queue = createRankedQueue({
  slots: 2,
  queue: { known: 40, stranger: 40 },
  overflow: () => failure('BUSY', { retryAfter: 2 }),
});

/** @throws BUSY when too many hashes wait. */
export const hashPassword = (password: string, rank: Rank): Promise<string> =>
  queue.run(rank, () => hash(password.normalize('NFKC'), ARGON));

/** @throws BUSY when too many hashes wait. */
export const verifyPassword = (wanted: { hash: string; password: string }, rank: Rank): Promise<boolean> =>
  queue.run(rank, () => verify(wanted.hash, wanted.password.normalize('NFKC')));

import { createPriorityQueue, type Priority } from '#server/lib/concurrency/priority-queue.ts';
import { failure } from '#server/lib/errors/fail.ts';
import type { Rendering, SourceImage } from './encode-image.ts';
import { createImageWorker } from './image-worker-process.ts';

/** Images decoded concurrently; of these at most one for guests. And the queue length for each of members and guests. */
const CONCURRENCY = 2;
const MAX_GUESTS = 1;
const QUEUE = 8;

export type ImageProcessor = (image: SourceImage & { priority?: Priority | undefined }) => Promise<Rendering>;

/**
 * Validates and re-encodes uploaded images (encode-image.ts), two at a time. Others wait in a short queue, members before guests.
 *
 * Rejects with:
 * @throws UploadRefused when it is not an image of the four types, damaged or too large.
 * @throws BUSY when the queue is full, or the machine is too slow.
 */
export function createImageProcessor(
  encode: (image: SourceImage) => Promise<Rendering> = createImageWorker(),
): ImageProcessor {
  const queue = createPriorityQueue({
    slots: CONCURRENCY,
    strangerSlots: MAX_GUESTS,
    queue: { known: QUEUE, stranger: QUEUE },
    overflow: () => failure('BUSY', { retryAfter: 5 }),
  });
  return ({ bytes, declared, priority = 'known' }) => queue.run(priority, () => encode({ bytes, declared }));
}

import { createRankedQueue, type Rank } from '#server/lib/concurrency/ranked-queue.ts';
import { failure } from '#server/lib/errors/fail.ts';
import type { Rendering, SourceImage } from './encode-image.ts';
import { createImageWorker } from './image-worker-process.ts';

/** Images decoded at once; guests leave one of them free. And those of each rank that may wait for one. */
const CONCURRENCY = 2;
const MAX_GUESTS = 1;
const QUEUE = 8;

export type ImageProcessor = (image: SourceImage & { rank?: Rank | undefined }) => Promise<Rendering>;

/**
 * Checks what people send and encodes it anew (encode-image.ts), two at once. A few more wait, members before guests.
 *
 * @throws UploadRefused when it is no image of the four types, damaged or too large (of the promise).
 * @throws BUSY when too many wait, or the machine can't keep up (of the promise).
 */
export function createImageProcessor(
  encode: (image: SourceImage) => Promise<Rendering> = createImageWorker(),
): ImageProcessor {
  const queue = createRankedQueue({
    slots: CONCURRENCY,
    strangerSlots: MAX_GUESTS,
    queue: { known: QUEUE, stranger: QUEUE },
    overflow: () => failure('BUSY', { retryAfter: 5 }),
  });
  return ({ bytes, declared, rank = 'known' }) => queue.run(rank, () => encode({ bytes, declared }));
}

import { IMAGE } from '#contract/domains/media.ts';
import { createFetcher, type FetchError, type FetcherOptions, NotFetched } from '#server/lib/network/guarded-fetch.ts';

/** The image could not be fetched, with the reason. */
export class ImageNotFetched extends Error {
  override name = 'ImageNotFetched';
  readonly why: FetchError;

  constructor(why: FetchError, cause?: unknown) {
    super(`image not fetched: ${why}`, { cause });
    this.why = why;
  }
}

export type ImageFetcher = (url: string) => Promise<Buffer>;

/**
 * Fetches an image from a URL that a person entered, 5 MB at most, by `guarded-fetch.ts`. The image processor checks whether it is
 * an image.
 *
 * @throws ImageNotFetched (rejects the promise).
 */
export function createImageFetcher(means: FetcherOptions = {}): ImageFetcher {
  const what = { accept: 'image/webp,image/png,image/jpeg,image/gif', agent: 'Florka (image copy)' };
  const fetchGuarded = createFetcher({ ...what, maxBytes: IMAGE.maxBytes }, means);
  return (url) =>
    fetchGuarded(url).catch((error: unknown) => {
      throw error instanceof NotFetched ? new ImageNotFetched(error.why, error.cause) : error;
    });
}

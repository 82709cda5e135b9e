import { IMAGE } from '#contract/domains/media.ts';
import { createFetcher, type FetchError, type FetcherOptions, NotFetched } from '#server/lib/network/guarded-fetch.ts';

/** No image was fetched, and why. */
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
 * Fetches what people name as an image, at most 5 MB, as `guarded-fetch.ts` does. Whether it is an image is for the studio to
 * say.
 *
 * @throws ImageNotFetched (of the promise).
 */
export function createImageFetcher(means: FetcherOptions = {}): ImageFetcher {
  const what = { accept: 'image/webp,image/png,image/jpeg,image/gif', agent: 'Florka (image copy)' };
  const fetchGuarded = createFetcher({ ...what, maxBytes: IMAGE.maxBytes }, means);
  return (url) =>
    fetchGuarded(url).catch((error: unknown) => {
      throw error instanceof NotFetched ? new ImageNotFetched(error.why, error.cause) : error;
    });
}

import { createHash } from 'node:crypto';
import { LIMITS } from '#contract/limits.ts';
import type { HttpServices } from '#server/http/context.ts';
import { addressLimits, consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { type Card, drawCard } from './card.ts';
import type { CardStore } from './card-store.ts';
import { ShareUnavailable } from './shared-document.ts';

/** Everything that determines the look of a card; the content of an uploaded image never changes under its URL. */
export interface CardFacts extends Omit<Card, 'picture' | 'mark'> {
  imageAddress: string | null;
  /** URL of the site's own mark; null for the default mark. */
  markAddress: string | null;
}

/** Part of every card's key: has to be increased when drawCard draws something else from the same facts. */
const DRAWING_VERSION = 3;
/** Maximum number of queued drawings; each takes about 0.1 s of processor time. */
const MAX_QUEUE = 40;

/** Consumes the rate limit for drawings of an address, over all processes. */
export const drawingLimit =
  (services: Pick<HttpServices, 'db' | 'now'>) =>
  (address: string): Promise<void> =>
    consumeRateLimits(services.db, addressLimits('drawing', address, LIMITS.drawingAddressMinute), services.now());

/**
 * Creates cards from their facts: stored ones are reused, others are drawn one at a time, because drawing occupies the
 * processor and blocks everything else in this process.
 *
 * @param options.consumeDrawingLimit consumes the rate limit of the client. @throws RATE_LIMITED
 */
export function createDrawing(options: {
  store: CardStore;
  readImage: (address: string) => Promise<Uint8Array | null>;
  consumeDrawingLimit: (address: string) => Promise<void>;
}) {
  let lastJob: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  function draw(card: Card): Promise<Buffer> {
    if (waiting >= MAX_QUEUE) throw new ShareUnavailable('too many drawings');
    waiting++;
    const mine = lastJob.then(() => drawCard(card)).finally(() => waiting--);
    lastJob = mine.catch(() => {});
    return mine;
  }

  return async (facts: CardFacts, clientAddress: string): Promise<Buffer> => {
    const key = createHash('sha256')
      .update(JSON.stringify([DRAWING_VERSION, facts]))
      .digest('hex');
    const stored = await options.store.read(key);
    if (stored) return stored;
    await options.consumeDrawingLimit(clientAddress);
    const { imageAddress, markAddress, ...card } = facts;
    const readOwn = (address: string | null) =>
      address?.startsWith('/media/') ? options.readImage(address).catch(() => null) : undefined;
    const [picture, mark] = await Promise.all([readOwn(imageAddress), readOwn(markAddress)]);
    const drawn = await draw({ ...card, picture: picture ?? null, mark: mark ?? null });
    // A card without its image is sent, but not stored: the image may be readable the next time.
    if (picture !== null && mark !== null) await options.store.write(key, drawn);
    return drawn;
  };
}

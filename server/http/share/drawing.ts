import { createHash } from 'node:crypto';
import { LIMITS } from '#contract/limits.ts';
import type { HttpServices } from '#server/http/context.ts';
import { addressLimits, consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { type Card, drawCard } from './card.ts';
import type { CardStore } from './card-store.ts';
import { ShareUnavailable } from './shared.ts';

/** All that decides how a card looks; an uploaded image never changes under its address. */
export interface CardFacts extends Omit<Card, 'picture' | 'mark'> {
  imageAddress: string | null;
  /** Of the site's own mark; null for the drawn one. */
  markAddress: string | null;
}

/** Part of every card's key: raise it when drawCard draws something else from the same facts. */
const DRAWING_VERSION = 3;
/** Drawings that may wait for their turn; each takes about 0.1 s of a processor. */
const MAX_QUEUE = 40;

/** Counts the drawings of an address, in all processes together. */
export const drawingLimit =
  (services: Pick<HttpServices, 'db' | 'now'>) =>
  (address: string): Promise<void> =>
    consumeRateLimits(services.db, addressLimits('drawing', address, LIMITS.drawingAddressMinute), services.now());

/**
 * Cards from their facts: a kept one where there is one, else drawn, one at a time, because drawing takes a whole processor
 * and everything else on this process waits meanwhile.
 *
 * @param options.consumeDrawingLimit counts a drawing against the limit of who asks for it, and throws when it is reached.
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

  return async (facts: CardFacts, asker: string): Promise<Buffer> => {
    const key = createHash('sha256')
      .update(JSON.stringify([DRAWING_VERSION, facts]))
      .digest('hex');
    const stored = await options.store.read(key);
    if (stored) return stored;
    await options.consumeDrawingLimit(asker);
    const { imageAddress, markAddress, ...card } = facts;
    const readOwn = (address: string | null) =>
      address?.startsWith('/media/') ? options.readImage(address).catch(() => null) : undefined;
    const [picture, mark] = await Promise.all([readOwn(imageAddress), readOwn(markAddress)]);
    const drawn = await draw({ ...card, picture: picture ?? null, mark: mark ?? null });
    // Without its images it is good for now, but not for as long as the data stay the same.
    if (picture !== null && mark !== null) await options.store.write(key, drawn);
    return drawn;
  };
}

import { ORPCError } from '@orpc/server';
import type { Tx } from '#server/db/client.ts';
import { keepImageUrl, releaseMedia } from './media.service.ts';

/** As the contract's own checks say it, so that forms find the field. */
export const imageNotValid = () =>
  new ORPCError('BAD_REQUEST', {
    message: 'Input validation failed',
    data: { issues: [{ path: ['imageUrl'], message: 'Not valid' }] },
  });

/**
 * Gives a record another image, in the transaction that writes its address: the new one is marked as used, the old one is
 * given up. A record shows uploads only; the address that it had already stays good.
 *
 * @throws BAD_REQUEST naming imageUrl for any other address, and for an upload that is gone.
 */
export async function swapImage(tx: Tx, old: string | null, next: string | null, now: Date): Promise<void> {
  if (old === next) return;
  if (next !== null) {
    if (!next.startsWith('/media/')) throw imageNotValid();
    await keepImageUrl(tx, next, 'anyone', now).catch((error: { code?: string }) => {
      throw error.code === 'NOT_FOUND' ? imageNotValid() : error;
    });
  }
  await releaseMedia(tx, old, now);
}

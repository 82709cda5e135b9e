import { isLoopback, networksOf } from '#server/lib/network/address.ts';

/** One counter that an acquired slot increments, and its maximum. */
export interface Share {
  key: string;
  max: number;
}

export interface Slots {
  /**
   * Acquires a slot for the duration of some work.
   *
   * @returns the function that releases the slot (idempotent), 'full' when all slots are in use, or 'shareFull' when the
   *   maximum of a share is reached.
   */
  acquire(shares: readonly Share[]): (() => void) | 'full' | 'shareFull';
  readonly size: number;
}

/**
 * Counts concurrent work in this process, in total and per share.
 *
 * @param max slots in total.
 */
export function createSlots(max: number): Slots {
  const taken = new Map<string, number>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    acquire(shares) {
      if (shares.some((share) => (taken.get(share.key) ?? 0) >= share.max)) return 'shareFull';
      if (size >= max) return 'full';
      size++;
      for (const { key } of shares) taken.set(key, (taken.get(key) ?? 0) + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        size--;
        for (const { key } of shares) {
          const left = (taken.get(key) ?? 1) - 1;
          if (left > 0) taken.set(key, left);
          else taken.delete(key);
        }
      };
    },
  };
}

/**
 * The shares of an address and of its networks. Empty for loopback addresses: behind a proxy on this machine that sends
 * no client address, one loopback address stands for all visitors.
 *
 * @param each slots of one address; its networks have more (`networksOf`).
 */
export const sharesOf = (address: string, each: number): Share[] =>
  isLoopback(address) ? [] : networksOf(address).map(({ key, factor }) => ({ key, max: each * factor }));

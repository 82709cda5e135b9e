import { isLoopback, networksOf } from '#server/lib/network/address.ts';

/** One count that a taken place goes into, and how far it may go. */
export interface Share {
  key: string;
  most: number;
}

export interface Places {
  /**
   * Takes a place for as long as something is under way.
   *
   * @returns the function that gives it back (once; more calls do nothing), 'full' when all places are taken, or
   *   'crowded' when a share is used up.
   */
  take(shares: readonly Share[]): (() => void) | 'full' | 'crowded';
  readonly size: number;
}

/** Counts what is under way at once, in all and by shares, in this process. @param most places in all. */
export function createSlots(most: number): Places {
  const taken = new Map<string, number>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    take(shares) {
      if (shares.some((share) => (taken.get(share.key) ?? 0) >= share.most)) return 'crowded';
      if (size >= most) return 'full';
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
 * The shares of an address and of the networks it lies in; none for this machine itself, which stands for everybody when
 * a proxy on it does not say who asks.
 *
 * @param each places of one address; its networks have more (`networksOf`).
 */
export const sharesOf = (address: string, each: number): Share[] =>
  isLoopback(address) ? [] : networksOf(address).map(({ key, factor }) => ({ key, most: each * factor }));

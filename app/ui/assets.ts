import { createContext, useContext } from 'react';

/** Scheme and host from which images come; empty: from the site itself. */
export const AssetsBase = createContext('');

/** Where a browser gets an image: an uploaded one from the address for images, any other where it is. */
export function useAsset<Source extends string | null | undefined>(source: Source): Source | string {
  const base = useContext(AssetsBase);
  return source?.startsWith('/media/') ? base + source : source;
}

import { createContext, useContext } from 'react';

/** Origin of images; empty: the site itself. */
export const AssetsBase = createContext('');

/** URL of an image for the browser: an uploaded one from the image origin, any other unchanged. */
export function useAsset<Source extends string | null | undefined>(source: Source): Source | string {
  const base = useContext(AssetsBase);
  return source?.startsWith('/media/') ? base + source : source;
}

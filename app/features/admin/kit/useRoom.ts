import { useMedia } from './useMedia.ts';

/** Between phones, where a row is a card, and screens with room for every column. */
const TIGHT = '(48rem <= width < 80rem)';
const NARROW = '(48rem <= width < 96rem)';

/** Which columns have room on this screen, and which stand elsewhere; `tight` where there is little. */
export function useRoom<One extends { roomy?: boolean | 'wide' }>(all: One[]) {
  const [tight, narrow] = [useMedia(TIGHT), useMedia(NARROW)];
  const collapsed = all.filter(({ roomy }) => roomy && (roomy === 'wide' ? narrow : tight));
  return { tight, collapsed, columns: all.filter((column) => !collapsed.includes(column)) };
}

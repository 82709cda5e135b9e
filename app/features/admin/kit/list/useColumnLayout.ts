import { useMediaQuery } from '../useMediaQuery.ts';
import type { Column } from './AdminTable.tsx';

/** Widths between phones, where a row is a card, and screens wide enough for every column. */
const TIGHT = '(48rem <= width < 80rem)';
const NARROW = '(48rem <= width < 96rem)';

/** Visible and collapsed columns for the current width; `tight` when some are collapsed, `under` when those are in a line below the row. */
export function useColumnLayout<One extends Pick<Column<never>, 'collapsible'>>(all: One[]) {
  const [tight, narrow] = [useMediaQuery(TIGHT), useMediaQuery(NARROW)];
  const collapsed = all.filter(({ collapsible }) => collapsible && (collapsible === true ? tight : narrow));
  return {
    tight,
    under: tight || collapsed.some(({ collapsible }) => collapsible === 'line'),
    collapsed,
    columns: all.filter((column) => !collapsed.includes(column)),
  };
}

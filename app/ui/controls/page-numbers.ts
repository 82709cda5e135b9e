/** A gap in the row of pages; a row can have two, hence the side. */
export type PageSlot = number | 'gap-start' | 'gap-end';

/** The pages to show: all of them up to five, otherwise first, last and a window around the current one. */
export function pageNumbers(page: number, pages: number): PageSlot[] {
  if (pages <= 5) return Array.from({ length: pages }, (_, i) => i + 1);
  const from = Math.max(2, Math.min(page - 1, pages - 3));
  const to = Math.min(pages - 1, Math.max(page + 1, 4));
  const row: PageSlot[] = [1];
  if (from > 2) row.push('gap-start');
  for (let n = from; n <= to; n++) row.push(n);
  if (to < pages - 1) row.push('gap-end');
  row.push(pages);
  return row;
}

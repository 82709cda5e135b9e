/** The room that a label needs on the narrowest chart, as a part of its width. */
const LABEL_ROOM = 0.15;

/**
 * The marks whose labels do not overlap: the last one, and before it those with enough room. The others are lines only.
 *
 * @param points number of points of the chart.
 */
export function labelled<Mark extends { point: number }>(marks: readonly Mark[], points: number): ReadonlySet<Mark> {
  const shown: Mark[] = [];
  for (const mark of marks.toSorted((a, b) => b.point - a.point)) {
    const next = shown.at(-1);
    if (!next || (next.point - mark.point) / Math.max(1, points - 1) >= LABEL_ROOM) shown.push(mark);
  }
  return new Set(shown);
}

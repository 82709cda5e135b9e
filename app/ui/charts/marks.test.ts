import { expect, it } from 'vitest';
import { labelled } from './marks.ts';

const named = (points: number[], days: number) => {
  const marks = points.map((point) => ({ point }));
  return [...labelled(marks, days)].map(({ point }) => point);
};

it('a chart labels the newest mark, and earlier ones where there is room', () => {
  // Weekly rounds in ninety days.
  expect(named([5, 12, 19, 26, 33, 40, 47, 54, 61, 68, 75, 82], 90)).toEqual([82, 68, 54, 40, 26, 12]);
  // A round that is closed early and the next one begin on the same day.
  expect(named([3, 3], 7)).toEqual([3]);
  expect(named([0, 6], 7)).toEqual([6, 0]);
  expect(named([0], 1)).toEqual([0]);
  expect(named([], 7)).toEqual([]);
});

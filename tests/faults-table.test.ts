import { expect, it } from 'vitest';
import { pageWith, type Row } from '../faults/table.ts';

const row = (title: string, over: Partial<Row> = {}): Row => ({
  title,
  repetitions: 3,
  acknowledged: 40,
  lost: [],
  doubled: [],
  wrong: [],
  recovery: [0.4, 2.25],
  seen: '40 written',
  ...over,
});
const PAGE =
  'Before.\n\n<!-- table: npm run faults -- --write -->\n\nnothing yet\n\n<!-- end of the table -->\nAfter.\n';
const ORDER = ['first', 'second', 'third'];
const linesOf = (page: string) => page.split('\n').filter((line) => line.startsWith('|'));

it('a new row of a fault replaces its previous one and leaves the rows of other faults unchanged', () => {
  const once = pageWith(PAGE, [row('second'), row('first')], 'then', ORDER);
  const twice = pageWith(once, [row('first', { lost: ['a vote'] }), row('third')], 'now', ORDER);
  expect(linesOf(twice).slice(2)).toEqual([
    '| first | 3 | 40 | 1 | 0 | 2.3 | 40 written | now |',
    '| second | 3 | 40 | 0 | 0 | 2.3 | 40 written | then |',
    '| third | 3 | 40 | 0 | 0 | 2.3 | 40 written | now |',
  ]);
  expect(twice.startsWith('Before.\n\n<!-- table')).toBe(true);
  expect(twice.endsWith('<!-- end of the table -->\nAfter.\n')).toBe(true);
});

it('the row of a removed fault is deleted, and the row of a skipped fault states the reason', () => {
  const page = pageWith(pageWith(PAGE, [row('first'), row('gone')], 'then', [...ORDER, 'gone']), [], 'now', ORDER);
  expect(linesOf(page)).toHaveLength(3);
  const skipped = pageWith(PAGE, [row('first', { skipped: 'no root' })], 'now', ORDER);
  expect(linesOf(skipped)[2]).toBe('| first | 0 |  |  |  |  | not made: no root | now |');
});

it('a row states the number of wrong values, also if nothing was lost or duplicated', () => {
  const page = pageWith(PAGE, [row('first', { wrong: ['a total', 'a connection'] })], 'now', ORDER);
  expect(linesOf(page)[2]).toBe('| first | 3 | 40 | 0 | 0 | 2.3 | **2 wrong**; 40 written | now |');
});

import { expect, it } from 'vitest';
import type { Row } from '../bench/lib/report.ts';
import { resultsWith } from '../bench/lib/results.ts';

const row = (what: string, result = '1.0'): Row => ({
  what,
  ours: '2/s',
  reference: '2/s',
  result,
  target: '≥ 1',
  met: 'yes',
});
const PAGE =
  'Before.\n\n<!-- table: npm run bench -- --write -->\n\nnothing yet\n\n<!-- end of the table -->\nAfter.\n';
const ORDER = ['a', 'b', 'c'];
const seenIn = (page: string) =>
  page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => [cells[1], cells[4], cells[7]]);

it('new rows of a figure replace all its previous rows and leave the other figures unchanged', () => {
  let page = resultsWith(PAGE, 'b', [row('b) first'), row('b) second')], 'then', ORDER);
  page = resultsWith(page, 'a', [row('a) only')], 'then', ORDER);
  page = resultsWith(page, 'b', [row('b) another', '2.0')], 'now', ORDER);
  page = resultsWith(page, 'c', [row('c) last')], 'now', ORDER);
  expect(seenIn(page)).toEqual([
    ['a) only', '1.0', 'then'],
    ['b) another', '2.0', 'now'],
    ['c) last', '1.0', 'now'],
  ]);
  expect(page.startsWith('Before.\n\n<!-- table')).toBe(true);
  expect(page.endsWith('<!-- end of the table -->\nAfter.\n')).toBe(true);
});

it('rows of a figure that is no longer measured are removed', () => {
  const page = resultsWith(PAGE, 'b', [row('b) one')], 'then', ORDER);
  expect(seenIn(resultsWith(page, 'a', [row('a) one')], 'now', ['a']))).toEqual([['a) one', '1.0', 'now']]);
});

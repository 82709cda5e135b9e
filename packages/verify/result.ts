// Signed results of days and rounds: a note signed by the log, with the table as its text.
import { fromBase64, toBase64 } from './bytes.ts';
import type { Row, Tally } from './tally.ts';

export interface Result {
  origin: string;
  /** `round/<number>` or `day/<YYYY-MM-DD>`. */
  of: string;
  /** Number of leaves it covers; `root` is the root of their tree. */
  size: number;
  root: Uint8Array;
  rows: Row[];
}

const MOMENT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z';
const ROW = new RegExp(`^([1-9]\\d*) ([0-9a-f-]{36}) ([1-9]\\d*) (-|${MOMENT})$`);

/**
 * The text of a result, as it is signed. Its first line differs from the log's name, so it cannot be used as a
 * checkpoint.
 */
export const formatResult = ({ origin, of, size, root, rows }: Result): string =>
  [
    `${origin}/result`,
    'florka-result/1',
    `of ${of}`,
    `size ${size}`,
    `root ${toBase64(root)}`,
    `rows ${rows.length}`,
    ...rows.map(({ candidate, votes, reached }, i) => `${i + 1} ${candidate} ${votes} ${reached ?? '-'}`),
    '',
  ].join('\n');

/** @returns null for a text that is not the canonical form of a result. */
export function parseResult(text: string): Result | null {
  const [first = '', kind, of = '', size = '', root = '', count = '', ...lines] = text.split('\n');
  const bytes = fromBase64(root.slice('root '.length));
  if (lines.pop() !== '' || kind !== 'florka-result/1' || !first.endsWith('/result') || bytes?.length !== 32)
    return null;
  const rows: Row[] = [];
  for (const [i, line] of lines.entries()) {
    const match = ROW.exec(line);
    if (!match || Number(match[1]) !== i + 1) return null;
    rows.push({
      candidate: match[2] ?? '',
      votes: Number(match[3]),
      reached: match[4] === '-' ? null : (match[4] ?? null),
    });
  }
  const result = {
    origin: first.slice(0, -'/result'.length),
    of: of.slice('of '.length),
    size: Number(size.slice('size '.length)),
    root: bytes,
    rows,
  };
  return count === `rows ${rows.length}` && formatResult(result) === text ? result : null;
}

/**
 * Compares a statement with a recount. Leaves contain the minute of a vote, statements the microsecond at which each
 * total was reached: it has to be within that minute, and the order has to follow from it.
 *
 * @returns the differences as English sentences; empty if there is none.
 */
export function compareResult(claimed: readonly Row[], counted: readonly Row[], tally: Tally): string[] {
  const found: string[] = [];
  const own = new Map(counted.map((row) => [row.candidate, row]));
  if (new Set(claimed.map((row) => row.candidate)).size !== claimed.length)
    found.push('a candidate stands there twice');
  for (const row of claimed) {
    const mine = own.get(row.candidate);
    if (!mine) found.push(`${row.candidate} has ${row.votes} votes there and none in the ledger`);
    else if (mine.votes !== row.votes)
      found.push(`${row.candidate} has ${row.votes} votes there and ${mine.votes} in the ledger`);
    else if (row.reached !== null && `${row.reached.slice(0, 16)}Z` !== mine.reached)
      found.push(`${row.candidate} reached its total at ${row.reached} there and at ${mine.reached} in the ledger`);
    own.delete(row.candidate);
  }
  for (const row of own.values())
    found.push(`${row.candidate} has ${row.votes} votes in the ledger and is missing there`);
  const follows = (rows: readonly Row[]) =>
    tally.ranked(rows).every((row, i) => row.candidate === claimed[i]?.candidate);
  if (!follows(claimed)) found.push('the order does not follow the rule');
  // Omitting a time that the leaves contain must not win a tie.
  const minutes = new Map(counted.map((row) => [row.candidate, row.reached]));
  if (!follows(claimed.map((row) => ({ ...row, reached: row.reached ?? minutes.get(row.candidate) ?? null }))))
    found.push('the order rests on a moment that is left out');
  return found;
}

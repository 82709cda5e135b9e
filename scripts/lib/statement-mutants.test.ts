import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutantsOf } from './statement-mutants.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** A file with one statement. */
const file = (sql: string) => `const limit = 1 + 2;\nexport const text = (at) => \`${sql}\`;\n`;
/** A parameter, as code writes it into a statement. */
const PARAMETER = '$'.concat('{at.d}');
const changed = (sql: string) => mutantsOf('a.sql.ts', file(sql)).map(({ before, after }) => [before, after]);

describe('mutants of statements', () => {
  it('omit each condition after the first one, with its parentheses and parameters', () => {
    expect(changed(`select a from t where b and (c or d = ${PARAMETER}) and not exists (select 1) order by a`)).toEqual(
      [
        [`(c or d = ${PARAMETER})`, 'true'],
        ['not exists', 'exists'],
        ['not exists (select 1)', 'true'],
      ],
    );
    expect(changed('select a from (select b from t where c and d) as u')).toEqual([['d', 'true']]);
    expect(changed('select a from t join u on b and c join v on d')).toEqual([['c', 'true']]);
  });

  it('change comparisons, sums, orders and null checks', () => {
    expect(changed('select a + b from t where c <= d and e is null order by f desc nulls first')).toEqual([
      ['+', '-'],
      ['<=', '<'],
      ['e is null', 'true'],
      ['is null', 'is not null'],
      ['desc', 'asc'],
      ['nulls first', 'nulls last'],
    ]);
  });

  it('omit locks', () => {
    expect(changed('select a from t for no key update')).toEqual([[' for no key update', '']]);
  });

  it('change no code outside of a statement', () => {
    expect(mutantsOf('a.ts', 'const a = b <= c ? b + c : c - b;')).toEqual([]);
  });

  it('have exact positions, and exist for every file of statements of voting', () => {
    const files = globSync('server/domains/voting/**/*.sql.ts', { cwd: ROOT });
    expect(files.length).toBeGreaterThan(5);
    const without: string[] = [];
    for (const one of files) {
      const text = readFileSync(path.join(ROOT, one), 'utf8');
      const found = mutantsOf(one, text);
      if (found.length === 0) without.push(one);
      for (const { from, to, before, after } of found) {
        expect(text.slice(from, to)).toBe(before);
        expect(after).not.toBe(before);
      }
    }
    // A lock by name, and an insert whose condition and order are other files'.
    expect(without).toEqual(['server/domains/voting/rounds/round-ends.sql.ts']);
  });
});

import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { applyMutant, mutantsOf } from './sql-mutants.ts';

const statement = (sql: string) => `export const one = statement({\n  text: (at) => \`${sql}\`,\n});\n`;
const changed = (sql: string) =>
  mutantsOf(statement(sql)).map((mutant) => applyMutant(statement(sql), mutant).split('`')[1]);

it('moves comparisons by one, turns sums, and drops locks', () => {
  expect(changed('select a + 1 from t where b <= 2 for update')).toEqual([
    'select a - 1 from t where b <= 2 for update',
    'select a + 1 from t where b < 2 for update',
    'select a + 1 from t where b <= 2',
  ]);
});

it('leaves one condition after the other out, with its brackets and parameters', () => {
  const sql = `select 1 from t where a = \${at.id} and (b = \${at.now} or c) and not d\n order by e`;
  expect(changed(sql)).toEqual([
    `select 1 from t where a = \${at.id}  and not d\n order by e`,
    `select 1 from t where a = \${at.id} and (b = \${at.now} and c) and not d\n order by e`,
    `select 1 from t where a = \${at.id} and (b = \${at.now} or c) \n order by e`,
  ]);
});

it('changes nothing between parameters, and nothing outside of statements', () => {
  const outside = 'const limit = a <= b ? 1 : 2;\n';
  expect(mutantsOf(`${outside}export const two = statement({ text: (at) => \`select \${at.a <= at.b}\` });`)).toEqual(
    [],
  );
});

it('finds changes in every statement of the votes, each at its place', () => {
  const files = globSync('server/domains/voting/*.sql.ts').filter((file) =>
    readFileSync(file, 'utf8').includes('statement({'),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    const mutants = mutantsOf(source);
    expect(mutants.length, file).toBeGreaterThan(0);
    for (const { offset, from, line } of mutants) {
      expect(source.slice(offset, offset + from.length)).toBe(from);
      expect(source.split('\n')[line - 1]).toContain(from.split('\n')[0]?.trim().split(' ')[0]);
    }
  }
});

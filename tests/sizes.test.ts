import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFolders, checkSizes, readCode } from '../scripts/check-sizes.ts';

const statements = (count: number) => 'run();\n'.repeat(count);
const violations = (file: string, text: string, exceptions = {}) =>
  checkSizes([{ path: file, text }], exceptions).violations.map(({ kind, key, lines }) => [kind, key, lines]);

describe('limits of sizes', () => {
  it('hold in every tree', () => {
    expect(checkSizes(readCode(path.resolve(import.meta.dirname, '..'))).violations).toEqual([]);
  });

  it('allow a function of 120 lines and a file of 400', () => {
    expect(violations('server/a.ts', `function a() {\n${statements(118)}}\n`)).toEqual([]);
    expect(violations('server/a.ts', statements(400))).toEqual([]);
  });

  it.each([
    ['a declaration', 'server/a.ts', `async function load() {\n${statements(119)}}\n`, 'server/a.ts load'],
    ['an arrow function', 'server/a.ts', `const load = () => {\n${statements(119)}};\n`, 'server/a.ts load'],
    ['a method', 'server/a.ts', `const a = { load() {\n${statements(119)}} };\n`, 'server/a.ts load'],
    ['a method of a class', 'server/a.ts', `class A { load(): void {\n${statements(119)}} }\n`, 'server/a.ts load'],
    ['a component', 'app/A.tsx', `const A = () => (\n<p>${'\n'.repeat(119)}</p>);\n`, 'app/A.tsx A'],
    ['a parameter of a call', 'faults/a.ts', `run(() => {\n${statements(119)}});\n`, 'faults/a.ts '],
    [
      'one with brackets in texts',
      'server/a.ts',
      `function load() {\nrun('}', \`}\`, /}/);${statements(119)}}\n`,
      'server/a.ts load',
    ],
  ])('refuse %s of 121 lines', (_, file, text, key) => {
    expect(violations(file, text)).toEqual([['function', key, 121]]);
  });

  it.each(['scripts/a.mjs', 'app/a.css', 'packages/a.py', 'server/jobs/messages/a.ts'])(
    'refuse %s of 401 lines',
    (file) => {
      expect(violations(file, statements(401))).toEqual([['file', file, 401]]);
    },
  );

  it.each(['server/a.test.ts', 'app/A.test.tsx', 'tests/e2e/a.e2e.ts'])(
    'refuse %s of 401 lines, and allow a scenario of 399',
    (file) => {
      expect(violations(file, statements(401))).toEqual([['file', file, 401]]);
      expect(violations(file, `it('a', () => {\n${statements(397)}});\n`)).toEqual([]);
    },
  );

  it.each(['app/lib/messages/a.ts', 'server/generated/a.ts'])('leave %s alone', (file) => {
    expect(violations(file, statements(500))).toEqual([]);
  });

  it('report an exception that is no longer needed', () => {
    const file = { path: 'server/a.ts', text: statements(401) };
    const { violations, unused } = checkSizes([file], { 'server/a.ts': 'one', 'server/b.ts': 'two' });
    expect([violations, unused]).toEqual([[], ['server/b.ts']]);
  });
});

describe('limits of folders', () => {
  const many = (folder: string, count: number, ending = '.ts') =>
    Array.from({ length: count }, (_, i) => `${folder}/${i}${ending}`);

  it('hold in every tree', () => {
    const files = readCode(path.resolve(import.meta.dirname, '..')).map((file) => file.path);
    expect(checkFolders(files)).toEqual({ violations: [], unused: [] });
  });

  it('allow 25 files; tests, scenarios and subfolders are not counted', () => {
    const rest = [
      ...many('server/lib', 9, '.test.ts'),
      ...many('server/lib', 9, '.e2e.ts'),
      ...many('server/lib/b', 9),
    ];
    expect(checkFolders([...many('server/lib', 25), ...rest], {}).violations).toEqual([]);
    expect(checkFolders([...many('server/lib', 26), ...rest], {}).violations).toEqual([
      { folder: 'server/lib', files: 26 },
    ]);
  });

  it('allow more files in an excepted folder, and report an exception that is no longer needed', () => {
    expect(checkFolders(many('app/pages', 26), { 'app/pages': 'a page' })).toEqual({ violations: [], unused: [] });
    expect(checkFolders(many('app/pages', 25), { 'app/pages': 'a page' }).unused).toEqual(['app/pages']);
  });
});

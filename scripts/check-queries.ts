// Refuses places where the type of a query's rows is only claimed: `execute<Row>`, `query<Row>`, `sql<Type>`. Nobody
// compares such a type with what PostgreSQL answers; the query builder infers it, and server/db/statement.ts has it confirmed
// (docs/adr/0036-typed-data-access.md).
import type { SourceFile } from './check-borders.ts';
import { readCode } from './check-sizes.ts';

/** A call with a type of its own making; the declaration of such a method is none. */
const CLAIM = /\.\s*(?:execute|query)\s*<|\bsql\s*<(?!=)/g;

const isProduct = (path: string): boolean => /^(server|scripts)\//.test(path) && !/\.test\.ts$/.test(path);

/** What may count rows of its own making: the helper that has them confirmed. */
const HELPER = 'server/db/statement.ts';

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Comments may contain such text too. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));

/** Every claim, and every described statement that the test would not find; `file:line` and what is wrong. */
export function checkQueries(files: SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    if (!isProduct(path) || path === HELPER) return [];
    const code = withoutComments(text);
    const claims = [...code.matchAll(CLAIM)].map(
      ({ index }) =>
        `${path}:${lineOf(code, index)}: the type of these rows is only claimed (docs/adr/0036-typed-data-access.md)`,
    );
    // A described statement that is not in a file of its own would be missed by the test that has them confirmed.
    const hidden =
      !path.endsWith('.sql.ts') &&
      /import\s*\{[^}]*\b(statement|command)\b[^}]*\}\s*from '#server\/db\/statement/.test(code);
    return hidden ? [...claims, `${path}: a statement belongs into a *.sql.ts`] : claims;
  });
}

if (import.meta.main) {
  const wrong = checkQueries(readCode(process.cwd()));
  for (const sentence of wrong) console.log(sentence);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

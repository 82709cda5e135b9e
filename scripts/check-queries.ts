// Refuses places where the type of a query's rows is only claimed: `execute<Row>`, `query<Row>`, `sql<Type>`. Nobody
// compares such a type with what PostgreSQL answers; the query builder infers it, and server/db/statement.ts has it confirmed
// (docs/adr/0036-typed-data-access.md). Also refuses statements that are executed as text, `.execute(sql…)`, outside of `*.sql.ts`:
// nobody compares their columns and parameters with the database before they run. It does not find SQL inside a query of the builder,
// such as `.from(sql…)`: the inbox and the search have whole queries of this form (inbox-waiting.ts and inbox.service.ts,
// token-search.ts and search.service.ts).
import type { SourceFile } from './check-borders.ts';
import { readCode } from './check-sizes.ts';

/** A call with a type argument; the declaration of such a method is not one. */
const CLAIM = /\.\s*(?:execute|query)\s*<|\bsql\s*<(?!=)/g;

const DESCRIBED = /= (?:statement|command)\(/g;

/** A statement that is executed as text. */
const WRITTEN = /\.\s*execute\s*\(\s*sql\b/g;

/** Files whose statement can't be described before it runs, and why. One that no longer needs it fails the check too. */
const UNDESCRIBED: Readonly<Record<string, string>> = {
  'server/domains/ledger/append.service.ts': 'sets the isolation of its transaction, which is no query',
  'server/jobs/upkeep/housekeeping.job.ts': 'deletes by a table of texts that contain settings, and returns no rows',
  'server/records/trash.ts': 'the table and its columns are those of a kind of record',
};

const isProduct = (path: string): boolean => /^(server|scripts)\//.test(path) && !/\.test\.ts$/.test(path);

/** Exempt: the helper that verifies the types of its rows. */
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
    const written = [...code.matchAll(WRITTEN)].map(({ index }) => lineOf(code, index));
    const outside =
      path in UNDESCRIBED
        ? written.length > 0
          ? []
          : [`${path}: no longer needs an exception: remove it from scripts/check-queries.ts`]
        : written.map(
            (line) =>
              `${path}:${line}: use the query builder, or a statement of a *.sql.ts, which a test has confirmed`,
          );
    return [...claims, ...outside, ...(hidden ? [`${path}: a statement belongs into a *.sql.ts`] : [])];
  });
}

if (import.meta.main) {
  const files = readCode(process.cwd());
  const wrong = checkQueries(files);
  for (const sentence of wrong) console.log(sentence);
  const described = files
    .filter(({ path }) => path.endsWith('.sql.ts'))
    .flatMap(({ text }) => text.match(DESCRIBED) ?? []);
  console.log(
    `${described.length} described statements, ${wrong.length} other claims or statements, ${Object.keys(UNDESCRIBED).length} exceptions`,
  );
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

// Counts the places where the type of a query's rows is only claimed: `execute<Row>`, `query<Row>`, `sql<Type>`, and lists of
// the back office that read columns of raw SQL (`readPage<Row>`). Nobody
// compares such a type with what PostgreSQL answers; the query builder infers it, and server/db/statement.ts has it confirmed
// (docs/adr/0036-typed-data-access.md).
import type { SourceFile } from './check-borders.ts';
import { readCode } from './check-sizes.ts';

/**
 * How many claims a folder still has. It only goes down: one more fails the check, and so does a number that is too high.
 * Folders that are not named have none.
 */
const CEILING: Readonly<Record<string, number>> = {
  'server/domains/deliverables': 2,
  'server/domains/vote-review': 4,
  'server/domains/voting': 28,
  // `readPage`, for the lists of those domains.
  'server/records': 1,
};

/** A call with a type of its own making; the declaration of such a method is none. */
const CLAIM = /\.\s*(?:execute|query)\s*<|\bsql\s*<(?!=)|\breadPage\s*<(?!Row extends)/g;

/** A domain, or the folder below a tree. */
const folderOf = (path: string): string =>
  /^server\/domains\/[^/]+/.exec(path)?.[0] ?? path.split('/').slice(0, -1).slice(0, 2).join('/');

const isProduct = (path: string): boolean => /^(server|scripts)\//.test(path) && !/\.test\.ts$/.test(path);

/** What may count rows of its own making: the helper that has them confirmed. */
const HELPER = 'server/db/statement.ts';

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Comments say such things too. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));

/** Every claim, by folder. */
export function claimsOf(files: SourceFile[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { path, text } of files) {
    if (!isProduct(path) || path === HELPER) continue;
    const code = withoutComments(text);
    for (const match of code.matchAll(CLAIM)) {
      const folder = folderOf(path);
      found.set(folder, [...(found.get(folder) ?? []), `${path}:${lineOf(code, match.index)}`]);
    }
    // A described statement that is not in a file of its own would be missed by the test that has them confirmed.
    if (
      !path.endsWith('.sql.ts') &&
      /import\s*\{[^}]*\b(statement|command)\b[^}]*\}\s*from '#server\/db\/statement/.test(code)
    )
      found.set(path, [`${path}: a statement belongs into a *.sql.ts`]);
  }
  return found;
}

/** What is wrong with the numbers, a sentence each. */
export function checkQueries(files: SourceFile[], ceiling: Readonly<Record<string, number>> = CEILING): string[] {
  const found = claimsOf(files);
  return [...new Set([...found.keys(), ...Object.keys(ceiling)])].sort().flatMap((folder) => {
    const claims = found.get(folder) ?? [];
    const most = ceiling[folder] ?? 0;
    if (claims.length > most)
      return [
        `${folder}: ${claims.length} rows whose type is only claimed, at most ${most}:`,
        ...claims.map((one) => `  ${one}`),
      ];
    if (claims.length < most)
      return [
        `${folder}: ${claims.length} rows whose type is only claimed; lower its ceiling of ${most} in scripts/check-queries.ts`,
      ];
    return [];
  });
}

if (import.meta.main) {
  const files = readCode(process.cwd());
  const wrong = checkQueries(files);
  for (const sentence of wrong) console.log(sentence);
  const left = [...claimsOf(files)].map(([folder, claims]) => `${folder} ${claims.length}`);
  const total = [...claimsOf(files).values()].reduce((sum, claims) => sum + claims.length, 0);
  console.log(`${total} rows whose type is only claimed${left.length > 0 ? `: ${left.sort().join(', ')}` : ''}`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

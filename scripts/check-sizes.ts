// How long functions and files may be, and how many files a folder may hold. Catalogues of texts and generated files may be as
// long as they need to be; so may the functions of tests, whose files may not. Tests and scenarios do not count as files of
// their folder: each stands beside what it tests.
import fs from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import type { SourceFile } from './check-borders.ts';

/** Lines, from the first of its parameters to its last bracket. */
const MAX_FUNCTION_LINES = 120;
const MAX_FILE_LINES = 400;
const MAX_FOLDER_FILES = 25;

interface Size {
  /** `path:line name` of a function, `path` of a file. */
  where: string;
  /** What an exception names: `path name` of a function, `path` of a file. */
  key: string;
  kind: 'function' | 'file';
  lines: number;
}

/** What may be longer, by the `key` of its size, and why. One that is no longer needed fails the check too. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/verify-py/florka_verify.py': 'one file without dependencies, which anybody can copy, read and run',
};

/** Folders of one kind of file, and the kind: a newcomer knows the file's name before looking. */
const UNIFORM_FOLDERS: Readonly<Record<string, string>> = {
  'app/lib/messages': 'the texts of one part of the product in both languages',
  'app/lib/messages/admin': 'the texts of one screen of the back office in both languages',
  'app/routes/admin': 'a page of the back office',
  'app/routes/public': 'a page',
  'contract/admin': "a domain's calls of the back office",
  'contract/domains': "a domain's calls",
  'server/db/tables': "a domain's tables",
};

const isExempt = (file: string): boolean => /^app\/lib\/messages\/|(^|\/)generated\//.test(file);

/** Whose functions are measured; of styles and Python only the files are. */
const isScript = (file: string): boolean => /\.(tsx?|mjs)$/.test(file);

/** A scenario or a `describe` is one function. */
const isTest = (file: string): boolean => /\.test\.tsx?$|^tests\/e2e\//.test(file);

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Calls `visit` for each function below a node, with the name that it is known by. */
function walk(node: Node, name: string, visit: (fn: Node, name: string) => void): void {
  const own = [node['id'], node['key']].find((one) => isNode(one) && typeof one['name'] === 'string') as
    | Node
    | undefined;
  const known = own ? String(own['name']) : name;
  if (FUNCTIONS.has(node.type)) visit(node, known);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, known, visit);
}

/**
 * Sizes of a file and of each of its functions, nested ones included.
 * @throws Error for text that is not TypeScript.
 */
function sizesOf({ path: file, text }: SourceFile): Size[] {
  const sizes: Size[] = [{ where: file, key: file, kind: 'file', lines: text.trimEnd().split('\n').length }];
  if (!isScript(file)) return sizes;
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  if (isTest(file)) return sizes;
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  walk(program as unknown as Node, '', (fn, name) => {
    const line = lineOf(fn.start);
    const lines = lineOf(fn.end) - line + 1;
    sizes.push({ where: `${file}:${line} ${name}`, key: `${file} ${name}`, kind: 'function', lines });
  });
  return sizes;
}

/** Every folder with more files of its own than it may have, and the exceptions that nothing needs. */
export function checkFolders(
  paths: string[],
  uniform: Readonly<Record<string, string>> = UNIFORM_FOLDERS,
): { violations: { folder: string; files: number }[]; unused: string[] } {
  const counts = new Map<string, number>();
  for (const file of paths.filter((file) => !/\.test\.tsx?$|\.e2e\.ts$/.test(file))) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const over = [...counts].filter(([, files]) => files > MAX_FOLDER_FILES);
  return {
    violations: over.filter(([folder]) => !(folder in uniform)).map(([folder, files]) => ({ folder, files })),
    unused: Object.keys(uniform).filter((folder) => !over.some(([one]) => one === folder)),
  };
}

const isOver = ({ kind, lines }: Size): boolean => lines > (kind === 'file' ? MAX_FILE_LINES : MAX_FUNCTION_LINES);

/** Everything that is longer than it may be, and the exceptions that nothing needs. */
export function checkSizes(
  files: SourceFile[],
  exceptions: Readonly<Record<string, string>> = EXCEPTIONS,
): { violations: Size[]; unused: string[] } {
  const over = files.filter((file) => !isExempt(file.path)).flatMap((file) => sizesOf(file).filter(isOver));
  return {
    violations: over.filter(({ key }) => !(key in exceptions)),
    unused: Object.keys(exceptions).filter((key) => !over.some((one) => one.key === key)),
  };
}

/** Reads the code and the styles of all trees. */
export function readCode(root: string): SourceFile[] {
  return [
    '{contract,server,app,scripts,bench,faults,attack,emulator,ops,packages,tests}/**/*.{ts,tsx,mjs,css,py}',
    '*.{ts,mjs}',
  ]
    .flatMap((pattern) => fs.globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }))
    .map((file) => ({ path: file.replaceAll(path.sep, '/'), text: fs.readFileSync(path.join(root, file), 'utf8') }));
}

if (import.meta.main) {
  const files = readCode(process.cwd());
  const { violations, unused } = checkSizes(files);
  const folders = checkFolders(files.map((file) => file.path));
  for (const { where, kind, lines } of violations)
    console.log(
      `${where}: ${lines} lines; a ${kind} has at most ${kind === 'file' ? MAX_FILE_LINES : MAX_FUNCTION_LINES}`,
    );
  for (const { folder, files } of folders.violations)
    console.log(
      `${folder}: ${files} files besides tests; a folder has at most ${MAX_FOLDER_FILES}, unless they are of one kind`,
    );
  const needless = [...unused, ...folders.unused];
  for (const key of needless)
    console.log(`${key}: no longer needs an exception: remove it from scripts/check-sizes.ts`);
  console.log(`${files.length} files, ${violations.length} too long, ${Object.keys(EXCEPTIONS).length} exceptions`);
  const count = new Set(files.map((file) => path.posix.dirname(file.path))).size;
  console.log(
    `${count} folders, ${folders.violations.length} with more than ${MAX_FOLDER_FILES} files besides tests, ${Object.keys(UNIFORM_FOLDERS).length} of one kind of file`,
  );
  process.exitCode = violations.length + needless.length + folders.violations.length > 0 ? 1 : 0;
}

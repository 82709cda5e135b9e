// Who may import whom. The rules name kinds of folders and never a domain, so a new domain needs no change here.
// Import cycles of files are Biome's (`noImportCycles`).
import fs from 'node:fs';
import path from 'node:path';

export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  path: string;
  text: string;
}

export interface Violation {
  rule: string;
  /** `path:line` */
  where: string;
  message: string;
}

interface Import {
  from: string;
  /** A path in the project, `node_modules/<specifier>`, or `node:<name>`. */
  to: string;
  typeOnly: boolean;
  /** `import(…)` at run time. */
  dynamic: boolean;
}

interface Rule {
  name: string;
  because: string;
  forbids(edge: Import): boolean;
}

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
const under = (file: string, ...folders: string[]): boolean => folders.some((folder) => file.startsWith(`${folder}/`));
/** The folder directly below `parent` that holds the file: `voting` for server/domains/voting/votes.ts. */
const partOf = (file: string, parent: string): string | undefined =>
  under(file, parent) ? file.slice(parent.length + 1).split('/', 1)[0] : undefined;

/** Plain values without zod, which screens may use at run time. */
const RUNTIME_CONTRACT = [
  'contract/text/clean-text.ts',
  'contract/text/coins.ts',
  'contract/text/comment-anchor.ts',
  'contract/text/notice-address.ts',
  'contract/limits.ts',
  'contract/fields/draft-fields.ts',
  'contract/fields/submission-fields.ts',
  'contract/fields/each.ts',
  'contract/embed.ts',
  'contract/explore.ts',
  'contract/text/figures.ts',
  'contract/text/job-names.ts',
  'contract/text/launch-time.ts',
  'contract/fields/links.ts',
  'contract/text/markup.ts',
  'contract/text/mention.ts',
  'contract/text/names.ts',
  'contract/networks.ts',
  'contract/text/notification-sentences.ts',
  'contract/order-stages.ts',
  'contract/page-views.ts',
  'contract/refund-assets.ts',
  'contract/site.ts',
  'contract/text/plan-items.ts',
  'contract/text/refund-coins.ts',
  'contract/text/sign-in-address.ts',
  'contract/text/unsubscribe-address.ts',
  'contract/text/value-names.ts',
  'contract/text/plan-names.ts',
  'contract/fields/project-texts.ts',
  'contract/staff.ts',
  'contract/stale-copy.ts',
  'contract/trust.ts',
  'contract/token-art.ts',
  'contract/token-colours.ts',
  'contract/fields/token-form.ts',
  'contract/fields/wallets.ts',
];

/** Schemas of what people edit: zod and no @orpc/contract, so the forms of the back office may use them at run time. */
const isFormSchema = (file: string): boolean => under(file, 'contract/admin/forms');
/** A form schema, or a file that form schemas are built from. */
const isSchemaPart = (file: string): boolean => isFormSchema(file) || file === 'contract/fields/schemas.ts';

/** Large, and used by browsers too: screens load it only when they need it. */
const LAZY_CONTRACT = 'contract/fields/evm-checksum.ts';

const RULES: Rule[] = [
  {
    name: 'contract-is-pure',
    because: 'the contract is what both sides agree on, so it depends on neither',
    forbids: ({ from, to }) => under(from, 'contract') && under(to, 'server', 'app', 'tests'),
  },
  {
    name: 'limits-stay-light',
    because: `${RUNTIME_CONTRACT.join(' and ')} are sent to the browser, so they import nothing else at run time`,
    forbids: ({ from, to, typeOnly }) =>
      (RUNTIME_CONTRACT.includes(from) && !RUNTIME_CONTRACT.includes(to) && !typeOnly) ||
      (from === LAZY_CONTRACT && to !== 'node_modules/@noble/hashes/sha3.js'),
  },
  {
    name: 'form-schemas-stay-light',
    because: 'the back office sends the schemas of its forms to the browser, where nothing else of the contract may go',
    forbids: ({ from, to, typeOnly }) =>
      isSchemaPart(from) &&
      !typeOnly &&
      !isSchemaPart(to) &&
      !RUNTIME_CONTRACT.includes(to) &&
      to !== 'node_modules/zod',
  },
  {
    name: 'app-never-server',
    because: 'server code would end up in the browser; go through the contract',
    forbids: ({ from, to }) => under(from, 'app') && under(to, 'server'),
  },
  {
    name: 'app-takes-contract-types',
    because: `zod must not reach visitors' browsers; use \`import type\`, or put plain values into ${RUNTIME_CONTRACT[0]}`,
    forbids: ({ from, to, typeOnly, dynamic }) =>
      under(from, 'app') &&
      !isTest(from) &&
      under(to, 'contract') &&
      !RUNTIME_CONTRACT.includes(to) &&
      !(under(from, 'app/features/admin') && isFormSchema(to)) &&
      !(to === LAZY_CONTRACT && dynamic) &&
      !typeOnly,
  },
  {
    name: 'server-never-app',
    because: 'the server knows no screens; only server/http/pages/renderer.ts hands app/context.ts to them',
    forbids: ({ from, to }) =>
      under(from, 'server') &&
      under(to, 'app') &&
      !(from === 'server/http/pages/renderer.ts' && to === 'app/context.ts'),
  },
  {
    name: 'ui-knows-no-domain',
    because: 'app/ui and app/lib are used by every feature, so they use none',
    forbids: ({ from, to }) => under(from, 'app/ui', 'app/lib') && under(to, 'app/features', 'app/routes'),
  },
  {
    name: 'features-apart',
    because: 'features meet in app/routes',
    forbids: ({ from, to }) =>
      under(from, 'app/features') &&
      under(to, 'app/features') &&
      partOf(from, 'app/features') !== partOf(to, 'app/features'),
  },
  {
    name: 'domains-meet-in-services',
    because:
      "a domain may use another one only through its *.service.ts, where that one's rules are kept, or its *.port.ts",
    forbids: ({ from, to }) =>
      under(from, 'server/domains') &&
      under(to, 'server/domains') &&
      partOf(from, 'server/domains') !== partOf(to, 'server/domains') &&
      !/\.(service|port)\.ts$/.test(to),
  },
  {
    name: 'records-know-no-domain',
    because: 'every domain uses server/records, so it uses none; what it needs of one is a parameter or an interface',
    forbids: ({ from, to }) =>
      under(from, 'server/records') && !isTest(from) && under(to, 'server/domains', 'server/http'),
  },
  {
    name: 'foundations-know-no-domain',
    because: 'every part uses server/lib, server/db, server/live and server/mail, so they use no domain and no HTTP',
    forbids: ({ from, to }) =>
      under(from, 'server/lib', 'server/db', 'server/live', 'server/mail') &&
      !isTest(from) &&
      under(to, 'server/domains', 'server/http'),
  },
  {
    name: 'http-knows-interfaces',
    because:
      'the services of the process come in through server/http/context.ts: take their interface from a *.port.ts',
    forbids: ({ from, to }) =>
      under(from, 'server/http') && !isTest(from) && under(to, 'server/domains') && !/\.(port|policy)\.ts$/.test(to),
  },
  {
    name: 'policy-is-pure',
    because: 'a policy decides from its arguments alone, without database, live events, jobs, HTTP or packages',
    forbids: ({ from, to }) =>
      from.endsWith('.policy.ts') &&
      under(to, 'server/db', 'server/live', 'server/jobs', 'server/http', 'node_modules'),
  },
  {
    name: 'verifier-stands-alone',
    because:
      'whoever checks the ledger must not need to trust our server: packages use nothing but themselves and Node',
    forbids: ({ from, to }) =>
      under(from, 'packages') && !isTest(from) && !under(to, 'packages') && !to.startsWith('node:'),
  },
  {
    name: 'app-loads-verifier-late',
    because: 'the verifier is large, and only who asks for a check needs it: use `await import`, or `import type`',
    forbids: ({ from, to, typeOnly, dynamic }) => under(from, 'app') && under(to, 'packages') && !typeOnly && !dynamic,
  },
  {
    name: 'providers-stand-alone',
    because: 'a provider is replaceable: it uses its own folder and server/lib, nothing else of ours',
    forbids: ({ from, to }) => {
      const provider = partOf(from, 'server/providers');
      if (provider === undefined || !under(to, 'contract', 'server', 'app', 'tests', 'scripts', 'bench')) return false;
      if (under(to, 'server/lib') || (isTest(from) && under(to, 'tests'))) return false;
      // A file directly in server/providers combines the providers.
      const gathers = provider.endsWith('.ts');
      return gathers ? !under(to, 'server/providers') : partOf(to, 'server/providers') !== provider;
    },
  },
];

export const ruleNames: readonly string[] = [...RULES.map((rule) => rule.name), 'mirror', 'domains-form-no-cycle'];

const STRING_OR_COMMENT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const STATIC_IMPORT = /^[ \t]*(?:import|export)\s+(type\s)?(?:[\w$*\s{},]*?\bfrom\s*)?(['"])([^'"\n]+)\2/gm;
const DYNAMIC_IMPORT = /(typeof\s+)?(?:\bimport|\brequire|\bimport\.meta\.glob)\s*(?:<[^>]*>)?\(\s*(['"])([^'"\n]+)\2/g;

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('#verify/')) return `packages/${specifier.slice(1)}`;
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('/')) return specifier.slice(1);
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  return /^(node|virtual):/.test(specifier) ? specifier : `node_modules/${specifier}`;
}

function importsOf(file: SourceFile): (Import & { line: number; specifier: string })[] {
  // Examples in comments are no imports. Line breaks stay, for the line numbers.
  const code = file.text.replace(STRING_OR_COMMENT, (match) =>
    match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match,
  );
  return [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => {
      const specifier = match[3] ?? '';
      const line = code.slice(0, match.index + match[0].length).split('\n').length;
      const to = resolve(file.path, specifier);
      return { from: file.path, to, typeOnly: Boolean(match[1]), dynamic: pattern === DYNAMIC_IMPORT, line, specifier };
    }),
  );
}

function findUndeclaredDomains(files: SourceFile[]): Violation[] {
  const domains = new Set(
    files.flatMap((file) => file.path.match(/^contract\/(?:admin|domains)\/([^/.]+)\.ts$/)?.[1] ?? []),
  );
  const folders = new Set(
    files.flatMap(({ path: file }) => file.match(/^(?:server\/domains|app\/features)\/[^/]+(?=\/)/)?.[0] ?? []),
  );
  return [...folders]
    .filter((folder) => !domains.has(path.posix.basename(folder)))
    .map((folder) => ({
      rule: 'mirror',
      where: folder,
      message: `there is no contract/domains/${path.posix.basename(folder)}.ts, also not in contract/admin: a domain has one name in every tree`,
    }));
}

/** Imports between the domains of the server: from a domain to those that it uses, with one place for each. Types count. */
function domainGraph(files: SourceFile[]): Map<string, Map<string, string>> {
  const graph = new Map<string, Map<string, string>>();
  for (const file of files) {
    const from = partOf(file.path, 'server/domains');
    // Tests combine several domains.
    if (from === undefined || isTest(file.path)) continue;
    const uses = graph.get(from) ?? new Map<string, string>();
    graph.set(from, uses);
    for (const { to, line } of importsOf(file)) {
      const domain = partOf(to, 'server/domains');
      if (domain !== undefined && domain !== from && !uses.has(domain)) uses.set(domain, `${file.path}:${line}`);
    }
  }
  return graph;
}

/** Every cycle of domains, once, beginning with the first of them by name. */
function findDomainCycles(files: SourceFile[]): Violation[] {
  const graph = domainGraph(files);
  const found = new Map<string, Violation>();
  const done = new Set<string>();
  const walk = (domain: string, visited: string[]): void => {
    const start = visited.indexOf(domain);
    if (start >= 0) {
      const cycle = visited.slice(start);
      const first = cycle.indexOf([...cycle].sort()[0] ?? '');
      const round = [...cycle.slice(first), ...cycle.slice(0, first)];
      const steps = round.map((from, i) => {
        const to = round[(i + 1) % round.length] ?? '';
        return `${from} -> ${to} (${graph.get(from)?.get(to)})`;
      });
      found.set(round.join(), {
        rule: 'domains-form-no-cycle',
        where: `server/domains/${round[0]}`,
        message: `is in a cycle of domains: ${steps.join(', ')}`,
      });
      return;
    }
    if (done.has(domain)) return;
    for (const used of graph.get(domain)?.keys() ?? []) walk(used, [...visited, domain]);
    done.add(domain);
  };
  for (const domain of [...graph.keys()].sort()) walk(domain, []);
  return [...found.values()];
}

/** Every import that crosses a border it must not cross, every folder whose name is no domain, every cycle of domains. */
export function findViolations(files: SourceFile[]): Violation[] {
  const crossings = files.flatMap((file) =>
    importsOf(file).flatMap((edge) =>
      RULES.filter((rule) => rule.forbids(edge)).map((rule) => ({
        rule: rule.name,
        where: `${file.path}:${edge.line}`,
        message: `must not import ${edge.specifier}: ${rule.because}`,
      })),
    ),
  );
  return [...crossings, ...findUndeclaredDomains(files), ...findDomainCycles(files)];
}

/** Reads the TypeScript of the trees that have borders. */
export function readSources(root: string): SourceFile[] {
  return ['contract', 'server', 'app', 'packages'].flatMap((tree) =>
    fs
      .globSync(`${tree}/**/*.{ts,tsx}`, { cwd: root })
      .map((file) => ({ path: file.replaceAll(path.sep, '/'), text: fs.readFileSync(path.join(root, file), 'utf8') })),
  );
}

if (import.meta.main) {
  const sources = readSources(process.cwd());
  const violations = findViolations(sources);
  for (const { rule, where, message } of violations) console.log(`${where} ${message} (${rule})`);
  const graph = domainGraph(sources);
  const uses = [...graph.values()].reduce((sum, used) => sum + used.size, 0);
  console.log(
    `${RULES.length} borders, ${violations.length} violations; ${graph.size} domains of the server, ${uses} uses of another, ${findDomainCycles(sources).length} cycles`,
  );
  process.exitCode = violations.length > 0 ? 1 : 0;
}

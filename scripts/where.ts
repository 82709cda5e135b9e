// `npm run where voting`: the files of a domain in all trees, by kind. `npm run where -- link in the header`: the files in which a
// change begins, the likeliest first. Without words: the domains.
import fs from 'node:fs';
import path from 'node:path';
import { readEntries, suggest } from './lib/suggest-files.ts';

/** Files of one kind that belong to a domain. */
export interface FoundKind {
  name: string;
  /** What files of this kind are for. */
  about: string;
  /** Paths from the root of the project; a page or scenario has its addresses after two spaces. */
  files: string[];
}

/** Paths and texts of the project, read once. */
export type Sources = ReadonlyMap<string, string>;

const TREES = '{contract,server,app,emulator,tests,scripts,docs,faults,bench}/**/*.{ts,tsx,md}';

/** @param root of the project. */
export function readProject(root: string): Sources {
  return new Map(
    fs
      .globSync(TREES, { cwd: root })
      .map((file) => file.replaceAll(path.sep, '/'))
      .sort()
      .map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]),
  );
}

const isTest = (file: string): boolean => /\.(test|e2e)\.tsx?$/.test(file);
const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A domain has a file in `contract/domains` or `contract/admin`, and a folder on the server or among the features. */
export function findDomains(sources: Sources): string[] {
  const folders = [...sources.keys()].flatMap(
    (file) => /^(?:server\/domains|app\/features)\/([^/]+)\//.exec(file)?.[1] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** Addresses of pages by the file of the page, from app/routes.ts. */
function addressesOf(sources: Sources): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (file: string, address: string) => found.set(file, [...(found.get(file) ?? []), address]);
  const routes = sources.get('app/routes.ts') ?? '';
  for (const [, address = '', file = ''] of routes.matchAll(/\broute\('([^']+)', '(routes\/[\w./-]+)'/g))
    if (address !== '*') add(`app/${file}`, `/${address}`);
  for (const [, file = ''] of routes.matchAll(/\bindex\('(routes\/[\w./-]+)'/g)) add(`app/${file}`, '/');
  for (const [, address = '', file = ''] of routes.matchAll(/\bscreen\('([^']+)', '([\w-]+)'\)/g))
    add(`app/routes/admin/${file}.tsx`, `/${address}`);
  return found;
}

/** Files of app/features and app/routes that import one of these, or a feature's file that does. */
function importersOf(sources: Sources, files: ReadonlySet<string>): Set<string> {
  const found = new Set(files);
  const imports = [...sources]
    .filter(([file]) => /^app\/(features|routes)\//.test(file) && !isTest(file))
    .map(([file, text]) => ({
      file,
      to: [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, to = '']) =>
        to.startsWith('#') ? to.slice(1) : path.posix.join(path.posix.dirname(file), to),
      ),
    }));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { file, to } of imports) if (to.some((one) => found.has(one))) found.add(file);
  }
  return found;
}

/** Data by which the kinds are found. */
interface Found {
  domain: string;
  sources: Sources;
  /** Files that fit, in the order of their paths. */
  list: (fits: (file: string, text: string) => boolean) => string[];
  contract: string[];
  server: string[];
  screens: string[];
  pages: string[];
  addresses: ReadonlyMap<string, string[]>;
}

const importsDomain = (text: string, domain: string): boolean => text.includes(`/domains/${domain}/`);

/** True for code that imports the domain, or calls its service of the process. */
const usesDomain = (text: string, domain: string): boolean =>
  importsDomain(text, domain) || new RegExp(`\\bservices(\\.|: \\{[^}]*\\b)${camelCase(domain)}\\b`).test(text);

const importsFile = (text: string, file: string): boolean => text.includes(`#${file}'`);

/** Domain of a file of the server or of a feature; `admin` for what is of no other domain in the back office. */
function domainOf(file: string, domains: readonly string[]): string | undefined {
  const [, adminScreen] = /^app\/features\/admin\/([^/]+)\//.exec(file) ?? [];
  if (adminScreen !== undefined && domains.includes(adminScreen)) return adminScreen;
  return /^(?:server\/domains|app\/features)\/([^/]+)\//.exec(file)?.[1];
}

/** Calls belong to who answers them: more than any number of screens that make them. */
const SERVER_WEIGHT = 1_000;

/**
 * Files of the contract by domain: of the same name, else the domain whose files import it most. What every domain may use is
 * directly in contract/, and in the folders shared and text.
 */
function contractOf(sources: Sources, domain: string): string[] {
  const domains = findDomains(sources);
  const calls = [...sources.keys()].filter(
    (file) => /^contract\/(domains|admin|admin\/forms|fields)\/[^/]+\.ts$/.test(file) && !isTest(file),
  );
  return calls.filter((file) => {
    const name = path.posix.basename(file, '.ts');
    if (domains.includes(name)) return name === domain;
    const counts = new Map<string, number>();
    for (const [user, text] of sources) {
      const of = isTest(user) ? undefined : domainOf(user, domains);
      if (of !== undefined && importsFile(text, file))
        counts.set(of, (counts.get(of) ?? 0) + (user.startsWith('server/') ? SERVER_WEIGHT : 1));
    }
    const [first] = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    return first?.[0] === domain;
  });
}

function find(sources: Sources, domain: string): Found {
  const list: Found['list'] = (fits) => [...sources].filter(([file, text]) => fits(file, text)).map(([file]) => file);
  const domains = findDomains(sources);
  const contract = contractOf(sources, domain);
  const own = list((file) => file.startsWith('app/features/') && !isTest(file) && domainOf(file, domains) === domain);
  const calls = contract.filter((file) => !file.startsWith('contract/fields/'));
  const callers = list(
    (file, text) => file.startsWith('app/features/') && !isTest(file) && calls.some((one) => importsFile(text, one)),
  );
  const shown = importersOf(sources, new Set(own.length > 0 ? own : callers));
  return {
    domain,
    sources,
    list,
    contract,
    server: list((file) => file.startsWith(`server/domains/${domain}/`) && !isTest(file)),
    screens: [...new Set([...own, ...callers])],
    pages: list((file) => file.startsWith('app/routes/') && shown.has(file)),
    addresses: addressesOf(sources),
  };
}

/** Files of a folder that the domain's server imports. */
function imported({ sources, server, list }: Found, folder: string): string[] {
  const texts = server.map((file) => sources.get(file) ?? '');
  return list((file) => file.startsWith(folder) && !isTest(file) && texts.some((text) => importsFile(text, file)));
}

/** Whole folders: the domain imports the port or what opens it, and the start chooses the service behind it. */
function providersOf(found: Found): string[] {
  const folders = new Set(imported(found, 'server/providers/').map((file) => file.split('/')[2]));
  return found.list((file) => {
    const [, , folder = ''] = file.split('/');
    return file.startsWith('server/providers/') && !isTest(file) && (folder === found.domain || folders.has(folder));
  });
}

/** Files of tables that the domain's hand-written statements name; names without an underscore are words of other texts too. */
function inStatements({ sources, server, list }: Found): string[] {
  const texts = server.map((file) => sources.get(file) ?? '').join('\n');
  const words = new Set(texts.match(/\b[a-z]+(?:_[a-z]+)+\b/g));
  return list(
    (file, text) =>
      file.startsWith('server/db/tables/') &&
      [...text.matchAll(/\b(?:pgTable|pgView)\(\s*'(\w+)'/g)].some(([, name = '']) => words.has(name)),
  );
}

/** Names in the quotes of `template: '…'`: the mails that the domain queues. */
const mailsOf = ({ sources, server }: Found): string[] =>
  server.flatMap((file) =>
    [...(sources.get(file) ?? '').matchAll(/\btemplate: '(\w+)'/g)].map(([, name = '']) => name),
  );

function serverKinds(found: Found): FoundKind[] {
  const { domain, sources, list } = found;
  const mails = mailsOf(found);
  return [
    {
      name: 'Contract',
      about: 'inputs, outputs and failures of the calls; numbers are in contract/limits.ts, fields in contract/fields/',
      files: found.contract,
    },
    {
      name: 'Server',
      about:
        '*.api.ts guards and calls, *.service.ts rules and queries, *.policy.ts pure decisions, *.sql.ts statements',
      files: found.server,
    },
    {
      name: 'Tables',
      about: 'own tables, and those of others that it reads or writes; a change needs a file in server/db/migrations/',
      files: [
        ...new Set([
          ...list((file) => new RegExp(`^server/db/tables/${domain}s?\\.ts$`).test(file)),
          ...imported(found, 'server/db/tables/'),
          ...inStatements(found),
        ]),
      ],
    },
    {
      name: 'Jobs',
      about: 'background work; names, inputs and times are in server/jobs/catalog.ts',
      files: list((file, text) => /^server\/jobs\/.*\.job\.ts$/.test(file) && usesDomain(text, domain)),
    },
    {
      name: 'Mails',
      about: 'texts and data of the mails that it sends',
      files: list(
        (file, text) =>
          file.startsWith('server/mail/') &&
          !isTest(file) &&
          mails.some((mail) => new RegExp(`^ {2,4}${mail}:`, 'm').test(text)),
      ),
    },
    {
      name: 'Endpoints',
      about: 'requests outside the API: callbacks, files, feeds, uploads, cached pages',
      files: list(
        (file, text) =>
          /^server\/(http\/.*|site)\.ts$/.test(file) &&
          file !== 'server/http/context.ts' &&
          !isTest(file) &&
          usesDomain(text, domain),
      ),
    },
    {
      name: 'Providers',
      about: 'external services that it uses, each behind a port.ts',
      files: providersOf(found),
    },
    {
      name: 'Emulator',
      about: 'the program that simulates an external service, started by its provider',
      files: providersOf(found).some((file) => sources.get(file)?.includes("'emulator/main.ts'"))
        ? list((file) => file.startsWith('emulator/') && !isTest(file))
        : [],
    },
    {
      name: 'Signer',
      about: 'the program that has the keys of the chains',
      files: list((file, text) => file.startsWith('server/signer/') && !isTest(file) && importsDomain(text, domain)),
    },
    {
      name: 'Commands',
      about: 'npm run florka; the list of the commands is in scripts/florka.ts',
      files: list((file, text) => file.startsWith('scripts/operator/') && !isTest(file) && importsDomain(text, domain)),
    },
  ];
}

function screenKinds({ sources, list, screens, pages, addresses }: Found): FoundKind[] {
  const texts = screens.map((file) => sources.get(file) ?? '');
  return [
    {
      name: 'Pages',
      about: 'a file for each page, with its addresses from app/routes.ts: the loader reads, and features show',
      files: pages.map((page) => `${page}  ${(addresses.get(page) ?? []).join(' ')}`.trimEnd()),
    },
    { name: 'Screens', about: "components, queries and forms; also others' that use its contract", files: screens },
    {
      name: 'Messages',
      about: 'texts of these screens in Spanish and English; those of every page are in es.ts and en.ts',
      files: list((file) => {
        // A catalogue gathers the files of the folder of its name.
        const catalogue = `${path.posix.dirname(file)}.ts`;
        return (
          file.startsWith('app/lib/messages/') &&
          texts.some((text) => [file, catalogue].some((one) => importsFile(text, one)))
        );
      }),
    },
  ];
}

/** Addresses of the pages that a scenario opens. The home page is left out: nearly every scenario begins there. */
function openedBy(text: string, { pages, addresses }: Found): string[] {
  return pages
    .flatMap((page) => addresses.get(page) ?? [])
    .filter((address) => {
      if (address === '/') return false;
      const fixed = address.replace(/\/:.*$/, '/');
      return new RegExp(`['"\`](/en)?${fixed}${fixed.endsWith('/') ? '' : '[\'"`?#]'}`).test(text);
    });
}

function testKinds(found: Found): FoundKind[] {
  const { domain, sources, list } = found;
  const stem = domain.replace(/s$/, '');
  return [
    {
      name: 'Scenarios',
      about: 'tests in the browser that have its name or open its pages',
      files: list((file) => /^tests\/e2e\/.*\.e2e\.ts$/.test(file)).flatMap((file) => {
        const opened = openedBy(sources.get(file) ?? '', found);
        if (opened.length === 0 && !path.posix.basename(file).includes(stem)) return [];
        return `${file}  ${opened.join(' ')}`.trimEnd();
      }),
    },
    {
      name: 'Tests',
      about: 'tests on a real database or without one, their shared setup and stand-ins',
      files: list(
        (file, text) =>
          (/\.test\.tsx?$/.test(file) && (file.includes(`/${domain}/`) || importsDomain(text, domain))) ||
          new RegExp(`^tests/(fixtures|support)/(.*/)?${domain}(/.*)?\\.ts$`).test(file) ||
          file.startsWith(`tests/support/${domain}/`),
      ),
    },
    {
      name: 'Demo',
      about: 'invented content of a first start, and the other programs that use the domain',
      files: list(
        (file, text) =>
          file === `server/db/demo/${domain}.ts` ||
          (/^(server\/db\/demo|faults|bench)\//.test(file) && !isTest(file) && importsDomain(text, domain)),
      ),
    },
    {
      name: 'Guides',
      about: 'documents and decisions that name its folders',
      files: list(
        (file, text) =>
          file.startsWith('docs/') &&
          new RegExp(`(server/domains|app/features(/admin)?)/${domain}(?![\\w-])`).test(text),
      ),
    },
  ];
}

/**
 * The files of a domain in all trees, by kind; kinds without files are left out. Files have the domain's name, or are found by
 * what they import or call.
 */
export function filesOf(sources: Sources, domain: string): FoundKind[] {
  const found = find(sources, domain);
  return [...serverKinds(found), ...screenKinds(found), ...testKinds(found)].filter(({ files }) => files.length > 0);
}

if (import.meta.main) {
  const change = process.argv.slice(2).join(' ');
  const sources = readProject(process.cwd());
  const domains = findDomains(sources);
  if (change === '') {
    console.log(`Domains: ${domains.join(', ')}\nA change in words: npm run where -- link in the header`);
  } else if (domains.includes(change)) {
    for (const { name, about, files } of filesOf(sources, change))
      console.log(`\n${name}: ${about}\n${files.map((file) => `  ${file}`).join('\n')}`);
  } else {
    const found = suggest(readEntries(process.cwd()), change);
    for (const { file, reason } of found) console.log(`${file}  ${reason}`);
    if (found.length === 0) {
      console.error(`No file matches these words. Domains: ${domains.join(', ')}`);
      process.exitCode = 1;
    }
  }
}

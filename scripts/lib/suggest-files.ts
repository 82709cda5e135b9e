// `npm run where -- link in the header`: the files in which a change described in words begins.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file for a change, and the reason: the row of docs/ARCHITECTURE.md, or the description in the file itself. */
interface Suggestion {
  file: string;
  reason: string;
  score: number;
}

interface Entry {
  file: string;
  reason: string;
  words: ReadonlySet<string>;
  /** At least one of these has to be among the words of the change. */
  required?: string[];
  /** Words of the path. */
  pathWords?: string[];
  /** Score of one word in common. Rows of the guide are written for this purpose and score higher than comments and names. */
  weight: number;
}

const TREES =
  '{app,attack,bench,contract,emulator,faults,ops,packages,scripts,server}/**/*.{ts,tsx,css,mjs,py,sql,yml,json}';
/** Weights of an entry by its source. */
const GUIDE_ROW_WEIGHT = 3;
const PAGE_ROW_WEIGHT = 2.6;
const LIMIT_WEIGHT = 2;
const FILE_WEIGHT = 1;
/** Factor of a word that is in the path of the file. */
const PATH_FACTOR = 1.5;
/** Added to files of the kind that a word of the change names. */
const KIND_BONUS = 0.6;
const MAX_SHOWN = 8;

const STOP_WORDS = new Set(
  (
    'a an and another are as at be by can change changes each every for from has have how in into is it its may more most new ' +
    'of on one or other show shows shown that the their them then there they this to what when where which who whose with'
  ).split(' '),
);
const SYNONYMS: Record<string, string> = {
  admin: 'office',
  wording: 'text',
  message: 'text',
  label: 'text',
  colours: 'colour',
  color: 'colour',
  colors: 'colour',
  e2e: 'scenario',
  cron: 'job',
  schedule: 'time',
  interval: 'often',
  rss: 'feed',
  ics: 'calendar',
  hotkey: 'shortcut',
  max: 'maximum',
  min: 'minimum',
  mails: 'mail',
  email: 'mail',
  'e-mail': 'mail',
  csp: 'policy',
  env: 'environment',
  picture: 'image',
  photo: 'image',
  navbar: 'header',
  menu: 'navigation',
  sidebar: 'navigation',
  sitemap: 'map',
  swagger: 'description',
  comparison: 'compare',
  deletion: 'delete',
  deleted: 'delete',
  expired: 'expire',
  duration: 'long',
  lifetime: 'long',
  length: 'long',
  lasts: 'long',
  polled: 'often',
  confirm: 'verify',
  rename: 'name',
  cli: 'command',
  permission: 'right',
  cached: 'cache',
  caching: 'cache',
};

const stem = (word: string): string =>
  word.length > 4 && !word.endsWith('ss') ? word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '') : word;

/** Words that name a kind of file, and the paths of that kind. */
const KINDS: [word: string, files: RegExp][] = [
  ['text', /^(app\/lib\/messages|server\/mail\/texts)\//],
  ['title', /^app\/lib\/messages\//],
  ['empty', /^app\/lib\/messages\//],
  ['subject', /^server\/mail\/texts\//],
  ['colour', /^app\/ui\/styles\//],
  ['command', /^scripts\/operator\//],
  ['demo', /^server\/db\/demo\//],
  ['bench', /^bench\//],
  ['fault', /^faults\//],
  ['limit', /^contract\/limits\.ts$/],
  ['maximum', /^contract\/limits\.ts$/],
  ['minimum', /^contract\/limits\.ts$/],
  ['price', /^contract\/limits\.ts$/],
  ['row', /^contract\/limits\.ts$/],
  ['validation', /^contract\/fields\//],
  ['category', /^contract\//],
  ['job', /^server\/jobs\//],
  ['retry', /^server\/jobs\/catalog\.ts$/],
  ['chart', /(Charts?|Performance)\.tsx$/],
  ['setting', /^contract\/domains\/settings\.ts$/],
];
/** Tasks in the search of the back office: they contain words of every subject, so they are suggested for changes of tasks only. */
const TASKS = /^(app\/lib\/messages\/admin\/tasks|app\/features\/admin\/search\/tasks)\.ts$/;

/** The words of a text without stop words, each in its stem. Names in code are split into their words. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
    .map((word) => SYNONYMS[word] ?? SYNONYMS[stem(word)] ?? stem(word));
}

/** Paths of the project; the key `*name` has all paths with that file name. */
type Paths = ReadonlyMap<string, string[]>;

/** The files that a cell names: by a path from the project, from `root` or from a folder named before, or by a unique file name. */
function filesIn(cell: string, root: string, paths: Paths): string[] {
  let folder = root;
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => {
    // A pattern for files of every domain identifies none of them.
    if (/[<*]/.test(name))
      return /^(server\/(domains|jobs|db)|contract|tests)\//.test(name)
        ? []
        : matchingFiles(name.includes('/') ? name : folder + name, paths);
    if (name.endsWith('/') && paths.has(name) && !/migrations|attack/.test(name)) {
      folder = name;
      return root === '' ? matchingFiles(name, paths) : [];
    }
    const at = [name, root + name, folder + name].find((one) => paths.has(one));
    if (at?.endsWith('/')) {
      folder = at;
      return [];
    }
    if (at) return [at];
    const named = paths.get(`*${name}`) ?? [];
    return named.length === 1 ? named : [];
  });
}

/** The files of a folder, or of a pattern such as `scripts/operator/<first word>.ts` or `server/doctor/*-lines.ts`. */
function matchingFiles(name: string, paths: Paths): string[] {
  const pattern = name.endsWith('/') ? `${name}*` : name;
  const source = pattern.replace(/[.+]/g, '\\$&').replace(/<[^>]+>|\*/g, '[^/]+');
  const matches = new RegExp(`^${source}$`);
  return [...paths.keys()].filter(
    (path) => matches.test(path) && !path.startsWith('*') && !/\/$|\.test\.ts/.test(path),
  );
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Words of the columns of a table of pages or screens, with the folder of their names. */
const COLUMNS: Record<string, { root: string; words: string }> = {
  'components in `app/features/`': { root: 'app/features/', words: 'button layout component part look' },
  'list or form in `app/features/admin/`': {
    root: 'app/features/admin/',
    words: 'back office list form column button layout row dialog chart',
  },
  'texts in `app/lib/messages/`': { root: 'app/lib/messages/', words: 'text title heading description empty page' },
  texts: { root: 'app/lib/messages/admin/', words: 'back office text title heading hint' },
  'calls in `contract/domains/`': { root: 'contract/domains/', words: 'value status input output call' },
  calls: { root: 'contract/admin/', words: 'back office filter value status csv call list form staff role open' },
  'rules and queries in `server/domains/`': { root: 'server/domains/', words: 'back office rule query server' },
};

/** Parts of a cell, each with what stands before the first colon: `prices: ranges; providers` gives `prices ranges`, `prices providers`. */
function partsOf(cell: string): string[] {
  const [, subject = '', rest = cell] = /^([^:;`]+): (.*)$/.exec(cell) ?? [];
  const [first = '', ...others] = rest.split(';');
  return [
    first,
    ...others.map((part) => (/^ (?:its|their|when it|how it) /.test(part) ? `${part} ${first}` : part)),
  ].map((part) => `${subject} ${part}`.trim());
}

/** Entries of the section "Where a change begins", one for each file of a row. */
function guideEntries(guide: string, paths: Paths): Entry[] {
  const section = /\n## Where a change begins\n(.*?)\n## /s.exec(guide)?.[1] ?? '';
  let head: string[] = [];
  const entries: Entry[] = [];
  const add = (subject: string, files: string[]) => {
    const named = files.length > 1;
    for (const [i, file] of files.entries())
      entries.push({
        file,
        reason: subject.replaceAll('`', '').trim(),
        words: new Set(wordsOf(named ? `${subject} ${path.posix.basename(file).replace(/\..*$/, '')}` : subject)),
        required: wordsOf(subject),
        weight: GUIDE_ROW_WEIGHT - 0.1 * Math.min(i, 3),
      });
  };
  for (const line of section.split('\n')) {
    if (!line.startsWith('|') || line.startsWith('|--')) continue;
    const cells = cellsOf(line);
    const [subject = ''] = cells;
    if (/^(a change of|page|screen)$/.test(subject) || cells[1] === 'file') head = cells;
    else if (head.length > 2)
      cells.slice(1).forEach((cell, i) => {
        const { root, words } = COLUMNS[head[i + 1] ?? ''] ?? { root: '', words: '' };
        for (const part of cell.split(/,|;/)) {
          const own = part.replace(/`[^`]+`/g, ' ').trim();
          for (const file of filesIn(part, root, paths))
            entries.push({
              file,
              reason: subject.replaceAll('`', ''),
              words: new Set(wordsOf(`${subject} ${own} ${words}`)),
              required: wordsOf(`${subject} ${own}`).filter((word) => word !== 'page'),
              weight: PAGE_ROW_WEIGHT,
            });
        }
      });
    else {
      const subjects = partsOf(subject);
      const { at, files } = foldersOf(cells[1] ?? '');
      if (subjects.length === files.length) {
        for (const [i, one] of subjects.entries()) add(one, filesIn(files[i] ?? '', at, paths));
      } else {
        // A kind with several files names each in words: "; its sentence: `…`".
        const [first = '', ...others] = (cells[1] ?? '').split(';');
        add(subject, filesIn(first, '', paths));
        for (const part of others)
          add(`${part.split('`')[0]} ${/^ (?:its|their|of) /.test(part) ? subject : ''}`, filesIn(part, '', paths));
      }
    }
  }
  return entries;
}

/** A cell that begins with a folder for all of its parts. */
function foldersOf(cell: string): { at: string; files: string[] } {
  const [, at = '', rest = cell] = /^`([^`]+\/)`: (.*)$/.exec(cell) ?? [];
  return { at, files: rest.split(';') };
}

/** The description in a file: its path, its first comment, and its exported names. */
function fileEntry(file: string, text: string): Entry {
  const comment = /^(?:\/\/ .*(?:\n\/\/ .*)*)|\/\*\*[\s\S]*?\*\//m.exec(text)?.[0] ?? '';
  const exported = [...text.matchAll(/^export (?:const|function|async function|interface|type|class) (\w+)/gm)];
  const reason = comment.replace(/[/*\s]+/g, ' ').trim();
  return {
    file,
    reason: reason.length > 100 ? `${reason.slice(0, 99)}…` : reason,
    words: new Set(wordsOf(`${file} ${comment} ${exported.map(([, name]) => name).join(' ')}`)),
    pathWords: wordsOf(file),
    weight: FILE_WEIGHT,
  };
}

/** An entry for each limit, which is more specific than one for the whole file. */
function limitEntries(file: string, text: string): Entry[] {
  if (file !== 'contract/limits.ts') return [];
  return [...text.matchAll(/(?:\/\*\* (.*?) \*\/\n)?(?:export const| {2})\s*(\w+)(?: =|:) /gs)].map(
    ([, comment = '', name = '']) => ({
      file,
      reason: name,
      words: new Set(wordsOf(`limit ${name} ${comment}`)),
      weight: LIMIT_WEIGHT,
    }),
  );
}

/** An entry for each text of mails and messages, by its name. */
function textEntries(file: string, text: string): Entry[] {
  if (!/^(server\/mail\/texts|app\/lib\/messages)\//.test(file)) return [];
  const kind = file.startsWith('server') ? 'subject text mail' : 'text';
  return [...text.matchAll(/^ {2,8}(\w+): /gm)].map(([, name = '']) => ({
    file,
    reason: `text ${name}`,
    words: new Set(wordsOf(`${kind} ${path.posix.basename(file, '.ts')} ${name}`)),
    weight: FILE_WEIGHT,
  }));
}

/** The project's files with their texts, and the guide. @param root of the project. */
export function readEntries(root: string): Entry[] {
  const files = globSync(TREES, { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .concat(['Containerfile', 'compose.yaml', '.github/workflows/ci.yml'])
    .sort();
  const paths = new Map<string, string[]>();
  for (const file of files) {
    paths.set(file, [file]);
    const name = `*${path.posix.basename(file)}`;
    paths.set(name, [...(paths.get(name) ?? []), file]);
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1))
      paths.set(file.slice(0, at + 1), []);
  }
  const code = files.filter((file) => !/\.test\.tsx?$|\.json$|migrations\//.test(file));
  return [
    ...guideEntries(readFileSync(path.join(root, 'docs/ARCHITECTURE.md'), 'utf8'), paths),
    ...code.flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return [fileEntry(file, text), ...limitEntries(file, text), ...textEntries(file, text)];
    }),
  ];
}

/**
 * Files for a change described in words, the likeliest first. A word scores higher the fewer entries contain it; an entry scores
 * lower the more other words it has.
 *
 * @param entries of {@link readEntries}.
 */
export function suggest(entries: readonly Entry[], change: string): Suggestion[] {
  const terms = [...new Set(wordsOf(change))];
  const entriesWith = new Map(
    terms.map((word) => [word, entries.reduce((sum, { words }) => sum + (words.has(word) ? 1 : 0), 0)]),
  );
  const rarity = (word: string): number => Math.log(1 + entries.length / (entriesWith.get(word) || entries.length));
  const all = terms.reduce((sum, word) => sum + rarity(word), 0);
  const best = new Map<string, Suggestion>();
  const own = new Map<string, number>();
  for (const { file, reason, words, required, pathWords = [], weight } of entries) {
    if (required && !required.some((word) => terms.includes(word))) continue;
    const matched = terms.filter((word) => words.has(word));
    const found = matched.reduce((sum, word) => sum + rarity(word) * (pathWords.includes(word) ? PATH_FACTOR : 1), 0);
    const covered = matched.length / Math.max(required?.length ?? words.size, 1);
    const score = ((weight * found) / (all || 1)) * (0.75 + 0.25 * Math.min(covered, 1));
    if (weight === FILE_WEIGHT) own.set(file, Math.max(score, own.get(file) ?? 0));
    if (score > (best.get(file)?.score ?? 0)) best.set(file, { file, reason, score });
  }
  for (const [file, one] of best) {
    const isPreferred = KINDS.some(([word, files]) => terms.includes(word) && files.test(file));
    one.score +=
      (own.get(file) ?? 0) +
      (isPreferred ? KIND_BONUS : 0) -
      (TASKS.test(file) && !terms.includes('task') ? GUIDE_ROW_WEIGHT : 0);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1)).slice(0, MAX_SHOWN);
}

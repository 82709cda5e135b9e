// Extracts the critical styles of a document, so that the first paint does not wait for the whole stylesheet.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A rule of the stylesheet, or a group of rules. */
type Part =
  | { kind: 'text'; text: string }
  /** Named at-rules such as keyframes, which are only needed by rules that use the name. */
  | { kind: 'named'; name: string; text: string }
  /** A rule, with the classes of each of its selectors. */
  | { kind: 'rule'; classes: readonly (readonly string[])[]; text: string }
  | { kind: 'group'; head: string; parts: readonly Part[] };

/** A parsed stylesheet; `stylesFor` extracts a page's part of it. */
export interface Stylesheet {
  parts: readonly Part[];
  /** Extracted styles by the classes of a document; pages of one kind share an entry. */
  taken: Map<string, string>;
}

/** Maximum number of cached extracts. */
const MAX_TAKEN = 200;

const GROUPS = /^@(layer|media|supports|container)\b/;
const NAMED = /^@(?:keyframes|property)\s+([\w-]+)/;
/** Classes inside these pseudo-classes are not required for the rule to match. */
const NEGATIVE = /:(?:not|is|where|has)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;
const ATTRIBUTE = /(?<!\\)\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]/g;
const CLASS = /\.((?:\\.|[\w-]|[^\0-\x7f])+)/g;

/** @throws Error for unbalanced braces or unterminated strings. */
export function readStylesheet(css: string): Stylesheet {
  return { parts: readParts(css.replace(/\/\*[\s\S]*?\*\//g, '')), taken: new Map() };
}

function readParts(css: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < css.length; ) {
    const open = findAtTop(css, at, '{', ';');
    if (open < 0) {
      if (css.slice(at).trim() !== '') throw new Error('the stylesheet ends within a rule');
      break;
    }
    const head = css.slice(at, open).trim();
    if (css[open] === ';') {
      parts.push({ kind: 'text', text: `${head};` });
      at = open + 1;
      continue;
    }
    const close = closing(css, open);
    const body = css.slice(open + 1, close);
    at = close + 1;
    parts.push(readBlock(head, body));
  }
  return parts;
}

function readBlock(head: string, body: string): Part {
  const text = `${head}{${body}}`;
  if (GROUPS.test(head)) return { kind: 'group', head, parts: readParts(body) };
  const name = NAMED.exec(head)?.[1];
  if (name) return { kind: 'named', name, text };
  if (head.startsWith('@')) return { kind: 'text', text };
  return { kind: 'rule', classes: selectorsOf(head).map(classesOf), text };
}

/** Position of the first of these characters outside of strings and brackets, or -1. */
function findAtTop(css: string, from: number, ...characters: string[]): number {
  let depth = 0;
  for (let at = from; at < css.length; at++) {
    const character = css[at] ?? '';
    if (character === '\\') at++;
    else if (character === '"' || character === "'") at = endOfString(css, at);
    else if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (depth === 0 && characters.includes(character)) return at;
  }
  return -1;
}

function endOfString(css: string, from: number): number {
  for (let at = from + 1; at < css.length; at++) {
    if (css[at] === '\\') at++;
    else if (css[at] === css[from]) return at;
  }
  throw new Error('a string of the stylesheet does not end');
}

function closing(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at++) {
    const character = css[at];
    if (character === '\\') at++;
    else if (character === '"' || character === "'") at = endOfString(css, at);
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at;
  }
  throw new Error('a rule of the stylesheet does not end');
}

function selectorsOf(head: string): string[] {
  const selectors: string[] = [];
  for (let from = 0; ; ) {
    const end = findAtTop(head, from, ',');
    selectors.push(head.slice(from, end < 0 ? undefined : end));
    if (end < 0) return selectors;
    from = end + 1;
  }
}

const classesOf = (selector: string): string[] =>
  [...selector.replaceAll(ATTRIBUTE, '').replaceAll(NEGATIVE, '').matchAll(CLASS)].map(([, name = '']) =>
    unescaped(name),
  );

const unescaped = (name: string) =>
  name.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, code?: string, character?: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (character ?? ''),
  );

/** The stylesheet, and the file of its @font-face rules, which is inlined only: repeated later, they would restart font loading. */
const LINKED = /<link rel="stylesheet" href="(\/assets\/[\w.-]+\.css)" data-faces="(\/assets\/[\w.-]+\.css)"/;

/**
 * Creates the extraction of critical styles from the stylesheet that a document links to.
 *
 * @param clientDir folder with the built client files.
 * @returns a function from a document to its styles, both with one character per byte (latin1); '' for a document
 *   without the stylesheet.
 */
export function criticalStyles(clientDir: string): (html: string) => string {
  const sheets = new Map<string, Stylesheet>();
  return (html) => {
    const [, href, faces] = LINKED.exec(html) ?? [];
    if (!href || !faces) return '';
    let sheet = sheets.get(href);
    if (!sheet) {
      sheet = readStylesheet(
        [faces, href].map((file) => readFileSync(path.join(clientDir, file), 'latin1')).join('\n'),
      );
      sheets.set(href, sheet);
    }
    return stylesFor(sheet, html);
  };
}

const CLASSES_IN_HTML = / class="([^"]*)"/g;
const ENTITIES: Record<string, string> = { '&amp;': '&', '&gt;': '>', '&lt;': '<', '&quot;': '"', '&#x27;': "'" };

/** The rules of a stylesheet that can match something in the document, in their order. */
export function stylesFor({ parts, taken }: Stylesheet, html: string): string {
  const lists = new Set<string>();
  for (const [, list = ''] of html.matchAll(CLASSES_IN_HTML)) lists.add(list);
  const key = [...lists].sort().join('|');
  const known = taken.get(key);
  if (known !== undefined) return known;
  const names = [...lists].flatMap((list) =>
    list.replace(/&(?:amp|gt|lt|quot|#x27);/g, (one) => ENTITIES[one] ?? one).split(' '),
  );
  const css = take(parts, new Set(names));
  taken.set(key, css);
  for (const oldest of taken.keys()) {
    if (taken.size <= MAX_TAKEN) break;
    taken.delete(oldest);
  }
  return css;
}

function take(parts: readonly Part[], used: ReadonlySet<string>): string {
  const needed = (part: Part): string => {
    if (part.kind === 'rule')
      return part.classes.some((classes) => classes.every((name) => used.has(name))) ? part.text : '';
    if (part.kind === 'group') {
      const inside = part.parts.map(needed).join('');
      // An empty layer still determines the order of layers.
      return inside || part.head.startsWith('@layer') ? `${part.head}{${inside}}` : '';
    }
    return part.kind === 'text' ? part.text : '';
  };
  const rules = parts.map(needed).join('');
  const named = parts.map((part) => (part.kind === 'named' && rules.includes(part.name) ? part.text : '')).join('');
  return rules + named;
}

// Changes of hand-written statements, one at a time: a condition left out, a comparison or a sum inverted, a lock left out.
import { parseSync } from 'vite';

/** One change of a file. */
export interface Mutant {
  file: string;
  /** Offsets of the replaced text. */
  from: number;
  to: number;
  /** The original text, and its replacement. */
  before: string;
  after: string;
  line: number;
}

/**
 * A word or operator of SQL, and its replacement. Operators have spaces around them, so that parts of longer ones are
 * not changed.
 */
const REPLACED: [before: RegExp, after: string][] = [
  [/(?<= )<=(?= )/g, '<'],
  [/(?<= )>=(?= )/g, '>'],
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )>(?= )/g, '>='],
  [/(?<= )<>(?= )/g, '='],
  [/(?<= )\+(?= )/g, '-'],
  [/(?<= )-(?= )/g, '+'],
  [/\bgreatest(?=\()/g, 'least'],
  [/\bmax(?=\()/g, 'min'],
  [/\bdesc\b/g, 'asc'],
  [/\basc\b/g, 'desc'],
  [/\bnulls first\b/g, 'nulls last'],
  [/\bnot exists\b/g, 'exists'],
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/ for (?:share|no key update|key share)\b/g, ''],
];
/** Text that ends a condition at its own level of parentheses. */
const CONDITION_END =
  /^(?:[,)`]|\s*\b(?:and|or|then|when|else|end|order by|group by|limit|for|returning|union|join|left join|cross join|on conflict|do)\b)/;

type Node = { type: string; start: number; end: number } & Record<string, unknown>;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit);
}

/** The end of the condition that begins at an offset. */
function conditionEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (depth === 0 && at > from && CONDITION_END.test(text.slice(at, at + 20)) && /[\s,)`]/.test(text[at] ?? ''))
      return at;
    if ('({'.includes(text[at] ?? '')) depth++;
    if (')}'.includes(text[at] ?? '')) depth--;
  }
  return text.length;
}

/**
 * Every change of the statements in a file. Only the text of template literals with SQL is changed.
 *
 * @param file its path, for the result.
 * @throws Error for text that is no TypeScript.
 */
export function mutantsOf(file: string, text: string): Mutant[] {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found = new Map<string, Mutant>();
  const add = (from: number, to: number, after: string) => {
    const before = text.slice(from, to);
    const line = text.slice(0, from).split('\n').length;
    found.set(`${from} ${to} ${after}`, { file, from, to, before, after, line });
  };
  walk(program as unknown as Node, (node) => {
    if (node.type !== 'TemplateElement') return;
    const part = text.slice(node.start, node.end);
    for (const [before, after] of REPLACED)
      for (const { index, 0: word } of part.matchAll(before))
        add(node.start + index, node.start + index + word.length, after);
    for (const { index } of part.matchAll(/(?<!between \S+)\sand (?=\S)/g)) {
      const from = node.start + index + ' and '.length;
      add(from, conditionEnd(text, from), 'true');
    }
  });
  return [...found.values()].sort((a, b) => a.from - b.from || a.to - b.to);
}

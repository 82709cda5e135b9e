// Changes of hand-written SQL, one at a time: what a mutation test needs to know whether the tests notice a rule of a statement.

/** One change of one file. */
export interface SqlMutant {
  /** Line of the file, from 1. */
  line: number;
  /** What is replaced, as it stands there, and by what. */
  from: string;
  to: string;
  /** Where it begins, in UTF-16 units. */
  offset: number;
}

/** Comparisons at their limit, and their opposites; both sides of what a statement decides. */
const REPLACEMENTS: readonly [pattern: RegExp, to: string][] = [
  [/(?<= )<=(?= )/g, '<'],
  [/(?<= )>=(?= )/g, '>'],
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )>(?= )/g, '>='],
  [/(?<= )<>(?= )/g, '='],
  [/(?<= )\+(?= )/g, '-'],
  [/(?<= )-(?= )/g, '+'],
  [/\bnot exists\b/g, 'exists'],
  [/(?<!not )\bexists(?= \()/g, 'not exists'],
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/\bis not distinct from\b/g, 'is distinct from'],
  [/\bis distinct from\b/g, 'is not distinct from'],
  [/\bgreatest\(/g, 'least('],
  [/\bmax\(/g, 'min('],
  [/\bmin\(/g, 'max('],
  [/\bdesc\b/g, 'asc'],
  [/\basc\b/g, 'desc'],
  [/ for (?:share|update|no key update|key share)\b/g, ''],
  [/\bleft join\b/g, 'join'],
  [/\bfull join\b/g, 'join'],
  [/ or /g, ' and '],
  [/ nulls first\b/g, ' nulls last'],
];

/** Where one condition of several ends. */
const CONJUNCT_END =
  /^(?:,|\)| and | or | then | else | end\b| order by | group by | returning | limit | having | for | from | as | where | left join | join | cross join | on conflict | union |\n\s*(?:from|where|group|order|returning|left|join|cross|on|limit|for|union|then|when|else|end|\)))/;

interface Span {
  begin: number;
  end: number;
}

/** The template literals of a file that hold SQL, without what is between `${` and `}` in them. */
function sqlSpans(source: string): Span[] {
  const spans: Span[] = [];
  for (const { index } of source.matchAll(/text: \([^)]*\) => `/g)) {
    let at = source.indexOf('`', index) + 1;
    let begin = at;
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        spans.push({ begin, end: at });
        let depth = 0;
        do {
          if (source[at] === '{') depth++;
          if (source[at] === '}') depth--;
          at++;
        } while (depth > 0 || source[at - 1] !== '}');
        begin = at;
      } else at++;
    }
    spans.push({ begin, end: at });
  }
  return spans.filter(({ begin, end }) => end > begin);
}

/** Length of the condition behind an ` and `, up to what ends it on its own level of brackets. */
function conjunctLength(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const character = source[at] ?? '';
    if (character === '`') return at - from;
    if (depth === 0 && at > from && CONJUNCT_END.test(source.slice(at, at + 40))) return at - from;
    if (character === '(' || character === '{') depth++;
    if (character === ')' || character === '}') depth--;
  }
  return source.length - from;
}

/**
 * All changes of one `*.sql.ts`: comparisons turned or moved by one, conditions left out, sums the other way, locks dropped. Not every one is
 * SQL that PostgreSQL takes; whoever runs them leaves those out that it refuses.
 *
 * @param source text of the file.
 */
export function mutantsOf(source: string): SqlMutant[] {
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
  const found: SqlMutant[] = [];
  for (const { begin, end } of sqlSpans(source)) {
    const text = source.slice(begin, end);
    for (const [pattern, to] of REPLACEMENTS)
      for (const match of text.matchAll(pattern)) {
        const offset = begin + match.index;
        found.push({ line: lineAt(offset), from: match[0], to, offset });
      }
    for (const match of text.matchAll(/(?<= |\n *)and (?!\d)/g)) {
      const offset = begin + match.index;
      const from = source.slice(offset, offset + 4 + conjunctLength(source, offset + 4));
      found.push({ line: lineAt(offset), from, to: '', offset });
    }
  }
  return found.sort((a, b) => a.offset - b.offset);
}

/** The file with one change. */
export const applyMutant = (source: string, { offset, from, to }: SqlMutant): string =>
  source.slice(0, offset) + to + source.slice(offset + from.length);

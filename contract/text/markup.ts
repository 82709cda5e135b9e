/**
 * The light markup of news: **bold**, *italic*, [text](https://…) and [![title](https://image)](https://…), a video thumbnail
 * that links. Everything else is text. The parser builds a tree, never HTML, so user input cannot become code.
 */
export type MarkupNode =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic'; children: MarkupNode[] }
  | { kind: 'link'; href: string; children: MarkupNode[] }
  | { kind: 'thumbnail'; href: string; image: string; title: string };

/** Blank lines separate paragraphs; single line breaks stay inside them. */
export interface Paragraph {
  nodes: MarkupNode[];
}

/** A block of a longer document: in addition to paragraphs, `## headings` and lists of lines that begin with `- `. */
export type DocumentBlock =
  | { kind: 'heading'; nodes: MarkupNode[] }
  | { kind: 'list'; items: MarkupNode[][] }
  | { kind: 'paragraph'; nodes: MarkupNode[] };

/** Maximum nesting; deeper markup is shown as typed. */
const DEPTH = 4;
const WEB = String.raw`https?:\/\/[^\s()<>"']{1,1000}`;
const THUMBNAIL = new RegExp(String.raw`^\[!\[([^\]\n]{0,200})\]\((${WEB})\)\]\((${WEB})\)`);
const LINK = new RegExp(String.raw`^\[([^\]\n]{1,300})\]\((${WEB})\)`);
/** In documents of operators links can also lead to pages of the site and to mailboxes. */
const OWN_LINK =
  /^\[([^\]\n]{1,300})\]\((\/(?!\/)[\w\-/?=&#.%]{0,300}|mailto:[^\s()<>"'?&]{1,254}@[^\s()<>"'?&]{1,254})\)/;
const BOLD = /^\*\*(?=\S)([^\n]{1,1000}?\S)\*\*/;
const BOLD_ONE = /^\*\*(\S)\*\*/;
const ITALIC = /^\*(?=[^\s*])([^*\n]{1,1000})\*/;

export function parseMarkup(source: string): Paragraph[] {
  return source
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n+/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => ({ nodes: parseInline(part, 0) }));
}

/** Parses the texts of the site's own pages. A heading or a list ends at an empty line or where another block begins. */
export function parseDocument(source: string): DocumentBlock[] {
  const blocks: DocumentBlock[] = [];
  let open: 'list' | 'paragraph' | null = null;
  let lines: string[] = [];
  const close = () => {
    if (open === 'list') blocks.push({ kind: 'list', items: lines.map((line) => parseInline(line, 0, false, true)) });
    if (open === 'paragraph') blocks.push({ kind: 'paragraph', nodes: parseInline(lines.join('\n'), 0, false, true) });
    open = null;
    lines = [];
  };
  for (const line of source
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((one) => one.trim())) {
    const heading = /^#{2,3} +(\S.*)$/.exec(line)?.[1];
    const item = /^[-*] +(\S.*)$/.exec(line)?.[1];
    const kind = item === undefined ? 'paragraph' : 'list';
    if (line === '' || heading !== undefined || open !== kind) close();
    if (heading !== undefined) blocks.push({ kind: 'heading', nodes: parseInline(heading, 0, false, true) });
    else if (line !== '') {
      open = kind;
      lines.push(item ?? line);
    }
  }
  close();
  return blocks;
}

/** Plain text of a document's first paragraph, for its description. */
export function firstWords(source: string): string {
  const first = parseDocument(source).find((block) => block.kind === 'paragraph');
  return first ? plainNodes(first.nodes).replace(/\s+/g, ' ').trim() : '';
}

/**
 * @param inLink true within a link, where nested links remain text.
 * @param own allows links to pages of the site and to mailboxes.
 */
function parseInline(source: string, depth: number, inLink = false, own = false): MarkupNode[] {
  const nodes: MarkupNode[] = [];
  let text = '';
  const flush = () => {
    if (text) nodes.push({ kind: 'text', text });
    text = '';
  };
  let at = 0;
  while (at < source.length) {
    const char = source[at];
    const found =
      depth < DEPTH && (char === '*' || (char === '[' && !inLink))
        ? matchAt(source.slice(at, at + 3_200), depth, inLink, own)
        : null;
    if (found) {
      flush();
      nodes.push(found.node);
      at += found.length;
    } else {
      text += char;
      at++;
    }
  }
  flush();
  return nodes;
}

function matchAt(
  rest: string,
  depth: number,
  inLink: boolean,
  own: boolean,
): { node: MarkupNode; length: number } | null {
  const thumbnail = THUMBNAIL.exec(rest);
  if (thumbnail)
    return {
      node: { kind: 'thumbnail', title: thumbnail[1] ?? '', image: thumbnail[2] ?? '', href: thumbnail[3] ?? '' },
      length: thumbnail[0].length,
    };
  const link = LINK.exec(rest) ?? (own ? OWN_LINK.exec(rest) : null);
  if (link)
    return {
      node: { kind: 'link', href: link[2] ?? '', children: parseInline(link[1] ?? '', depth + 1, true, own) },
      length: link[0].length,
    };
  const bold = BOLD.exec(rest) ?? BOLD_ONE.exec(rest);
  if (bold)
    return {
      node: { kind: 'bold', children: parseInline(bold[1] ?? '', depth + 1, inLink, own) },
      length: bold[0].length,
    };
  const italic = ITALIC.exec(rest);
  if (italic)
    return {
      node: { kind: 'italic', children: parseInline(italic[1] ?? '', depth + 1, inLink, own) },
      length: italic[0].length,
    };
  return null;
}

/** Plain text without markup, for excerpts and feeds. */
export function plainText(source: string): string {
  return parseMarkup(source)
    .map((paragraph) => plainNodes(paragraph.nodes))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const plainNodes = (nodes: MarkupNode[]): string =>
  nodes
    .map((node) =>
      node.kind === 'text' ? node.text : node.kind === 'thumbnail' ? node.title : plainNodes(node.children),
    )
    .join('');

/** A longer last word is cut in an excerpt; a shorter one is dropped whole. */
const LONG_WORD = 30;

/**
 * Cuts to at most `max` characters plus an ellipsis, between words when that preserves half of the text; never within a
 * surrogate pair.
 */
export function excerpt(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const head = characters.slice(0, max).join('');
  const blank = /\s/.test(characters[max] ?? '') ? -1 : head.search(/\s\S*$/);
  const shortened = blank >= Math.max(head.length / 2, head.length - LONG_WORD) ? head.slice(0, blank) : head;
  // Punctuation before the ellipsis is dropped.
  return `${shortened.replace(/[\s.,;:]+$/, '')}…`;
}

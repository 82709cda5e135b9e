import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt, type MarkupNode, parseDocument, parseMarkup, plainText } from './markup.ts';

const all = (source: string): MarkupNode[] => {
  const walk = (nodes: MarkupNode[]): MarkupNode[] =>
    nodes.flatMap((node) => ('children' in node ? [node, ...walk(node.children)] : [node]));
  return parseMarkup(source).flatMap((paragraph) => walk(paragraph.nodes));
};
const addresses = (source: string): string[] =>
  all(source).flatMap((node) =>
    node.kind === 'link' ? [node.href] : node.kind === 'thumbnail' ? [node.href, node.image] : [],
  );
const one = (source: string) => parseMarkup(source)[0]?.nodes;
/** Letters and digits only: other characters can be markup. */
const characters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');

describe('the light markup', () => {
  it('parses bold, italic, links and video thumbnails [NEWS-15] [A-NEWS-23] [AMB-170]', () => {
    expect(one('a **b** *c* [d](https://e.test/f?g=h#i)')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'bold', children: [{ kind: 'text', text: 'b' }] },
      { kind: 'text', text: ' ' },
      { kind: 'italic', children: [{ kind: 'text', text: 'c' }] },
      { kind: 'text', text: ' ' },
      { kind: 'link', href: 'https://e.test/f?g=h#i', children: [{ kind: 'text', text: 'd' }] },
    ]);
    expect(one('[![Tráiler](https://i.test/1.jpg)](https://v.test/watch?v=1)')).toEqual([
      { kind: 'thumbnail', title: 'Tráiler', image: 'https://i.test/1.jpg', href: 'https://v.test/watch?v=1' },
    ]);
  });

  it('nests: bold in a link, a link in bold, but no link in a link', () => {
    expect(one('[**a**](https://b.test)')).toEqual([
      { kind: 'link', href: 'https://b.test', children: [{ kind: 'bold', children: [{ kind: 'text', text: 'a' }] }] },
    ]);
    expect(one('**[a](https://b.test)**')).toMatchObject([{ kind: 'bold', children: [{ kind: 'link' }] }]);
    expect(addresses('[a [b](https://c.test)](https://d.test)')).toEqual(['https://c.test']);
    expect(addresses('[*[a*](https://b.test) x](https://c.test)').length).toBeLessThan(2);
  });

  it('begins a paragraph after a blank line, and keeps single line breaks', () => {
    expect(parseMarkup('a\nb\r\n\r\nc\n \t\n\nd').map((paragraph) => paragraph.nodes)).toEqual([
      [{ kind: 'text', text: 'a\nb' }],
      [{ kind: 'text', text: 'c' }],
      [{ kind: 'text', text: 'd' }],
    ]);
    expect(parseMarkup(' \n\n ')).toEqual([]);
  });

  it.each([
    ['javascript', '[x](javascript:alert(1))'],
    ['javascript, mixed case and spaces', '[x]( JaVaScRiPt:alert(1))'],
    ['javascript behind a tab', '[x](java\tscript:alert(1))'],
    ['data', '[x](data:text/html,<script>alert(1)</script>)'],
    ['vbscript', '[x](vbscript:msgbox)'],
    ['file', '[x](file:///etc/passwd)'],
    ['no protocol', '[x](//evil.test)'],
    ['a path', '[x](/admin)'],
    ['a quote in the address', '[x](https://a.test/"onmouseover="alert(1))'],
    ['an apostrophe in the address', "[x](https://a.test/'onmouseover='alert(1))"],
    ['a tag in the address', '[x](https://a.test/<script>)'],
    ['a space in the address', '[x](https://a.test onmouseover=alert(1))'],
    ['an image alone', '![x](https://a.test/x.png)'],
    ['a thumbnail with a script', '[![x](javascript:alert(1))](https://a.test)'],
    ['a thumbnail that leads to a script', '[![x](https://a.test/x.png)](javascript:alert(1))'],
    ['an autolink', '<https://a.test>'],
    ['a bare address', 'https://a.test'],
    ['html', '<img src=x onerror=alert(1)><a href="https://a.test">x</a><!-- -->'],
    ['an unclosed link', '[x](https://a.test'],
    ['an unclosed text', '[x https://a.test)'],
    ['a reference', '[x][1]\n[1]: https://a.test'],
    ['an address over two lines', '[x](https://a.test/\nb)'],
  ])('leaves %s as text [NEWS-15] [AMB-34]', (_, source) => {
    expect(addresses(source).filter((address) => !/^https?:\/\/a\.test(\/x\.png)?$/.test(address))).toEqual([]);
    // No text is lost either: everything that is not markup is shown.
    expect(plainText(source).replace(/\s/g, '')).toContain(source.includes('[x]') ? 'x' : source.replace(/\s/g, ''));
    expect(all(source).some((node) => node.kind === 'thumbnail')).toBe(false);
  });

  it.each(['**', '*', '[', '![', '[![', '](', '**a ', '*a ', '[a](https://b.test/', '**[', '*a**b', '\n \t', '[*a'])(
    'parses ten thousand repetitions of %j within the timeout of a test, and shows all of their text [AMB-34]',
    (piece) => {
      const source = piece.repeat(10_000);
      for (const text of [source, `${source}x`]) expect(characters(plainText(text))).toBe(characters(text));
    },
  );

  it('nests four levels at most, and shows all text, unclosed markup as typed', () => {
    const source = `${'**a *b '.repeat(10_000)}${'*c** '.repeat(10_000)}`;
    const depth = (nodes: MarkupNode[]): number =>
      nodes.reduce((deepest, node) => Math.max(deepest, 'children' in node ? 1 + depth(node.children) : 0), 0);
    for (const paragraph of parseMarkup(source)) expect(depth(paragraph.nodes)).toBeLessThanOrEqual(4);
    expect(characters(plainText(source))).toBe(characters(source));
    expect(depth(one('**[*a*](https://b.test)**') ?? [])).toBe(3);
    expect(plainText('**[*a*](https://b.test)** **b [c')).toBe('a **b [c');
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '**',
      '*',
      '[',
      ']',
      '(',
      ')',
      '](',
      '![',
      '[![',
      '\n',
      '\n\n',
      'https://a.test/',
      '](https://a.test/b)',
      '[c](https://a.test/d)',
      '[![e](https://a.test/f)](https://a.test/g)',
      'javascript:',
      '"',
      '<',
      '👩‍🎤',
    ),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const source = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('never throws, and links only to http and https addresses, for any text', () => {
    fc.assert(
      fc.property(source, (text) => {
        for (const address of addresses(text)) expect(address).toMatch(/^https?:\/\/[^\s()<>"']+$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows all letters and digits in their order, except the addresses of links and of images', () => {
    const textOf = (nodes: MarkupNode[], withAddresses: boolean): string =>
      nodes
        .map((node) => {
          if (node.kind === 'text') return node.text;
          if (node.kind === 'thumbnail') return node.title + (withAddresses ? node.image + node.href : '');
          return textOf(node.children, withAddresses) + (withAddresses && node.kind === 'link' ? node.href : '');
        })
        .join('');
    fc.assert(
      fc.property(source, (text) => {
        const nodes = parseMarkup(text).flatMap((paragraph) => paragraph.nodes);
        expect(characters(textOf(nodes, true))).toBe(characters(text));
        expect(characters(plainText(text))).toBe(characters(textOf(nodes, false)));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('excerpts', () => {
  it('are the text without its markup', () => {
    expect(plainText('**a** *b*\n\n[c](https://d.test)\n[![e](https://f.test)](https://g.test)')).toBe('a b c e');
  });

  it('are cut at the number of characters, plus an ellipsis [NEWS-16..18] [AMB-160]', () => {
    expect(excerpt('a'.repeat(150), 150)).toBe('a'.repeat(150));
    expect(excerpt('a'.repeat(151), 150)).toBe(`${'a'.repeat(150)}…`);
    expect(excerpt('ab cd', 3)).toBe('ab…');
    expect(excerpt('una feria de tokens', 12)).toBe('una feria de…');
    expect(excerpt('una feria de tokens', 15)).toBe('una feria de…');
    expect(excerpt('una feria, tokens', 12)).toBe('una feria…');
    expect(excerpt('a sinpausaninguna', 10)).toBe('a sinpausa…');
    expect(excerpt('👍'.repeat(4), 3)).toBe('👍👍👍…');
  });
});

describe('documents', () => {
  it('have headings, lists and paragraphs, and show HTML as text', () => {
    expect(parseDocument('## Uno\ntexto **fuerte**\nsigue\n\n- a\n- b\n* c\nfin\n### Dos\n<b>no</b>')).toEqual([
      { kind: 'heading', nodes: [{ kind: 'text', text: 'Uno' }] },
      {
        kind: 'paragraph',
        nodes: [
          { kind: 'text', text: 'texto ' },
          { kind: 'bold', children: [{ kind: 'text', text: 'fuerte' }] },
          { kind: 'text', text: '\nsigue' },
        ],
      },
      { kind: 'list', items: [['a'], ['b'], ['c']].map(([text]) => [{ kind: 'text', text }]) },
      { kind: 'paragraph', nodes: [{ kind: 'text', text: 'fin' }] },
      { kind: 'heading', nodes: [{ kind: 'text', text: 'Dos' }] },
      { kind: 'paragraph', nodes: [{ kind: 'text', text: '<b>no</b>' }] },
    ]);
  });

  it('link to pages of the site, mailboxes and web addresses, and to nothing else', () => {
    const hrefs = (source: string) =>
      parseDocument(source).flatMap((block) =>
        block.kind === 'list' ? [] : block.nodes.flatMap((node) => (node.kind === 'link' ? [node.href] : [])),
      );
    expect(hrefs('[a](/risk) [b](mailto:a@b.es) [c](https://x.es/a)')).toEqual([
      '/risk',
      'mailto:a@b.es',
      'https://x.es/a',
    ]);
    for (const bad of ['//evil.es', '/\\evil.es', 'javascript:alert(1)', 'mailto:a@b.es?bcc=c@d.es', 'data:x', 'risk'])
      expect(hrefs(`[a](${bad})`), bad).toEqual([]);
    // User texts in news can link to web addresses only.
    expect(JSON.stringify(parseMarkup('[a](/risk)'))).not.toContain('link');
  });
});

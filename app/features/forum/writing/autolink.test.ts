import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autolink } from './autolink.ts';

const links = (text: string) => autolink(text).flatMap((piece) => (piece.href ? [piece.href] : []));

describe('autolink', () => {
  it.each([
    ['ver https://example.com.', ['https://example.com/']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['HTTP://Example.com/A?b=1&c=2#d, y', ['http://example.com/A?b=1&c=2#d']],
    ['https://ñandú.example/ruta', ['https://xn--and-6ma2c.example/ruta']],
    ['https://a.example https://b.example', ['https://a.example/', 'https://b.example/']],
    ['javascript:alert(1) data:text/html,x ftp://x.example www.example.com', []],
    ['https:// https://... http://)', []],
    ['https://bank.example@evil.example/ https://user:pass@evil.example/', []],
  ])('finds the addresses in: %s', (text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  it('ends an address where markup would begin', () => {
    expect(links('https://a.example"onmouseover="x https://b.example<script>')).toEqual([
      'https://a.example/',
      'https://b.example/',
    ]);
  });

  it('keeps every character of any text, and links to http and https addresses only', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('https://', 'http://a.b/', 'javascript:', ')', '(', '.', '"', ' ', '\n', '@'),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        const pieces = autolink(text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const { href } of pieces) if (href) expect(['http:', 'https:']).toContain(new URL(href).protocol);
      }),
    );
  });
});

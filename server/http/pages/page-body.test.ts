import { randomBytes } from 'node:crypto';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PageBody } from './page-body.ts';
import { finishPage } from './page-cache.ts';

/** The window that a Brotli stream names in its first bits (RFC 7932, 9.1), for those of 18 bits and more. */
const windowOf = (compressed: Buffer) => 17 + (((compressed[0] ?? 0) & 0b1111) >> 1);

describe('the body of a page', () => {
  it.each([
    [140_000, 18],
    [300_000, 19],
    [20_000_000, 22],
  ])('of %i bytes is compressed with a window of 2^%i bytes', async (length, window) => {
    const text = Buffer.alloc(length, randomBytes(500).toString('hex'));
    const compressed = await new PageBody(text).as('br');
    expect(windowOf(compressed)).toBe(window);
    expect(zlib.brotliDecompressSync(compressed).equals(text)).toBe(true);
  });

  it('may be short or empty', async () => {
    for (const text of ['', 'a', 'short'])
      expect(zlib.brotliDecompressSync(await new PageBody(Buffer.from(text)).as('br')).toString()).toBe(text);
  });

  it('does not retain its uncompressed bytes once it is compressed, and restores them on demand', async () => {
    const text = Buffer.from('words and ñ '.repeat(2_000));
    for (const encoding of ['br', 'gzip'] as const) {
      const body = new PageBody(text);
      expect(body.peek('identity')).toBe(text);
      await body.as(encoding);
      expect([body.length, body.has('identity'), body.has(encoding)]).toEqual([text.length, true, true]);
      const plain = body.identity;
      expect(plain).not.toBe(text);
      expect(plain.equals(text)).toBe(true);
      expect(body.identity).not.toBe(plain);
      const requested = body.peek('identity');
      expect(requested?.equals(text)).toBe(true);
      expect(await body.as('identity')).toBe(requested);
      const other = encoding === 'br' ? 'gzip' : 'br';
      const compressed = await body.as(other);
      expect((other === 'br' ? zlib.brotliDecompressSync : zlib.gunzipSync)(compressed).equals(text)).toBe(true);
    }
  });

  it('is the HTML that the renderer passed, or else the body of the response', async () => {
    const html = { headers: { 'content-type': 'text/html' } };
    const bodyOf = async (response: Response, rendered?: string) =>
      (await finishPage(response, false, 'no-store', { nonce: 'n0nce', html: rendered })).body.identity.toString();
    const rendered = Buffer.from('<p nonce="n0nce">ñ</p>').toString('latin1');
    expect(await bodyOf(new Response(null, html), rendered)).toBe('<p>ñ</p>');
    expect(await bodyOf(new Response('<p>ñ</p>', html))).toBe('<p>ñ</p>');
  });
});

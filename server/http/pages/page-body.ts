import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Encoding } from './accept-encoding.ts';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/**
 * Brotli's window in bits: the smallest that holds the whole document. V8 counts an encoder's memory as memory of its heap; with the default
 * window of 4 MB a few pages at once made it collect garbage so often that it cost several times the compression.
 *
 * @param bytes length of the document.
 */
const windowBits = (bytes: number): number =>
  Math.min(
    zlib.constants.BROTLI_DEFAULT_WINDOW,
    Math.max(zlib.constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(Math.max(1, bytes)))),
  );

const brotliOptions = (bytes: number): zlib.BrotliOptions => ({
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 5,
    [zlib.constants.BROTLI_PARAM_LGWIN]: windowBits(bytes),
  },
});

/**
 * The bytes of a document. Each compressed form is created once, when it is first requested: most never are. From then on the plain
 * bytes, five times as many, are not kept until a client accepts only those.
 */
export class PageBody {
  /** Bytes of the plain document. */
  readonly length: number;
  #plain: Buffer | null;
  readonly #compressed: { br?: Buffer; gzip?: Buffer } = {};
  readonly #compressing: { br?: Promise<Buffer> | undefined; gzip?: Promise<Buffer> | undefined } = {};

  constructor(plain: Buffer) {
    this.#plain = plain;
    this.length = plain.length;
  }

  /** The plain bytes. When they are no longer kept they are decompressed, which takes less than a millisecond. */
  get identity(): Buffer {
    if (this.#plain) return this.#plain;
    const { br, gzip: gzipped } = this.#compressed;
    if (br) return zlib.brotliDecompressSync(br);
    if (gzipped) return zlib.gunzipSync(gzipped);
    throw new Error('a document without bytes');
  }

  /** True when the body is there in an encoding without a compression. */
  has(encoding: Encoding): boolean {
    return encoding === 'identity' || this.#compressed[encoding] !== undefined;
  }

  /** The body in an encoding, or null when it is not compressed yet. Plain bytes that a client needed are kept: many may follow. */
  peek(encoding: Encoding): Buffer | null {
    if (encoding !== 'identity') return this.#compressed[encoding] ?? null;
    this.#plain = this.identity;
    return this.#plain;
  }

  /** The body in an encoding; concurrent callers share one compression. */
  async as(encoding: Encoding): Promise<Buffer> {
    const ready = this.peek(encoding);
    if (ready || encoding === 'identity') return ready ?? this.identity;
    this.#compressing[encoding] ??= this.#compress(encoding);
    return this.#compressing[encoding];
  }

  async #compress(encoding: 'br' | 'gzip'): Promise<Buffer> {
    try {
      const plain = this.identity;
      const compressed = await (encoding === 'br' ? brotli(plain, brotliOptions(plain.length)) : gzip(plain));
      this.#compressed[encoding] = compressed;
      this.#plain = null;
      return compressed;
    } finally {
      this.#compressing[encoding] = undefined;
    }
  }
}

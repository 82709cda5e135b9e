// Images for tests, built byte by byte or by sharp: valid ones, broken ones, and ones with hidden content.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Text hidden in content that must be removed. */
export const CANARY = 'CANARY-7f3a';

type Rgb = readonly [number, number, number];
const RED: Rgb = [220, 30, 40];
const BLUE: Rgb = [30, 60, 220];

/** Left half red, right half blue, plain pixels. */
function halves(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) pixels.set(i % width < width / 2 ? RED : BLUE, i * 3);
  return pixels;
}

export const halvesImage = (width = 120, height = 80) =>
  sharp(halves(width, height), { raw: { width, height, channels: 3 } });

/** An image with detail, so that a truncated file is a truncated image. */
export function speckled(side: number) {
  const pixels = Buffer.alloc(side * side * 3);
  let seed = 12_345;
  for (let i = 0; i < pixels.length; i++) {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    pixels[i] = (seed >> 16) & 0xff;
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } });
}

/** Frames that all differ. */
export function moving(frames: number, width = 32, height = 24) {
  const pixels = Buffer.alloc(width * height * frames * 3);
  for (let frame = 0; frame < frames; frame++)
    for (let i = 0; i < width * height; i++)
      pixels.set(
        [(frame * 37) % 256, (i * 3 + frame * 11) % 256, 200 - ((frame * 5) % 200)],
        (frame * width * height + i) * 3,
      );
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } });
}

const ascii = (text: string) => Buffer.from(text, 'latin1');

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([ascii(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Inserts chunks after a PNG's header. */
const withPngChunks = (png: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

/** A black image with one bit per pixel: a large area in few bytes. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const lines = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', lines),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An animated PNG; readers that know only PNG show its first image. */
function apng(png: Buffer, frames: number): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  return withPngChunks(png, pngChunk('acTL', control));
}

/** A GIF whose first frame claims the whole screen; the others repaint one pixel of it. */
export function gif(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.alloc(13);
  screen.write('GIF89a', 'latin1');
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  screen[10] = 0x80;
  const frame = (wide: number, high: number) =>
    Buffer.from([
      ...[0x21, 0xf9, 4, 4, 10, 0, 0, 0],
      ...[0x2c, 0, 0, 0, 0, wide & 255, wide >> 8, high & 255, high >> 8, 0],
      ...[2, 2, 0x44, 0x01, 0],
    ]);
  return Buffer.concat([
    screen,
    Buffer.from([0, 0, 0, 255, 255, 255]),
    frame(width, height),
    ...Array<Buffer>(frames - 1).fill(frame(1, 1)),
    Buffer.of(0x3b),
  ]);
}

/** A whole small JPEG whose header claims another size. */
export async function jpegClaiming(width: number, height: number): Promise<Buffer> {
  const jpeg = await halvesImage(16, 16).jpeg().toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

/** A lossless WebP of one colour: 38 bytes or so, any size. */
export async function webpClaiming(width: number, height: number): Promise<Buffer> {
  const webp = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
    .webp({ lossless: true })
    .toBuffer();
  const sizes = webp.indexOf('VP8L') + 9;
  webp.writeUInt32LE(((webp.readUInt32LE(sizes) & 0xf0000000) | ((height - 1) << 14) | (width - 1)) >>> 0, sizes);
  return webp;
}

/** Files that are not one of the four types at all. */
export async function foreignFiles(): Promise<[name: string, bytes: Buffer][]> {
  const svg =
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  return [
    ['nothing', Buffer.alloc(0)],
    ['SVG', ascii(svg)],
    ['SVG without prologue', ascii(svg.slice(svg.indexOf('<svg')))],
    ['HTML', ascii('<!doctype html><script>alert(1)</script>')],
    ['HTML named a.png.html', ascii('<html><img src=x onerror=alert(1)></html>')],
    ['PDF', ascii('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')],
    ['ZIP', Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 0, 0]), Buffer.alloc(40)])],
    ['TIFF', await halvesImage().tiff().toBuffer()],
    ['AVIF', await halvesImage(16, 16).avif({ effort: 0 }).toBuffer()],
    ['ICO', Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0]), Buffer.alloc(60)])],
    [
      'BMP',
      Buffer.concat([ascii('BM'), Buffer.from([70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]), Buffer.alloc(60)]),
    ],
    ['WASM', Buffer.concat([ascii('\0asm'), Buffer.from([1, 0, 0, 0]), Buffer.alloc(20)])],
    ['ELF', Buffer.concat([ascii('\x7fELF'), Buffer.from([2, 1, 1]), Buffer.alloc(60)])],
    ['text', ascii('just words')],
    ['animated PNG', apng(await halvesImage().png().toBuffer(), 2)],
    ['animated PNG of 101 frames', apng(await halvesImage().png().toBuffer(), 101)],
  ];
}

/** Images with hidden content: refused, or stored without it. */
export async function polyglots(): Promise<[name: string, bytes: Buffer][]> {
  const php = ascii(`<?php system('${CANARY}'); ?>`);
  const [jpeg, png, still] = [
    await halvesImage().jpeg().toBuffer(),
    await halvesImage().png().toBuffer(),
    await moving(1).gif().toBuffer(),
  ];
  const zip = Buffer.concat([
    Buffer.from([0x50, 0x4b, 3, 4]),
    ascii(CANARY),
    Buffer.from([0x50, 0x4b, 5, 6]),
    Buffer.alloc(18),
  ]);
  const script = `<script>alert('${CANARY}')</script>`;
  // Its bytes are uncompressed in the image's data.
  const row = Buffer.concat([Buffer.of(0), ascii(script.padEnd(60))]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(20, 0);
  header.writeUInt32BE(1, 4);
  header.set([8, 2], 8);
  return [
    ['JPEG with PHP behind it', Buffer.concat([jpeg, php])],
    ['JPEG with a ZIP behind it', Buffer.concat([jpeg, zip])],
    [
      'JPEG with PHP in a comment',
      Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, php.length + 2]), php, jpeg.subarray(2)]),
    ],
    ['GIF that is JavaScript', ascii(`GIF89a/*${'\0'.repeat(20)}*/=1;alert('${CANARY}');`)],
    ['GIF with JavaScript behind it', Buffer.concat([still, ascii(`*/=1;alert('${CANARY}')`)])],
    ['PNG with a script in tEXt', withPngChunks(png, pngChunk('tEXt', ascii(`Comment\0${script}`)))],
    [
      'PNG with a script in IDAT',
      Buffer.concat([
        png.subarray(0, 8),
        pngChunk('IHDR', header),
        pngChunk('IDAT', deflateSync(row, { level: 0 })),
        pngChunk('IEND', Buffer.alloc(0)),
      ]),
    ],
    ['PNG with HTML behind it', Buffer.concat([png, ascii(script)])],
    ['WebP with a stray chunk', withRiffChunk(await halvesImage().webp().toBuffer(), ascii(script))],
  ];
}

function withRiffChunk(webp: Buffer, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write('JUNK', 'latin1');
  head.writeUInt32LE(data.length, 4);
  const whole = Buffer.concat([webp, head, data, Buffer.alloc(data.length % 2)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

/**
 * A photograph as a phone sends it: rotated by its EXIF orientation, with location, owner and XMP. Upright it is red
 * over blue.
 */
export const phonePhoto = (): Promise<Buffer> =>
  halvesImage(160, 100)
    .withExif({
      IFD0: { Copyright: CANARY, Software: CANARY },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 25/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '3/1 42/1 0/1' },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${CANARY}</a></x:xmpmeta>`)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { IMAGE } from '#contract/media.ts';
import { loadSharp } from '#server/lib/sharp.ts';
import {
  blackPng,
  CANARY,
  foreignFiles,
  gif,
  halvesImage,
  jpegClaiming,
  moving,
  phonePhoto,
  polyglots,
  speckled,
  webpClaiming,
} from '#tests/support/images.ts';
import type { Rendering, Variant } from './encode-image.ts';
import { createImageProcessor, type ImageProcessor } from './image-processor.ts';
import {
  checkSize,
  fileOf,
  nameOfFile,
  nameOfUrl,
  PNG_SIDE,
  UploadRefused,
  urlOf,
  WEBP_SIDES,
} from './media.policy.ts';

const processor = createImageProcessor();
const encode = (bytes: Buffer, declared: Parameters<ImageProcessor>[0]['declared'] = null) =>
  processor({ bytes, declared });
const refused = (code: string, reason?: RegExp) =>
  reason ? { code, message: expect.stringMatching(reason) } : { code };

/** Colour of one pixel, at fractions of the sides. */
async function colourAt(bytes: Buffer, x: number, y: number): Promise<[number, number, number]> {
  const { width, height } = await sharp(bytes).metadata();
  const { data } = await sharp(bytes)
    .extract({ left: Math.floor(width * x), top: Math.floor(height * y), width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [data[0] ?? -1, data[1] ?? -1, data[2] ?? -1];
}
const isRed = ([r, g, b]: number[]) =>
  expect({ r, g, b, red: (r ?? 0) > 150 && (b ?? 0) < 110 }).toMatchObject({ red: true });
const isBlue = ([r, g, b]: number[]) =>
  expect({ r, g, b, blue: (b ?? 0) > 130 && (r ?? 0) < 110 }).toMatchObject({ blue: true });

/** What every image that is kept must be. */
async function expectClean({ variants }: Rendering): Promise<void> {
  expect(variants.map(({ side, type }) => `${side} ${type}`)).toEqual([
    ...WEBP_SIDES.map((side) => `${side} image/webp`),
    `${PNG_SIDE} image/png`,
  ]);
  for (const { bytes, type, side, width, height } of variants) {
    const magic = type === 'image/webp' ? ['RIFF', 'WEBP'] : ['\x89PNG', 'IHDR'];
    expect([
      bytes.toString('latin1', 0, 4),
      bytes.toString('latin1', type === 'image/webp' ? 8 : 12, type === 'image/webp' ? 12 : 16),
    ]).toEqual(magic);
    expect(bytes.includes(CANARY)).toBe(false);
    const found = await sharp(bytes).metadata();
    for (const part of ['exif', 'xmp', 'iptc', 'icc', 'orientation', 'comments'] as const)
      expect(found[part], part).toBeUndefined();
    expect(Math.max(width, height)).toBeLessThanOrEqual(side);
  }
}
const largest = ({ variants }: Rendering) => variants[0] as Variant;

describe('what is no image of ours', () => {
  it('is refused by its content, whatever it says it is [MEDIA-01] [MEDIA-07]', async () => {
    for (const [name, bytes] of await foreignFiles())
      for (const declared of [null, 'image/png', 'image/gif'] as const)
        await expect(encode(bytes, declared), name).rejects.toMatchObject(refused('FILE_TYPE'));
  });

  it('is refused when it is another of the four than it says', async () => {
    const files = {
      'image/jpeg': await halvesImage().jpeg().toBuffer(),
      'image/png': await halvesImage().png().toBuffer(),
      'image/webp': await halvesImage().webp().toBuffer(),
      'image/gif': await halvesImage().gif().toBuffer(),
    } as const;
    for (const [type, bytes] of Object.entries(files))
      for (const declared of Object.keys(files) as (keyof typeof files)[])
        if (declared === type) await expect(encode(bytes, declared)).resolves.toBeTruthy();
        else await expect(encode(bytes, declared)).rejects.toMatchObject(refused('FILE_TYPE'));
  });
});

describe('what would cost too much', () => {
  it.each([
    ['PNG', async () => blackPng(16_383, 16_383)],
    ['JPEG', () => jpegClaiming(16_383, 16_383)],
    ['WebP', () => webpClaiming(16_383, 16_383)],
    ['GIF', async () => gif(16_383, 16_383, 1)],
  ])('a %s of 268 megapixels is refused by its header', async (_, make) => {
    const bytes = await make();
    expect(bytes.length).toBeLessThan(1_000_000);
    await expect(encode(bytes)).rejects.toMatchObject(refused('IMAGE_REFUSED', /16383 x 16383 pixels/));
  });

  it.each([
    ['tall', 1, 24_000_000],
    ['wide', 24_000_000, 1],
  ])('a %s picture of 24 megapixels in one line is refused by its sides', async (_, width, height) => {
    await expect(encode(blackPng(width, height))).rejects.toMatchObject(
      refused('IMAGE_REFUSED', new RegExp(`^${width} x ${height} pixels$`)),
    );
  });

  it.each([
    ['1,298 frames', 100, 100, 1_298, /1298 frames/],
    ['101 frames', 10, 10, 101, /101 frames/],
    ['100 frames of 64 megapixels in all', 800, 800, 100, /100 frames of 800/],
  ])('a GIF of %s is refused', async (_, width, height, frames, reason) => {
    await expect(encode(gif(width, height, frames))).rejects.toMatchObject(refused('IMAGE_REFUSED', reason));
  });

  it('a WebP of 101 frames is refused, one of 100 is not', async () => {
    const webp = (frames: number) => moving(frames, 4, 4).webp({ loop: 0, lossless: true }).toBuffer();
    await expect(encode(await webp(101))).rejects.toMatchObject(refused('IMAGE_REFUSED', /101 frames/));
    expect(await encode(await webp(100))).toMatchObject({ frames: 100 });
  });

  it('the limits are what they say, to the pixel', () => {
    const at = (width: number, height: number, frames: number) => () => checkSize({ width, height, frames });
    expect(at(5_000, 5_000, 1)).not.toThrow();
    expect(at(5_000, 5_001, 1)).toThrow('5000 x 5001 pixels');
    expect(at(5_000, 5_000, 2)).not.toThrow();
    expect(at(5_000, 5_000, 3)).toThrow('3 frames of');
    expect(at(10_000, 2_500, 1)).not.toThrow();
    expect(at(10_001, 1, 1)).toThrow('10001 x 1 pixels');
    expect(at(1, 10_001, 1)).toThrow('1 x 10001 pixels');
    expect(() => checkSize({ width: 5_000, height: 5_000, frames: 1, pixelBytes: 8 })).toThrow('of 8 bytes each');
    expect(() => checkSize({ width: 3_500, height: 3_500, frames: 1, pixelBytes: 8 })).not.toThrow();
    expect(at(1, 1, IMAGE.framesMost)).not.toThrow();
    expect(at(1, 1, IMAGE.framesMost + 1)).toThrow('101 frames');
  });

  it('of 16 bits a channel counts twice', async () => {
    const deep = await sharp({ create: { width: 4_000, height: 4_000, channels: 4, background: '#27c8' } })
      .toColourspace('rgb16')
      .png({ compressionLevel: 1 })
      .toBuffer();
    await expect(encode(deep)).rejects.toMatchObject(refused('IMAGE_REFUSED', /of 8 bytes each/));
  });

  it('25 megapixels are encoded within the memory of one process', async () => {
    const png = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#27c' } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    expect(await encode(png)).toMatchObject({ width: 768, height: 768 });
  });
});

describe('what is damaged', () => {
  it.each(['jpeg', 'png', 'webp', 'gif'] as const)('a %s cut at 10, 50 and 90 % is refused', async (format) => {
    const whole = await speckled(200)[format]().toBuffer();
    await expect(encode(whole)).resolves.toBeTruthy();
    for (const part of [0.1, 0.5, 0.9])
      await expect(encode(whole.subarray(0, Math.floor(whole.length * part))), `${part}`).rejects.toMatchObject({
        code: expect.stringMatching(/^(IMAGE_REFUSED|FILE_TYPE)$/),
      });
  });

  it.each(['webp', 'gif'] as const)('a moving %s cut within a frame is refused', async (format) => {
    const whole = await moving(10, 60, 60)
      [format]({ loop: 0, ...(format === 'webp' ? { lossless: true } : {}) })
      .toBuffer();
    for (const part of [0.1, 0.5, 0.9])
      await expect(encode(whole.subarray(0, Math.floor(whole.length * part))), `${part}`).rejects.toMatchObject({
        code: 'IMAGE_REFUSED',
      });
  });

  it('a PNG with a wrong checksum is refused', async () => {
    const png = await speckled(60).png().toBuffer();
    const spoilt = Buffer.from(png);
    const end = spoilt.indexOf('IEND') - 5;
    spoilt[end] = (spoilt[end] ?? 0) ^ 0xff;
    await expect(encode(spoilt)).rejects.toMatchObject(refused('IMAGE_REFUSED'));
    const header = Buffer.from(png);
    header[30] = (header[30] ?? 0) ^ 0xff;
    await expect(encode(header)).rejects.toMatchObject({ code: expect.stringMatching(/IMAGE_REFUSED|FILE_TYPE/) });
  });
});

describe('what carries something along', () => {
  it('loses it, or is refused', async () => {
    const stored: string[] = [];
    for (const [name, bytes] of await polyglots()) {
      expect(bytes.includes(CANARY), name).toBe(true);
      const made = await encode(bytes).catch((error: { code?: string }) => {
        expect(error.code, name).toMatch(/^(IMAGE_REFUSED|FILE_TYPE)$/);
        return null;
      });
      if (!made) continue;
      stored.push(name);
      await expectClean(made);
    }
    // The test must not pass because everything was refused.
    expect(stored).toContain('JPEG with PHP behind it');
    expect(stored).not.toContain('GIF that is JavaScript');
  });

  it('a photograph is turned upright and says nothing about place and owner', async () => {
    const photo = await phonePhoto();
    expect(photo.includes(CANARY)).toBe(true);
    expect(await sharp(photo).metadata()).toMatchObject({ orientation: 6, width: 160, height: 100 });
    const made = await encode(photo, 'image/jpeg');
    expect(made).toMatchObject({ width: 100, height: 160, frames: 1 });
    await expectClean(made);
    isRed(await colourAt(largest(made).bytes, 0.5, 0.1));
    isBlue(await colourAt(largest(made).bytes, 0.5, 0.9));
  });

  it('a wide colour profile is applied and left out', async () => {
    const plain = await halvesImage().png().toBuffer();
    const wide = await sharp(plain).withIccProfile('p3').png().toBuffer();
    const made = await encode(wide);
    await expectClean(made);
    const png = made.variants.at(-1) as Variant;
    const [want, have] = [await colourAt(plain, 0.25, 0.5), await colourAt(png.bytes, 0.25, 0.5)];
    for (const [i, value] of want.entries()) expect(Math.abs(value - (have[i] ?? 0))).toBeLessThan(8);
  });
});

describe('what is kept', () => {
  it.each([
    ['JPEG', () => halvesImage().jpeg().toBuffer()],
    ['progressive JPEG', () => halvesImage().jpeg({ progressive: true }).toBuffer()],
    ['CMYK JPEG', () => halvesImage().toColourspace('cmyk').jpeg().toBuffer()],
    ['PNG', () => halvesImage().png().toBuffer()],
    ['PNG of a palette', () => halvesImage().png({ palette: true }).toBuffer()],
    ['interlaced PNG', () => halvesImage().png({ progressive: true }).toBuffer()],
    ['PNG of 16 bits', () => halvesImage().toColourspace('rgb16').png().toBuffer()],
    ['WebP', () => halvesImage().webp().toBuffer()],
    ['lossless WebP', () => halvesImage().webp({ lossless: true }).toBuffer()],
    ['GIF', () => halvesImage().gif().toBuffer()],
  ])('a %s keeps its colours and sides', async (name, make) => {
    const bytes = await make();
    if (name === 'CMYK JPEG') expect((await sharp(bytes).metadata()).space).toBe('cmyk');
    if (name === 'PNG of 16 bits') expect((await sharp(bytes).metadata()).depth).toBe('ushort');
    const made = await encode(bytes);
    expect(made).toMatchObject({ width: 120, height: 80, frames: 1 });
    await expectClean(made);
    for (const { bytes: variant } of made.variants) {
      isRed(await colourAt(variant, 0.1, 0.5));
      isBlue(await colourAt(variant, 0.85, 0.5));
    }
  });

  it('grey stays grey', async () => {
    const made = await encode(
      await sharp({ create: { width: 50, height: 50, channels: 3, background: '#777' } })
        .greyscale()
        .jpeg()
        .toBuffer(),
    );
    const [r, g, b] = await colourAt(largest(made).bytes, 0.5, 0.5);
    expect(Math.max(Math.abs(r - 0x77), Math.abs(g - 0x77), Math.abs(b - 0x77))).toBeLessThan(6);
  });

  it('half-transparent colours are not mixed twice', async () => {
    const bytes = await sharp({
      create: { width: 1_000, height: 1_000, channels: 4, background: { r: 200, g: 100, b: 50, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    for (const { bytes: variant } of (await encode(bytes)).variants) {
      const { data } = await sharp(variant)
        .extract({ left: 40, top: 40, width: 1, height: 1 })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const want = [200, 100, 50, 128];
      for (const [i, value] of want.entries()) expect(Math.abs((data[i] ?? 0) - value), `${i}`).toBeLessThan(6);
    }
  });

  it('is made smaller in steps, with its proportions, and never larger', async () => {
    const made = await encode(await halvesImage(2_000, 1_000).jpeg().toBuffer());
    expect(made.variants.map(({ width, height }) => [width, height])).toEqual([
      [768, 384],
      [384, 192],
      [192, 96],
      [96, 48],
      [512, 512],
    ]);
    const small = await encode(await halvesImage(50, 30).png().toBuffer());
    expect(small.variants.map(({ width }) => width)).toEqual([50, 50, 50, 50, 512]);
    // Around the picture the square is empty.
    const { data } = await sharp((small.variants.at(-1) as Variant).bytes)
      .extract({ left: 5, top: 5, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(0);
  });

  it('a line of one pixel stays one', async () => {
    expect(await encode(await halvesImage(3_000, 1).png().toBuffer())).toMatchObject({ width: 768, height: 1 });
  });

  it.each(['gif', 'webp'] as const)('a moving %s goes on moving, at its own pace', async (format) => {
    const delay = [40, 100, 250, 40, 40, 40];
    const made = await encode(await moving(6, 900, 600)[format]({ loop: 3, delay }).toBuffer());
    expect(made).toMatchObject({ width: 768, height: 512, frames: 6 });
    await expectClean(made);
    for (const { bytes, type } of made.variants) {
      const found = await sharp(bytes, { animated: true }).metadata();
      if (type === 'image/webp') expect(found).toMatchObject({ pages: 6, loop: 3, delay });
      else expect(found.pages ?? 1).toBe(1);
    }
    expect(made.variants.map(({ width, height }) => [width, height])).toEqual([
      [768, 512],
      [384, 256],
      [192, 128],
      [96, 64],
      [512, 512],
    ]);
  });
});

describe('the studio', () => {
  it('encodes two at once, lets eight wait, and refuses the rest', async () => {
    let [active, most] = [0, 0];
    const release: (() => void)[] = [];
    const rendering: Rendering = { width: 1, height: 1, frames: 1, variants: [], pictureKey: null };
    const slow = createImageProcessor(async () => {
      most = Math.max(most, ++active);
      await new Promise<void>((resolve) => release.push(resolve));
      active--;
      return rendering;
    });
    const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
    const picture = { bytes: Buffer.alloc(0), declared: null };
    const first = [slow(picture), slow(picture)];
    await tick();
    const waiting = Array.from({ length: 8 }, () => slow(picture));
    await expect(slow(picture)).rejects.toMatchObject({ code: 'BUSY', status: 503 });
    while (release.length > 0 || active > 0) {
      release.shift()?.();
      await tick();
    }
    await expect(Promise.all([...first, ...waiting])).resolves.toHaveLength(10);
    expect(most).toBe(2);
  });

  it('encodes guests behind members, and one lane is never theirs', async () => {
    const [begun, release]: [string[], (() => void)[]] = [[], []];
    const rendering: Rendering = { width: 1, height: 1, frames: 1, variants: [], pictureKey: null };
    const slow = createImageProcessor(async ({ bytes }) => {
      begun.push(bytes.toString());
      await new Promise<void>((resolve) => release.push(resolve));
      return rendering;
    });
    const add = (name: string, rank: 'known' | 'stranger') => slow({ bytes: Buffer.from(name), declared: null, rank });
    const all = [add('guest 1', 'stranger'), add('guest 2', 'stranger'), add('member 1', 'known')];
    all.push(add('member 2', 'known'));
    expect(begun).toEqual(['guest 1', 'member 1']);
    while (begun.length < 4) {
      release.shift()?.();
      await new Promise(setImmediate);
    }
    expect(begun).toEqual(['guest 1', 'member 1', 'member 2', 'guest 2']);
    for (const end of release) end();
    await Promise.all(all);
  });

  it('goes on after one that failed', async () => {
    await expect(encode(Buffer.from('no'))).rejects.toMatchObject({ code: 'FILE_TYPE' });
    await expect(encode(await halvesImage().png().toBuffer())).resolves.toBeTruthy();
  });

  it('reads the four types only, even asked directly; of SVG only what we drew ourselves', async () => {
    const png = await halvesImage().png().toBuffer();
    await loadSharp();
    await expect(sharp(await halvesImage().tiff().toBuffer()).metadata()).rejects.toThrow();
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'florka-image-')), 'a.png');
    writeFileSync(file, png);
    await expect(sharp(file).metadata()).rejects.toThrow();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    for (const text of [svg, `<?xml version="1.0"?>${svg}`, `  ${svg}`])
      await expect(encode(Buffer.from(text))).rejects.toMatchObject({ code: 'FILE_TYPE' });
    // Behind the first bytes of another type nothing is looked for.
    for (const head of [png.subarray(0, 8), Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('GIF89a')])
      await expect(encode(Buffer.concat([head, Buffer.from(svg)]))).rejects.toBeInstanceOf(UploadRefused);
  });
});

describe('names', () => {
  const name = '0123456789abcdef0123456789abcdef';

  it('lead to the image and back', () => {
    expect(urlOf(name)).toBe(`/media/${name}.webp`);
    expect(nameOfUrl(urlOf(name))).toBe(name);
    for (const side of WEBP_SIDES) expect(nameOfFile(fileOf(name, side, 'image/webp'))).toBe(name);
    expect(nameOfFile(fileOf(name, PNG_SIDE, 'image/png'))).toBe(name);
  });

  it.each([
    '',
    name,
    `${name}.png`,
    `${name}-97.webp`,
    `${name}-768.webp`,
    `${name}.webp.html`,
    `../${name}.webp`,
    `${name}.webp\n`,
    `${name.toUpperCase()}.webp`,
    `${name}0.webp`,
    '..%2f..%2fauth-secret',
    'CON',
  ])('of no file of ours: %j', (file) => {
    expect(nameOfFile(file)).toBeNull();
  });

  it.each([
    null,
    undefined,
    '',
    'https://elsewhere.example/a.png',
    `https://elsewhere.example/media/${name}.webp`,
    `//evil/media/${name}.webp`,
  ])('of no address of ours: %j', (url) => {
    expect(nameOfUrl(url)).toBeNull();
  });
});

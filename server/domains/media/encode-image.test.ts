import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { colourAt, encode, expectClean, isBlue, isRed, largest } from '#tests/fixtures/image-processor.ts';
import { halvesImage, moving } from '#tests/support/samples/images.ts';
import type { Variant } from './encode-image.ts';
import { fileOf, nameOfFile, nameOfUrl, PNG_SIDE, urlOf, WEBP_SIDES } from './media.policy.ts';

describe('an encoded image', () => {
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
  ])('keeps the colours and sides of a %s', async (name, make) => {
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

  it('keeps grey grey', async () => {
    const made = await encode(
      await sharp({ create: { width: 50, height: 50, channels: 3, background: '#777' } })
        .greyscale()
        .jpeg()
        .toBuffer(),
    );
    const [r, g, b] = await colourAt(largest(made).bytes, 0.5, 0.5);
    expect(Math.max(Math.abs(r - 0x77), Math.abs(g - 0x77), Math.abs(b - 0x77))).toBeLessThan(6);
  });

  it('does not blend half-transparent colours twice', async () => {
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

  it('has smaller variants with its proportions, is never enlarged, and has a square variant', async () => {
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
    // The square is transparent around the image.
    const { data } = await sharp((small.variants.at(-1) as Variant).bytes)
      .extract({ left: 5, top: 5, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(0);
  });

  it('keeps a height of one pixel', async () => {
    expect(await encode(await halvesImage(3_000, 1).png().toBuffer())).toMatchObject({ width: 768, height: 1 });
  });

  it.each(['gif', 'webp'] as const)('keeps frames, loops and delays of an animated %s', async (format) => {
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

describe('names of image files', () => {
  const name = '0123456789abcdef0123456789abcdef';

  it('are made from the name of the image and resolve to it', () => {
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
  ])('do not resolve for a file that is not ours: %j', (file) => {
    expect(nameOfFile(file)).toBeNull();
  });

  it.each([
    null,
    undefined,
    '',
    'https://elsewhere.example/a.png',
    `https://elsewhere.example/media/${name}.webp`,
    `//evil/media/${name}.webp`,
  ])('do not resolve for an address that is not ours: %j', (url) => {
    expect(nameOfUrl(url)).toBeNull();
  });
});

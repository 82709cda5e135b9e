import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { IMAGE } from '#contract/domains/media.ts';
import { loadSharp } from '#server/lib/process/sharp.ts';
import { colourAt, encode, expectClean, isBlue, isRed, largest } from '#tests/fixtures/image-processor.ts';
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
} from '#tests/support/samples/images.ts';
import type { Rendering, Variant } from './encode-image.ts';
import { createImageProcessor } from './image-processor.ts';
import { checkSize, UploadRefused } from './media.policy.ts';

const refused = (code: string, reason?: RegExp) =>
  reason ? { code, message: expect.stringMatching(reason) } : { code };

describe('the type of a file', () => {
  it('has to be one of the four by its content, whatever type is declared [MEDIA-01] [MEDIA-07]', async () => {
    for (const [name, bytes] of await foreignFiles())
      for (const declared of [null, 'image/png', 'image/gif'] as const)
        await expect(encode(bytes, declared), name).rejects.toMatchObject(refused('FILE_TYPE'));
  });

  it('has to be the declared one', async () => {
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

describe('the size limits', () => {
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
  ])('a %s image of 24 megapixels in one line is refused for its sides', async (_, width, height) => {
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

  it('are exact to the pixel', () => {
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
    expect(at(1, 1, IMAGE.maxFrames)).not.toThrow();
    expect(at(1, 1, IMAGE.maxFrames + 1)).toThrow('101 frames');
  });

  it('an image of 16 bits per channel counts twice', async () => {
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

describe('damaged files', () => {
  it.each(['jpeg', 'png', 'webp', 'gif'] as const)('a %s cut at 10, 50 and 90 % is refused', async (format) => {
    const whole = await speckled(200)[format]().toBuffer();
    await expect(encode(whole)).resolves.toBeTruthy();
    for (const part of [0.1, 0.5, 0.9])
      await expect(encode(whole.subarray(0, Math.floor(whole.length * part))), `${part}`).rejects.toMatchObject({
        code: expect.stringMatching(/^(IMAGE_REFUSED|FILE_TYPE)$/),
      });
  });

  it.each(['webp', 'gif'] as const)('an animated %s cut within a frame is refused', async (format) => {
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

describe('embedded data', () => {
  it('is removed, or the file is refused', async () => {
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

  it('of a photograph about place and owner is removed, and the image is turned upright', async () => {
    const photo = await phonePhoto();
    expect(photo.includes(CANARY)).toBe(true);
    expect(await sharp(photo).metadata()).toMatchObject({ orientation: 6, width: 160, height: 100 });
    const made = await encode(photo, 'image/jpeg');
    expect(made).toMatchObject({ width: 100, height: 160, frames: 1 });
    await expectClean(made);
    isRed(await colourAt(largest(made).bytes, 0.5, 0.1));
    isBlue(await colourAt(largest(made).bytes, 0.5, 0.9));
  });

  it('includes a wide colour profile, which is applied and removed', async () => {
    const plain = await halvesImage().png().toBuffer();
    const wide = await sharp(plain).withIccProfile('p3').png().toBuffer();
    const made = await encode(wide);
    await expectClean(made);
    const png = made.variants.at(-1) as Variant;
    const [want, have] = [await colourAt(plain, 0.25, 0.5), await colourAt(png.bytes, 0.25, 0.5)];
    for (const [i, value] of want.entries()) expect(Math.abs(value - (have[i] ?? 0))).toBeLessThan(8);
  });
});

describe('the image processor', () => {
  it('encodes two at once, lets eight wait, and refuses the rest', async () => {
    let [active, max] = [0, 0];
    const release: (() => void)[] = [];
    const rendering: Rendering = { width: 1, height: 1, frames: 1, variants: [], imageKey: null };
    const slow = createImageProcessor(async () => {
      max = Math.max(max, ++active);
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
    expect(max).toBe(2);
  });

  it('encodes guests after members, and never in the last slot', async () => {
    const [begun, release]: [string[], (() => void)[]] = [[], []];
    const rendering: Rendering = { width: 1, height: 1, frames: 1, variants: [], imageKey: null };
    const slow = createImageProcessor(async ({ bytes }) => {
      begun.push(bytes.toString());
      await new Promise<void>((resolve) => release.push(resolve));
      return rendering;
    });
    const add = (name: string, priority: 'known' | 'stranger') =>
      slow({ bytes: Buffer.from(name), declared: null, priority });
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

  it('continues after an image that failed', async () => {
    await expect(encode(Buffer.from('no'))).rejects.toMatchObject({ code: 'FILE_TYPE' });
    await expect(encode(await halvesImage().png().toBuffer())).resolves.toBeTruthy();
  });

  it('decodes only bytes of the four types, also when sharp is called directly, and no uploaded SVG', async () => {
    const png = await halvesImage().png().toBuffer();
    await loadSharp();
    await expect(sharp(await halvesImage().tiff().toBuffer()).metadata()).rejects.toThrow();
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'florka-image-')), 'a.png');
    writeFileSync(file, png);
    await expect(sharp(file).metadata()).rejects.toThrow();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    for (const text of [svg, `<?xml version="1.0"?>${svg}`, `  ${svg}`])
      await expect(encode(Buffer.from(text))).rejects.toMatchObject({ code: 'FILE_TYPE' });
    // After the first bytes of another type, SVG is not searched for.
    for (const head of [png.subarray(0, 8), Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('GIF89a')])
      await expect(encode(Buffer.concat([head, Buffer.from(svg)]))).rejects.toBeInstanceOf(UploadRefused);
  });
});

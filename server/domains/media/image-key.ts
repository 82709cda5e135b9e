import type { Sharp } from 'sharp';

/** Bits of a key, one per spatial frequency. */
const IMAGE_KEY_BITS = 128;

/** Side of the image in which the margin is detected, and of the one whose frequencies are measured. Pixels. */
const MARGIN_SIDE = 96;
const SIDE = 32;
/** With less contrast than this between the darkest and the lightest part, an image has no distinguishing features. Of 255. */
const MIN_CONTRAST = 12;
/** Minimum difference of a pixel from the corner to belong to the image and not to its margin. Of 255. */
const MARGIN = 16;

/** cos((2x + 1) u pi / 2n), for every frequency and position. */
const WAVES = Array.from({ length: SIDE }, (_, wave) =>
  Float64Array.from({ length: SIDE }, (_, place) => Math.cos(((2 * place + 1) * wave * Math.PI) / (2 * SIDE))),
);

/** The lowest frequencies first, without the one that is the mean brightness. */
const ORDER = Array.from({ length: SIDE * SIDE }, (_, i): [number, number] => [i % SIDE, Math.floor(i / SIDE)])
  .filter(([across, down]) => across + down > 0)
  .sort(([a, b], [c, d]) => a + b - c - d || a - c)
  .slice(0, IMAGE_KEY_BITS);

/**
 * Perceptual hash of an image, of which another size, encoding, tone or margin changes few bits: the signs of the lowest
 * frequencies of its brightness, relative to their median ("pHash"). Colours and uniform margins are ignored.
 *
 * @param image only its first frame counts.
 * @returns 128 characters 0 and 1; null for an image of uniform tone, which resembles every other such image.
 */
export async function imageKey(image: Sharp): Promise<string | null> {
  // Transparent areas are evaluated on white; an image that is white itself on black.
  return (await keyOn(image.clone(), '#fff')) ?? (await keyOn(image.clone(), '#000'));
}

async function keyOn(image: Sharp, background: string): Promise<string | null> {
  const pixels = await image
    .flatten({ background })
    .greyscale()
    .resize(MARGIN_SIDE, MARGIN_SIDE, { fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  const small = shrink(pixels, boxOf(pixels));
  if (Math.max(...small) - Math.min(...small) < MIN_CONTRAST) return null;
  const rows = WAVES.map((wave) => Array.from({ length: SIDE }, (_, y) => dot(wave, (x) => small[y * SIDE + x] ?? 0)));
  const strengths = ORDER.map(([across, down]) => dot(WAVES[down] as Float64Array, (y) => rows[across]?.[y] ?? 0));
  const median = strengths.toSorted((a, b) => a - b)[IMAGE_KEY_BITS / 2] ?? 0;
  return strengths.map((strength) => (strength >= median ? '1' : '0')).join('');
}

const dot = (wave: Float64Array, at: (i: number) => number): number =>
  wave.reduce((sum, factor, i) => sum + factor * at(i), 0);

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Bounding box of the image without its margin. */
function boxOf(pixels: Uint8Array): Box {
  const corner = pixels[0] ?? 0;
  let [left, top, right, bottom] = [MARGIN_SIDE, MARGIN_SIDE, -1, -1];
  pixels.forEach((pixel, i) => {
    if (Math.abs(pixel - corner) < MARGIN) return;
    const [x, y] = [i % MARGIN_SIDE, Math.floor(i / MARGIN_SIDE)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  });
  return right < 0
    ? { left: 0, top: 0, width: MARGIN_SIDE, height: MARGIN_SIDE }
    : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Scales down by the mean of the pixels of each cell. */
function shrink(pixels: Uint8Array, { left, top, width, height }: Box): Float64Array {
  const span = (start: number, length: number, place: number): [number, number] => {
    const from = start + Math.floor((place * length) / SIDE);
    return [from, Math.max(from + 1, start + Math.floor(((place + 1) * length) / SIDE))];
  };
  return Float64Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x0, x1] = span(left, width, i % SIDE);
    const [y0, y1] = span(top, height, Math.floor(i / SIDE));
    let sum = 0;
    for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) sum += pixels[y * MARGIN_SIDE + x] ?? 0;
    return sum / ((x1 - x0) * (y1 - y0));
  });
}

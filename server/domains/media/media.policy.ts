import { IMAGE, UPLOAD_FAILURES, type UploadFailureCode } from '#contract/domains/media.ts';

/** Longer side of each WebP that is kept, largest first. The largest stands in for the image and has no number in its name. */
export const WEBP_SIDES = [768, 384, 192, 96] as const;
/** Side of the square PNG that wallets get. */
export const PNG_SIDE = 512;

export type VariantType = 'image/webp' | 'image/png';

const FILE = new RegExp(`^([0-9a-f]{32})(?:(?:-(?:${WEBP_SIDES.slice(1).join('|')}))?\\.webp|-${PNG_SIDE}\\.png)$`);

export const fileOf = (name: string, side: number, type: VariantType): string =>
  `${name}${side === WEBP_SIDES[0] ? '' : `-${side}`}.${type.slice('image/'.length)}`;

/** The address that other rows hold for an image. */
export const urlOf = (name: string): string => `/media/${fileOf(name, WEBP_SIDES[0], 'image/webp')}`;

/** The image that a file belongs to; null for every name that we do not give. */
export const nameOfFile = (file: string): string | null => FILE.exec(file)?.[1] ?? null;

/** The image behind an address of ours; null for addresses elsewhere. */
export const nameOfUrl = (url: string | null | undefined): string | null =>
  url?.startsWith('/media/') ? nameOfFile(url.slice('/media/'.length)) : null;

export const typeOfFile = (file: string): VariantType => (file.endsWith('.png') ? 'image/png' : 'image/webp');

/** A file that is no image of ours to be. The code is one of contract/domains/media.ts. */
export class UploadRefused extends Error {
  override name = 'UploadRefused';
  readonly code: UploadFailureCode;
  readonly status: number;

  constructor(code: UploadFailureCode, reason?: string, cause?: unknown) {
    super(reason ?? code, { cause });
    this.code = code;
    this.status = UPLOAD_FAILURES[code];
  }
}

/**
 * What decoding would cost, by the header alone.
 *
 * @param size.pixelBytes bytes of one decoded pixel.
 * @throws UploadRefused
 */
export function checkSize(size: { width: number; height: number; frames: number; pixelBytes?: number }): void {
  const { width, height, frames, pixelBytes = 4 } = size;
  const refuse = (reason: string) => {
    throw new UploadRefused('IMAGE_REFUSED', reason);
  };
  if (frames > IMAGE.maxFrames) refuse(`${frames} frames`);
  if (Math.max(width, height) > IMAGE.maxSide) refuse(`${width} x ${height} pixels`);
  if (width * height > IMAGE.maxFramePixels) refuse(`${width} x ${height} pixels`);
  if (width * height * frames > IMAGE.maxPixels) refuse(`${frames} frames of ${width} x ${height} pixels`);
  if (width * height * pixelBytes > IMAGE.maxFrameBytes)
    refuse(`${width} x ${height} pixels of ${pixelBytes} bytes each`);
}

/**
 * Whether the blocks of a GIF are all there: its decoder takes a file that was cut off for one with fewer frames. What
 * stands behind the last block does not count.
 */
export function isWholeGif(bytes: Uint8Array): boolean {
  const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + colours(bytes[10] ?? 0);
  /** Sub-blocks tell their length; one of length 0 ends them. */
  const skipSubBlocks = () => {
    while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
    at++;
  };
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x3b) return true;
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) at += 11 + colours(bytes[at + 9] ?? 0);
    else return false;
    skipSubBlocks();
  }
  // Some writers leave out the last byte.
  return at === bytes.length;
}

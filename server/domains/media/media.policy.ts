import { IMAGE, UPLOAD_FAILURES, type UploadFailureCode } from '#contract/domains/media.ts';

/** Longer side of each stored WebP, largest first. The largest is the main file and has no number in its name. */
export const WEBP_SIDES = [768, 384, 192, 96] as const;
/** Side of the square PNG for wallets. */
export const PNG_SIDE = 512;

export type VariantType = 'image/webp' | 'image/png';

const FILE = new RegExp(`^([0-9a-f]{32})(?:(?:-(?:${WEBP_SIDES.slice(1).join('|')}))?\\.webp|-${PNG_SIDE}\\.png)$`);

export const fileOf = (name: string, side: number, type: VariantType): string =>
  `${name}${side === WEBP_SIDES[0] ? '' : `-${side}`}.${type.slice('image/'.length)}`;

/** The URL that other rows store for an image. */
export const urlOf = (name: string): string => `/media/${fileOf(name, WEBP_SIDES[0], 'image/webp')}`;

/** The image that a file belongs to; null for a name of another format. */
export const nameOfFile = (file: string): string | null => FILE.exec(file)?.[1] ?? null;

/** The image of one of our URLs; null for external URLs. */
export const nameOfUrl = (url: string | null | undefined): string | null =>
  url?.startsWith('/media/') ? nameOfFile(url.slice('/media/'.length)) : null;

export const typeOfFile = (file: string): VariantType => (file.endsWith('.png') ? 'image/png' : 'image/webp');

/** An uploaded file that is not accepted. The code is one of contract/domains/media.ts. */
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
 * Checks the cost of decoding, by the header alone.
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
 * True when a GIF has all of its blocks: its decoder accepts a truncated file as one with fewer frames. Data after the last block
 * is ignored.
 */
export function isWholeGif(bytes: Uint8Array): boolean {
  const colours = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + colours(bytes[10] ?? 0);
  /** Each sub-block starts with its length; one of length 0 is the last. */
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
  // Some encoders omit the last byte.
  return at === bytes.length;
}

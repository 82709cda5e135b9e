import { fileTypeFromBuffer } from 'file-type';
import type { Metadata, Sharp, SharpConstructor, SharpOptions } from 'sharp';
import { IMAGE, type ImageType, imageType } from '#contract/domains/media.ts';
import { loadSharp } from '#server/lib/process/sharp.ts';
import { imageKey } from './image-key.ts';
import { checkSize, isWholeGif, PNG_SIDE, UploadRefused, type VariantType, WEBP_SIDES } from './media.policy.ts';

/** Time limit of one decoding or encoding. Seconds. */
const TIMEOUT_SECONDS = 5;
/** Side of the image from which small sizes of animations are made: all of its frames are in memory. */
const MOVING_BASE = 384;
const WEBP = { quality: 82, alphaQuality: 90, effort: 4 } as const;
/** Every frame has a cost; half the effort makes files about a tenth larger. */
const MOVING_WEBP = { ...WEBP, effort: 2 } as const;
const INPUT: SharpOptions = { failOn: 'error', limitInputPixels: IMAGE.maxPixels, sequentialRead: true };
/** Only reads the header; checkSize is stricter than sharp's own limit. */
const HEADER: SharpOptions = { failOn: 'error', limitInputPixels: false };
/** Bytes of one channel of a pixel, by sharp's names of formats; eight for any other. */
const CHANNEL_BYTES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4 };

export interface SourceImage {
  bytes: Buffer;
  /** Image type that the sender declared; null for none. */
  declared: ImageType | null;
}

export interface Variant {
  side: number;
  type: VariantType;
  width: number;
  height: number;
  bytes: Buffer;
}

export interface Rendering {
  /** Size of the largest variant. */
  width: number;
  height: number;
  frames: number;
  variants: Variant[];
  /** See image-key.ts; null for an image without distinguishing features. */
  imageKey: string | null;
}

/** The machine is too slow for this image. */
export class EncodedTooSlowly extends Error {}

/**
 * Validates and re-encodes an uploaded image: nothing of the original file is retained except its pixels. Runs in a separate
 * process (image-worker.ts), because image libraries can't be interrupted and may corrupt memory.
 *
 * Rejects with:
 * @throws UploadRefused when it is not an image of the four types, damaged or too large.
 * @throws EncodedTooSlowly
 */
export async function encodeImage({ bytes, declared }: SourceImage): Promise<Rendering> {
  const type = await sniff(bytes);
  if (!type || (declared && declared !== type)) throw new UploadRefused('FILE_TYPE');
  const sharp = await loadSharp();
  try {
    const header = await sharp(bytes, HEADER).metadata();
    if (`image/${header.format}` !== type) throw new UploadRefused('FILE_TYPE');
    const frames = header.pages ?? 1;
    if (type === 'image/gif' && !isWholeGif(bytes)) throw new UploadRefused('IMAGE_REFUSED', 'Cut off');
    checkSize({
      width: header.width,
      height: header.pageHeight ?? header.height,
      frames,
      pixelBytes: header.channels * (CHANNEL_BYTES[header.depth] ?? 8),
    });
    const variants = frames > 1 ? await encodeAnimated(sharp, bytes, header) : await encodeStill(sharp, bytes);
    const [largest] = variants;
    if (!largest) throw new Error('no variant');
    const key = await imageKey(sharp(largest.bytes, INPUT).timeout({ seconds: TIMEOUT_SECONDS }));
    return { width: largest.width, height: largest.height, frames, variants, imageKey: key };
  } catch (error) {
    if (error instanceof UploadRefused) throw error;
    // The checks above limit the work, so a timeout means that the machine is overloaded.
    if (error instanceof Error && error.message.startsWith('timeout:')) throw new EncodedTooSlowly();
    throw new UploadRefused('IMAGE_REFUSED', 'Not decodable', error);
  }
}

/** Detects the type by the first bytes. Animated PNG is a separate type, which is not supported. */
async function sniff(bytes: Buffer): Promise<ImageType | null> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  return imageType.safeParse(found?.mime).data ?? null;
}

const fitInto = (image: Sharp, side: number) =>
  image.timeout({ seconds: TIMEOUT_SECONDS }).resize(side, side, { fit: 'inside', withoutEnlargement: true });

/** Raw pixels in sRGB, decoded once for all sizes that are derived from them. */
async function toPixels(image: Sharp): Promise<{ data: Buffer; raw: NonNullable<SharpOptions['raw']> }> {
  const { data, info } = await image
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  // The pixels are not premultiplied, whatever `info` reports; a test compares the colours.
  return { data, raw: { width, height, channels } };
}

async function encodeStill(sharp: SharpConstructor, bytes: Buffer): Promise<Variant[]> {
  const { data, raw } = await toPixels(fitInto(sharp(bytes, INPUT).autoOrient(), WEBP_SIDES[0]));
  const variants: Variant[] = [];
  for (const side of WEBP_SIDES)
    variants.push(await finish(sharp, side, 'image/webp', fitInto(sharp(data, { raw }), side).webp(WEBP)));
  variants.push(await encodePng(sharp, sharp(data, { raw })));
  return variants;
}

async function encodeAnimated(sharp: SharpConstructor, bytes: Buffer, header: Metadata): Promise<Variant[]> {
  const webp = {
    ...MOVING_WEBP,
    loop: Math.min(header.loop ?? 0, 65_535),
    // GIF supports up to eleven minutes per frame; for WebP the delay is limited to one minute.
    delay: (header.delay ?? []).map((ms) => Math.min(Math.max(ms, 0), 60_000)),
  };
  const moving = { ...INPUT, animated: true };
  const { data, raw } = await toPixels(fitInto(sharp(bytes, moving), MOVING_BASE));
  const frames = { ...raw, pageHeight: raw.height / (header.pages ?? 1) };
  const variants: Variant[] = [];
  for (const side of WEBP_SIDES) {
    const source = side > MOVING_BASE ? sharp(bytes, moving) : sharp(data, { animated: true, raw: frames });
    variants.push(await finish(sharp, side, 'image/webp', fitInto(source, side).webp(webp)));
  }
  variants.push(await encodePng(sharp, sharp(bytes, INPUT)));
  return variants;
}

/** The first frame in a square, on a transparent background. */
const encodePng = (sharp: SharpConstructor, image: Sharp): Promise<Variant> =>
  finish(
    sharp,
    PNG_SIDE,
    'image/png',
    image
      .timeout({ seconds: TIMEOUT_SECONDS })
      .resize(PNG_SIDE, PNG_SIDE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .toColourspace('srgb')
      .png({ compressionLevel: 9 }),
  );

async function finish(sharp: SharpConstructor, side: number, type: VariantType, image: Sharp): Promise<Variant> {
  const bytes = await image.toBuffer();
  // Read back, which proves that the stored file can be decoded, and gives its real size.
  const { width, height } = await sharp(bytes).metadata();
  return { side, type, width, height, bytes };
}

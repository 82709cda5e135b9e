import type { SharpConstructor } from 'sharp';

let loaded: Promise<SharpConstructor> | undefined;

/**
 * The image library, loaded with the first image, and able to read from memory only: the four types that people may send,
 * and SVG, which is what our own cards are drawn as. What is blocked is blocked for the whole process. That no SVG of
 * others is ever read is up to the callers: the studio for uploads looks at the first bytes before it asks.
 */
export function loadSharp(): Promise<SharpConstructor> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: [
        'VipsForeignLoadJpegBuffer',
        'VipsForeignLoadPngBuffer',
        'VipsForeignLoadWebpBuffer',
        'VipsForeignLoadNsgifBuffer',
        'VipsForeignLoadSvgBuffer',
      ],
    });
    sharp.cache(false);
    return sharp;
  });
  return loaded;
}

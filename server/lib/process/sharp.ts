import type { SharpConstructor } from 'sharp';

let loaded: Promise<SharpConstructor> | undefined;

/**
 * Loads the image library on first use, restricted for the whole process to decoding from memory: the four image types
 * that users may upload, and SVG for the drawn preview cards. Callers must not pass it SVG of users: the image
 * processor checks the type by the first bytes before it calls this.
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

import type { ImageType } from '#contract/domains/media.ts';
import { DIRECT_UPLOADS, IMAGE } from '#contract/domains/media.ts';
import { UploadRefused } from '#server/domains/media/media.policy.ts';
import type { DirectUploads } from '#server/domains/media/media.port.ts';

/**
 * Source of an upload's bytes: the request body, the bucket (already uploaded there), or none yet: a presigned URL is
 * requested.
 */
export type UploadSource = { kind: 'body' } | { kind: 'place'; bytes: number } | { kind: 'arrived'; name: string };

const NAME = /^[0-9a-f]{32}$/;

/** @throws UploadRefused for an invalid name or size. */
export function uploadSourceOf(query: URLSearchParams): UploadSource {
  const [place, arrived] = [query.get('place'), query.get('arrived')];
  if (arrived !== null) {
    if (!NAME.test(arrived)) throw new UploadRefused('NOT_ARRIVED');
    return { kind: 'arrived', name: arrived };
  }
  if (place === null) return { kind: 'body' };
  const bytes = /^\d{1,9}$/.test(place) ? Number(place) : 0;
  if (bytes === 0) throw new UploadRefused('NOT_ARRIVED');
  if (bytes > IMAGE.maxBytes) throw new UploadRefused('FILE_TOO_LARGE');
  return { kind: 'place', bytes };
}

/** A presigned URL for an image of this type and size; both null if the image has to be sent to this server. */
export async function presignUpload(
  direct: DirectUploads | null,
  type: ImageType | null,
  bytes: number,
): Promise<{ name: string | null; url: string | null }> {
  if (!direct || !type || bytes < DIRECT_UPLOADS.minBytes) return { name: null, url: null };
  return direct.place(type, bytes);
}

/** An image in the bucket, in the form of a received body. @throws UploadRefused if there is no such bucket. */
export function arrivedBody(
  direct: DirectUploads | null,
  name: string,
): { read: () => Promise<Buffer>; drop: () => Promise<void> } {
  if (!direct) throw new UploadRefused('NOT_ARRIVED');
  return { read: () => direct.read(name), drop: () => direct.drop(name) };
}

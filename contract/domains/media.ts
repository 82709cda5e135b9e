import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import type { Limit } from '../limits.ts';

/** Limits of an uploaded image, checked from its header before anything is decoded. */
export const IMAGE = {
  /** Size of the uploaded file. */
  maxBytes: 5 * 1024 * 1024,
  /** Width and height, each, in pixels. */
  maxSide: 10_000,
  maxFramePixels: 25_000_000,
  /** Size of one decoded frame: 25 megapixels with four channels of eight bits. */
  maxFrameBytes: 100_000_000,
  maxFrames: 100,
  /** Total of all frames. */
  maxPixels: 50_000_000,
} as const;

export const imageType = z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif']);
export type ImageType = z.infer<typeof imageType>;

/** Purpose of an image; only a column of its row, because all files are stored together. */
export const mediaBucket = z.enum(['token-images', 'project-images', 'voting-candidate-images', 'forum-images']);
export type MediaBucket = z.infer<typeof mediaBucket>;

/** Limits of POST /uploads. */
export const UPLOAD_LIMITS = {
  /** Per account, or per address for a guest. */
  minute: { hits: 10, seconds: 60 },
  day: { hits: 200, seconds: 86_400 },
} as const satisfies Record<string, Limit>;

/**
 * Concurrent uploads in one process, from their first byte to their response: of all guests or members together, of one guest's
 * address, of one member, and of all members at one address. Networks of addresses have higher limits, see `networksOf` in
 * server/lib/network/address.ts. `…Bytes` limits the temporary files of uploads that arrive or wait. Of the complete uploads,
 * `processed` are in memory concurrently, at most `guestsProcessed` of them from guests.
 */
export const UPLOAD_SLOTS = {
  guests: 256,
  guestAddress: 8,
  guestBytes: 128 * 1024 * 1024,
  members: 256,
  member: 8,
  memberAddress: 32,
  memberBytes: 256 * 1024 * 1024,
  processed: 4,
  guestsProcessed: 2,
  membersWaiting: 64,
  guestsWaiting: 32,
} as const;

/** Minimum speed of an upload's body: total seconds, and bytes per second after the grace period. */
export const UPLOAD_PACE = { maxSeconds: 30, graceSeconds: 5, bytesPerSecond: 16 * 1024 } as const;

/** Direct uploads to the bucket, when browsers can reach one: minimum size, and validity of the signed request. */
export const DIRECT_UPLOADS = { minBytes: 1024 * 1024, seconds: 300 } as const;

/** Maximum total of a guest's images in one draft. */
export const DRAFT_IMAGES = { files: 3, bytes: 15 * 1024 * 1024 } as const;

/** Errors specific to POST /uploads with their status; RATE_LIMITED and BUSY can occur in addition. */
export const UPLOAD_FAILURES = {
  FOREIGN_ORIGIN: 403,
  UNAUTHORIZED: 401,
  /** Only admins may upload images of the back office. */
  FORBIDDEN: 403,
  BUCKET: 400,
  FILE_TOO_LARGE: 413,
  /** Detected from the content: not JPEG, PNG, WebP or GIF, or a different type than the request declares. */
  FILE_TYPE: 415,
  /** Damaged, or too many pixels or frames. */
  IMAGE_REFUSED: 422,
  DRAFT_FULL: 409,
  TOO_SLOW: 408,
  /** No object, or no longer one, exists at the place that the request names. */
  NOT_ARRIVED: 409,
  STORAGE_FULL: 507,
  STORAGE_DOWN: 503,
} as const;
export type UploadFailureCode = keyof typeof UPLOAD_FAILURES;

/** Response of POST /uploads?place=<bytes>: both null when the image must be sent as the body of POST /uploads. */
export const uploadPlace = z.object({
  /** Name for POST /uploads?arrived=<name> after the transfer. */
  name: z.string().nullable(),
  /** URL for one PUT of exactly these bytes with the declared type. */
  url: z.string().nullable(),
});
export type UploadPlace = z.infer<typeof uploadPlace>;

/** Response of POST /uploads. */
export const uploadedImage = z.object({
  id: z.uuid(),
  /** Path on this site of the largest WebP: /media/{name}.webp. Smaller ones: /media/{name}-{96|192|384}.webp. */
  url: z.string(),
  /** Size of the stored image, at most 768 pixels on its longer side. */
  width: z.int().positive(),
  height: z.int().positive(),
  /** More than 1 for an animation. */
  frames: z.int().positive(),
});
export type UploadedImage = z.infer<typeof uploadedImage>;

export const media = {
  /** Deletes an own image that nothing shows yet; one in use is deleted when the record that shows it is saved without it. */
  remove: oc
    .route({ method: 'DELETE', path: '/uploads/{id}', tags: ['media'], summary: 'Remove an own, unused image' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED, NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid() }))
    .output(z.object({ removed: z.boolean() })),
};

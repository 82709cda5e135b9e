import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import type { Limit } from '../limits.ts';

/** What an uploaded image may be. Checked from its header before anything is decoded. */
export const IMAGE = {
  /** Of the file as it is sent. */
  maxBytes: 5 * 1024 * 1024,
  /** Of width and height each. */
  maxSide: 10_000,
  maxFramePixels: 25_000_000,
  /** Of one decoded frame: 25 megapixels with four channels of eight bits. */
  maxFrameBytes: 100_000_000,
  maxFrames: 100,
  /** Of all frames together. */
  maxPixels: 50_000_000,
} as const;

export const imageType = z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif']);
export type ImageType = z.infer<typeof imageType>;

/** What an image is for; only a mark on its row, all files lie together. */
export const mediaBucket = z.enum(['token-images', 'project-images', 'voting-candidate-images', 'forum-images']);
export type MediaBucket = z.infer<typeof mediaBucket>;

/** Limits of POST /uploads. */
export const UPLOAD_LIMITS = {
  /** Per account, or per address of a guest. */
  minute: { hits: 10, seconds: 60 },
  day: { hits: 200, seconds: 86_400 },
} as const satisfies Record<string, Limit>;

/**
 * Uploads under way at once in one process, from their first byte to their answer: of all guests or members together, of
 * one guest's address, of one member, and of all members at one address. Networks of addresses have more, see
 * `networksOf` in server/lib/network/address.ts. `…Bytes` is what may lie on the disk while it arrives and waits. Of those that
 * have arrived, `processed` are in memory at once, of guests no more than `guestsProcessed`.
 */
export const UPLOAD_PLACES = {
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

/** How slowly the body of an upload may come: seconds in all, and bytes a second once the first seconds are over. */
export const UPLOAD_PACE = { maxSeconds: 30, graceSeconds: 5, bytesPerSecond: 16 * 1024 } as const;

/**
 * Images that go straight to the bucket, where there is one that browsers reach: from which size on, and for how long the
 * signed request counts.
 */
export const DIRECT_UPLOADS = { minBytes: 1024 * 1024, seconds: 300 } as const;

/** What a guest may keep in one draft. */
export const DRAFT_IMAGES = { files: 3, bytes: 15 * 1024 * 1024 } as const;

/** Every failure of POST /uploads of its own, with its status; RATE_LIMITED and BUSY come on top. */
export const UPLOAD_FAILURES = {
  FOREIGN_ORIGIN: 403,
  UNAUTHORIZED: 401,
  /** Images of the back office are an admin's to upload. */
  FORBIDDEN: 403,
  BUCKET: 400,
  FILE_TOO_LARGE: 413,
  /** By content: no JPEG, PNG, WebP or GIF, or another one than the request says. */
  FILE_TYPE: 415,
  /** Damaged, or too many pixels or frames. */
  IMAGE_REFUSED: 422,
  DRAFT_FULL: 409,
  TOO_SLOW: 408,
  /** Nothing, or no longer anything, lies in the place that the request names. */
  NOT_ARRIVED: 409,
  STORAGE_FULL: 507,
  STORAGE_DOWN: 503,
} as const;
export type UploadFailureCode = keyof typeof UPLOAD_FAILURES;

/** Answer of POST /uploads?place=<bytes>: both null where the image has to be the body of POST /uploads. */
export const uploadPlace = z.object({
  /** For POST /uploads?arrived=<name>, once it is there. */
  name: z.string().nullable(),
  /** For one PUT of exactly these bytes with the type that was named. */
  url: z.string().nullable(),
});
export type UploadPlace = z.infer<typeof uploadPlace>;

/** Answer of POST /uploads. */
export const uploadedImage = z.object({
  id: z.uuid(),
  /** Path on this site of the largest WebP: /media/{name}.webp. Smaller ones: /media/{name}-{96|192|384}.webp. */
  url: z.string(),
  /** Of the stored image, which is at most 768 pixels on its longer side. */
  width: z.int().positive(),
  height: z.int().positive(),
  /** More than 1 moves. */
  frames: z.int().positive(),
});
export type UploadedImage = z.infer<typeof uploadedImage>;

export const media = {
  /** Removes an own image that nothing shows yet; one that is shown goes when what shows it is saved without it. */
  remove: oc
    .route({ method: 'DELETE', path: '/uploads/{id}', tags: ['media'], summary: 'Remove an own, unused image' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED, NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid() }))
    .output(z.object({ removed: z.boolean() })),
};

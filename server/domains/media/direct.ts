import { randomBytes } from 'node:crypto';
import { DIRECT_UPLOADS, IMAGE } from '#contract/domains/media.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { UploadRefused } from './media.policy.ts';
import type { DirectUploads } from './media.port.ts';

/** Where browsers write to. No name in it is one of an image's file, so nothing of it is ever served. */
export const ARRIVALS = 'arrivals/';

/** @returns null where the storage takes nothing from browsers. */
export function directUploads(storage: Storage): DirectUploads | null {
  const { direct } = storage;
  if (!direct) return null;
  return {
    async place(type, bytes) {
      const name = randomBytes(16).toString('hex');
      return { name, url: await direct.sign(ARRIVALS + name, { type, bytes, seconds: DIRECT_UPLOADS.seconds }) };
    },
    async read(name) {
      const found = await storage.open(ARRIVALS + name);
      if (!found) throw new UploadRefused('NOT_ARRIVED');
      if (found.bytes > IMAGE.maxBytes) throw new UploadRefused('FILE_TOO_LARGE');
      const parts: Buffer[] = [];
      let bytes = 0;
      // Counted again: it may be written anew while it is read.
      for await (const part of await found.stream()) {
        bytes += (part as Buffer).length;
        if (bytes > IMAGE.maxBytes) throw new UploadRefused('FILE_TOO_LARGE');
        parts.push(part as Buffer);
      }
      return Buffer.concat(parts);
    },
    drop: (name) => storage.remove(ARRIVALS + name).catch(() => {}),
  };
}

/** Removes what browsers sent before a moment and nobody asked to check. @returns how many files. @throws StorageError */
export async function sweepArrivals(storage: Storage, before: number): Promise<number> {
  if (!storage.direct) return 0;
  let removed = 0;
  for await (const { file, changedAt } of storage.list(ARRIVALS, { flat: true })) {
    if (changedAt.getTime() >= before) continue;
    await storage.remove(file);
    removed++;
  }
  return removed;
}

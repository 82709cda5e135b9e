import { randomBytes } from 'node:crypto';
import { DIRECT_UPLOADS, IMAGE } from '#contract/domains/media.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { UploadRefused } from './media.policy.ts';
import type { DirectUploads } from './media.port.ts';

/** Folder that browsers upload to. No name in it is that of an image file, so nothing in it is ever served. */
export const UNCLAIMED_FOLDER = 'arrivals/';

const UNCLAIMED = new RegExp(`^${UNCLAIMED_FOLDER}[0-9a-f]{32}$`);

/** @returns null when the storage does not support uploads from browsers. */
export function directUploads(storage: Storage): DirectUploads | null {
  const { direct } = storage;
  if (!direct) return null;
  return {
    async place(type, bytes) {
      const name = randomBytes(16).toString('hex');
      return {
        name,
        url: await direct.sign(UNCLAIMED_FOLDER + name, { type, bytes, seconds: DIRECT_UPLOADS.seconds }),
      };
    },
    async read(name) {
      const found = await storage.open(UNCLAIMED_FOLDER + name);
      if (!found) throw new UploadRefused('NOT_ARRIVED');
      if (found.bytes > IMAGE.maxBytes) throw new UploadRefused('FILE_TOO_LARGE');
      const parts: Buffer[] = [];
      let bytes = 0;
      // The size is counted again, because the file may be overwritten while it is read.
      for await (const part of await found.stream()) {
        bytes += (part as Buffer).length;
        if (bytes > IMAGE.maxBytes) throw new UploadRefused('FILE_TOO_LARGE');
        parts.push(part as Buffer);
      }
      return Buffer.concat(parts);
    },
    drop: (name) => storage.remove(UNCLAIMED_FOLDER + name).catch(() => {}),
  };
}

/**
 * Direct uploads from before a given time that were never submitted for checking. Also where the storage does not support any: some may remain
 * from an earlier configuration. @throws StorageError
 */
export async function* unclaimedUploads(storage: Storage, before: number): AsyncIterable<string> {
  for await (const { file, changedAt } of storage.list(UNCLAIMED_FOLDER, { flat: true })) {
    // A file without a name of our format was stored by others, and must not be deleted.
    if (UNCLAIMED.test(file) && changedAt.getTime() < before) yield file;
  }
}

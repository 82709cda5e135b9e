import { Disk } from 'flydrive';
import type { DriverContract } from 'flydrive/types';
import { type DirectWrites, isAbsent, type Storage, StorageError } from './port.ts';

interface Extras {
  target: string;
  sweep?: Storage['sweep'];
  close?: () => void;
  direct?: DirectWrites | undefined;
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StorageError(error);
  }
}

async function absentAsNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isAbsent(error)) return null;
    throw new StorageError(error);
  }
}

/** A Storage over a FlyDrive driver, whose Disk refuses names outside of its root. */
export function driveStorage(driver: DriverContract, { target, sweep, close, direct }: Extras): Storage {
  const disk = new Disk(driver);
  return {
    target,
    write: (file, bytes, type) =>
      guard(() => disk.put(file, bytes, { contentType: type, contentLength: bytes.length })),
    async open(file) {
      try {
        const { contentLength } = await disk.getMetaData(file);
        return { bytes: contentLength, stream: () => guard(() => disk.getStream(file)) };
      } catch (error) {
        if (isAbsent(error)) return null;
        throw new StorageError(error);
      }
    },
    remove: (file) => guard(() => disk.delete(file)),
    async *list(folder = '/', { flat = false } = {}) {
      let paginationToken: string | undefined;
      do {
        const page: Awaited<ReturnType<Disk['listAll']>> | null = await absentAsNull(() =>
          disk.listAll(folder, { recursive: !flat, ...(paginationToken ? { paginationToken } : {}) }),
        );
        // The folder does not exist until its first file is written.
        if (!page) return;
        const files = [...page.objects].flatMap((object) => (object.isFile ? [object] : []));
        files.sort((a, b) => (a.key < b.key ? -1 : 1));
        for (const object of files) {
          // The local driver reads the time of each file separately; it may have been deleted meanwhile.
          const about = await object.getMetaData().catch((error: unknown) => {
            if (isAbsent(error)) return null;
            throw new StorageError(error);
          });
          if (about) yield { file: object.key, changedAt: about.lastModified };
        }
        paginationToken = page.paginationToken;
      } while (paginationToken);
    },
    sweep: sweep ?? (async () => 0),
    close: close ?? (() => {}),
    ...(direct ? { direct } : {}),
  };
}

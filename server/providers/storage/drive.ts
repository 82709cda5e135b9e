import { once } from 'node:events';
import { finished, PassThrough, type Readable } from 'node:stream';
import { Disk, KeyNormalizer } from 'flydrive';
import type { DriverContract } from 'flydrive/types';
import { type DirectWrites, isAbsent, type Storage, StorageError } from './port.ts';

/** A page of a list of files. */
interface ListedPage {
  /** Names below the root; times where the list has them. */
  files: { file: string; changedAt?: Date | undefined }[];
  /** Token of the next page; undefined for the last one. */
  next?: string | undefined;
}

interface Extras {
  target: string;
  /**
   * Lists a page of the files below a folder, with any names. Not by FlyDrive, which refuses a whole list for one name that it
   * would not have written.
   *
   * @param folder '/' for all files, or a name that ends in a slash. @throws the error of the service
   */
  listPage: (folder: string, options: { flat: boolean; token: string | undefined }) => Promise<ListedPage>;
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

/**
 * Waits for the first byte, so that a caller can still answer with an error. When the source breaks off later, the returned stream is
 * destroyed with StorageError. Destroying the returned stream ends the source.
 *
 * @throws StorageError when there is no first byte.
 */
async function started(source: Readable): Promise<Readable> {
  const bytes = new PassThrough();
  finished(source, { writable: false }, (error) => {
    if (error) bytes.destroy(new StorageError(error));
  });
  finished(bytes, () => source.destroy());
  source.pipe(bytes);
  await once(bytes, 'readable');
  return bytes;
}

const names = new KeyNormalizer();
/** False for a file that others stored under a name that FlyDrive refuses, or takes for another one. */
function isOpenable(file: string): boolean {
  try {
    return names.normalize(file) === file;
  } catch {
    return false;
  }
}

/** A Storage over a FlyDrive driver, whose Disk refuses names outside of its root. */
export function driveStorage(driver: DriverContract, { target, listPage, sweep, close, direct }: Extras): Storage {
  const disk = new Disk(driver);
  return {
    target,
    write: (file, bytes, type) =>
      guard(() => disk.put(file, bytes, { contentType: type, contentLength: bytes.length })),
    async open(file) {
      try {
        const { contentLength } = await disk.getMetaData(file);
        return { bytes: contentLength, stream: async () => started(await guard(() => disk.getStream(file))) };
      } catch (error) {
        if (isAbsent(error)) return null;
        throw new StorageError(error);
      }
    },
    remove: (file) => guard(() => disk.delete(file)),
    async *list(folder = '/', { flat = false } = {}) {
      let token: string | undefined;
      do {
        const page: ListedPage = await guard(() => listPage(folder, { flat, token }));
        const files = page.files.filter(({ file }) => isOpenable(file)).sort((a, b) => (a.file < b.file ? -1 : 1));
        for (const { file, changedAt } of files) {
          // The local disk reads the time of each file separately; it may have been deleted meanwhile.
          const at = changedAt ?? (await absentAsNull(() => disk.getMetaData(file)))?.lastModified;
          if (at) yield { file, changedAt: at };
        }
        token = page.next;
      } while (token);
    },
    sweep: sweep ?? (async () => 0),
    close: close ?? (() => {}),
    ...(direct ? { direct } : {}),
  };
}

import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { FSDriver } from 'flydrive/drivers/fs';
import { explainWriteError } from '#server/lib/errors/start-error.ts';
import { makeDir } from '#server/lib/process/make-dir.ts';
import { driveStorage } from './drive.ts';
import type { Storage } from './port.ts';

/** The calls of the disk that can fail halfway; tests put broken ones in their place. */
export interface DiskCalls {
  open: typeof fs.open;
  rename: typeof fs.rename;
}

/** FlyDrive's driver writes in place and leaves a part of the file when the disk is full. This one does not. */
class DurableDriver extends FSDriver {
  readonly #folder: string;
  readonly #parts: string;
  readonly #calls: DiskCalls;

  constructor(folder: string, parts: string, calls: DiskCalls) {
    super({ location: folder, visibility: 'private' });
    this.#folder = folder;
    this.#parts = parts;
    this.#calls = calls;
  }

  override async put(key: string, contents: string | Uint8Array): Promise<void> {
    const part = path.join(this.#parts, `${key.replaceAll('/', '~')}.${randomBytes(6).toString('hex')}`);
    const target = path.join(this.#folder, key);
    // What was there before under this name stays: the checkpoint of the ledger must not go with the disk's last free byte.
    const replaced = await fs.access(target).then(
      () => true,
      () => false,
    );
    try {
      await fs.mkdir(this.#parts, { recursive: true });
      await fs.mkdir(path.dirname(target), { recursive: true });
      const handle = await this.#calls.open(part, 'wx', 0o640);
      try {
        await handle.writeFile(contents);
        await handle.sync();
        const { size } = await handle.stat();
        if (size !== Buffer.byteLength(contents)) throw new Error(`${part} has ${size} bytes`);
      } finally {
        await handle.close();
      }
      await this.#calls.rename(part, target);
      await this.#syncFolder(path.dirname(target));
    } catch (error) {
      await fs.rm(part, { force: true }).catch(() => {});
      // Its name may not have reached the disk: not a success, so no file either.
      if (!replaced) await fs.rm(target, { force: true }).catch(() => {});
      throw error;
    }
  }

  /** A new name is safe only when its folder is. */
  async #syncFolder(folder: string): Promise<void> {
    // Windows can't open folders, and keeps names safe by itself.
    if (process.platform === 'win32') return;
    const handle = await this.#calls.open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/**
 * Files on this machine, in `<root>/files`; what is being written lies in `<root>/parts` until it is whole.
 *
 * @throws StartError when the folders can't be made.
 */
export function localStorage(root: string, calls: DiskCalls = fs): Storage {
  const [folder, parts] = [path.join(root, 'files'), path.join(root, 'parts')];
  try {
    for (const dir of [folder, parts]) makeDir(dir, 0o750);
  } catch (error) {
    throw explainWriteError(error, root);
  }
  return driveStorage(new DurableDriver(folder, parts, calls), {
    target: root,
    async sweep(before) {
      let removed = 0;
      for (const name of await fs.readdir(parts).catch(() => [])) {
        const part = path.join(parts, name);
        const about = await fs.stat(part).catch(() => null);
        if (!about || about.mtime >= before) continue;
        await fs.rm(part, { force: true });
        removed++;
      }
      return removed;
    },
  });
}

import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { FSDriver } from 'flydrive/drivers/fs';
import { explainWriteError } from '#server/lib/errors/start-error.ts';
import { makeDir } from '#server/lib/process/make-dir.ts';
import { driveStorage } from './drive.ts';
import { isAbsent, type Storage } from './port.ts';

/** File system calls that can fail; tests replace them with failing ones. */
export interface DiskCalls {
  open: typeof fs.open;
  rename: typeof fs.rename;
}

/**
 * Unlike FlyDrive's driver, which writes in place and leaves an incomplete file on a full disk, this one writes
 * atomically.
 */
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
    // An existing file under this name is retained: the checkpoint of the ledger must not be lost when the disk is
    // full.
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
      // The new name may not be durable: the write failed, so a new file is removed.
      if (!replaced) await fs.rm(target, { force: true }).catch(() => {});
      throw error;
    }
  }

  /** Makes a new name durable. */
  async #syncFolder(folder: string): Promise<void> {
    // Windows cannot open folders; its file system makes names durable itself.
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
 * Files on this machine, in `<root>/files`; incomplete ones are in `<root>/parts`.
 *
 * @throws StartError when the folders cannot be created.
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
    async listPage(from, { flat }) {
      // The folder does not exist until its first file is written.
      const entries = await fs
        .readdir(path.join(folder, from), { withFileTypes: true, recursive: !flat })
        .catch((error: unknown) => {
          if (isAbsent(error)) return [];
          throw error;
        });
      const nameOf = (...parts: string[]) => path.relative(folder, path.join(...parts)).replaceAll(path.sep, '/');
      return {
        files: entries
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => ({ file: nameOf(parentPath, name) })),
      };
    },
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

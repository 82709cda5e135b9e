import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

/** Cache of drawn cards by the hash of their content. An unreadable or unsaved card is drawn again. */
export interface CardStore {
  read(key: string): Promise<Buffer | null>;
  /** Never fails: when there is no space, the card is not stored. */
  write(key: string, bytes: Buffer): Promise<void>;
}

const NAME = /^[0-9a-f]{64}\.png$/;
/** Age at which an incomplete file of an ended process is deleted. Milliseconds. */
const PART_LIFE = 3_600_000;
/** The last bytes of every complete PNG; an interrupted write lacks them. */
const PNG_END = Buffer.from('49454e44ae426082', 'hex');

/**
 * Stores cards as files in one folder, which several processes may share. Above the maximum the least recently used
 * ones are deleted.
 *
 * @param maxBytes of all files together.
 */
export function openCardStore(folder: string, maxBytes = 64 * 1024 * 1024): CardStore {
  let trimming: Promise<void> | undefined;

  async function trim(): Promise<void> {
    const files: { file: string; size: number; used: number }[] = [];
    for (const name of await fs.readdir(folder)) {
      const file = path.join(folder, name);
      const about = await fs.stat(file).catch(() => null);
      if (!about?.isFile()) continue;
      if (NAME.test(name)) files.push({ file, size: about.size, used: about.mtimeMs });
      else if (about.mtimeMs < Date.now() - PART_LIFE) await fs.rm(file, { force: true });
    }
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files.sort((a, b) => a.used - b.used)) {
      if (total <= maxBytes) break;
      await fs.rm(file, { force: true });
      total -= size;
    }
  }

  return {
    async read(key) {
      const file = path.join(folder, `${key}.png`);
      const bytes = await fs.readFile(file).catch(() => null);
      if (!bytes?.subarray(-PNG_END.length).equals(PNG_END)) return null;
      const now = new Date();
      await fs.utimes(file, now, now).catch(() => {});
      return bytes;
    },
    async write(key, bytes) {
      const part = path.join(folder, `${key}.${randomBytes(6).toString('hex')}.part`);
      try {
        await fs.mkdir(folder, { recursive: true, mode: 0o750 });
        await fs.writeFile(part, bytes, { flag: 'wx', mode: 0o640 });
        await fs.rename(part, path.join(folder, `${key}.png`));
        trimming ??= trim().finally(() => {
          trimming = undefined;
        });
        await trimming;
      } catch {
        await fs.rm(part, { force: true }).catch(() => {});
      }
    },
  };
}

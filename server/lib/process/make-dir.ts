import fs from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` never ends where a file system lets nobody make
 * folders and says that one above is missing, such as /proc.
 *
 * @throws the system's error.
 */
export function makeDir(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !fs.existsSync(at) && at !== path.dirname(at); at = path.dirname(at))
    missing.push(at);
  for (const one of missing.toReversed()) {
    try {
      fs.mkdirSync(one, mode);
    } catch (error) {
      // Another process was faster.
      if (!fs.statSync(one, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
  if (!fs.statSync(folder).isDirectory())
    throw Object.assign(new Error(`${folder} is not a directory`), { code: 'ENOTDIR' });
}

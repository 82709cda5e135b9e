import fs from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder and its missing parents. Node's own `recursive` does not return on file systems that reject the
 * creation of folders with ENOENT, such as /proc.
 *
 * @throws the system's error; ENOTDIR if the path is a file.
 */
export function makeDir(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !fs.existsSync(at) && at !== path.dirname(at); at = path.dirname(at))
    missing.push(at);
  for (const one of missing.toReversed()) {
    try {
      fs.mkdirSync(one, mode);
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!fs.statSync(one, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
  if (!fs.statSync(folder).isDirectory())
    throw Object.assign(new Error(`${folder} is not a directory`), { code: 'ENOTDIR' });
}

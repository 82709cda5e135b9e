import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Recorded } from '../../../emulator/recorded.ts';

const FOLDER = path.join(import.meta.dirname, '../../../emulator/recorded');

/** The deposits of the files of the emulator, by name. */
export const readRecorded = (): Recorded[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      ...(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Omit<Recorded, 'name'>),
    }));

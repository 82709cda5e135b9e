import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { supervise } from '../../../scripts/lib/process.mjs';
import { enterRunFolder } from '../../../scripts/lib/run-folder.mjs';

/**
 * Before the scenarios in the browser: one temporary folder for all of them, removed at the end, and in it the data that each
 * server starts on. A signal ends the program that makes them, so that it does not write into a folder that is removed.
 *
 * @throws Error when the data could not be made.
 */
export default async function setup(): Promise<() => void> {
  const { folder, remove } = enterRunFolder();
  const prepared = path.join(folder, 'prepared');
  mkdirSync(prepared);
  // As root, the database server runs under another account, which must be able to enter the folder.
  chmodSync(prepared, 0o755);
  // Programs that workers start keep what they compiled for the next one.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled');
  const program = ['tests/support/processes/prepare-data.ts', prepared];
  const { code, stopped } = await supervise(process.execPath, program, { group: true });
  if (stopped) process.exit(code || 1);
  if (code !== 0) throw new Error(`the data of the scenarios could not be made: ${program[0]} ended with code ${code}`);
  // Workers inherit it.
  process.env['PREPARED_DATA'] = prepared;
  return remove;
}

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { enterRunFolder } from '../../../scripts/lib/run-folder.mjs';

/**
 * Before the scenarios in the browser: one temporary folder for all of them, removed at the end, and in it the data that each
 * server starts on.
 */
export default function setup(): () => void {
  const { folder, remove } = enterRunFolder();
  const prepared = path.join(folder, 'prepared');
  mkdirSync(prepared);
  // Started by root, the database server runs as another user, who has to get through.
  chmodSync(prepared, 0o755);
  // Programs that workers start keep what they compiled for the next one.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled');
  execFileSync(process.execPath, ['tests/support/processes/prepare-data.ts', prepared], { stdio: 'inherit' });
  // Workers inherit it.
  process.env['PREPARED_DATA'] = prepared;
  return remove;
}

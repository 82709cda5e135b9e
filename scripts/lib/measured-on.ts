import { execFileSync } from 'node:child_process';
import os from 'node:os';

/**
 * When, on which sources and beside how much other work something is seen.
 *
 * @param file the document with the result; its own changes do not count as changes of the sources.
 */
export function measuredOn(file: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', '.', `:!${file}`) === '' ? '' : ' and changes';
  const load = `${(os.loadavg()[0] ?? 0).toFixed(1)} on ${os.availableParallelism()} cores`;
  return `${new Date().toISOString().slice(0, 10)}, ${git('rev-parse', '--short', 'HEAD')}${changed}, load ${load}`;
}

// What programs of ours need to load in a third of the processor time: tests start hundreds of them.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * From now on programs that inherit our variables resolve quickly, and keep what they compiled for the next one.
 *
 * @param folder of the run: what is kept there goes with it.
 */
export function loadQuickly(folder: string): void {
  const hook = pathToFileURL(path.join(import.meta.dirname, 'quick-load.mjs')).href;
  const options = process.env['NODE_OPTIONS'] ?? '';
  if (!options.includes(hook)) process.env['NODE_OPTIONS'] = `${options} --import=${hook}`.trim();
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled');
}

/** Variables for a program that gets nothing of ours but its path and how it loads. */
export function bareEnv(): Record<string, string> {
  const inherited = ['PATH', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'].flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(inherited), NODE_NO_WARNINGS: '1' };
}

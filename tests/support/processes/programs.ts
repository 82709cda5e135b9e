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

const inherited = (...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Variables for a program that gets nothing of ours but its path and how it loads. */
export const bareEnv = (): Record<string, string> => ({
  ...inherited('PATH', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'),
  NODE_NO_WARNINGS: '1',
});

/**
 * Variables for a site on a folder of its own: of ours only what `bareEnv` has, and where temporary files go. With an operator's
 * DATABASE_URL or mail server among them it would work on those instead, and make an admin with a known password there.
 */
export const bareSiteEnv = (): Record<string, string> => ({ ...bareEnv(), ...inherited('TMPDIR', 'TEMP', 'TMP') });

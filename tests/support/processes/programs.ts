// Settings with which our programs load in a third of the processor time: tests start hundreds of them.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Makes programs that inherit our variables resolve modules quickly and store compiled code for the next one.
 * @param folder of the run, with which the stored code is removed.
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

/** Variables for a program that inherits only PATH and the settings for loading. */
export const bareEnv = (): Record<string, string> => ({
  ...inherited('PATH', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'),
  NODE_NO_WARNINGS: '1',
});

/**
 * Variables for a site on a folder of its own: only those of `bareEnv`, and the folder for temporary files. With an
 * operator's DATABASE_URL or mail server it would use those, and create an admin with a known password there.
 */
export const bareSiteEnv = (): Record<string, string> => ({ ...bareEnv(), ...inherited('TMPDIR', 'TEMP', 'TMP') });

import type { Plugin } from 'vite';
import { defineConfig, mergeConfig } from 'vitest/config';
import type { Mutant } from '../../scripts/lib/statement-mutants.ts';
import base from '../../vitest.config.ts';

/** Loads one file with a change: `npm run mutation -- voting`. One process runs the tests for all changes, so the change is read at each load. */
const changed: Plugin = {
  name: 'statement-mutant',
  enforce: 'pre',
  transform(code, id) {
    const mutant = JSON.parse(process.env['STATEMENT_MUTANT'] ?? 'null') as Mutant | null;
    if (!mutant || !id.split('?')[0]?.endsWith(`/${mutant.file}`)) return null;
    if (code.slice(mutant.from, mutant.to) !== mutant.before) throw new Error(`${mutant.file} is not as it was read`);
    return { code: code.slice(0, mutant.from) + mutant.after + code.slice(mutant.to), map: null };
  },
};

/** As the tests themselves, with one change in a statement. */
export default mergeConfig(
  base,
  defineConfig({
    plugins: [changed],
    // A cached module has no change, or that of another run.
    test: { fsModuleCache: false },
  }),
);

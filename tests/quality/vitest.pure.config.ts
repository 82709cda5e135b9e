import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** For mutation tests of code that needs no database: the files that MUTATION_TESTS names, without the global set-up. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  test: {
    include: (process.env['MUTATION_TESTS'] ?? '').split(',').filter(Boolean),
    pool: 'forks',
    testTimeout: 20_000,
  },
});

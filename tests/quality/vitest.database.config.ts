import { defineConfig, mergeConfig } from 'vitest/config';
import pure from './vitest.pure.config.ts';

/** For mutation tests of code that lives in SQL: the same, with a database for each worker of Stryker. */
export default mergeConfig(
  pure,
  defineConfig({
    test: { globalSetup: ['tests/support/runner/global-setup.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
  }),
);

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,app,tests,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});

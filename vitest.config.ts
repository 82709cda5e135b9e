import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,app,tests,scripts,packages}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    // Left alone it takes one core of two. A file has a database of its own, so files never meet; some wait for processes.
    maxWorkers: availableParallelism() + 1,
    // Far above what a test takes: a machine with other work is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // None, unless somebody asks for it (`npm test -- --retries 1`): the summary then names those that needed one.
    retry: Number(process.env['TEST_RETRIES'] ?? 0),
    expect: { poll: { timeout: 30_000 } },
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,app,tests,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/support/global-setup.ts'],
    pool: 'forks',
    // Left alone it takes one core of two. A file has a database of its own, so files never meet; some wait for processes.
    maxWorkers: availableParallelism() + 1,
    // Far above what a test takes: a machine with other work is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One of thousands that a stalled machine fells says nothing about a change; `npm test` names those it tried twice.
    retry: 1,
    expect: { poll: { timeout: 30_000 } },
  },
});

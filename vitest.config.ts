import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const TESTS = '{contract,server,app,tests,scripts,packages}/**/*.test.{ts,tsx}';

/**
 * Files that need modules of their own: those that put something else in the place of one, for whoever loaded it before would
 * keep the real one; and those that share a set-up, which is made when its module is loaded and ends with the file.
 */
const OWN_MODULES = /\bvi\.(mock|doMock|resetModules)\(|from '#tests\/fixtures\//;
const isolated = globSync(TESTS, { cwd: import.meta.dirname }).filter((file) =>
  OWN_MODULES.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
);

export default defineConfig({
  test: {
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
    projects: [
      // A worker loads the server once and not for each file: loading it took more than half of a file's processor time.
      { extends: true, test: { name: 'shared', include: [TESTS], exclude: isolated, isolate: false } },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
});

import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { fixturesOfEachFile } from './tests/support/runner/fixtures-of-each-file.ts';
import { SlowFirst } from './tests/support/runner/slow-first.ts';
import { TEST_FILES } from './tests/support/runner/test-files.ts';

/** Files that put something else in the place of a module need modules of their own: whoever loaded it before would keep the real one. */
const OWN_MODULES = /\bvi\.(mock|doMock|resetModules)\(/;
const isolated = globSync(TEST_FILES, { cwd: import.meta.dirname }).filter((file) =>
  OWN_MODULES.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
);

export default defineConfig({
  plugins: [fixturesOfEachFile()],
  test: {
    globalSetup: ['tests/support/runner/global-setup.ts'],
    pool: 'forks',
    sequence: { sequencer: SlowFirst },
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
      { extends: true, test: { name: 'shared', include: [TEST_FILES], exclude: isolated, isolate: false } },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
});

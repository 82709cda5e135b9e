import { globSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TEST_FILES } from '#tests/support/runner/test-files.ts';

/** Made by commands. */
const MADE = ['node_modules', 'build', 'data', 'data-dev', 'test-results', 'playwright-report'];

it('the runner includes every test file', () => {
  const folders = readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !MADE.includes(entry.name))
    .map(({ name }) => name);
  const all = folders.flatMap((folder) => globSync(`${folder}/**/*.test.{ts,tsx}`));
  const run = new Set(globSync(TEST_FILES));
  expect(all.length).toBeGreaterThan(200);
  expect(all.filter((file) => !run.has(file))).toEqual([]);
});

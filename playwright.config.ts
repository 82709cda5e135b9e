import { defineConfig } from '@playwright/test';

/** Scenarios in a real Chromium against the production build; each worker has a server and a database of its own. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.e2e.ts',
  workers: 2,
  // The longest take half of it where other work has the processor; what hangs is found by the timeouts of its steps.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  // As in vitest.config.ts.
  retries: Number(process.env.TEST_RETRIES ?? 0),
  globalSetup: './tests/support/runner/browser-run.ts',
  reporter: 'list',
  outputDir: 'test-results/browser',
  use: {
    // Scenarios are in Spanish; a browser that prefers another language is offered it on every page.
    locale: 'es-ES',
    // Moving lights cost a third of a run's processor; scenarios about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // Its own scenarios are in offline.e2e.ts; elsewhere it would answer before what a scenario puts in the way of requests.
    serviceWorkers: 'block',
    // A trace costs every scenario half as much again; `--trace=retain-on-failure` to look closer.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'],
    },
  },
});

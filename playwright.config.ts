import { defineConfig } from '@playwright/test';

const port = 3199;

/** Stories in a real Chromium against the production build, on a database of their own. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.e2e.ts',
  workers: 1,
  timeout: 45_000,
  expect: { timeout: 8_000 },
  reporter: 'list',
  outputDir: 'test-results/browser',
  use: {
    baseURL: `http://localhost:${port}`,
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'],
    },
  },
  webServer: {
    // A database of this run alone: what an earlier run left is not to be found.
    command: `node -e "fs.rmSync('test-results/data',{recursive:true,force:true})" && exec node build/server/index.js`,
    url: `http://localhost:${port}/readyz`,
    timeout: 60_000,
    reuseExistingServer: false,
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: 'test-results/data',
      ADMIN_EMAIL: 'admin@florka.test',
      ADMIN_PASSWORD: 'admin-password',
      // admin.e2e.ts sets one up on a server of its own.
      ADMIN_SECOND_FACTOR: 'off',
      LOG_LEVEL: 'error',
      // Each test person comes from an address of its own, so the real limits stay on.
      TRUST_PROXY: '1',
    },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});

import { defineConfig, mergeConfig } from 'vitest/config';
import whole from '../../vitest.config.ts';

/** `npm run coverage`: what the tests of payments, voting and access run of the code of these three. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      coverage: {
        provider: 'v8',
        reporter: ['text', 'json-summary'],
        reportsDirectory: 'test-results/coverage',
        include: [
          'server/domains/payments/**/*.ts',
          'server/domains/voting/**/*.ts',
          'server/http/api/procedures.ts',
          'server/http/same-origin.ts',
          'server/domains/auth/sessions/{session-reader,viewer.service,known-device}.ts',
        ],
      },
    },
  }),
);

// `npm run mutation -- payments`: makes one change at a time in the code and reports which of them no test notices: Stryker in
// payments and access, lib/statement-mutants.ts in the statements of voting. docs/quality.md has the figures and what was decided
// about those that stay.
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { mutateStatements } from './lib/mutate-statements.ts';

interface Target {
  /** Files that are changed. */
  mutate: string[];
  /** Tests that must notice. */
  tests: string[];
  /** Percent of the changes that must be noticed. */
  min: number;
}

const TARGETS: Record<string, Target> = {
  // Decisions about what was paid, what is owed, and when a token may be created.
  payments: {
    mutate: ['server/domains/payments/facts/*.policy.ts', 'server/domains/**/step.policy.ts'],
    tests: ['server/domains/payments/facts/*.test.ts', 'server/domains/**/step.test.ts'],
    min: 95,
  },
  // Origin of a write, and the address of its client.
  access: {
    mutate: ['server/http/same-origin.ts', 'server/http/client-address.ts'],
    tests: ['server/http/same-origin.test.ts', 'server/http/client-address.test.ts'],
    min: 95,
  },
};

const USAGE = `Usage: npm run mutation -- <part> [--concurrency N]
       npm run mutation -- voting [--only text of the path] [--from N] [--numbers N,N,…]

  parts: ${Object.keys(TARGETS).join(', ')}, voting`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '1' },
    numbers: { type: 'string' },
  },
});
// Limits, lock, insert and counters are statements in SQL, which Stryker replaces as a whole.
if (positionals[0] === 'voting')
  process.exit(
    await mutateStatements({
      files: 'server/domains/voting/**/*.sql.ts',
      tests: [
        ['server/domains/voting/'],
        ['tests/vote-actions', 'server/domains/race/', 'server/jobs/voting/', 'server/domains/account/removal'],
      ],
      only: values.only,
      from: Number(values.from),
      numbers: values.numbers?.split(',').map(Number),
    }),
  );
const target = TARGETS[positionals[0] ?? ''];
if (!target) {
  console.error(USAGE);
  process.exit(2);
}

process.env['PROPERTY_RUNS'] ??= '200';
process.env['MUTATION_TESTS'] = target.tests.join(',');
await new Stryker({
  mutate: target.mutate,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: {
    configFile: 'tests/quality/vitest.pure.config.ts',
    related: false,
  },
  coverageAnalysis: 'perTest',
  concurrency: Number(values.concurrency),
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'test-results/mutation.json' },
  tempDirName: 'test-results/mutation',
  thresholds: { high: 100, low: target.min, break: target.min },
  ignorePatterns: ['data', 'data-dev', 'build', 'docs', 'public', 'test-results', '.react-router', 'ops'],
  // TypeScript 7 has no API for this; nothing compiles in the copy, so it needs no changed configuration.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  timeoutMS: 20_000,
}).runMutationTest();

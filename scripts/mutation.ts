// `npm run mutation -- payments`: changes one thing after the other in the code and says which changes no test
// notices: Stryker in TypeScript, and our own list of changes in hand-written SQL. docs/quality.md has the figures and what was
// decided about those that stay.
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { runSqlMutation } from './lib/sql-mutation-run.ts';

interface Target {
  /** Files that are changed. */
  mutate: string[];
  /** Tests that must notice. */
  tests: string[];
  /** Percent of the changes that must be noticed. */
  least: number;
}

const TARGETS: Record<string, Target> = {
  // What was paid, what is owed, and when a token may be made.
  payments: {
    mutate: ['server/domains/**/reduce.policy.ts', 'server/domains/**/step.policy.ts'],
    tests: ['server/domains/**/reduce*.test.ts', 'server/domains/**/step.test.ts'],
    least: 80,
  },
  // Whose write it is, from where, and with which code.
  access: {
    mutate: ['server/http/same-origin.ts', 'server/http/client-address.ts'],
    tests: ['server/http/same-origin.test.ts', 'server/http/client-address.test.ts'],
    least: 80,
  },
};

const of = (...names: string[]) => names.map((name) => `server/domains/voting/${name}.test.ts`);

/** The rules of a vote (once a day, the lock, the counters, ties) stand in statements; each change of one needs the database. */
const VOTING: Record<string, string[]> = {
  'candidates.sql.ts': of('ranking', 'voting', 'candidates.admin'),
  'carry-votes.sql.ts': of('carry-votes'),
  'cast-votes.sql.ts': of('voting', 'ranking', 'voting-at-once', 'rounds.admin', 'reset'),
  'manage-votes.sql.ts': of('reset', 'vote-states'),
  'own-votes.sql.ts': of('own-votes'),
  'tally.sql.ts': of('voting', 'ranking', 'vote-states', 'candidates.admin'),
  'vote-states.sql.ts': of('vote-states'),
  'votes.sql.ts': of('voting', 'vote-states', 'voting-at-once', 'carry-votes'),
};

const USAGE = `Usage: npm run mutation -- <part> [--concurrency N] [--only part-of-a-file-name]

  parts: ${[...Object.keys(TARGETS), 'voting'].join(', ')}; --only is for voting`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' }, only: { type: 'string' } },
});
if (positionals[0] === 'voting') {
  process.env['PROPERTY_RUNS'] = '40';
  process.env['MUTATION_TESTS'] = 'server/domains/voting/*.test.ts';
  const statements = Object.fromEntries(
    Object.entries(VOTING).map(([file, tests]) => [`server/domains/voting/${file}`, tests]),
  );
  process.exit((await runSqlMutation({ statements, least: 80 }, values.only)) ? 0 : 1);
}
const target = TARGETS[positionals[0] ?? ''];
if (!target) {
  console.error(USAGE);
  process.exit(2);
}

process.env['PROPERTY_RUNS'] = process.env['PROPERTY_RUNS'] ?? '200';
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
  thresholds: { high: 90, low: target.least, break: target.least },
  ignorePatterns: ['data', 'data-dev', 'build', 'docs', 'public', 'test-results', '.react-router', 'ops'],
  // TypeScript 7 has no API for this; nothing compiles in the copy, so it needs no changed configuration.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  timeoutMS: 20_000,
}).runMutationTest();

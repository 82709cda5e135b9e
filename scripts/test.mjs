#!/usr/bin/env node
// `npm test`: everything that must be green before a change goes in, cheapest first, up to the first failure.
//
//   npm test                                    all parts
//   npm test -- --only checks,server            some of: checks, server, faults, attack, browser
//   npm test -- --only browser --shard 2/3      the second third of each part's tests, for several machines
//   npm test -- --long                          generated cases and kills in their full number (docs/quality.md)
//   npm test -- --retries 1                     a failed test gets a second attempt, and the summary names it
//   npm test -- votes                           only `vitest run votes`
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, fail, runUnderNode } from './lib/bootstrap.mjs';
import { findOrInstallChromium } from './lib/browser.mjs';
import { enterRunFolder } from './lib/run-folder.mjs';

const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];
const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'];
const PARTS = ['checks', 'server', 'faults', 'attack', 'browser'];

const started = Date.now();
const { only, shard, retries, filters } = readArguments();
const temporary = enterRunFolder();
const unitReport = path.join(temporary.folder, 'vitest.json');
const browserReport = path.join(temporary.folder, 'playwright.json');
const retriedReport = path.join(temporary.folder, 'retried.txt');

function readArguments() {
  const words = process.argv.slice(2).filter((word) => word !== '--long');
  // Read by tests/support/runner/property-runs.ts.
  if (words.length < process.argv.length - 2) process.env.TEST_LONG = '1';
  // What is no option of ours goes to vitest as it is.
  if (!words.some((word) => /^--(only|shard|retries)\b/.test(word)))
    return { only: PARTS, shard: undefined, retries: '0', filters: words };
  try {
    const { values } = parseArgs({
      args: words,
      options: { only: { type: 'string' }, shard: { type: 'string' }, retries: { type: 'string', default: '0' } },
    });
    const parts = values.only?.split(',') ?? PARTS;
    const unknown = parts.filter((part) => !PARTS.includes(part));
    if (unknown.length > 0) throw new Error(`--only knows ${PARTS.join(', ')}, and not ${unknown.join(', ')}`);
    if (values.shard && !/^[1-9]\d*\/[1-9]\d*$/.test(values.shard)) throw new Error('--shard is written as 1/3');
    if (!/^\d$/.test(values.retries)) throw new Error('--retries is a number from 0 to 9');
    return { only: parts, shard: values.shard, retries: values.retries, filters: [] };
  } catch (error) {
    return fail(/** @type {Error} */ (error).message);
  }
}

/** @type {{ name: string, seconds: number, processor: number | null }[]} */
const durations = [];

/**
 * Processor seconds of ended child processes, theirs included; null on systems without /proc. Those whose end nobody waited for, such
 * as the pages of a browser that is closed, are not in it.
 */
function processorSeconds() {
  try {
    // After the name, which may contain spaces: cutime and cstime, in hundredths of a second.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return null;
  }
}

/** @param {string} name */
const section = (name) => console.log(`\n── ${name} ${'─'.repeat(Math.max(2, 76 - name.length))}`);

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * @param {string} file a report in JSON
 * @param {(report: any) => Counts} pick
 * @returns {Counts}
 */
function readCounts(file, pick) {
  return existsSync(file) ? pick(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0, skipped: 0 };
}

/**
 * Titles of the tests in the browser that passed at a second attempt.
 * @param {any} suite of Playwright's report
 * @returns {string[]}
 */
const flakyIn = (suite) => [
  ...(suite.suites ?? []).flatMap(flakyIn),
  ...(suite.specs ?? [])
    .filter((/** @type {any} */ spec) => spec.tests.some((/** @type {any} */ test) => test.status === 'flaky'))
    .map((/** @type {any} */ spec) => `${spec.file} › ${spec.title}`),
];

function retriedTests() {
  const server = existsSync(retriedReport) ? readFileSync(retriedReport, 'utf8').split('\n').filter(Boolean) : [];
  const browser = existsSync(browserReport) ? flakyIn(JSON.parse(readFileSync(browserReport, 'utf8'))) : [];
  return [...server, ...browser];
}

/** @param {number} code */
function finish(code) {
  const unit = readCounts(unitReport, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
  }));
  const browser = readCounts(browserReport, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }));
  // A step that failed before its tests could count still is a failure.
  const failed = Math.max(unit.failed + browser.failed, code);
  console.log('');
  for (const { name, seconds, processor } of durations)
    console.log(
      `${name.padEnd(28)}${seconds.toFixed(1).padStart(8)} s${processor === null ? '' : `, processor at least ${processor.toFixed(1)} s`}`,
    );
  console.log(
    `Total time ${((Date.now() - started) / 1000).toFixed(1)} s${code === 0 ? '' : ', stopped at a failure'}`,
  );
  const retried = retriedTests();
  if (retried.length > 0) console.log(`Passed only at a second attempt:\n  ${retried.join('\n  ')}`);
  // A platform without a local chain skips its tests; their titles have the reason.
  const skipped = unit.skipped + browser.skipped;
  console.log(`${unit.passed + browser.passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exit(code);
}

/**
 * @param {string} name
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
async function step(name, args, env) {
  section(name);
  const [from, processorFrom] = [Date.now(), processorSeconds()];
  const { code, stopped } = await runUnderNode(args, { env: { TEST_RETRIES: retries, ...env } });
  const processor = processorSeconds();
  durations.push({
    name,
    seconds: (Date.now() - from) / 1000,
    processor: processor === null || processorFrom === null ? null : processor - processorFrom,
  });
  if (stopped) process.exit(code || 1);
  if (code !== 0) finish(1);
}

await ensureInstalled({ dev: true });
if (filters.length > 0) process.exit((await runUnderNode([...VITEST, ...filters])).code);

const sharded = shard ? [`--shard=${shard}`] : [];
if (only.includes('checks')) await step('Checks', ['scripts/check.ts']);
if (only.some((part) => part !== 'checks')) {
  section('Build');
  await ensureBuilt();
  console.log('The build is current.');
}
if (only.includes('server'))
  await step(
    'Tests on the real database',
    [
      ...VITEST,
      '--reporter=default',
      '--reporter=json',
      '--reporter=./tests/support/runner/retried-tests.ts',
      `--outputFile.json=${unitReport}`,
      ...sharded,
    ],
    { RETRIED_TESTS: retriedReport },
  );
if (only.includes('faults')) await step('Faults, the short form', ['faults/main.ts', '--short']);
if (only.includes('attack')) await step('Attack, the short form', ['attack/main.ts', '--short']);
if (only.includes('browser')) {
  section('Browser');
  const CHROMIUM = await findOrInstallChromium();
  console.log(`Chromium: ${CHROMIUM}`);
  await step('Tests in the browser', [...PLAYWRIGHT, ...sharded], {
    CHROMIUM,
    PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport,
  });
}
finish(0);

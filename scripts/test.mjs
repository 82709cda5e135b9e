#!/usr/bin/env node
// `npm test`: everything that must be green before a change goes in, cheapest first, up to the first failure.
// With arguments only `vitest run` with those: `npm test -- votes`.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, runUnderNode } from './lib/bootstrap.mjs';
import { findOrInstallChromium } from './lib/browser.mjs';

const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];
const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'];

const started = Date.now();
const reports = mkdtempSync(path.join(os.tmpdir(), 'florka-test-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
const unitReport = path.join(reports, 'vitest.json');
const browserReport = path.join(reports, 'playwright.json');

/** @param {string} name */
const section = (name) => console.log(`\n── ${name} ${'─'.repeat(Math.max(2, 76 - name.length))}`);

/**
 * @param {string} file a report in JSON
 * @param {(report: any) => { passed: number, failed: number, skipped: number }} pick
 */
function readCounts(file, pick) {
  return existsSync(file) ? pick(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0, skipped: 0 };
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
  console.log(
    `\nTotal time ${((Date.now() - started) / 1000).toFixed(1)} s${code === 0 ? '' : ', stopped at a failure'}`,
  );
  // A platform without a local chain skips its tests; their titles say why.
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
  const { code, stopped } = await runUnderNode(args, { env });
  if (stopped) process.exit(code || 1);
  if (code !== 0) finish(1);
}

await ensureInstalled({ dev: true });
const only = process.argv.slice(2);
if (only.length > 0) process.exit((await runUnderNode([...VITEST, ...only])).code);

await step('Checks', ['scripts/check.ts']);
section('Build');
await ensureBuilt();
console.log('The build is current.');
await step('Tests on the real database', [
  ...VITEST,
  '--reporter=default',
  '--reporter=json',
  '--reporter=./tests/support/second-tries.ts',
  `--outputFile.json=${unitReport}`,
]);
await step('Faults, the short form', ['faults/main.ts', '--short']);
section('Browser');
const CHROMIUM = await findOrInstallChromium();
console.log(`Chromium: ${CHROMIUM}`);
await step('Tests in the browser', PLAYWRIGHT, { CHROMIUM, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport });
finish(0);

import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';

/**
 * Names the tests that passed only at a second attempt, where `npm test -- --retries 1` allows one: one line each, in the
 * file that RETRIED_TESTS names.
 */
export default class RetriedTests implements Reporter {
  private readonly names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.names.push(`${test.module.relativeModuleId} › ${test.fullName}`);
  }

  onTestRunEnd(): void {
    const file = process.env['RETRIED_TESTS'];
    if (file && this.names.length > 0) writeFileSync(file, this.names.join('\n'));
  }
}

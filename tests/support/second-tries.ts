import type { Reporter, TestCase } from 'vitest/node';

/** Names the tests that needed a second try: on a machine that stalls that is no failure, but nobody should miss it. */
export default class SecondTries implements Reporter {
  private readonly names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.names.push(`${test.module.relativeModuleId} › ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.names.length > 0) console.log(`Passed only at the second try:\n  ${this.names.join('\n  ')}`);
  }
}

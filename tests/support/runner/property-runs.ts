/**
 * Number of runs of a property: that of its test, or at most PROPERTY_RUNS. Mutation tests set that, for they
 * run each test hundreds of times, and look for rules without a test rather than for rare cases.
 */
export const propertyRuns = (wanted: number): number =>
  Math.min(wanted, Number(process.env['PROPERTY_RUNS'] ?? Number.POSITIVE_INFINITY));

/** Set by `npm test -- --long`. */
const LONG = process.env['TEST_LONG'] === '1';

/**
 * Number of generated cases, or of processes that are killed at a random moment: `everyday` in `npm test`, `long` with
 * `npm test -- --long`. docs/quality.md says what the smaller number still detects.
 */
export const generatedCases = ({ everyday, long }: { everyday: number; long: number }): number =>
  propertyRuns(LONG ? long : everyday);

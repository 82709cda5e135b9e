/**
 * Number of runs of a property: that of its test, or at most PROPERTY_RUNS. Mutation tests set that, for they
 * run each test hundreds of times, and look for rules without a test rather than for rare cases.
 */
export const propertyRuns = (wanted: number): number =>
  Math.min(wanted, Number(process.env['PROPERTY_RUNS'] ?? Number.POSITIVE_INFINITY));

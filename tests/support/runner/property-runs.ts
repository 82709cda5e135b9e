/**
 * How often a property is tried: as often as its test says, or at most PROPERTY_RUNS times. Mutation tests set that, for they
 * run each test hundreds of times, and look for rules without a test rather than for rare cases.
 */
export const propertyRuns = (wanted: number): number =>
  Math.min(wanted, Number(process.env['PROPERTY_RUNS'] ?? Number.POSITIVE_INFINITY));

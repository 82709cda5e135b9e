/**
 * Round values for the axis of a chart: multiples of 1, 2 or 5 (times a power of ten) within `low` and `high`.
 * @param max maximum number.
 * @param whole only integers, for counts.
 */
export function ticksOf(low: number, high: number, max = 4, whole = false): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const rough = span / max;
  const unit = 10 ** Math.floor(Math.log10(rough));
  for (const factor of [1, 2, 5, 10, 20, 50, 100]) {
    const step = unit * factor;
    if (whole && step < 1) continue;
    const first = Math.ceil(low / step - 1e-9);
    const count = Math.floor(high / step + 1e-9) - first + 1;
    // Without floating-point errors: 0.3, not 0.30000000000000004.
    if (count <= max)
      return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  }
  return [];
}

/** The lowest round value not below `high` that gives even steps from zero; 1 when `high` is zero. */
export function roundTop(high: number, whole = false): number {
  if (!(high > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(high));
  for (const factor of [1, 1.5, 2, 3, 4, 5, 6, 8, 10]) {
    const top = Number((unit * factor).toPrecision(12));
    if (top >= high && (!whole || Number.isInteger(top))) return top;
  }
  return Number((unit * 10).toPrecision(12));
}

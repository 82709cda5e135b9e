export interface LinePath {
  line: string;
  area: string;
  /** The last point. */
  last: { x: number; y: number };
}

/** Path data of a line over `values` in a box of `width` x `height`, starting at zero or below, `pad` from the edges. */
export function linePath(values: readonly number[], width: number, height: number, pad: number): LinePath {
  const clean = values.length === 0 ? [0, 0] : values.length === 1 ? [values[0] ?? 0, values[0] ?? 0] : values;
  const low = Math.min(0, ...clean);
  const span = Math.max(...clean) - low || 1;
  const points = clean.map((value, i) => ({
    x: round((i / (clean.length - 1)) * width),
    y: round(height - pad - ((value - low) / span) * (height - 2 * pad)),
  }));
  const line = `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`;
  return { line, area: `${line}L${width} ${height}L0 ${height}Z`, last: points.at(-1) ?? { x: 0, y: 0 } };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

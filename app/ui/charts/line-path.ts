export interface LinePath {
  line: string;
  area: string;
  /** The segment to the last point when that is not final; empty otherwise. */
  open: string;
  /** The last point. */
  last: { x: number; y: number };
}

interface Options {
  /** The value at the upper edge; default: the maximum. */
  top?: number | undefined;
  /** The last value is of an incomplete period, such as today. */
  unfinished?: boolean | undefined;
}

/** Path data of a line over `values` in a box of `width` x `height`, starting at zero or below, `pad` from the edges. */
export function linePath(
  values: readonly number[],
  width: number,
  height: number,
  pad: number,
  { top, unfinished }: Options = {},
): LinePath {
  const clean = values.length === 0 ? [0, 0] : values.length === 1 ? [values[0] ?? 0, values[0] ?? 0] : values;
  const low = Math.min(0, ...clean);
  const span = Math.max(top ?? 0, ...clean) - low || 1;
  const points = clean.map((value, i) => ({
    x: round((i / (clean.length - 1)) * width),
    y: round(height - pad - ((value - low) / span) * (height - 2 * pad)),
  }));
  const path = (some: typeof points) => (some.length > 1 ? `M${some.map(({ x, y }) => `${x} ${y}`).join('L')}` : '');
  const whole = path(points);
  const broken = unfinished === true && values.length > 1;
  return {
    line: broken ? path(points.slice(0, -1)) : whole,
    open: broken ? path(points.slice(-2)) : '',
    area: `${whole}L${width} ${height}L0 ${height}Z`,
    last: points.at(-1) ?? { x: 0, y: 0 },
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

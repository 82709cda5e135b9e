import { Chart, type ChartProps } from './Chart.tsx';
import { linePath } from './line-path.ts';
import { roundTop, ticksOf } from './ticks.ts';

export interface AreaChartProps
  extends Pick<ChartProps, 'label' | 'pointHeading' | 'valueHeading' | 'unfinished' | 'marks' | 'className'> {
  points: readonly { label: string; value: number }[];
  /** Formats a value. */
  format?: ((value: number) => string) | undefined;
}

/** A count or an amount over time, from zero up to a round value. */
export function AreaChart({ points, format = String, ...named }: AreaChartProps) {
  const values = points.map((point) => point.value);
  const top = roundTop(Math.max(0, ...values), true);
  const { line, area, open } = linePath(values, 100, 100, 0, { top, unfinished: named.unfinished !== undefined });
  return (
    <Chart
      {...named}
      line={line}
      area={area}
      open={open}
      ticks={ticksOf(0, top, 5, true).map((value) => ({ y: 100 - (value / top) * 100, label: format(value) }))}
      points={points.map(({ label, value }) => ({ key: label, label, value: format(value), known: true }))}
    />
  );
}

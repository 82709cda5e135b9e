import { Chart, type ChartProps } from './Chart.tsx';
import { linePath } from './line-path.ts';

export interface AreaChartProps extends Pick<ChartProps, 'label' | 'pointHeading' | 'valueHeading' | 'className'> {
  points: readonly { label: string; value: number }[];
  /** How a value is written. */
  format?: ((value: number) => string) | undefined;
}

/** A number over time, from zero up. */
export function AreaChart({ points, format = String, ...named }: AreaChartProps) {
  const values = points.map((point) => point.value);
  const { line, area } = linePath(values, 100, 100, 0);
  return (
    <Chart
      {...named}
      line={line}
      area={area}
      high={format(Math.max(0, ...values))}
      points={points.map(({ label, value }) => ({ key: label, label, value: format(value), known: true }))}
    />
  );
}

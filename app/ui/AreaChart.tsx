import type { CSSProperties } from 'react';
import { cx } from './cx.ts';
import { linePath } from './line-path.ts';

export interface AreaChartProps {
  points: readonly { label: string; value: number }[];
  /** Name of the chart; caption of the table that screen readers get instead. */
  label: string;
  /** Headings of that table: what the points are, what the values are. */
  pointHeading: string;
  valueHeading: string;
  /** How a value is written. */
  format?: ((value: number) => string) | undefined;
  className?: string | undefined;
}

/** A number over time, drawn: hover shows each point, screen readers get a table. Height by `--chart-height`. */
export function AreaChart({ points, label, pointHeading, valueHeading, format = String, className }: AreaChartProps) {
  const values = points.map((point) => point.value);
  const { line, area } = linePath(values, 100, 100, 0);
  return (
    <figure className={cx('chart', className)}>
      <div className="chart-plot" aria-hidden="true">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path d={area} fill="currentColor" opacity="0.16" />
          <path
            d={line}
            fill="none"
            stroke="currentColor"
            strokeWidth="2.5"
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <span className="chart-max figures">{format(Math.max(0, ...values))}</span>
        <div className="chart-hits">
          {points.map((point, i) => (
            <span className="chart-hit" key={point.label}>
              <span className="chart-tip" style={{ '--at': i / Math.max(1, points.length - 1) } as CSSProperties}>
                {point.label} <b className="figures">{format(point.value)}</b>
              </span>
            </span>
          ))}
        </div>
      </div>
      <div className="chart-axis figures" aria-hidden="true">
        <span>{points[0]?.label}</span>
        {points.length > 1 ? <span>{points.at(-1)?.label}</span> : null}
      </div>
      {/* A table ignores the width of its own hidden class, so its frame carries it. */}
      <div className="visually-hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{pointHeading}</th>
              <th scope="col">{valueHeading}</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.label}>
                <th scope="row">{point.label}</th>
                <td>{format(point.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

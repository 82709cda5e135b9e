import type { CSSProperties } from 'react';
import { Curve, type CurveProps } from './Curve.tsx';
import { cx } from './cx.ts';

/** The curve stands in a box of 100 x 100, y downwards. */
export interface ChartProps extends CurveProps {
  /** Name of the chart; caption of the table that screen readers get instead. */
  label: string;
  /** Headings of that table: what the points are, what the values are. */
  pointHeading: string;
  valueHeading: string;
  /** In words; a point without a known value is not in the table. */
  points: readonly { key: string; label: string; value: string; known: boolean }[];
  /** What stands at the upper and lower edge. */
  high: string;
  low?: string | undefined;
  className?: string | undefined;
}

/** A line over time: hover shows each point, screen readers get a table. Height by `--chart-height`. */
export function Chart({ label, pointHeading, valueHeading, points, line, area, dots, ...props }: ChartProps) {
  return (
    <figure className={cx('chart', props.className)}>
      <div className="chart-plot" aria-hidden="true">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <Curve line={line} area={area} dots={dots} width={2.5} />
        </svg>
        <span className="chart-max figures">{props.high}</span>
        {props.low === undefined ? null : <span className="chart-min figures">{props.low}</span>}
        <div className="chart-hits">
          {points.map((point, i) => (
            <span className="chart-hit" key={point.key}>
              <span className="chart-tip" style={{ '--at': i / Math.max(1, points.length - 1) } as CSSProperties}>
                {point.label} <b className="figures">{point.value}</b>
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
            {points
              .filter(({ known }) => known)
              .map((point) => (
                <tr key={point.key}>
                  <th scope="row">{point.label}</th>
                  <td>{point.value}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

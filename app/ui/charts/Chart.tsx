import type { CSSProperties } from 'react';
import { cx } from '../cx.ts';
import { Curve, type CurveProps } from './Curve.tsx';
import { labelled } from './marks.ts';

/** The curve is in a box of 100 x 100, y downwards. */
export interface ChartProps extends CurveProps {
  /** Label of the chart; caption of the table for screen readers. */
  label: string;
  /** Column headers of that table: points and values. */
  pointHeading: string;
  valueHeading: string;
  /** Values as text; a point without a value is not in the table. */
  points: readonly { key: string; label: string; value: string; known: boolean }[];
  /** Horizontal lines with their labels; `y` as the curve's. */
  ticks: readonly { y: number; label: string }[];
  /** Events at points, by index. */
  marks?: readonly { point: number; label: string }[] | undefined;
  /** The last point is not final: meaning of the dashed line to it. */
  unfinished?: string | undefined;
  className?: string | undefined;
}

/** A line over time: hover shows each point, screen readers get a table. Height by `--chart-height`. */
export function Chart({
  label,
  pointHeading,
  valueHeading,
  points,
  ticks,
  marks = [],
  unfinished,
  ...props
}: ChartProps) {
  /** From the first point at 0 to the last at 1. */
  const at = (i: number) => i / Math.max(1, points.length - 1);
  const named = labelled(marks, points.length);
  return (
    <figure
      className={cx('chart', props.className)}
      style={
        {
          '--gutter': `${Math.max(0, ...ticks.map((tick) => tick.label.length)) + 1}ch`,
          '--points': points.length,
        } as CSSProperties
      }
    >
      <div className="chart-plot" aria-hidden="true">
        <div className="chart-grid">
          {ticks.map(({ y, label }) => (
            <span key={label} className="chart-tick figures" style={{ top: `${y}%` }}>
              <span>{label}</span>
            </span>
          ))}
          {marks.map((mark) => (
            <span key={mark.label} className="chart-mark" style={{ '--at': at(mark.point) } as CSSProperties}>
              {named.has(mark) ? <span>{mark.label}</span> : null}
            </span>
          ))}
        </div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <Curve line={props.line} area={props.area} open={props.open} dots={props.dots} width={2.5} />
        </svg>
        <div className="chart-hits">
          {points.map((point, i) => (
            <span className="chart-hit" key={point.key}>
              <span className="chart-tip" style={{ '--at': at(i) } as CSSProperties}>
                {point.label} <b className="figures">{point.value}</b>
              </span>
            </span>
          ))}
        </div>
      </div>
      <div className="chart-axis figures" aria-hidden="true">
        <span>{points[0]?.label}</span>
        {unfinished === undefined ? null : <span className="chart-open">{unfinished}</span>}
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

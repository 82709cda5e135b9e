import { cx } from '../cx.ts';
import { Curve } from './Curve.tsx';
import { linePath } from './line-path.ts';

export interface SparklineProps {
  values: readonly number[];
  /** What the line says, in words with its figures. */
  label: string;
  /** The last value is of a day that is not over. */
  unfinished?: boolean | undefined;
  className?: string | undefined;
}

/** The course of a number in the height of a text line. For axes and figures use `AreaChart`. */
export function Sparkline({ values, label, unfinished, className }: SparklineProps) {
  const { line, area, open, last } = linePath(values, 100, 32, 3, { unfinished });
  return (
    <svg
      className={cx('sparkline', className)}
      viewBox="0 0 100 32"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <Curve line={line} area={area} open={open} dots={[last]} width={2} />
    </svg>
  );
}

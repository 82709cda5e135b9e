import { cx } from '../cx.ts';
import { Curve } from './Curve.tsx';
import { linePath } from './line-path.ts';

export interface SparklineProps {
  values: readonly number[];
  /** Text alternative of the line, with its values. */
  label: string;
  /** The last value is of the current, incomplete day. */
  unfinished?: boolean | undefined;
  className?: string | undefined;
}

/** A trend in the height of a text line. For axes and values use `AreaChart`. */
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

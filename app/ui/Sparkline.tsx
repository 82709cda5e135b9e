import { Curve } from './Curve.tsx';
import { cx } from './cx.ts';
import { linePath } from './line-path.ts';

export interface SparklineProps {
  values: readonly number[];
  /** What the line says, in words with its figures. */
  label: string;
  className?: string | undefined;
}

/** The course of a number in the height of a text line. For axes and figures use `AreaChart`. */
export function Sparkline({ values, label, className }: SparklineProps) {
  const { line, area, last } = linePath(values, 100, 32, 3);
  return (
    <svg
      className={cx('sparkline', className)}
      viewBox="0 0 100 32"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <Curve line={line} area={area} dots={[last]} width={2} />
    </svg>
  );
}

import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export interface StatProps {
  label: ReactNode;
  value: ReactNode;
  /** A second, muted line. */
  hint?: ReactNode;
  className?: string | undefined;
}

/** One figure with its label. Must be inside a `<dl>`: use `Stats`, or another. */
export function Stat({ label, value, hint, className }: StatProps) {
  return (
    <div className={className}>
      <dt className="stat-label">{label}</dt>
      <dd className="stat-value">{value}</dd>
      {hint == null ? null : <dd className="stat-hint">{hint}</dd>}
    </div>
  );
}

/** The frame of several `Stat`: one panel with hairlines, as many columns as fit. */
export function Stats({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <dl className={cx('stats', className)}>{children}</dl>;
}

import { Children, type ReactNode } from 'react';
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
  return (
    // Counted here: columns by what the document has so far would move the figures that have arrived.
    <dl className={cx('stats', className)} data-count={Children.toArray(children).length}>
      {children}
    </dl>
  );
}

import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

/** A message about the whole site: it stays as long as it is true. */
export function Banner({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <div role="status" className={cx('border-line bg-lead-soft px-4 py-2.5 text-sm text-text', className)}>
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export interface EmptyStateProps {
  title: ReactNode;
  text?: ReactNode;
  /** One next step. */
  action?: ReactNode;
  /** A drawing of `app/ui/art/scenes`. */
  scene?: ReactNode;
  /** Heading level. */
  level?: 1 | 2 | 3 | undefined;
  /** `alert` for errors, `status` for a list that has just become empty. */
  role?: 'alert' | 'status' | undefined;
  className?: string | undefined;
}

/** Empty, not found, forbidden or unreachable: a drawing, the reason and one next step. */
export function EmptyState({ title, text, action, scene, level = 2, role, className }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={cx('empty', className)} role={role}>
      {scene}
      <Heading className="max-w-[26ch] text-[1.375rem] wrap-anywhere">{title}</Heading>
      {text == null ? null : <p className="max-w-[46ch] text-quiet">{text}</p>}
      {action == null ? null : <div className="mt-2 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}

import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export type Tone = 'neutral' | 'lead' | 'mint' | 'coral' | 'sky';

export interface BadgeProps {
  tone?: Tone | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A short state as text. The tone only supports it: never colour alone. */
export function Badge({ tone = 'neutral', className, children }: BadgeProps) {
  return <span className={cx('badge', tone !== 'neutral' && `badge-${tone}`, className)}>{children}</span>;
}

/** Marks something that is live right now. Only for live data. */
export function LiveDot({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <span className={cx('live-dot', className)}>{children}</span>;
}

import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export type Tone = 'neutral' | 'lead' | 'mint' | 'coral' | 'sky';

export interface BadgeProps {
  tone?: Tone | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A short state in words. The tone helps, the text says it: never a colour alone. */
export function Badge({ tone = 'neutral', className, children }: BadgeProps) {
  return <span className={cx('badge', tone !== 'neutral' && `badge-${tone}`, className)}>{children}</span>;
}

/** The light that says something is happening right now. Only for what really is live. */
export function LiveDot({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <span className={cx('live-dot', className)}>{children}</span>;
}

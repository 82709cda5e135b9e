import { cx } from '../cx.ts';

export interface MarqueeProps {
  /** Animates the lights. Only while something is live. */
  lit?: boolean | undefined;
  className?: string | undefined;
}

/** A row of small lights, over the hero and the current round. It has no text alternative: put the state in words nearby. */
export function Marquee({ lit, className }: MarqueeProps) {
  return <div className={cx('marquee', lit && 'marquee-lit', className)} aria-hidden="true" />;
}

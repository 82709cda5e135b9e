import type { ReactNode } from 'react';
import { Skyline, Stars } from '../art/Skyline.tsx';
import { cx } from '../cx.ts';

export interface BoothProps {
  /** The decorated half: logo, title (the h1), a sentence. */
  aside: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** A card with a decorated half and a form, for signing in and other single forms. */
export function Booth({ aside, children, className }: BoothProps) {
  return (
    <div className={cx('card booth', className)}>
      <div className="booth-aside">
        <Stars />
        {aside}
        <Skyline className="hero-scene" />
      </div>
      <div className="booth-main">{children}</div>
    </div>
  );
}

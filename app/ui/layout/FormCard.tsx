import type { ReactNode } from 'react';
import { Skyline, Stars } from '../art/Skyline.tsx';
import { cx } from '../cx.ts';

export interface FormCardProps {
  /** The decorated half: logo, title (the h1), a sentence. */
  aside: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** A card with a decorated half and a form, for signing in and other single forms. */
export function FormCard({ aside, children, className }: FormCardProps) {
  return (
    <div className={cx('card form-card', className)}>
      <div className="form-card-aside">
        <Stars />
        {aside}
        <Skyline className="hero-scene" />
      </div>
      <div className="form-card-main">{children}</div>
    </div>
  );
}

import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';

export interface CardProps extends ComponentProps<'div'> {
  /** Raised on hover: for cards with a `stretched` link. */
  hover?: boolean | undefined;
}

/** A plain panel for content that is not a ticket (forms, posts, tables). Has no padding of its own. */
export function Card({ hover, className, ...rest }: CardProps) {
  return <div {...rest} className={cx('card', hover && 'card-hover', className)} />;
}

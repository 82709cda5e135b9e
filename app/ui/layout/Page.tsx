import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';

export interface PageHeadProps {
  title: ReactNode;
  lead?: ReactNode;
  /** Above the title: a `LiveDot`, a `Badge`, a back link. */
  over?: ReactNode;
  /** At the right: buttons, a search box, a countdown. */
  actions?: ReactNode;
  className?: string | undefined;
}

/** The head of an inner page with its only h1. Place inside `page`. */
export function PageHead({ title, lead, over, actions, className }: PageHeadProps) {
  return (
    <header className={cx('page-head', className)}>
      <div className="min-w-0 max-w-[44rem]">
        {over == null ? null : <div className="mb-2.5">{over}</div>}
        <h1 className="text-title font-extrabold">{title}</h1>
        {lead == null ? null : <p className="mt-2.5 max-w-[38rem] text-lg leading-normal text-quiet">{lead}</p>}
      </div>
      {actions == null ? null : <div className="flex flex-wrap items-center gap-3">{actions}</div>}
    </header>
  );
}

export interface SectionProps {
  title?: ReactNode;
  actions?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A section of a page with its h2. */
export function Section({ title, actions, className, children }: SectionProps) {
  return (
    <section className={cx('py-6 md:py-9', className)}>
      {title == null && actions == null ? null : (
        <div className="section-head">
          {title == null ? null : <h2 className="text-[1.625rem] md:text-3xl">{title}</h2>}
          {actions == null ? null : <div className="flex flex-wrap items-center gap-3">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** The grid of tickets: 1, 2 or 3 columns. */
export function TicketGrid({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx('grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3', className)} />;
}

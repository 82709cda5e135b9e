import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { cx } from '../cx.ts';

export interface PageHeadProps {
  title: ReactNode;
  lead?: ReactNode;
  /** Over the title: a `LiveDot`, a `Badge`, a way back. */
  over?: ReactNode;
  /** At the right: buttons, a search box, a countdown. */
  actions?: ReactNode;
  className?: string | undefined;
}

/** The top of an inner screen: its only h1. Place inside `page`. */
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

/** A part of a screen with its h2. */
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

export interface MastheadProps {
  /** A `TokenImage` that fills its place. */
  image: ReactNode;
  title: ReactNode;
  symbol?: ReactNode;
  badges?: ReactNode;
  lead?: ReactNode;
  /** Under the lead: addresses, dates. */
  meta?: ReactNode;
  actions?: ReactNode;
  /** The token's own colour, in which its panel is bathed. */
  tint?: string | undefined;
  /** A `Stats` block. */
  stats?: ReactNode;
  className?: string | undefined;
}

/** The head of a token or candidate screen. */
export function Masthead(props: MastheadProps) {
  return (
    <header className={props.className}>
      <div className="masthead" style={{ '--tint': props.tint } as CSSProperties}>
        <div className="masthead-image">{props.image}</div>
        <div className="masthead-name">
          <h1 className="masthead-title">{props.title}</h1>
          <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5">
            {props.symbol == null ? null : <span className="figures text-lg text-quiet">{props.symbol}</span>}
            {props.badges}
          </div>
        </div>
        <div className="masthead-text">
          {props.lead == null ? null : <p className="max-w-[40rem] text-lg leading-normal">{props.lead}</p>}
          {props.meta == null ? null : <div className="mt-4 flex flex-wrap items-center gap-3">{props.meta}</div>}
        </div>
        {props.actions == null ? null : <div className="masthead-actions">{props.actions}</div>}
      </div>
      {props.stats == null ? null : <div className="mt-7">{props.stats}</div>}
    </header>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Progress, type ProgressProps } from '../charts/Progress.tsx';
import { cx } from '../cx.ts';
import { TicketParts, type TicketProps, ticketClass } from './Ticket.tsx';

interface TokenTicketFrameProps {
  tone?: TicketProps['tone'];
  /**
   * An action in the upper right corner, above the link that covers the ticket; null until it is loaded: its place is
   * reserved.
   */
  corner?: ReactNode;
  className?: string | undefined;
  /** A `TokenTicketContent`. */
  children: ReactNode;
}

/** The outline of a token card: its content, which may be a fragment, and an action in its corner. */
export function TokenTicketFrame({ tone, corner, className, children }: TokenTicketFrameProps) {
  return (
    <article
      className={cx(ticketClass(tone), 'token-ticket', corner !== undefined && 'token-ticket-cornered', className)}
    >
      {children}
      {corner == null ? null : <div className="corner-action">{corner}</div>}
    </article>
  );
}

export interface TokenTicketContentProps {
  /** A `TokenImage` that fills its container: 72 px, 52 on phones. */
  image: ReactNode;
  title: string;
  /** First below the title: a mark of the site's own. */
  mark?: ReactNode;
  to: string;
  symbol?: ReactNode;
  /** The last part of its address, next to the symbol. */
  slug?: string | undefined;
  badge?: ReactNode;
  description?: ReactNode;
  /** Row of statistics below the description, for example two `Stat` in a `<dl className="flex gap-6">`. */
  stats?: ReactNode;
  progress?: Pick<ProgressProps, 'value' | 'label' | 'labelLang' | 'showValue'> | undefined;
  /** Left and right of the stub. */
  stub: ReactNode;
  stubEnd?: ReactNode;
}

export interface TokenTicketProps extends TokenTicketContentProps, Omit<TokenTicketFrameProps, 'children'> {}

/** The token card of a grid: the whole ticket is one link, named by the title. */
export function TokenTicket({ tone, corner, className, ...content }: TokenTicketProps) {
  return (
    <TokenTicketFrame tone={tone} corner={corner} className={className}>
      <TokenTicketContent {...content} />
    </TokenTicketFrame>
  );
}

/** What a token card shows. */
export function TokenTicketContent(props: TokenTicketContentProps) {
  return (
    <TicketParts
      header={
        <div className="token-ticket-head">
          <div className="token-ticket-image">{props.image}</div>
          <div className="min-w-0">
            <h3 className="token-ticket-title">
              <Link to={props.to} className="stretched">
                {props.title}
              </Link>
            </h3>
            <div className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1">
              {props.mark}
              {props.symbol == null ? null : <span className="figures text-sm text-quiet">{props.symbol}</span>}
              {props.badge}
              {/* Not truncated: when there is no room next to them it wraps to the next line. */}
              {props.slug == null ? null : (
                <span className="figures clamp-2 text-xs wrap-anywhere text-quiet">{props.slug}</span>
              )}
            </div>
          </div>
        </div>
      }
      stub={
        <div className="token-ticket-foot">
          <div className="min-w-0 truncate text-sm text-quiet">{props.stub}</div>
          {props.stubEnd == null ? null : <div className="flex-none">{props.stubEnd}</div>}
        </div>
      }
    >
      {props.description == null ? null : <p className="token-ticket-text clamp-2">{props.description}</p>}
      {props.stats == null && props.progress === undefined ? null : (
        <div className="token-ticket-figures">
          {props.stats}
          {props.progress === undefined ? null : <Progress {...props.progress} />}
        </div>
      )}
    </TicketParts>
  );
}

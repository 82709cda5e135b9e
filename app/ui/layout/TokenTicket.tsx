import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Progress, type ProgressProps } from '../charts/Progress.tsx';
import { cx } from '../cx.ts';
import { Ticket, type TicketProps } from './Ticket.tsx';

export interface TokenTicketProps {
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
  tone?: TicketProps['tone'];
  className?: string | undefined;
}

/** The token card of a grid: the whole ticket is one link, named by the title. */
export function TokenTicket(props: TokenTicketProps) {
  return (
    <Ticket
      as="article"
      tone={props.tone}
      className={cx('token-ticket', props.className)}
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
    </Ticket>
  );
}

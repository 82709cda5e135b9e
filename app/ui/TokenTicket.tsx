import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Progress, type ProgressProps } from './Progress.tsx';
import { Ticket, type TicketProps } from './Ticket.tsx';

export interface TokenTicketProps {
  /** Usually a `TokenImage` of 72. */
  image: ReactNode;
  title: string;
  to: string;
  symbol?: ReactNode;
  badge?: ReactNode;
  description?: ReactNode;
  /** Row of figures under the description, for example two `Stat` in a `<dl className="flex gap-6">`. */
  stats?: ReactNode;
  progress?: Pick<ProgressProps, 'value' | 'label' | 'labelLang'> | undefined;
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
      className={props.className}
      header={
        <div className="token-ticket-head">
          {props.image}
          <div className="min-w-0">
            <h3 className="token-ticket-title">
              <Link to={props.to} className="stretched">
                {props.title}
              </Link>
            </h3>
            <div className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1">
              {props.symbol == null ? null : <span className="figures text-sm text-quiet">{props.symbol}</span>}
              {props.badge}
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
      {props.description == null ? null : (
        <p className="clamp-2 mt-3.5 min-h-[2.9em] text-[0.9375rem] leading-[1.45] text-quiet">{props.description}</p>
      )}
      {props.stats == null ? null : <div className="mt-3.5">{props.stats}</div>}
      {props.progress === undefined ? null : <Progress className="mt-3" {...props.progress} showValue />}
    </Ticket>
  );
}

import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export interface TicketProps {
  /** First block of the ticket. */
  header?: ReactNode;
  children?: ReactNode;
  /** The part behind the perforation: a number, a price, a countdown. Without it there is no perforation. */
  stub?: ReactNode;
  tone?: 'neutral' | 'lead' | 'mint' | 'coral' | undefined;
  /** The stub is at the right from 640 px on. */
  wide?: boolean | undefined;
  as?: 'div' | 'article' | 'li' | 'section' | undefined;
  className?: string | undefined;
}

/**
 * A card in the form of a ticket: body and stub joined by a perforation. Use it for what a user collects or pays: token cards, vote
 * receipts, payments, orders. A link with the `stretched` class makes the whole ticket clickable.
 */
export function Ticket({ header, children, stub, tone = 'neutral', wide, as: Tag = 'div', className }: TicketProps) {
  if (stub == null) {
    return (
      <Tag className={cx('card p-5', className)}>
        {header}
        {children}
      </Tag>
    );
  }
  return (
    <Tag className={cx(ticketClass(tone), wide && 'ticket-wide', className)}>
      <TicketParts header={header} stub={stub}>
        {children}
      </TicketParts>
    </Tag>
  );
}

/** The class of the element around `TicketParts`. */
export const ticketClass = (tone: TicketProps['tone'] = 'neutral') =>
  cx('ticket', tone !== 'neutral' && `ticket-${tone}`);

/** Body and stub of a ticket. */
export function TicketParts({ header, children, stub }: Pick<TicketProps, 'header' | 'children' | 'stub'>) {
  return (
    <>
      <div className="ticket-body">
        {header}
        {children}
      </div>
      <div className="ticket-stub">
        <span className="ticket-perf" aria-hidden="true" />
        {stub}
      </div>
    </>
  );
}

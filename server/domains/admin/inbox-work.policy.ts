import { INBOX_STAFF, type InboxSource } from '#contract/admin/inbox.ts';
import { mayAs, type StaffRole } from '#contract/staff.ts';

/** Who works in the back office, as what. */
export interface Worker {
  id: string;
  staffRoles: readonly StaffRole[];
}

/** Whether the items of a source are somebody's work. */
export const isWorkOf = ({ staffRoles }: Pick<Worker, 'staffRoles'>, source: InboxSource): boolean =>
  mayAs(staffRoles, INBOX_STAFF[source]);

/** What waits of the orders of tokens: money to look at, paid requests without a token, creations that stopped. */
export const OF_TOKENS: readonly InboxSource[] = [
  'payment',
  'unplaced',
  'request',
  'creation',
  'deliverable',
  'refund',
  'settlement',
  'reading',
  'source',
];

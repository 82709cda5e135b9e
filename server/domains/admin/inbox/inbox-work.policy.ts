import { INBOX_STAFF, type InboxSource } from '#contract/admin/inbox.ts';
import { mayAs, type StaffRole } from '#contract/staff.ts';

/** An admin and their staff roles. */
export interface Worker {
  id: string;
  staffRoles: readonly StaffRole[];
}

/** True when the items of a source are part of a person's work. */
export const isWorkOf = ({ staffRoles }: Pick<Worker, 'staffRoles'>, source: InboxSource): boolean =>
  mayAs(staffRoles, INBOX_STAFF[source]);

/** Sources whose work is done on the screen of token orders, as the menu counts them: none with a screen of its own, such as refunds. */
export const OF_TOKENS: readonly InboxSource[] = [
  'payment',
  'unplaced',
  'request',
  'creation',
  'chain',
  'reading',
  'source',
];

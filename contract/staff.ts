// The staff roles of admins. Browsers run this file. The database checks them too: another role needs a migration of `is_staff_roles`.

/** Staff roles of admins: an owner can do everything, the other roles the part of the back office they name. */
export const STAFF_ROLES = ['owner', 'editor', 'moderator', 'support', 'finance'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** For procedures that are open to everybody in the back office. */
export const ANY_STAFF: readonly StaffRole[] = STAFF_ROLES.filter((role) => role !== 'owner');

/**
 * True when a person has access to a part of the back office.
 *
 * @param mine the person's staff roles; empty for non-admins.
 * @param opened the staff roles with access in addition to owners.
 */
export const mayAs = (mine: readonly StaffRole[], opened: readonly StaffRole[]): boolean =>
  mine.includes('owner') || opened.some((role) => mine.includes(role));

// The staff roles of admins. Browsers run this file.

/** What an admin may do in the back office: an owner everything, the others the part that is named so. */
export const STAFF_ROLES = ['owner', 'editor', 'moderator', 'support', 'finance'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** For what everybody in the back office may do. */
export const ANY_STAFF: readonly StaffRole[] = STAFF_ROLES.filter((role) => role !== 'owner');

/**
 * Whether somebody may do something of the back office.
 *
 * @param mine the staff roles of that person; none for whoever is no admin.
 * @param opened the staff roles that it is open to beside owners.
 */
export const mayAs = (mine: readonly StaffRole[], opened: readonly StaffRole[]): boolean =>
  mine.includes('owner') || opened.some((role) => mine.includes(role));

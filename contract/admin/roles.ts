import { z } from 'zod';
import { role, staffRole } from '../domains/auth.ts';
import { errors } from '../errors.ts';
import { BULK_MAX } from '../limits.ts';
import { bulkAnswer, undoing } from './shared/bulk.ts';
import { adminRead, adminWrite, byAdminAfterStepUp, listInput, pageOf } from './shared/list.ts';

const count = z.int().nonnegative();

export const roleRow = z.object({
  id: z.uuid(),
  username: z.string().nullable(),
  email: z.string(),
  /** The owner verified the mailbox: otherwise somebody else may have made the account. */
  emailVerified: z.boolean(),
  walletAddress: z.string().nullable(),
  role,
  /** For admins: their staff roles. */
  staffRoles: z.array(staffRole),
  roleStatus: z.enum(['approved', 'pending', 'rejected']),
  /** Time of the last change of the role. */
  assignedAt: z.iso.datetime().nullable(),
  requestedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type RoleRow = z.infer<typeof roleRow>;

export const roleCounts = z.object({ total: count, admins: count, moderators: count, users: count });
export type RoleCounts = z.infer<typeof roleCounts>;

const changing = {
  ...byAdminAfterStepUp,
  NOT_FOUND: errors.NOT_FOUND,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
  LAST_ADMIN: errors.LAST_ADMIN,
  OWN_ACCOUNT: errors.OWN_ACCOUNT,
};
/** The state that the admin saw; when a colleague changed it meanwhile, nothing is changed. An undo restores a pending request, too. */
const seen = { seen: role.optional(), seenStaffRoles: z.array(staffRole).optional(), undo: undoing };
/** Either `owner` alone, or some of the others. */
const staffRoles = z
  .array(staffRole)
  .min(1)
  .max(staffRole.options.length)
  .refine((roles) => new Set(roles).size === roles.length && (roles.length === 1 || !roles.includes('owner')));

export const adminRoles = {
  list: adminRead('/roles', 'Members with their roles')
    .input(
      listInput(['createdAt', 'email', 'username'], {
        role: z.enum(['all', 'user', 'moderator', 'admin']).default('all'),
      }),
    )
    .output(pageOf(roleRow)),
  counts: adminRead('/roles/counts', 'How many hold each role').output(roleCounts),
  /** Requires step-up. Assigning the same role changes nothing. `staffRoles` applies to admins; without it a new admin becomes an owner. */
  assign: adminWrite('PUT', '/roles/{id}', 'Assign a role')
    .errors(changing)
    .input(
      z
        .strictObject({ id: z.uuid(), role, staffRoles: staffRoles.optional(), ...seen })
        .refine((input) => input.role === 'admin' || input.staffRoles === undefined, 'Only admins have staff roles'),
    )
    .output(roleRow),
  /**
   * Makes several members moderators, or users again; each succeeds or fails on its own. Requires step-up. Admins are refused, and
   * nobody can become one. An undo restores a pending request, too.
   */
  assignMany: adminWrite('POST', '/roles/assign', 'Make several members moderators, or users again')
    .errors(byAdminAfterStepUp)
    .input(
      z.strictObject({
        changes: z
          .array(z.strictObject({ id: z.uuid(), to: z.enum(['user', 'moderator']), seen: role }))
          .min(1)
          .max(BULK_MAX),
        undo: undoing,
      }),
    )
    .output(bulkAnswer),
  /** Sets the role to user. Requires step-up. */
  remove: adminWrite('DELETE', '/roles/{id}', 'Take the role away')
    .errors(changing)
    .input(z.strictObject({ id: z.uuid(), ...seen }))
    .output(roleRow),
};

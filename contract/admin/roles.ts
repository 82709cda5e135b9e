import { z } from 'zod';
import { role } from '../auth.ts';
import { errors } from '../errors.ts';
import { adminRead, adminWrite, byProvenAdmin, listInput, pageOf } from './list.ts';

const count = z.int().nonnegative();

export const roleRow = z.object({
  id: z.uuid(),
  username: z.string().nullable(),
  email: z.string(),
  walletAddress: z.string().nullable(),
  role,
  roleStatus: z.enum(['approved', 'pending', 'rejected']),
  /** Last change of the role. */
  assignedAt: z.iso.datetime().nullable(),
  requestedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type RoleRow = z.infer<typeof roleRow>;

export const roleCounts = z.object({ total: count, admins: count, moderators: count, users: count });
export type RoleCounts = z.infer<typeof roleCounts>;

const changing = {
  ...byProvenAdmin,
  NOT_FOUND: errors.NOT_FOUND,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
  LAST_ADMIN: errors.LAST_ADMIN,
  OWN_ACCOUNT: errors.OWN_ACCOUNT,
};
/** The role that the admin saw: when a colleague was faster, nothing changes. */
const seen = role.optional();

export const adminRoles = {
  list: adminRead('/roles', 'Members with their roles')
    .input(
      listInput(['createdAt', 'email', 'username'], {
        role: z.enum(['all', 'user', 'moderator', 'admin']).default('all'),
      }),
    )
    .output(pageOf(roleRow)),
  counts: adminRead('/roles/counts', 'How many hold each role').output(roleCounts),
  /** Asks for a fresh proof. The same role again changes nothing. */
  assign: adminWrite('PUT', '/roles/{id}', 'Assign a role')
    .errors(changing)
    .input(z.strictObject({ id: z.uuid(), role, seen }))
    .output(roleRow),
  /** Back to user. Asks for a fresh proof. */
  remove: adminWrite('DELETE', '/roles/{id}', 'Take the role away')
    .errors(changing)
    .input(z.strictObject({ id: z.uuid(), seen }))
    .output(roleRow),
};

import { z } from 'zod';
import { role } from '../domains/auth.ts';
import { errors } from '../errors.ts';
import { requiredText } from '../fields/schemas.ts';
import { BAN_DAYS_MAX, REASON_MAX } from '../limits.ts';
import { newUserForm, userForm } from './forms/users.ts';
import { bulkAnswer, bulkIds, undoing } from './shared/bulk.ts';
import { adminRead, adminWrite, byAdminAfterStepUp, listInput, pageOf, saving, seenRecord } from './shared/list.ts';

const count = z.int().nonnegative();

export const adminUser = z.object({
  id: z.uuid(),
  /** Version of e-mail and name together: it changes when either of them is changed by anybody. */
  version: z.int().positive(),
  createdAt: z.iso.datetime(),
  email: z.string(),
  /** Requested by an owner for a colleague; waits for the account's owner or a second owner. */
  pendingEmail: z.string().nullable(),
  /** The owner verified the mailbox; independent of an operator's approval. */
  emailVerified: z.boolean(),
  username: z.string().nullable(),
  role,
  /** `pending`: requested to become a moderator. */
  roleStatus: z.enum(['approved', 'pending', 'rejected']),
  /** Approved by an operator. */
  isConfirmed: z.boolean(),
  /** `disabled` has no end, `banned` expires automatically at `bannedUntil`. */
  access: z.enum(['open', 'banned', 'disabled']),
  bannedUntil: z.iso.datetime().nullable(),
  hasSecondFactor: z.boolean(),
  sessions: count,
});
export type AdminUser = z.infer<typeof adminUser>;

export const userCounts = z.object({
  total: count,
  /** Accounts that are not confirmed yet. */
  pending: count,
  moderators: count,
  admins: count,
});
export type UserCounts = z.infer<typeof userCounts>;

const reason = requiredText(1, REASON_MAX);
/** Language of mails to a member whose own is not known, such as a new one. */
const locale = z.enum(['es', 'en']).default('es');
const selection = z.strictObject({ ids: bulkIds });

export const adminUsers = {
  list: adminRead('/users', 'All members', ['support'])
    .input(
      listInput(['createdAt', 'email', 'username'], {
        role: z.enum(['all', 'user', 'moderator', 'admin']).default('all'),
        state: z.enum(['all', 'pending', 'confirmed', 'banned']).default('all'),
      }),
    )
    .output(pageOf(adminUser)),
  counts: adminRead('/users/counts', 'Counts of the members', ['support']).output(userCounts),
  /** Creates an account without a password: its owner chooses one through the link in the mail. */
  create: adminWrite('POST', '/users', 'Add a member')
    .errors({ DUPLICATE: errors.DUPLICATE, NOT_VALID: errors.NOT_VALID, RATE_LIMITED: errors.RATE_LIMITED })
    .input(newUserForm.extend({ locale }))
    .output(adminUser),
  /**
   * A new e-mail has to be verified again, and ends the sessions; that of staff is pending until its owner agrees or a second owner
   * requests the same. Requires step-up.
   */
  update: adminWrite('PUT', '/users/{id}', 'Change name or e-mail of a member')
    .errors({ ...byAdminAfterStepUp, ...saving, RATE_LIMITED: errors.RATE_LIMITED })
    .input(seenRecord.extend({ ...userForm.shape, locale }))
    .output(adminUser),
  confirm: adminWrite('POST', '/users/confirm', 'Confirm members', ['support']).input(selection).output(bulkAnswer),
  /** To moderator; only confirmed members with the role user. Requires step-up. */
  promote: adminWrite('POST', '/users/promote', 'Make members moderators')
    .errors(byAdminAfterStepUp)
    .input(selection)
    .output(bulkAnswer),
  /** Without `days` the accounts are disabled until an admin enables them again. Requires step-up. */
  ban: adminWrite('POST', '/users/ban', 'Ban or disable members', ['support'])
    .errors(byAdminAfterStepUp)
    .input(selection.extend({ days: z.int().min(1).max(BAN_DAYS_MAX).nullable(), reason }))
    .output(bulkAnswer),
  /** The undo of a ban restores an earlier one that it replaced. */
  unban: adminWrite('POST', '/users/unban', 'Open accounts again', ['support'])
    .input(selection.extend({ undo: undoing }))
    .output(bulkAnswer),
  revokeSessions: adminWrite('POST', '/users/revoke-sessions', 'End all sessions of members', ['support'])
    .input(selection)
    .output(bulkAnswer),
  resetPassword: adminWrite('POST', '/users/reset-password', 'Send members a link to choose a new password', [
    'support',
  ])
    .input(selection.extend({ locale }))
    .output(bulkAnswer),
  /** Irreversible: their texts stay without a name, their votes are deleted. Requires step-up. */
  remove: adminWrite('POST', '/users/remove', 'Delete accounts')
    .errors(byAdminAfterStepUp)
    .input(selection.extend({ reason }))
    .output(bulkAnswer),
};

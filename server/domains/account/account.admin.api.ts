import { LIMITS } from '#contract/limits.ts';
import {
  countRoles,
  decideModeratorRequests,
  listModeratorRequests,
  listRoles,
  promoteMembers,
  setRole,
  setRoles,
} from '#server/domains/account/roles/manage-roles.service.ts';
import { countUsers, listUsers } from '#server/domains/account/users/list-users.service.ts';
import {
  banUsers,
  confirmUsers,
  createUser,
  removeUsers,
  revokeUserSessions,
  type ServiceContext,
  sendPasswordLinks,
  unbanUsers,
  updateUser,
} from '#server/domains/account/users/manage.service.ts';
import { limitedByService } from '#server/http/api/guarantees.ts';
import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import type { Context } from '#server/http/context.ts';
import type { Actor } from '#server/lib/audit.ts';
import { editorOf } from '#server/records/acting-editor.ts';

const serviceContext = (context: Context & { actor: Actor }): ServiceContext => ({
  db: context.db,
  jobs: context.jobs,
  by: editorOf(context),
});

export const usersAdminApi = {
  list: admin.users.list.handler(({ input, context }) => listUsers(context.db, input)),
  counts: admin.users.counts.handler(({ context }) => countUsers(context.db)),
  create: admin.users.create
    .use(limitedByService({ mail: LIMITS.mailAccountHour }))
    .handler(({ input, context }) => createUser(serviceContext(context), input, context.limits.mail)),
  update: adminAfterStepUp.users.update
    .use(limitedByService({ mail: LIMITS.mailAccountHour }))
    .handler(({ input, context }) => updateUser(serviceContext(context), input, context.limits.mail)),
  confirm: admin.users.confirm.handler(({ input, context }) => confirmUsers(serviceContext(context), input.ids)),
  promote: adminAfterStepUp.users.promote.handler(({ input, context }) =>
    promoteMembers(context.db, context.jobs, editorOf(context), input.ids),
  ),
  ban: adminAfterStepUp.users.ban.handler(({ input, context }) => banUsers(serviceContext(context), input)),
  unban: admin.users.unban.handler(({ input, context }) => unbanUsers(serviceContext(context), input)),
  revokeSessions: admin.users.revokeSessions.handler(({ input, context }) =>
    revokeUserSessions(serviceContext(context), input.ids),
  ),
  resetPassword: admin.users.resetPassword
    .use(limitedByService({ mail: LIMITS.mailAccountHour }))
    .handler(({ input, context }) => sendPasswordLinks(serviceContext(context), input, context.limits.mail)),
  remove: adminAfterStepUp.users.remove
    .use(limitedByService({ removals: LIMITS.memberRemovalsMinute }))
    .handler(({ input, context }) => removeUsers(serviceContext(context), input, context.limits.removals)),
};

export const rolesAdminApi = {
  list: admin.roles.list.handler(({ input, context }) => listRoles(context.db, input)),
  counts: admin.roles.counts.handler(({ context }) => countRoles(context.db)),
  assign: adminAfterStepUp.roles.assign.handler(({ input, context }) =>
    setRole(context.db, context.jobs, editorOf(context), input),
  ),
  assignMany: adminAfterStepUp.roles.assignMany.handler(({ input, context }) =>
    setRoles(context.db, context.jobs, editorOf(context), input),
  ),
  remove: adminAfterStepUp.roles.remove.handler(({ input, context }) =>
    setRole(context.db, context.jobs, editorOf(context), { ...input, role: 'user' }),
  ),
};

export const moderatorRequestsAdminApi = {
  list: admin.moderatorRequests.list.handler(({ input, context }) => listModeratorRequests(context.db, input)),
  decide: adminAfterStepUp.moderatorRequests.decide.handler(({ input, context }) =>
    decideModeratorRequests(context.db, context.jobs, editorOf(context), input),
  ),
};

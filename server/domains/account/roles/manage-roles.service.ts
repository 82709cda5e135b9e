import { and, eq, inArray, isNull, like, sql } from 'drizzle-orm';
import { INBOX_STAFF, inboxSource } from '#contract/admin/inbox.ts';
import type { ModeratorRequest } from '#contract/admin/moderators.ts';
import type { RoleCounts, RoleRow } from '#contract/admin/roles.ts';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import type { Role } from '#contract/domains/auth.ts';
import { mayAs, type StaffRole } from '#contract/staff.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { adminProfiles, adminUsers, userRoles, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { inboxOwners } from '#server/db/tables/inbox.ts';
import { countByRole, lockMemberRole } from '#server/domains/account/users/manage.sql.ts';
import {
  MEMBER,
  memberList,
  membersAs,
  membersWith,
  roleColumns,
} from '#server/domains/account/users/member-list.service.ts';
import { notifyOfModeratorDecision } from '#server/domains/notifications/member-events.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import { lastChange, requireOwnLastChange } from '#server/records/last-change.ts';
import { type ListQuery, listRecords, type PageRows } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { type Admins, requireActing, requireMayDemote, withLockedAdmins } from './admins.service.ts';
import { notifyStaff, staffOf } from './staff-accounts.service.ts';

async function readRoles(db: Reader, { where, orderBy }: PageRows): Promise<RoleRow[]> {
  const { u, f, r, a } = MEMBER;
  const rows = await db
    .select({
      id: u.id,
      username: f.username,
      email: u.email,
      emailVerified: u.emailVerified,
      walletAddress: f.walletAddress,
      ...roleColumns(),
      staffRoles: a.staffRoles,
      assignedAt: r.assignedAt,
      requestedAt: r.requestedAt,
      createdAt: u.createdAt,
    })
    .from(u)
    .leftJoin(f, eq(f.newAuthUserId, u.id))
    .leftJoin(r, eq(r.userId, u.id))
    .leftJoin(a, eq(a.id, u.id))
    .where(where)
    .orderBy(orderBy);
  return rows.map((row) => ({
    ...row,
    staffRoles: row.staffRoles ?? [],
    assignedAt: row.assignedAt?.toISOString() ?? null,
    requestedAt: row.requestedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }));
}

/** Members with their roles. */
export function listRoles(
  db: Reader,
  input: ListQuery & { role: Role | 'all' },
): Promise<{ rows: RoleRow[]; total: number }> {
  const parts = { ...memberList(input), where: [membersAs(input.role)] };
  return listRecords(db, input, parts, (page) => readRoles(db, page));
}

/** Number of members with each role. */
export async function countRoles(db: Reader): Promise<RoleCounts> {
  const [counted] = await countByRole(db, {});
  const { total = 0, admins = 0, moderators = 0 } = counted ?? {};
  return { total, admins, moderators, users: total - admins - moderators };
}

const NONE: readonly StaffRole[] = [];
const OWNER: readonly StaffRole[] = ['owner'];
const alike = (some: readonly StaffRole[], others: readonly StaffRole[]): boolean =>
  some.length === others.length && some.every((role) => others.includes(role));

type Status = ModeratorRequest['status'];
const statusOf = (stored: unknown): Status => (stored === 'pending' || stored === 'rejected' ? stored : 'approved');
/** Everything that changes a role, or decides a request for one. */
const ROLE_ACTIONS = [
  'role.assigned',
  'role.removed',
  'moderator_request.approved',
  'moderator_request.rejected',
] as const;

/** Rights of a member: the role, and an admin's staff roles. */
interface Rights {
  role: Role;
  staffRoles: readonly StaffRole[];
  /** Of the request to become a moderator; approved when omitted. */
  status?: Status;
}

/**
 * Sets a member's role; 'user' removes it. Idempotent. The admin profile, which opens the back office, is created and deleted with
 * the role, and the change applies from the member's next call on.
 *
 * @param staffRoles of an admin; when omitted, an admin retains the current ones, and a new one is an owner.
 * @param seen the role that the admin saw on screen. @param seenStaffRoles likewise.
 * @param undo of the actor's own change: a pending request that it had closed is pending again.
 * @throws NOT_FOUND, VERSION_CONFLICT when it was changed concurrently, OWN_ACCOUNT, LAST_ADMIN, FORBIDDEN
 */
export async function setRole(
  db: Db,
  jobs: JobQueue,
  by: Editor,
  {
    id,
    role,
    staffRoles,
    seen,
    seenStaffRoles,
    undo = false,
  }: {
    id: string;
    role: Role;
    staffRoles?: readonly StaffRole[] | undefined;
    seen?: Role | undefined;
    seenStaffRoles?: readonly StaffRole[] | undefined;
    undo?: boolean;
  },
): Promise<RoleRow> {
  return withLockedAdmins(db, async (tx, admins) => {
    const old = await lockRole(tx, id);
    const from: Rights = { role: old.role, staffRoles: admins.get(id) ?? NONE, status: old.status };
    const to: Rights = {
      role,
      staffRoles: role === 'admin' ? (staffRoles ?? admins.get(id) ?? OWNER) : NONE,
    };
    if (
      (seen !== undefined && seen !== from.role) ||
      (seenStaffRoles !== undefined && !alike(seenStaffRoles, from.staffRoles))
    )
      await conflict(tx, id, from);
    if (from.role !== to.role || !alike(from.staffRoles, to.staffRoles))
      await changeOrUndo(tx, jobs, by, admins, { id, from, to, undo });
    const [row] = await readRoles(tx, { where: eq(MEMBER.u.id, id), orderBy: sql`u.id` });
    return row ?? fail('NOT_FOUND', { what: 'member' });
  });
}

/** Makes confirmed members moderators; others are refused individually. */
export const promoteMembers = (
  db: Db,
  jobs: JobQueue,
  by: Editor,
  ids: string[],
): Promise<{ results: BulkOutcome[] }> =>
  forEachRecord(ids, (id) =>
    withLockedAdmins(db, async (tx, admins) => {
      const old = await lockRole(tx, id);
      if (old.role !== 'user') return 'unchanged';
      if (!old.confirmed) fail('UNCONFIRMED');
      const to: Rights = { role: 'moderator', staffRoles: NONE };
      await changeRole(tx, jobs, by, admins, { id, from: { ...old, staffRoles: NONE }, to });
      return 'done';
    }),
  );

/** A role below admin, with the role that the caller saw. */
export interface RoleChange {
  id: string;
  to: 'user' | 'moderator';
  seen: Role;
}

/**
 * Changes several roles, each in its own transaction. Admins are refused: rights in the back office change one member at a time, after a
 * confirmation that names the member and the rights.
 *
 * @param undo of the actor's own changes: a pending request that a change had closed is pending again.
 * @returns for each member whether it was done; an admin's is refused with ADMINS_ALONE, one whose role has changed with VERSION_CONFLICT.
 */
export async function setRoles(
  db: Db,
  jobs: JobQueue,
  by: Editor,
  { changes, undo }: { changes: readonly RoleChange[]; undo: boolean },
): Promise<{ results: BulkOutcome[] }> {
  const byId = new Map(changes.map((change) => [change.id, change]));
  return forEachRecord([...byId.keys()], (id) =>
    withLockedAdmins(db, async (tx, admins) => {
      const { to, seen } = byId.get(id) ?? fail('NOT_FOUND', { what: 'member' });
      const { role, status } = await lockRole(tx, id);
      if (role === 'admin') return fail('ADMINS_ALONE');
      if (role === to) return 'unchanged';
      if (role !== seen) await conflict(tx, id, { role, staffRoles: NONE });
      const from: Rights = { role, staffRoles: NONE, status };
      await changeOrUndo(tx, jobs, by, admins, { id, from, to: { role: to, staffRoles: NONE }, undo });
      return 'done';
    }),
  );
}

/**
 * Changes a member's rights; as an undo of the actor's own last change it restores the request that this one had closed, too.
 *
 * @throws VERSION_CONFLICT as an undo, when a colleague changed them since.
 */
async function changeOrUndo(
  tx: Tx,
  jobs: JobQueue,
  by: Editor,
  admins: Admins,
  { id, from, to, undo }: { id: string; from: Rights; to: Rights; undo: boolean },
): Promise<void> {
  const last = undo ? await requireOwnLastChange(tx, by.actor, 'member', id, ROLE_ACTIONS, { ...from }) : undefined;
  await changeRole(tx, jobs, by, admins, { id, from, to: { ...to, status: statusOf(last?.before['status']) } });
  if (last) await returnRequest(tx, by, admins, id, last.before['ownerId']);
}

/** Changes a member's rights, as the last part of a transaction that has locked all admins and the member. */
async function changeRole(
  tx: Tx,
  jobs: JobQueue,
  by: Editor,
  admins: Admins,
  { id, from, to }: { id: string; from: Rights; to: Rights },
): Promise<void> {
  if (from.role === 'admin') await requireMayDemote(tx, by.actor, admins, id);
  await mayGive(tx, by, admins);
  const isOwner = ({ role, staffRoles }: Rights) => role === 'admin' && staffRoles.includes('owner');
  const owners = [...admins].filter(([, roles]) => roles.includes('owner')).map(([ownerId]) => ownerId);
  const target = await staffOf(tx, id);
  if (isOwner(to) && !isOwner(from)) await notifyStaff(tx, jobs, by, target, 'owner', to.role, owners);
  else await notifyStaff(tx, jobs, by, target, 'role', to.role);
  if (to.role === 'admin') {
    const given = { staffRoles: [...to.staffRoles], grantedBy: by.actor.id };
    await tx
      .insert(adminProfiles)
      .values({ id, ...given })
      .onConflictDoUpdate({ target: adminProfiles.id, set: given });
  } else if (from.role === 'admin') await dropAdmin(tx, id);
  await writeRole(tx, by, id, to.role, to.status ?? 'approved');
  // With the new staff roles, they may no longer handle some of the inbox items that they claimed.
  if (from.role === 'admin') await leaveItems(tx, id, to.staffRoles);
  await audit(tx, by.actor, {
    action: to.role === 'user' ? 'role.removed' : 'role.assigned',
    resourceType: 'member',
    resourceId: id,
    before: inWords(from),
    after: inWords(to),
  });
}

const inWords = ({ role, staffRoles, status = 'approved' }: Rights) => ({
  role,
  ...(role === 'admin' ? { staffRoles: [...staffRoles] } : {}),
  ...(status === 'approved' ? {} : { status }),
});

/** Guard: the actor is an owner, as read in this transaction. @throws FORBIDDEN */
async function mayGive(tx: Tx, { actor }: Editor, admins: Admins): Promise<void> {
  if (!(await requireActing(tx, actor, admins)).includes('owner')) fail('FORBIDDEN');
}

/** Releases inbox items that the member claimed and may no longer handle. */
async function leaveItems(tx: Tx, id: string, staffRoles: readonly StaffRole[]): Promise<void> {
  const closed = inboxSource.options.filter((source) => !mayAs(staffRoles, INBOX_STAFF[source]));
  if (closed.length > 0)
    await tx.delete(inboxOwners).where(and(eq(inboxOwners.ownerId, id), inArray(inboxOwners.source, closed)));
}

/** Returns a request that is pending again to the admin who had claimed it, unless they may no longer handle it. */
async function returnRequest(tx: Tx, { now }: Editor, admins: Admins, id: string, ownerId: unknown): Promise<void> {
  if (typeof ownerId !== 'string' || !mayAs(admins.get(ownerId) ?? NONE, INBOX_STAFF.moderator)) return;
  await tx.insert(inboxOwners).values({ source: 'moderator', itemId: id, ownerId, takenAt: now }).onConflictDoNothing();
}

/** Deletes the admin profile, and the invitation that would restore it. */
async function dropAdmin(tx: Tx, id: string): Promise<void> {
  await tx.delete(adminProfiles).where(eq(adminProfiles.id, id));
  const mailbox = tx.select({ email: users.email }).from(users).where(eq(users.id, id));
  await tx.delete(adminUsers).where(and(isNull(adminUsers.claimedBy), eq(adminUsers.email, mailbox)));
}

async function writeRole(tx: Tx, { actor, now }: Editor, id: string, role: Role, status: Status) {
  const assigned = { role, moderatorRequestStatus: status, assignedAt: now, assignedBy: actor.id };
  // A pending request has a record with its time, which the insertion would lack.
  if (status === 'pending') await tx.update(userRoles).set(assigned).where(eq(userRoles.userId, id));
  else
    await tx
      .insert(userRoles)
      .values({ userId: id, ...assigned })
      .onConflictDoUpdate({ target: userRoles.userId, set: assigned });
  // The staff mark on their posts and comments changes.
  await publishChange(tx, 'forum');
}

/** A member's role, locked. @throws NOT_FOUND */
async function lockRole(tx: Tx, id: string) {
  const [member] = await lockMemberRole(tx, { id });
  return member ?? fail('NOT_FOUND', { what: 'member' });
}

async function conflict(tx: Tx, id: string, rights: Rights): Promise<never> {
  const last = await lastChange(tx, 'member', id, like(auditEvents.action, 'role.%'));
  return fail('VERSION_CONFLICT', { version: 1, current: { ...rights }, ...last });
}

/** Requests to become a moderator; pending ones unless another state is requested. */
export async function listModeratorRequests(
  db: Reader,
  input: ListQuery & { status: ModeratorRequest['status'] | 'all' },
): Promise<{ rows: ModeratorRequest[]; total: number }> {
  const { f, r } = MEMBER;
  const parts = {
    // Every role record has an account; the outer join is only read for its search columns.
    from: sql`from user_roles r left join users u on u.id = r.user_id left join forum_users f on f.new_auth_user_id = r.user_id`,
    fromNotNull: {
      username: sql`from forum_users f join user_roles r on r.user_id = f.new_auth_user_id left join users u on u.id = r.user_id`,
    },
    where: [
      // Everyone has a role record; without a request it is not listed.
      input.status === 'all'
        ? sql`(r.requested_at is not null or r.moderator_request_status <> 'approved')`
        : input.status === 'approved'
          ? sql`r.requested_at is not null and r.moderator_request_status = 'approved'`
          : sql`r.moderator_request_status = ${sql.raw(`'${input.status}'`)}`,
    ],
    sorts: { requestedAt: sql`r.requested_at`, username: sql`lower(f.username)` },
    tieBreaker: sql`r.user_id`,
    id: sql`r.user_id`,
    searchTerms: membersWith(input.q),
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    db
      .select({
        id: r.userId,
        username: f.username,
        walletAddress: f.walletAddress,
        requestedAt: r.requestedAt,
        status: r.moderatorRequestStatus,
      })
      .from(r)
      .leftJoin(f, eq(f.newAuthUserId, r.userId))
      .where(where)
      .orderBy(orderBy),
  );
  return { rows: rows.map((row) => ({ ...row, requestedAt: row.requestedAt?.toISOString() ?? null })), total };
}

/**
 * Decides requests to become a moderator. Only pending ones change, so that repeated or concurrent decisions take effect once. An
 * admin's own request is closed without touching the higher role.
 */
export const decideModeratorRequests = (
  db: Db,
  jobs: JobQueue,
  by: Editor,
  { ids, decision }: { ids: string[]; decision: 'approve' | 'reject' },
): Promise<{ results: BulkOutcome[] }> =>
  forEachRecord(ids, (id) =>
    withLockedAdmins(db, async (tx, admins) => {
      await mayGive(tx, by, admins);
      const old = await lockRole(tx, id);
      if (old.status !== 'pending') return 'unchanged';
      const approved = decision === 'approve';
      const role = old.role === 'admin' ? 'admin' : approved ? 'moderator' : 'user';
      const status = approved ? 'approved' : 'rejected';
      await notifyStaff(tx, jobs, by, await staffOf(tx, id), 'role', role);
      await writeRole(tx, by, id, role, status);
      const [claimed] = await tx
        .delete(inboxOwners)
        .where(and(eq(inboxOwners.source, 'moderator'), eq(inboxOwners.itemId, id)))
        .returning({ ownerId: inboxOwners.ownerId });
      await notifyOfModeratorDecision(tx, jobs, id, status, by.now);
      await audit(tx, by.actor, {
        action: `moderator_request.${status}`,
        resourceType: 'member',
        resourceId: id,
        before: { role: old.role, status: 'pending', ...claimed },
        after: { role, status },
      });
      return 'done';
    }),
  );

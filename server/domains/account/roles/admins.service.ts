import { and, arrayContains, eq, isNull, lte, ne, or, sql } from 'drizzle-orm';
import type { StaffRole } from '#contract/staff.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { adminProfiles, users } from '#server/db/tables/accounts.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail, failure } from '#server/lib/errors/fail.ts';

/** All admins by id, with their staff roles. */
export type Admins = ReadonlyMap<string, readonly StaffRole[]>;

/** SQLSTATE raised by the trigger keep_an_admin(). */
const LAST_ADMIN = 'FL001';

/**
 * Runs a transaction that may take rights from admins. Every admin's row is locked first, so that two admins who demote each other
 * are serialized, and the second one is no longer an admin. The database enforces the rule as well.
 *
 * @throws LAST_ADMIN when no active owner would be left.
 */
export async function withLockedAdmins<T>(db: Db, work: (tx: Tx, admins: Admins) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(async (tx) => work(tx, await lockAdmins(tx)));
  } catch (error) {
    throw isLastAdmin(error) ? failure('LAST_ADMIN') : error;
  }
}

/** True when the database refused to lose the last active owner. */
function isLastAdmin(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return ((cause ?? error) as { code?: string }).code === LAST_ADMIN;
}

/** All admins; their rows stay locked until the transaction ends. */
async function lockAdmins(tx: Tx): Promise<Admins> {
  const rows = await tx
    .select({ id: adminProfiles.id, staffRoles: adminProfiles.staffRoles })
    .from(adminProfiles)
    .orderBy(adminProfiles.id)
    .for('update');
  return new Map(rows.map((row) => [row.id, row.staffRoles]));
}

/**
 * Guard: the actor still is an admin who may act. Read in the transaction: a colleague may have demoted or banned them since the
 * request began.
 *
 * @returns the actor's staff roles. @throws FORBIDDEN
 */
export async function requireActing(tx: Tx, { id }: Actor, admins: Admins): Promise<readonly StaffRole[]> {
  const staffRoles = (id && admins.get(id)) || fail('FORBIDDEN');
  const [active] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id ?? ''), or(isNull(users.bannedUntil), lte(users.bannedUntil, sql`now()`))));
  return active ? staffRoles : fail('FORBIDDEN');
}

/**
 * Guard of demoting, banning or removing a member: not oneself, and only by a current admin.
 *
 * @throws FORBIDDEN, OWN_ACCOUNT; LAST_ADMIN instead of it when there is no other active owner.
 */
export async function requireMayDemote(tx: Tx, actor: Actor, admins: Admins, target: string): Promise<void> {
  await requireActing(tx, actor, admins);
  if (target !== actor.id) return;
  const others = await tx
    .select({ id: adminProfiles.id })
    .from(adminProfiles)
    .innerJoin(users, eq(users.id, adminProfiles.id))
    .where(
      and(
        ne(adminProfiles.id, target),
        arrayContains(adminProfiles.staffRoles, ['owner']),
        or(isNull(users.bannedUntil), lte(users.bannedUntil, sql`now()`)),
      ),
    )
    .limit(1);
  return fail(others.length > 0 ? 'OWN_ACCOUNT' : 'LAST_ADMIN');
}

import { randomBytes } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { STAFF_PASSWORD_MIN } from '#contract/limits.ts';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { seedDemo } from '#server/db/demo/index.ts';
import { asBoolean, orNull } from '#server/db/expressions.ts';
import { accounts, adminProfiles, forumUsers, sessions, userRoles, users } from '#server/db/tables/accounts.ts';
import { endSessions, lockMember } from '#server/domains/auth/members.service.ts';
import {
  hashPassword,
  INITIAL_UNTIL,
  memberByPassword,
  storePassword,
} from '#server/domains/auth/passwords/password.service.ts';
import { refuseWeak } from '#server/domains/auth/passwords/weak-password.service.ts';
import { audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import type { Services } from '#server/services.ts';
import { readEmpty } from './first-run.sql.ts';

export interface FirstAdmin {
  email: string;
  /**
   * Printed once; only its hash is stored. A generated one expires after INITIAL_PASSWORD_DAYS, or when the owner
   * chooses another.
   */
  password: string;
  /** True if the operator set it. */
  given: boolean;
}

interface FirstRunOptions {
  demo: boolean;
  adminEmail?: string;
  adminPassword?: string;
  /** Development, where sign-in takes one click: a generated password does not expire. */
  lasting?: boolean;
  log: Logger;
}

const SYSTEM = { id: null, role: 'system', ipHash: null, requestId: null } as const;

/**
 * Fills an empty database: demo content if enabled, and the first admin if there is none. Under a lock, so that
 * processes that start together do it once.
 *
 * @returns the credentials of the new admin, or of the only one whose generated password expired; otherwise null.
 * @throws StartError when ADMIN_EMAIL belongs to the account of somebody else, or ADMIN_PASSWORD does not meet the rules for
 *   staff.
 */
export async function firstRun(services: Services, options: FirstRunOptions): Promise<FirstAdmin | null> {
  return withAdvisoryLock(services.pool.options, 'first content', async () => {
    if (options.demo) {
      const [found] = await readEmpty(services.db, {});
      if (found?.empty) await seedDemo(services.db, services.now());
    }
    const admins = await services.db.select({ id: adminProfiles.id }).from(adminProfiles).limit(1);
    if (admins.length > 0) return await renewFirstAdmin(services);
    return await createFirstAdmin(services, options);
  });
}

/** Random, so that nobody can guess passwords of a known account. */
const unknownMailbox = () => `admin-${randomBytes(4).toString('hex')}@florka.local`;

const REFUSED: Readonly<Record<string, string>> = {
  PASSWORD_SHORT: `has fewer than ${STAFF_PASSWORD_MIN} characters`,
  PASSWORD_OWN: 'is the mailbox of ADMIN_EMAIL',
  PASSWORD_COMMON: 'is too common',
};

/** Applies the rules for passwords of staff to ADMIN_PASSWORD. @throws StartError */
async function refuseWeakStart(password: string, email: string): Promise<void> {
  await refuseWeak(password, { own: [email], staff: true }).catch((error: { code?: string }) => {
    const why = REFUSED[error.code ?? ''];
    throw why ? new StartError(`ADMIN_PASSWORD ${why}: choose another one.`) : error;
  });
}

/**
 * Replaces the only admin's generated password if it expired before another one was chosen: no other admin could
 * restore access.
 */
async function renewFirstAdmin(services: Services): Promise<FirstAdmin | null> {
  const admins = await services.db
    .select({
      id: users.id,
      email: users.email,
      over: sql`${accounts.initialUntil} <= now()`.mapWith(orNull(asBoolean)),
    })
    .from(adminProfiles)
    .innerJoin(users, eq(users.id, adminProfiles.id))
    .leftJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, 'credential')))
    .limit(2);
  const [admin] = admins;
  if (!admin?.over || admins.length > 1) return null;
  const password = initialPassword();
  const hash = await hashPassword(password);
  await services.db.transaction(async (tx) => {
    await lockMember(tx, admin.id);
    await storePassword(tx, admin.id, hash, services.now(), { initial: true });
    await endSessions(tx, admin.id);
    await audit(tx, SYSTEM, { action: 'password.renewed', resourceType: 'member', resourceId: admin.id });
  });
  return { email: admin.email, password, given: false };
}

const initialPassword = () => randomBytes(12).toString('base64url');

/**
 * The account and its role are created in two transactions. An account with ADMIN_PASSWORD, which only the operator knows, was created by a
 * start that ended between them.
 *
 * @throws StartError for an account with another password.
 */
async function accountOfInterruptedStart(
  services: Services,
  address: string,
  given: string | undefined,
): Promise<string> {
  const own = given === undefined ? null : await memberByPassword(services.db, address, given, 'known');
  if (own) return own.id;
  throw new StartError(`${address} is already an ordinary account: set ADMIN_EMAIL to another address.`);
}

/** The name of the first admin, with a suffix if it is taken by an interrupted start whose generated password was never shown. */
async function freeName({ db }: Services): Promise<string> {
  const taken = await db.$count(forumUsers, eq(forumUsers.nameKey, sql`florka_name_key('florka')`));
  return taken > 0 ? `florka_${randomBytes(4).toString('hex')}` : 'florka';
}

async function createFirstAdmin(services: Services, options: FirstRunOptions): Promise<FirstAdmin> {
  const { adminEmail = unknownMailbox(), adminPassword: given, lasting = false } = options;
  const address = adminEmail.toLowerCase();
  const password = given ?? initialPassword();
  const [taken] = await services.db.select({ id: users.id }).from(users).where(eq(users.email, address));
  if (given) await refuseWeakStart(given, address);
  const id = taken
    ? await accountOfInterruptedStart(services, address, given)
    : (
        await services.auth.api.signUpEmail({
          body: { email: address, password, name: 'Administrador', username: await freeName(services) },
        })
      ).user.id;
  await services.db.transaction(async (tx) => {
    const now = sql`now()`;
    await tx.insert(adminProfiles).values({ id });
    await tx.update(userRoles).set({ role: 'admin', assignedAt: now }).where(eq(userRoles.userId, id));
    await tx.update(users).set({ confirmedAt: now, emailVerified: true }).where(eq(users.id, id));
    // The session that the sign-up created is not used by anybody.
    await tx.delete(sessions).where(eq(sessions.userId, id));
    if (!given && !lasting)
      await tx.update(accounts).set({ initialUntil: INITIAL_UNTIL }).where(eq(accounts.userId, id));
    await audit(tx, SYSTEM, {
      action: 'admin.created',
      resourceType: 'member',
      resourceId: id,
      after: { role: 'admin' },
    });
  });
  return { email: address, password, given: given !== undefined };
}

import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { seedDemo } from '#server/db/demo/index.ts';
import { adminProfiles, sessions, userRoles, users } from '#server/db/tables/accounts.ts';
import { audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/start-error.ts';
import type { Services } from '#server/services.ts';
import { readEmpty } from './first-run.sql.ts';

export interface FirstAdmin {
  email: string;
  /** Shown once; only its hash is kept. */
  password: string;
}

const SYSTEM = { id: null, role: 'system', ipHash: null, requestId: null } as const;

/**
 * Fills an empty database: demo content when asked for, and the first admin when there is none. Under a lock, so that
 * processes that start together do it once.
 *
 * @returns the new admin's way in, or null when there was one already.
 * @throws StartError when ADMIN_EMAIL belongs to an ordinary account.
 */
export async function firstRun(
  services: Services,
  options: { demo: boolean; adminEmail?: string; adminPassword?: string; log: Logger },
): Promise<FirstAdmin | null> {
  return withAdvisoryLock(services.pool.options, 'first content', async () => {
    if (options.demo) {
      const [found] = await readEmpty(services.db, {});
      if (found?.empty) await seedDemo(services.db, services.now());
    }
    const admins = await services.db.select({ id: adminProfiles.id }).from(adminProfiles).limit(1);
    if (admins.length > 0) return null;
    return await createFirstAdmin(services, options.adminEmail ?? 'admin@florka.local', options.adminPassword);
  });
}

async function createFirstAdmin(services: Services, email: string, given: string | undefined): Promise<FirstAdmin> {
  const address = email.toLowerCase();
  const password = given ?? randomBytes(12).toString('base64url');
  const [taken] = await services.db.select({ id: users.id }).from(users).where(eq(users.email, address));
  if (taken) throw new StartError(`${address} is an ordinary account already: set ADMIN_EMAIL to another address.`);
  const { user } = await services.auth.api.signUpEmail({
    body: { email: address, password, name: 'Administrador', username: 'florka' },
  });
  await services.db.transaction(async (tx) => {
    const now = sql`now()`;
    await tx.insert(adminProfiles).values({ id: user.id });
    await tx.update(userRoles).set({ role: 'admin', assignedAt: now }).where(eq(userRoles.userId, user.id));
    await tx.update(users).set({ confirmedAt: now, emailVerified: true }).where(eq(users.id, user.id));
    // The session that sign-up opened belongs to nobody.
    await tx.delete(sessions).where(eq(sessions.userId, user.id));
    await audit(tx, SYSTEM, {
      action: 'admin.created',
      resourceType: 'member',
      resourceId: user.id,
      after: { role: 'admin' },
    });
  });
  return { email: address, password };
}

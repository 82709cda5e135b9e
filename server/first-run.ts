import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { seedDemo } from '#server/db/demo/index.ts';
import { audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/start-error.ts';
import type { Services } from '#server/services.ts';

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
      const { rows } = await services.pool.query<{ empty: boolean }>(
        'select not exists (select 1 from users) and not exists (select 1 from projects) and not exists (select 1 from voting_candidates) as empty',
      );
      if (rows[0]?.empty) await seedDemo(services.db, services.now());
    }
    const { rows } = await services.pool.query('select 1 from admin_profiles limit 1');
    if (rows.length > 0) return null;
    return await createFirstAdmin(services, options.adminEmail ?? 'admin@florka.local', options.adminPassword);
  });
}

async function createFirstAdmin(services: Services, email: string, given: string | undefined): Promise<FirstAdmin> {
  const address = email.toLowerCase();
  const password = given ?? randomBytes(12).toString('base64url');
  const { rows } = await services.pool.query<{ id: string }>('select id from users where email = $1', [address]);
  if (rows[0]) throw new StartError(`${address} is an ordinary account already: set ADMIN_EMAIL to another address.`);
  const { user } = await services.auth.api.signUpEmail({
    body: { email: address, password, name: 'Administrador', username: 'florka' },
  });
  await services.db.transaction(async (tx) => {
    await tx.execute(sql`insert into admin_profiles (id) values (${user.id})`);
    await tx.execute(sql`update user_roles set role = 'admin', assigned_at = now() where user_id = ${user.id}`);
    await tx.execute(sql`update users set confirmed_at = now(), email_verified = true where id = ${user.id}`);
    // The session that sign-up opened belongs to nobody.
    await tx.execute(sql`delete from sessions where user_id = ${user.id}`);
    await audit(tx, SYSTEM, {
      action: 'admin.created',
      resourceType: 'member',
      resourceId: user.id,
      after: { role: 'admin' },
    });
  });
  return { email: address, password };
}

import { and, eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { sessions } from '#server/db/tables/accounts.ts';
import type { AuthRequest } from '#server/domains/auth/admission.service.ts';
import type { BetterAuth } from '#server/domains/auth/auth.port.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { cookieLine, makeSessionToken, readSessionToken, sign } from './session-cookie.ts';

/** Seconds that the token before a change of rights is still taken: other tabs may have asked with it. */
const OVERLAP_SECONDS = 20;

/** The `set-cookie` lines that hand a session's token to the browser. */
async function sessionCookies(auth: BetterAuth, token: string): Promise<string[]> {
  const { authCookies, secret, sessionConfig } = await auth.$context;
  return [cookieLine(authCookies.sessionToken, `${token}.${sign(secret, token)}`, sessionConfig.expiresIn)];
}

/** Ends the session that this browser had before it signs in or up. */
export async function endFormerSession(
  db: Db | Tx,
  { auth, headers }: Pick<AuthRequest, 'auth' | 'headers'>,
): Promise<void> {
  const { secret, options } = await auth.$context;
  const former = readSessionToken(headers.get('cookie'), secret, String(options.baseURL));
  if (former) await db.delete(sessions).where(eq(sessions.token, former));
}

/**
 * Gives a session another token, so that a copy of the former one opens nothing from then on. Part of every act that proves
 * who sits there or changes what the account is opened with.
 *
 * @param provedAt when the member just proved password or second factor in this session.
 * @returns the `set-cookie` lines for this browser; none when the session ended meanwhile.
 */
export async function changeToken(tx: Tx, auth: BetterAuth, sessionId: string, provedAt?: Date): Promise<string[]> {
  const token = makeSessionToken();
  const { rowCount } = await tx
    .update(sessions)
    .set({ token, tokenDue: false, formerToken: null, formerUntil: null, ...(provedAt ? { provedAt } : {}) })
    .where(eq(sessions.id, sessionId));
  return rowCount ? sessionCookies(auth, token) : [];
}

/**
 * Gives a session another token after somebody else changed its member's role. Several tabs may ask at once: one of them
 * brings the new token, the others are answered with the former one for some seconds.
 *
 * @returns the `set-cookie` lines; none when no change is due.
 */
export async function changeDueToken(db: Db, auth: BetterAuth, viewer: Viewer): Promise<string[]> {
  if (!viewer.tokenDue) return [];
  const token = makeSessionToken();
  const { rowCount } = await db
    .update(sessions)
    .set({
      token,
      tokenDue: false,
      formerToken: sql`${sessions.token}`,
      formerUntil: sql`now() + make_interval(secs => ${OVERLAP_SECONDS})`,
    })
    .where(and(eq(sessions.id, viewer.sessionId), eq(sessions.tokenDue, true)));
  return rowCount ? sessionCookies(auth, token) : [];
}

import { and, eq, gt, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { sessions } from '#server/db/tables/accounts.ts';
import type { BetterAuth } from '#server/domains/auth/auth.port.ts';
import type { AuthRequest } from '#server/domains/auth/open-session.service.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { cookieLine, makeSessionToken, readSessionToken, sign } from './session-cookie.ts';

/** Seconds for which the previous token is accepted after a change of rights: other tabs may have sent it. */
const OVERLAP_SECONDS = 20;

/** The `set-cookie` lines that set a session's token in the browser. */
async function sessionCookies(auth: BetterAuth, token: string): Promise<string[]> {
  const { authCookies, secret, sessionConfig } = await auth.$context;
  return [cookieLine(authCookies.sessionToken, `${token}.${sign(secret, token)}`, sessionConfig.expiresIn)];
}

/**
 * Ends the session of this browser: at sign-out, and before it signs in or up. Also by a token that was replaced moments ago: the
 * browser may not have received the new one yet.
 */
export async function endFormerSession(
  db: Db | Tx,
  { auth, headers }: Pick<AuthRequest, 'auth' | 'headers'>,
): Promise<void> {
  const { secret, options } = await auth.$context;
  const former = readSessionToken(headers.get('cookie'), secret, String(options.baseURL));
  if (former)
    await db
      .delete(sessions)
      .where(
        or(eq(sessions.token, former), and(eq(sessions.formerToken, former), gt(sessions.formerUntil, sql`now()`))),
      );
}

/**
 * Gives a session a new token, so that a copy of the previous one is invalid from then on. Part of every action that proves the
 * member's identity or changes the sign-in methods of the account: the action of a session that was ended while it waited is
 * undone, so that a thief can't complete it after the owner ended all sessions.
 *
 * @param proof `proved` when the member just proved password or second factor in this session.
 * @returns the `set-cookie` lines for this browser.
 * @throws UNAUTHORIZED when the session was ended meanwhile.
 */
export async function changeToken(tx: Tx, auth: BetterAuth, sessionId: string, proof?: 'proved'): Promise<string[]> {
  return (await replaceToken(tx, auth, sessionId, proof)) ?? fail('UNAUTHORIZED');
}

/** Like `changeToken`, for an action that may end the session itself; no cookies then. */
export const changeTokenIfOpen = async (tx: Tx, auth: BetterAuth, sessionId: string): Promise<string[]> =>
  (await replaceToken(tx, auth, sessionId)) ?? [];

async function replaceToken(tx: Tx, auth: BetterAuth, sessionId: string, proof?: 'proved'): Promise<string[] | null> {
  const token = makeSessionToken();
  const { rowCount } = await tx
    .update(sessions)
    .set({ token, tokenDue: false, formerToken: null, formerUntil: null, ...(proof ? { provedAt: sql`now()` } : {}) })
    .where(eq(sessions.id, sessionId));
  return rowCount ? sessionCookies(auth, token) : null;
}

/**
 * Gives a session a new token after another person changed its member's role. Several tabs may send requests at once: one of them
 * receives the new token, the others are accepted with the previous one for some seconds.
 *
 * @returns the `set-cookie` lines; empty when no change is due.
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

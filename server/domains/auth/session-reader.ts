import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { createBatcher } from '#server/lib/batch.ts';
import { failure } from '#server/lib/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { VIEWER_COLUMNS, VIEWER_JOINS, type ViewerRow, viewerOf } from './viewer.service.ts';

export const COOKIE_PREFIX = 'florka';
const NAMES = [`__Secure-${COOKIE_PREFIX}.session_token=`, `${COOKIE_PREFIX}.session_token=`];

/**
 * The session token inside Better Auth's signed cookie (HMAC-SHA-256, base64), or null when there is none or the
 * signature is wrong. The format is Better Auth 1.7's; auth.test.ts holds us to it.
 */
export function readSessionToken(cookie: string | null | undefined, secret: string): string | null {
  if (!cookie) return null;
  for (const part of cookie.split('; ')) {
    const name = NAMES.find((candidate) => part.startsWith(candidate));
    if (!name) continue;
    let value: string;
    try {
      value = decodeURIComponent(part.slice(name.length));
    } catch {
      return null;
    }
    const dot = value.lastIndexOf('.');
    if (dot < 1) return null;
    const token = value.slice(0, dot);
    const wanted = createHmac('sha256', secret).update(token).digest();
    const given = Buffer.from(value.slice(dot + 1), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? token : null;
  }
  return null;
}

const QUERY = `
  select s.token, s.id as session_id, s.updated_at as session_updated_at,
    coalesce(s.last_used_at, s.updated_at) as session_used_at,
    s.proved_at as session_proved_at, ${VIEWER_COLUMNS}
  from sessions s join users u on u.id = s.user_id ${VIEWER_JOINS}
  where s.token = any($1) and s.expires_at > now() and (u.banned_until is null or u.banned_until <= now())`;

export type SessionReader = (cookie: string | null | undefined) => Promise<Viewer | null>;

/**
 * Reads who is behind a cookie: sessions asked for at the same moment share one prepared query. Nothing is cached, so a
 * revoked session, a ban or a new role counts from the next request on.
 */
export function createSessionReader(pool: Pool, secret: string): SessionReader {
  const read = createBatcher<string, Viewer | null>(
    async (tokens) => {
      const { rows } = await pool.query<ViewerRow & { token: string }>({
        name: 'sessions_by_token',
        text: QUERY,
        values: [tokens],
      });
      const found = new Map(rows.map((row) => [row.token, row]));
      return tokens.map((token) => {
        const row = found.get(token);
        return row ? viewerOf(row) : null;
      });
    },
    { most: 200, workers: 2, queue: 5_000, overflow: () => failure('BUSY', { retryAfter: 1 }) },
  );
  return (cookie) => {
    const token = readSessionToken(cookie, secret);
    return token ? read(token) : Promise.resolve(null);
  };
}

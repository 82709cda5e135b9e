import type { Pool } from 'pg';
import { createBatcher } from '#server/lib/batch.ts';
import { failure } from '#server/lib/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { readSessionToken } from './session-cookie.ts';
import { LIVES, VIEWER_COLUMNS, VIEWER_JOINS, type ViewerRow, viewerOf } from './viewer.service.ts';

const QUERY = `
  select asked.token, s.id as session_id, s.updated_at as session_updated_at,
    coalesce(s.last_used_at, s.updated_at) as session_used_at,
    s.proved_at as session_proved_at, s.token_due and s.token = asked.token as session_token_due, ${VIEWER_COLUMNS}
  from unnest($1::text[]) as asked (token)
  join lateral (
    select * from sessions where token = asked.token
    union all select * from sessions where former_token = asked.token and former_until > now()
  ) s on true
  join users u on u.id = s.user_id ${VIEWER_JOINS}
  where ${LIVES} and (u.banned_until is null or u.banned_until <= now())`;

export type SessionReader = (cookie: string | null | undefined) => Promise<Viewer | null>;

/**
 * Reads who is behind a cookie: sessions asked for at the same moment share one prepared query. Nothing is cached, so a
 * revoked session, a ban or a new role counts from the next request on.
 */
export function createSessionReader(pool: Pool, secret: string, publicUrl: string): SessionReader {
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
    const token = readSessionToken(cookie, secret, publicUrl);
    return token ? read(token) : Promise.resolve(null);
  };
}

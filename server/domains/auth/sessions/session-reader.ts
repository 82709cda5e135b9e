import type { Pool } from 'pg';
import { createBatcher } from '#server/lib/concurrency/batch.ts';
import { failure } from '#server/lib/errors/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { readSessionToken } from './session-cookie.ts';
import { viewerOf } from './viewer.service.ts';
import { readSessions } from './viewer.sql.ts';

export type SessionReader = (cookie: string | null | undefined) => Promise<Viewer | null>;

/**
 * Reads the member of a session cookie: sessions requested at the same moment share one prepared query. Nothing is cached, so that
 * a revoked session, a ban or a new role takes effect with the next request.
 */
export function createSessionReader(pool: Pool, secret: string, publicUrl: string): SessionReader {
  const read = createBatcher<string, Viewer | null>(
    async (tokens) => {
      const rows = await readSessions(pool, { tokens });
      const found = new Map(rows.map(({ token, ...row }) => [token, row]));
      return tokens.map((token) => {
        const row = found.get(token);
        return row ? viewerOf(row) : null;
      });
    },
    { maxBatchSize: 200, workers: 2, queue: 5_000, overflow: () => failure('BUSY', { retryAfter: 1 }) },
  );
  return (cookie) => {
    const token = readSessionToken(cookie, secret, publicUrl);
    return token ? read(token) : Promise.resolve(null);
  };
}

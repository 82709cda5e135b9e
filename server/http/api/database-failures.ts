import { ORPCError } from '@orpc/server';
import { causesOf, isDatabaseAway } from '#server/db/failures.ts';

/** PostgreSQL codes of values it can't hold: NUL, lone surrogates, wrong bytes; numbers and times out of range. */
const UNSTORABLE = new Set<unknown>(['22021', '22P05', '22P02', '22003', '22007', '22008']);

/** 400 for values the database refuses, 503 while it can't be reached; undefined for everything else. */
export function knownDatabaseFailure(error: unknown): ORPCError<string, unknown> | undefined {
  for (const { code } of causesOf(error))
    if (UNSTORABLE.has(code))
      return new ORPCError('BAD_REQUEST', { status: 400, message: 'Unstorable value', cause: error });
  if (!isDatabaseAway(error)) return undefined;
  return new ORPCError('BUSY', {
    status: 503,
    message: 'Database unavailable',
    data: { retryAfter: 5 },
    cause: error,
  });
}

import { ORPCError } from '@orpc/server';
import { causesOf, isDatabaseAway } from '#server/db/failures.ts';

/** PostgreSQL codes for values it can't store: NUL, lone surrogates, invalid bytes; numbers and times out of range. */
const UNSTORABLE = new Set<unknown>(['22021', '22P05', '22P02', '22003', '22007', '22008']);

/** 400 for values that the database rejects, 503 while it is unreachable; undefined for all other errors. */
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

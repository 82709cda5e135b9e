import { ORPCError } from '@orpc/server';

/** PostgreSQL codes of values it can't hold: NUL, lone surrogates, wrong bytes; numbers and times out of range. */
const UNSTORABLE = new Set(['22021', '22P05', '22P02', '22003', '22007', '22008']);
/** Shutting down, starting, too many connections, lock or statement timeout, disk full. */
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '53300', '53100', '55P03', '57014', '08000', '08003', '08006']);
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT']);

interface Failure {
  code?: string;
  message?: string;
  cause?: unknown;
}

/** 400 for values the database refuses, 503 while it can't be reached; undefined for everything else. */
export function knownDatabaseFailure(error: unknown): ORPCError<string, unknown> | undefined {
  for (
    let at = error as Failure | undefined, depth = 0;
    at && depth < 5;
    at = at.cause as Failure | undefined, depth++
  ) {
    if (at.code && UNSTORABLE.has(at.code))
      return new ORPCError('BAD_REQUEST', { status: 400, message: 'Unstorable value', cause: error });
    if (
      (at.code && (UNAVAILABLE.has(at.code) || NETWORK.has(at.code))) ||
      /timeout exceeded when trying to connect|Connection terminated|Query read timeout/.test(at.message ?? '')
    )
      return new ORPCError('BUSY', {
        status: 503,
        message: 'Database unavailable',
        data: { retryAfter: 5 },
        cause: error,
      });
  }
  return undefined;
}

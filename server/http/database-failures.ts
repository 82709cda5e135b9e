import { ORPCError } from '@orpc/server';

/** PostgreSQL codes of values it can't hold: NUL, lone surrogates, wrong bytes; numbers and times out of range. */
const UNSTORABLE = new Set(['22021', '22P05', '22P02', '22003', '22007', '22008']);
/**
 * Shutting down, starting, too many connections, disk or memory full, limits of time (lock, statement, idle in transaction,
 * transaction), read-only, an undone transaction that could not be repeated; class 08 is the connection.
 */
const UNAVAILABLE = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '53000', '53100', '53200', '53300', '53400', '55P03', '57014'],
  ...['25P03', '25P04', '25006', '40001', '40P01', '58030'],
]);
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Failures of our own layer, see server/db/transaction.ts. */
const LOST = new Set(['ConnectionLost', 'CommitUnknown']);

interface Failure {
  name?: string;
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
      (at.code && (UNAVAILABLE.has(at.code) || at.code.startsWith('08') || NETWORK.has(at.code))) ||
      (at.name && LOST.has(at.name)) ||
      /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/.test(
        at.message ?? '',
      )
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
